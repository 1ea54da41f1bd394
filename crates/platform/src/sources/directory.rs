//! An application directory behind HTTP: asked again and again.

use std::time::Duration;

use deskwire_catalog::{Code, Read, SourceLabel, read};
use reqwest::header::{
    ETAG, HeaderMap, HeaderName, HeaderValue, IF_MODIFIED_SINCE, IF_NONE_MATCH, LAST_MODIFIED,
};
use reqwest::redirect::Policy;
use reqwest::{Client, StatusCode, Url};

use super::SourceError;
use super::told::{stale, tell};
use crate::config::RestSource;
use crate::limits::Limits;

/// The first wait after a failure; each further one doubles it, up to the
/// wait between two questions.
const FIRST_RETRY: Duration = Duration::from_secs(1);

/// Redirects followed, within the same host.
const REDIRECTS: usize = 5;

/// A directory, and what of it is in force.
#[derive(Debug)]
pub(super) struct Directory {
    label: SourceLabel,
    url: Url,
    poll: Duration,
    client: Client,
    most_bytes: usize,
    answered: Answered,
    in_force: Read,
    failures: u32,
}

/// What the last good answer said of itself.
#[derive(Debug, Default)]
struct Answered {
    etag: Option<HeaderValue>,
    modified: Option<HeaderValue>,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error("it cannot be reached: {0}")]
    Unreachable(String),
    #[error("it answered {0}")]
    Status(StatusCode),
    #[error("its answer has more than {0} bytes and is not read")]
    TooLarge(usize),
    #[error("its answer is not text in UTF-8")]
    NotText,
    #[error("its answer holds no definitions: {0}")]
    Useless(String),
}

enum Answer {
    Unchanged,
    Text { text: String, answered: Answered },
}

