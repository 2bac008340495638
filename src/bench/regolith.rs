//! Regolith on an asteroid that moves freely: grains ten layers deep on a face of a box of Bennu's size, in its gravity. Whole
//! steps by number of facets and by coupling interval, and what gravity and the neighbour list cost.

use super::packing::RADIUS_M;
use super::step::{gated, opened, step};
use super::{Open, Row, Rows};
use crate::base::error::Result;
use crate::engine::gpu::core::Due;
use crate::geometry::mass::ball_m3;
use crate::model::body::Bodies;
use crate::model::scenario::Scenario;
use crate::scenario::parse::parse;
use glam::DVec3;

/// Cuts of an edge of the box: 1,200, 49,152, 1,080,000 and 3,145,728 facets.
const CUTS: [u32; 4] = [10, 64, 300, 512];
/// That of the rows of coupling intervals.
const CUTS_COUPLED: u32 = 64;
/// Coupling intervals besides 1 (steps).
const INTERVALS: [u32; 3] = [4, 16, 64];
/// Edge of the box (m): that of Bennu's volume, as in the scenario.
const EDGE_M: f64 = 395.0;
const LAYERS: usize = 10;
/// Overlap of every contact (m).
const OVERLAP_M: f64 = 1e-6;
/// Mass of a grain on the sides and the top over that of another one: these hold the others together (see
/// [`super::packing`]) for [`STEPS_MAX`] steps, in which they move by a third of the overlap.
const HEAVY: f64 = 1e3;
const STEPS_MAX: u64 = 600;

const SCENARIO: &str = r#"
format = 1
[run]
duration_s = 1e5
time_step_s = 0.0017
[asteroid]
shape = { kind = "box", size_m = [395.0, 395.0, 395.0], subdivisions = 1 }
density_kg_m3 = 1194.0
rotation_period_s = "4.296 h"
[[material]]
density_kg_m3 = 3350.0
stiffness_normal_n_m = 1.0103e4
restitution_normal = 0.55
friction_sliding = 0.55
friction_rolling = 1.05
friction_twisting = 1.3
shape_parameter = 0.5
[[gravity]]
kind = "asteroid"
[[gravity]]
kind = "self"
[[bodies]]
generator = "list"
body = [{ position_m = [0, 0, 300], radius_m = 0.1 }]
"#;

/// About `n` grains: steps on boxes of few and of many facets with coupling in every step, then with longer intervals.
pub fn rows(open: &Open, n: usize) -> Result<Rows> {
    let bodies = pile(n);
    let by_facets = CUTS.map(|cuts| (cuts, 1));
    let by_interval = INTERVALS.map(|interval| (CUTS_COUPLED, interval));
    let rows = by_facets.into_iter().chain(by_interval).flat_map(|(cuts, interval)| {
        let what = || format!("regolith on {} facets, coupled every {interval} steps", 12 * cuts * cuts);
        match of(open, &bodies, cuts, interval, &what()) {
            Ok(rows) => rows.into_iter().map(Ok).collect(),
            Err(e) => vec![Err((what(), e))],
        }
    });
    Ok(rows.collect())
}

fn scenario(cuts: u32, interval: u32) -> Result<Scenario> {
    let facets = format!("asteroid.shape.subdivisions={cuts}");
    parse(SCENARIO, "bench", &[facets, format!("asteroid.coupling_interval={interval}")])
}

/// The step, and with coupling in every one the stages that are due at times.
fn of(open: &Open, bodies: &Bodies, cuts: u32, interval: u32, what: &str) -> Result<Vec<Row>> {
    let (scenario, n) = (scenario(cuts, interval)?, bodies.len());
    let mut engine = opened(open()?, &scenario, bodies, 32)?;
    let pairs = engine.core.list_statistics().0;
    let mut rows = vec![step(&mut engine, format!("{what}: step, {pairs} pairs"), n, STEPS_MAX)?];
    if interval == 1 {
        rows.push(gated(&mut engine, Due::Gravity, "gravity", format!("{what}: gravity"), n)?);
        rows.push(gated(&mut engine, Due::List, "neighbours", format!("{what}: neighbour list"), n)?);
    }
    Ok(rows)
}

/// A square lattice of columns on the face at +z, pressed into each other and into the face.
fn pile(n: usize) -> Bodies {
    let side = ((n / LAYERS) as f64).sqrt().max(1.0) as usize;
    let count = side * side * LAYERS.min(n);
    let light = 3350.0 * ball_m3(RADIUS_M);
    let pitch = 2.0 * RADIUS_M - OVERLAP_M;
    let cell = |k: usize| [k % side, k / side % side, k / side / side];
    let position = |k: usize| {
        let [x, y, z] = cell(k).map(|c| c as f64);
        let middle = 0.5 * (side as f64 - 1.0);
        let floor = 0.5 * EDGE_M + RADIUS_M - OVERLAP_M;
        DVec3::new(pitch * (x - middle), pitch * (y - middle), floor + pitch * z)
    };
    let outside = |k: usize| {
        let [x, y, z] = cell(k);
        x == 0 || y == 0 || x + 1 == side || y + 1 == side || z + 1 == LAYERS
    };
    Bodies::at_rest(
        (0..count).map(position).collect(),
        vec![RADIUS_M; count],
        (0..count).map(|k| if outside(k) { HEAVY * light } else { light }).collect(),
    )
}
