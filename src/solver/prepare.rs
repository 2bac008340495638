//! From a scenario and its bodies to the contents of the buffers: order, scales, levels, tables.

use super::frame::Frame;
use super::frame_rows::sum_bits;
use super::iterations::settled;
use super::layout::{BodyWords, DynamicsParams, GravityParams, LawRow, Params, control};
use super::limits::refuse;
use super::rigid::{self, Turning, dynamics_params, inertia_rows, rigid_laws};
use super::shapes::{self, ShapeTables};
use super::sources::{Sources, held_steps, self_gravity, sources, uniform};
use super::surface::{self, SurfaceTables};
use super::walls;
use crate::body::Bodies;
use crate::error::Result;
use crate::gravity::asteroid::AsteroidField;
use crate::gravity::tree;
use crate::reference::surface::ground::Ground;
use crate::scenario::closure::{ContactLaw, contact_law, material_stiffness};
use crate::scenario::model::{Method, NormalTension, Scenario, SelfGravityMethod, SoftLaw};
use crate::state::Counts;
use crate::units::Units;
use glam::DVec3;

/// Newton's constant [m3/(kg s2)], CODATA 2018.
pub const G: f64 = 6.674_30e-11;
/// Largest displacement per step (L): half of what a displacement window can hold for a difference.
pub const MOTION_MAX: f32 = 1.0 / 128.0;

/// Indices of the bodies along a Morton curve: neighbours in space become neighbours in memory. The curve starts at
/// the smallest coordinates, so a shift of the whole system does not change it.
pub fn morton_order(bodies: &Bodies) -> Vec<u32> {
    let low = bodies.position_m.iter().fold(DVec3::INFINITY, |a, b| a.min(*b));
    let high = bodies.position_m.iter().fold(DVec3::NEG_INFINITY, |a, b| a.max(*b));
    // Coarse on purpose: a cell of two diameters is no finer than needed, and rounding of a shifted system rarely
    // crosses it; ties keep the order of ids.
    let size = (high - low).max_element().max(f64::MIN_POSITIVE) / 1023.0;
    let key = |p: DVec3| {
        let c = ((p - low) / size).round();
        let spread = |v: f64| (0..10).fold(0u32, |k, b| k | (((v as u32) >> b) & 1) << (3 * b));
        spread(c.x) | spread(c.y) << 1 | spread(c.z) << 2
    };
    let mut order: Vec<u32> = (0..bodies.len() as u32).collect();
    order.sort_by_key(|i| (key(bodies.position_m[*i as usize]), *i));
    order
}

/// Everything the host writes before the first step.
pub struct Prepared {
    /// place in memory -> place in `Bodies`
    pub order: Vec<u32>,
    /// scales
    pub units: Units,
    /// counts for the buffer table
    pub counts: Counts,
    /// uniform
    pub params: Params,
    /// uniform of gravity
    pub gravity: GravityParams,
    /// uniform of contact dynamics; all 0 for soft spheres
    pub dynamics: DynamicsParams,
    /// rows of `rigid_law`; none for soft spheres
    pub rigid: Vec<[f32; 4]>,
    /// rows of `body_inertia`, walls last; none for soft spheres
    pub inertia: Vec<[f32; 4]>,
    /// what polyhedra have besides; none for spheres
    pub turning: Turning,
    /// their shapes
    pub shapes: ShapeTables,
    /// laws by pair of materials
    pub laws: Vec<LawRow>,
    /// which law they are of
    pub soft_law: SoftLaw,
    /// planes, five rows each
    pub walls: Vec<[u32; 4]>,
    /// boxes and facets of the asteroid; none without one
    pub surface: SurfaceTables,
    /// the same in f64, until the engine takes it
    pub ground: Option<Ground>,
    /// rows of `plate_drive`; none if no wall answers to force
    pub drives: Vec<[f32; 4]>,
    /// 16 words a body
    pub state: Vec<u32>,
    /// 4 rows a body
    pub view: Vec<[u32; 4]>,
    /// first contents of the control buffer
    pub control: [u32; control::WORDS],
    /// how self-gravity is summed; `None`: not at all
    pub self_gravity: Option<SelfGravityMethod>,
    /// steps between evaluations of held gravity
    pub gravity_every: u32,
    /// field of the asteroid, if it attracts
    pub asteroid: Option<AsteroidField>,
}

