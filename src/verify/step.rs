//! What opens and closes a step: what is due, and the leapfrog in fixed point.

use super::cloud::{Cloud, cases, random, uniform, vector};
use super::dynamics_gates::{UNTOUCHED, slot};
use super::harness::Harness;
use super::laws::windows;
use super::list::List;
use super::{Check, Family, Tally};
use crate::base::error::Result;
use crate::base::fixed_point;
use crate::base::units::DISPLACEMENT_BITS;
use crate::gpu::constants::{MOTION_SHIFT, PHASE_FIRST, PHASE_PAUSED, PHASE_RUNS, ROUNDING_STEP};
use crate::gpu::elements::body::{BodyState, BodyView, Field};
use crate::gpu::elements::control::Control;
use crate::gpu::elements::in_f64;
use crate::gpu::elements::pair::{PairResult, WallResult};
use crate::gpu::elements::work::{WorkArgs, WorkSlot};
use crate::gpu::layout::{BodyWords, Params, control};
use glam::{DVec3, Vec3};
use rand::RngExt;

/// The family.
pub const FAMILY: Family = Family {
    name: "step",
    compares: "What is due in a step, and the leapfrog in fixed point, against the same in integers; kicks against f64.",
    bounds: "Positions are integers; a kick is up to 20 terms at 6e-8.",
    checks: CHECKS,
};

/// The checks of this family.
const CHECKS: &[Check] = &[
    Check::exact(&["decide_work"], "gates and indirect arguments", decide_work),
    Check::exact(&["integrate_bodies"], "kick, drift, windows, faults in fixed point", |h, t| {
        h.in_forms(|h| drift(h, t))
    }),
    Check {
        passes: &["integrate_bodies"],
        what: "kick by pairs, walls and fields",
        unit: "of the sum of the terms' sizes",
        bound: 1e-6,
        reason: "up to 20 f32 terms, each product and sum rounded at 6e-8",
        compare: |h, t| h.in_forms(|h| kick(h, t)),
    },
    Check::exact(&["integrate_bodies"], "torques that no step takes", |h, t| h.in_forms(|h| torques(h, t))),
];

/// Gated dispatches; the last is behind those that the uniform counts.
fn slots() -> [WorkSlot; 5] {
    [[0, 3, 3], [1, 7, 1], [2, 65_535, 2], [3, 1, 1], [1, 11, 1]].map(|[gate, x, y]| slot(gate, x, y, 0))
}

fn decide_work(h: &mut Harness, t: &mut Tally) -> Result<()> {
    // more slots than the pass has lanes, and one that is not counted
    let slots: Vec<WorkSlot> = slots().into_iter().cycle().take(131).collect();
    let params = Params { gravity_every: 50, slot_count: 130, ..Params::default() };
    h.uniform("params", &params)?;
    h.fill("work_slot", &slots)?;
    // Bits: target reached, fault of a body, fault of a contact, overflow; then request and when gravity is due.
    for k in 0..16 * 9 {
        let set = |bit: u32| (k >> bit) & 1;
        let (request, due) = ([0, 1, 6][k as usize / 16 % 3], [99, 100, u32::MAX][k as usize / 48]);
        t.case(format!("bits {:04b}, request {request}, gravity due at {due} of 100", k % 16));
        let mut words = Control {
            step: 99,
            step_target: 100 - set(0),
            fault_body: 2 * set(1),
            fault_contact: 4 * set(2),
            overflow: set(3),
            request,
            gravity_next: due,
            ..Control::default()
        };
        h.fill("control", &[words])?;
        h.fill("work_args", &[UNTOUCHED; 131])?;
        h.fill("gravity_extent", &[6u32; 4])?;
        h.run("decide_work", 1)?;
        let runs = k % 16 == 0;
        let gravity = runs && due <= 99;
        let gate = u32::from(runs && request & 1 == 1) | (2 * u32::from(gravity));
        if gravity {
            words.gravity_next = 99 + 50;
        }
        let open = |s: &WorkSlot| match s.gate & gate {
            0 => WorkArgs::default(),
            _ => WorkArgs { x: s.groups_x, y: s.groups_y, z: 1 },
        };
        let wanted: Vec<_> = slots[..130].iter().map(open).chain([UNTOUCHED]).collect();
        t.equal("control", &h.read::<Control>("control")?, &[words]);
        t.equal("argument", &h.read::<WorkArgs>("work_args")?, &wanted);
        t.equal("extent", &h.read::<u32>("gravity_extent")?, &[if gravity { 0 } else { 6 }, 6, 6, 6]);
    }
    Ok(())
}

