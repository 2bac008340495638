//! From a scenario and its bodies to the contents of the buffers: order, scales, levels, and the features that the run has.

use super::capacity::Capacity;
use super::iterations::{COLOURS_FIRST, Iterations, settled};
use super::limits::refuse;
use super::parts::asteroid_field::AsteroidPart;
use super::parts::gravity::GravityPart;
use super::parts::law::LawPart;
use super::parts::orientation::Turning;
use super::parts::polyhedra::ShapeTables;
use super::parts::rigid::RigidPart;
use super::parts::surface::SurfacePart;
use super::parts::turning_frame::rows::sum_bits;
use super::parts::walls::WallsPart;
use super::parts::{Fill, Part, gravity, law, polyhedra, rigid, surface, turning_frame, walls};
use super::scales::{MOTION_MAX, radii, skin_half, units};
use super::start::{Start, body_words, morton_order};
use crate::base::error::Result;
use crate::base::units::Units;
use crate::gpu::buffer_table::Counts;
use crate::gpu::constants::{GROUPS_MAX, REQUEST_REBUILD};
use crate::gpu::elements::body::{BodyState, BodyView};
use crate::gpu::elements::control::Control;
use crate::gpu::elements::facet::Listed;
use crate::gpu::elements::work::PairArgs;
use crate::gpu::layout::Params;
use crate::model::body::Bodies;
use crate::model::scenario::{ContactDynamics, ContactSolver, Scenario};
use crate::physics::frame::Frame;
use crate::physics::frame::axes::Axes;
use crate::physics::gravity::asteroid_field::AsteroidField;
use crate::physics::surface::ground::Ground;

/// Everything the host writes before the first step: what every run has, and the features that only some have.
pub struct Prepared {
    /// the device is a software one
    pub software: bool,
    /// index in memory -> index in `Bodies`
    pub order: Vec<u32>,
    /// scales
    pub units: Units,
    /// counts for the buffer table
    pub counts: Counts,
    /// uniform
    pub params: Params,
    /// first contents of the control buffer
    pub control: Control,
    /// elements of `body_state`
    pub state: Vec<BodyState>,
    /// elements of `body_view`
    pub view: Vec<BodyView>,
    /// fields summed over bodies, and of one centre
    pub gravity: GravityPart,
    /// field of the asteroid, if it attracts
    pub asteroid: Option<AsteroidPart>,
    /// the contact law of soft spheres
    pub law: LawPart,
    /// contact dynamics
    pub rigid: RigidPart,
    /// how polyhedra turn
    pub turning: Turning,
    /// their shapes
    pub shapes: ShapeTables,
    /// walls
    pub walls: WallsPart,
    /// the asteroid's surface
    pub surface: SurfacePart,
}

/// Counts at the start of a run; the pair capacity grows when the neighbour list needs it.
pub fn first_counts(scenario: &Scenario, bodies: &Bodies, ground: Option<&Ground>) -> Counts {
    let parts = polyhedra::part_count(bodies);
    let hash = ((scenario.neighbours.hash_ratio * parts as f64) as u64).max(64).next_power_of_two();
    let (body, wall, material) = (bodies.len() as u64, scenario.walls.len() as u64, scenario.materials.len() as u64);
    let counts = Counts::new(body, wall, material, (4 * parts).max(64), hash);
    let counts = law::counts(scenario, bodies, counts);
    let counts = polyhedra::counts(bodies, counts);
    let counts = rigid::counts(scenario, bodies, counts);
    let counts = walls::counts(scenario, counts);
    let counts = surface::counts(ground, counts);
    let counts = turning_frame::counts(scenario, counts);
    gravity::counts(scenario, counts)
}

