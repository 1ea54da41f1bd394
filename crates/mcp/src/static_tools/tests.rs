//! Configurations in, tools or faults out.

use serde_json::{Value, json};

use super::*;

/// A good tool, with what differs put into it.
fn method(name: &str, changes: Value) -> Value {
    let mut method = json!({
        "availability": "constant",
        "name": name,
        "config": {
            "description": "Greets a person.",
            "inputSchema": {"type": "object", "properties": {"name": {"type": "string"}}},
            "outputSchema": {"type": "object", "properties": {"greeting": {"type": "string"}}},
        },
        "interop": {"methodName": "Greet"},
    });
    for (part, fields) in changes.as_object().into_iter().flatten() {
        for (field, value) in fields.as_object().into_iter().flatten() {
            method[part][field] = value.clone();
        }
    }
    method
}

fn read(methods: &[Value]) -> StaticToolsConfig {
    serde_json::from_value(json!({"methods": methods})).unwrap()
}

#[test]
fn all_that_is_wrong_is_told_at_once() {
    let deep = (0..100).fold(json!({}), |schema, _| json!({"not": schema}));
    let faults = StaticTools::new(&read(&[
        method("good", json!({})),
        method("with space", json!({"config": {"description": " \u{200b} "}})),
        method("io_connect_mine", json!({"config": {"inputSchema": {"type": "array"}}})),
        method("good", json!({"config": {"inputSchema": {"type": "objekt"}}})),
        method("output", json!({"config": {"outputSchema": {"$ref": "#/$defs/None"}}})),
        method("deep", json!({"config": {"inputSchema": deep}})),
        method("never", json!({"interop": {"responseTimeoutMs": 0}})),
        method("backwards", json!({"interop": {"responseTimeoutMs": -5000}})),
        method("nobody", json!({"interop": {"allowedApplications": []}})),
        method(
            "blank",
            json!({"interop": {"allowedApplications": ["app1", " "], "methodName": ""}}),
        ),
        method("long", json!({"config": {"description": "x".repeat(9000)}})),
    ]))
    .unwrap_err();
    insta::assert_snapshot!(faults.to_string());
}

#[test]
fn intents_are_checked_like_methods_and_share_their_names() {
    let intent = |name: &str, interop: Value| {
        let mut tool = method(name, json!({}));
        tool["interop"] = interop;
        tool
    };
    let config = |intents: &[Value]| -> StaticToolsConfig {
        serde_json::from_value(json!({"methods": [method("good", json!({}))], "intents": intents}))
            .unwrap()
    };
    let faults = StaticTools::new(&config(&[
        intent("good", json!({"intentName": "Show"})),
        intent("blank", json!({"intentName": " ", "allowedApplications": []})),
        intent("never", json!({"intentName": "Show", "responseTimeoutMs": 0})),
        intent("never", json!({"intentName": "Show"})),
    ]))
    .unwrap_err();
    insta::assert_snapshot!(faults.to_string());

    let whole = json!({"intentName": "Show", "resolutionStrategy": "io_connect",
                       "responseTimeoutMs": 5000.0, "allowedApplications": ["chart"]});
    let config =
        config(&[intent("show", whole.clone()), intent("any", json!({"intentName": "Show"}))]);
    assert_eq!(serde_json::to_value(&config).unwrap()["intents"][0]["interop"], whole);
    assert_eq!(config.intents[1].interop.resolution_strategy, ResolutionStrategy::Mcp);
    let tools = StaticTools::new(&config).unwrap();
    assert_eq!((tools.len(), tools.intents.len()), (3, 2));
    assert_eq!(tools.intents[0].path, "server.tools.static.intents[0]");

    let wrong = json!({"intentName": "Show", "resolutionStrategy": "best"});
    let error = serde_json::from_value::<StaticIntent>(intent("show", wrong)).unwrap_err();
    assert!(error.to_string().contains("unknown variant `best`"), "{error}");
}

#[test]
fn what_cannot_be_shown_of_an_output_schema_is_a_remark() {
    let tools = StaticTools::new(&read(&[
        method("vague", json!({"config": {"outputSchema": {}}})),
        method("text", json!({"config": {"outputSchema": {"type": "string"}}})),
    ]))
    .unwrap();
    let [vague, text] = &tools.methods[..] else { panic!("{tools:?}") };
    assert_eq!(vague.compiled.definition.published().output_schema, None);
    assert_eq!(vague.compiled.remarks.len(), 1);
    assert_eq!(
        text.compiled.definition.published().output_schema.as_deref().cloned().map(Value::Object),
        Some(json!({"type": "object", "properties": {"value": {"type": "string"}},
                    "required": ["value"]}))
    );
}

#[test]
fn the_form_is_the_one_of_the_handbook_and_nothing_else() {
    let whole = json!({
        "availability": "variable",
        "name": "hello",
        "config": {
            "title": "Hello",
            "description": "Greets a person",
            "inputSchema": {"type": "object"},
            "outputSchema": {"type": "object"},
            "annotations": {"title": "Hello", "readOnlyHint": true, "openWorldHint": false},
            "_meta": {"example.com/k": 1},
        },
        "interop": {"methodName": "Greet", "responseTimeoutMs": 5000.0,
                    "allowedApplications": ["app1"]},
    });
    let config = read(std::slice::from_ref(&whole));
    assert_eq!(serde_json::to_value(&config).unwrap()["methods"][0], whole);
    let tools = StaticTools::new(&config).unwrap();
    let shown = serde_json::to_value(tools.methods[0].compiled.definition.published()).unwrap();
    assert_eq!(shown["annotations"], whole["config"]["annotations"]);
    assert_eq!((&shown["_meta"], &shown["title"]), (&whole["config"]["_meta"], &json!("Hello")));

    for (change, complaint) in [
        (json!({"availability": "sometimes"}), "unknown variant `sometimes`"),
        (json!({"nmae": "x"}), "unknown field `nmae`"),
        (json!({"interop": {"method": "x"}}), "unknown field `method`"),
        (json!({"config": {"description": "x", "inputSchema": "{}"}}), "expected a map"),
        (
            json!({"config": {"description": "x", "inputSchema": {}}}),
            "missing field `outputSchema`",
        ),
    ] {
        let mut wrong = whole.clone();
        for (key, value) in change.as_object().into_iter().flatten() {
            wrong[key] = value.clone();
        }
        let error = serde_json::from_value::<StaticMethod>(wrong).unwrap_err().to_string();
        assert!(error.contains(complaint), "{error}");
    }
    assert_eq!(serde_json::from_value::<StaticToolsConfig>(json!({})).unwrap(), read(&[]));
}

#[test]
fn editors_are_told_the_form() {
    let schema = schemars::schema_for!(StaticToolsConfig).to_value();
    jsonschema::draft202012::meta::validate(&schema).unwrap();
    let checker = jsonschema::validator_for(&schema).unwrap();
    assert!(checker.is_valid(&json!({"methods": [method("good", json!({}))]})));
    for wrong in [
        method("with space", json!({})),
        method("typo", json!({"interop": {"methodNmae": "x"}})),
        method("never", json!({"interop": {"responseTimeoutMs": 0}})),
        method("text", json!({"config": {"inputSchema": "{}"}})),
    ] {
        assert!(!checker.is_valid(&json!({"methods": [wrong]})), "{wrong}");
    }
}
