//! The closed loop: every lane sends its next request when its last one is answered.
//!
//! Answers count when the request was sent and the answer was complete inside the window, which opens after
//! the warm-up. The load generator runs on one thread, so that it never takes more than one core.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::pin::Pin;
use std::rc::Rc;
use std::time::{Duration, Instant};

use serde::Serialize;
use tokio::task::{JoinSet, LocalSet};
use tokio::time::sleep_until;

use crate::failure::Failure;
use crate::proc::{Watched, cpu_seconds, resident_kib};

/// How long a lane may take, after the window closed, to notice.
const GRACE: Duration = Duration::from_secs(30);

/// The options every load has.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Plan {
    /// Seconds before anything counts.
    #[arg(long, default_value = "0.5", value_parser = seconds)]
    pub(crate) warm_up: Duration,
    /// Seconds that count.
    #[arg(long, default_value = "2.5", value_parser = seconds)]
    pub(crate) measure: Duration,
    /// NAME=PID of a process whose processor time and memory go into the report; may be repeated.
    #[arg(long)]
    pub(crate) watch: Vec<Watched>,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "must be a number of seconds".to_owned())?;
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}

/// The time that counts, and what was counted.
#[derive(Debug)]
pub(crate) struct Window {
    opens: Instant,
    closes: Instant,
    nanoseconds: RefCell<Vec<u64>>,
    answer_bytes: Cell<Option<usize>>,
}

impl Window {
    /// Whether lanes should stop.
    pub(crate) fn closed(&self) -> bool {
        Instant::now() >= self.closes
    }

    /// Notes an operation that began at `began` and is complete now.
    pub(crate) fn record(&self, began: Instant) {
        let now = Instant::now();
        if began >= self.opens && now <= self.closes {
            self.nanoseconds.borrow_mut().push((now - began).as_nanos() as u64);
        }
    }

    /// Notes the length of an answer, where it is worth reporting.
    pub(crate) fn note_answer_bytes(&self, length: usize) {
        self.answer_bytes.set(Some(length));
    }
}

/// What one load found. Printed as one line of JSON.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    /// Operations that count.
    operations: usize,
    /// Operations per second of the window.
    per_second: f64,
    /// Of one operation.
    latency_ms: Latency,
    /// Length of the last answer, of loads whose answers are long.
    answer_bytes: Option<usize>,
    /// Seconds of processor time in the window; `load` is this process.
    cpu_seconds: BTreeMap<String, f64>,
    /// Length of the window.
    seconds: f64,
    /// Resident memory when the window closed.
    resident_kib: BTreeMap<String, u64>,
}

#[derive(Debug, Serialize)]
struct Latency {
    p50: f64,
    p99: f64,
    max: f64,
}

/// A task of the load.
pub(crate) type Lane = Pin<Box<dyn Future<Output = Result<(), Failure>>>>;

/// The tasks of a load.
#[derive(Default)]
pub(crate) struct Lanes {
    /// Send requests, record them, and end when the window has closed.
    pub(crate) asking: Vec<Lane>,
    /// Answer others for as long as those ask.
    pub(crate) serving: Vec<Lane>,
}

