//! Keys along a Hilbert curve: cells with neighbouring keys are neighbours.

use super::lbvh::morton63;

/// Key of a cell of 21 bits an axis (Skilling 2004). Every prefix of a key is a box, as with Morton keys.
///
/// The bits above the lowest 21 of each coordinate are ignored.
pub fn hilbert63(cell: [u32; 3]) -> u64 {
    let mut x = cell.map(|c| c & 0x1f_ffff);
    for bit in (1..21).rev().map(|k| 1 << k) {
        for axis in 0..3 {
            if x[axis] & bit != 0 {
                x[0] ^= bit - 1;
            } else {
                let differing = (x[0] ^ x[axis]) & (bit - 1);
                x[0] ^= differing;
                x[axis] ^= differing;
            }
        }
    }
    x[1] ^= x[0];
    x[2] ^= x[1];
    let turned = (1..21).filter(|k| x[2] >> k & 1 == 1).fold(0, |t, k| t ^ ((1 << k) - 1));
    morton63(x.map(|c| c ^ turned))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_curve_goes_from_each_cell_to_one_beside_it() {
        let mut cells: Vec<_> = (0..4096u32).map(|k| [k & 15, k >> 4 & 15, k >> 8]).collect();
        cells.sort_by_key(|c| hilbert63(*c));
        assert_eq!(hilbert63(cells[4095]) - hilbert63(cells[0]), 4095);
        for pair in cells.windows(2) {
            let step: u32 = (0..3).map(|a| pair[0][a].abs_diff(pair[1][a])).sum();
            assert_eq!(step, 1, "{pair:?}");
        }
    }

    #[test]
    fn the_upper_bits_of_a_key_name_a_box() {
        let key =
            |k: u32| hilbert63([k.wrapping_mul(2654435761), k.wrapping_mul(40503), k << 9].map(|c| c & 0x1f_ffff));
        assert!((0..4096).map(key).all(|k| k >> 63 == 0));
        let octant = |c: [u32; 3]| hilbert63(c) >> 60;
        let half = 1 << 20;
        for k in 0..8u32 {
            let corner = [k & 1, k >> 1 & 1, k >> 2].map(|b| b * half);
            assert_eq!(octant(corner), octant(corner.map(|c| c + half - 1)));
        }
    }
}
