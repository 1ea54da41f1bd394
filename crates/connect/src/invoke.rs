//! Calling methods of others.

use std::sync::Arc;
use std::time::Duration;

use deskwire_wire::{Id, Payload};
use tokio::sync::oneshot;
use tokio::time::{Instant, timeout_at};

use crate::directory::{MethodKey, RegisteredMethod, Server};
use crate::session::{Placed, names};
use crate::shared::Shared;
use crate::target::Target;
use crate::{Client, InvokeError, RequestError};

/// How to invoke.
#[derive(Debug, Clone)]
pub struct InvokeOptions {
    /// Which servers.
    pub target: Target,
    /// How long each server may take to answer.
    pub response_timeout: Duration,
    /// How long to wait for a server when there is none yet.
    pub wait_for_method: Duration,
}

impl Default for InvokeOptions {
    /// The best server, 30 s for its answer, no wait for it to appear.
    fn default() -> Self {
        Self {
            target: Target::Best,
            response_timeout: Duration::from_secs(30),
            wait_for_method: Duration::ZERO,
        }
    }
}

/// What one server answered.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The server.
    pub server: Arc<Server>,
    /// Its result, or why there is none.
    pub result: Result<Payload, InvokeError>,
}

/// What all servers of an invocation answered, in order of announcement;
/// never empty.
#[derive(Debug, Clone)]
pub struct Answers {
    name: String,
    answers: Vec<Answer>,
}

impl Answers {
    /// The first result; without any, the first failure.
    ///
    /// # Errors
    /// When every server failed.
    pub fn first(self) -> Result<Payload, InvokeError> {
        let Self { name, answers } = self;
        let at = answers.iter().position(|answer| answer.result.is_ok()).unwrap_or(0);
        let first = answers.into_iter().nth(at);
        first.map_or(Err(InvokeError::NoSuchMethod { name }), |answer| answer.result)
    }

    /// Each server's answer.
    pub fn iter(&self) -> std::slice::Iter<'_, Answer> {
        self.answers.iter()
    }
}

impl IntoIterator for Answers {
    type Item = Answer;
    type IntoIter = std::vec::IntoIter<Answer>;

    fn into_iter(self) -> Self::IntoIter {
        self.answers.into_iter()
    }
}

impl<'a> IntoIterator for &'a Answers {
    type Item = &'a Answer;
    type IntoIter = std::slice::Iter<'a, Answer>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl Client {
    /// Invokes a method by name, one call for each server that the target picks.
    ///
    /// # Errors
    /// When no server is there. What goes wrong with a server stands in its [`Answer`].
    pub async fn invoke(
        &self,
        name: &str,
        arguments: Payload,
        options: InvokeOptions,
    ) -> Result<Answers, InvokeError> {
        let InvokeOptions { target, response_timeout, wait_for_method } = options;
        let Some(servers) = self.wait_for_servers(name, &target, None, wait_for_method).await
        else {
            self.shared().with(|session| session.connected())?;
            return Err(InvokeError::NoSuchMethod { name: name.to_owned() });
        };
        let deadline = Instant::now() + response_timeout;
        let mut calls = Vec::with_capacity(servers.len());
        for (server, method) in servers {
            let call = self.place(&method.key, arguments.clone(), deadline).await;
            calls.push((server, call));
        }
        let mut answers = Vec::with_capacity(calls.len());
        for (server, call) in calls {
            let result = match call {
                Ok(call) => call.answer(deadline, response_timeout).await,
                Err(error) => Err(error),
            };
            answers.push(Answer { server, result });
        }
        Ok(Answers { name: name.to_owned(), answers })
    }

    /// Calls one method of one server: the shortest way to an answer. Dropping
    /// the future stops waiting; an answer that comes later is dropped.
    ///
    /// # Errors
    /// Whatever keeps the answer from coming.
    pub async fn invoke_method(
        &self,
        target: &MethodKey,
        arguments: Payload,
        timeout: Duration,
    ) -> Result<Payload, InvokeError> {
        let deadline = Instant::now() + timeout;
        let call = self.place(target, arguments, deadline).await?;
        call.answer(deadline, timeout).await
    }

    /// The servers of a method that a target picks, as soon as there is one.
    pub(crate) async fn wait_for_servers(
        &self,
        name: &str,
        target: &Target,
        streaming: Option<bool>,
        wait: Duration,
    ) -> Option<Vec<(Arc<Server>, Arc<RegisteredMethod>)>> {
        let deadline = Instant::now() + wait;
        let mut changes = self.directory_changes();
        loop {
            changes.mark_unchanged();
            let found = self.shared().with(|session| session.select(name, target, streaming));
            if !found.is_empty() {
                return Some(found);
            }
            if !matches!(timeout_at(deadline, changes.changed()).await, Ok(Ok(()))) {
                return None;
            }
        }
    }

    async fn place(
        &self,
        target: &MethodKey,
        arguments: Payload,
        deadline: Instant,
    ) -> Result<Call<'_>, InvokeError> {
        let shared = self.shared();
        let (reply, answer) = oneshot::channel();
        let placing = shared.command(|session| session.call(target, arguments, reply));
        match timeout_at(deadline, placing).await {
            Ok(placed) => {
                let Placed { request, server } = placed?;
                Ok(Call { shared, request, server, answer })
            }
            Err(_) => Err(InvokeError::Request(RequestError::NotTaken)),
        }
    }
}

/// A call that waits for its answer.
struct Call<'a> {
    shared: &'a Arc<Shared>,
    request: Id,
    server: Arc<Server>,
    answer: oneshot::Receiver<Result<Payload, InvokeError>>,
}

impl Call<'_> {
    async fn answer(mut self, deadline: Instant, after: Duration) -> Result<Payload, InvokeError> {
        match timeout_at(deadline, &mut self.answer).await {
            Ok(answer) => answer.unwrap_or(Err(InvokeError::Request(RequestError::Closed))),
            Err(_) => {
                let (application, instance) = names(&self.server);
                Err(InvokeError::TimedOut { application, instance, after })
            }
        }
    }
}

impl Drop for Call<'_> {
    fn drop(&mut self) {
        if self.answer.is_empty() && !self.answer.is_terminated() {
            self.shared.with(|session| session.abandon(&self.request));
        }
    }
}
