//! Bodies at a surface of triangles: lists of facets, contacts by every law that knows them.

use super::cloud::{CODE, Cloud, RADIUS_MAX, direction, random, uniform, vector};
use super::facet_windows::{Halves, over_windows};
use super::harness::{Harness, filled};
use super::invariants::Sound;
use super::laws::{take, tried};
use super::{Check, Family, Tally};
use crate::base::error::Result;
use crate::base::units::{DISPLACEMENT_BITS, POSITION_BITS};
use crate::engine::gpu::parts::surface::{SurfaceTables, footprint};
use crate::geometry::solids::cuboid_facets;
use crate::geometry::surface::Surface;
use crate::gpu::elements;
use crate::gpu::elements::control::Control;
use crate::gpu::elements::facet::{FacetMeeting, Listed, SurfaceFace};
use crate::gpu::elements::in_f64;
use crate::gpu::elements::pair::WallResult;
use crate::gpu::elements::work::PairArgs;
use crate::gpu::layout::{Params, control};
use crate::model::body::Bodies;
use crate::model::scenario::SurfaceLaw;
use crate::physics::contacts::Moving;
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
    Check::exact(&["find_facets", "meet_facets"], "facets in two windows against one", windows),
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

const SURFACE_LAWS: [SurfaceLaw; 2] = [SurfaceLaw::AreaWeighted, SurfaceLaw::ClosestFeature];

/// Facets much larger than the bodies, far from the origin; and smaller ones.
pub(super) fn grounds(law: SurfaceLaw) -> [Ground; 2] {
    [(2000.0, 3, 0.2), (6.0, 18, 0.02)].map(|(size, parts, rough)| ground(law, size, parts, rough))
}

/// A rough sphere of a radius (L), of 12 `parts`^2 facets.
fn ground(law: SurfaceLaw, size: f64, parts: usize, rough: f64) -> Ground {
    let mut random = random(parts as u64);
    let (vertices, triangles) = cuboid_facets(DVec3::ONE, parts);
    let vertex = |v: &DVec3| size * v.normalize() * (1.0 + rough * random.random_range(-1.0..1.0));
    Ground::new(&Surface::new("check", vertices.iter().map(vertex).collect(), triangles), 1, law)
}

/// Bodies outside a ground, `depth` in the plane of one of its facets, many of them near a side or a corner.
pub(super) fn bodies(ground: &Ground, n: usize, depth: impl Fn(usize) -> f64, seed: u64) -> Cloud {
    sized(ground, n, 8.0, depth, seed)
}

/// The same, with radii up to so many times smaller than the largest.
fn sized(ground: &Ground, n: usize, smaller: f64, depth: impl Fn(usize) -> f64, seed: u64) -> Cloud {
    let mut random = random(seed);
    let mut bodies = vec![];
    while bodies.len() < n {
        let facet = &ground.facets[random.random_range(0..ground.facets.len())];
        let r = f64::from(CODE.radius(RADIUS_MAX / random.random_range(1.0..smaller)));
        let rare = 10f64.powf(random.random_range(-6.0..0.0));
        let share = [random.random_range(0.0..1.0), rare, random.random_range(0.0..1.0f64).powi(4)];
        let foot = (0..3).map(|k| facet.corner[k] * share[k]).sum::<DVec3>() / share.iter().sum::<f64>();
        let centre = foot + (r - depth(bodies.len())) * facet.normal;
        if !ground.holds(centre) && deepest(&ground.met(centre, r)) < 0.2 * r {
            bodies.push((centre, r));
        }
    }
    let mut cloud = Cloud::new("bodies at a surface", bodies).moving(2e-5, seed);
    for (k, body) in cloud.bodies.iter_mut().enumerate() {
        body.spin = (1e-4 * direction(&mut random)).to_array().map(|w| CODE.angle(w));
        body.material = (k % 2) as u32;
    }
    cloud
}

