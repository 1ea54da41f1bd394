//! Definitions in files and folders: read, and read again as they change.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[allow(dead_code)]
mod desk;

use desk::{Desk, app, apps, codes, follow, names, next, path, write};
use serde_json::json;

#[tokio::test]
async fn a_file_and_a_folder_are_read_before_anything_is_served() {
    let desk = Desk::start(|config, folder| {
        std::fs::create_dir(folder.join("apps")).unwrap();
        write(folder, "apps/2.json", &apps(&["b", "a"]));
        write(folder, "apps/1.jsonc", &apps(&["a"]));
        std::fs::write(folder.join("apps/.hidden.json"), apps(&["hidden"]).to_string()).unwrap();
        std::fs::write(folder.join("apps/readme.md"), "no definitions").unwrap();
        write(folder, "one.json", &app("one"));
        config.sources = vec![path("apps"), path("one.json")];
    })
    .await;
    assert_eq!(desk.names(), ["a", "b", "one"]);
    assert_eq!(desk.codes(), ["app.duplicate"]);
}

#[tokio::test]
async fn files_of_a_folder_come_change_and_go() {
    let desk = Desk::start(|config, folder| {
        std::fs::create_dir(folder.join("apps")).unwrap();
        write(folder, "apps/1.json", &apps(&["a"]));
        config.sources = vec![path("apps")];
    })
    .await;
    desk.write("apps/2.json", &apps(&["b"]));
    desk.until("the new file", |platform| names(platform) == ["a", "b"]).await;
    desk.write("apps/1.json", &apps(&["a", "c"]));
    desk.until("the changed file", |platform| names(platform) == ["a", "c", "b"]).await;
    std::fs::write(desk.path("apps/2.json"), apps(&["d"]).to_string()).unwrap();
    desk.until("the file written in place", |platform| names(platform) == ["a", "c", "d"]).await;
    std::fs::rename(desk.path("apps/2.json"), desk.path("apps/0.json")).unwrap();
    desk.until("the renamed file", |platform| names(platform) == ["d", "a", "c"]).await;
    std::fs::remove_file(desk.path("apps/1.json")).unwrap();
    desk.until("the end of the removed file", |platform| names(platform) == ["d"]).await;
}

#[tokio::test]
async fn folders_in_a_folder_are_read_and_followed() {
    let desk = Desk::start(|config, folder| {
        for inner in ["apps/desk/trading", "apps/.git", "apps/node_modules"] {
            std::fs::create_dir_all(folder.join(inner)).unwrap();
        }
        write(folder, "apps/desk/trading/1.json", &apps(&["a"]));
        write(folder, "apps/package.json", &json!({ "name": "p", "version": "1.0.0" }));
        write(folder, "apps/node_modules/1.json", &apps(&["module"]));
        write(folder, "apps/.git/1.json", &apps(&["hidden"]));
        config.sources = vec![path("apps")];
    })
    .await;
    assert_eq!((desk.names(), desk.codes()), (vec!["a".to_owned()], Vec::new()));
    desk.write("apps/desk/trading/1.json", &apps(&["a", "b"]));
    desk.until("the changed file", |platform| names(platform) == ["a", "b"]).await;
    // A folder that comes later, with what comes into it later still.
    std::fs::create_dir(desk.path("apps/later")).unwrap();
    desk.write("apps/later/1.json", &apps(&["c"]));
    desk.until("the new folder", |platform| names(platform) == ["a", "b", "c"]).await;
    desk.write("apps/later/1.json", &apps(&["d"]));
    desk.until("its changed file", |platform| names(platform) == ["a", "b", "d"]).await;
    std::fs::remove_dir_all(desk.path("apps/desk")).unwrap();
    desk.until("the end of a folder", |platform| names(platform) == ["d"]).await;
    // A file that held definitions is not taken for somebody else's.
    desk.write("apps/later/1.json", &json!({ "name": "p", "version": "1.0.0" }));
    desk.until("what is wrong with it", |platform| !codes(platform).is_empty()).await;
}

#[tokio::test]
async fn a_half_written_file_keeps_the_last_good_version_and_says_so() {
    let desk = Desk::start(|config, folder| {
        write(folder, "apps.json", &apps(&["a", "b"]));
        config.sources = vec![path("apps.json")];
    })
    .await;
    let whole = apps(&["a", "c"]).to_string();
    std::fs::write(desk.path("apps.json"), &whole[..whole.len() / 2]).unwrap();
    let stale = |code: &String| code == "file.stale";
    desk.until("the diagnostic", |platform| codes(platform).iter().any(stale)).await;
    assert_eq!(desk.names(), ["a", "b"]);
    std::fs::write(desk.path("apps.json"), &whole).unwrap();
    desk.until("the whole file", |platform| names(platform) == ["a", "c"]).await;
    assert_eq!(desk.codes(), Vec::<String>::new());
}