/// Makes everything for a GPU, or for a `software` device, which another solver may suit. Fails on what the GPU engine cannot hold.
pub fn prepare(scenario: &Scenario, bodies: &Bodies, dt_s: f64, software: bool) -> Result<Prepared> {
    refuse(scenario, bodies, dt_s)?;
    let (n, units) = (bodies.len(), units(scenario, bodies, dt_s));
    let order = morton_order(bodies, &units);
    let ground = Ground::of(scenario)?;
    let asteroid = AsteroidField::of(scenario)?;
    let counts = first_counts(scenario, bodies, ground.as_ref());
    let counts = asteroid.iter().fold(counts, |counts, field| field.counts(counts));
    let mut params = params(scenario, bodies, &units, &counts);
    let surface = SurfacePart::new(scenario, ground, &units)?;
    surface.set_params(&mut params, counts.of("facet_list"));
    let gravity = GravityPart::new(scenario, n, &units, asteroid.is_some())?;
    let gravity_next = if gravity.held { 0 } else { u32::MAX };
    let control = Control { request: REQUEST_REBUILD, fault_index: u32::MAX, gravity_next, ..Control::default() };

    let axes = Axes::of(scenario, dt_s);
    let ahead_s = scenario.method.contact_dynamics().map_or(0.0, |c| (1.0 - c.theta) * dt_s);
    let started = axes.map(|axes| axes.in_inertial_space(bodies));
    let started = Start { bodies: started.as_ref().unwrap_or(bodies), ahead_s, axes: axes.map(|a| a.to_detection()) };
    let (mut state, mut view) = body_words(&started, &order, &units);
    let mut turning = Turning::new(&started, &order, &units);
    turning.set_spins(&mut state, &mut view);
    let rigid = RigidPart::new(scenario, bodies, &order, &units, &turning, &params, &counts)?;
    let shapes = ShapeTables::of(bodies, &order, &units);
    shapes.extend(&mut state, &mut view, &mut turning.turn);
    let mut prepared = Prepared {
        software,
        order,
        units,
        counts,
        params,
        control,
        state,
        view,
        gravity,
        asteroid: asteroid.map(|field| AsteroidPart::new(field, &units, n)),
        law: LawPart::new(scenario, bodies, &units),
        rigid,
        turning,
        shapes,
        walls: WallsPart::new(scenario, &units, ahead_s, axes.is_some()),
        surface,
    };
    if let Some(settings) = settled(scenario, bodies, software) {
        prepared.set_solver(&settings);
    }
    Ok(prepared)
}

/// The uniform of all steps but for what the features say in it.
fn params(scenario: &Scenario, bodies: &Bodies, units: &Units, counts: &Counts) -> Params {
    let [impulse_bits, torque_bits] = sum_bits(bodies, units);
    let mut params = Params {
        uniform_gravity: units.acceleration_vec(scenario.uniform_m_s2()).into(),
        skin_half: skin_half(scenario, bodies, units),
        body_count: bodies.len() as u32,
        part_count: counts.of("part") as u32,
        wall_count: scenario.walls.len() as u32,
        material_count: scenario.materials.len() as u32,
        pair_capacity: counts.of("pair") as u32,
        hash_mask: counts.of("hash") as u32 - 1,
        overlap_max: scenario.guards.overlap_max as f32,
        motion_max: MOTION_MAX,
        gravity_every: scenario.held_steps(),
        frame_interval: Frame::of(scenario).interval(),
        reaction_slots: Frame::of(scenario).reaction_slots(),
        impulse_bits,
        torque_bits,
        wide_radius: f32::MAX,
        ..Params::default()
    };
    let [smallest, largest] = radii(bodies).map(|r| r / units.length_m);
    levels(&mut params, smallest, largest);
    params
}

/// Levels of the hash grid: each halves the cell, as long as a cell keeps a few coarse units and bodies need it.
pub(crate) fn levels(params: &mut Params, radius_min: f64, radius_max: f64) {
    let skin = 2.0 * f64::from(params.skin_half);
    let mut radius = radius_max;
    let mut count = 0;
    while count < 8 {
        let cell = ((2.0 * radius + skin) * 64.0).ceil() as u32 + 1;
        params.level_cell[count / 4][count % 4] = cell;
        params.level_radius[count / 4][count % 4] = (radius * (1.0 + 1e-6)) as f32;
        count += 1;
        radius *= 0.5;
        if cell < 8 || radius < radius_min {
            break;
        }
    }
    params.level_count = count as u32;
}

