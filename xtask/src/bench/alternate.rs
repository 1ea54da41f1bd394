//! Measurements side by side.

use super::load::Load;
use super::report::Arm;
use crate::failure::Failure;

/// Repeats that are thrown away before the first that counts: Node compiles what it has seen run.
const SETTLING: usize = 1;

/// Takes one measurement of a server.
pub(super) type Measure<'a> = &'a dyn Fn() -> Result<Load, Failure>;

/// Repeats measurements in turn, the order turned round each time, so that whatever changes on the machine
/// meanwhile meets all of them.
pub(super) fn alternate<const N: usize>(
    repeats: usize,
    arms: [(&str, Measure<'_>); N],
) -> Result<[Arm; N], Failure> {
    let mut found = arms.map(|(server, _)| Arm { server: server.to_owned(), runs: Vec::new() });
    for repeat in 0..SETTLING + repeats {
        let mut order: Vec<usize> = (0..N).collect();
        if repeat % 2 == 1 {
            order.reverse();
        }
        for at in order {
            let (_, measure) = &arms[at];
            let load = measure()?;
            if repeat >= SETTLING {
                found[at].runs.push(load);
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    #[test]
    fn repeats_alternate_and_the_first_round_is_thrown_away() {
        let log = RefCell::new(String::new());
        let measure = |name: char| {
            log.borrow_mut().push(name);
            Ok(Load::sample("s", log.borrow().len() as f64, 1.0))
        };
        let [a, b] = alternate(2, [("a", &|| measure('a')), ("b", &|| measure('b'))]).unwrap();
        assert_eq!(*log.borrow(), "abbaab");
        let rates = |arm: Arm| arm.runs.iter().map(|run| run.per_second).collect::<Vec<_>>();
        assert_eq!((rates(a), rates(b)), (vec![4.0, 5.0], vec![3.0, 6.0]));
    }
}
