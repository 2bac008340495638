//! Classes of body sizes, for counts by size.

use serde::Serialize;

/// Up to this many different radii each is a class of its own.
const FEW: usize = 12;
/// Otherwise so many classes, of equal ratio between their ends.
const CLASSES: usize = 6;
/// Radii that differ by less are the same one.
const SAME: f64 = 1e-6;

/// Radii from one to another, both included.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Class {
    /// smallest (m)
    pub radius_min_m: f64,
    /// largest (m)
    pub radius_max_m: f64,
}

/// The classes of these radii, smallest first: a class for each of up to 12 different ones, else six of equal ratio.
pub fn classes(radius_m: &[f64]) -> Vec<Class> {
    let mut sorted = radius_m.to_vec();
    sorted.sort_by(f64::total_cmp);
    let mut list: Vec<Class> = vec![];
    for r in sorted.iter().copied() {
        match list.last_mut().filter(|c| r <= c.radius_min_m * (1.0 + SAME)) {
            Some(class) => class.radius_max_m = r,
            None => list.push(Class { radius_min_m: r, radius_max_m: r }),
        }
    }
    let (Some(first), Some(last)) = (sorted.first(), sorted.last()) else { return vec![] };
    if list.len() <= FEW {
        return list;
    }
    let end = |k: usize| if k == CLASSES { *last } else { first * (last / first).powf(k as f64 / CLASSES as f64) };
    (0..CLASSES).map(|k| Class { radius_min_m: end(k), radius_max_m: end(k + 1) }).collect()
}

/// How many of the bodies with these radii lie in each class; on a border in the upper one.
pub fn counts(classes: &[Class], radius_m: impl Iterator<Item = f64>) -> Vec<usize> {
    let mut counts = vec![0; classes.len()];
    for r in radius_m {
        counts[classes.partition_point(|c| c.radius_min_m <= r).saturating_sub(1)] += 1;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_sizes_are_classes_and_many_are_cut_evenly() {
        let three = classes(&[22.5, 7.5, 15.0, 7.5 * (1.0 + 1e-9), 15.0]);
        assert_eq!(three.iter().map(|c| c.radius_min_m).collect::<Vec<_>>(), [7.5, 15.0, 22.5]);
        assert_eq!(counts(&three, [7.5, 7.5 * (1.0 + 1e-9), 22.5, 15.0].into_iter()), [2, 1, 1]);
        let many: Vec<f64> = (0..=64).map(|k| 2f64.powf(f64::from(k) / 64.0 * 6.0)).collect();
        let six = classes(&many);
        assert_eq!(six.len(), 6);
        assert!(six.windows(2).all(|w| w[0].radius_max_m == w[1].radius_min_m));
        let counted = counts(&six, many.iter().copied());
        assert_eq!(counted.iter().sum::<usize>(), 65, "{counted:?}");
        assert!(counted.iter().all(|n| (10..=12).contains(n)), "{counted:?}");
        assert!(classes(&[]).is_empty());
    }
}
