//! Asks clients what tools want to know: those with a session by a request, those of
//! 2026-07-28 by a result that says what is asked.
#![expect(
    deprecated,
    reason = "sampling goes out of use, and is how models of clients are asked until then"
)]

use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CreateMessageRequest,
    CreateMessageRequestParams, ElicitRequest, ElicitRequestParams, ErrorData, InputRequest,
    InputRequiredResult, InputResponses, JsonObject, MetaObject, RequestMetaObject, Role,
    SamplingMessage, SamplingMessageContentBlock, ServerRequest,
};
use rmcp::service::{PeerRequestOptions, RequestContext, RoleServer, ServiceError};
use serde_json::Value;
use tokio::sync::Semaphore;
use tokio::time::{interval_at, sleep};

use crate::call::Problem;
use crate::questions::{
    Answer, Asked, Case, MAX_QUESTIONS, Outcome, Question, Round, Rounds, Steps, Taken, Ticket,
    Tickets, Turn,
};
use crate::surface::{CallContext, Step};

/// The key of the one question of a result, and of its answer.
const KEY: &str = "question";
/// How long an answer may take at least: the client may be asking a person.
const ROUND_LIVES: Duration = Duration::from_secs(300);
/// How often a client that waits for its own answer is told that the call goes on.
const TOLD_EVERY: Duration = Duration::from_secs(15);

/// Questions that clients of 2026-07-28 have not answered yet.
pub(super) struct Questions {
    tickets: Tickets,
    rounds: Mutex<Rounds>,
}

impl Questions {
    /// With a key that ends with the process: what is kept does, too.
    pub(super) fn new() -> Self {
        Self { tickets: Tickets::new(rand::random()), rounds: Mutex::default() }
    }

    fn rounds(&self) -> MutexGuard<'_, Rounds> {
        self.rounds.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Questions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Questions").finish_non_exhaustive()
    }
}

/// A call of a tool that may ask.
pub(super) struct Asking<'a> {
    /// The name by which the tool is called.
    pub(super) tool: &'a str,
    pub(super) steps: &'a dyn Steps,
    pub(super) call: CallContext,
}

