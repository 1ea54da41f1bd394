//! Questions that a tool asks its client while it is called: its model, or the
//! person in front of it.
//!
//! ```text
//! arguments, answers so far ─ step ─┬─► Ask(question) ─ asked ─ answer ─► step again
//!                                   ├─► Do(plan) ─ run ─► result
//!                                   └─► Answer(result)
//! ```
//!
//! A step is pure, so it can be taken again: clients with a session are asked by a
//! request within the call, those of 2026-07-28 by a result that says what is asked,
//! and then the call comes anew, with the answer. What is asked then, and what was
//! answered before, is kept in [`Rounds`]; the client carries a sealed handle.

mod answer;
mod rounds;
mod seal;

use std::fmt;
use std::time::Duration;

use futures_util::future::BoxFuture;
use rmcp::model::{CallToolResult, ElicitationSchema, JsonObject};

pub use answer::Answer;
pub(crate) use rounds::{Outcome, Round, Rounds, Taken};
pub(crate) use seal::{Ticket, Tickets};

use crate::surface::{CallContext, Caller};

/// Questions of one call at most.
pub(crate) const MAX_QUESTIONS: usize = 4;

/// A tool that may ask before it does something.
pub trait Steps: Send + Sync {
    /// What comes next. Pure: the same case has the same step, and nothing happens
    /// before the step that says so.
    fn step(&self, case: &Case<'_>) -> Turn;

    /// Whether it knows already what a step goes by. The first call after the bus is
    /// joined waits for that a moment.
    fn is_ready(&self) -> bool {
        true
    }
}

/// A call, as far as it is known.
#[derive(Debug, Clone, Copy)]
pub struct Case<'a> {
    /// The arguments, as the client sent them.
    pub arguments: &'a JsonObject,
    /// The answers to the questions so far, in order.
    pub answers: &'a [Answer],
    /// Who calls.
    pub caller: &'a Caller,
}

/// What comes next in a call.
#[derive(Debug)]
pub enum Turn {
    /// The client is asked.
    Ask(Question),
    /// Something happens.
    Do(Plan),
    /// The call is answered; nothing happened.
    Answer(CallToolResult),
}

/// What is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// The words and the form.
    pub asked: Asked,
    /// The name of the tool that asks, as it is without overrides.
    pub tool: String,
    /// The thread of the chat that the call named.
    pub thread: Option<String>,
    /// What the answer will be about. An answer counts as long as this is the same
    /// when it comes; else the client is asked anew.
    pub about: u64,
    /// How long the answer may take.
    pub within: Duration,
}

/// The words and the form of a question.
#[derive(Debug, Clone, PartialEq)]
pub enum Asked {
    /// The client's model.
    Model {
        /// What the model is to do.
        system: String,
        /// What it is to do it with.
        text: String,
        /// JSON Schema of the answer.
        answer: JsonObject,
        /// Length of the answer in tokens.
        max_tokens: u32,
    },
    /// The person, with a form.
    Person {
        /// What the form is for.
        message: String,
        /// The form: primitive fields.
        form: ElicitationSchema,
    },
}

/// Something that happens: run at most once.
pub struct Plan(Box<dyn FnOnce(CallContext) -> BoxFuture<'static, CallToolResult> + Send>);

impl Plan {
    /// This.
    pub fn new(
        run: impl FnOnce(CallContext) -> BoxFuture<'static, CallToolResult> + Send + 'static,
    ) -> Self {
        Self(Box::new(run))
    }

    /// Does it.
    pub(crate) fn run(self, call: CallContext) -> BoxFuture<'static, CallToolResult> {
        (self.0)(call)
    }
}

impl fmt::Debug for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Plan")
    }
}
