//! Pauses between attempts.

use std::time::Duration;

/// Pauses that double with each failure in a row.
pub(crate) struct Backoff {
    shortest: Duration,
    longest: Duration,
    failures: u32,
}

impl Backoff {
    pub(crate) fn new((shortest, longest): (Duration, Duration)) -> Self {
        Self {
            shortest,
            longest,
            failures: 0,
        }
    }

    /// Failures since the last success.
    pub(crate) fn failures(&self) -> u32 {
        self.failures
    }

    pub(crate) fn succeed(&mut self) {
        self.failures = 0;
    }

    /// Counts a failure and tells how long to wait.
    pub(crate) fn fail(&mut self) -> Duration {
        let factor = 1 << self.failures.min(16);
        self.failures = self.failures.saturating_add(1);
        self.shortest.saturating_mul(factor).min(self.longest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_the_longest() {
        let mut backoff = Backoff::new((Duration::from_secs(1), Duration::from_secs(5)));
        let pauses: Vec<u64> = (0..5).map(|_| backoff.fail().as_secs()).collect();
        assert_eq!(pauses, [1, 2, 4, 5, 5]);
        assert_eq!(backoff.failures(), 5);
        backoff.succeed();
        assert_eq!(backoff.fail(), Duration::from_secs(1));
    }
}