#[tokio::test]
async fn what_is_not_there_yet_is_read_as_soon_as_it_is() {
    let desk = Desk::start(|config, _| config.sources = vec![path("apps"), path("one.json")]).await;
    assert_eq!(desk.codes(), ["file.unreadable", "file.unreadable"]);
    desk.write("one.json", &app("one"));
    desk.until("the file", |platform| names(platform) == ["one"]).await;
    std::fs::create_dir(desk.path("apps")).unwrap();
    desk.write("apps/1.json", &apps(&["a"]));
    desk.until("the folder", |platform| names(platform) == ["a", "one"]).await;
    assert_eq!(desk.codes(), Vec::<String>::new());
}

#[cfg(unix)]
#[tokio::test]
async fn files_outside_of_the_base_folder_need_leave() {
    let outside = tempfile::tempdir().unwrap();
    write(outside.path(), "apps.json", &apps(&["outside"]));
    let file = outside.path().join("apps.json");
    let (source, link) = (file.clone(), file.clone());
    let desk = Desk::start(move |config, folder| {
        std::os::unix::fs::symlink(link, folder.join("link.json")).unwrap();
        config.sources = vec![deskwire_platform::Source::Path(source), path("link.json")];
    })
    .await;
    assert_eq!(desk.names(), Vec::<String>::new());
    assert_eq!(desk.codes(), ["file.not-allowed", "file.not-allowed"]);
    let allowed = outside.path().to_owned();
    let desk = desk
        .restart(move |config, _| {
            config.allow_paths = vec![allowed];
            config.sources = vec![deskwire_platform::Source::Path(file), path("link.json")];
        })
        .await;
    assert_eq!(desk.names(), ["outside"]);
}

#[tokio::test]
async fn one_bad_record_hides_no_other_and_no_intent() {
    let desk = Desk::start(|config, folder| {
        write(
            folder,
            "apps.json",
            &json!([
                { "name": "good", "type": "window", "details": { "url": "http://localhost/" },
                  "intents": [{ "name": "View", "contexts": ["X"] }] },
                { "type": "window" },
                { "name": "odd", "type": "window", "details": { "url": "http://localhost/" },
                  "intents": [{ "contexts": 5 }, null, { "name": "View", "contexts": [1, "Y"] }] },
            ]),
        );
        config.sources = vec![path("apps.json")];
    })
    .await;
    assert_eq!(desk.names(), ["good", "odd"]);
    let client = desk.peer("client").await;
    let told = desk::ask(&client, "T42.ACS.GetApplications", json!({ "withIntentsInfo": true }));
    let told = told.await.unwrap();
    for app in told["applications"].as_array().unwrap() {
        for intent in app["intents"].as_array().unwrap() {
            assert!(intent["name"].is_string(), "{intent}");
            let contexts = intent["contexts"].as_array().unwrap();
            assert!(contexts.iter().all(serde_json::Value::is_string), "{intent}");
        }
    }
}

#[tokio::test]
async fn subscribers_hear_of_a_change_in_a_file() {
    let desk = Desk::start(|config, folder| {
        write(folder, "apps.json", &apps(&["a", "b"]));
        config.sources = vec![path("apps.json")];
    })
    .await;
    let client = desk.peer("client").await;
    let mut acs = follow(&client, "T42.ACS.OnEvent", json!({ "skipIcon": true })).await;
    let mut added = follow(&client, "apps.event", json!({ "event": "applications-added" })).await;
    let mut gone = follow(&client, "apps.event", json!({ "event": "applications-removed" })).await;
    let mut moved = follow(&client, "apps.event", json!({ "event": "applications-updated" })).await;
    let first = next(&mut acs).await;
    assert_eq!(first["isSnapshot"], true);
    assert_eq!(first["OnApplicationAdded"].as_array().unwrap().len(), 2);

    let mut b = app("b");
    b["title"] = json!("B");
    desk.write("apps.json", &json!([b, app("c")]));
    let event = next(&mut acs).await;
    assert_eq!(event["OnApplicationAdded"][0]["Name"], "c");
    assert_eq!(event["OnApplicationChanged"][0]["Title"], "B");
    assert_eq!(event["OnApplicationRemoved"][0]["Name"], "a");
    assert_eq!(event.get("isSnapshot"), None);
    assert_eq!(next(&mut added).await["data"][0]["app"]["name"], "c");
    assert_eq!(next(&mut gone).await["data"][0]["appName"], "a");
    assert_eq!(next(&mut moved).await["data"][0]["changes"], json!({ "title": "B" }));
}
