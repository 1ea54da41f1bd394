//! Whatever a source holds: reading never panics, and bad records hide no good one.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use deskwire_catalog::{Catalog, SourceLabel, is_definitions, read, read_value};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// Keys that readers look at, so that arbitrary values meet them.
const KEYS: &[&str] = &[
    "name",
    "type",
    "details",
    "url",
    "appId",
    "title",
    "title ",
    "caption",
    "icons",
    "icon",
    "src",
    "intents",
    "interop",
    "listensFor",
    "raises",
    "contexts",
    "hostManifests",
    "ioConnect",
    "manifest",
    "manifestType",
    "customProperties",
    "customConfig",
    "methods",
    "context",
    "sources",
    "schema",
    "inputSchema",
    "components",
    "state",
    "children",
    "config",
    "metadata",
    "contextSchema",
    "meta",
    "color",
    "env",
    "command",
    "path",
    "applications",
    "local",
    "layouts",
    "channels",
    "keywords",
    "x",
];
const TEXTS: &[&str] = &[
    "",
    " ",
    "window",
    "web",
    "exe",
    "node",
    "native",
    "citrix",
    "workspaces",
    "Workspace",
    "Global",
    "http://h/",
    "javascript:x",
    "/rel",
    "global",
    "workspace",
    "{\"details\":{}}",
    "é\u{0}\n\u{202e}",
    "*",
];

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        proptest::sample::select(TEXTS).prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 48, 6, |inner| {
        let key = prop_oneof![
            8 => proptest::sample::select(KEYS).prop_map(str::to_owned),
            1 => ".{0,4}",
        ];
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            proptest::collection::vec((key, inner), 0..8)
                .prop_map(|members| Value::Object(members.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

fn good(index: usize) -> Value {
    match index % 4 {
        0 => {
            json!({"name": format!("good-{index}"), "type": "window", "details": {"url": "http://h"}})
        }
        1 => {
            json!({"appId": format!("good-{index}"), "type": "web", "details": {"url": "http://h"}})
        }
        2 => json!({"name": format!("good-{index}"), "type": "Workspace", "components": []}),
        _ => json!({"name": format!("good-{index}"), "type": "exe", "details": {"command": "x"}}),
    }
}

fn names(read: &deskwire_catalog::Read) -> Vec<&str> {
    let applications = read.applications.iter().map(|one| one.name.as_str());
    applications.chain(read.layouts.iter().map(|one| one.name.as_str())).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_value_is_read_as_its_text_is(value in any_json()) {
        let label = SourceLabel::new("p");
        let text = serde_json::to_string_pretty(&value).unwrap();
        let from_text = read(&label, &text);
        let from_value = read_value(&label, value);
        prop_assert_eq!(names(&from_text), names(&from_value));
        prop_assert_eq!(from_text.diagnostics.len(), from_value.diagnostics.len());
        for diagnostic in &from_text.diagnostics {
            prop_assert!(diagnostic.line.is_none_or(|line| line >= 1 && line <= text.lines().count().max(1)));
            prop_assert!(!diagnostic.to_string().contains('\n'), "{}", diagnostic);
        }
    }

    #[test]
    fn bad_records_hide_no_good_one(bad in proptest::collection::vec(any_json(), 0..6), order in any::<u64>()) {
        let mut records: Vec<Value> = (0..4).map(good).collect();
        for (at, value) in bad.into_iter().enumerate() {
            records.insert((order as usize >> (at * 4)) % (records.len() + 1), value);
        }
        for text in [
            json!(records).to_string(),
            serde_json::to_string_pretty(&json!({ "applications": records })).unwrap(),
        ] {
            let read = read(&SourceLabel::new("p"), &text);
            for index in 0..4 {
                let name = format!("good-{index}");
                prop_assert!(names(&read).contains(&name.as_str()), "{} in {}", name, text);
            }
            let catalog = Catalog::merge([read.clone(), read]);
            prop_assert!(catalog.applications().len() <= records.len());
        }
    }

    /// A record that is spoiled at any place within its braces is lost at most alone, when people
    /// wrote the list the way people do.
    #[test]
    fn a_spoiled_record_is_lost_alone(at in 1_usize..70, junk in r#"[\]\[{}",:/' a]{0,3}"#, cut in 0_usize..4) {
        let mut bad = r#"{"name": "bad", "type": "window", "details": {"url": "http://h/", "x": [1]}}"#.to_owned();
        let end = (at + cut).min(bad.len());
        bad.replace_range(at.min(end)..end, &junk);
        let text = format!("[\n  {},\n  {bad},\n  {}\n]", good(0), good(4));
        let read = read(&SourceLabel::new("p"), &text);
        prop_assert!(names(&read).contains(&"good-0"), "{}", text);
        // A comment may reach over the end of its record, and who closes record and list has
        // closed them: nobody can tell that more was meant.
        let closes_list = junk.find('}').is_some_and(|at| junk[at..].contains(']'));
        prop_assume!(!bad.contains("/*") && !closes_list);
        prop_assert!(names(&read).contains(&"good-4"), "{}\n{:?}", text, read.diagnostics);
    }

    #[test]
    fn any_text_is_survived(text in r#"[\[\]{}",:/*'\\ \na1é-]{0,60}"#) {
        let _ = is_definitions(&text);
        let _ = read(&SourceLabel::new("p"), &text);
    }
}
