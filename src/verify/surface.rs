//! Bodies at a surface of triangles: lists of facets, contacts by every law that knows them.

use super::cloud::{CODE, Cloud, random, vector};
use super::grounds::{SURFACE_LAWS, WALLS, bodies, exact, fill, ground, grounds, near, running, sized};
use super::harness::{Harness, filled};
use super::laws::{take, tried};
use super::surface_lists::{crowds, lists, rows, windows};
use super::{Check, Family, Tally};
use crate::base::error::{Error, Result};
use crate::gpu::constants::PHASE_PAUSED;
use crate::gpu::elements;
use crate::gpu::elements::control::Control;
use crate::gpu::elements::facet::{FacetMeeting, Listed};
use crate::gpu::elements::in_f64;
use crate::gpu::elements::pair::WallResult;
use crate::gpu::layout::control;
use crate::model::body::Bodies;
use crate::model::scenario::SurfaceLaw;
use crate::physics::laws::BuiltIn;
use crate::physics::laws::contact::{ContactResult, ContactState, Springs};
use crate::physics::laws::registry::{LAWS, all};
use crate::physics::surface::footprint::{SLOTS, footprints};
use crate::physics::surface::ground::Ground;
use crate::physics::surface::touch::{SurfaceTouch, deepest, touch_surface};
use glam::DVec3;
use rand::RngExt;

/// The family.
pub const FAMILY: Family = Family {
    name: "surface",
    compares: "Lists of facets near each body against all facets; contacts with a surface of triangles by every law that knows them against f64.",
    bounds: "Heights are cut at 1.1e-11 L; sides hundreds of radii long round by 3e-7 L at their ends.",
    checks: CHECKS,
};

/// The checks of this family.
const CHECKS: &[Check] = &[
    Check::exact(&["find_facets"], "facets within radius and skin against all", lists),
    Check::exact(&["find_facets"], "who has too many facets for one invocation", crowds),
    Check::exact(&["find_facets", "meet_facets"], "facets in three windows against one", windows),
    Check::exact(&["mark_ground", "list_ground"], "bodies that the surface may act on", rows),
    Check {
        passes: &["meet_facets", "apply_surface"],
        what: "depth of the closest point, far from the origin",
        unit: "of the depth, or of 1e-4 L",
        bound: 2e-5,
        reason: "heights cut at 1.1e-11 L; an edge seen from a facet whose plane is 0.05 L deep is off by 1e-9 L, as a pair's gap is",
        compare: |h, t| depths_by(h, t, apply),
    },
    Check {
        passes: &["meet_facets", "apply_surface"],
        what: "force, torque, springs, losses of a surface, by every law",
        unit: "of the largest a contact of weight 1 could give",
        bound: 5e-4,
        reason: "an overlap of 1e-7 L is off by 1e-11 L, a side 600 L long by 3e-7 L at its end, over circles of 1e-3 L",
        compare: |h, t| law_by(h, t, apply),
    },
    Check::exact(&["meet_facets", "apply_surface"], "what is forgotten, faults, pauses", |h, t| {
        gates_by(h, t, apply, "surface_meeting")
    }),
];

/// Results of walls that lie before those of the surface.
const OF_WALL: WallResult = WallResult { force: [7.0; 3], overlap: 7.0, torque: [7.0; 3], pad: 7 };

/// Results of the surface on every body; those of walls must be as they were.
fn results(h: &Harness, t: &mut Tally, count: usize) -> Result<Vec<WallResult>> {
    let mut all: Vec<WallResult> = h.read("wall_result")?;
    let of_surface = all.split_off(WALLS * count);
    t.equal("results of walls", &all, &vec![OF_WALL; WALLS * count]);
    Ok(of_surface)
}

/// Contents of `surface_touch`.
fn kept(n: usize, touches: &[SurfaceTouch]) -> Vec<elements::facet::SurfaceTouch> {
    let mut all = vec![elements::facet::SurfaceTouch::default(); SLOTS * n];
    for t in touches {
        let (of, s) = (&mut all[SLOTS * t.i as usize + t.slot as usize], &t.result.springs);
        of.first = s.sliding.extend(s.twisting).as_vec4().to_array();
        of.second = s.rolling.as_vec3().to_array();
        of.normal = t.normal.as_vec3().to_array();
        [of.weight, of.overlap] = [t.weight, t.overlap].map(|x| x as f32);
        of.energy = t.result.dissipated.map(|x| x as f32);
    }
    all
}

