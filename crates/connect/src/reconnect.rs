//! How long to wait before trying again.

use std::time::Duration;

/// Backoff between attempts: doubling from [`first`](Self::first) to
/// [`longest`](Self::longest), each shortened by up to half at random, so that
/// the peers of a gateway that restarts do not all come back at once.
#[derive(Debug, Clone)]
pub struct Reconnect {
    /// Wait before the second attempt.
    pub first: Duration,
    /// No wait is longer.
    pub longest: Duration,
    /// Random numbers from 0 up to 1.
    pub random: fn() -> f64,
}

impl Default for Reconnect {
    fn default() -> Self {
        Self {
            first: Duration::from_millis(250),
            longest: Duration::from_secs(10),
            random: rand::random,
        }
    }
}

impl Reconnect {
    /// The wait after so many attempts that failed in a row; a link that was
    /// lost is waited for as after the first.
    pub(crate) fn wait(&self, failed: u32) -> Duration {
        let doublings = failed.saturating_sub(1).min(31);
        let full = self.first.saturating_mul(1 << doublings).min(self.longest);
        full.mul_f64(0.5 + 0.5 * (self.random)().clamp(0.0, 1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_the_longest() {
        let waits = |random| {
            let reconnect = Reconnect { random, ..Reconnect::default() };
            [1, 2, 3, 6, 7, 40, u32::MAX].map(|failed| reconnect.wait(failed).as_millis())
        };
        assert_eq!(waits(|| 1.0), [250, 500, 1000, 8000, 10_000, 10_000, 10_000]);
        assert_eq!(waits(|| 0.0), [125, 250, 500, 4000, 5000, 5000, 5000]);
    }
}
