//! Raising intents.

use std::time::Duration;

use deskwire_connect::services::intents::{
    HandlerFilter, IntentTarget, Prefer, Question, Raise, RaiseError, Resolution, Resolver,
    ResolverError, WhenSeveral,
};
use deskwire_connect::wire::Payload;
use deskwire_connect::{Call, CallFailure};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde_json::{Value, json};
use std::sync::Arc;
use tokio::time::{Instant, timeout};

use crate::desk::{Desk, Platform, idle, listens, silent, within};

fn show() -> Raise {
    Raise::new("Show", json!({"type": "instrument", "data": {"id": "X"}}).into())
}

/// Chooses the handler of this application.
struct Chooses(&'static str);

impl Resolver for Chooses {
    fn resolve(&self, question: Question) -> BoxFuture<'_, Result<Resolution, ResolverError>> {
        let chosen = question.handlers.iter().position(|it| it.application == self.0);
        async move { Ok(chosen.map_or(Resolution::Cancelled, Resolution::Handler)) }.boxed()
    }
}

fn asks(application: &'static str) -> Raise {
    Raise { when_several: WhenSeveral::Ask(Arc::new(Chooses(application))), ..show() }
}

#[tokio::test(start_paused = true)]
async fn the_result_comes_whichever_way_the_handler_was_chosen() {
    let desk = Desk::new();
    let (one, two) = (desk.peer("one").await, desk.peer("two").await);
    let _one = listens(&one, "Show", json!({"result": "one"})).await;
    let client = desk.peer("caller").await;
    let result = |raise| async {
        let raised = within(client.intents().raise(raise)).await.unwrap();
        raised.result.value()["result"].clone()
    };
    assert_eq!(result(asks("nobody is asked about one")).await, "one");
    let two = listens(&two, "Show", json!({"result": "ok"})).await;
    assert_eq!(result(asks("two")).await, "ok");
    assert_eq!(result(show()).await, "one");
    let target = IntentTarget::Application("two".into());
    assert_eq!(result(Raise { target, ..show() }).await, "ok");
    assert_eq!(two.calls(), 2);

    let cancelled = client.intents().raise(asks("neither")).await.unwrap_err();
    assert_eq!(cancelled, RaiseError::UserCancelledResolution { intent: "Show".into() });
    let refused = Raise { when_several: WhenSeveral::Refuse, ..show() };
    let refused = client.intents().raise(refused).await.unwrap_err();
    assert!(matches!(refused, RaiseError::ResolverUnavailable { handlers: 2, .. }), "{refused}");
}

#[tokio::test(start_paused = true)]
async fn an_application_that_stays_silent_is_given_up_in_time_and_never_called() {
    let desk = Desk::new();
    let apps = json!([{"name": "chart", "intents": [{"name": "Show"}]}]);
    let _platform = Platform::new(&desk, apps, idle).await;
    let client = desk.peer("caller").await;
    let began = Instant::now();
    let mut raising = Box::pin(client.intents().raise(show()));
    assert!(timeout(Duration::from_millis(14_900), &mut raising).await.is_err());
    let error = raising.await.unwrap_err();
    let took = began.elapsed();
    assert!(matches!(error, RaiseError::IntentDeliveryFailed { .. }), "{error}");
    assert!(took >= Duration::from_secs(15) && took < Duration::from_millis(15_100), "{took:?}");

    let late = desk.instance("chart", "chart-1").await;
    let listening = listens(&late, "Show", json!({})).await;
    let target = IntentTarget::Instance("chart-1".into());
    within(client.intents().raise(Raise { target, ..show() })).await.unwrap();
    assert_eq!(listening.calls(), 1, "the first one came as well");
}

/// A program that handles `Show` a moment after it has joined the bus.
fn late(desk: Desk, name: String, id: String) -> BoxFuture<'static, ()> {
    async move {
        let client = desk.instance(&name, &id).await;
        tokio::time::sleep(Duration::from_millis(700)).await;
        let _listening = listens(&client, "Show", json!({"by": id})).await;
        std::future::pending::<()>().await;
    }
    .boxed()
}

