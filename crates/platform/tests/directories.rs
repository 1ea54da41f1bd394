//! Definitions in application directories behind HTTP.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[allow(dead_code)]
mod desk;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use desk::{Desk, apps, codes, names};
use deskwire_platform::{RestSource, Source};
use serde_json::json;
use tokio::net::TcpListener;
use tokio::sync::watch;

/// A directory that answers as it is told to, and remembers who asked.
#[derive(Clone)]
struct Directory {
    answer: Arc<Mutex<Told>>,
    asked: watch::Sender<Vec<HeaderMap>>,
}

#[derive(Clone)]
enum Told {
    Definitions { text: String, etag: &'static str },
    Fails,
    Huge,
    Elsewhere(String),
}

impl Directory {
    /// Starts one; its address.
    async fn start(told: Told) -> (Self, String) {
        let _installed = rustls::crypto::aws_lc_rs::default_provider().install_default();
        let directory =
            Self { answer: Arc::new(Mutex::new(told)), asked: watch::Sender::new(Vec::new()) };
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/v2/apps", listener.local_addr().unwrap());
        let routes = Router::new().route("/v2/apps", get(answer)).with_state(directory.clone());
        tokio::spawn(async move { axum::serve(listener, routes).await });
        (directory, url)
    }

    fn tell(&self, told: Told) {
        *self.answer.lock().unwrap() = told;
    }

    /// Waits for one more question; its headers.
    async fn asked_again(&self) -> HeaderMap {
        let mut asked = self.asked.subscribe();
        let before = asked.borrow_and_update().len();
        let wait = asked.wait_for(|asked| asked.len() > before);
        let asked = tokio::time::timeout(Duration::from_secs(20), wait).await.unwrap().unwrap();
        asked.last().unwrap().clone()
    }
}

async fn answer(State(directory): State<Directory>, headers: HeaderMap) -> Response {
    directory.asked.send_modify(|asked| asked.push(headers.clone()));
    let told = directory.answer.lock().unwrap().clone();
    match told {
        Told::Definitions { text, etag } => {
            if headers.get(header::IF_NONE_MATCH).is_some_and(|known| known == etag) {
                return StatusCode::NOT_MODIFIED.into_response();
            }
            ([(header::ETAG, etag)], text).into_response()
        }
        Told::Fails => StatusCode::SERVICE_UNAVAILABLE.into_response(),
        Told::Huge => " ".repeat(100_000).into_response(),
        Told::Elsewhere(url) => (StatusCode::FOUND, [(header::LOCATION, url)]).into_response(),
    }
}

fn definitions(names: &[&str], etag: &'static str) -> Told {
    Told::Definitions { text: json!({ "applications": apps(names) }).to_string(), etag }
}

async fn desk_on(url: String) -> Desk {
    Desk::start(|config, _| {
        config.limits.source_bytes = 50_000;
        config.sources = vec![Source::Rest(RestSource {
            url,
            poll: Duration::from_secs(1),
            headers: vec![("X-Key".into(), "secret".into())],
        })];
    })
    .await
}

#[tokio::test]
async fn a_directory_is_asked_again_and_changes_take_effect() {
    let (directory, url) = Directory::start(definitions(&["a"], "\"1\"")).await;
    let desk = desk_on(url).await;
    desk.until("the first answer", |platform| names(platform) == ["a"]).await;
    let headers = directory.asked_again().await;
    assert_eq!(headers[header::IF_NONE_MATCH], "\"1\"");
    assert_eq!(headers["x-key"], "secret");
    directory.tell(definitions(&["a", "b"], "\"2\""));
    desk.until("the new answer", |platform| names(platform) == ["a", "b"]).await;
    assert_eq!(desk.codes(), Vec::<String>::new());
}

#[tokio::test]
async fn a_directory_that_fails_keeps_the_last_good_answer_and_is_tried_again() {
    let (directory, url) = Directory::start(definitions(&["a"], "\"1\"")).await;
    let desk = desk_on(url).await;
    desk.until("the first answer", |platform| names(platform) == ["a"]).await;
    let broken = Told::Definitions { text: "<html>Sign in</html>".into(), etag: "\"3\"" };
    let (other, elsewhere) = Directory::start(definitions(&["evil"], "\"1\"")).await;
    for told in [Told::Fails, Told::Huge, broken, Told::Elsewhere(elsewhere)] {
        directory.tell(told);
        desk.until("the diagnostic", |platform| codes(platform) == ["file.stale"]).await;
        directory.asked_again().await;
        assert_eq!(desk.names(), ["a"]);
        directory.tell(definitions(&["a"], "\"1\""));
        desk.until("the end of the failure", |platform| codes(platform).is_empty()).await;
    }
    assert!(other.asked.borrow().is_empty(), "credentials are not sent to another host");
    assert_eq!(desk.names(), ["a"]);
}

#[tokio::test]
async fn a_directory_that_never_answered_is_told_and_comes_later() {
    let (directory, url) = Directory::start(Told::Fails).await;
    let desk = desk_on(url).await;
    desk.until("the diagnostic", |platform| codes(platform) == ["file.unreadable"]).await;
    let told = desk.platform.diagnostics();
    assert!(told[0].message.contains("503"), "{told:?}");
    directory.tell(definitions(&["a"], "\"1\""));
    desk.until("the answer", |platform| names(platform) == ["a"]).await;
    assert_eq!(desk.codes(), Vec::<String>::new());
}
