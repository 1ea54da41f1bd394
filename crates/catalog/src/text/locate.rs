//! Where a field stands in the text of its record.

use super::walk::{Members, end_of_value, skip_blank};
use crate::report::Step;

/// The offset of the field in `text`, or of the nearest thing around it. For a member
/// that is its key.
pub(crate) fn locate(text: &str, path: &[Step<'_>]) -> usize {
    // `found` is what is pointed at, `value` where to look on.
    let (mut found, mut value) = (0, skip_blank(text, 0));
    for step in path {
        let next = match step {
            // The last of equal keys holds.
            Step::Key(key) => Members::new(text, value)
                .filter(|member| member.key == *key)
                .last()
                .map(|member| (member.key_at, member.value_at)),
            Step::Index(index) => element(text, value, *index).map(|at| (at, at)),
        };
        match next {
            Some(next) => (found, value) = next,
            None => break,
        }
    }
    found
}

fn element(text: &str, array: usize, index: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    if bytes.get(array) != Some(&b'[') {
        return None;
    }
    let (mut at, mut passed) = (array + 1, 0);
    loop {
        at = skip_blank(text, at);
        match bytes.get(at)? {
            b']' | b'}' => return None,
            b',' => at += 1,
            _ if passed == index => return Some(at),
            _ => {
                at = end_of_value(text, at).at.max(at + 1);
                passed += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_found_or_what_is_around_them() {
        let text = "{ \"details\": { \"url\": 1 },\n list: [ {}, { 'a.b': 2 } ] }";
        let at = |path: &[Step<'_>]| text.get(locate(text, path)..).unwrap();
        assert!(at(&[]).starts_with("{ \"details"));
        assert!(at(&[Step::Key("details"), Step::Key("url")]).starts_with("\"url\""));
        assert!(at(&[Step::Key("details"), Step::Key("no")]).starts_with("\"details\""));
        let path = [Step::Key("list"), Step::Index(1), Step::Key("a.b")];
        assert!(at(&path).starts_with("'a.b'"));
        assert!(at(&[Step::Key("list"), Step::Index(2)]).starts_with("list"));
        assert!(at(&[Step::Index(0)]).starts_with("{ \"details"));
    }
}
