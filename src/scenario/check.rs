//! Questions that need scenario and bodies together: time step against stiffness, overlap at the expected speed,
//! bodies that overlap from the start, memory and disk.

use super::closure::{TimeStep, material_stiffness, time_step};
use super::model::Scenario;
use crate::body::Bodies;
use crate::error::{Error, Result};
use crate::state::{Counts, TABLE};
use serde::Serialize;

/// Largest time step over contact time that still resolves a collision.
const STEP_MAX: f64 = 0.1;

/// What a run will be.
#[derive(Debug, Serialize)]
pub struct Estimate {
    /// bodies
    pub bodies: usize,
    /// (kg)
    pub mass_kg: f64,
    /// time step and its reason
    pub time_step: TimeStep,
    /// steps
    pub steps: u64,
    /// largest overlap over radius when the largest body meets a fixed one at `speed_max_m_s`
    pub overlap_at_speed_max: Option<f64>,
    /// sqrt(3 pi / (32 G rho)) of the bodies' enclosing sphere (s)
    pub free_fall_s: f64,
    /// GPU memory (bytes)
    pub gpu_bytes: u64,
    /// frames, series and checkpoints (bytes)
    pub disk_bytes: u64,
}

/// Estimates and refuses what cannot work; all faults in one error.
pub fn check(scenario: &Scenario, bodies: &Bodies) -> Result<Estimate> {
    let mut faults = vec![];
    if bodies.is_empty() {
        return Err(Error::Usage(format!("{}: the generators made no bodies", scenario.name)));
    }
    let step = time_step(scenario, bodies);
    if step.dt_s > STEP_MAX * step.contact_time_s {
        faults.push(format!(
            "run.time_step_s: {} s is {:.0} % of the contact time {:.4e} s; at most {:.0} % resolves a collision, use \"auto\"",
            step.dt_s, 100.0 * step.dt_s / step.contact_time_s, step.contact_time_s, 100.0 * STEP_MAX
        ));
    }
    let overlap = first_overlap(bodies, scenario.guards.overlap_max);
    if let Some((i, j, ratio)) = overlap {
        faults.push(format!("bodies {i} and {j} overlap by {ratio:.3} of the smaller radius at the start; move them apart or raise guards.overlap_max"));
    }
    let steps = (scenario.run.duration_s / step.dt_s).ceil();
    if steps >= f64::from(u32::MAX) {
        faults.push(format!("run.duration_s: {steps:.3e} steps are more than a run can count (4.29e9); shorten it or soften the contacts"));
    }
    if !faults.is_empty() {
        return Err(Error::Usage(
            faults.iter().map(|f| format!("{}: {f}", scenario.name)).collect::<Vec<_>>().join("\n"),
        ));
    }
    Ok(estimate(scenario, bodies, step, steps as u64))
}

fn estimate(scenario: &Scenario, bodies: &Bodies, step: TimeStep, steps: u64) -> Estimate {
    let n = bodies.len() as u64;
    let stiffness = material_stiffness(scenario, bodies);
    let worst = (0..bodies.len()).filter_map(|k| {
        let m = bodies.material[k] as usize;
        let v = scenario.materials[m].speed_max_m_s?;
        Some(v * (bodies.mass_kg[k] / stiffness[m]).sqrt() / bodies.radius_m[k])
    });
    let mass_kg: f64 = bodies.mass_kg.iter().sum();
    let centre = bodies.position_m.iter().zip(&bodies.mass_kg).map(|(p, m)| *p * *m).sum::<glam::DVec3>() / mass_kg;
    let reach =
        (0..bodies.len()).map(|k| bodies.position_m[k].distance(centre) + bodies.radius_m[k]).fold(0.0, f64::max);
    let density = mass_kg / (4.0 / 3.0 * std::f64::consts::PI * reach.powi(3));
    let hash = ((scenario.neighbours.hash_ratio * n as f64) as u64).max(64).next_power_of_two();
    let counts = Counts::new(n, scenario.walls.len() as u64, scenario.materials.len() as u64, 8 * n, hash);
    Estimate {
        bodies: bodies.len(),
        mass_kg,
        steps,
        time_step: step,
        overlap_at_speed_max: worst.max_by(f64::total_cmp),
        free_fall_s: (3.0 * std::f64::consts::PI / (32.0 * crate::solver::prepare::G * density)).sqrt(),
        gpu_bytes: TABLE.iter().map(|s| s.bytes(&counts)).sum(),
        disk_bytes: (scenario.output.frames as u64 + 1) * n * 100
            + (scenario.output.series_rows as u64 + 1) * 1000
            + 2 * 1400 * n,
    }
}

/// The first pair that overlaps by more than `limit` of the smaller radius, by a sweep along x.
fn first_overlap(bodies: &Bodies, limit: f64) -> Option<(usize, usize, f64)> {
    let mut order: Vec<usize> = (0..bodies.len()).collect();
    order.sort_by(|a, b| {
        (bodies.position_m[*a].x - bodies.radius_m[*a]).total_cmp(&(bodies.position_m[*b].x - bodies.radius_m[*b]))
    });
    for (k, &i) in order.iter().enumerate() {
        for &j in &order[k + 1..] {
            if bodies.position_m[j].x - bodies.radius_m[j] > bodies.position_m[i].x + bodies.radius_m[i] {
                break;
            }
            let gap = bodies.position_m[i].distance(bodies.position_m[j]) - bodies.radius_m[i] - bodies.radius_m[j];
            let ratio = -gap / bodies.radius_m[i].min(bodies.radius_m[j]);
            if ratio > limit {
                return Some((i.min(j), i.max(j), ratio));
            }
        }
    }
    None
}
