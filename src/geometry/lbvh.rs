//! Binary radix tree over bodies in the order of a Hilbert curve (Karras 2012, "Maximizing Parallelism in the
//! Construction of BVHs, Octrees, and k-d Trees"), in integers: the yardstick for a tree built on a GPU.

use super::hilbert::hilbert63;

/// Interleaves three 21-bit coordinates into a 63-bit Morton key, x in the highest bit of each triple.
///
/// The bits above the lowest 21 of each coordinate are ignored.
pub fn morton63(cell: [u32; 3]) -> u64 {
    cell.iter().fold(0, |key, &c| (key << 1) | spread(c))
}

/// Puts two zero bits between the neighbouring bits of a 21-bit number.
fn spread(c: u32) -> u64 {
    let mut x = u64::from(c) & 0x1f_ffff;
    x = (x | x << 32) & 0x001f_0000_0000_ffff;
    x = (x | x << 16) & 0x001f_0000_ff00_00ff;
    x = (x | x << 8) & 0x100f_00f0_0f00_f00f;
    x = (x | x << 4) & 0x10c3_0c30_c30c_30c3;
    (x | x << 2) & 0x1249_2492_4924_9249
}

/// Child of an inner node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Child {
    /// Inner node, index into [`Lbvh::nodes`].
    Node(usize),
    /// Sorted body, index into [`Lbvh::order`].
    Leaf(usize),
}

/// Inner node of the radix tree: its two children and the sorted bodies that it covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Node {
    /// Left and right child; together they cover `first..=last` without a gap.
    pub children: [Child; 2],
    /// First sorted body.
    pub first: usize,
    /// Last sorted body, included.
    pub last: usize,
}

/// Tree over `n` bodies: `n - 1` inner nodes, the root first; no node for fewer than two bodies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lbvh {
    /// Body of each sorted index.
    pub order: Vec<usize>,
    /// Inner nodes in Karras' numbering.
    pub nodes: Vec<Node>,
}

impl Lbvh {
    /// Builds the tree over unsigned 31-bit box coordinates; equal keys keep the order of the bodies.
    ///
    /// Keys take the upper 21 of the 31 bits of each axis.
    pub fn build(positions: &[[u32; 3]]) -> Lbvh {
        let key = |b: &usize| hilbert63(positions[*b].map(|c| c >> 10));
        let mut order: Vec<usize> = (0..positions.len()).collect();
        order.sort_by_key(key);
        let keys: Vec<u64> = order.iter().map(key).collect();
        let nodes = (0..keys.len().saturating_sub(1)).map(|i| node(&keys, i)).collect();
        Lbvh { order, nodes }
    }

    /// Groups of `size` sorted bodies, one after another, as (first, last); the last group has what is left.
    pub fn groups(&self, size: usize) -> Vec<(usize, usize)> {
        let n = self.order.len();
        (0..n).step_by(size).map(|first| (first, n.min(first + size) - 1)).collect()
    }
}

/// Length of the common prefix of two sorted keys, ties broken by index; -1 outside the list.
fn prefix(keys: &[u64], i: usize, j: i64) -> i64 {
    let Some(other) = usize::try_from(j).ok().and_then(|j| keys.get(j)) else {
        return -1;
    };
    match keys[i] ^ other {
        0 => 64 + i64::from((i as u64 ^ j as u64).leading_zeros()),
        difference => i64::from(difference.leading_zeros()),
    }
}

/// Range and split of inner node `i` (Karras 2012, figure 4).
fn node(keys: &[u64], i: usize) -> Node {
    let at = i as i64;
    let d = if prefix(keys, i, at + 1) > prefix(keys, i, at - 1) { 1 } else { -1 };
    let least = prefix(keys, i, at - d);
    let mut bound = 2;
    while prefix(keys, i, at + bound * d) > least {
        bound *= 2;
    }
    let mut length = 0;
    let mut step = bound / 2;
    while step > 0 {
        if prefix(keys, i, at + (length + step) * d) > least {
            length += step;
        }
        step /= 2;
    }
    let end = at + length * d;
    let common = prefix(keys, i, end);
    let mut split = 0;
    let mut step = length;
    while step > 1 {
        step = (step + 1) / 2;
        if prefix(keys, i, at + (split + step) * d) > common {
            split += step;
        }
    }
    let middle = (at + split * d + d.min(0)) as usize;
    let (first, last) = (at.min(end) as usize, at.max(end) as usize);
    let child = |index: usize, edge: usize| if index == edge { Child::Leaf(index) } else { Child::Node(index) };
    Node { children: [child(middle, first), child(middle + 1, last)], first, last }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numerical Recipes' linear congruential generator, upper bits.
    fn random(seed: &mut u64) -> u32 {
        *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (*seed >> 33) as u32
    }

    #[test]
    fn spreads_bits_of_each_axis() {
        for bit in 0..21 {
            assert_eq!(morton63([1 << bit, 0, 0]), 1 << (3 * bit + 2));
            assert_eq!(morton63([0, 1 << bit, 0]), 1 << (3 * bit + 1));
            assert_eq!(morton63([0, 0, 1 << bit]), 1 << (3 * bit));
        }
        assert_eq!(morton63([u32::MAX; 3]), u64::MAX >> 1);
    }

    #[test]
    fn groups_tile_the_bodies() {
        let mut seed = 3;
        let cloud: Vec<_> = (0..500).map(|_| [0; 3].map(|_: u32| random(&mut seed))).collect();
        let groups = Lbvh::build(&cloud).groups(32);
        assert_eq!((groups[0].0, groups[groups.len() - 1].1), (0, 499));
        assert!(groups.windows(2).all(|g| g[0].1 + 1 == g[1].0 && g[0].1 - g[0].0 == 31));
    }
}