/// Contacts as the step before might have left them: a little higher or lower, with springs.
fn before(ground: &Ground, bodies: &Bodies, seed: u64) -> Vec<SurfaceTouch> {
    let mut random = random(seed);
    let mut list = vec![];
    for k in 0..bodies.len() {
        let radius = bodies.radius_m[k];
        let met = ground.met(bodies.position_m[k], radius);
        for (slot, p) in footprints(ground.law, &met, radius, &Default::default()).iter().enumerate() {
            let stretch = p.overlap * random.random_range(0.0..0.5);
            let normal = DVec3::from(p.normal.as_vec3()); // as f32 has it
            let springs = Springs {
                sliding: stretch * vector(&mut random),
                rolling: stretch / radius * vector(&mut random),
                twisting: stretch / radius,
                ..Springs::default()
            };
            let [weight, overlap] =
                [p.weight, p.overlap].map(|x| f64::from((x * random.random_range(0.9..1.1)) as f32));
            let result = ContactResult { springs, ..ContactResult::default() };
            let slot = slot as u32;
            // every fourth body is new here; one of next to no weight may be none in f32
            if k % 4 != 3 && p.weight > 1e-6 {
                list.push(SurfaceTouch { i: k as u32, slot, normal, overlap, weight, depth: 0.0, result });
            }
        }
    }
    list
}

/// A pass over bodies at a ground, with control words and the contacts of the step before.
pub(super) type Apply = fn(&mut Harness, &Ground, &Cloud, &Control, &[SurfaceTouch]) -> Result<()>;

/// A list of facets: rows of these bodies among `head`, then the facets.
pub(super) fn listed(rows: &[(u32, Vec<u32>)], head: usize) -> Vec<Listed> {
    let mut list = vec![Listed::default(); head];
    for (k, (body, facets)) in rows.iter().enumerate() {
        list[k] = Listed { body: *body, at: list.len() as u32 };
        list.extend(facets.iter().map(|at| Listed { body: *body, at: *at }));
    }
    list[rows.len()].at = list.len() as u32;
    list
}

fn apply(h: &mut Harness, ground: &Ground, cloud: &Cloud, words: &Control, touches: &[SurfaceTouch]) -> Result<()> {
    let held = |b: u32| touches.iter().any(|t| t.i == b);
    let near = (0..).zip(near(ground, cloud, 0.05));
    let rows: Vec<_> = near.filter(|(b, facets)| held(*b) || !facets.is_empty()).collect();
    let list = listed(&rows, cloud.len() + 1);
    let facets = list.len() - cloud.len() - 1;
    h.fill("surface_list", &list)?;
    h.fill("surface_meeting", &vec![filled::<FacetMeeting>(7); facets.max(1)])?;
    prepare(h, ground, cloud, &Control { listed_count: rows.len() as u32, ..*words }, touches)?;
    h.run_with("meet_facets", (facets as u32).div_ceil(64), "pass_constants", [0; 4])?;
    h.run("apply_surface", cloud.groups())
}

/// All that such a pass reads but its lists.
pub(super) fn prepare(
    h: &mut Harness,
    ground: &Ground,
    cloud: &Cloud,
    words: &Control,
    touches: &[SurfaceTouch],
) -> Result<()> {
    let n = cloud.len();
    fill(h, ground, cloud)?;
    h.fill("control", &[*words])?;
    h.fill("surface_touch", &kept(n, touches))?;
    let touched = |b: u32| if touches.iter().any(|t| t.i == b) { 1.0f32 } else { 0.0 };
    let result = |b: u32| WallResult { overlap: touched(b), ..WallResult::default() };
    let of_surface = (0..n as u32).map(result);
    h.fill("wall_result", &std::iter::repeat_n(OF_WALL, WALLS * n).chain(of_surface).collect::<Vec<_>>())
}

/// Grounds, bodies at them, and the contacts of the step before.
fn each(mut compare: impl FnMut(&Ground, &Cloud, &[SurfaceTouch], &str) -> Result<()>) -> Result<()> {
    for ground in SURFACE_LAWS.into_iter().flat_map(grounds) {
        for (n, power) in [(65, -5.0), (300, -3.0)] {
            let cloud = bodies(&ground, n, |k| 10f64.powf(power - (k % 10) as f64 / 5.0), n as u64);
            let name =
                format!("{n} bodies, {} facets, {:?}, depths up to 1e{power} L", ground.facets.len(), ground.law);
            compare(&ground, &cloud, &before(&ground, &exact(&cloud).0, n as u64), &name)?;
        }
    }
    Ok(())
}

pub(super) fn depths_by(h: &mut Harness, t: &mut Tally, apply: Apply) -> Result<()> {
    take(h, LAWS[0].law)?;
    each(|ground, cloud, touches, name| {
        t.case(name);
        apply(h, ground, cloud, &running(), touches)?;
        let (bodies, result) = (exact(cloud).0, results(h, t, cloud.len())?);
        for (b, result) in result.iter().enumerate() {
            let truth = deepest(&ground.met(bodies.position_m[b], bodies.radius_m[b]));
            t.off("depth of body", b, (f64::from(result.overlap) - truth).abs() / truth.max(1e-4));
        }
        Ok(())
    })
}