/// A displacement as passes hold it.
pub(super) fn fixed(x: f64) -> i64 {
    fixed_point::fixed(x, DISPLACEMENT_BITS)
}

/// What a step of number 12 adds to fractions.
pub(super) const ROUNDING: u32 = ROUNDING_STEP.wrapping_mul(12);

/// A change of velocity as steps add it: its size is rounded up if its fraction and 2^-32 `rounding` make one.
fn rounded(x: f64, rounding: u32) -> i64 {
    let size = x.abs() * 2f64.powi(DISPLACEMENT_BITS);
    let up = size.fract() + f64::from(rounding) * 2f64.powi(-32) >= 1.0;
    let whole = if size < 2f64.powi(-8) { 0 } else { size.trunc() as i64 + i64::from(up) };
    if x < 0.0 { -whole } else { whole }
}

/// How far a displacement moves a position, as steps round it.
pub(super) fn drifted(velocity: i64, rounding: u32) -> i64 {
    (velocity + i64::from(rounding >> 12)) >> 20
}

/// What the next instant must be: a body kicked by `field` alone, and what it asks for.
struct Next {
    state: Vec<BodyState>,
    view: Vec<BodyView>,
    words: Control,
}

fn next(cloud: &Cloud, field: &[Field], mut words: Control) -> Next {
    let (mut state, mut view, params) = (cloud.state(), roaming(cloud), cloud.params());
    let fault = |words: &mut Control, body: usize, bit: u32| {
        words.fault_body |= bit;
        words.fault_index = words.fault_index.min(body as u32);
    };
    let runs = words.phase != PHASE_PAUSED && words.fault_contact == 0;
    let part = if words.phase == PHASE_FIRST { 0.5 } else { 1.0 };
    for (k, body) in cloud.bodies.iter().enumerate().filter(|_| runs) {
        if !field[k].acceleration.iter().all(|a| a.is_finite()) {
            fault(&mut words, k, 1);
            continue;
        }
        let (mut moved, mut ahead) = (*body, *body);
        for (axis, a) in field[k].acceleration.iter().enumerate() {
            let a = f64::from(*a);
            moved.velocity[axis] += rounded(part * a, words.rounding);
            moved.position[axis] += drifted(moved.velocity[axis], words.rounding);
            ahead.velocity[axis] = moved.velocity[axis] + fixed(0.5 * a);
        }
        (state[k], ahead.position) = (moved.state(), moved.position);
        let now = ahead.view();
        let far = windows(&now.position, &view[k].anchor, 30);
        let BodyView { anchor, clump_or_room, .. } = view[k];
        view[k] = BodyView { anchor, clump_or_room, ..now };
        let speeds = DVec3::from_array(moved.velocity.map(|v| v as f64 * (-58f64).exp2()));
        stray(far.length(), speeds.length(), params.skin_half, &mut view[k], &mut words);
        // Who is alone may go 1 L in a step.
        let limit = if f32::from_bits(view[k].clump_or_room) > 0.0 { 1.0 } else { f64::from(params.motion_max) };
        if speeds.abs().max_element() > limit {
            fault(&mut words, k, 2);
        }
        if body.seen_spin().length() > std::f64::consts::PI {
            fault(&mut words, k, control::TURN.0);
        }
        if moved.position.iter().any(|x| (x >> 32).abs() > 1 << 29 || x >> 32 < -(1 << 29)) {
            fault(&mut words, k, 8);
        }
    }
    words.step += u32::from(runs && field[0].acceleration.iter().all(|a| a.is_finite()));
    Next { state, view, words }
}

