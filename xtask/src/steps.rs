//! Steps with headings and durations; the first that fails is the last that runs.

use std::time::{Duration, Instant};

use crate::failure::Failure;

/// A run of steps.
#[derive(Debug)]
pub(crate) struct Steps {
    started: Instant,
    passed: usize,
}

impl Steps {
    /// Starts the clock.
    pub(crate) fn start() -> Self {
        Self { started: Instant::now(), passed: 0 }
    }

    /// Runs one step under its heading.
    pub(crate) fn step(
        &mut self,
        name: &str,
        work: impl FnOnce() -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        println!("\n=== {name}");
        let started = Instant::now();
        match work() {
            Ok(()) => {
                println!("=== {name}: passed in {}", readable(started.elapsed()));
                self.passed += 1;
                Ok(())
            }
            Err(failure) => {
                println!("=== {name}: failed after {}", readable(started.elapsed()));
                Err(failure)
            }
        }
    }

    /// The closing line of a run whose steps all passed.
    pub(crate) fn summary(&self) -> String {
        format!("all {} steps passed in {}", self.passed, readable(self.started.elapsed()))
    }
}

/// `0.4 s`, `12 s`, `3 min 7 s`.
fn readable(duration: Duration) -> String {
    let seconds = duration.as_secs();
    match seconds {
        0..10 => format!("{:.1} s", duration.as_secs_f64()),
        10..60 => format!("{seconds} s"),
        _ => format!("{} min {} s", seconds / 60, seconds % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_read_well() {
        for (milliseconds, text) in [
            (0, "0.0 s"),
            (449, "0.4 s"),
            (9_900, "9.9 s"),
            (59_999, "59 s"),
            (187_000, "3 min 7 s"),
        ] {
            assert_eq!(readable(Duration::from_millis(milliseconds)), text);
        }
    }

    #[test]
    fn the_first_failure_is_handed_on() {
        let mut steps = Steps::start();
        assert!(steps.step("good", || Ok(())).is_ok());
        let failure = steps.step("bad", || Err(Failure::new("no").with_code(Some(7)))).unwrap_err();
        assert_eq!(failure.code, 7);
        assert!(steps.summary().starts_with("all 1 steps passed"), "{}", steps.summary());
    }
}
