//! Why a page does not show: the server asks for it, and says in words what is wrong.
//!
//! A browser tells a page nothing of a frame of another origin. It asks as a browser would, but
//! without cookies, credentials or a referrer, and reads no further than the headers.

mod framing;
mod names;

use std::collections::HashMap;
use std::error::Error as _;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use deskwire_wire::PeerId;
use reqwest::redirect::{Attempt, Policy};
use reqwest::{Client, Response, StatusCode};
use serde_json::{Value, json};
use url::Url;

use names::LikeABrowser;

/// How long a page may take to answer.
const PATIENCE: Duration = Duration::from_secs(5);
/// How many redirects are followed.
const REDIRECTS: usize = 5;
/// How many pages are asked for at a time, for one page that shows workspaces.
pub(crate) const AT_ONCE: usize = 4;

/// Asks for pages. Clones count together.
#[derive(Debug, Clone, Default)]
pub(crate) struct Probe {
    /// Made when the first page is asked for; or why there is none.
    client: Arc<OnceLock<Result<Client, String>>>,
    /// How many are asked for, by who wants to know; only those above none.
    asking: Arc<Mutex<HashMap<PeerId, usize>>>,
}

/// The page of a window.
#[derive(Debug, Clone)]
pub(crate) struct Subject {
    /// Its address.
    pub(crate) url: Url,
    /// Its application.
    pub(crate) application: String,
    /// Where that is defined, as `apps.json:12`.
    pub(crate) defined_at: String,
    /// The origin that is to show it.
    pub(crate) desk: Url,
}

/// What is wrong with a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    code: &'static str,
    reason: String,
    fix: String,
}

/// What there is to say of a page.
pub(crate) type Found = Result<(), Fault>;

/// A place among those that are asked for.
struct Place<'a> {
    probe: &'a Probe,
    peer: PeerId,
}

impl Probe {
    /// Asks for a page on behalf of `peer`. `None` when that has asked for too many at a time.
    pub(crate) async fn ask(&self, peer: &PeerId, subject: &Subject) -> Option<Found> {
        let _place = self.place(peer)?;
        let mut url = subject.url.clone();
        // Neither can fail for an address with a host, and both are http's.
        let _ = url.set_username("");
        let _ = url.set_password(None);
        let client = match self.client.get_or_init(|| client().map_err(|error| words(&error))) {
            Ok(client) => client,
            Err(cause) => return Some(Err(unreachable(cause, subject))),
        };
        let answer = client.get(url).header("accept", "text/html").send().await;
        Some(match answer {
            Ok(response) => judge(&response, subject),
            Err(error) => Err(failure(&error, subject)),
        })
    }

    fn place(&self, peer: &PeerId) -> Option<Place<'_>> {
        let mut asking = self.asking.lock().unwrap_or_else(PoisonError::into_inner);
        let count = asking.entry(peer.clone()).or_default();
        if *count >= AT_ONCE {
            return None;
        }
        *count += 1;
        Some(Place { probe: self, peer: peer.clone() })
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        let mut asking = self.probe.asking.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = asking.get_mut(&self.peer) {
            *count -= 1;
            if *count == 0 {
                asking.remove(&self.peer);
            }
        }
    }
}

impl Fault {
    pub(crate) fn to_json(&self) -> Value {
        json!({ "ok": false, "code": self.code, "reason": self.reason, "fix": self.fix })
    }
}

fn client() -> reqwest::Result<Client> {
    Client::builder()
        .timeout(PATIENCE)
        .redirect(Policy::custom(redirect))
        .referer(false)
        .dns_resolver(Arc::new(LikeABrowser))
        .user_agent(concat!("deskwire/", env!("CARGO_PKG_VERSION")))
        .build()
}

fn redirect(attempt: Attempt<'_>) -> reqwest::redirect::Action {
    if !matches!(attempt.url().scheme(), "http" | "https") {
        // The answer that redirects is what there is.
        attempt.stop()
    } else if attempt.previous().len() > REDIRECTS {
        attempt.error("too many redirects")
    } else {
        attempt.follow()
    }
}

fn judge(response: &Response, subject: &Subject) -> Found {
    let status = response.status();
    if status.is_redirection() && status != StatusCode::NOT_MODIFIED {
        return Err(Fault {
            code: "status",
            reason: "the page redirects to an address that is neither http nor https".into(),
            fix: look(subject),
        });
    }
    if status.is_client_error() || status.is_server_error() {
        return Err(Fault {
            code: "status",
            reason: format!("the server of the page answers {status}"),
            fix: look(subject),
        });
    }
    match framing::refusal(response.headers(), response.url(), &subject.desk) {
        None => Ok(()),
        Some(framing::Refusal { header, value }) => {
            let desk = subject.desk.origin().ascii_serialization();
            let of_page = response.url().origin().ascii_serialization();
            Err(Fault {
                code: "framing",
                reason: format!(
                    "the page may not be shown in a frame: it sends `{header}: {value}`"
                ),
                fix: format!(
                    "have the server at {of_page} send `Content-Security-Policy: frame-ancestors {desk}` \
                     with the page, which counts before X-Frame-Options"
                ),
            })
        }
    }
}

fn failure(error: &reqwest::Error, subject: &Subject) -> Fault {
    let server = subject.url.origin().ascii_serialization();
    if error.is_timeout() {
        let reason = format!("{server} does not answer within {} s", PATIENCE.as_secs());
        let fix = format!(
            "see whether that server is well, and reload the window; its address is {}",
            place(subject)
        );
        return Fault { code: "slow", reason, fix };
    }
    if error.is_redirect() {
        let reason = format!("the page redirects more than {REDIRECTS} times");
        return Fault { code: "status", reason, fix: look(subject) };
    }
    unreachable(&words(error), subject)
}

fn unreachable(cause: &str, subject: &Subject) -> Fault {
    let server = subject.url.origin().ascii_serialization();
    Fault {
        code: "unreachable",
        reason: format!("{server} cannot be reached: {cause}"),
        fix: format!("start that server, or correct the address, which is {}", place(subject)),
    }
}

/// The deepest cause of an error of the client, without the address, which may hold secrets.
fn words(error: &reqwest::Error) -> String {
    let mut deepest = error.source();
    while let Some(next) = deepest.and_then(std::error::Error::source) {
        deepest = Some(next);
    }
    deepest.map_or_else(|| "the request failed".into(), ToString::to_string)
}

fn look(subject: &Subject) -> String {
    format!("open the address in a tab of its own to see what it says; it is {}", place(subject))
}

/// Where somebody would change the address.
fn place(subject: &Subject) -> String {
    format!("`details.url` of `{}` in {}", subject.application, subject.defined_at)
}
