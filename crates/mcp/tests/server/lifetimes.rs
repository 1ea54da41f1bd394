//! How long sessions and streams live.

use std::sync::Arc;
use std::time::Duration;

use deskwire_mcp::{Config, HttpOptions, SessionLimits};
use http::StatusCode;
use serde_json::{Value, json};
use tokio::sync::Notify;
use tokio::time::{Instant, sleep};

use crate::desk::{Desk, greeting_with, options, within};
use crate::log::Log;
use crate::mcp::{Session, Stream, listen, modern, refused, send};

const MINUTE: Duration = Duration::from_secs(60);

#[tokio::test]
async fn a_quiet_stream_is_kept_open_by_comments() {
    let often = HttpOptions { keep_alive: Duration::from_millis(20), ..options() };
    let desk = Desk::with(Config::new("desk", "1"), often).await;
    let session = Session::new(&desk.router, json!({})).await;
    for mut stream in [session.stream(None).await, listen(&desk.router, &json!({})).await] {
        within(stream.comments(3)).await;
    }
    assert_eq!(HttpOptions::default().keep_alive, Duration::from_secs(15));
}

#[tokio::test(start_paused = true)]
async fn an_idle_session_without_a_stream_lives_for_ten_minutes() {
    let desk = Desk::new().await;
    let session = Session::new(&desk.router, json!({})).await;
    for _ in 0..3 {
        sleep(10 * MINUTE - Duration::from_secs(1)).await;
        assert!(session.is_alive().await, "each request counts");
    }
    sleep(11 * MINUTE).await;
    assert!(!session.is_alive().await);
}

#[tokio::test(start_paused = true)]
async fn an_idle_session_with_a_stream_lives_for_eight_hours() {
    let desk = Desk::new().await;
    let session = Session::new(&desk.router, json!({})).await;
    let mut stream = session.stream(None).await;
    for _ in 0..2 {
        sleep(8 * 60 * MINUTE - Duration::from_secs(1)).await;
        assert!(session.is_alive().await);
    }
    sleep(8 * 60 * MINUTE + MINUTE).await;
    assert_eq!(stream.message().await, None, "the stream ends with its session");
    assert!(!session.is_alive().await);

    // From the end of the stream on it is ten minutes.
    let session = Session::new(&desk.router, json!({})).await;
    let stream = session.stream(None).await;
    sleep(60 * MINUTE).await;
    drop(stream);
    sleep(9 * MINUTE).await;
    assert!(session.is_alive().await);
}

#[tokio::test(start_paused = true)]
async fn a_session_that_answers_a_request_is_not_idle() {
    let desk = Desk::new().await;
    let app = desk.app("clients").await;
    let long = json!({"responseTimeoutMs": 3_600_000});
    let _slow = app.hangs(greeting_with("slow", long)).await;
    desk.shows(&["slow"]).await;
    let session = Session::new(&desk.router, json!({})).await;
    let params = json!({"name": "slow", "arguments": {"name": "Ada"}});
    let (_, mut stream) = session.begin("tools/call", params).await;
    let start = Instant::now();
    assert_eq!(stream.answer().await["result"]["isError"], true);
    assert!(start.elapsed() >= 60 * MINUTE);
    assert!(session.is_alive().await);
}

#[tokio::test(start_paused = true)]
async fn one_session_too_many_ends_the_oldest_idle_one() {
    let sessions = SessionLimits { max: 3, ..SessionLimits::default() };
    let desk = Desk::with(Config::new("desk", "1"), HttpOptions { sessions, ..options() }).await;
    let with_stream = Session::new(&desk.router, json!({})).await;
    let _stream = with_stream.stream(None).await;
    sleep(MINUTE).await;
    let oldest = Session::new(&desk.router, json!({})).await;
    sleep(MINUTE).await;
    let newer = Session::new(&desk.router, json!({})).await;
    sleep(MINUTE).await;
    let newest = Session::new(&desk.router, json!({})).await;
    assert!(!oldest.is_alive().await);
    for session in [with_stream, newer, newest] {
        assert!(session.is_alive().await);
    }
}

#[tokio::test(start_paused = true)]
async fn many_sessions_that_make_room_are_one_line_in_the_log() {
    let log = Log::start();
    let sessions = SessionLimits { max: 3, ..SessionLimits::default() };
    let desk = Desk::with(Config::new("desk", "1"), HttpOptions { sessions, ..options() }).await;
    for _ in 0..50 {
        Session::new(&desk.router, json!({})).await;
    }
    sleep(MINUTE).await;
    let told = log.lines("too many sessions");
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].contains("closed=47") && told[0].contains("max=3"), "{told:?}");
}