/// A body `far` from its anchor (L) that goes `step` in a step: with room for another step it goes on from a new one, else it
/// asks for a list.
pub(super) fn stray(far: f64, step: f64, skin_half: f32, view: &mut BodyView, words: &mut Control) {
    let left = f64::from(f32::from_bits(view.clump_or_room)) * (1.0 - 1.2e-7) - far;
    if far > f64::from(skin_half) && left > 1.1 * step {
        (view.anchor, view.clump_or_room) = (view.position, (left as f32).to_bits());
    } else if far > f64::from(skin_half) {
        words.request |= 1;
    }
}

/// Views of bodies of which every second has room beyond its anchor.
pub(super) fn roaming(cloud: &Cloud) -> Vec<BodyView> {
    let mut view = cloud.view();
    view.iter_mut().step_by(2).for_each(|view| view.clump_or_room = 3.5f32.to_bits());
    view
}

/// Views are equal, and what is left of the room to the error of a corrected root, 2e-7 of up to 3.5 L, and of a sum.
pub(super) fn same_views(t: &mut Tally, mut found: Vec<BodyView>, wanted: &[BodyView]) {
    for (f, w) in found.iter_mut().zip(wanted) {
        let apart = f32::from_bits(f.clump_or_room) - f32::from_bits(w.clump_or_room);
        f.clump_or_room = if apart.abs() < 1e-6 { w.clump_or_room } else { f.clump_or_room };
    }
    t.equal("view", &found, wanted);
}

/// Fills everything that `integrate_bodies` reads besides forces: there are none.
fn fill_free(h: &mut Harness, cloud: &Cloud, field: &[Field], words: Control) -> Result<()> {
    h.uniform("params", &cloud.params())?;
    h.fill("control", &[words])?;
    h.fill("body_state", &cloud.state())?;
    h.fill("body_view", &roaming(cloud))?;
    h.fill("body_gravity", field)?;
    h.zeros("incident_offset", 4 * cloud.len() + 4)?;
    h.zeros("incident_pair", 16)?;
    h.zeros("pair_result", 2 * size_of::<PairResult>())?;
    h.zeros("wall_result", 32)
}

/// Fields over the whole range of exponents, so that every way of rounding to fixed point occurs.
pub(super) fn field(n: usize) -> Vec<Field> {
    let mut random = random(n as u64);
    let mut one = || {
        let size = f64::from(random.random_range(-66..-10)).exp2();
        (random.random_range(-2.0..2.0) * size) as f32
    };
    (0..n).map(|_| Field { acceleration: [one(), one(), one()], potential: one() }).collect()
}

fn drift(h: &mut Harness, t: &mut Tally) -> Result<()> {
    let mut clouds: Vec<Cloud> = cases().into_iter().map(|c| c.moving(1e-3, 8)).collect();
    clouds.push(uniform("at rest", 65, 3.0, (0.1, 0.4), 9));
    // Every body in turn breaks one rule: too fast, out of range, beyond the skin.
    let mut wild = uniform("wild", 200, 3.0, (0.1, 0.4), 10);
    wild.bodies[133].velocity[1] = -fixed(0.01);
    wild.bodies[130].velocity[1] = -fixed(0.9); // alone
    wild.bodies[131].position[2] = -(1 << 62) - (1 << 40);
    clouds.push(wild.clone());
    clouds.push(Cloud { name: "turning".into(), ..wild.clone() });
    clouds.last_mut().into_iter().for_each(|c| c.bodies[120].spin[1] = fixed(3.2));
    wild.name = "beyond the skin".into();
    wild.bodies[128].velocity[1] = -fixed(1.1);
    clouds.push(wild);
    for cloud in clouds {
        for (active, fault) in [(PHASE_RUNS, 0), (PHASE_FIRST, 0), (PHASE_PAUSED, 0), (PHASE_RUNS, 4)] {
            t.case(format!("{}, phase {active}, fault of contacts {fault}", cloud.name));
            let words = Control {
                step: 12,
                rounding: ROUNDING,
                fault_index: u32::MAX,
                phase: active,
                fault_contact: fault,
                ..Control::default()
            };
            let mut field = field(cloud.len());
            match cloud.name.as_str() {
                "wild" => field[140].acceleration[0] = f32::INFINITY,
                "beyond the skin" => [field[7].acceleration, field[8].acceleration] = [[0.03, 0.0, 0.0]; 2],
                _ => {}
            }
            fill_free(h, &cloud, &field, words)?;
            h.run("integrate_bodies", cloud.groups())?;
            let wanted = next(&cloud, &field, words);
            t.equal("state", &h.read::<BodyState>("body_state")?, &wanted.state);
            same_views(t, h.read("body_view")?, &wanted.view);
            t.equal("control", &h.read::<Control>("control")?, &[wanted.words]);
        }
    }
    Ok(())
}

