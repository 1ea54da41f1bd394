//! Tools of a source of our own, beside those of applications: what any tool can
//! do by the registry that all of them enter.

use std::sync::Arc;

use deskwire_connect::Directory;
use deskwire_mcp::{
    CallContext, Config, Definition, Needs, Offer, Origin, Progress, Source, Step, Tool,
};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use http::StatusCode;
use rmcp::model::{self, CallToolResult, ContentBlock};
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::desk::{Desk, options, within};
use crate::mcp::{Session, Stream, ask, body, modern, refused, send};

/// A source of one tool.
struct One(Arc<dyn Tool>);

impl Source for One {
    fn origin(&self) -> Origin {
        Origin::System
    }

    fn offer(&mut self, _: &Directory) -> Offer {
        Offer { tools: vec![Arc::clone(&self.0)], ..Offer::default() }
    }
}

/// A tool that answers what `answer` says.
struct Answering<F> {
    definition: Definition,
    answer: F,
}

impl<F: Fn(CallContext) -> BoxFuture<'static, CallToolResult> + Send + Sync + 'static> Tool
    for Answering<F>
{
    fn definition(&self) -> &Definition {
        &self.definition
    }

    fn call(&self, call: CallContext) -> BoxFuture<'_, CallToolResult> {
        (self.answer)(call)
    }
}

/// A desk with a tool `own` besides those of its applications.
async fn desk<F>(input: Value, answer: F) -> Desk
where
    F: Fn(CallContext) -> BoxFuture<'static, CallToolResult> + Send + Sync + 'static,
{
    let Value::Object(input) = input else { panic!("no schema") };
    let definition = Definition::new(model::Tool::new("own", "A tool.", input), Needs::NOTHING);
    let source = One(Arc::new(Answering { definition, answer }));
    let config = Config::new("desk", "1.0.0");
    Desk::with_sources(config, options(), vec![Box::new(source)]).await
}

fn object() -> Value {
    json!({"type": "object"})
}

#[tokio::test]
async fn a_result_is_whatever_the_tool_makes_of_it() {
    let desk = desk(object(), |_| {
        let content = vec![ContentBlock::image("aGk=", "image/png"), ContentBlock::text("hi")];
        std::future::ready(CallToolResult::success(content)).boxed()
    })
    .await;
    let image = json!({"type": "image", "data": "aGk=", "mimeType": "image/png"});
    let session = Session::new(&desk.router, json!({})).await;
    assert_eq!(session.call("own", json!({})).await["content"][0], image);
    let answer = ask(&desk.router, "tools/call", json!({"name": "own"}), &json!({})).await;
    assert_eq!(answer["result"]["content"][0], image);
}

/// Steps that go nowhere between those that do, and ends when it is let go.
fn climbing(
    release: watch::Receiver<bool>,
) -> impl Fn(CallContext) -> BoxFuture<'static, CallToolResult> {
    move |call| {
        let mut release = release.clone();
        async move {
            for done in [1.0, 1.0, 0.5, f64::NAN] {
                call.progress.report(Step { done, total: Some(2.0), message: None });
            }
            let _ = release.wait_for(|released| *released).await;
            let message = Some("nearly there".into());
            call.progress.report(Step { done: 1.5, total: Some(2.0), message });
            CallToolResult::success(vec![ContentBlock::text(call.progress.is_wanted().to_string())])
        }
        .boxed()
    }
}

/// What a client that asked for it is told, in this order.
async fn climbs(stream: &mut Stream, release: &watch::Sender<bool>) {
    let step = stream.message().await.unwrap();
    assert_eq!(step["method"], "notifications/progress");
    assert_eq!(step["params"], json!({"progressToken": "up", "progress": 1.0, "total": 2.0}));
    release.send_replace(true);
    let step = stream.message().await.unwrap();
    assert_eq!(
        step["params"],
        json!({"progressToken": "up", "progress": 1.5, "total": 2.0, "message": "nearly there"})
    );
    let answer = stream.answer().await;
    assert_eq!(answer["result"]["content"][0]["text"], "true", "{answer}");
}

