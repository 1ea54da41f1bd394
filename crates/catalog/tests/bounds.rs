//! What is bounded, and that nothing else is lost by it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use deskwire_catalog::limits::{
    MAX_BYTES, MAX_DEPTH, MAX_DIAGNOSTICS, MAX_DIAGNOSTICS_OF_RECORD, MAX_NAME, MAX_RECORDS,
};
use deskwire_catalog::{Code, Read, SourceLabel, read, read_value};

const APP: &str = r#"{"name":"a","type":"window","details":{"url":"http://h"}}"#;

fn read_text(text: &str) -> Read {
    read(&SourceLabel::new("t"), text)
}

fn codes(read: &Read) -> Vec<Code> {
    read.diagnostics.iter().map(|diagnostic| diagnostic.code).collect()
}

#[test]
fn a_text_that_is_too_long_is_not_read() {
    let text = format!("[{APP}]{}", " ".repeat(MAX_BYTES));
    let read = read_text(&text);
    assert_eq!(codes(&read), [Code::FileTooLarge]);
    assert!(!read.has_records());
}

#[test]
fn records_are_counted() {
    let text = format!("[{}]", vec![APP; MAX_RECORDS + 5].join(",\n"));
    for read in
        [read_text(&text), read_value(&SourceLabel::new("t"), serde_json::from_str(&text).unwrap())]
    {
        assert_eq!(read.applications.len(), MAX_RECORDS);
        assert_eq!(codes(&read), [Code::FileTooManyRecords]);
    }
    assert_eq!(read_text(&text).diagnostics[0].line, Some(MAX_RECORDS + 1));
    // Two lists are one source.
    let two = format!(r#"{{"applications":{text},"channels":[{{"name":"Red","meta":{{}}}}]}}"#);
    assert_eq!(codes(&read_text(&two)), [Code::FileTooManyRecords]);
}

#[test]
fn depth_is_bounded_per_record() {
    let nested = |depth: usize| {
        format!(
            r#"{{"name":"deep","type":"window","details":{{"url":"http://h","x":{}{}}}}}"#,
            "[".repeat(depth),
            "]".repeat(depth)
        )
    };
    let read = read_text(&format!("[{}, {APP}]", nested(MAX_DEPTH - 2)));
    assert_eq!((read.applications.len(), read.diagnostics.len()), (2, 0));
    for depth in [MAX_DEPTH - 1, 100_000] {
        let read = read_text(&format!("[{}, {APP}]", nested(depth)));
        assert_eq!(read.applications.len(), 1);
        assert_eq!(codes(&read), [Code::FileSyntax]);
        assert!(read.diagnostics[0].message.contains("deeper than 127"), "{}", read.diagnostics[0]);
    }
}

#[test]
fn names_are_bounded() {
    let named = |length: usize| APP.replace("\"a\"", &format!("\"{}\"", "é".repeat(length)));
    assert_eq!(codes(&read_text(&named(MAX_NAME))), []);
    assert_eq!(codes(&read_text(&named(MAX_NAME + 1))), [Code::AppName]);
}

#[test]
fn diagnostics_are_bounded_and_the_rest_is_counted() {
    let intents = vec!["1"; MAX_DIAGNOSTICS_OF_RECORD + 7].join(",");
    let noisy = APP.replace("\"details\"", &format!("\"intents\":[{intents}],\"details\""));
    let read = read_text(&format!("[{noisy}, {APP}]"));
    assert_eq!(read.applications.len(), 2);
    assert_eq!(read.diagnostics.len(), MAX_DIAGNOSTICS_OF_RECORD + 1);
    let last = read.diagnostics.last().unwrap();
    assert_eq!(last.to_string(), "t: 7 more problems are not told");

    let read = read_text(&format!("[{}, {APP}]", vec!["1"; MAX_DIAGNOSTICS + 3].join(",")));
    assert_eq!(read.diagnostics.len(), MAX_DIAGNOSTICS + 1);
    assert!(read.diagnostics.last().unwrap().message.starts_with("3 more"));
    assert_eq!(read.applications.len(), 1);
}

/// None of these may cost time that grows with the square of its length.
#[test]
fn hostile_texts_end() {
    let length = 1 << 16;
    for piece in [
        "[",
        "{",
        "\n{",
        "},",
        "/*",
        "\"\n",
        "{\"a\":",
        "\"applications\":[],",
        "1,",
        "'",
        "\\",
        "é",
    ] {
        let text = piece.repeat(length / piece.len());
        for start in ["", "[", "{", "{\"applications\":["] {
            let read = read_text(&format!("{start}{text}"));
            assert!(!read.has_records());
            assert!(!read.diagnostics.is_empty(), "{start}{piece}…");
        }
    }
}
