//! An ordered list that can be frozen for next to nothing.
//!
//! A newcomer is told of everybody who is there. That list is as long as the
//! bus is large, and a slow socket takes its time to read it while the bus goes
//! on changing. So the list is kept in shared blocks: freezing it copies one
//! pointer per block, and a change afterwards copies the one block it touches.

use std::sync::Arc;

/// Entries per block: both the pointers a freeze copies (entries / 64) and the
/// pointers a change copies (at most 64) stay few.
const BLOCK: usize = 64;

/// Some neighbours.
type Block<K, T> = Vec<(K, Arc<T>)>;

/// Entries by ascending key.
#[derive(Debug)]
pub(crate) struct Roster<K, T> {
    blocks: Vec<Arc<Block<K, T>>>,
    len: usize,
}

/// A frozen list.
impl<K, T> Clone for Roster<K, T> {
    fn clone(&self) -> Self {
        Self { blocks: self.blocks.clone(), len: self.len }
    }
}

impl<K, T> Default for Roster<K, T> {
    fn default() -> Self {
        Self { blocks: Vec::new(), len: 0 }
    }
}

impl<K: Copy + Ord, T> Roster<K, T> {
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// How much a copy of the list costs, in bytes.
    pub(crate) fn handle_bytes(&self) -> usize {
        self.blocks.len() * size_of::<usize>()
    }

    /// Adds an entry whose key is above all others.
    pub(crate) fn push(&mut self, key: K, entry: T) {
        let entry = (key, Arc::new(entry));
        self.len += 1;
        match self.blocks.last_mut() {
            Some(block) if block.len() < BLOCK => Arc::make_mut(block).push(entry),
            _ => self.blocks.push(Arc::new(vec![entry])),
        }
    }

    pub(crate) fn get(&self, key: K) -> Option<&Arc<T>> {
        let (block, index) = self.find(key)?;
        self.blocks.get(block)?.get(index).map(|(_, entry)| entry)
    }

    pub(crate) fn remove(&mut self, key: K) -> Option<Arc<T>> {
        let (at, index) = self.find(key)?;
        let block = Arc::make_mut(self.blocks.get_mut(at)?);
        let (_, entry) = block.remove(index);
        self.len -= 1;
        self.tidy(at);
        Some(entry)
    }

    /// The entry at a place, counted as block and index within the block, or
    /// the first one after it; with its place.
    pub(crate) fn at(&self, place: (usize, usize)) -> Option<((usize, usize), &Arc<T>)> {
        let (mut block, mut index) = place;
        loop {
            match self.blocks.get(block)?.get(index) {
                Some((_, entry)) => return Some(((block, index), entry)),
                None => (block, index) = (block + 1, 0),
            }
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (K, &Arc<T>)> {
        self.blocks.iter().flat_map(|block| block.iter()).map(|(key, entry)| (*key, entry))
    }

    fn find(&self, key: K) -> Option<(usize, usize)> {
        let above = |block: &Arc<Block<K, T>>| block.last().is_some_and(|(last, _)| *last < key);
        let at = self.blocks.partition_point(above);
        let block = self.blocks.get(at)?;
        block.binary_search_by_key(&key, |(key, _)| *key).ok().map(|index| (at, index))
    }

    /// Keeps blocks from crumbling as entries go.
    fn tidy(&mut self, at: usize) {
        let len = |at: usize| self.blocks.get(at).map_or(BLOCK, |block| block.len());
        if len(at) == 0 {
            self.blocks.remove(at);
        } else if len(at) + len(at + 1) <= BLOCK / 2 {
            let next = self.blocks.remove(at + 1);
            if let Some(block) = self.blocks.get_mut(at) {
                Arc::make_mut(block).extend(next.iter().cloned());
            }
        }
    }
}

impl<K: Copy + Ord, T: Clone> Roster<K, T> {
    /// The entry, to be changed; copies it when a frozen list has it, too.
    pub(crate) fn edit(&mut self, key: K) -> Option<&mut T> {
        let (block, index) = self.find(key)?;
        let (_, entry) = Arc::make_mut(self.blocks.get_mut(block)?).get_mut(index)?;
        Some(Arc::make_mut(entry))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn list(roster: &Roster<u64, u64>) -> Vec<(u64, u64)> {
        roster.iter().map(|(key, entry)| (key, **entry)).collect()
    }

    proptest! {
        /// Against a plain list; and a frozen list never changes.
        #[test]
        fn behaves_like_a_list_and_freezes(steps in prop::collection::vec((0_u8..4, 0_usize..200), 0..600)) {
            let mut roster = Roster::default();
            let mut model: Vec<(u64, u64)> = Vec::new();
            let mut frozen = None;
            for (next, (kind, pick)) in (0_u64..).zip(steps) {
                match (kind, model.len()) {
                    (0 | 1, _) | (_, 0) => {
                        roster.push(next, next);
                        model.push((next, next));
                    }
                    (2, len) => {
                        let (key, _) = model.remove(pick % len);
                        prop_assert!(roster.remove(key).is_some());
                        prop_assert!(roster.get(key).is_none());
                    }
                    (_, len) => {
                        let entry = &mut model[pick % len];
                        entry.1 += 1;
                        *roster.edit(entry.0).unwrap() += 1;
                        if pick % 7 == 0 {
                            frozen = Some((roster.clone(), list(&roster)));
                        }
                    }
                }
                prop_assert_eq!(roster.len(), model.len());
            }
            prop_assert_eq!(list(&roster), model);
            if let Some((frozen, then)) = frozen {
                prop_assert_eq!(list(&frozen), then);
            }
            let mut place = (0, 0);
            let mut walked = Vec::new();
            while let Some((at, entry)) = roster.at(place) {
                walked.push(**entry);
                place = (at.0, at.1 + 1);
            }
            prop_assert_eq!(walked.len(), roster.len());
        }
    }
}
