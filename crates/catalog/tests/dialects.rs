//! Every dialect, from the file to the model: what is read and what is told.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support;

use deskwire_catalog::{SourceLabel, read, read_value};
use support::{fixture, picture};

macro_rules! dialects {
    ($($test:ident: $file:literal;)*) => { $(
        #[test]
        fn $test() {
            let text = fixture($file);
            let read = read(&SourceLabel::new($file), &text);
            insta::assert_snapshot!(picture(&read));
        }
    )* };
}

dialects! {
    io_connect_definitions: "io-connect.json";
    comments_and_a_record_that_is_not_json: "comments.jsonc";
    records_that_are_not_as_they_should_be: "hostile.json";
    a_directory_of_the_second_version: "appd-v2.json";
    a_directory_of_the_first_version: "appd-v1.json";
    one_record_of_a_directory: "appd-record.json";
    a_web_platform: "platform.config.json";
    saved_layouts: "layouts.json";
    a_workspace_as_its_tree: "workspace-tree.json";
    channels: "channels.json";
    something_else: "not-a-definition.json";
}

/// What comes as a value is read as what comes as text, but for lines.
#[test]
fn values_are_read_as_texts_are() {
    for file in
        ["io-connect.json", "hostile.json", "appd-v2.json", "platform.config.json", "layouts.json"]
    {
        let (label, text) = (SourceLabel::new(file), fixture(file));
        let mut from_text = read(&label, &text);
        let from_value = read_value(&label, serde_json::from_str(&text).unwrap());
        for diagnostic in &mut from_text.diagnostics {
            assert!(diagnostic.line.is_some(), "{diagnostic}");
            diagnostic.line = None;
        }
        assert_eq!(from_text.diagnostics, from_value.diagnostics, "{file}");
        assert_eq!(from_text.applications.len(), from_value.applications.len(), "{file}");
        for (one, other) in from_text.applications.iter().zip(&from_value.applications) {
            assert!(one.same_content(other), "{file}: {}", one.name);
            assert_eq!((one.origin.line.is_some(), other.origin.line), (true, None));
        }
        for (one, other) in from_text.layouts.iter().zip(&from_value.layouts) {
            assert!(one.same_content(other), "{file}: {}", one.name);
        }
    }
}