/// The bodies in f64 as the integers have them; the time step is 1.
fn exact(cloud: &Cloud) -> (Bodies, Vec<Moving>) {
    let wide = |v: [i64; 3], bits: i32| DVec3::from_array(v.map(|x| x as f64 * f64::from(-bits).exp2()));
    let of = |f: &dyn Fn(&crate::gpu::layout::BodyWords) -> f64| cloud.bodies.iter().map(f).collect::<Vec<_>>();
    let moving = cloud.bodies.iter().map(|b| {
        let (velocity, spin) = (wide(b.velocity, DISPLACEMENT_BITS), b.seen_spin());
        let position = wide(b.position, POSITION_BITS);
        Moving { position, velocity, spin, velocity_now: velocity, spin_now: spin, held: DVec3::ZERO }
    });
    let moving: Vec<_> = moving.collect();
    let bodies = Bodies {
        id: (0..cloud.len() as u32).collect(),
        position_m: moving.iter().map(|m| m.position).collect(),
        velocity_m_s: moving.iter().map(|m| m.velocity).collect(),
        spin_rad_s: moving.iter().map(|m| m.spin).collect(),
        radius_m: of(&|b| b.radius.into()),
        mass_kg: of(&|b| 1.0 / f64::from(b.inverse_mass)),
        material: cloud.bodies.iter().map(|b| b.material).collect(),
        polyhedra: None,
    };
    (bodies, moving)
}

/// Indices of the facets within `reach` of the surface of every body, in the order of the tree.
pub(super) fn near(ground: &Ground, cloud: &Cloud, reach: f64) -> Vec<Vec<u32>> {
    let (bodies, _) = exact(cloud);
    let row = |b: usize| {
        let (p, reach) = (bodies.position_m[b], bodies.radius_m[b] + reach);
        let within = |k: &u32| ground.facets[*k as usize].closest(p).distance(p) < reach;
        (0..ground.facets.len() as u32).filter(within).collect()
    };
    (0..cloud.len()).map(row).collect()
}

/// Walls whose results lie before those of the surface.
const WALLS: usize = 2;
/// What is there.
const OF_WALL: WallResult = WallResult { force: [7.0; 3], overlap: 7.0, torque: [7.0; 3], pad: 7 };

/// Results of the surface on every body; those of walls must be as they were.
fn results(h: &Harness, t: &mut Tally, count: usize) -> Result<Vec<WallResult>> {
    let mut all: Vec<WallResult> = h.read("wall_result")?;
    let of_surface = all.split_off(WALLS * count);
    t.equal("results of walls", &all, &vec![OF_WALL; WALLS * count]);
    Ok(of_surface)
}

pub(super) fn surface_params(ground: &Ground, cloud: &Cloud) -> Params {
    let surface_material = ground.material as u32;
    Params { material_count: 2, has_surface: 1, surface_material, wall_count: WALLS as u32, ..cloud.params() }
}

pub(super) fn fill(h: &mut Harness, ground: &Ground, cloud: &Cloud) -> Result<()> {
    h.choose("footprint", footprint(ground.law).to_owned());
    h.uniform("params", &surface_params(ground, cloud))?;
    h.fill("body_state", &cloud.state())?;
    h.fill("body_view", &cloud.view())?;
    let tables = SurfaceTables::new(&ground.tree, &CODE);
    h.fill("surface_node", &tables.nodes)?;
    h.fill("surface_face", &tables.faces)
}

fn lists(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for ground in grounds(SurfaceLaw::AreaWeighted) {
        let skin = 0.02;
        let cloud = bodies(&ground, 300, |k| [1e-4, -0.01, -0.03][k % 3], 2);
        t.case(format!("300 bodies, {} facets", ground.facets.len()));
        let [least, most] = [0.9999, 1.001].map(|part| near(&ground, &cloud, part * skin));
        let n = cloud.len();
        fill(h, &ground, &cloud)?;
        h.zeros("control", size_of::<Control>())?;
        let list = listed_by(h, n, &[SurfaceTables::new(&ground.tree, &CODE).faces])?;
        let offset: Vec<u32> = h.read("surface_offset")?;
        t.equal("row", &list[..=n], &vec![Listed::default(); n + 1]);
        for b in 0..n {
            let got = &list[n + 1..][offset[b] as usize..offset[b + 1] as usize];
            t.hold(sandwiched(b, got, &least[b], &most[b]));
        }
        let words = Control { overflow: 4, ..Control::default() };
        h.fill("control", &[words])?;
        let untouched = vec![filled::<Listed>(7); list.len()];
        h.fill("surface_list", &untouched)?;
        h.run_with("find_facets", cloud.groups(), "pass_constants", [1, 0, 0, 0])?;
        t.equal("list without room", &h.read::<Listed>("surface_list")?, &untouched);
    }
    Ok(())
}