/// Runs the lanes until the window closes. The first failure of a lane fails the whole.
///
/// # Errors
/// What a lane failed with, a process that is gone, and a window without a single answer.
pub(crate) async fn run(
    plan: &Plan,
    lanes: impl FnOnce(&Rc<Window>) -> Lanes,
) -> Result<Report, Failure> {
    let opens = Instant::now() + plan.warm_up;
    let window = Rc::new(Window {
        opens,
        closes: opens + plan.measure,
        nanoseconds: RefCell::default(),
        answer_bytes: Cell::default(),
    });
    let lanes = lanes(&window);
    let mut watch = plan.watch.clone();
    watch.push(Watched { name: "load".to_owned(), pid: std::process::id() });

    let cpu_seconds = LocalSet::new()
        .run_until(async {
            let (mut asking, mut serving) = (JoinSet::new(), JoinSet::new());
            for lane in lanes.asking {
                asking.spawn_local(lane);
            }
            for lane in lanes.serving {
                serving.spawn_local(lane);
            }
            tokio::select! {
                used = async { tokio::try_join!(processor_time(&watch, &window), drain(&mut asking)) } => {
                    used.map(|(used, ())| used)
                }
                failure = first_failure(&mut serving) => Err(failure),
                () = sleep_until((window.closes + GRACE).into()) => {
                    Err(Failure::TimedOut("the last answer", GRACE.as_secs()))
                }
            }
        })
        .await?;

    let mut resident = BTreeMap::new();
    for Watched { name, pid } in &plan.watch {
        resident.insert(name.clone(), resident_kib(*pid)?);
    }
    let mut nanoseconds = window.nanoseconds.borrow_mut();
    if nanoseconds.is_empty() {
        return Err(Failure::protocol("no operation began and ended inside the window"));
    }
    let seconds = plan.measure.as_secs_f64();
    Ok(Report {
        operations: nanoseconds.len(),
        per_second: nanoseconds.len() as f64 / seconds,
        latency_ms: Latency::of(&mut nanoseconds),
        answer_bytes: window.answer_bytes.get(),
        cpu_seconds,
        seconds,
        resident_kib: resident,
    })
}

/// Processor time of each watched process between opening and closing of the window.
async fn processor_time(
    watch: &[Watched],
    window: &Window,
) -> Result<BTreeMap<String, f64>, Failure> {
    let now =
        || watch.iter().map(|watched| cpu_seconds(watched.pid)).collect::<Result<Vec<_>, _>>();
    sleep_until(window.opens.into()).await;
    let before = now()?;
    sleep_until(window.closes.into()).await;
    let after = now()?;
    Ok(watch
        .iter()
        .zip(before.iter().zip(&after))
        .map(|(watched, (before, after))| (watched.name.clone(), after - before))
        .collect())
}

/// Pends while no lane has failed.
async fn first_failure(running: &mut JoinSet<Result<(), Failure>>) -> Failure {
    match drain(running).await {
        Err(failure) => failure,
        Ok(()) => std::future::pending().await,
    }
}

async fn drain(running: &mut JoinSet<Result<(), Failure>>) -> Result<(), Failure> {
    while let Some(ended) = running.join_next().await {
        ended.map_err(|error| Failure::protocol(format!("a lane broke off: {error}")))??;
    }
    Ok(())
}

impl Latency {
    fn of(nanoseconds: &mut [u64]) -> Self {
        nanoseconds.sort_unstable();
        let at = |share: f64| {
            let rank = (nanoseconds.len() as f64 * share).ceil() as usize;
            nanoseconds.get(rank.saturating_sub(1)).map_or(0.0, |found| *found as f64 / 1e6)
        };
        Self { p50: at(0.50), p99: at(0.99), max: at(1.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_values_that_occurred() {
        let mut hundred: Vec<u64> = (1..=100).rev().map(|ms| ms * 1_000_000).collect();
        let latency = Latency::of(&mut hundred);
        assert_eq!((latency.p50, latency.p99, latency.max), (50.0, 99.0, 100.0));

        let latency = Latency::of(&mut [7_000_000]);
        assert_eq!((latency.p50, latency.p99, latency.max), (7.0, 7.0, 7.0));
    }

    #[tokio::test(flavor = "current_thread")]
    async fn a_failed_lane_fails_the_run_at_once() {
        let plan =
            Plan { warm_up: Duration::ZERO, measure: Duration::from_secs(3600), watch: Vec::new() };
        let broken = || -> Lane { Box::pin(async { Err(Failure::protocol("broken")) }) };
        let endless = || -> Lane { Box::pin(std::future::pending()) };
        for lanes in [
            Lanes { asking: vec![broken(), endless()], serving: vec![endless()] },
            Lanes { asking: vec![endless()], serving: vec![broken()] },
        ] {
            let error = run(&plan, |_| lanes).await.unwrap_err();
            assert_eq!(error.to_string(), "broken");
        }
    }
}
