//! Calls, from both ends.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use deskwire_connect::wire::{Identity, Method, Payload, date_from_millis};
use deskwire_connect::{
    Call, CallFailure, Client, Credentials, InvokeError, InvokeOptions, Limits, Options,
    RegisterError, RequestError, Target,
};
use serde_json::{Value, json};
use tokio::sync::{Notify, Semaphore, mpsc};

use super::world::{eventually, payload, register, serve};
use super::{Lines, World};

fn options(target: Target) -> InvokeOptions {
    InvokeOptions {
        target,
        response_timeout: Duration::from_secs(10),
        wait_for_method: Duration::from_secs(10),
    }
}

async fn invoke(client: &Client, name: &str, arguments: Value) -> Result<Value, InvokeError> {
    let answers = client.invoke(name, payload(arguments), options(Target::Best)).await?;
    answers.first().map(|result| result.value().clone())
}

/// Invokes every server and says which answered, in order.
async fn servers(client: &Client, name: &str, target: Target) -> Vec<Value> {
    let answers = client.invoke(name, payload(json!({})), options(target)).await.unwrap();
    answers.into_iter().map(|answer| answer.result.unwrap().value()["server"].clone()).collect()
}

pub(crate) async fn a_result_comes_back(world: &World) {
    let (server, client) = (world.peer("server").await, world.peer("client").await);
    let add = |call: Call| async move {
        let arguments = call.arguments.value();
        let sum = arguments["a"].as_i64().zip(arguments["b"].as_i64()).map(|(a, b)| a + b);
        let caller = call.caller_identity.ok_or("unknown caller")?;
        let sum = sum.ok_or("a and b must be integers")?;
        Ok(payload(json!({"sum": sum, "caller": caller.application()})))
    };
    let _add = register(&server, "Demo.Add", add).await;
    let result = invoke(&client, "Demo.Add", json!({"a": 1, "b": 2})).await.unwrap();
    assert_eq!(result, json!({"sum": 3, "caller": "client"}));

    let directory = client.directory();
    let (_, method) = directory.find("Demo.Add").next().unwrap();
    let arguments = payload(json!({"a": 20, "b": 22}));
    let result = client.invoke_method(&method.key, arguments, Duration::from_secs(5)).await;
    assert_eq!(result.unwrap().value()["sum"], 42);
}

pub(crate) async fn results_are_objects(world: &World) {
    let (server, client) = (world.peer("server").await, world.peer("client").await);
    let echo = |call: Call| async move { Ok(payload(call.arguments.value()["x"].clone())) };
    let _echo = register(&server, "Echo", echo).await;
    for (returned, expected) in [
        (json!(null), json!({})),
        (json!(5), json!({"_value": 5})),
        (json!("text"), json!({"_value": "text"})),
        (json!([1, null]), json!({"_value": [1, null]})),
        (json!({"a": null}), json!({"a": null})),
    ] {
        assert_eq!(invoke(&client, "Echo", json!({"x": returned})).await.unwrap(), expected);
    }
}

pub(crate) async fn dates_arrive_as_text(world: &World) {
    let (server, client) = (world.peer("server").await, world.peer("client").await);
    let _echo = serve(&server, "Echo", "server").await;
    let at = date_from_millis(1_700_000_000_000);
    let answers = client.invoke("Echo", payload(json!({"at": at})), options(Target::Best)).await;
    let result = answers.unwrap().first().unwrap();
    assert_eq!(result.value()["at"], "#T42_DATE#1700000000000");
    assert_eq!(result.decoded()["at"], "2023-11-14T22:13:20.000Z");
}

pub(crate) async fn a_handler_error_comes_back_in_its_words(world: &World) {
    let (server, client) = (world.peer("server").await, world.peer("client").await);
    let refuse = |_: Call| async {
        let context = Some(payload(json!({"code": 7})));
        Err::<Payload, _>(CallFailure { context, ..CallFailure::new("not on a Sunday") })
    };
    let _refuse = register(&server, "Refuse", refuse).await;
    let error = invoke(&client, "Refuse", json!({})).await.unwrap_err();
    assert_eq!(
        error,
        InvokeError::Failed {
            reason_uri: "agm.errors.client_error".into(),
            reason: "not on a Sunday".into(),
            context: Some(payload(json!({"code": 7}))),
        }
    );
}

pub(crate) async fn a_panicking_handler_fails_its_call_alone(world: &World) {
    let (server, client) = (world.peer("server").await, world.peer("client").await);
    let brittle = |call: Call| async move {
        assert!(call.arguments.value()["ok"] == true, "on purpose");
        Ok(payload(json!({"fine": true})))
    };
    let _brittle = register(&server, "Brittle", brittle).await;
    let error = invoke(&client, "Brittle", json!({"ok": false})).await.unwrap_err();
    assert_eq!(error.to_string(), "the handler of `Brittle` panicked");
    let result = invoke(&client, "Brittle", json!({"ok": true})).await.unwrap();
    assert_eq!(result, json!({"fine": true}));
}