pub(super) fn split(x: i64) -> [u32; 2] {
    [x as u32, (x >> 32) as u32]
}

pub(super) fn low_high(units: &Units, p: DVec3) -> ([u32; 3], [u32; 3]) {
    let words = p.to_array().map(|x| split(units.position(x)));
    (words.map(|w| w[0]), words.map(|w| w[1]))
}

/// Counts at the start of a run; the pair capacity grows when the neighbour list needs it.
pub fn first_counts(scenario: &Scenario, bodies: &Bodies, ground: Option<&Ground>) -> Counts {
    let shapes = bodies.polyhedra.as_ref().map(|p| (shapes::part_count(p), shapes::data_rows(p)));
    let bodies = bodies.len() as u64;
    let parts = shapes.map_or(bodies, |s| s.0);
    let hash = ((scenario.neighbours.hash_ratio * parts as f64) as u64).max(64).next_power_of_two();
    let counts =
        Counts::new(bodies, scenario.walls.len() as u64, scenario.materials.len() as u64, (4 * parts).max(64), hash);
    let counts = match scenario.method {
        Method::SoftSphere => counts,
        Method::ContactDynamics(_) => counts.with_contacts((4 * parts).max(64)),
    };
    let counts = match Frame::of(scenario) {
        Frame::Inertial => counts,
        framed => counts.with_frame(framed.reaction_slots().into()),
    };
    let counts = if scenario.has_servo() { counts.with_plates() } else { counts };
    let counts = match shapes {
        Some((parts, rows)) => counts.with_polyhedra(parts, rows),
        None => counts,
    };
    let counts = match ground {
        Some(g) => counts.with_surface(g.tree.boxes.nodes.len() as u64, g.facets.len() as u64, (8 * bodies).max(64)),
        None => counts,
    };
    use SelfGravityMethod::{TreeGeometric, TreeRelative};
    match self_gravity(scenario, bodies as usize) {
        Some(TreeGeometric { .. } | TreeRelative { .. }) => counts.with_tree(),
        _ => counts,
    }
}

/// Smallest and largest radius of what the neighbour list holds: bodies, or parts of clumps about the mass centre (m).
pub(super) fn radii(bodies: &Bodies) -> [f64; 2] {
    let parts: Vec<f64> = match &bodies.polyhedra {
        None => bodies.radius_m.clone(),
        Some(p) => p.shapes.iter().flat_map(|s| s.parts.iter().map(|part| part.radius_m)).collect(),
    };
    [parts.iter().copied().fold(f64::INFINITY, f64::min), parts.iter().copied().fold(0.0, f64::max)]
}

pub(super) fn units(scenario: &Scenario, bodies: &Bodies, dt_s: f64) -> Units {
    let mut units = Units::new(radii(bodies)[1], bodies.mass_kg.iter().copied().fold(0.0, f64::max), dt_s);
    if scenario.method != Method::SoftSphere {
        // Large steps: what bodies may move in one is a part of L.
        let length_m = rigid::speed_m_s(scenario, bodies) * dt_s / f64::from(MOTION_MAX);
        units.length_m = units.length_m.max(length_m.max(f64::MIN_POSITIVE).log2().ceil().exp2());
    }
    units
}

