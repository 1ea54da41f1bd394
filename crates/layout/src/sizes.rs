//! Shares of a container, in percent of its axis.

use std::sync::Arc;

use crate::limits::MIN_SHARE;
use crate::tree::{Axis, Item};

/// How far a sum may be from 100 before shares are scaled.
const TOLERANCE: f64 = 1e-9;

/// The share of each item along `axis`, in percent; together 100.
///
/// Items without a size share equally what the others leave. Where those leave less than
/// [`MIN_SHARE`] for each, an item without a size counts as an equal part of the whole, and all are
/// scaled.
#[must_use]
pub fn shares(items: &[Arc<Item>], axis: Axis) -> Vec<f64> {
    let equal = 100.0 / to_f64(items.len());
    let given: Vec<Option<f64>> = items.iter().map(|item| item.size.along(axis)).collect();
    let missing = to_f64(given.iter().filter(|share| share.is_none()).count());
    let left = 100.0 - given.iter().flatten().sum::<f64>();
    let fill = if left >= missing * MIN_SHARE { left / missing.max(1.0) } else { equal };
    scaled(given.into_iter().map(|share| share.unwrap_or(fill)).collect(), 100.0)
}

/// Scales shares so that they sum to `total`; leaves them alone if they already do.
pub(crate) fn scaled(mut shares: Vec<f64>, total: f64) -> Vec<f64> {
    let sum: f64 = shares.iter().sum();
    if sum > 0.0 && (sum - total).abs() > TOLERANCE {
        for share in &mut shares {
            *share = *share * total / sum;
        }
    }
    shares
}

/// Whether any of the items has a size along the axis.
pub(crate) fn any_given(items: &[Arc<Item>], axis: Axis) -> bool {
    items.iter().any(|item| item.size.along(axis).is_some())
}

/// Writes shares into items.
pub(crate) fn write(items: &mut [Arc<Item>], axis: Axis, shares: &[f64]) {
    for (item, share) in items.iter_mut().zip(shares) {
        set(item, axis, Some(*share));
    }
}

/// Writes one share, and copies the item only if that changes it.
pub(crate) fn set(item: &mut Arc<Item>, axis: Axis, share: Option<f64>) {
    if item.size.along(axis) != share {
        Arc::make_mut(item).size.set(axis, share);
    }
}

/// Settles the sizes of siblings: none has one, or all have, and these sum to 100. An only child
/// has none.
pub(crate) fn settle(items: &mut [Arc<Item>], axis: Axis) {
    match items {
        [only] => set(only, axis, None),
        _ if any_given(items, axis) => {
            let shares = shares(items, axis);
            write(items, axis, &shares);
        }
        _ => {}
    }
}

/// Whether [`settle`] would change something.
pub(crate) fn needs_settling(items: &[Arc<Item>], axis: Axis) -> bool {
    match items {
        [only] => only.size.along(axis).is_some(),
        _ if any_given(items, axis) => {
            let given = items.iter().filter_map(|item| item.size.along(axis));
            items.iter().any(|item| item.size.along(axis).is_none())
                || (given.sum::<f64>() - 100.0).abs() > TOLERANCE
        }
        _ => false,
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of items are small")]
pub(crate) const fn to_f64(count: usize) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(widths: &[Option<f64>]) -> Vec<Arc<Item>> {
        widths
            .iter()
            .map(|width| {
                let mut item = Item::window("w", "app");
                item.size.width = *width;
                Arc::new(item)
            })
            .collect()
    }

    #[test]
    fn shares_by_what_is_given() {
        for (given, expected) in [
            (vec![], vec![]),
            (vec![None], vec![100.0]),
            (vec![Some(30.0)], vec![100.0]),
            (vec![None, None, None, None], vec![25.0; 4]),
            (vec![Some(60.0), None], vec![60.0, 40.0]),
            (vec![Some(60.0), None, None], vec![60.0, 20.0, 20.0]),
            (vec![Some(20.0), Some(30.0)], vec![40.0, 60.0]),
            (vec![Some(80.0), Some(80.0)], vec![50.0, 50.0]),
            (vec![Some(100.0), None], vec![100.0 * 100.0 / 150.0, 50.0 * 100.0 / 150.0]),
        ] {
            assert_eq!(shares(&row(&given), Axis::Horizontal), expected, "{given:?}");
        }
        assert_eq!(shares(&row(&[Some(90.0), None]), Axis::Vertical), [50.0, 50.0]);
    }
}