pub(crate) async fn a_peer_calls_itself(world: &World) {
    let client = world.peer("client").await;
    let _mine = serve(&client, "Mine", "client").await;
    let result = invoke(&client, "Mine", json!({"x": 1})).await.unwrap();
    assert_eq!(result, json!({"x": 1, "server": "client"}));
}

pub(crate) async fn every_target_gets_one_call(world: &World) {
    let (first, second) = (world.peer("first").await, world.peer("second").await);
    let client = world.peer("client").await;
    let _first = serve(&first, "Who", "first").await;
    let _second = serve(&second, "Who", "second").await;
    let _mine = serve(&client, "Who", "client").await;
    eventually(&mut client.directory_changes(), || {
        (client.directory().find("Who").count() == 3).then_some(())
    })
    .await;
    assert_eq!(servers(&client, "Who", Target::Best).await, ["first"]);
    assert_eq!(servers(&client, "Who", Target::All).await, ["first", "second", "client"]);
    assert_eq!(servers(&client, "Who", Target::SkipMine).await, ["first", "second"]);
    let filter = json!({"application": "second"}).as_object().unwrap().clone();
    let instance = Target::Instance(Identity::new(filter));
    assert_eq!(servers(&client, "Who", instance).await, ["second"]);
}

pub(crate) async fn an_unknown_method_is_named(world: &World) {
    let client = world.peer("client").await;
    let invoking = client.invoke("No.Such", payload(json!({})), InvokeOptions::default());
    let error = invoking.await.unwrap_err();
    assert_eq!(error, InvokeError::NoSuchMethod { name: "No.Such".into() });
}

pub(crate) async fn a_method_that_appears_is_waited_for(world: &World) {
    let (server, client) = (world.peer("server").await, world.peer("client").await);
    let invoking = invoke(&client, "Late", json!({}));
    let serving = async {
        let registration = serve(&server, "Late", "server").await;
        std::future::pending::<()>().await;
        drop(registration);
    };
    tokio::select! {
        result = invoking => assert_eq!(result.unwrap()["server"], "server"),
        () = serving => {}
    }
}

pub(crate) async fn a_silent_server_is_named_when_time_is_up(world: &World) {
    let (server, client) = (world.peer("server").await, world.peer("client").await);
    let silent = |_: Call| std::future::pending::<Result<Payload, CallFailure>>();
    let _silent = register(&server, "Silent", silent).await;
    let after = Duration::from_millis(50);
    let options = InvokeOptions { response_timeout: after, ..options(Target::Best) };
    let answers = client.invoke("Silent", payload(json!({})), options).await.unwrap();
    let server = Arc::clone(&answers.iter().next().unwrap().server);
    assert_eq!(
        answers.first().unwrap_err(),
        InvokeError::TimedOut {
            application: "server".into(),
            instance: server.instance().into(),
            after
        }
    );
}

pub(crate) async fn an_answer_nobody_waits_for_is_dropped(world: &World) {
    let (server, client) = (world.peer("server").await, world.peer("client").await);
    let (started, release) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let (start, go) = (Arc::clone(&started), Arc::clone(&release));
    let slow = move |call: Call| {
        let (start, go) = (Arc::clone(&start), Arc::clone(&go));
        async move {
            if call.arguments.value()["slow"] == true {
                start.notify_one();
                go.notified().await;
            }
            Ok(call.arguments)
        }
    };
    let _slow = register(&server, "Slow", slow).await;
    tokio::select! {
        _ = invoke(&client, "Slow", json!({"slow": true})) => panic!("it was not released"),
        () = started.notified() => {}
    }
    release.notify_one();
    // The late answer comes before this one, and disturbs nothing.
    let result = invoke(&client, "Slow", json!({"n": 2})).await.unwrap();
    assert_eq!(result, json!({"n": 2}));
}

pub(crate) async fn a_server_that_leaves_fails_its_calls_by_name(world: &World) {
    let lines = Lines::default();
    let server = world.peer_on(&lines, world.options("server")).await;
    let client = world.peer("client").await;
    let (started, mut starts) = mpsc::channel(1);
    let stuck = move |_: Call| {
        let started = started.clone();
        async move {
            started.send(()).await?;
            std::future::pending().await
        }
    };
    let _stuck = register(&server, "Stuck", stuck).await;
    let leaving = async {
        starts.recv().await.unwrap();
        lines.close();
    };
    let (error, ()) = tokio::join!(invoke(&client, "Stuck", json!({})), leaving);
    match error.unwrap_err() {
        InvokeError::ServerGone { application, instance } => {
            assert_eq!(application, "server");
            assert!(!instance.is_empty());
        }
        other => panic!("{other:?}"),
    }
}

