//! Programs as real processes: started, told, stopped, and gone.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, dead_code)]

mod running;

use std::time::Duration;

use deskwire_platform::instances::{Exit, InstanceState, StartError};
use running::{Desk, ask, exe, group, is_alive, story, until};
use serde_json::{Value, json};

#[tokio::test]
async fn a_program_is_told_who_it_is_and_nothing_of_others() {
    let apps = json!([
        { "name": "one", "type": "exe", "details": {
            "path": "bin", "command": "tell.sh", "parameters": "one 'two words'",
            "env": { "OWN": "%HOME%/data" } } },
        exe("two", "bin/tell.sh"),
    ]);
    let desk = Desk::start(apps).await;
    std::fs::create_dir(desk.path("bin")).unwrap();
    let tell = r#"
      out="$(dirname "$0")/../told-$#"
      { printf '%s\n' "$_GD_STARTING_CONTEXT_"; pwd; printf '[%s]' "$@"; echo; env; echo end; } > "$out"
      exec sleep 1000"#;
    desk.script("bin/tell.sh", tell);
    let one = desk.launch("one").await.unwrap();
    let two = desk.launch("two").await.unwrap();

    let told = desk.read("told-2").await;
    let lines: Vec<_> = told.lines().collect();
    let context: Value = serde_json::from_str(lines[0]).unwrap();
    assert_eq!(context["gwURL"], "ws://localhost:1/gw");
    assert_eq!(context["instanceId"], one.id.as_str());
    assert_eq!((&context["env"], &context["region"]), (&json!("TEST"), &json!("HERE")));
    assert_eq!(context["applicationConfig"], json!({ "name": "one" }));
    let folder = desk.path("bin").canonicalize().unwrap();
    assert_eq!(lines[1], folder.to_str().unwrap(), "it works in its folder");
    assert_eq!(lines[2], "[one][two words]");
    let own = format!("OWN={}/data", std::env::var("HOME").unwrap());
    assert!(lines.contains(&own.as_str()), "{told}");

    let other = desk.read("told-0").await;
    let token = context["gwToken"].as_str().unwrap();
    assert!(token.len() > 20 && !other.contains(token), "nobody has another's token");
    assert!(!other.contains("OWN="), "nor its variables");
    desk.stop(&one).await;
    desk.stop(&two).await;
    desk.platform.stop().await;
}

#[tokio::test]
async fn a_peer_with_the_token_makes_its_instance_ready_and_leaves_with_it() {
    let desk = Desk::start(json!([exe("app", "app.sh")])).await;
    desk.script(
        "app.sh",
        r#"{ printf '%s\n' "$_GD_STARTING_CONTEXT_"; echo end; } > context; exec sleep 1000"#,
    );
    let mut news = desk.platform.instances().events();
    let starting = desk.launch_with("app", json!({ "awaitInterop": true }));
    let (started, peer) = tokio::join!(starting, async {
        let context = desk.starting_context("context").await;
        desk.peer_of(&context).await
    });
    let instance = started.unwrap();
    let ready = desk.platform.instances().wait_ready(instance.id.as_str(), running::PATIENCE).await;
    let ready = ready.unwrap();
    assert_eq!(ready.state, InstanceState::Ready);
    let seen: Vec<_> =
        ready.peers.iter().map(|peer| (peer.application(), peer.instance())).collect();
    assert_eq!(seen, [(Some("app"), Some(instance.id.as_str()))]);

    desk.stop(&instance).await;
    until("its peer to be cut off", || {
        (!matches!(*peer.status().borrow(), deskwire_connect::Status::Ready { .. })).then_some(())
    })
    .await;
    let story = story(&mut news, "app").await;
    assert_eq!((story[0], story[1], story.last()), ("started", "ready", Some(&"stopped")));
    desk.platform.stop().await;
}