/// Every law that knows facets.
pub(super) fn law_by(h: &mut Harness, t: &mut Tally, apply: Apply) -> Result<()> {
    all().filter(|law| law.knows_facets()).try_for_each(|law| one_law_by(h, t, apply, law))
}

fn one_law_by(h: &mut Harness, t: &mut Tally, apply: Apply, law: &dyn BuiltIn) -> Result<()> {
    each(|ground, cloud, touches, name| {
        t.case(format!("{}: {name}", law.name()));
        one_ground(h, t, apply, law, ground, cloud, touches)
    })
}

/// Large bodies, each near more than 600 facets far smaller than itself.
pub(super) fn many(h: &mut Harness, t: &mut Tally, apply: Apply) -> Result<()> {
    for law in SURFACE_LAWS {
        let ground = ground(law, 1.0, 90, 0.003);
        let cloud = sized(&ground, 12, 1.2, |k| 10f64.powf(-3.0 - (k % 4) as f64 / 2.0), 11);
        let least = near(&ground, &cloud, 0.05).iter().map(Vec::len).min();
        t.case(format!("12 bodies, {} facets, {law:?}, near {least:?} and more", ground.facets.len()));
        t.hold(if least >= Some(600) { Ok(()) } else { Err("too few facets near a body".to_owned()) });
        one_ground(h, t, apply, LAWS[0].law, &ground, &cloud, &before(&ground, &exact(&cloud).0, 11))?;
    }
    Ok(())
}

/// Contacts of bodies with a ground by a law, against f64.
fn one_ground(
    h: &mut Harness,
    t: &mut Tally,
    apply: Apply,
    law: &dyn BuiltIn,
    ground: &Ground,
    cloud: &Cloud,
    touches: &[SurfaceTouch],
) -> Result<()> {
    let table = tried(law);
    take(h, law)?;
    apply(h, ground, cloud, &running(), touches)?;
    let (bodies, moving) = exact(cloud);
    let result = results(h, t, cloud.len())?;
    let found = h.read::<elements::facet::SurfaceTouch>("surface_touch")?;
    let truth = touch_surface(ground, &table, &bodies, &moving, touches, 1.0);
    for b in 0..cloud.len() {
        let of = |slot: usize| truth.iter().find(|t| t.i as usize == b && t.slot as usize == slot);
        let law = table.of(bodies.material[b] as usize, ground.material);
        let (radius, speed) = (bodies.radius_m[b], moving[b].velocity.length() + 1e-4 * bodies.radius_m[b]);
        let met = ground.met(bodies.position_m[b], radius);
        let over = met.iter().map(|m| radius - m.height).fold(0.0, f64::max);
        let deepest = ContactState { overlap: over, mass: bodies.mass_kg[b], radius, ..ContactState::default() };
        let force = law.most(&deepest, speed).force;
        let (mut sum, mut turn) = (DVec3::ZERO, DVec3::ZERO);
        for slot in 0..SLOTS {
            let touch = &found[SLOTS * b + slot];
            let none = ContactResult::default();
            let wanted = of(slot).map_or(&none, |t| &t.result);
            let weight = of(slot).map_or(0.0, |t| t.weight);
            t.off("weight of body", b, (f64::from(touch.weight) - weight).abs());
            t.off("force on body", b, in_f64(touch.force).distance(wanted.force) / force);
            t.off("torque on body", b, in_f64(touch.torque).distance(wanted.torque_i) / (force * radius));
            let got = law.memory(touch.first, touch.second);
            let (way, same) = (over + speed, weight > 1e-3);
            let apart = |a: DVec3, b: DVec3, scale: f64| if same { a.distance(b) / scale } else { 0.0 };
            t.off("sliding spring of body", b, apart(got.sliding, wanted.springs.sliding, way));
            t.off("rolling spring of body", b, apart(got.rolling, wanted.springs.rolling, way / radius));
            for (a, c) in touch.energy.iter().zip(wanted.dissipated).filter(|_| same) {
                t.off("loss of body", b, (f64::from(*a) - c).abs() / (force * way));
            }
            (sum, turn) = (sum + wanted.force, turn + wanted.torque_i);
        }
        t.off("whole force on body", b, in_f64(result[b].force).distance(sum) / force);
        t.off("whole torque on body", b, in_f64(result[b].torque).distance(turn) / (force * radius));
    }
    Ok(())
}

