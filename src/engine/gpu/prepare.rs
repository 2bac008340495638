//! From a scenario and its bodies to the contents of the buffers: order, scales, levels, tables.

use super::frame_rows::sum_bits;
use super::iterations::{BUDGET, COLOURS_FIRST, Iterations, settled};
use super::limits::refuse;
use super::parts::law::{self, LawPart};
use super::parts::polyhedra::ShapeTables;
use super::parts::surface::SurfaceTables;
use super::parts::{polyhedra, surface, walls};
use super::rigid;
use super::rigid::{Turning, dynamics_params, inertia_rows, rigid_laws};
use super::scales::{MOTION_MAX, radii, skin_half, units};
use super::sources::{self_gravity, sources, uniform};
use super::start::{Start, body_words, morton_order};
use super::words::split;
use crate::base::error::Result;
use crate::base::units::{G, Units};
use crate::gpu::buffer_table::Counts;
use crate::gpu::elements::body::{BodyInertia, BodyState, BodyView};
use crate::gpu::elements::contact::RigidLaw;
use crate::gpu::elements::control::Control;
use crate::gpu::elements::wall::{PlateDrive, WallState};
use crate::gpu::layout::{DynamicsParams, GravityParams, Params};
use crate::model::body::Bodies;
use crate::model::gravity::TREE_OPENING_ANGLE;
use crate::model::scenario::{ContactDynamics, ContactSolver, Method, Scenario, SelfGravityMethod};
use crate::physics::frame::Frame;
use crate::physics::frame::axes::Axes;
use crate::physics::frame::coupling::LEGS;
use crate::physics::gravity::asteroid_field::AsteroidField;
use crate::physics::surface::ground::Ground;
use glam::DVec3;

/// Everything the host writes before the first step.
pub struct Prepared {
    /// index in memory -> index in `Bodies`
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
    /// laws of rigid bodies by pair of materials; none for soft spheres
    pub rigid: Vec<RigidLaw>,
    /// elements of `body_inertia`, walls last; none for soft spheres
    pub inertia: Vec<BodyInertia>,
    /// what polyhedra have besides; none for spheres
    pub turning: Turning,
    /// their shapes
    pub shapes: ShapeTables,
    /// the contact law of soft spheres
    pub law: LawPart,
    /// walls at the start
    pub walls: Vec<WallState>,
    /// boxes and facets of the asteroid; none without one
    pub surface: SurfaceTables,
    /// the same in f64, until the engine takes it
    pub ground: Option<Ground>,
    /// what servos do to walls; none if no wall answers to force
    pub drives: Vec<PlateDrive>,
    /// elements of `body_state`
    pub state: Vec<BodyState>,
    /// elements of `body_view`
    pub view: Vec<BodyView>,
    /// first contents of the control buffer
    pub control: Control,
    /// how self-gravity is summed; `None`: not at all
    pub self_gravity: Option<SelfGravityMethod>,
    /// steps between evaluations of held gravity
    pub gravity_every: u32,
    /// field of the asteroid, if it attracts
    pub asteroid: Option<AsteroidField>,
    /// the turning frame of contact dynamics
    pub axes: Option<Axes>,
}

fn low_high(units: &Units, p: DVec3) -> ([u32; 3], [u32; 3]) {
    let words = units.place(p).map(split);
    (words.map(|w| w[0]), words.map(|w| w[1]))
}