pub(crate) async fn an_unregistered_method_is_gone(world: &World) {
    let (server, client) = (world.peer("server").await, world.peer("client").await);
    let registration = serve(&server, "Gone", "server").await;
    let dropped = serve(&server, "Dropped", "server").await;
    let kept = serve(&server, "Kept", "server").await;
    invoke(&client, "Gone", json!({})).await.unwrap();
    let key = registration.method_key().unwrap();
    registration.unregister().await.unwrap();
    drop(dropped);
    kept.keep();
    eventually(&mut client.directory_changes(), || {
        let directory = client.directory();
        let left = directory.server(&key.server)?.methods().count();
        (left == 1 && directory.find("Kept").count() == 1).then_some(())
    })
    .await;
    let called = client.invoke_method(&key, payload(json!({})), Duration::from_secs(5)).await;
    assert!(matches!(called, Err(InvokeError::NoSuchMethod { .. })), "{called:?}");
}

pub(crate) async fn handlers_run_at_once_up_to_their_bound(world: &World) {
    let limits = Limits { running_handlers: 2, waiting_invocations: 1, ..Limits::default() };
    let options = Options { limits, ..world.options("server") };
    let server = world.peer_on(&Lines::default(), options).await;
    let client = world.peer("client").await;
    let (running, gate) = (Arc::new(AtomicUsize::new(0)), Arc::new(Semaphore::new(0)));
    let (started, mut starts) = mpsc::channel(8);
    let (count, open) = (Arc::clone(&running), Arc::clone(&gate));
    let gated = move |_: Call| {
        let (count, open, started) = (Arc::clone(&count), Arc::clone(&open), started.clone());
        async move {
            let now = count.fetch_add(1, Ordering::SeqCst) + 1;
            started.send(()).await?;
            let _pass = open.acquire().await?;
            count.fetch_sub(1, Ordering::SeqCst);
            Ok(payload(json!({"at once": now})))
        }
    };
    let _gated = register(&server, "Gated", gated).await;
    let calls = async {
        let call = || invoke(&client, "Gated", json!({}));
        tokio::join!(call(), call(), call(), call())
    };
    let gatekeeper = async {
        starts.recv().await.unwrap();
        starts.recv().await.unwrap();
        gate.add_permits(9);
    };
    let ((a, b, c, d), ()) = tokio::join!(calls, gatekeeper);
    let (done, refused): (Vec<_>, Vec<_>) = [a, b, c, d].into_iter().partition(Result::is_ok);
    // With luck one has ended before the fourth came; never do more than two run.
    assert!(done.len() >= 3);
    for result in done {
        assert!(result.unwrap()["at once"].as_u64().unwrap() <= 2);
    }
    for error in refused {
        assert!(error.unwrap_err().to_string().starts_with("busy"));
    }
}

pub(crate) async fn a_definition_without_a_name_is_refused(world: &World) {
    let client = world.peer("client").await;
    let handler = |_: Call| async { Ok(payload(json!({}))) };
    let error = client.register(Method::default(), handler).await.unwrap_err();
    assert!(matches!(error, RegisterError::Definition(_)), "{error:?}");
}

pub(crate) async fn what_no_frame_can_carry_is_refused_to_its_sender_alone(world: &World) {
    let (server, client) = (world.peer("server").await, world.peer("client").await);
    let nested = |levels| (0..levels).fold(json!(0), |inner, _| json!([inner]));
    let deep = move |call: Call| async move {
        Ok(payload(json!({"deep": nested(call.arguments.value()["levels"].as_u64().unwrap())})))
    };
    let _deep = register(&server, "Deep", deep).await;
    let fine = invoke(&client, "Deep", json!({"levels": 90, "also": nested(90)})).await.unwrap();
    assert_eq!(fine["deep"], nested(90));
    let error = invoke(&client, "Deep", json!({"levels": nested(97)})).await.unwrap_err();
    assert_eq!(error, InvokeError::Request(RequestError::TooDeep { limit: 96 }));
    let error = invoke(&client, "Deep", json!({"levels": 97})).await.unwrap_err();
    assert!(error.to_string().contains("nests deeper than 96 levels"), "{error}");
    let wordy =
        |_: Call| async { Err::<Payload, _>(CallFailure::new("so it goes ".repeat(1_000_000))) };
    let _wordy = register(&server, "Wordy", wordy).await;
    let error = invoke(&client, "Wordy", json!({})).await.unwrap_err().to_string();
    assert!(error.len() < 20_000 && error.starts_with("so it goes"), "{}", error.len());
    // Neither connection was lost over it.
    invoke(&client, "Deep", json!({"levels": 1})).await.unwrap();
}

pub(crate) async fn a_token_lets_another_process_in(world: &World) {
    let client = world.peer("client").await;
    let token = client.create_token().await.unwrap();
    let credentials = Credentials::GatewayToken(token);
    let options = Options { credentials, ..world.options("launched") };
    let launched = world.peer_on(&Lines::default(), options).await;
    let _here = serve(&launched, "Here", "launched").await;
    assert_eq!(invoke(&client, "Here", json!({})).await.unwrap()["server"], "launched");
}
