//! What clients ask of the platform, by hand: what they get, and what is refused.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[allow(dead_code)]
mod desk;

use std::time::Duration;

use desk::{Desk, app, apps, ask, command, follow, next, path, write};
use deskwire_catalog::AllowedNames;
use deskwire_connect::wire::{Method, Payload};
use deskwire_connect::{Call, CallFailure};
use serde_json::{Value, json};
use tokio::sync::mpsc;

#[tokio::test]
async fn applications_are_registered_at_run_time_by_both_interfaces() {
    let desk = Desk::start(|config, folder| {
        write(folder, "apps.json", &apps(&["file"]));
        config.sources = vec![path("apps.json")];
        config.app_stores = vec![AllowedNames::new(["mcp-app.*"]).unwrap()];
    })
    .await;
    let client = desk.peer("client").await;
    let memory = |name: &str, args: Value| {
        ask(&client, "T42.ACS.InMemoryStoreCommand", json!({ "command": name, "args": args }))
    };
    let imported =
        memory("import", json!({ "apps": [app("mcp-app.a"), app("other")] })).await.unwrap();
    assert_eq!(imported["imported"], json!(["mcp-app.a"]));
    assert_eq!(imported["errors"][0]["app"], "other");
    let reason = imported["errors"][0]["error"].as_str().unwrap();
    assert!(reason.contains("`appStores`"), "{reason}");
    assert_eq!(memory("export", json!({})).await.unwrap(), json!({ "apps": [app("mcp-app.a")] }));

    let apps = |name: &str, args: Value| {
        ask(&client, "apps.command", json!({ "command": name, "args": args }))
    };
    let imported = apps("in-memory-import", json!({ "apps": [app("mcp-app.b")], "mode": "merge" }));
    assert_eq!(imported.await.unwrap()["imported"], json!(["mcp-app.b"]));
    let has = apps("in-memory-has", json!({ "name": "mcp-app.a" })).await.unwrap();
    assert_eq!(has, json!({ "result": true }));
    let only = apps("get-apps", json!({ "filter": { "isInMemory": true } })).await.unwrap();
    assert_eq!(only["apps"].as_array().unwrap().len(), 2);
    let one = apps("get-app", json!({ "name": "file", "includeDefinition": true })).await.unwrap();
    assert_eq!(one["definition"]["details"]["url"], "http://localhost/");
    assert_eq!(apps("get-app", json!({ "name": "nobody" })).await.unwrap(), json!({}));
    assert_eq!(memory("remove", json!({ "apps": ["mcp-app.a"] })).await.unwrap(), json!({}));
    assert_eq!(apps("in-memory-clear", json!({})).await.unwrap(), json!({}));
    assert_eq!(desk.names(), ["file"]);
    for (name, args, words) in [
        ("in-memory-remove", json!({ "name": "x" }), "no in-memory application"),
        ("in-memory-import", json!({ "apps": {} }), "`apps` must be an array"),
        ("in-memory-import", json!({ "apps": [], "mode": "x" }), "`replace` or `merge`"),
        ("get-app", json!({}), "`name` must be a text"),
        ("start-app", json!({ "name": "file" }), "no desk is open"),
        ("start-app", json!({ "name": "nobody" }), "application not found"),
        ("stop-app", json!({ "id": "i" }), "no running instance `i`"),
        ("fly", json!({}), "no command `fly`"),
    ] {
        let error = apps(name, args).await.unwrap_err();
        assert!(error.contains(words), "{name}: {error}");
    }
}