#[tokio::test(start_paused = true)]
async fn a_newcomer_gets_in_where_every_session_has_a_stream() {
    let sessions = SessionLimits { max: 2, ..SessionLimits::default() };
    let desk = Desk::with(Config::new("desk", "1"), HttpOptions { sessions, ..options() }).await;
    let mut streams = Vec::new();
    for _ in 0..4 {
        let session = Session::new(&desk.router, json!({})).await;
        streams.push(session.stream(None).await);
        assert!(session.is_alive().await);
        sleep(MINUTE).await;
    }
    assert_eq!(streams[0].message().await, None, "the oldest made room");
}

/// Tasks of this test's runtime that have not ended.
fn tasks() -> usize {
    tokio::runtime::Handle::current().metrics().num_alive_tasks()
}

/// A session whose client goes without a word: idle, with a stream that broke
/// off, with one that is still there, or in the middle of a call.
async fn abandon(desk: &Desk, number: usize, kept: &mut Vec<Stream>) {
    let session = Session::new(&desk.router, json!({})).await;
    match number % 4 {
        0 => assert_eq!(session.tools().await, ["slow"]),
        1 => drop(session.stream(None).await),
        2 => kept.push(session.stream(None).await),
        _ => {
            let params = json!({"name": "slow", "arguments": {"name": "Ada"}});
            drop(session.begin("tools/call", params).await);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn abandoned_sessions_leave_nothing_behind() {
    let sessions = SessionLimits { max: 20, ..SessionLimits::default() };
    let desk = Desk::with(Config::new("desk", "1"), HttpOptions { sessions, ..options() }).await;
    let app = desk.app("clients").await;
    let _slow = app.hangs(greeting_with("slow", json!({}))).await;
    desk.shows(&["slow"]).await;
    sleep(MINUTE).await;
    let before = tasks();
    let mut kept = Vec::new();
    for number in 0..200 {
        abandon(&desk, number, &mut kept).await;
    }
    // Calls end by their time limit. The last sessions end by theirs, and with
    // them the task that looked for such.
    sleep(9 * 60 * MINUTE).await;
    for mut stream in kept {
        assert_eq!(stream.message().await, None, "the stream ends with its session");
    }
    // The application's own handlers never end by themselves.
    let hanging = 200 / 4;
    assert_eq!(tasks(), before + hanging);
}

#[tokio::test(start_paused = true)]
async fn shutdown_ends_every_stream_within_three_seconds() {
    let desk = Desk::new().await;
    let app = desk.app("clients").await;
    let slow = app.hangs(greeting_with("slow", json!({}))).await;
    desk.shows(&["slow"]).await;
    let mut sessions = Vec::new();
    let mut streams = Vec::new();
    for _ in 0..3 {
        let session = Session::new(&desk.router, json!({})).await;
        streams.push(session.stream(None).await);
        sessions.push(session);
    }
    for _ in 0..2 {
        streams.push(listen(&desk.router, &json!({})).await);
    }
    let params = json!({"name": "slow", "arguments": {"name": "Ada"}});
    let (_, hanging) = sessions[0].begin("tools/call", params).await;
    while slow.calls() == 0 {
        tokio::task::yield_now().await;
    }
    streams.push(hanging);
    let start = Instant::now();
    desk.server.shutdown().await;
    for stream in &mut streams {
        // The last word of a subscription is its result.
        while let Some(message) = stream.message().await {
            assert!(message.get("result").is_some(), "{message}");
        }
    }
    assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
    let response = send(&desk.router, modern(1, "tools/list", json!({}), &json!({}))).await;
    refused(response, StatusCode::SERVICE_UNAVAILABLE).await;
}

#[tokio::test]
async fn a_call_that_ends_soon_is_answered_before_shutdown() {
    let desk = Desk::new().await;
    let app = desk.app("clients").await;
    let started = Arc::new(Notify::new());
    let go_on = Arc::new(Notify::new());
    let (begun, late) = (started.clone(), go_on.clone());
    let _slow = app
        .offers(greeting_with("slow", json!({})), move |_| {
            let (begun, late) = (begun.clone(), late.clone());
            async move {
                begun.notify_one();
                late.notified().await;
                Ok(json!({"greeting": "in time"}))
            }
        })
        .await;
    desk.shows(&["slow"]).await;
    let session = Session::new(&desk.router, json!({})).await;
    let params = json!({"name": "slow", "arguments": {"name": "Ada"}});
    let (_, mut stream) = session.begin("tools/call", params).await;
    within(started.notified()).await;
    let answer = async {
        go_on.notify_one();
        stream.answer().await
    };
    let (answer, ()): (Value, ()) =
        within(async { tokio::join!(answer, desk.server.shutdown()) }).await;
    assert_eq!(answer["result"]["structuredContent"], json!({"greeting": "in time"}));
}