#[tokio::test(start_paused = true)]
async fn an_application_is_started_for_an_intent() {
    let desk = Desk::new();
    let apps =
        json!([{"name": "chart", "intents": [{"name": "Show", "contexts": ["Instrument"]}]}]);
    let platform = Platform::new(&desk, apps, late).await;
    let client = desk.peer("caller").await;
    let raised = within(client.intents().raise(show())).await.unwrap();
    assert_eq!(*raised.result.value(), json!({"by": "chart-1"}));
    assert_eq!(raised.handler.instance(), Some("chart-1"));
    let asked = json!({"Name": "chart", "options": {"startedByIntentAPI": true}});
    assert_eq!(platform.started.borrow()[..], [asked]);

    // It runs now, and is taken, unless new ones are preferred.
    let by = |raise| async {
        within(client.intents().raise(raise)).await.unwrap().result.value()["by"].clone()
    };
    assert_eq!(by(show()).await, "chart-1");
    assert_eq!(by(Raise { prefer: Prefer::Applications, ..show() }).await, "chart-2");
    assert_eq!(by(Raise { target: IntentTarget::Reuse, ..show() }).await, "chart-1");
    assert_eq!(by(Raise { target: IntentTarget::StartNew, ..show() }).await, "chart-3");
}

#[tokio::test(start_paused = true)]
async fn an_application_that_fails_is_not_waited_for() {
    let desk = Desk::new();
    let apps = json!([{"name": "chart", "intents": [{"name": "Show"}]}]);
    let platform = Platform::new(&desk, apps, silent).await;
    let client = desk.peer("caller").await;
    let began = Instant::now();
    let ending = async {
        let mut changes = client.directory_changes();
        let on_bus = || client.directory().servers().any(|it| it.instance() == "chart-1");
        while !on_bus() {
            within(changes.changed()).await.unwrap();
        }
        platform.tells(json!({"OnApplicationStopped": [{"Id": "chart-1", "Name": "chart"}]})).await;
    };
    let (raised, ()) = tokio::join!(client.intents().raise(show()), ending);
    let error = raised.unwrap_err();
    assert!(matches!(error, RaiseError::AppLaunchFailed { .. }), "{error}");
    assert!(began.elapsed() < Duration::from_secs(1));
}

#[tokio::test(start_paused = true)]
async fn a_handler_that_returns_nothing_has_succeeded() {
    let desk = Desk::new();
    let (app, client) = (desk.peer("app").await, desk.peer("caller").await);
    let _listening = listens(&app, "Show", Value::Null).await;
    let raised = within(client.intents().raise(show())).await.unwrap();
    assert_eq!(*raised.result.value(), json!({}));
}

#[tokio::test(start_paused = true)]
async fn a_handler_that_dies_ends_the_call_at_once_and_comes_back_once() {
    let desk = Desk::new();
    let client = desk.peer("caller").await;
    let app = desk.instance("app", "app-1").await;
    let (begun, mut has_begun) = tokio::sync::mpsc::channel(1);
    let hangs = move |_: Call| {
        let begun = begun.clone();
        async move {
            begun.send(()).await.unwrap();
            std::future::pending::<Result<Payload, CallFailure>>().await
        }
    };
    let listener = deskwire_connect::services::intents::IntentListener::new("Show");
    app.intents().register(listener, hangs).await.unwrap().keep();
    let began = Instant::now();
    let dies = async {
        within(has_begun.recv()).await.unwrap();
        app.close().await;
    };
    let (raised, ()) = tokio::join!(client.intents().raise(show()), dies);
    let error = raised.unwrap_err();
    assert!(matches!(error, RaiseError::TargetInstanceUnavailable { .. }), "{error}");
    assert!(began.elapsed() < Duration::from_secs(1));

    let app = desk.instance("app", "app-1").await;
    let listening = listens(&app, "Show", json!({})).await;
    let found = client.intents().find(&HandlerFilter::of("Show")).await.unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].handlers.len(), 1);
    within(client.intents().raise(show())).await.unwrap();
    assert_eq!(listening.calls(), 1);
    listening.registration.unregister().await.unwrap();
    let error = within(client.intents().raise(show())).await.unwrap_err();
    assert!(matches!(error, RaiseError::NoAppsFound { .. }), "{error}");
}

#[tokio::test(start_paused = true)]
async fn refusals_and_slow_answers_are_told_from_failures_of_the_way() {
    let desk = Desk::new();
    let (app, client) = (desk.peer("app").await, desk.peer("caller").await);
    let refuses = |_: Call| async { Err::<Payload, _>(CallFailure::new("not today")) };
    let waits = |_: Call| std::future::pending::<Result<Payload, CallFailure>>();
    let listener = deskwire_connect::services::intents::IntentListener::new;
    let _refuses = app.intents().register(listener("Refuse"), refuses).await.unwrap();
    let _waits = app.intents().register(listener("Wait"), waits).await.unwrap();
    let raise = |intent: &str| client.intents().raise(Raise { intent: intent.into(), ..show() });
    assert_eq!(raise("Refuse").await.unwrap_err().to_string(), "IntentHandlerRejected: not today");
    let error = raise("Wait").await.unwrap_err();
    assert!(matches!(error, RaiseError::ApiTimeout { .. }), "{error}");
}