/// Bodies of all sizes lie on small facets. The pass reports the smallest body with too many contacts, and a wide body gets none here.
fn crowds(h: &mut Harness, t: &mut Tally) -> Result<()> {
    const MOST: usize = 512;
    let ground = ground(SurfaceLaw::AreaWeighted, 1.0, 90, 0.003);
    let cloud = sized(&ground, 70, 2.0, |_| 1e-4, 13);
    let facets = [0.9999, 1.001].map(|part| near(&ground, &cloud, part * 0.02));
    let radius = |b: &usize| cloud.bodies[*b].radius;
    let crowded: Vec<usize> = (0..cloud.len()).filter(|b| facets[0][*b].len() > MOST).collect();
    let least = crowded.iter().map(radius).fold(f32::MAX, f32::min);
    let doubts = (0..cloud.len()).any(|b| facets[0][b].len() <= MOST && facets[1][b].len() > MOST);
    t.hold(if crowded.len() > 5 && !doubts { Ok(()) } else { Err(format!("{} bodies are crowded", crowded.len())) });
    for wide_radius in [f32::MAX, least] {
        t.case(format!("70 bodies, {} crowded, wide from {wide_radius:e} L on", crowded.len()));
        fill(h, &ground, &cloud)?;
        h.uniform("params", &Params { wide_radius, ..surface_params(&ground, &cloud) })?;
        h.zeros("control", size_of::<Control>())?;
        h.zeros("surface_count", 4 * cloud.len())?;
        h.zeros("surface_offset", 4 * cloud.len() + 4)?;
        h.zeros("surface_list", size_of::<Listed>())?;
        h.run_with("find_facets", cloud.groups(), "pass_constants", [0; 4])?;
        let told = if wide_radius == f32::MAX { !least.to_bits() } else { 0 };
        t.equal("radius of the smallest", &[h.read_one::<Control>("control")?.wide_found], &[told]);
        for (b, count) in h.read::<u32>("surface_count")?.into_iter().enumerate() {
            let none = crowded.contains(&b) || radius(&b) >= wide_radius;
            let range = if none { 0..=0 } else { facets[0][b].len()..=facets[1][b].len() };
            t.hold(match range.contains(&(count as usize)) {
                true => Ok(()),
                false => Err(format!("facets of body {b}: {count}, not {range:?}")),
            });
        }
    }
    Ok(())
}

/// Lists and meetings of facets that lie in two windows equal those of one window.
fn windows(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for ground in grounds(SurfaceLaw::ClosestFeature) {
        let cloud = bodies(&ground, 300, |k| [1e-4, -0.01, -0.03][k % 3], 2);
        t.case(format!("300 bodies, {} facets", ground.facets.len()));
        let (n, halves) = (cloud.len(), Halves::of(&ground));
        let whole = [SurfaceTables::new(&ground.tree, &CODE).faces];
        fill(h, &ground, &cloud)?;
        h.zeros("control", size_of::<Control>())?;
        let in_one = listed_by(h, n, &whole)?;
        let met = met_by(h, &in_one, n, &whole)?;
        h.fill("surface_node", &halves.nodes)?;
        h.zeros("control", size_of::<Control>())?;
        let list = listed_by(h, n, &halves.faces)?;
        t.equal("list", &halves.in_one(&list[n + 1..]), &in_one[n + 1..]);
        t.equal("meetings", &met_by(h, &list, n, &halves.faces)?, &met);
    }
    Ok(())
}

/// The list of facets near `n` bodies, of facets in these windows.
fn listed_by(h: &mut Harness, n: usize, windows: &[Vec<SurfaceFace>]) -> Result<Vec<Listed>> {
    let groups = (n as u32).div_ceil(64);
    h.zeros("surface_count", 4 * n)?;
    h.zeros("surface_offset", 4 * n + 4)?;
    h.zeros("surface_list", size_of::<Listed>() * (n + 1))?;
    over_windows(h, "find_facets", groups, 0, windows)?;
    let count: Vec<u32> = h.read("surface_count")?;
    let offset: Vec<u32> = (0..=n).map(|b| count[..b].iter().sum()).collect();
    h.fill("surface_offset", &offset)?;
    h.zeros("surface_list", size_of::<Listed>() * (n + 1 + offset[n] as usize))?;
    over_windows(h, "find_facets", groups, 1, windows)?;
    h.read("surface_list")
}

/// What `n` bodies meet at the facets of a list, which are in these windows.
fn met_by(h: &mut Harness, list: &[Listed], n: usize, windows: &[Vec<SurfaceFace>]) -> Result<Vec<FacetMeeting>> {
    let (mut list, facets) = (list.to_vec(), list.len() - n - 1);
    list[n].at = list.len() as u32;
    h.fill("surface_list", &list)?;
    h.fill("control", &[Control { ground_count: n as u32, ..running() }])?;
    h.fill("surface_meeting", &vec![filled::<FacetMeeting>(7); facets])?;
    over_windows(h, "meet_facets", (facets as u32).div_ceil(64), 0, windows)?;
    h.read("surface_meeting")
}

