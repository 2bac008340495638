//! The study of the hash table (Song et al. 2024, Fig. 5): time of a neighbour list against table cells a grain, K/N. Half of the
//! grains lie on an asteroid, the others are on their way from its surface to 35 km, as after a mass shedding.

use super::packing::RADIUS_M;
use super::step::{gated, opened};
use super::{Open, Rows};
use crate::base::error::Result;
use crate::engine::gpu::core::Due;
use crate::model::body::Bodies;
use crate::scenario::parse::parse;
use glam::DVec3;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// The K/N that are requested; tables are powers of two, so each row shows the K/N that it got.
const RATIOS: [f64; 8] = [0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0];
/// Radii of the asteroid and of its Hill sphere (m).
const ASTEROID_M: f64 = 245.0;
const HILL_M: f64 = 35e3;
/// Layers of the grains that lie.
const LAYERS: usize = 10;

const SCENARIO: &str = r#"
format = 1
[run]
duration_s = 1.0
[[material]]
density_kg_m3 = 3350.0
stiffness_normal_n_m = 1.0103e4
restitution_normal = 0.55
friction_sliding = 0.55
[[bodies]]
generator = "list"
body = [{ position_m = [0, 0, 0], radius_m = 0.1 }]
"#;

/// A neighbour list of `n` grains for each size of the table.
pub fn rows(open: &Open, n: usize) -> Result<Rows> {
    let bodies = shed(n);
    let row = |ratio: &f64| {
        let scenario = parse(SCENARIO, "bench", &[format!("neighbours.hash_ratio={ratio}")])?;
        let mut engine = opened(open()?, &scenario, &bodies, 1)?;
        let cells = engine.core.counts_in_use().of("hash");
        let what = format!("neighbour list from the surface to 35 km, K/N {:.2}", cells as f64 / n as f64);
        gated(&mut engine, Due::List, "neighbours", what, n).map(Ok)
    };
    RATIOS.iter().map(row).collect()
}

/// Grains in a pile of touching layers, and as many at random between surface and Hill sphere, uniform in log r.
fn shed(n: usize) -> Bodies {
    let mut random = Pcg64Mcg::seed_from_u64(5);
    let side = (((n / 2) / LAYERS) as f64).sqrt() as usize + 1;
    let position = |k: usize| {
        if k < n / 2 {
            let [x, y, z] = [k % side, k / side % side, k / side / side].map(|c| 2.0 * RADIUS_M * c as f64);
            return DVec3::new(x, y, z + ASTEROID_M + RADIUS_M);
        }
        // Layers of the pile end 2 m above the surface.
        let r = (ASTEROID_M + 5.0) * (HILL_M / (ASTEROID_M + 5.0)).powf(random.random_range(0.0..1.0));
        let (z, turn): (f64, f64) = (random.random_range(-1.0..1.0), random.random_range(0.0..std::f64::consts::TAU));
        let flat = (1.0 - z * z).sqrt();
        r * DVec3::new(flat * turn.cos(), flat * turn.sin(), z)
    };
    Bodies::at_rest((0..n).map(position).collect(), vec![RADIUS_M; n], vec![14.0; n])
}
