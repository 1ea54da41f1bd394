//! Compiled schemas, the most recent of them kept.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::enforce::{Checker, Enforced};
use super::error::SchemaError;

/// Compiled schemas that are kept.
const KEPT: usize = 256;
/// Bytes that those may take, roughly.
const ROOM: usize = 64 * 1024 * 1024;

/// Compiles schemas and keeps those that were used last, up to 256 and 64 MiB.
#[derive(Debug, Default)]
pub struct Validators {
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    clock: u64,
    checkers: HashMap<u64, (u64, Arc<Checker>)>,
    room: usize,
}

impl Validators {
    /// The compiled form of `schema`.
    ///
    /// # Errors
    /// As [`Enforced::try_out`].
    pub fn get(&self, schema: &Enforced) -> Result<Arc<Checker>, SchemaError> {
        if let Some(checker) = self.lock(|kept| kept.get(schema.id)) {
            return Ok(checker);
        }
        let checker = Arc::new(schema.compile()?);
        self.lock(|kept| kept.insert(schema.id, Arc::clone(&checker)));
        Ok(checker)
    }

    fn lock<T>(&self, with: impl FnOnce(&mut Kept) -> T) -> T {
        with(&mut self.kept.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Kept {
    fn get(&mut self, id: u64) -> Option<Arc<Checker>> {
        self.clock += 1;
        let (used, checker) = self.checkers.get_mut(&id)?;
        *used = self.clock;
        Some(Arc::clone(checker))
    }

    fn insert(&mut self, id: u64, checker: Arc<Checker>) {
        self.remove(id);
        while (self.checkers.len() >= KEPT || self.room + checker.room > ROOM)
            && let Some(oldest) =
                self.checkers.iter().min_by_key(|(_, (used, _))| *used).map(|(id, _)| *id)
        {
            self.remove(oldest);
        }
        self.room += checker.room;
        self.checkers.insert(id, (self.clock, checker));
    }

    fn remove(&mut self, id: u64) {
        if let Some((_, checker)) = self.checkers.remove(&id) {
            self.room -= checker.room;
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::read_value;
    use super::*;

    #[test]
    fn the_ones_used_last_are_kept() {
        let validators = Validators::default();
        let schema = Enforced::new(&read_value(&json!({"type": "string"})).unwrap());
        let first = validators.get(&schema).unwrap();
        let others: Vec<_> = (0..KEPT)
            .map(|at| Enforced::new(&read_value(&json!({"const": at})).unwrap()))
            .collect();
        for other in &others[..KEPT - 1] {
            validators.get(other).unwrap();
        }
        assert!(Arc::ptr_eq(&first, &validators.get(&schema).unwrap()), "still kept");
        validators.get(&others[KEPT - 1]).unwrap();
        assert!(Arc::ptr_eq(&first, &validators.get(&schema).unwrap()), "others went first");
        for other in &others {
            validators.get(other).unwrap();
        }
        assert!(!Arc::ptr_eq(&first, &validators.get(&schema).unwrap()), "compiled again");
        assert_eq!(validators.lock(|kept| kept.checkers.len()), KEPT);
    }

    #[test]
    fn large_ones_leave_room_for_fewer() {
        let validators = Validators::default();
        for number in 0..40 {
            let patterns = (0..50)
                .map(|at| (format!("p{at}"), json!({"pattern": format!("^a{at}-{number}$")})));
            let patterns: serde_json::Map<_, _> = patterns.collect();
            let schema = read_value(&json!({"properties": patterns})).unwrap();
            validators.get(&Enforced::new(&schema)).unwrap();
        }
        let (kept, room) = validators.lock(|kept| (kept.checkers.len(), kept.room));
        assert!(kept > 10 && kept < 40 && room <= ROOM, "{kept} of {room} bytes");
    }
}