/// Where as much was lost before as the step loses, twice that is there in the end: doubling is exact.
fn added_by(h: &mut Harness, t: &mut Tally, apply: Apply, ground: &Ground, near: &Cloud) -> Result<()> {
    t.case("losses are added");
    let mut touches = before(ground, &exact(near).0, 5);
    let energies = |h: &mut Harness, touches: &[SurfaceTouch]| {
        apply(h, ground, near, &running(), touches)?;
        let found: Vec<elements::facet::SurfaceTouch> = h.read("surface_touch")?;
        Ok::<_, Error>(found.into_iter().map(|touch| touch.energy).collect::<Vec<_>>())
    };
    let mut lost = energies(h, &touches)?;
    for touch in &mut touches {
        let row = SLOTS * touch.i as usize + touch.slot as usize;
        touch.result.dissipated = lost[row].map(f64::from);
        lost[row] = lost[row].map(|e| 2.0 * e);
    }
    t.equal("losses", &energies(h, &touches)?, &lost);
    Ok(())
}

/// Bodies that have left: springs are lost, all rows are empty. Bodies that are too deep. Steps that do not run.
pub(super) fn gates_by(h: &mut Harness, t: &mut Tally, apply: Apply, meetings: &str) -> Result<()> {
    let table = tried(LAWS[0].law);
    take(h, LAWS[0].law)?;
    let [_, ground] = grounds(SurfaceLaw::AreaWeighted);
    let near = bodies(&ground, 100, |_| 1e-3, 5);
    let touches = before(&ground, &exact(&near).0, 5);
    let mut far = near.clone();
    far.bodies.iter_mut().for_each(|b| b.position = b.position.map(|x| 3 * x));
    t.case("100 bodies leave");
    apply(h, &ground, &far, &running(), &touches)?;
    let found: Vec<elements::facet::SurfaceTouch> = h.read("surface_touch")?;
    let result = results(h, t, 100)?;
    t.equal("result", &result, &[WallResult::default(); 100]);
    for c in &touches {
        let touch = found[SLOTS * c.i as usize + c.slot as usize];
        let forgotten = elements::facet::SurfaceTouch { energy: touch.energy, ..Default::default() };
        t.equal("contact", &[touch], &[forgotten]);
        let law = table.of(near.bodies[c.i as usize].material as usize, ground.material);
        let held = law.held(near.bodies[c.i as usize].radius.into(), c.overlap, &c.result.springs);
        let lost = &touch.energy;
        let close = held.iter().zip(&lost[1..]).all(|(e, got)| (c.weight * e - f64::from(*got)).abs() < 1e-5 * e);
        t.hold(if close { Ok(()) } else { Err(format!("body {} lost {lost:?} of {held:?}", c.i)) });
    }
    added_by(h, t, apply, &ground, &near)?;
    t.case("a step that does not run");
    let words = Control { phase: PHASE_PAUSED, ..running() };
    apply(h, &ground, &near, &words, &touches)?;
    t.equal("contacts", &h.read("surface_touch")?, &kept(100, &touches));
    let met: Vec<FacetMeeting> = h.read(meetings)?;
    t.equal("meetings", &met, &vec![filled(7); met.len()]);
    t.case("a body that moves by more than half its radius");
    let mut cloud = near.clone();
    cloud.bodies[31].velocity = [0, (f64::from(near.bodies[31].radius) * 0.51 * 58f64.exp2()) as i64, 0];
    apply(h, &ground, &cloud, &running(), &[])?;
    t.equal("fault", &[h.read_one::<Control>("control")?.fault_contact], &[control::OVERSPEED.0]);
    t.equal("body", &[h.read_one::<Control>("control")?.fault_index], &[31]);
    for (deep, fault) in [(0.1, 0), (0.3, control::OVERLAP.0), (0.6, control::SURFACE.0), (1.01, control::SURFACE.0)] {
        t.case(format!("a body deeper by {deep} of its radius"));
        let mut cloud = near.clone();
        let (p, r) = (exact(&near).0.position_m[70], f64::from(near.bodies[70].radius));
        let met = ground.met(p, r);
        let Some(m) = met.iter().max_by(|a, b| a.overlap.total_cmp(&b.overlap)) else { continue };
        let centre = p - m.towards * (deep * r - m.overlap);
        cloud.bodies[70].position = centre.to_array().map(|x| CODE.position(x));
        apply(h, &ground, &cloud, &running(), &[])?;
        let words: Control = h.read_one("control")?;
        t.equal("fault", &[words.fault_contact], &[fault]);
        t.equal("body", &[words.fault_index], &[if fault == 0 { u32::MAX } else { 70 }]);
    }
    Ok(())
}
