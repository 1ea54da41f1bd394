//! Questions that clients of 2026-07-28 were asked, until their answers have come,
//! and what came of it.
//!
//! An answer may arrive twice, since networks retry. The same answer gets what the
//! first one got, and nothing happens again; another answer to the same question is
//! refused.

use std::hash::{BuildHasher, RandomState};
use std::time::{Duration, Instant};

use indexmap::IndexMap;
use rmcp::model::{CallToolResponse, InputResponses};
use serde_json::Value;
use tokio::sync::watch;

use super::Answer;
use super::seal::sorted;

/// Questions and outcomes that are kept; the oldest goes first.
const MAX_KEPT: usize = 256;

/// What came of an answer, once it is known.
pub(crate) type Outcome = watch::Receiver<Option<CallToolResponse>>;

/// A question that is asked, and what was answered before.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Round {
    /// The answers to the questions before.
    pub(crate) answers: Vec<Answer>,
}

/// What an answer is, as far as the rounds know.
#[derive(Debug)]
pub(crate) enum Taken {
    /// The first to this question: go on, and tell what comes of it.
    First(Round, watch::Sender<Option<CallToolResponse>>),
    /// The same as before: what comes, or came, of that one.
    Again(Outcome),
    /// To a question that is not known any more, or another one than before.
    Refused,
}

/// The rounds of one process. Pure: time and handles are arguments.
#[derive(Debug, Default)]
pub(crate) struct Rounds {
    kept: IndexMap<String, Kept>,
    hasher: RandomState,
}

#[derive(Debug)]
struct Kept {
    round: Round,
    until: Instant,
    /// The answer that was taken.
    answered: Option<(u64, Outcome)>,
}

impl Rounds {
    /// Keeps a round under a handle that nobody else has.
    pub(crate) fn keep(&mut self, handle: String, round: Round, now: Instant, lives: Duration) {
        self.kept.retain(|_, kept| kept.until > now);
        if self.kept.len() >= MAX_KEPT {
            self.kept.shift_remove_index(0);
        }
        self.kept.insert(handle, Kept { round, until: now + lives, answered: None });
    }

    /// Takes an answer.
    pub(crate) fn take(&mut self, handle: &str, given: &InputResponses, now: Instant) -> Taken {
        let answer = self.fingerprint(given);
        let Some(kept) = self.kept.get_mut(handle).filter(|kept| kept.until > now) else {
            return Taken::Refused;
        };
        match &kept.answered {
            None => {
                let (sender, outcome) = watch::channel(None);
                kept.answered = Some((answer, outcome));
                Taken::First(kept.round.clone(), sender)
            }
            Some((before, outcome)) if *before == answer => Taken::Again(outcome.clone()),
            Some(_) => Taken::Refused,
        }
    }

    fn fingerprint(&self, given: &InputResponses) -> u64 {
        let given = given.iter().map(|(key, answer)| (key.clone(), answer.clone())).collect();
        self.hasher.hash_one(sorted(&Value::Object(given)).to_string())
    }
}

#[cfg(test)]
mod tests {
    use rmcp::model::CallToolResult;
    use serde_json::json;

    use super::*;

    const LIVES: Duration = Duration::from_secs(60);

    fn given(answer: Value) -> InputResponses {
        InputResponses::from([("question".to_owned(), answer)])
    }

    #[test]
    fn the_same_answer_gets_the_same_outcome_and_another_is_refused() {
        let (mut rounds, now) = (Rounds::default(), Instant::now());
        let round = Round { answers: vec![Answer::Declined] };
        rounds.keep("one".into(), round.clone(), now, LIVES);
        let Taken::First(kept, outcome) = rounds.take("one", &given(json!({"a": 1, "b": 2})), now)
        else {
            panic!("the first answer")
        };
        assert_eq!(kept, round);
        let Taken::Again(again) = rounds.take("one", &given(json!({"b": 2, "a": 1})), now) else {
            panic!("the same answer")
        };
        assert!(again.borrow().is_none(), "still at it");
        outcome.send_replace(Some(CallToolResult::success(Vec::new()).into()));
        assert!(again.borrow().is_some());
        assert!(matches!(rounds.take("one", &given(json!({"a": 2})), now), Taken::Refused));
    }

    #[test]
    fn rounds_are_forgotten_in_time_and_when_there_are_too_many() {
        let (mut rounds, now) = (Rounds::default(), Instant::now());
        let round = || Round { answers: Vec::new() };
        rounds.keep("old".into(), round(), now, LIVES);
        assert!(matches!(rounds.take("old", &given(json!(1)), now + LIVES), Taken::Refused));
        for number in 0..MAX_KEPT {
            rounds.keep(number.to_string(), round(), now, LIVES);
        }
        assert_eq!(rounds.kept.len(), MAX_KEPT);
        assert!(matches!(rounds.take("old", &given(json!(1)), now), Taken::Refused));
        assert!(matches!(rounds.take("0", &given(json!(1)), now), Taken::First(..)));
        assert!(matches!(rounds.take("foreign", &given(json!(1)), now), Taken::Refused));
    }
}