impl Asking<'_> {
    /// The call of a client with a session. Questions go in the task of the request,
    /// which is how the library knows its stream; `turns` has them go one after the
    /// other.
    pub(super) async fn in_session(
        self,
        context: &RequestContext<RoleServer>,
        turns: &Semaphore,
    ) -> CallToolResult {
        let mut answers = Vec::new();
        loop {
            match self.step(&answers) {
                Turn::Answer(result) => return result,
                Turn::Do(plan) => return plan.run(self.call).await,
                Turn::Ask(_) if answers.len() == MAX_QUESTIONS => {
                    return Problem::AsksTooMuch(self.tool.to_owned()).into();
                }
                Turn::Ask(question) => match self.ask(&question, context, turns).await {
                    Some(answer) => answers.push(answer),
                    None => return Problem::Cancelled(self.tool.to_owned()).into(),
                },
            }
        }
    }

    /// The call of a client of 2026-07-28: the first of it, or one with an answer.
    pub(super) async fn in_rounds(
        self,
        questions: &Questions,
        request: CallToolRequestParams,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(sealed) = request.request_state else {
            let turn = self.step(&[]);
            return Ok(self.finish(questions, turn, Vec::new()).await);
        };
        let ticket = questions.tickets.open(&sealed, self.tool, &self.call.arguments);
        let ticket = ticket.map_err(|error| {
            tracing::info!(tool = self.tool, %error, "an answer to no question of ours");
            refused()
        })?;
        let given = request.input_responses.unwrap_or_default();
        let taken = questions.rounds().take(&ticket.handle, &given, Instant::now());
        match taken {
            Taken::Refused => Err(refused()),
            Taken::Again(outcome) => self.again(outcome).await,
            Taken::First(round, outcome) => {
                let response = self.go_on(questions, &ticket, round, &given).await;
                // Fails when nobody asks again, as usual.
                let _ = outcome.send(Some(response.clone()));
                Ok(response)
            }
        }
    }

    /// What came of the same answer before.
    async fn again(self, mut outcome: Outcome) -> Result<CallToolResponse, ErrorData> {
        let known = tokio::select! {
            known = outcome.wait_for(Option::is_some) => known.ok().and_then(|known| known.clone()),
            () = self.call.cancelled.cancelled() => {
                return Ok(CallToolResult::from(Problem::Cancelled(self.tool.to_owned())).into());
            }
        };
        known.ok_or_else(refused)
    }

    /// Takes the step after an answer, if the question is still the same.
    async fn go_on(
        self,
        questions: &Questions,
        ticket: &Ticket,
        round: Round,
        given: &InputResponses,
    ) -> CallToolResponse {
        let Round { mut answers } = round;
        let turn = match self.step(&answers) {
            Turn::Ask(question) if question.about == ticket.about => {
                answers.push(match given.get(KEY) {
                    Some(result) => Answer::read(&question.asked, result),
                    None => Answer::Failed("the client sent no answer".into()),
                });
                self.step(&answers)
            }
            // What was asked is not the question any more.
            other => other,
        };
        self.finish(questions, turn, answers).await
    }

    async fn finish(
        self,
        questions: &Questions,
        turn: Turn,
        answers: Vec<Answer>,
    ) -> CallToolResponse {
        let question = match turn {
            Turn::Answer(result) => return result.into(),
            Turn::Do(plan) => return plan.run(self.call).await.into(),
            Turn::Ask(_) if answers.len() == MAX_QUESTIONS => {
                return CallToolResult::from(Problem::AsksTooMuch(self.tool.to_owned())).into();
            }
            Turn::Ask(question) => question,
        };
        let handle = format!("{:032x}", rand::random::<u128>());
        let lives = question.within.max(ROUND_LIVES);
        questions.rounds().keep(handle.clone(), Round { answers }, Instant::now(), lives);
        let ticket = Ticket { handle, about: question.about };
        let state = questions.tickets.seal(&ticket, self.tool, &self.call.arguments, lives);
        let asked = [(KEY.to_owned(), request_of(&question))].into();
        InputRequiredResult::new(Some(asked), Some(state)).into()
    }

    fn step(&self, answers: &[Answer]) -> Turn {
        let CallContext { arguments, caller, .. } = &self.call;
        self.steps.step(&Case { arguments, answers, caller })
    }

    /// Asks a client with a session. `None` when it no longer wants the result.
    async fn ask(
        &self,
        question: &Question,
        context: &RequestContext<RoleServer>,
        turns: &Semaphore,
    ) -> Option<Answer> {
        let CallContext { cancelled, progress, .. } = &self.call;
        let _turn = tokio::select! {
            biased;
            () = cancelled.cancelled() => return None,
            turn = turns.acquire() => turn.ok()?,
        };
        let request = match request_of(question) {
            InputRequest::CreateMessage(request) => ServerRequest::CreateMessageRequest(request),
            InputRequest::Elicitation(request) => ServerRequest::ElicitRequest(request),
            _ => return Some(Answer::failed("this server has no way to ask that")),
        };
        let options = PeerRequestOptions::no_options();
        let mut asked = match context.peer.send_cancellable_request(request, options).await {
            Ok(asked) => asked,
            Err(error) => return Some(failed(&error)),
        };
        let begun = Instant::now();
        let late = sleep(question.within);
        tokio::pin!(late);
        let mut tell = interval_at(tokio::time::Instant::now() + TOLD_EVERY, TOLD_EVERY);
        loop {
            tokio::select! {
                biased;
                () = cancelled.cancelled() => {
                    // Fails when the client has left.
                    let _ = asked.cancel(Some("the call was cancelled".into())).await;
                    return None;
                }
                answer = &mut asked.rx => {
                    return Some(match answer {
                        Ok(Ok(result)) => {
                            let result = serde_json::to_value(&result).unwrap_or(Value::Null);
                            Answer::read(&question.asked, &result)
                        }
                        Ok(Err(error)) => failed(&error),
                        Err(_) => failed(&ServiceError::TransportClosed),
                    });
                }
                () = &mut late => {
                    let _ = asked.cancel(Some("no answer in time".into())).await;
                    return Some(Answer::Late(question.within));
                }
                _ = tell.tick() => progress.report(Step {
                    done: begun.elapsed().as_secs_f64(),
                    total: None,
                    message: Some("waiting for the client's own answer".into()),
                }),
            }
        }
    }
}

/// A question as the library has it.
fn request_of(question: &Question) -> InputRequest {
    let mut meta = JsonObject::new();
    meta.insert("toolName".into(), question.tool.clone().into());
    if let Some(thread) = &question.thread {
        meta.insert("threadId".into(), thread.clone().into());
    }
    match &question.asked {
        Asked::Model { system, text, answer, max_tokens } => {
            meta.insert("structuredOutput".into(), Value::Object(answer.clone()));
            let text = SamplingMessageContentBlock::text(text.clone());
            let messages = vec![SamplingMessage::new(Role::User, text)];
            let mut params = CreateMessageRequestParams::new(messages, *max_tokens)
                .with_system_prompt(system.clone());
            params.temperature = Some(0.0);
            params.meta = Some(RequestMetaObject(MetaObject(meta)));
            InputRequest::CreateMessage(CreateMessageRequest::new(params))
        }
        Asked::Person { message, form } => {
            let params = ElicitRequestParams::FormElicitationParams {
                meta: Some(RequestMetaObject(MetaObject(meta))),
                message: message.clone(),
                requested_schema: form.clone(),
            };
            InputRequest::Elicitation(ElicitRequest::new(params))
        }
    }
}

fn failed(error: &ServiceError) -> Answer {
    match error {
        ServiceError::McpError(error) => Answer::failed(&error.message),
        ServiceError::UnexpectedResponse => {
            Answer::failed("the client answered with something else than was asked")
        }
        other => Answer::failed(&other.to_string()),
    }
}

/// One refusal for everything that is wrong with an answer, so that none can be tried out.
fn refused() -> ErrorData {
    let words = "this answers no question that is open: it was answered otherwise before, took too long, or \
                 was asked about another call; call the tool again without `requestState`";
    ErrorData::invalid_params(words, None)
}