#[tokio::test]
async fn layouts_live_in_the_store_and_on_top_of_files() {
    let of_file = |title: &str| json!([{ "name": "Start", "type": "Global", "components": [], "metadata": { "title": title } }]);
    let configure = move |config: &mut deskwire_platform::Config, folder: &std::path::Path| {
        write(folder, "layouts.json", &of_file("file"));
        config.sources = vec![path("layouts.json")];
    };
    let desk = Desk::start(configure).await;
    let client = desk.peer("client").await;
    let mut events = follow(&client, "T42.ACS.OnLayoutEvent", json!({})).await;
    let first = next(&mut events).await;
    assert_eq!(first["IsSnapshot"], true);
    assert_eq!(first["OnLayoutAdded"][0]["name"], "Start");

    let saved = json!({ "name": "Start", "type": "Global", "metadata": { "title": "mine" }, "token": "t1" });
    command(&client, "SaveLayout", saved).await.unwrap();
    let event = next(&mut events).await;
    assert_eq!(
        (&event["Token"], &event["OnLayoutChanged"][0]["metadata"]["title"]),
        (&json!("t1"), &json!("mine"))
    );
    let import = json!({ "mode": "merge", "token": "t2", "layouts": [
        { "name": "Two", "type": "Global", "components": [] }, { "name": "Bad" },
    ]});
    let imported = command(&client, "ImportLayouts", import).await.unwrap();
    assert_eq!(
        (&imported["status"], &imported["failed"][0]["name"]),
        (&json!("PartialSuccess"), &json!("Bad"))
    );
    assert_eq!(next(&mut events).await["OnLayoutAdded"][0]["name"], "Two");
    let rename = json!({ "type": "Global", "oldName": "Two", "newName": "Three", "token": "t3" });
    command(&client, "RenameLayout", rename).await.unwrap();
    let event = next(&mut events).await;
    assert_eq!(
        event["OnLayoutRenamed"],
        json!([{ "Type": "Global", "OldName": "Two", "NewName": "Three" }])
    );
    assert_eq!(event.get("OnLayoutAdded"), None);
    command(&client, "SelectDefaultLayout", json!({ "name": "Three" })).await.unwrap();
    assert_eq!(next(&mut events).await["OnLayoutSelectedDefault"][0]["name"], "Three");

    let desk = desk.restart(configure).await;
    let client = desk.peer("client").await;
    let exported = command(&client, "ExportLayouts", json!({})).await.unwrap();
    let names: Vec<_> =
        exported["Layouts"].as_array().unwrap().iter().map(|one| &one["name"]).collect();
    assert_eq!(names, [&json!("Start"), &json!("Three")]);
    let current = command(&client, "GetCurrentLayout", json!({})).await.unwrap();
    assert_eq!(current["layout"], json!({ "name": "Start", "type": "Global" }));
    let default = command(&client, "GetDefaultLayout", json!({})).await.unwrap();
    assert_eq!(default["name"], "Three");
    let remove =
        |name: &str| command(&client, "RemoveLayout", json!({ "type": "Global", "name": name }));
    remove("Start").await.unwrap();
    let layouts = desk.platform.catalog();
    let start = layouts.layout(&deskwire_catalog::LayoutKind::Global, "Start").unwrap();
    assert_eq!(start.metadata["title"], "file", "the file's shows again");
    let error = remove("Start").await.unwrap_err();
    assert!(error.contains("layouts.json"), "{error}");
    let error = remove("Nowhere").await.unwrap_err();
    assert!(error.contains("no layout `Nowhere`"), "{error}");
}

#[tokio::test]
async fn preferences_are_kept_merged_cleared_and_followed() {
    let desk = Desk::start(|_, _| {}).await;
    let client = desk.peer("client").await;
    let (told, mut updates) = mpsc::channel::<Value>(16);
    let update = move |call: Call| {
        let told = told.clone();
        async move {
            told.send(call.arguments.value().clone()).await.unwrap();
            Ok::<_, CallFailure>(Payload::empty_object())
        }
    };
    let method = Method { name: "T42.Prefs.Update".into(), ..Method::default() };
    let _kept = client.register(method, update).await.unwrap();
    let get = |args: Value| ask(&client, "T42.Prefs.Get", args);
    let set = |args: Value| ask(&client, "T42.Prefs.Set", args);
    assert_eq!(get(json!({ "app": "a" })).await.unwrap(), json!({ "app": "a", "data": {} }));
    get(json!({ "app": "a", "subscribe": true })).await.unwrap();
    let mut update = async || {
        let update = tokio::time::timeout(Duration::from_secs(20), updates.recv());
        update.await.unwrap().unwrap()["data"].clone()
    };
    assert_eq!(update().await, json!({}), "first what there is");
    set(json!({ "app": "a", "data": { "x": 1, "y": { "z": 1 } }, "merge": false })).await.unwrap();
    assert_eq!(update().await, json!({ "x": 1, "y": { "z": 1 } }));
    set(json!({ "app": "a", "data": { "y": 2 }, "merge": true })).await.unwrap();
    assert_eq!(update().await, json!({ "x": 1, "y": 2 }));
    set(json!({ "app": "b", "data": { "b": true } })).await.unwrap();
    let all = get(json!({})).await.unwrap();
    let of = |one: &Value| one["app"].as_str().unwrap().to_owned();
    assert_eq!(all["all"].as_array().unwrap().iter().map(of).collect::<Vec<_>>(), ["a", "b"]);
    set(json!({ "app": "a", "clear": true })).await.unwrap();
    assert_eq!(update().await, json!({}));

    let desk = desk.restart(|config, _| config.limits.preference_bytes = 100).await;
    let client = desk.peer("client").await;
    let kept = ask(&client, "T42.Prefs.Get", json!({ "app": "b" })).await.unwrap();
    assert_eq!(kept["data"], json!({ "b": true }));
    assert!(kept["lastUpdate"].as_str().unwrap().starts_with("#T42_DATE#"), "{kept}");
    for (arguments, words) in [
        (json!({ "app": "b", "data": { "x": "y".repeat(100) } }), "at most 100"),
        (json!({ "app": "b", "data": [] }), "`data` must be an object"),
        (json!({ "app": "Deskwire.Theme", "data": {} }), "belongs to the platform"),
    ] {
        let error = ask(&client, "T42.Prefs.Set", arguments).await.unwrap_err();
        assert!(error.contains(words), "{error}");
    }
}