#[tokio::test]
async fn progress_is_told_as_it_comes_and_before_the_answer() {
    let (release, released) = watch::channel(false);
    let desk = desk(object(), climbing(released)).await;
    let params = json!({"name": "own", "_meta": {"progressToken": "up"}});

    let session = Session::new(&desk.router, json!({})).await;
    let (_, mut stream) = session.begin("tools/call", params.clone()).await;
    climbs(&mut stream, &release).await;

    release.send_replace(false);
    let response = send(&desk.router, modern(7, "tools/call", params, &json!({}))).await;
    assert_eq!(response.status(), StatusCode::OK);
    climbs(&mut Stream::of(response), &release).await;
}

#[tokio::test]
async fn who_does_not_ask_is_not_told() {
    let (_release, released) = watch::channel(true);
    let desk = desk(object(), climbing(released)).await;
    let session = Session::new(&desk.router, json!({})).await;
    let answer = session.ask("tools/call", json!({"name": "own"})).await;
    assert_eq!(answer["result"]["content"][0]["text"], "false");
}

#[tokio::test]
async fn a_tool_that_reports_after_its_end_holds_up_nobody() {
    let (kept, mut keeping) = watch::channel(Progress::default());
    let desk = desk(object(), move |call| {
        kept.send_replace(call.progress);
        std::future::ready(CallToolResult::success(Vec::new())).boxed()
    })
    .await;
    let session = Session::new(&desk.router, json!({})).await;
    let params = json!({"name": "own", "_meta": {"progressToken": 1}});
    let answer = session.ask("tools/call", params).await;
    assert!(answer["result"].is_object(), "{answer}");
    let late = within(keeping.wait_for(Progress::is_wanted)).await.unwrap();
    late.report(Step::default());
}

#[tokio::test]
async fn arguments_that_belong_in_headers_must_stand_there() {
    let input = json!({
        "type": "object",
        "properties": {"region": {"type": "string", "x-mcp-header": "Region"}},
    });
    let desk =
        desk(input, |_| std::future::ready(CallToolResult::success(Vec::new())).boxed()).await;
    let call = || {
        let params = json!({"name": "own", "arguments": {"region": "north"}});
        modern(7, "tools/call", params, &json!({}))
    };
    let with_header = |value: &'static str| {
        let mut request = call();
        let value = http::HeaderValue::from_static(value);
        request.headers_mut().insert("mcp-param-region", value);
        request
    };
    let answer = body(send(&desk.router, with_header("north")).await).await;
    assert!(answer.contains(r#""result""#), "{answer}");
    for request in [call(), with_header("south")] {
        let refusal = refused(send(&desk.router, request).await, StatusCode::BAD_REQUEST).await;
        assert_eq!(refusal["error"]["code"], -32020, "{refusal}");
    }
}

#[tokio::test]
async fn what_belongs_to_sessions_is_unknown_without_one() {
    let desk = Desk::new().await;
    for method in ["initialize", "ping"] {
        let response = send(&desk.router, modern(7, method, json!({}), &json!({}))).await;
        let refusal = refused(response, StatusCode::NOT_FOUND).await;
        assert_eq!(refusal["error"]["code"], -32601, "{method}: {refusal}");
    }
}

#[tokio::test]
async fn results_that_are_no_objects_are_promised_to_the_latest_revision_alone() {
    let mut tool = model::Tool::new("own", "A tool.", object().as_object().cloned().unwrap());
    let list = json!({"type": "array", "items": {"type": "string"}});
    tool.output_schema = Some(Arc::new(list.as_object().cloned().unwrap()));
    let definition = Definition::new(tool, Needs::NOTHING);
    let answer = |_| std::future::ready(CallToolResult::structured(json!(["a"]))).boxed();
    let source = One(Arc::new(Answering { definition, answer }));
    let config = Config::new("desk", "1.0.0");
    let desk = Desk::with_sources(config, options(), vec![Box::new(source)]).await;
    let latest = ask(&desk.router, "tools/list", json!({}), &json!({})).await;
    assert_eq!(latest["result"]["tools"][0]["outputSchema"], list);
    let session = Session::new(&desk.router, json!({})).await;
    let before = session.ask("tools/list", json!({})).await;
    let shown = json!([{"name": "own", "description": "A tool.", "inputSchema": object()}]);
    assert_eq!(before["result"]["tools"], shown);
}