/// Forces (w: touching) and torques, as `apply_contacts` and `apply_walls` leave them.
pub(super) fn forces(count: usize, seed: u64) -> Vec<[f32; 4]> {
    let mut random = random(seed);
    let mut row = |w: f64| (1e-5 * vector(&mut random)).extend(w).as_vec4().to_array();
    (0..count).map(|k| row(if k % 3 == 0 { 1.0 } else { 0.0 })).collect()
}

/// Such fields.
pub(super) fn fields(count: usize, seed: u64) -> Vec<Field> {
    let field = |[x, y, z, potential]: [f32; 4]| Field { acceleration: [x, y, z], potential };
    forces(count, seed).into_iter().map(field).collect()
}

/// The same as results of pairs; an even number, as the engine has.
pub(super) fn pair_results(count: usize, seed: u64) -> Vec<PairResult> {
    let of = |r: &[[f32; 4]]| PairResult { force: xyz(r[0]), torque: [xyz(r[1]), xyz(r[2])] };
    forces(3 * count.next_multiple_of(2), seed).chunks(3).map(of).collect()
}

/// The same of bodies and walls.
pub(super) fn wall_results(count: usize, seed: u64) -> Vec<WallResult> {
    let of = |r: &[[f32; 4]]| WallResult { force: xyz(r[0]), overlap: r[0][3], torque: xyz(r[1]), pad: 0 };
    forces(2 * count, seed).chunks(2).map(of).collect()
}

fn xyz([x, y, z, _]: [f32; 4]) -> [f32; 3] {
    [x, y, z]
}

fn kick(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for (cloud, phase) in cases().into_iter().flat_map(|c| [(c.clone(), 1), (c, 2)]) {
        t.case(format!("{}, phase {phase}", cloud.name));
        // the first step kicks by half
        let part = if phase == 2 { 0.5 } else { 1.0 };
        let cloud = cloud.moving(1e-4, 4);
        let list = List::of(cloud.len(), &cloud.neighbours());
        let params =
            Params { wall_count: 2, has_surface: 1, uniform_gravity: Vec3::new(1e-6, -3e-6, 2e-7), ..cloud.params() };
        let field = fields(cloud.len(), 5);
        let (pair, wall) = (pair_results(list.pair.len() + 1, 6), wall_results(3 * cloud.len(), 7));
        let words = Control { phase, rounding: ROUNDING, fault_index: u32::MAX, ..Control::default() };
        fill_free(h, &cloud, &field, words)?;
        h.uniform("params", &params)?;
        h.fill("incident_offset", &list.offset)?;
        h.fill("incident_pair", &[&list.side[..], &[0]].concat())?;
        h.fill("pair_result", &pair)?;
        h.fill("wall_result", &wall)?;
        h.run("integrate_bodies", cloud.groups())?;
        let (after, views): (Vec<BodyState>, Vec<BodyView>) = (h.read("body_state")?, h.read("body_view")?);
        for (b, body) in cloud.bodies.iter().enumerate() {
            let (mut force, mut torque) = (Sum::default(), Sum::default());
            for side in &list.side[list.offset[b] as usize..list.offset[b + 1] as usize] {
                let (result, second) = (&pair[(side / 2) as usize], side & 1);
                force.add(in_f64(result.force) * if second == 1 { -1.0 } else { 1.0 });
                torque.add(in_f64(result.torque[second as usize]));
            }
            for result in wall[2 * b..2 * b + 2].iter().filter(|r| r.overlap > 0.0) {
                force.add(in_f64(result.force));
                torque.add(in_f64(result.torque));
            }
            let surface = &wall[2 * cloud.len() + b];
            force.add(in_f64(surface.force));
            torque.add(in_f64(surface.torque));
            let (inverse, radius) = (f64::from(body.inverse_mass), f64::from(body.radius));
            let mut a = force.times(inverse);
            a.add(in_f64(field[b].acceleration));
            a.add(params.uniform_gravity.as_dvec3());
            let spin = torque.times(2.5 * inverse / (radius * radius));
            let change = |after: [i64; 3], before: [i64; 3]| {
                DVec3::from_array([0, 1, 2].map(|k| after[k].wrapping_sub(before[k]) as f64 * (-58f64).exp2()))
            };
            let kicked = change(after[b].velocity, body.velocity);
            let turned = change(after[b].spin, body.spin);
            t.off("velocity of body", b, kicked.distance(part * a.sum) / a.size);
            // what contacts read is half a kick further on, to a unit of a window
            let soon = [0, 1, 2].map(|k| after[b].velocity[k] + (0.5 * a.sum[k] * 58f64.exp2()) as i64);
            let window = soon.map(|v| (v >> MOTION_SHIFT) as u32);
            let off = windows(&views[b].velocity, &window, 37).length();
            t.off("velocity in view", b, (off - 2.0 * (-37f64).exp2()).max(0.0) / a.size);
            // 64 bits hold 32 rad a step; a run ends at half a turn
            if spin.size < 8.0 {
                t.off("spin of body", b, turned.distance(part * spin.sum) / spin.size.max(1e-10));
                let soon = change(after[b].spin, [0; 3]) + 0.5 * spin.sum;
                let size = soon.length() + spin.size;
                t.off("spin in view", b, in_f64(views[b].spin).distance(soon) / size.max(1e-10));
            }
        }
    }
    Ok(())
}

