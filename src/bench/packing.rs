//! The settled packing of the bench: a simple cubic lattice of equal spheres, each pressed a little into its neighbours.
//!
//! The spheres on the faces are a million times heavier and hold the others together: all forces inside are balanced, so
//! nothing has to settle and no contact opens for [`STEPS_MAX`] steps. Left to itself such a lattice flies apart within a
//! few contact times; walls or gravity would add their own cost.
//!
//! The others begin a little beside their place and with slow spins, each its own, and come to rest where the forces of all
//! springs (normal, sliding, rolling, twisting) balance. The lattice is turned, as a pile has no axes. In a perfect lattice along
//! the axes all springs but the normal ones shrink on and on, and have components so small that their squares are no normal
//! numbers, on which some processors take ten times as long.

use crate::base::error::Result;
use crate::geometry::mass::ball_m3;
use crate::model::body::Bodies;
use crate::model::scenario::Scenario;
use crate::physics::laws::BuiltIn;
use crate::scenario::parse::parse;
use glam::{DMat3, DVec3, EulerRot};

/// Radius of every sphere (m).
pub const RADIUS_M: f64 = 0.1;
/// Overlap of every contact (m).
const OVERLAP_M: f64 = 1e-6;
/// How far a sphere begins from its place, along each axis, over the overlap.
const ASIDE: f64 = 0.1;
/// Mass of a sphere on a face over that of another one.
const HEAVY: f64 = 1e6;
/// Steps that the faces hold: pushed by k delta and of mass M = 10^6 m they move by delta in sqrt(2 M / k) = 50 s, and
/// by 0.4 delta in these steps of 1.6 ms.
pub const STEPS_MAX: u64 = 20_000;

const BODY: &str = r#"
friction_sliding = 0.5
[[bodies]]
generator = "list"
body = [{ position_m = [0, 0, 0], radius_m = 0.1 }]
"#;

/// The packing and what belongs to it.
pub struct Packing {
    /// materials and settings
    pub scenario: Scenario,
    /// spheres
    pub bodies: Bodies,
}

/// Sides of the most cubic box of at most `n` cells, and of no fewer than it must.
pub fn sides(n: usize) -> [usize; 3] {
    let root = (1..).take_while(|s: &usize| s.saturating_pow(3) <= n).last().unwrap_or(1);
    // A little less cubic if that gives n itself: 100,000 = 40 x 50 x 50.
    let exact = (root / 2 + 1..=root).rev().find_map(|a| {
        let rest = n.is_multiple_of(a).then_some(n / a)?;
        let b = (a..=rest).take_while(|b| b * b <= rest && *b <= 2 * a).filter(|b| rest.is_multiple_of(*b)).last()?;
        (rest / b <= 2 * a).then_some([a, b, rest / b])
    });
    exact.unwrap_or_else(|| {
        let b = (1..).take_while(|b: &usize| b * b <= n / root).last().unwrap_or(1);
        [root, b, n / root / b]
    })
}

/// About `n` spheres: as many as a box holds that is nearly a cube.
pub fn packing(n: usize, law: &dyn BuiltIn) -> Result<Packing> {
    let material = law.bench_material();
    let text = format!(
        "format = 1\n[run]\nduration_s = 1.0\ncontact_law = \"{}\"\n[[material]]\ndensity_kg_m3 = 3000.0\n{material}{BODY}",
        law.name()
    );
    let scenario = parse(&text, "bench", &[])?;
    let sides = sides(n);
    let n = sides.iter().product();
    let light = scenario.materials[0].density_kg_m3 * ball_m3(RADIUS_M);
    let cell = |k: usize| [k % sides[0], k / sides[0] % sides[1], k / sides[0] / sides[1]];
    let face = |k: usize| cell(k).iter().zip(sides).any(|(c, side)| *c == 0 || c + 1 == side);
    let turn = DMat3::from_euler(EulerRot::XYZ, 0.5, 0.4, 0.3);
    let position = |k: usize| turn * (DVec3::from_array(cell(k).map(|c| c as f64)) * (2.0 * RADIUS_M - OVERLAP_M));
    let mass = |k: usize| if face(k) { HEAVY * light } else { light };
    let mut bodies = Bodies::at_rest((0..n).map(position).collect(), vec![RADIUS_M; n], (0..n).map(mass).collect());
    for k in (0..n).filter(|k| !face(*k)) {
        // three low-discrepancy sequences from -1 to 1
        let aside = |ratio: f64| 2.0 * (k as f64 * ratio).fract() - 1.0;
        let beside = DVec3::new(aside(0.819_172_5), aside(0.671_043_6), aside(0.549_700_5));
        bodies.position_m[k] += ASIDE * OVERLAP_M * beside;
        let spin = |a, b| ((k * a) % b) as f64 * 1e-6;
        bodies.spin_rad_s[k] = DVec3::new(spin(7, 11), spin(5, 13), spin(3, 17));
    }
    Ok(Packing { scenario, bodies })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_are_nearly_cubes_and_nearly_full() {
        for (n, want) in [(1, [1, 1, 1]), (8_000, [20, 20, 20]), (100_000, [40, 50, 50]), (1_000_000, [100, 100, 100])]
        {
            assert_eq!(sides(n), want);
        }
        for n in [2, 3, 7, 11, 1_000, 10_000, 20_011, 77_312] {
            let [a, b, c] = sides(n);
            assert!(a * b * c <= n && 3 * a * b * c >= n, "{n}: {a} x {b} x {c}");
            assert!(a.max(b).max(c) <= 3 * a.min(b).min(c), "{n}: {a} x {b} x {c}");
        }
        assert_eq!(sides(10_000).iter().product::<usize>(), 10_000);
    }
}