#[tokio::test]
async fn stopping_asks_first_and_kills_what_does_not_listen_with_its_children() {
    let apps =
        json!([exe("polite", "polite.sh"), exe("deaf", "deaf.sh"), exe("loose", "loose.sh")]);
    let desk = Desk::configured(apps, |config| config.stop_timeout = Duration::from_millis(500));
    let desk = desk.await;
    desk.script("polite.sh", r#"trap 'echo end > bye; exit 0' TERM; while :; do sleep 0.05; done"#);
    desk.script("deaf.sh", r#"trap '' TERM; sh -c 'trap "" TERM; while :; do sleep 0.05; done' & echo end > deaf; while :; do sleep 0.05; done"#);
    // Its first process ends when it is asked to; what it has started does not.
    desk.script(
        "loose.sh",
        r#"sh -c 'trap "" TERM; echo end > loose; while :; do sleep 0.05; done' & wait"#,
    );
    let (polite, deaf, loose) =
        tokio::join!(desk.launch("polite"), desk.launch("deaf"), desk.launch("loose"));
    desk.read("deaf").await;
    desk.read("loose").await;

    let polite = polite.unwrap();
    desk.stop(&polite).await;
    assert_eq!(desk.read("bye").await, "", "it was asked");
    for instance in [polite, deaf.unwrap(), loose.unwrap()] {
        let pid = instance.process().unwrap();
        desk.stop(&instance).await;
        until("the group to be gone", || group(pid).is_empty().then_some(())).await;
        let ended = desk.platform.instances().get(instance.id.as_str()).unwrap();
        assert!(matches!(ended.state, InstanceState::Stopped { .. }), "{:?}", ended.state);
    }
    desk.platform.stop().await;
}

#[tokio::test]
async fn what_cannot_be_started_is_told_by_name() {
    let node = |path: &str| json!({ "name": path, "type": "node", "details": { "path": path } });
    let apps = json!([
        exe("absent", "bin/absent"), exe("unknown", "no-such-program-anywhere"),
        exe("outside", "/bin/true"), exe("above", "../../bin/true"), exe("link", "link"),
        exe("broken", "broken.sh"), exe("outcast", "broken.sh"), node("absent.js"),
        { "name": "empty", "type": "exe", "details": {} },
        { "name": "variable", "type": "exe", "details": { "command": "%NOWHERE_TO_BE_FOUND%/x" } },
        { "name": "quote", "type": "exe", "details": { "command": "sh", "parameters": "-c 'oops" } },
        { "name": "off", "type": "exe", "disabled": true, "details": { "command": "sh" } },
        { "name": "page", "type": "window", "details": { "url": "http://localhost/" } },
        { "name": "excel", "type": "citrix", "details": {} },
    ]);
    let desk = Desk::start(apps).await;
    desk.script(
        "broken.sh",
        "echo starting; echo 'config error: no port' >&2; echo 'stack' >&2; exit 3",
    );
    std::os::unix::fs::symlink("/bin/true", desk.path("link")).unwrap();
    let mut errors = Vec::new();
    for name in [
        "nobody",
        "absent",
        "unknown",
        "outside",
        "above",
        "link",
        "broken",
        "outcast",
        "absent.js",
        "empty",
        "variable",
        "quote",
        "off",
        "page",
        "excel",
    ] {
        let error = desk.launch(name).await.expect_err(name);
        let text = error.to_string();
        errors.push(text.replace(desk.folder.path().to_str().unwrap(), "FOLDER"));
        match name {
            "outside" | "above" | "link" => {
                assert!(matches!(error, StartError::PathNotAllowed { .. }), "{text}");
                assert!(text.contains("allowPaths"), "{text}");
            }
            "broken" => {
                let exit = Exit::Code(3);
                let last = Some("config error: no port".to_owned());
                let application = "broken".to_owned();
                assert_eq!(error, StartError::ExitedAtOnce { application, exit, last });
            }
            _ => {}
        }
    }
    insta::assert_snapshot!(errors.join("\n"));
    assert!(desk.platform.instances().snapshot().is_empty());
    desk.platform.stop().await;
}

#[tokio::test]
async fn a_program_that_never_connects_has_failed_in_time_and_is_gone() {
    let desk = Desk::configured(json!([exe("silent", "silent.sh")]), |config| {
        config.ready_timeout = Duration::from_millis(1_500);
    });
    let desk = desk.await;
    desk.script("silent.sh", "echo 'waiting for Godot' >&2; exec sleep 1000");
    let mut news = desk.platform.instances().events();
    let instance = desk.launch_with("silent", json!({ "awaitInterop": true })).await.unwrap();
    let ready = desk.platform.instances().wait_ready(instance.id.as_str(), running::PATIENCE);
    let error = ready.await.unwrap_err();
    assert_eq!(
        error,
        StartError::NotReady {
            application: "silent".into(),
            after: Duration::from_millis(1_500),
            last: Some("waiting for Godot".into()),
        }
    );
    assert_eq!(story(&mut news, "silent").await, ["started", "updated", "failed"]);
    assert!(!is_alive(instance.process().unwrap()));

    // Where nobody asks for it to be on the bus, it is at work once it has lived for a while.
    let instance = desk.launch("silent").await.unwrap();
    let ready = desk.platform.instances().wait_ready(instance.id.as_str(), running::PATIENCE);
    assert_eq!(ready.await.unwrap().state, InstanceState::Ready);
    desk.platform.stop().await;
    assert!(!is_alive(instance.process().unwrap()), "it ends with the platform");
}

#[tokio::test]
async fn a_crash_is_told_and_takes_along_what_was_started() {
    let desk = Desk::start(json!([exe("app", "app.sh")])).await;
    desk.script("app.sh", "sleep 1000 & echo 'error: out of luck' >&2; while [ ! -e go ]; do sleep 0.05; done; kill -SEGV $$");
    let mut news = desk.platform.instances().events();
    let instance = desk.launch("app").await.unwrap();
    desk.platform.instances().wait_ready(instance.id.as_str(), running::PATIENCE).await.unwrap();
    std::fs::write(desk.path("go"), "").unwrap();
    assert_eq!(story(&mut news, "app").await, ["started", "updated", "failed"]);
    let ended = desk.platform.instances().get(instance.id.as_str()).unwrap();
    let InstanceState::Failed { reason } = &ended.state else { panic!("{:?}", ended.state) };
    assert_eq!(
        reason,
        "`app` has crashed: it was ended by signal 11; the last it said: error: out of luck"
    );
    assert_eq!(group(instance.process().unwrap()), [0_u32; 0]);
    desk.platform.stop().await;
}

#[tokio::test]
async fn fifty_starts_leave_no_process_behind() {
    let desk = Desk::start(json!([exe("app", "app.sh")])).await;
    desk.script("app.sh", "sleep 1000 & exec sleep 1000");
    let starts = (0..50).map(|_| desk.launch("app"));
    let all: Vec<_> = futures_util::future::join_all(starts).await;
    let groups: Vec<_> = all.iter().map(|one| one.as_ref().unwrap().process().unwrap()).collect();
    assert_eq!(desk.platform.instances().snapshot().len(), 50);
    // Half of them one by one, the others with the platform.
    let stops = all[..25].iter().map(|one| desk.stop(one.as_ref().unwrap()));
    futures_util::future::join_all(stops).await;
    desk.platform.stop().await;
    let left: Vec<_> = groups.into_iter().flat_map(group).collect();
    assert_eq!(left, [0_u32; 0]);
    let error = desk.launch("app").await.unwrap_err();
    assert_eq!(error, StartError::ShuttingDown { application: "app".into() });
}

#[tokio::test]
async fn clients_start_find_and_stop_programs() {
    let once = json!({ "name": "once", "type": "exe", "allowMultiple": false, "details": { "command": "app.sh" } });
    let desk = Desk::start(json!([once])).await;
    desk.script("app.sh", "exec sleep 1000");
    let client = desk.peer("client").await;
    let arguments = json!({ "Name": "once", "Context": { "a": 1 }, "Options": {} });
    let answer = ask(&client, "T42.ACS.StartApplication", arguments.clone()).await.unwrap();
    assert_eq!((&answer["Name"], &answer["waitForInterop"]), (&json!("once"), &json!(false)));
    let again = ask(&client, "T42.ACS.StartApplication", arguments).await.unwrap_err();
    assert!(again.contains("runs already"), "{again}");

    let by = json!({ "command": "getStartedBy", "Id": answer["Id"], "Name": "once" });
    let by = ask(&client, "T42.ACS.Execute", by).await.unwrap();
    assert_eq!(by["startedBy"], "application");
    assert_eq!(by["applicationName"], "client");
    let front = json!({ "Name": "once", "Id": answer["Id"] });
    let front = ask(&client, "T42.ACS.ActivateApplication", front).await.unwrap_err();
    assert!(front.contains("program of its own"), "{front}");
    let stop = json!({ "Name": "once", "Id": answer["Id"] });
    assert_eq!(ask(&client, "T42.ACS.StopApplication", stop.clone()).await, Ok(json!({})));
    assert_eq!(ask(&client, "T42.ACS.StopApplication", stop).await, Ok(json!({})), "twice is once");
    let nobody = json!({ "Name": "once", "Id": "nobody" });
    let nobody = ask(&client, "T42.ACS.StopApplication", nobody).await.unwrap_err();
    assert!(nobody.contains("no running instance `nobody`"), "{nobody}");

    // A program that was started elsewhere tells of itself.
    let own = desk.peer("once").await;
    let told = json!({ "appName": "once", "pid": 7 });
    assert_eq!(
        ask(&own, "T42.ACS.RegisterInstance", told.clone()).await,
        Ok(json!({ "registered": true }))
    );
    assert_eq!(
        ask(&client, "T42.ACS.RegisterInstance", told).await,
        Ok(json!({ "registered": false }))
    );
    let instances = desk.platform.instances().snapshot();
    assert_eq!((instances.len(), instances[0].process()), (1, Some(7)));
    let stop = json!({ "Name": "once", "Id": instances[0].id.as_str() });
    let refused = ask(&client, "T42.ACS.StopApplication", stop).await.unwrap_err();
    assert!(refused.contains("started elsewhere"), "{refused}");
    let mut news = desk.platform.instances().events();
    own.close().await;
    assert_eq!(story(&mut news, "once").await, ["stopped"]);
    desk.platform.stop().await;
}
