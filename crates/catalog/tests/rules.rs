//! The rules of reading, one by one.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use deskwire_catalog::{Code, Kind, LayoutKind, Read, Severity, SourceLabel, UrlFault, read};
use serde_json::json;

fn read_text(text: &str) -> Read {
    read(&SourceLabel::new("t.json"), text)
}

fn codes(read: &Read) -> Vec<&'static str> {
    read.diagnostics.iter().map(|diagnostic| diagnostic.code.as_str()).collect()
}

#[test]
fn raised_intents_as_objects_are_read_and_told_once() {
    let read = read_text(
        r#"{"appId":"x","title":"X","type":"web","details":{"url":"http://h"},"interop":{"intents":{"raises":{
            "CreateInteraction":{"contexts":["fdc3.interaction"],"displayName":"x"},
            "ViewContact":{"contexts":["fdc3.contact"]}}}}}"#,
    );
    let raises = &read.applications[0].raises;
    assert_eq!(raises["CreateInteraction"], ["fdc3.interaction"]);
    assert_eq!(raises["ViewContact"], ["fdc3.contact"]);
    assert_eq!(codes(&read), ["appd.raises.object"]);
}

#[test]
fn an_unknown_type_and_an_odd_icon_cost_no_record() {
    let read = read_text(
        r#"[{"appId":"good","title":"G","type":"web","details":{"url":"http://h"}},
            {"appId":"odd","title":"O","type":"browser","icons":[{"url":"http://h/i.png"}],"details":{"url":"http://h"}}]"#,
    );
    assert_eq!(read.applications.len(), 2);
    let odd = &read.applications[1];
    assert_eq!(odd.kind, Kind::Other("browser".to_owned()));
    assert_eq!(odd.icons, ["http://h/i.png"]);
    assert_eq!(codes(&read), ["app.type.unknown"]);
}

#[test]
fn the_title_falls_back_to_the_name_and_then_to_the_id() {
    for (record, name, title) in [
        (json!({"appId": "x", "name": "X", "type": "web"}), "x", "X"),
        (json!({"appId": "x", "type": "web"}), "x", "x"),
        (json!({"appId": "x", "title": "T", "type": "Web"}), "x", "T"),
        (json!({"appId": "x", "title": "T", "type": "window"}), "x", "T"),
        (json!({"appId": "id", "name": "x", "title": "T", "type": "window"}), "x", "T"),
        (json!({"appId": "x", "name": "X", "title": " ", "type": "web"}), "x", "X"),
        (json!({"appId": "x", "name": "X", "title": "T", "type": "web"}), "x", "T"),
        (json!({"name": "x", "type": "window"}), "x", "x"),
        (json!({"name": "x", "title": "T", "type": "window"}), "x", "T"),
    ] {
        let mut record = record;
        record["details"] = json!({"url": "http://h"});
        let read = read_text(&record.to_string());
        let application = &read.applications[0];
        assert_eq!((application.name.as_str(), application.title.as_str()), (name, title));
        assert_eq!(read.diagnostics, [], "{record}");
    }
}

#[test]
fn a_directory_description_is_the_caption_of_the_application() {
    let read = read_text(
        r#"{"appId":"x","type":"web","description":"Shows x.","details":{"url":"http://h"}}"#,
    );
    assert_eq!(read.applications[0].caption.as_deref(), Some("Shows x."));
    assert_eq!(read.applications[0].raw["caption"], "Shows x.");
    // An io.Connect definition has a field of its own for that.
    let read = read_text(
        r#"{"name":"x","type":"window","description":"Shows x.","details":{"url":"http://h"}}"#,
    );
    assert_eq!(read.applications[0].caption, None);
}

#[test]
fn a_host_manifest_for_this_desktop_wins_but_does_not_rename() {
    for host in ["ioConnect", "io.Connect", "io.Connect Desktop", "Glue42", "glue42.com"] {
        let record = json!({
            "appId": "x", "type": "web", "details": {"url": "http://h"},
            "hostManifests": { host: {
                "name": "y", "title": "Y", "caption": "Does y.",
                "details": {"width": 5}, "customProperties": {"includeInWorkspaces": true},
            }},
        });
        let read = read_text(&record.to_string());
        let application = &read.applications[0];
        assert_eq!((application.name.as_str(), application.title.as_str()), ("x", "Y"), "{host}");
        assert!(application.include_in_workspaces, "{host}");
        assert_eq!(application.raw["details"], json!({"url": "http://h", "width": 5}), "{host}");
    }
    let record = json!({
        "appId": "x", "type": "web", "details": {"url": "http://h"},
        "hostManifests": { "Finsemble": { "title": "Y" }, "Glue42": 7 },
    });
    let read = read_text(&record.to_string());
    assert_eq!(read.applications[0].title, "x");
    assert_eq!(codes(&read), ["appd.manifest"]);
}

#[test]
fn a_manifest_cannot_bring_an_address_that_is_refused() {
    let record = json!({
        "appId": "x", "type": "web", "details": {"url": "http://h"},
        "hostManifests": { "ioConnect": { "details": {"url": "javascript:alert(1)"} } },
    });
    let read = read_text(&record.to_string());
    let Kind::Window(window) = &read.applications[0].kind else { panic!("a window") };
    assert!(matches!(window.url, Err(UrlFault::Scheme(_))));
    assert_eq!(read.applications[0].raw["details"], json!({}));
}