/// Rows of bodies that are near facets, or were in touch, and are not wide.
fn rows(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for (n, overflow) in [(1, 0), (64, 0), (300, 0), (300, 4)] {
        t.case(format!("{n} bodies, overflow {overflow}"));
        let mut random = random(n as u64);
        let cloud = uniform("", n, 10.0, (0.1, 0.4), 3);
        let params = Params { wall_count: 2, wide_radius: 0.35, ..cloud.params() };
        let narrow: Vec<bool> = cloud.bodies.iter().map(|b| b.radius < params.wide_radius).collect();
        let facets: Vec<u32> =
            narrow.iter().map(|narrow| if *narrow { random.random_range(0..6u32) / 2 } else { 0 }).collect();
        let touched: Vec<bool> = (0..n).map(|_| random.random_range(0..5) == 0).collect();
        let sums = |list: &[u32]| (0..=n).map(|b| list[..b].iter().sum()).collect::<Vec<u32>>();
        let offset = sums(&facets);
        h.uniform("params", &params)?;
        h.fill("body_view", &cloud.view())?;
        h.fill("surface_offset", &offset)?;
        let result = |b: usize| WallResult { overlap: if touched[b] { 1e-6 } else { 0.0 }, ..WallResult::default() };
        let of_walls = vec![filled::<WallResult>(1f32.to_bits()); 2 * n];
        h.fill("wall_result", &[of_walls, (0..n).map(result).collect()].concat())?;
        h.zeros("ground_mark", 4 * n)?;
        h.run("mark_ground", cloud.groups())?;
        let mark: Vec<u32> = (0..n).map(|b| u32::from(narrow[b] && (facets[b] > 0 || touched[b]))).collect();
        t.equal("mark", &h.read::<u32>("ground_mark")?, &mark);
        let mut wanted: Vec<Listed> = vec![filled(7); n + 1];
        let mut words = Control { overflow, ground_count: 9, ..Control::default() };
        let untouched = PairArgs { x: 8, y: 8, z: 8, pad: 8 };
        let mut args = [untouched; 2];
        h.fill("ground_offset", &sums(&mark))?;
        h.fill("surface_list", &wanted)?;
        h.fill("control", &[words])?;
        h.fill("ground_args", &[untouched])?;
        h.fill("facet_args", &[untouched])?;
        h.run("list_ground", cloud.groups())?;
        if overflow == 0 {
            let of = |b: usize| Listed { body: b as u32, at: n as u32 + 1 + offset[b] };
            let ground: Vec<Listed> = (0..n).filter(|b| mark[*b] == 1).map(of).collect();
            wanted[..ground.len()].copy_from_slice(&ground);
            wanted[ground.len()] = Listed { body: 0, at: n as u32 + 1 + offset[n] };
            words.ground_count = ground.len() as u32;
            args = [words.ground_count, offset[n]].map(|k| PairArgs { x: k.div_ceil(64).max(1), y: 1, z: 1, pad: 8 });
        }
        t.equal("row", &h.read::<Listed>("surface_list")?, &wanted);
        t.equal("control", &h.read::<Control>("control")?, &[words]);
        t.equal("arguments", &[h.read_one::<PairArgs>("ground_args")?, h.read_one("facet_args")?], &args);
    }
    Ok(())
}

/// All of `least`, nothing beyond `most`, ascending.
pub(super) fn sandwiched(body: usize, listed: &[Listed], least: &[u32], most: &[u32]) -> Sound {
    let got: Vec<u32> = listed.iter().map(|l| l.at).collect();
    let sound = listed.iter().all(|l| l.body as usize == body)
        && got.is_sorted_by(|a, b| a < b)
        && least.iter().all(|f| got.binary_search(f).is_ok())
        && got.iter().all(|f| most.binary_search(f).is_ok());
    if sound { Ok(()) } else { Err(format!("facets of body {body}: {got:?}, not {least:?}")) }
}

fn running() -> Control {
    Control { step: 9, phase: 1, fault_index: u32::MAX, ..Control::default() }
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
    prepare(h, ground, cloud, &Control { ground_count: rows.len() as u32, ..*words }, touches)?;
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
    t.case("a step that does not run");
    let words = Control { phase: 0, ..running() };
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