impl Directory {
    pub(super) fn new(source: &RestSource, limits: &Limits) -> Result<Self, SourceError> {
        let fault = |reason: String| SourceError::Directory { url: source.url.clone(), reason };
        let url = Url::parse(&source.url).map_err(|error| fault(error.to_string()))?;
        if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
            return Err(fault("it must be an http or https address".into()));
        }
        let mut headers = HeaderMap::new();
        for (name, value) in &source.headers {
            let key = HeaderName::try_from(name.as_str())
                .map_err(|_| fault(format!("`{name}` is no name of a header")))?;
            let mut text = HeaderValue::try_from(value.as_str())
                .map_err(|_| fault(format!("the value of the header `{name}` cannot be sent")))?;
            text.set_sensitive(true);
            headers.append(key, text);
        }
        let client = Client::builder()
            .default_headers(headers)
            .timeout(limits.directory_timeout)
            .redirect(same_host())
            .user_agent(concat!("deskwire/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(|error| fault(words(&error)))?;
        // What stands before the @ is a secret, and so may the query be.
        let label = format!("{}{}", url.origin().ascii_serialization(), url.path());
        let label = SourceLabel::new(label);
        Ok(Self {
            in_force: Read::empty(label.clone()),
            label,
            url,
            poll: source.poll.max(Duration::from_secs(1)),
            client,
            most_bytes: limits.source_bytes,
            answered: Answered::default(),
            failures: 0,
        })
    }

    /// What is in force.
    pub(super) fn read(&self) -> Read {
        self.in_force.clone()
    }

    /// Asks the directory. Whether something else is in force now, and how long
    /// to wait before the next question.
    pub(super) async fn ask(&mut self) -> (bool, Duration) {
        let next = match self.fetch().await {
            Ok(Answer::Unchanged) => Ok(Read {
                // A failure that was told is over.
                diagnostics: good(&self.in_force),
                ..self.in_force.clone()
            }),
            Ok(Answer::Text { text, answered }) => {
                let label = self.label.clone();
                let parsed = tokio::task::spawn_blocking(move || read(&label, &text)).await;
                match parsed {
                    Ok(read) if usable(&read) => {
                        self.answered = answered;
                        Ok(read)
                    }
                    Ok(read) => {
                        let first = read.diagnostics.first().map(|one| one.message.clone());
                        Err(Failure::Useless(first.unwrap_or_default()))
                    }
                    Err(error) => Err(Failure::Useless(error.to_string())),
                }
            }
            Err(failure) => Err(failure),
        };
        let (read, wait) = match next {
            Ok(read) => {
                self.failures = 0;
                (read, self.poll)
            }
            Err(failure) => {
                let wait = retry_after(self.failures).min(self.poll);
                self.failures = self.failures.saturating_add(1);
                tracing::warn!(directory = %self.label, %failure, ?wait, "no answer of use");
                (failed(&self.in_force, &failure), wait)
            }
        };
        let changed = read != self.in_force;
        self.in_force = read;
        (changed, wait)
    }

    async fn fetch(&self) -> Result<Answer, Failure> {
        let mut request = self.client.get(self.url.clone());
        if let Some(etag) = &self.answered.etag {
            request = request.header(IF_NONE_MATCH, etag);
        }
        if let Some(modified) = &self.answered.modified {
            request = request.header(IF_MODIFIED_SINCE, modified);
        }
        let sent = request.send().await;
        let mut response = sent.map_err(|error| Failure::Unreachable(words(&error)))?;
        if response.status() == StatusCode::NOT_MODIFIED {
            return Ok(Answer::Unchanged);
        }
        if !response.status().is_success() {
            return Err(Failure::Status(response.status()));
        }
        let answered = Answered {
            etag: response.headers().get(ETAG).cloned(),
            modified: response.headers().get(LAST_MODIFIED).cloned(),
        };
        let most = self.most_bytes;
        let told = response.content_length();
        if told.is_some_and(|told| usize::try_from(told).map_or(true, |told| told > most)) {
            return Err(Failure::TooLarge(most));
        }
        let mut content = Vec::new();
        loop {
            let chunk = response.chunk().await;
            match chunk.map_err(|error| Failure::Unreachable(words(&error)))? {
                Some(chunk) if content.len() + chunk.len() > most => {
                    return Err(Failure::TooLarge(most));
                }
                Some(chunk) => content.extend_from_slice(&chunk),
                None => break,
            }
        }
        let text = String::from_utf8(content).map_err(|_| Failure::NotText)?;
        Ok(Answer::Text { text, answered })
    }
}

/// Headers hold credentials, so another host is not asked.
fn same_host() -> Policy {
    Policy::custom(|attempt| {
        let same = attempt
            .previous()
            .first()
            .is_some_and(|first| first.origin() == attempt.url().origin());
        if !same {
            attempt.error("it redirects to another host; name that address instead")
        } else if attempt.previous().len() > REDIRECTS {
            attempt.error("it redirects without end")
        } else {
            attempt.follow()
        }
    })
}

fn retry_after(failures: u32) -> Duration {
    FIRST_RETRY.saturating_mul(2_u32.saturating_pow(failures.min(16)))
}

/// An answer of a directory that works holds records, or is an empty list of them.
fn usable(read: &Read) -> bool {
    let broken = |code| matches!(code, Code::FileSyntax | Code::FileTooLarge | Code::FileNoRecords);
    read.has_records() || !read.diagnostics.iter().any(|one| broken(one.code))
}

fn good(read: &Read) -> Vec<deskwire_catalog::Diagnostic> {
    let own = |code| matches!(code, Code::FileUnreadable | Code::FileStale);
    read.diagnostics.iter().filter(|one| !own(one.code)).cloned().collect()
}

/// What is in force after a failure: what was before, and the failure.
fn failed(before: &Read, failure: &Failure) -> Read {
    let mut read = Read { diagnostics: good(before), ..before.clone() };
    let source = before.source.clone();
    read.diagnostics.push(if before.has_records() {
        stale(&source, &failure.to_string())
    } else {
        tell(&source, Code::FileUnreadable, failure.to_string())
    });
    read
}

/// An error of the client with its causes, without the address, which may hold secrets.
fn words(error: &reqwest::Error) -> String {
    let mut cause: Option<&dyn std::error::Error> = std::error::Error::source(error);
    let Some(mut deepest) = cause else {
        return if error.is_timeout() {
            "no answer in time".into()
        } else {
            "the request failed".into()
        };
    };
    while let Some(next) = cause {
        deepest = next;
        cause = next.source();
    }
    deepest.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_after_failures_double() {
        let waits: Vec<_> = (0..5).map(|failures| retry_after(failures).as_secs()).collect();
        assert_eq!(waits, [1, 2, 4, 8, 16]);
        assert!(retry_after(u32::MAX) > Duration::from_secs(3600));
    }

    #[test]
    fn addresses_that_cannot_be_asked_are_refused() {
        for (url, headers, reason) in [
            ("ftp://host/apps", vec![], "http or https"),
            ("not an address", vec![], "not an address"),
            ("http://host/", vec![("bad name".to_owned(), String::new())], "no name of a header"),
            ("http://host/", vec![("X-Key".to_owned(), "a\nb".to_owned())], "cannot be sent"),
        ] {
            let source = RestSource { url: url.into(), poll: Duration::from_secs(60), headers };
            let error = Directory::new(&source, &Limits::default()).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        }
    }

    #[test]
    fn an_answer_without_definitions_is_a_failure_unless_it_is_an_empty_list() {
        let label = SourceLabel::new("http://host/apps");
        for (text, fits) in [
            (r#"{"applications":[]}"#, true),
            ("[]", true),
            ("<html>Sign in</html>", false),
            (r#"{"message":"try later"}"#, false),
            ("", false),
        ] {
            assert_eq!(usable(&read(&label, text)), fits, "{text}");
        }
    }
}