#[test]
fn both_forms_of_a_workspace_have_the_same_tree() {
    let tree = json!({"children": [{"type": "window", "appName": "a"}], "config": {"title": "T"}});
    let saved = json!({"name": "N", "type": "Workspace", "metadata": {},
        "components": [{"type": "Workspace", "state": tree}]});
    let from_saved = read_text(&saved.to_string());
    let from_tree = read_text(&tree.to_string());
    assert_eq!(from_saved.layouts[0].workspace_tree(), Some(&tree));
    assert_eq!(from_tree.layouts[0].workspace_tree(), Some(&tree));
    assert_eq!(
        (from_saved.layouts[0].name.as_str(), from_tree.layouts[0].name.as_str()),
        ("N", "T")
    );
    assert_eq!(codes(&from_tree), ["layout.name.from-title"]);
}

#[test]
fn layouts_and_applications_share_words_but_not_meanings() {
    let read = read_text(
        r#"[{"name":"a","type":"Activity","components":[]},
            {"name":"b","type":"activity","details":{}},
            {"name":"c","type":"Workspace","metadata":{}},
            {"name":"d","type":"workspaces","details":{}}]"#,
    );
    let layouts: Vec<_> = read.layouts.iter().map(|one| (one.name.as_str(), &one.kind)).collect();
    assert_eq!(layouts, [("a", &LayoutKind::Activity), ("c", &LayoutKind::Workspace)]);
    let kinds: Vec<_> = read.applications.iter().map(|one| one.kind.type_name()).collect();
    assert_eq!(kinds, ["activity", "workspaces"]);
}

#[test]
fn one_record_needs_no_list() {
    for (text, applications, layouts, channels) in [
        (r#"{"name":"a","type":"window","details":{"url":"http://h"}}"#, 1, 0, 0),
        (r#"{"appId":"a","type":"web","details":{"url":"http://h"}}"#, 1, 0, 0),
        (r#"{"name":"a","type":"Global","components":[]}"#, 0, 1, 0),
        (r##"{"name":"a","meta":{"color":"#fff"}}"##, 0, 0, 1),
        (r#"{"application":{"name":"a","type":"window","details":{"url":"http://h"}}}"#, 1, 0, 0),
        (r#"{"apps":[{"name":"a","type":"window","details":{"url":"http://h"}}]}"#, 1, 0, 0),
        (r#"{"applications":[],"message":"OK"}"#, 0, 0, 0),
        ("\u{feff}[]", 0, 0, 0),
    ] {
        let read = read_text(text);
        let seen = (read.applications.len(), read.layouts.len(), read.channels.len());
        assert_eq!(seen, (applications, layouts, channels), "{text}");
        assert_eq!(read.diagnostics, [], "{text}");
    }
}

#[test]
fn what_holds_no_definition_says_so() {
    for text in
        ["", "  ", "// nothing", "{}", "7", "\"text\"", "null", r#"{"name":"p","version":"1"}"#]
    {
        let read = read_text(text);
        assert_eq!(codes(&read), ["file.no-records"], "{text}");
        assert_eq!(read.diagnostics[0].severity, Severity::Warning);
    }
}

#[test]
fn text_that_is_not_json_is_told_with_its_line() {
    for (text, line) in [
        ("[\n\n oops oops ]", 3),
        ("{\n \"applications\": [\n {\"name\": } ] }", 3),
        ("[{\"name\":\"a\"", 1),
        ("[] []", 1),
        ("{\"name\": \"a\", \"type\": \"window\", \"details\": {\n\n!", 1),
        ("oops", 1),
    ] {
        let read = read_text(text);
        assert!(
            codes(&read).contains(&Code::FileSyntax.as_str()),
            "{text}: {:?}",
            read.diagnostics
        );
        let fault = read.diagnostics.iter().find(|one| one.code == Code::FileSyntax).unwrap();
        assert_eq!(fault.line, Some(line), "{text}: {fault}");
    }
}

#[test]
fn a_fault_in_a_directory_costs_one_record() {
    let good =
        |id: &str| format!(r#"{{"appId":"{id}","type":"web","details":{{"url":"http://h"}}}}"#);
    let (a, b) = (good("a"), good("b"));
    for bad in [
        "{\"appId\": }",
        "{\"appId\": \"x\"",
        "oops",
        "{]",
        "\"",
        "{\"a\":[}",
        "{'",
        "// {",
        "/* , */ 7",
    ] {
        let text = format!(
            "{{\"applications\": [\n  {a},\n  {bad},\n  {b}\n], \"channels\": [\n  {{\"name\": \"Red\", \"meta\": {{}}}}]}}"
        );
        let read = read_text(&text);
        let names: Vec<_> = read.applications.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["a", "b"], "{bad}: {:?}", read.diagnostics);
        assert_eq!(read.channels.len(), 1, "{bad}: {:?}", read.diagnostics);
    }
}

#[test]
fn every_code_is_documented_and_named_once() {
    let readme = include_str!("../README.md");
    let mut names: Vec<_> = Code::ALL.iter().map(|code| code.as_str()).collect();
    for code in Code::ALL {
        let row = format!("| `{code}` | {} |", code.severity().as_str());
        assert!(readme.contains(&row), "the README has no row {row}");
    }
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), Code::ALL.len());
}