#[tokio::test]
async fn there_are_channels_to_be_on() {
    let desk = Desk::start(|_, _| {}).await;
    let client = desk.peer("client").await;
    let announce = |args: Value| ask(&client, "T42.Channels.Announce", args);
    let channels = || {
        let all = client.contexts().all();
        all.iter()
            .filter_map(|name| name.strip_prefix("___channel___").map(str::to_owned))
            .collect::<Vec<_>>()
    };
    assert_eq!(channels(), ["Blue", "Green", "Orange", "Purple", "Red", "Yellow"]);
    let red = client.contexts().get("___channel___Red").await.unwrap().unwrap();
    let red = red.to_payload();
    assert_eq!((&red.value()["name"], &red.value()["data"]), (&json!("Red"), &json!({})));
    assert!(red.value()["meta"]["color"].as_str().unwrap().starts_with('#'));

    assert_eq!(
        announce(json!({ "command": "getChannelsMode" })).await.unwrap(),
        json!({ "mode": "single" })
    );
    let told = announce(json!({ "swId": "w1", "instance": "w1" })).await.unwrap();
    assert_eq!(told, json!({ "restrictions": { "channels": [] } }));
    let restrict =
        json!({ "command": "restrict", "swId": "w1", "data": { "name": "Red", "write": false } });
    announce(restrict).await.unwrap();
    let told = announce(json!({ "command": "getRestrictions", "swId": "w1" })).await.unwrap();
    assert_eq!(
        told["channels"],
        json!([{ "name": "Red", "read": true, "write": false, "windowId": "w1" }])
    );
    let add = json!({ "command": "addChannel", "data": { "id": "Black", "color": "black" } });
    announce(add.clone()).await.unwrap();
    assert!(channels().contains(&"Black".to_owned()));
    assert!(announce(add).await.unwrap_err().contains("Channel with name 'Black' already exists."));
    announce(json!({ "command": "removeChannel", "data": { "id": "Black" } })).await.unwrap();
    let error = announce(
        json!({ "command": "switchChannel", "swId": "w1", "data": { "newChannel": "Black" } }),
    );
    assert!(error.await.unwrap_err().contains("no channel `Black`"));
}

#[tokio::test]
async fn what_this_desktop_does_not_have_is_said_at_once() {
    let desk = Desk::start(|_, _| {}).await;
    let client = desk.peer("client").await;
    for (method, arguments) in [
        ("T42.ACS.Shutdown", json!({})),
        ("T42.ACS.Restart", json!({})),
        ("T42.ACS.Feedback", json!({})),
        ("T42.ACS.SetCurrentBranch", json!({ "Branch": "x" })),
        ("T42.ACS.GetFunctionalEntitlement", json!({ "Function": "x" })),
        ("T42.GD.Execute", json!({ "command": "get-cookies" })),
        ("T42.GD.Interception.Execute", json!({ "command": "register", "interceptions": [] })),
        ("T42.Displays.Command", json!({ "command": "capture", "options": {} })),
        ("T42.Hotkeys.Command", json!({ "command": "register", "hotkey": "alt+c" })),
        ("T42.GNS.Publish.RaiseNotification", json!({ "notification": {} })),
        ("T42.Notifications.Execute", json!({ "command": "click" })),
    ] {
        let error = ask(&client, method, arguments).await.unwrap_err();
        assert!(!error.contains("no server"), "{method}: {error}");
    }
    for (method, arguments, answer) in [
        ("T42.Otel.GetConfig", json!({}), json!({ "enabled": false })),
        ("T42.GD.Execute", json!({ "command": "announce-instance-ready" }), json!({})),
        ("T42.GD.Interception.Execute", json!({ "command": "interceptRaise" }), json!({})),
        ("T42.Displays.Command", json!({ "command": "getAll" }), json!({ "data": [] })),
        ("T42.ACS.CanI", json!({ "Function": "x" }), json!({ "Result": true })),
        ("T42.Notifications.Execute", json!({ "command": "list" }), json!({ "notifications": [] })),
    ] {
        assert_eq!(ask(&client, method, arguments).await.unwrap(), answer, "{method}");
    }
    assert_eq!(ask(&client, "T42.ACS.GetUser", json!({})).await.unwrap()["LoginName"], "person");
}

#[tokio::test]
async fn the_chosen_theme_is_kept() {
    let desk = Desk::start(|_, _| {}).await;
    let client = desk.peer("client").await;
    let named = ask(&client, "T42.Themes.Configuration", json!({})).await.unwrap();
    let selected = async |client: &deskwire_connect::Client| {
        let all = ask(client, named["getThemesMethodName"].as_str().unwrap(), json!({})).await;
        all.unwrap()["selected"].clone()
    };
    assert_eq!(selected(&client).await, "light");
    let set = named["setThemesMethodName"].as_str().unwrap();
    ask(&client, set, json!({ "theme": "dark" })).await.unwrap();
    assert!(ask(&client, set, json!({ "theme": "pink" })).await.is_err());
    let desk = desk.restart(|_, _| {}).await;
    let client = desk.peer("client").await;
    assert_eq!(selected(&client).await, "dark");
    let shown = client.contexts().get("T42.Themes").await.unwrap().unwrap();
    assert_eq!(shown.to_payload().value()["selected"], "dark");
}