/// Fills everything in. Fails on what the GPU engine cannot hold.
pub fn prepare(scenario: &Scenario, bodies: &Bodies, dt_s: f64) -> Result<Prepared> {
    refuse(scenario, bodies, dt_s)?;
    let (n, [radius_min, radius_max], units) = (bodies.len(), radii(bodies), units(scenario, bodies, dt_s));
    let order = morton_order(bodies);
    let ground = Ground::of(scenario)?;
    let asteroid = AsteroidField::of(scenario)?;
    let counts = first_counts(scenario, bodies, ground.as_ref());
    let counts = asteroid.iter().fold(counts, |counts, field| field.counts(counts));
    let (pair_capacity, hash) = (counts.of("pair"), counts.of("hash"));
    let laws = match scenario.method {
        Method::SoftSphere => laws(scenario, bodies, &units),
        Method::ContactDynamics(_) => vec![],
    };
    let self_gravity = self_gravity(scenario, n);
    let Sources { central, rotation } = sources(scenario)?;
    let gravity_every = held_steps(scenario);
    let held = self_gravity.is_some() || central.is_some() || asteroid.is_some();
    let [impulse_bits, torque_bits] = sum_bits(bodies, &units);
    let mut params = Params {
        uniform_gravity: units.acceleration_vec(uniform(scenario)),
        skin_half: (0.5 * scenario.neighbours.skin_radii * radius_max / units.length_m) as f32,
        body_count: n as u32,
        part_count: counts.of("part") as u32,
        wall_count: scenario.walls.len() as u32,
        material_count: scenario.materials.len() as u32,
        pair_capacity: pair_capacity as u32,
        hash_mask: hash as u32 - 1,
        overlap_max: scenario.guards.overlap_max as f32,
        motion_max: MOTION_MAX,
        gravity_every,
        frame_interval: Frame::of(scenario).interval(),
        reaction_slots: Frame::of(scenario).reaction_slots(),
        impulse_bits,
        torque_bits,
        ..Params::default()
    };
    levels(&mut params, radius_min / units.length_m, radius_max / units.length_m);
    let mut surface = SurfaceTables::default();
    if let Some(ground) = &ground {
        let turn = Frame::of(scenario).rotation_rad_s(scenario);
        surface::refuse(&scenario.name, ground, &units, turn.length())?;
        surface::set_params(&mut params, ground, counts.of("facet_list") as u32);
        surface = SurfaceTables::new(&ground.tree, &units);
    }
    let (central_low, central_high) = low_high(&units, central.map_or(DVec3::ZERO, |c| c.position_m));
    let (accuracy, opening_angle) = match self_gravity {
        Some(SelfGravityMethod::TreeRelative { accuracy }) => (accuracy, tree::OPENING_ANGLE),
        Some(SelfGravityMethod::TreeGeometric { opening_angle }) => (0.0, opening_angle),
        _ => (0.0, 0.0),
    };
    let gravity = GravityParams {
        gravity_constant: if self_gravity.is_some() { (G * units.mass_kg * units.gm()) as f32 } else { 0.0 },
        predict_steps: gravity_every - 1,
        body_count: n as u32,
        central_gm: central.map_or(0.0, |c| (c.gm_m3_s2 * units.gm()) as f32),
        central_radius: central.map_or(0.0, |c| (c.radius_m / units.length_m) as f32),
        central_low,
        central_high,
        accuracy: accuracy as f32,
        opening_angle: opening_angle as f32,
        ..GravityParams::default()
    };
    let mut words = [0; control::WORDS];
    words[control::REQUEST] = 1;
    words[control::FAULT_INDEX] = u32::MAX;
    words[control::GRAVITY_NEXT] = if held { 0 } else { u32::MAX };
    let ahead_s = scenario.method.contact_dynamics().map_or(0.0, |c| (1.0 - c.theta) * dt_s);
    let (mut state, mut view) = body_words(bodies, &order, &units, ahead_s);
    let walls = scenario.walls.iter().flat_map(|w| walls::rows(w, &units, ahead_s)).collect();
    let mut turning = Turning::new(bodies, &order, &units, ahead_s);
    let shapes = bodies.polyhedra.as_ref().map_or_else(ShapeTables::default, |p| ShapeTables::new(p, &order, &units));
    turning.set_spins(&mut state, &mut view);
    shapes.extend(&mut state, &mut view, &mut turning.turn);
    let (dynamics, rigid, inertia) = match &scenario.method {
        Method::SoftSphere => Default::default(),
        Method::ContactDynamics(c) => {
            let mut dynamics = dynamics_params(c, scenario, bodies, &units, &params)?;
            dynamics.rotation = (rotation * units.time_s).as_vec3().to_array();
            dynamics.candidate_count = counts.of("candidate") as u32;
            dynamics.contact_capacity = counts.of("contact") as u32;
            (dynamics, rigid_laws(scenario, &units), inertia_rows(scenario, bodies, &order, &units, &turning))
        }
    };
    let mut prepared = Prepared {
        order,
        units,
        counts,
        params,
        gravity,
        dynamics,
        rigid,
        inertia,
        turning,
        shapes,
        laws,
        soft_law: scenario.run.contact_law,
        walls,
        surface,
        ground,
        drives: walls::drives(scenario, &units),
        state,
        view,
        control: words,
        self_gravity,
        gravity_every,
        asteroid,
    };
    // Of a GPU: an engine on another device chooses anew.
    if let Some(settings) = settled(scenario, bodies, false) {
        prepared.set_solver(&settings);
    }
    Ok(prepared)
}