/// One torque turns a body by more than half a turn in a step. Another is not a number, and it leaves the body as it is.
fn torques(h: &mut Harness, t: &mut Tally) -> Result<()> {
    let cloud = uniform("", 130, 3.0, (0.1, 0.4), 43).moving(1e-4, 44);
    let body = 77;
    for (name, turning, fault) in [
        ("no torque", 0.0, 0),
        ("more than half a turn", -3.3f32, control::TURN.0),
        ("no number", f32::NAN, control::NON_FINITE.0),
        ("no end", f32::INFINITY, control::NON_FINITE.0),
    ] {
        t.case(name);
        let words = Control { phase: PHASE_RUNS, rounding: ROUNDING, fault_index: u32::MAX, ..Control::default() };
        fill_free(h, &cloud, &vec![Field::default(); cloud.len()], words)?;
        let BodyWords { radius, inverse_mass, .. } = cloud.bodies[body];
        let torque = [0.0, turning * radius * radius / (2.5 * inverse_mass), 0.0];
        let mut wall = vec![WallResult::default(); cloud.len()];
        wall[body] = WallResult { overlap: 1e-6, torque, ..WallResult::default() };
        h.uniform("params", &Params { wall_count: 1, ..cloud.params() })?;
        h.fill("wall_result", &wall)?;
        h.run("integrate_bodies", cloud.groups())?;
        let (found, after): (Control, Vec<BodyState>) = (h.read_one("control")?, h.read("body_state")?);
        let index = if fault == 0 { u32::MAX } else { body as u32 };
        t.equal("fault and body", &[found.fault_body, found.fault_index], &[fault, index]);
        let before = cloud.bodies[body].state();
        t.equal("body stays", &[after[body] == before], &[fault == control::NON_FINITE.0]);
    }
    Ok(())
}

/// A sum and the sum of the sizes, against which rounding counts.
#[derive(Default, Clone, Copy)]
struct Sum {
    sum: DVec3,
    size: f64,
}

impl Sum {
    fn add(&mut self, v: DVec3) {
        self.sum += v;
        self.size += v.length();
    }

    fn times(self, factor: f64) -> Sum {
        Sum { sum: self.sum * factor, size: self.size * factor }
    }
}
