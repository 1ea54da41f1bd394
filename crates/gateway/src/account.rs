//! Bytes on somebody's account.
//!
//! Whatever a peer makes the gateway remember is held on the peer's account,
//! and that on the account of all. Holding is refused when either is full;
//! dropping a [`Held`] gives the bytes back, so nothing can forget to.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A bound, and what of it is used.
#[derive(Debug)]
pub(crate) struct Account {
    bound: usize,
    used: AtomicUsize,
    parent: Option<Arc<Self>>,
}

/// An account is full.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Full {
    /// The bound that was reached.
    pub(crate) bound: usize,
    /// Whether it is the bound of all, not of one.
    pub(crate) of_all: bool,
}

impl Account {
    pub(crate) fn new(bound: usize) -> Arc<Self> {
        Arc::new(Self { bound, used: AtomicUsize::new(0), parent: None })
    }

    /// An account whose bytes count on this one, too.
    pub(crate) fn child(self: &Arc<Self>, bound: usize) -> Arc<Self> {
        Arc::new(Self { bound, used: AtomicUsize::new(0), parent: Some(self.clone()) })
    }

    pub(crate) fn used(&self) -> usize {
        self.used.load(Ordering::Relaxed)
    }

    /// Takes `bytes` until the result is dropped.
    pub(crate) fn hold(self: &Arc<Self>, bytes: usize) -> Result<Held, Full> {
        self.add(bytes)?;
        Ok(Held { account: self.clone(), bytes })
    }

    /// As [`Account::hold`], however full it is; for what is bounded otherwise.
    pub(crate) fn hold_anyway(self: &Arc<Self>, bytes: usize) -> Held {
        self.add_anyway(bytes);
        Held { account: self.clone(), bytes }
    }

    fn add_anyway(&self, bytes: usize) {
        self.used.fetch_add(bytes, Ordering::Relaxed);
        if let Some(parent) = &self.parent {
            parent.add_anyway(bytes);
        }
    }

    fn add(&self, bytes: usize) -> Result<(), Full> {
        let used = self.used.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes);
        let fits = if used > self.bound {
            Err(Full { bound: self.bound, of_all: self.parent.is_none() })
        } else {
            self.parent.as_ref().map_or(Ok(()), |parent| parent.add(bytes))
        };
        if fits.is_err() {
            self.used.fetch_sub(bytes, Ordering::Relaxed);
        }
        fits
    }

    fn subtract(&self, bytes: usize) {
        self.used.fetch_sub(bytes, Ordering::Relaxed);
        if let Some(parent) = &self.parent {
            parent.subtract(bytes);
        }
    }
}

/// Bytes taken from an account.
#[derive(Debug)]
pub(crate) struct Held {
    account: Arc<Account>,
    bytes: usize,
}

impl Held {
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Holds `bytes` instead of what was held; on refusal nothing changes.
    pub(crate) fn resize(&mut self, bytes: usize) -> Result<(), Full> {
        if bytes > self.bytes {
            self.account.add(bytes - self.bytes)?;
        } else {
            self.account.subtract(self.bytes - bytes);
        }
        self.bytes = bytes;
        Ok(())
    }
}

impl Held {
    /// As [`Held::resize`], however full the account is.
    pub(crate) fn set(&mut self, bytes: usize) {
        if bytes > self.bytes {
            self.account.add_anyway(bytes - self.bytes);
        } else {
            self.account.subtract(self.bytes - bytes);
        }
        self.bytes = bytes;
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.account.subtract(self.bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_account_refuses_and_a_drop_gives_back() {
        let all = Account::new(10);
        let one = all.child(8);
        let other = all.child(8);
        let held = one.hold(6).unwrap();
        assert_eq!(one.hold(3).unwrap_err(), Full { bound: 8, of_all: false });
        assert_eq!(other.hold(5).unwrap_err(), Full { bound: 10, of_all: true });
        assert_eq!((one.used(), other.used(), all.used()), (6, 0, 6));
        drop(held);
        assert_eq!(all.used(), 0);
    }

    #[test]
    fn resizing_keeps_the_old_size_when_refused() {
        let all = Account::new(10);
        let mut held = all.hold(4).unwrap();
        held.resize(9).unwrap();
        assert!(held.resize(11).is_err());
        assert_eq!((held.bytes(), all.used()), (9, 9));
        held.resize(2).unwrap();
        assert_eq!(all.used(), 2);
    }
}