/// Counts at the start of a run; the pair capacity grows when the neighbour list needs it.
pub fn first_counts(scenario: &Scenario, bodies: &Bodies, ground: Option<&Ground>) -> Counts {
    let constants = law::constants(scenario, bodies) as u64;
    let shapes = bodies.polyhedra.as_ref().map(|p| (polyhedra::part_count(p), polyhedra::data_rows(p)));
    let bodies = bodies.len() as u64;
    let parts = shapes.map_or(bodies, |s| s.0);
    let hash = ((scenario.neighbours.hash_ratio * parts as f64) as u64).max(64).next_power_of_two();
    let counts =
        Counts::new(bodies, scenario.walls.len() as u64, scenario.materials.len() as u64, (4 * parts).max(64), hash);
    let counts = match scenario.method {
        Method::SoftSphere => counts.with_law(constants),
        Method::ContactDynamics(_) => counts.with_contacts((4 * parts).max(64)),
    };
    let counts = match Frame::of(scenario) {
        Frame::Inertial => counts,
        framed => counts.with_frame(LEGS, framed.reaction_slots().into()),
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
    let counts = if Axes::of(scenario, 1.0).is_some() { counts.with_turning_axes() } else { counts };
    use SelfGravityMethod::{TreeGeometric, TreeRelative};
    match self_gravity(scenario, bodies as usize) {
        Some(TreeGeometric { .. } | TreeRelative { .. }) => counts.with_tree(),
        _ => counts,
    }
}

impl Prepared {
    /// Bodies of this radius or more (L).
    pub(super) fn wide(&self, radius: f32) -> Vec<u32> {
        let radii = self.view.iter().take(self.order.len()).map(|view| view.radius);
        radii.zip(0..).filter(|(r, _)| *r >= radius).map(|(_, b)| b).collect()
    }

    /// Bodies of this radius or more (L) are wide, with room for `facets` in their lists. Gives the first contents of
    /// `wide_list`: a body every second word.
    pub(super) fn set_wide(&mut self, radius: f32, facets: u32) -> Vec<u32> {
        let wide = self.wide(radius);
        self.params.wide_radius = radius;
        self.params.wide_count = wide.len() as u32;
        self.params.wide_capacity = facets;
        self.counts.set_wide(wide.len() as u64, facets.into());
        self.params.wide_runs = self.counts.of("wide_run") as u32;
        wide.iter().flat_map(|b| [*b, 0]).collect()
    }
}

/// Fills everything in. Fails on what the GPU engine cannot hold.
pub fn prepare(scenario: &Scenario, bodies: &Bodies, dt_s: f64) -> Result<Prepared> {
    refuse(scenario, bodies, dt_s)?;
    let (n, [radius_min, radius_max], units) = (bodies.len(), radii(bodies), units(scenario, bodies, dt_s));
    let order = morton_order(bodies, &units);
    let ground = Ground::of(scenario)?;
    let asteroid = AsteroidField::of(scenario)?;
    let counts = first_counts(scenario, bodies, ground.as_ref());
    let counts = asteroid.iter().fold(counts, |counts, field| field.counts(counts));
    let (pair_capacity, hash) = (counts.of("pair"), counts.of("hash"));
    let self_gravity = self_gravity(scenario, n);
    let central = sources(scenario)?;
    let gravity_every = scenario.held_steps();
    let held = self_gravity.is_some() || central.is_some() || asteroid.is_some();
    let [impulse_bits, torque_bits] = sum_bits(bodies, &units);
    let mut params = Params {
        uniform_gravity: units.acceleration_vec(uniform(scenario)),
        skin_half: skin_half(scenario, bodies, &units),
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
        wide_radius: f32::MAX,
        ..Params::default()
    };
    levels(&mut params, radius_min / units.length_m, radius_max / units.length_m);
    let mut surface = SurfaceTables::none();
    if let Some(ground) = &ground {
        let turn = Frame::of(scenario).rotation_rad_s(scenario);
        surface::refuse(scenario, ground, &units, turn.length())?;
        surface::set_params(&mut params, ground, counts.of("facet_list") as u32);
        surface = SurfaceTables::new(&ground.tree, &units);
    }
    let (central_low, central_high) = low_high(&units, central.map_or(DVec3::ZERO, |c| c.position_m));
    let (accuracy, opening_angle) = match self_gravity {
        Some(SelfGravityMethod::TreeRelative { accuracy }) => (accuracy, TREE_OPENING_ANGLE),
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
    let gravity_next = if held { 0 } else { u32::MAX };
    let control = Control { request: 1, fault_index: u32::MAX, gravity_next, ..Control::default() };
    let ahead_s = scenario.method.contact_dynamics().map_or(0.0, |c| (1.0 - c.theta) * dt_s);
    let axes = Axes::of(scenario, dt_s);
    let started = axes.map(|axes| axes.in_inertial_space(bodies));
    let started = Start { bodies: started.as_ref().unwrap_or(bodies), ahead_s, axes: axes.map(|a| a.to_detection()) };
    let (mut state, mut view) = body_words(&started, &order, &units);
    let mut walls: Vec<_> = scenario.walls.iter().map(|w| walls::state_of(w, &units, ahead_s)).collect();
    walls.iter_mut().for_each(|wall| wall.turns = axes.is_some().into());
    let mut turning = Turning::new(&started, &order, &units);
    let shapes = bodies.polyhedra.as_ref().map_or_else(ShapeTables::default, |p| ShapeTables::new(p, &order, &units));
    turning.set_spins(&mut state, &mut view);
    shapes.extend(&mut state, &mut view, &mut turning.turn);
    let (dynamics, rigid, inertia) = match &scenario.method {
        Method::SoftSphere => Default::default(),
        Method::ContactDynamics(c) => {
            let mut dynamics = dynamics_params(c, scenario, bodies, &units, &params)?;
            axes.iter().for_each(|axes| rigid::set_axes(&mut dynamics, &axes.step()));
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
        law: LawPart::new(scenario, bodies, &units),
        walls,
        surface,
        ground,
        drives: walls::drives(scenario, &units),
        state,
        view,
        control,
        self_gravity,
        gravity_every,
        asteroid,
        axes,
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

impl Prepared {
    /// Makes the iterations those of the solver that `settings` name.
    pub(super) fn set_solver(&mut self, settings: &ContactDynamics) {
        self.set_colours(if settings.solver == ContactSolver::GaussSeidel { COLOURS_FIRST } else { 0 }, settings);
    }

    /// Makes the iterations those of Gauss-Seidel over `colours` colours, or with none Jacobi's.
    pub(super) fn set_colours(&mut self, colours: u32, settings: &ContactDynamics) {
        let solver = if colours > 0 { ContactSolver::GaussSeidel } else { ContactSolver::Jacobi };
        let iterations = Iterations::of(solver);
        self.counts.set_colour(colours.into());
        let d = &mut self.dynamics;
        d.momentum = iterations.momentum.first as f32;
        d.momentum_first = iterations.momentum.iterations;
        d.look_every = iterations.look_every;
        d.iterations_max = settings.iterations_max.unwrap_or(BUDGET);
        d.colour_capacity = colours;
    }
}
