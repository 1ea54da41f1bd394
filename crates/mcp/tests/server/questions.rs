//! A tool that asks the person before it does something, in every revision.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use deskwire_connect::Directory;
use deskwire_mcp::{
    Answer, Asked, CallContext, Case, Config, Definition, Needs, Offer, Origin, Plan, Profile,
    Question, Source, Steps, Tool, Turn,
};
use futures_util::FutureExt;
use futures_util::future::{BoxFuture, ready};
use rmcp::model::{self, CallToolResult, ContentBlock, ElicitationSchema};
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::desk::{Desk, options};
use crate::mcp::{Session, ask};

/// Switches something on, with consent.
struct Switch {
    definition: Definition,
    /// What the question is about; may change while it is open.
    about: watch::Receiver<u64>,
    /// How often it was done.
    done: Arc<AtomicUsize>,
}

fn told(text: impl Into<String>) -> CallToolResult {
    CallToolResult::success(vec![ContentBlock::text(text)])
}

impl Tool for Switch {
    fn definition(&self) -> &Definition {
        &self.definition
    }

    fn steps(&self) -> Option<&dyn Steps> {
        Some(self)
    }

    fn call(&self, _: CallContext) -> BoxFuture<'_, CallToolResult> {
        ready(told("nobody was asked")).boxed()
    }
}

impl Steps for Switch {
    fn step(&self, case: &Case<'_>) -> Turn {
        match case.answers.last() {
            None => Turn::Ask(Question {
                asked: Asked::Person {
                    message: format!("Switch on {}?", case.arguments["what"]),
                    form: ElicitationSchema::new(Default::default()),
                },
                tool: "switch_on".into(),
                thread: case.caller.thread.clone(),
                about: *self.about.borrow(),
                within: Duration::from_secs(300),
            }),
            Some(Answer::Accepted(_)) => {
                let done = Arc::clone(&self.done);
                Turn::Do(Plan::new(move |call| {
                    let what = call.arguments["what"].clone();
                    let times = done.fetch_add(1, Ordering::SeqCst) + 1;
                    ready(told(format!("{what} is on, {times}"))).boxed()
                }))
            }
            Some(answer) => Turn::Answer(told(format!("{answer:?}"))),
        }
    }
}

struct One(Arc<Switch>);

impl Source for One {
    fn origin(&self) -> Origin {
        Origin::System
    }

    fn offer(&mut self, _: &Directory) -> Offer {
        Offer { tools: vec![Arc::clone(&self.0) as Arc<dyn Tool>], ..Offer::default() }
    }
}

/// A desk with the tool `lights`, how often it did its work, and what its question is about.
async fn desk() -> (Desk, Arc<AtomicUsize>, watch::Sender<u64>) {
    let Value::Object(input) = json!({"type": "object"}) else { panic!("no schema") };
    let published = model::Tool::new("lights", "Switches lights on.", input);
    let (sender, about) = watch::channel(1);
    let done = Arc::new(AtomicUsize::new(0));
    let definition = Definition::new(published, Needs::present(Profile::ELICITATION));
    let source = One(Arc::new(Switch { definition, about, done: Arc::clone(&done) }));
    let config = Config::new("desk", "1.0.0");
    (Desk::with_sources(config, options(), vec![Box::new(source)]).await, done, sender)
}

fn lights(what: &str) -> Value {
    json!({"name": "lights", "arguments": {"what": what}, "_meta": {"threadId": "thread-1"}})
}

fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap()
}

#[tokio::test(start_paused = true)]
async fn a_session_is_asked_one_thing_at_a_time_and_only_consent_acts() {
    let (desk, done, _about) = desk().await;
    let session = Session::new(&desk.router, json!({"elicitation": {}})).await;
    let (_, mut first) = session.begin("tools/call", lights("hall")).await;
    let question = first.message().await.unwrap();
    assert_eq!(question["method"], "elicitation/create");
    assert_eq!(question["params"]["message"], "Switch on \"hall\"?");
    assert_eq!(question["params"]["_meta"]["toolName"], "switch_on");
    assert_eq!(question["params"]["_meta"]["threadId"], "thread-1");
    assert_eq!(question["params"]["requestedSchema"]["type"], "object");

    let (_, mut second) = session.begin("tools/call", lights("room")).await;
    // Nothing of the second comes while the first is open.
    second.is_quiet().await;
    let answer = |question: &Value, result: Value| json!({"jsonrpc": "2.0", "id": question["id"], "result": result});
    session.post(&answer(&question, json!({"action": "decline"}))).await;
    assert_eq!(text(&first.answer().await["result"]), "Declined");
    assert_eq!(done.load(Ordering::SeqCst), 0);

    let question = second.message().await.unwrap();
    session.post(&answer(&question, json!({"action": "accept", "content": {}}))).await;
    assert_eq!(text(&second.answer().await["result"]), "\"room\" is on, 1");
}

#[tokio::test(start_paused = true)]
async fn a_question_ends_with_its_call() {
    let (desk, done, _about) = desk().await;
    let session = Session::new(&desk.router, json!({"elicitation": {}})).await;
    let mut own = session.stream(None).await;
    let (id, mut stream) = session.begin("tools/call", lights("hall")).await;
    let question = stream.message().await.unwrap();
    session.cancel(id).await;
    let given_up = own.message().await.unwrap();
    assert_eq!(given_up["method"], "notifications/cancelled");
    assert_eq!(given_up["params"]["requestId"], question["id"]);
    // The next call is asked: the turn was given back.
    let (_, mut next) = session.begin("tools/call", lights("room")).await;
    assert_eq!(next.message().await.unwrap()["method"], "elicitation/create");
    assert_eq!(done.load(Ordering::SeqCst), 0);
}

async fn call(desk: &Desk, more: Value) -> Value {
    let mut params = lights("hall");
    for (name, value) in more.as_object().unwrap() {
        params[name] = value.clone();
    }
    ask(&desk.router, "tools/call", params, &json!({"elicitation": {}})).await["result"].clone()
}

#[tokio::test]
async fn consent_that_comes_twice_acts_once() {
    let (desk, done, about) = desk().await;
    let asked = call(&desk, json!({})).await;
    assert_eq!(asked["resultType"], "input_required", "{asked}");
    assert_eq!(asked["inputRequests"]["question"]["method"], "elicitation/create");
    let consent = |asked: &Value| {
        json!({"requestState": asked["requestState"],
               "inputResponses": {"question": {"action": "accept", "content": {}}}})
    };
    let (one, other) = tokio::join!(call(&desk, consent(&asked)), call(&desk, consent(&asked)));
    assert_eq!(text(&one), "\"hall\" is on, 1");
    assert_eq!(one, other);
    assert_eq!(done.load(Ordering::SeqCst), 1);

    // What it is about changes between question and answer: asked anew, nothing done.
    let asked = call(&desk, json!({})).await;
    about.send_replace(2);
    let anew = call(&desk, consent(&asked)).await;
    assert_eq!(anew["resultType"], "input_required", "{anew}");
    assert_eq!(done.load(Ordering::SeqCst), 1);
    assert_eq!(text(&call(&desk, consent(&anew)).await), "\"hall\" is on, 2");

    let declined = call(&desk, json!({})).await;
    let no = json!({"requestState": declined["requestState"],
                    "inputResponses": {"question": {"action": "cancel"}}});
    assert_eq!(text(&call(&desk, no).await), "Dismissed");
    let silent = call(&desk, json!({})).await;
    let nothing = json!({"requestState": silent["requestState"]});
    assert!(text(&call(&desk, nothing).await).contains("sent no answer"));
}
