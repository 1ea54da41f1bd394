//! Schemas and values that are made to be slow or endless.

use std::time::{Duration, Instant};

use deskwire_mcp::{Profile, Stage};
use serde_json::{Value, json};

use crate::desk::{Desk, method};
use crate::mcp::Session;

/// Far more than any of it takes, and far less than what is not bounded does.
const FAST: Duration = Duration::from_secs(5);

#[tokio::test]
async fn a_pattern_that_explodes_elsewhere_is_checked_at_once() {
    let desk = Desk::new().await;
    let app = desk.app("clients").await;
    let anything = json!({"type": "object"});
    let pattern = json!({"type": "object",
                         "properties": {"text": {"type": "string", "pattern": "^(a+)+$"}}});
    let bomb = app
        .offers(method("bomb", pattern, anything, json!({})), |_| std::future::ready(Ok(json!({}))))
        .await;
    desk.shows(&["bomb"]).await;
    let session = Session::new(&desk.router, json!({})).await;
    let began = Instant::now();
    let good = session.call("bomb", json!({"text": "a".repeat(50_000)})).await;
    assert_eq!(good["isError"], false);
    let bad = session.call("bomb", json!({"text": "a".repeat(50_000) + "!"})).await;
    assert_eq!(bad["isError"], true);
    assert!(bad["content"][0]["text"].as_str().unwrap().len() < 2000, "the value is not repeated");
    assert!(began.elapsed() < FAST, "{:?}", began.elapsed());
    assert_eq!(bomb.calls(), 1);
}

#[tokio::test]
async fn a_recursive_schema_is_shown_short_and_checked_to_its_end() {
    let desk = Desk::new().await;
    let app = desk.app("clients").await;
    let node = json!({"type": "object", "required": ["v"], "properties": {
        "v": {"type": "integer"},
        "l": {"$ref": "#/$defs/Node"}, "r": {"$ref": "#/$defs/Node"},
        "all": {"type": "array", "items": {"$ref": "#/$defs/Node"}}}});
    let tree = json!({"type": "object", "properties": {"tree": {"$ref": "#/$defs/Node"}},
                      "$defs": {"Node": node}});
    let anything = json!({"type": "object"});
    let tree = method("tree", tree, anything, json!({}));
    let _tree = app.offers(tree, |_| std::future::ready(Ok(json!({})))).await;
    desk.shows(&["tree"]).await;
    let session = Session::new(&desk.router, json!({})).await;
    let list = session.ask("tools/list", json!({})).await["result"].to_string();
    assert!(!list.contains("$ref") && !list.contains("$defs") && list.len() < 64_000);

    let deep = |leaf: Value| (0..40).fold(leaf, |below, _| json!({"v": 1, "l": below}));
    let began = Instant::now();
    let good = session.call("tree", json!({"tree": deep(json!({"v": 1}))})).await;
    assert_eq!(good["isError"], false, "{good}");
    let bad = session.call("tree", json!({"tree": deep(json!({"v": "one"}))})).await;
    assert!(bad["content"][0]["text"].as_str().unwrap().contains("must be an integer"), "{bad}");
    assert!(began.elapsed() < FAST, "{:?}", began.elapsed());
}

#[tokio::test]
async fn a_schema_that_is_evaluated_again_and_again_is_given_up() {
    let desk = Desk::new().await;
    let app = desk.app("clients").await;
    let nested = |depth| {
        (0..depth).fold(
            json!({"type": "object"}),
            |below, _| json!({"if": below, "unevaluatedProperties": false}),
        )
    };
    let (short, endless) = (nested(4), nested(56));
    let anything = json!({"type": "object"});
    let bomb = app.hangs(method("bomb", endless.clone(), anything.clone(), json!({}))).await;
    let answers = |_| std::future::ready(Ok(json!({})));
    let _fine = app.offers(method("fine", short, anything.clone(), json!({})), answers).await;
    let _late = app.offers(method("late", anything, endless, json!({})), answers).await;
    desk.surface_when(|surface| surface.entries().len() == 3).await;
    let session = Session::new(&desk.router, json!({})).await;
    let began = Instant::now();
    assert_eq!(session.call("fine", json!({})).await["isError"], false);
    let refused = session.call("bomb", json!({})).await;
    let text = refused["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("too large to be checked"), "{text}");
    assert_eq!(session.call("late", json!({})).await["isError"], true);
    assert!(began.elapsed() < FAST, "{:?}", began.elapsed());
    assert_eq!(bomb.calls(), 0);
}

/// A schema in which each definition refers four times to the next.
fn multiplying(definitions: usize) -> Value {
    let next = |at: usize| json!({"$ref": format!("#/$defs/d{at}")});
    let schemas = (0..definitions).map(|at| {
        let next = next(at + 1);
        (format!("d{at}"), json!({"allOf": [next, next], "properties": {"a": next, "b": next}}))
    });
    let last = (format!("d{definitions}"), json!({"type": "object"}));
    let schemas: serde_json::Map<_, _> = schemas.chain([last]).collect();
    json!({"type": "object", "properties": {"x": next(0)}, "$defs": schemas})
}

#[tokio::test]
async fn references_that_multiply_are_bounded() {
    let desk = Desk::new().await;
    let app = desk.app("clients").await;
    let anything = json!({"type": "object"});
    let began = Instant::now();
    let bomb = app.hangs(method("bomb", multiplying(20), anything.clone(), json!({}))).await;
    let _worse = app.hangs(method("worse", multiplying(200), anything, json!({}))).await;
    let _greet = app.greets("greet").await;
    desk.shows(&["bomb", "greet"]).await;
    let findings = desk.server.surface().diagnostics(Profile::NONE);
    let worse = findings.iter().find(|finding| finding.name == "worse").unwrap();
    assert_eq!(
        (worse.stage, worse.fix.as_deref()),
        (Some(Stage::Schema), Some("flatten the schema"))
    );

    let session = Session::new(&desk.router, json!({})).await;
    let deep = (0..20).fold(json!({}), |below, _| json!({"a": below, "b": {}}));
    let result = session.call("bomb", json!({"x": deep})).await;
    let text = result["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("too large to be checked"), "{text}");
    assert_eq!(session.call("greet", json!({"name": "Ada"})).await["isError"], false);
    assert!(began.elapsed() < FAST, "{:?}", began.elapsed());
    assert_eq!(bomb.calls(), 0);
}
