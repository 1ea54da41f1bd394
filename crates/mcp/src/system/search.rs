//! The two searches: the steps of a call.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, ready};
use rmcp::model::{CallToolResult, JsonObject};
use serde_json::Value;

use super::roles::Role;
use super::settings::Matching;
use crate::call::Problem;
use crate::interop::Compiled;
use crate::profile::Profile;
use crate::questions::{Answer, Case, Question, Steps, Turn};
use crate::schema::Validators;
use crate::search::{Fault, Found, NextSteps, Prompt, Searchable, Summary, What, answer};
use crate::surface::{CallContext, Caller, Definition, Tool};

/// How long a client's model may take.
const MODEL_WITHIN: Duration = Duration::from_secs(120);
/// How often a model is asked for what it may answer wrongly.
const ASKED_AT_MOST: usize = 2;

/// A search, over the definitions of one moment.
pub(super) struct SearchTool {
    pub(super) role: Role,
    pub(super) matching: Matching,
    pub(super) compiled: Arc<Compiled>,
    pub(super) validators: Arc<Validators>,
    pub(super) searchable: Arc<Searchable>,
    /// Somebody on the bus knows the definitions, and has not told them yet.
    pub(super) expects_definitions: bool,
    /// What the tools that come next are called.
    pub(super) names: Arc<Names>,
}

/// What system tools are called, as the operator has it.
#[derive(Debug)]
pub(super) struct Names {
    pub(super) search_applications: String,
    pub(super) search_workspaces: String,
    pub(super) start_applications: String,
    pub(super) start_workspace: String,
}

impl Tool for SearchTool {
    fn definition(&self) -> &Definition {
        &self.compiled.definition
    }

    fn steps(&self) -> Option<&dyn Steps> {
        Some(self)
    }

    /// Nobody can be asked here, so a model cannot.
    fn call(&self, call: CallContext) -> BoxFuture<'_, CallToolResult> {
        let CallContext { arguments, caller, .. } = &call;
        let caller =
            Caller { profile: caller.profile.without(Profile::SAMPLING), ..caller.clone() };
        let result = match self.turn(&Case { arguments, answers: &[], caller: &caller }) {
            Ok(Turn::Answer(result)) => result,
            Ok(Turn::Ask(_) | Turn::Do(_)) => {
                let refused =
                    Summary::Failed { reason: "the client's model cannot be asked".into() };
                self.result(&Found::default(), &refused, &caller)
            }
            Err(problem) => problem.into(),
        };
        ready(result).boxed()
    }
}

impl Steps for SearchTool {
    fn is_ready(&self) -> bool {
        self.searchable.known || !self.expects_definitions
    }

    fn step(&self, case: &Case<'_>) -> Turn {
        self.turn(case).unwrap_or_else(|problem| Turn::Answer(problem.into()))
    }
}

impl SearchTool {
    fn turn(&self, case: &Case<'_>) -> Result<Turn, Problem> {
        let request = self.checked(case.arguments)?;
        let done = |found: &Found, summary: &Summary| {
            Ok(Turn::Answer(self.result(found, summary, case.caller)))
        };
        let nothing = |reason: String| done(&Found::default(), &Summary::Failed { reason });
        let (what, among) = (self.what(), self.searchable.len(self.what()));
        if request.trim().is_empty() {
            return nothing("userIntent is empty".into());
        }
        if !self.searchable.known {
            let reason = "no platform on the bus says what is defined; start one (`deskwire up`)";
            return nothing(reason.into());
        }
        if among == 0 {
            return nothing(
                "nothing that is defined may be offered; `deskwire doctor` says why".into(),
            );
        }
        if !self.asks(case.caller.profile) {
            let found = self.searchable.by_words(what, request);
            return done(&found, &Summary::ByWords { among });
        }
        let prompt = Prompt::new(&self.searchable, what, request);
        let ask = |fault: Option<&Fault>| Question {
            asked: prompt.question(fault),
            tool: self.role.name().into(),
            thread: case.caller.thread.clone(),
            about: about(request, fault.is_some()),
            within: MODEL_WITHIN,
        };
        match case.answers.last() {
            None => Ok(Turn::Ask(ask(None))),
            Some(Answer::Text(text)) => match prompt.read(&self.searchable, text) {
                Ok(chosen) => {
                    let summary = Summary::ByModel { words: chosen.words, unseen: prompt.unseen };
                    done(&chosen.found, &summary)
                }
                Err(fault) if case.answers.len() < ASKED_AT_MOST => {
                    Ok(Turn::Ask(ask(Some(&fault))))
                }
                Err(fault) => nothing(format!("the client's model gave no usable answer: {fault}")),
            },
            Some(Answer::Failed(reason)) => {
                nothing(format!("the client's model was not asked, or did not answer: {reason}"))
            }
            Some(Answer::Late(after)) => {
                nothing(format!("the client's model did not answer within {} s", after.as_secs()))
            }
            Some(Answer::Accepted(_) | Answer::Declined | Answer::Dismissed) => {
                nothing("the client answered with something else than what its model said".into())
            }
        }
    }

    /// What the person wants to accomplish.
    fn checked<'a>(&self, arguments: &'a JsonObject) -> Result<&'a str, Problem> {
        let tool = || self.definition().name().to_string();
        let checker = self
            .validators
            .get(&self.compiled.input)
            .map_err(|error| Problem::Unchecked { tool: tool(), error })?;
        checker
            .check(&Value::Object(arguments.clone()))
            .map_err(|violations| Problem::Arguments { tool: tool(), violations })?;
        Ok(arguments.get("userIntent").and_then(Value::as_str).unwrap_or_default())
    }

    fn what(&self) -> What {
        match self.role {
            Role::SearchWorkspaces => What::Workspaces,
            _ => What::Applications,
        }
    }

    /// Whether clients of this profile have their model asked.
    fn asks(&self, profile: Profile) -> bool {
        match self.matching {
            Matching::Sampling => true,
            Matching::Auto => profile.contains(Profile::SAMPLING),
            Matching::Model | Matching::Lexical => false,
        }
    }

    fn result(&self, found: &Found, summary: &Summary, caller: &Caller) -> CallToolResult {
        let usable = |name: &String| -> Result<String, String> {
            if caller.sees(name) {
                return Ok(name.clone());
            }
            let why = caller.why_not(name).map(|withheld| withheld.reason.clone());
            Err(why.unwrap_or_else(|| format!("`{name}` is not among its tools")))
        };
        let (what, names) = (self.what(), &self.names);
        let other_search = match what {
            What::Applications => &names.search_workspaces,
            What::Workspaces => &names.search_applications,
        };
        let next = NextSteps {
            start_applications: usable(&names.start_applications),
            start_workspace: usable(&names.start_workspace),
            other_search: usable(other_search).ok(),
        };
        let answer = answer(what, found, summary, &next);
        self.compiled.output.answer(answer, &self.validators).unwrap_or_else(|violations| {
            let tool = self.definition().name().to_string();
            tracing::error!(%tool, ?violations, "an answer of this server does not fit its own schema");
            Problem::Result { tool, application: "this server".into(), violations }.into()
        })
    }
}

fn about(request: &str, again: bool) -> u64 {
    let mut hasher = DefaultHasher::new();
    (request, again).hash(&mut hasher);
    hasher.finish()
}
