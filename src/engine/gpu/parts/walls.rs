//! Walls as the GPU has them, and what it cannot hold.

use super::law::{Held, LawPart};
use super::{Fill, Part, Pause};
use crate::base::error::Result;
use crate::base::fault::Faults;
use crate::base::fixed_point::{in_q30, vector, wide_value};
use crate::base::readable::quantity;
use crate::base::units::{DISPLACEMENT_BITS, POSITION_BITS, Units};
use crate::engine::gpu::scales::MOTION_MAX;
use crate::gpu::buffer_table::Counts;
use crate::gpu::constants::MOTION_SHIFT;
use crate::gpu::elements::body::BodyState;
use crate::gpu::elements::in_f64;
use crate::gpu::elements::pair::{WallMemory, WallResult};
use crate::gpu::elements::wall::{PlateDrive, WallState};
use crate::model::scenario::{Scenario, Servo, Wall};
use crate::model::snapshot::{WallContact, WallMotion};
use glam::{DVec3, Vec3Swizzles};

/// Refuses walls too fast for the step, and those that the solver cannot move.
pub(crate) fn refuse(scenario: &Scenario, units: &Units) -> Result<()> {
    let dt_s = units.time_s;
    let sweeps = scenario.method.contact_dynamics().is_some_and(|c| c.solver.sweeps());
    let too_fast = |v: f64| v * dt_s / units.length_m > f64::from(MOTION_MAX);
    let remedy = match scenario.method.contact_dynamics() {
        Some(_) => "lower it or run.time_step_s, or raise contact_dynamics.speed_max_m_s",
        None => "lower it, or lower run.time_step_s",
    };
    let fault = |wall: &Wall| {
        let (name, step) = (&wall.name, quantity(dt_s, "s"));
        if wall.servo.is_some() && sweeps {
            let what = format!("Gauss-Seidel iterations cannot move the wall `{name}` by force");
            Some(scenario.fault("contact_dynamics.solver", what, "use \"jacobi\" or \"auto\""))
        } else if too_fast(wall.velocity_m_s.abs().max_element()) {
            let what = format!("{} is too fast for a step of {step}", quantity(wall.velocity_m_s.length(), "m/s"));
            Some(scenario.fault(&format!("wall.{name}.velocity_m_s"), what, remedy))
        } else {
            let speed = wall.servo.and_then(|s| s.speed_max_m_s).filter(|v| too_fast(*v))?;
            let what = format!("{} is too fast for a step of {step}", quantity(speed, "m/s"));
            Some(scenario.fault(&format!("wall.{name}.servo_speed_max_m_s"), what, remedy))
        }
    };
    Faults::of(scenario.walls.iter().filter_map(fault).collect()).check()
}

/// Walls of a run.
pub struct WallsPart {
    /// at the start
    pub planes: Vec<WallState>,
    drives: Vec<PlateDrive>,
}

/// Makes room for walls that answer to force.
pub(crate) fn counts(scenario: &Scenario, counts: Counts) -> Counts {
    if scenario.has_servo() { counts.with_plates() } else { counts }
}

impl WallsPart {
    /// Walls `ahead_s` after the instant at which they are typed; `turns`: in a turning frame of contact dynamics.
    pub(crate) fn new(scenario: &Scenario, units: &Units, ahead_s: f64, turns: bool) -> WallsPart {
        let plane = |wall| WallState { turns: turns.into(), ..state_of(wall, units, ahead_s) };
        WallsPart { planes: scenario.walls.iter().map(plane).collect(), drives: drives(scenario, units) }
    }
}

impl Part for WallsPart {
    fn fill(&self, to: &Fill) -> Result<()> {
        to.write("wall_plane", &self.planes)?;
        to.write("plate_drive", &self.drives)
    }
}

/// Drives of walls that answer to force; none if there are none.
fn drives(scenario: &Scenario, units: &Units) -> Vec<PlateDrive> {
    let drive = |servo: &Servo| {
        let kick = servo.force_n / servo.mass_kg * units.acceleration();
        let speed = servo.speed_max_m_s.map_or(f32::MAX, |v| (v * units.time_s / units.length_m) as f32);
        PlateDrive { kick: kick as f32, speed_max: speed }
    };
    let walls = scenario.walls.iter().filter(|_| scenario.has_servo());
    walls.map(|w| w.servo.as_ref().map_or(PlateDrive::default(), drive)).collect()
}

/// A wall as the GPU has it at the start, `ahead_s` after the instant at which it is typed.
pub(crate) fn state_of(wall: &Wall, units: &Units, ahead_s: f64) -> WallState {
    let (position, ahead) = (units.absolute_position(wall.point_m), units.way(wall.velocity_m_s * ahead_s));
    let velocity = wall.velocity_m_s.to_array().map(|v| units.displacement(v));
    let turned = |axis: DVec3| wall.block.map_or(DVec3::ZERO, |b| b.orientation * axis);
    let [normal, axis_x, axis_y] =
        [wall.normal.normalize(), turned(DVec3::X), turned(DVec3::Y)].map(|axis| in_q30(axis.to_array()));
    // Along the normal first: a block's own z axis.
    let half = wall.block.map_or(DVec3::ZERO, |b| b.half_size_m.zxy()).to_array().map(|h| units.position(h));
    let end = wall.removal_step(units.time_s).map_or(u32::MAX, |step| step.min(u64::from(u32::MAX)) as u32);
    let mut state = WallState {
        material: wall.material as u32,
        normal,
        axis_x,
        axis_y,
        end,
        is_block: wall.block.is_some().into(),
        ..WallState::default()
    };
    state.set_point([0, 1, 2].map(|k| position[k].wrapping_add(ahead[k])));
    state.set_velocity(velocity);
    state.set_window(velocity.map(|v| (v >> MOTION_SHIFT) as u32));
    state.set_half(half);
    state
}