/// Levels of the hash grid: each halves the cell, as long as a cell keeps a few coarse units and bodies need it.
pub(crate) fn levels(params: &mut Params, radius_min: f64, radius_max: f64) {
    let skin = 2.0 * f64::from(params.skin_half);
    let mut radius = radius_max;
    let mut count = 0;
    while count < 8 {
        let cell = ((2.0 * radius + skin) * 64.0).ceil() as u32 + 1;
        params.level_cell[count] = cell;
        params.level_radius[count] = (radius * (1.0 + 1e-6)) as f32;
        count += 1;
        radius *= 0.5;
        if cell < 8 || radius < radius_min {
            break;
        }
    }
    params.level_count = count as u32;
}

fn laws(scenario: &Scenario, bodies: &Bodies, units: &Units) -> Vec<LawRow> {
    let stiffness = material_stiffness(scenario, bodies);
    let count = scenario.materials.len();
    let mut rows = vec![];
    for a in 0..count {
        for b in 0..count {
            let law = contact_law(scenario, &stiffness, a, b);
            rows.push(law_row(&law, units));
        }
    }
    rows
}

/// A law in code units.
pub(crate) fn law_row(law: &ContactLaw, units: &Units) -> LawRow {
    // C/sqrt(m) [sqrt(kg)/s]
    let damping = units.time_s / units.mass_kg.sqrt();
    LawRow {
        stiffness_normal: (law.stiffness_normal * units.stiffness()) as f32,
        stiffness_unloading: (law.stiffness_unloading * units.stiffness()) as f32,
        stiffness_sliding: (law.stiffness_sliding * units.stiffness()) as f32,
        damping_normal: (law.damping_normal * damping) as f32,
        damping_sliding: (law.damping_sliding * damping) as f32,
        friction_sliding: law.friction_sliding as f32,
        friction_rolling: law.friction_rolling as f32,
        friction_twisting: law.friction_twisting as f32,
        shape_parameter: law.shape_parameter as f32,
        cohesion: (4.0 * law.cohesion_pa * law.shape_parameter * units.force() * units.length_m.powi(2)) as f32,
        normal_floor: if law.tension == NormalTension::None { 0.0 } else { -1.0e37 },
        pad: 0.0,
    }
}

/// `ahead_s`: positions are stored so much later.
fn body_words(bodies: &Bodies, order: &[u32], units: &Units, ahead_s: f64) -> (Vec<u32>, Vec<[u32; 4]>) {
    let (mut state, mut view) = (vec![], vec![]);
    for &k in order {
        let k = k as usize;
        let words = BodyWords {
            position: (bodies.position_m[k] + bodies.velocity_m_s[k] * ahead_s).to_array().map(|x| units.position(x)),
            velocity: bodies.velocity_m_s[k].to_array().map(|v| units.displacement(v)),
            spin: (bodies.spin_rad_s[k] * units.time_s).as_vec3().to_array(),
            id: bodies.id[k],
            radius: units.radius(bodies.radius_m[k]),
            inverse_mass: (units.mass_kg / bodies.mass_kg[k]) as f32,
            material: bodies.material[k],
        };
        state.extend(words.state());
        view.extend(words.view());
    }
    (state, view)
}