impl Prepared {
    /// Writes the first contents of all buffers.
    pub(super) fn fill(&self, to: &Fill) -> Result<()> {
        to.uniform("params", &self.params)?;
        to.write("control", &[self.control])?;
        for name in ["pair_args", "ground_args", "facet_args"] {
            to.write(name, &[args_over(0)])?;
        }
        to.write("body_state", &self.state)?;
        to.write("body_view", &self.view)?;
        let features: [&dyn Part; 7] =
            [&self.gravity, &self.law, &self.rigid, &self.turning, &self.shapes, &self.walls, &self.surface];
        features.into_iter().try_for_each(|part| part.fill(to))?;
        self.asteroid.iter().try_for_each(|part| Part::fill(part, to))
    }

    /// Bodies of this radius or more (L).
    pub(super) fn wide(&self, radius: f32) -> Vec<u32> {
        let radii = self.view.iter().take(self.order.len()).map(|view| view.radius);
        radii.zip(0..).filter(|(r, _)| *r >= radius).map(|(_, b)| b).collect()
    }

    /// Its counts with other room. Those of colours stay: no buffer that lives on has them.
    pub(super) fn counts_with(&self, room: &Capacity) -> Counts {
        let mut counts = self.counts.clone();
        counts.set_pair(room.pairs.into());
        counts.set_facet_list(room.facets.into());
        if room.contacts > 0 {
            counts.set_contact(room.contacts.into());
        }
        if room.crowded > 0 {
            counts.set_crowded();
        }
        counts.set_wide(self.wide(room.wide_radius).len() as u64, room.wide_facets.into());
        counts
    }

    /// Bodies of this radius or more (L) are wide, with room for `facets` in their lists. Gives the first contents of
    /// `wide_list`: the bodies in its rows.
    pub(super) fn set_wide(&mut self, radius: f32, facets: u32) -> Vec<Listed> {
        let wide = self.wide(radius);
        self.params.wide_radius = radius;
        self.params.wide_count = wide.len() as u32;
        self.params.wide_capacity = facets;
        self.counts.set_wide(wide.len() as u64, facets.into());
        self.params.wide_runs = self.counts.of("wide_run") as u32;
        wide.iter().map(|body| Listed { body: *body, at: 0 }).collect()
    }

    /// Makes the iterations those of the solver that `settings` name.
    pub(super) fn set_solver(&mut self, settings: &ContactDynamics) {
        self.counts.set_one_group(settings.solver == ContactSolver::GaussSeidelOneGroup);
        self.set_colours(if settings.solver.sweeps() { COLOURS_FIRST } else { 0 }, settings);
    }

    /// Makes the iterations those of Gauss-Seidel over `colours` colours, or with none Jacobi's.
    pub(super) fn set_colours(&mut self, colours: u32, settings: &ContactDynamics) {
        let solver = if colours > 0 { ContactSolver::GaussSeidel } else { ContactSolver::Jacobi };
        let iterations = Iterations::of(solver);
        self.counts.set_colour(colours.into());
        self.counts.set_one_group(colours > 0 && self.counts.has("one_group"));
        let d = &mut self.rigid.params;
        d.momentum = iterations.momentum.first as f32;
        d.momentum_first = iterations.momentum.iterations;
        d.look_every = iterations.look_every;
        d.iterations_max = settings.iterations_max;
        d.colour_capacity = colours;
    }
}

/// Arguments of dispatches over so many items, as `wgsl/neighbours/args.wgsl` has them.
pub(super) fn args_over(items: u32) -> PairArgs {
    let groups = items.div_ceil(64).max(1);
    let x = groups.min(GROUPS_MAX);
    PairArgs { x, y: groups.div_ceil(x), z: 1, pad: 0 }
}