/// Height of a point over a wall (L) and the normal there, `offset` being its position less the wall's point (2^-38 L); of a
/// wall that no servo moves. Heights over faces are exact: positions in 2^-38 L, axes in 2^-30.
pub(crate) fn facing(wall: &WallState, offset: [i128; 3]) -> (f64, DVec3) {
    let axes = wall.axes();
    let axis = |a: usize| vector(axes[a].map(i64::from), 30);
    let along = |a: usize| (0..3).map(|k| offset[k] * i128::from(axes[a][k])).sum::<i128>();
    let length = |x: i128| wide_value(x, POSITION_BITS + 30);
    if wall.is_block == 0 {
        return (length(along(0)), axis(0));
    }
    let halves = wall.half();
    let half = |a: usize| i128::from(halves[a]) << 30;
    let beyond = [0, 1, 2].map(|a| length(along(a).abs() - half(a)));
    let out = DVec3::from_array(beyond).max(DVec3::ZERO);
    let side = |a: usize| if along(a) < 0 { -axis(a) } else { axis(a) };
    match (0..3).max_by(|a, b| beyond[*a].total_cmp(&beyond[*b])) {
        Some(a) if out == DVec3::ZERO || out.length() == out[a] => (beyond[a], side(a)),
        _ => {
            let height = out.length();
            (height, (0..3).map(|a| out[a] / height * side(a)).sum())
        }
    }
}

/// What the buffers have of contacts of soft spheres with walls.
pub(crate) struct WallRows<'a> {
    pub state: &'a [BodyState],
    pub result: &'a [WallResult],
    pub history: &'a [WallMemory],
}

impl WallsPart {
    /// Contacts of soft spheres, by body and wall.
    pub(crate) fn contacts(&self, at: &Pause, law: &LawPart, rows: &WallRows) -> Vec<WallContact> {
        let (units, count) = (at.units, self.planes.len());
        let mut list = vec![];
        let found = rows.result.iter().zip(rows.history).enumerate();
        for (c, (r, memory)) in found.filter(|(_, (r, _))| r.overlap > 0.0) {
            let (index, wall) = (c / count, c % count);
            let (k, plane) = (at.order[index] as usize, &self.planes[wall]);
            let radius = f64::from(units.radius(at.bodies.radius_m[k]));
            let position = rows.state[index].position;
            let (height, normal) = facing(plane, offset(plane, position, at.step));
            let overlap = radius - height;
            if overlap <= 0.0 {
                continue;
            }
            let energy = law.energy(&Held {
                between: [at.bodies.material[k], plane.material],
                radius,
                overlap,
                before: r.overlap.into(),
                first: memory.first,
                second: memory.second,
            });
            list.push(WallContact {
                body: k as u32,
                wall: wall as u32,
                overlap_m: overlap * units.length_m,
                force_n: in_f64(r.force) / units.force(),
                at_m: (plane.is_block == 1)
                    .then(|| units.absolute_position_m(position) - height * units.length_m * normal),
                torque_n_m: in_f64(r.torque) / units.energy(),
                elastic_j: energy / units.energy(),
            });
        }
        list.sort_by_key(|c| (c.body, c.wall));
        list
    }

    /// Walls of contact dynamics at the instant, along their normals; none unless some answer to force.
    pub(crate) fn motion(&self, at: &Pause) -> Result<Vec<WallMotion>> {
        let units = at.units;
        let states: Vec<WallState> = at.buffers.read(at.gpu, "wall_plane", self.drives.len())?;
        let wall = |(now, start): (&WallState, &WallState)| {
            let normal = DVec3::from_array(now.normal.map(f64::from)).normalize();
            let speed_m_s = DVec3::from_array(now.velocity().map(|v| units.velocity_m_s(v))).dot(normal);
            let (here, there) = (now.point(), start.point());
            let moved = DVec3::from_array([0, 1, 2].map(|k| units.position_m(here[k] - there[k]))).dot(normal);
            // The point of a wall of typed velocity stays where it was at the first detection.
            let since = (at.step - u64::from(now.step)) as f64 + if now.step == 0 { at.earlier } else { 0.0 };
            WallMotion { travel_m: moved + speed_m_s * (since - at.earlier) * units.time_s, speed_m_s }
        };
        Ok(states.iter().zip(&self.planes).map(wall).collect())
    }
}

/// From a wall's point at a step to a position (2^-38 L).
fn offset(wall: &WallState, position: [i64; 3], step: u64) -> [i128; 3] {
    let (point, velocity) = (wall.point(), wall.velocity());
    [0, 1, 2].map(|axis| {
        let moved = (i128::from(velocity[axis]) * i128::from(step)) >> (DISPLACEMENT_BITS - POSITION_BITS);
        i128::from(position[axis]) - i128::from(point[axis]) - moved
    })
}
