//! Topics: patterns, and which of them a topic matches.
//!
//! Topics are segments joined by dots. In a pattern `*` is any one segment and
//! `>`, as the last one, is one or more.

use std::collections::{BTreeSet, HashMap};

use super::number::CallNo;

/// Patterns as a tree of their segments, so that finding the matching ones
/// costs what matches and not what is there.
#[derive(Debug, Default)]
pub(super) struct Topics {
    root: Node,
}

#[derive(Debug, Default)]
struct Node {
    children: HashMap<Box<str>, Self>,
    any: Option<Box<Self>>,
    /// Patterns that end here.
    here: BTreeSet<CallNo>,
    /// Patterns whose `>` stands here.
    rest: BTreeSet<CallNo>,
}

impl Topics {
    pub(super) fn insert(&mut self, pattern: &str, number: CallNo) {
        let mut node = &mut self.root;
        let mut segments = pattern.split('.').peekable();
        while let Some(segment) = segments.next() {
            if segment == ">" && segments.peek().is_none() {
                node.rest.insert(number);
                return;
            }
            node = match segment {
                "*" => node.any.get_or_insert_default(),
                segment => node.children.entry(segment.into()).or_default(),
            };
        }
        node.here.insert(number);
    }

    pub(super) fn remove(&mut self, pattern: &str, number: CallNo) {
        self.root.remove(pattern.split('.'), number);
    }

    /// The patterns that `topic` matches, in order of their making.
    pub(super) fn matching(&self, topic: &str) -> BTreeSet<CallNo> {
        let mut found = BTreeSet::new();
        let mut nodes = vec![&self.root];
        for segment in topic.split('.') {
            let mut next = Vec::new();
            for node in nodes {
                found.extend(&node.rest);
                next.extend(node.children.get(segment));
                next.extend(node.any.as_deref());
            }
            nodes = next;
        }
        found.extend(nodes.into_iter().flat_map(|node| &node.here));
        found
    }
}

impl Node {
    /// Removes a pattern, and what only it needed.
    fn remove<'a>(&mut self, mut segments: impl Iterator<Item = &'a str>, number: CallNo) {
        let Some(segment) = segments.next() else {
            self.here.remove(&number);
            return;
        };
        if segment == ">" {
            // Only the last one is the wildcard; the number stands in one place.
            self.rest.remove(&number);
        }
        if segment == "*" {
            if let Some(child) = &mut self.any {
                child.remove(segments, number);
                if child.is_empty() {
                    self.any = None;
                }
            }
        } else if let Some(child) = self.children.get_mut(segment) {
            child.remove(segments, number);
            if child.is_empty() {
                self.children.remove(segment);
            }
        }
    }

    fn is_empty(&self) -> bool {
        self.children.is_empty()
            && self.any.is_none()
            && self.here.is_empty()
            && self.rest.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_by_segment() {
        let mut topics = Topics::default();
        let mut names = super::super::number::Counter::new("n");
        let patterns = ["a.b", "a.*", "*.b", "a.>", ">", "*", "a", "a.*.c", "a.>.c", "", "a..b"];
        let numbers = patterns.map(|pattern| {
            let (number, _) = CallNo::next(&mut names);
            topics.insert(pattern, number);
            (number, pattern)
        });
        let matching = |topics: &Topics, topic| -> Vec<&str> {
            let found = topics.matching(topic);
            numbers.iter().filter(|(n, _)| found.contains(n)).map(|(_, pattern)| *pattern).collect()
        };
        for (topic, expected) in [
            ("a.b", &["a.b", "a.*", "*.b", "a.>", ">"][..]),
            ("a", &[">", "*", "a"]),
            ("a.b.c", &["a.>", ">", "a.*.c"]),
            ("a.>.c", &["a.>", ">", "a.*.c", "a.>.c"]),
            ("x.y.z", &[">"]),
            ("", &[">", "*", ""]),
            ("a..b", &["a.>", ">", "a..b"]),
        ] {
            assert_eq!(matching(&topics, topic), expected, "{topic}");
        }
        for (number, pattern) in numbers {
            topics.remove(pattern, number);
        }
        assert!(topics.root.is_empty());
    }
}
