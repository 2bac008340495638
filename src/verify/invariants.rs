//! What must hold of results whatever the input was: for single passes, property tests and `breccia verify`. Each says
//! in words where it is broken; none panics, however wrong the result is.

use crate::geometry::lbvh::{Child, Lbvh};

/// `Err` with the first broken index.
pub type Sound = Result<(), String>;

fn must(holds: bool, text: impl FnOnce() -> String) -> Sound {
    if holds { Ok(()) } else { Err(text()) }
}

/// `scanned(i)` is the sum of `values` before i, 2^32 - 1 if it is more; one longer than `values`, the total last.
pub fn is_exclusive_scan(values: &[u32], scanned: &[u32]) -> Sound {
    must(scanned.len() == values.len() + 1, || format!("{} sums of {} values", scanned.len(), values.len()))?;
    let mut sum = 0u32;
    for (index, s) in scanned.iter().enumerate() {
        must(*s == sum, || format!("sum before index {index}: {s}, not {sum}"))?;
        sum = sum.saturating_add(values.get(index).copied().unwrap_or(0));
    }
    Ok(())
}

/// `payload` is the stable order of `keys`, and `sorted` the keys in that order.
pub fn is_stable_sort(keys: &[u64], sorted: &[u64], payload: &[u32]) -> Sound {
    must(sorted.len() == keys.len() && payload.len() == keys.len(), || format!("{} of {}", sorted.len(), keys.len()))?;
    let mut wanted: Vec<u32> = (0..keys.len() as u32).collect();
    wanted.sort_by_key(|k| keys[*k as usize]);
    for (index, k) in wanted.iter().enumerate() {
        must(payload[index] == *k, || format!("index {index} holds body {}, not {k}", payload[index]))?;
        let key = keys[*k as usize];
        must(sorted[index] == key, || format!("index {index} holds key {:x}, not {key:x}", sorted[index]))?;
    }
    Ok(())
}

/// Every body has one leaf, every leaf and every inner node but the root has one parent, children tile their parent
/// without a gap, the root covers all `n` bodies.
pub fn is_radix_tree(tree: &Lbvh, n: usize) -> Sound {
    let inner = n.saturating_sub(1);
    must(tree.nodes.len() == inner, || format!("{} nodes over {n} bodies", tree.nodes.len()))?;
    let mut bodies = tree.order.clone();
    bodies.sort_unstable();
    must(bodies.into_iter().eq(0..n), || "the order is not a permutation of the bodies".into())?;
    let (mut leaf_parents, mut node_parents) = (vec![0; n], vec![0; inner]);
    for (index, node) in tree.nodes.iter().enumerate() {
        let mut ranges = [(0, 0); 2];
        for (range, child) in ranges.iter_mut().zip(node.children) {
            let (known, parents) = match child {
                Child::Leaf(l) => ((l < n).then_some((l, l)), leaf_parents.get_mut(l)),
                Child::Node(k) => (tree.nodes.get(k).map(|c| (c.first, c.last)), node_parents.get_mut(k)),
            };
            let (Some(known), Some(parents)) = (known, parents) else {
                return Err(format!("node {index}: child {child:?} does not exist"));
            };
            *range = known;
            *parents += 1;
        }
        let [a, b] = ranges;
        let tiles = (a.0, a.1 + 1, b.1) == (node.first, b.0, node.last);
        must(tiles, || format!("node {index}: children {a:?} {b:?} do not tile {}..={}", node.first, node.last))?;
    }
    if let Some(root) = tree.nodes.first() {
        must((root.first, root.last) == (0, n - 1), || format!("the root covers {}..={}", root.first, root.last))?;
        must(leaf_parents.iter().all(|k| *k == 1), || "a leaf has no parent, or two".into())?;
        let parents_right = node_parents[0] == 0 && node_parents[1..].iter().all(|k| *k == 1);
        must(parents_right, || "an inner node has no parent, or two".into())?;
    }
    Ok(())
}

/// Neighbours of body b are `list[offset[b]..offset[b + 1]]`, ascending, and together they are `pairs` (i < j) seen from
/// both sides.
pub fn is_neighbour_list(pairs: &[(u32, u32)], offset: &[u32], list: &[u32]) -> Sound {
    let mut wanted = vec![vec![]; offset.len().saturating_sub(1)];
    for &(i, j) in pairs {
        wanted[i as usize].push(j);
        wanted[j as usize].push(i);
    }
    for (body, wanted) in wanted.iter_mut().enumerate() {
        wanted.sort_unstable();
        let got = list.get(offset[body] as usize..offset[body + 1] as usize);
        must(got == Some(wanted), || format!("neighbours of body {body}: {got:?}, not {wanted:?}"))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numerical Recipes' linear congruential generator, upper bits.
    fn random(seed: &mut u64) -> u32 {
        *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (*seed >> 33) as u32
    }

    fn sound(tree: &Lbvh, n: usize) {
        is_radix_tree(tree, n).unwrap();
    }

    #[test]
    fn tree_is_sound_for_every_kind_of_cloud() {
        let mut seed = 7;
        for n in [0, 1, 2, 3, 7, 8, 9, 64, 1000] {
            sound(&Lbvh::build(&vec![[5; 3]; n]), n);
            let mut uniform: Vec<_> = (0..n).map(|_| [0; 3].map(|_: u32| random(&mut seed))).collect();
            sound(&Lbvh::build(&uniform), n);
            uniform.iter_mut().for_each(|p| *p = p.map(|c| c >> 22));
            if let Some(far) = uniform.last_mut() {
                *far = [(1 << 31) - 1; 3];
            }
            sound(&Lbvh::build(&uniform), n);
        }
    }
}
