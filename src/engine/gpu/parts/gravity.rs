//! Self-gravity, uniform and central fields of a scenario as the GPU takes them.

use super::{Fill, Part};
use crate::base::error::Result;
use crate::base::units::{G, Units};
use crate::engine::gpu::words::split;
use crate::gpu::buffer_table::Counts;
use crate::gpu::layout::GravityParams;
use crate::model::gravity::{TREE_ACCURACY, TREE_OPENING_ANGLE};
use crate::model::scenario::{GravitySource, Scenario, SelfGravityMethod};
use crate::physics::frame::axes::Axes;
use crate::physics::gravity::central::Central;
use glam::DVec3;

/// Bodies from which `auto` takes the tree: where it overtakes the direct sum on software devices (docs/method/performance.md).
/// Below this the direct sum is faster, and it is exact.
pub const TREE_FROM: usize = 6_000;

/// Units of `GravityParams::carry` in one radian.
const CARRY: f64 = 1_073_741_824.0; // 2^30

/// How self-gravity of `n` bodies is summed: the scenario's method with `Auto` decided.
pub fn self_gravity(scenario: &Scenario, n: usize) -> Option<SelfGravityMethod> {
    let typed = scenario.gravity.iter().find_map(|source| match source {
        GravitySource::SelfGravity { method, .. } => Some(*method),
        _ => None,
    })?;
    Some(match typed {
        SelfGravityMethod::Auto if n < TREE_FROM => SelfGravityMethod::Direct,
        SelfGravityMethod::Auto => SelfGravityMethod::TreeRelative { accuracy: TREE_ACCURACY },
        method => method,
    })
}

/// The one central field of a scenario. Fails if there are several.
pub(crate) fn sources(scenario: &Scenario) -> Result<Option<Central>> {
    let mut found = None;
    for central in scenario.gravity.iter().filter_map(Central::of) {
        if found.replace(central).is_some() {
            let what = "the GPU engine takes one source of the kinds central and uniform_sphere";
            return Err(scenario.fault("gravity", what, "keep one, and add the others as bodies").into());
        }
    }
    Ok(found)
}

/// Fields that are summed over bodies, and those of one centre.
pub struct GravityPart {
    /// uniform of the steps
    pub params: GravityParams,
    /// how self-gravity is summed; `None`: not at all
    pub self_gravity: Option<SelfGravityMethod>,
    /// there is a field that is held over steps
    pub held: bool,
    /// steps between evaluations of held fields
    pub every: u32,
}

/// Makes room for the tree of self-gravity.
pub(crate) fn counts(scenario: &Scenario, counts: Counts) -> Counts {
    use SelfGravityMethod::{TreeGeometric, TreeRelative};
    match self_gravity(scenario, counts.of("body") as usize) {
        Some(TreeGeometric { .. } | TreeRelative { .. }) => counts.with_tree(),
        _ => counts,
    }
}

impl GravityPart {
    /// Of `n` bodies in these units; `asteroid`: the asteroid attracts them.
    pub(crate) fn new(scenario: &Scenario, n: usize, units: &Units, asteroid: bool) -> Result<GravityPart> {
        let (self_gravity, central) = (self_gravity(scenario, n), sources(scenario)?);
        let every = scenario.held_steps();
        let (accuracy, opening_angle) = match self_gravity {
            Some(SelfGravityMethod::TreeRelative { accuracy }) => (accuracy, TREE_OPENING_ANGLE),
            Some(SelfGravityMethod::TreeGeometric { opening_angle }) => (0.0, opening_angle),
            _ => (0.0, 0.0),
        };
        let turn = Axes::of(scenario, units.time_s).map_or(DVec3::ZERO, |axes| axes.rotation_rad_s * units.time_s);
        let words = units.absolute_position(central.map_or(DVec3::ZERO, |c| c.position_m)).map(split);
        let params = GravityParams {
            gravity_constant: if self_gravity.is_some() { (G * units.mass_kg * units.gm()) as f32 } else { 0.0 },
            predict_steps: every - 1,
            body_count: n as u32,
            central_gm: central.map_or(0.0, |c| (c.gm_m3_s2 * units.gm()) as f32),
            central_radius: central.map_or(0.0, |c| (c.radius_m / units.length_m) as f32),
            central_low: words.map(|w| w[0]).into(),
            central_high: words.map(|w| w[1]).into(),
            accuracy: accuracy as f32,
            opening_angle: opening_angle as f32,
            carry: (turn * CARRY).round().as_ivec3(),
        };
        let held = self_gravity.is_some() || central.is_some() || asteroid;
        Ok(GravityPart { params, self_gravity, held, every })
    }
}

impl Part for GravityPart {
    fn fill(&self, to: &Fill) -> Result<()> {
        to.uniform("gravity_params", &self.params)?;
        to.uniform("measure_params", &GravityParams { predict_steps: 0, ..self.params })
    }
}
