//! Contacts of polyhedra as the iterations need them: several points of a pair, or of a body and a plane.

use super::cloud::{Cloud, direction, random, vector};
use super::dynamics_frames::{
    BOUND, Frame, LAWS, Made, REASON, UNIT, apart, apart_from, compare, fill_contacts, fill_planes, gap, gaps, kicked,
    offsets, planes, spin, with_planes,
};
use super::harness::Harness;
use super::laws::windows;
use super::walls::bodies;
use super::{Check, Family, Tally};
use crate::base::error::Result;
use crate::geometry::narrow::manifold::POINTS;
use crate::gpu::constants::FEATURE;
use crate::gpu::elements::body::BodyView;
use crate::gpu::elements::contact::ContactBody;
use crate::gpu::elements::in_f64;
use crate::gpu::elements::manifold::{Manifold, ManifoldPoint};
use crate::gpu::elements::pair::Pair;
use crate::gpu::layout::Params;
use glam::DVec3;
use rand::RngExt;

/// The family.
pub const FAMILY: Family = Family {
    name: "dynamics_points",
    compares: "The same for contact points of polyhedra, between bodies and on planes.",
    bounds: "The bounds are those of `dynamics_frames`.",
    checks: CHECKS,
};

/// The checks of this family.
const CHECKS: &[Check] = &[
    Check {
        passes: &["make_manifold_contacts"],
        what: "frames, arms that meet in a point, bias, velocities, names",
        unit: UNIT,
        bound: BOUND,
        reason: REASON,
        compare: pair_points,
    },
    Check {
        passes: &["make_wall_manifold_contacts"],
        what: "the same at planes",
        unit: UNIT,
        bound: BOUND,
        reason: REASON,
        compare: wall_points,
    },
];

/// `count` manifolds: any normals and points, gaps as those of spheres, names of 23 bits.
fn manifolds(count: usize, seed: u64) -> Vec<Manifold> {
    let mut random = random(seed);
    let one = |_| Manifold {
        normal: direction(&mut random).as_vec3().to_array(),
        kind: 3,
        points: [0; 4].map(|_| ManifoldPoint {
            arm: (0.4 * vector(&mut random)).as_vec3().to_array(),
            gap: gap(&mut random) as f32,
        }),
        names: [0; 4].map(|_| FEATURE | random.random_range(0..1 << 23)),
    };
    (0..count).map(one).collect()
}

/// How many points candidate `k` has.
fn points(k: usize) -> u32 {
    (k % (POINTS as usize + 1)) as u32
}

/// The body that row `k` is a part of: every third is one of a clump.
fn owner(k: usize) -> usize {
    if k % 3 == 1 { k / 2 } else { k }
}

/// `body_view` with the parts of clumps marked.
fn marked(cloud: &Cloud) -> Vec<BodyView> {
    let mut view = cloud.view();
    (1..view.len()).step_by(3).for_each(|k| view[k].clump_or_room = owner(k) as u32 + 1);
    view
}

/// The contact of point `m`: the arms of both bodies, whose centres are `between` apart, end in it.
fn made(given: &Manifold, m: usize, [i, j, candidate]: [u32; 3], between: DVec3, mut frame: Frame) -> Made {
    let point = &given.points[m];
    frame.normal = in_f64(given.normal);
    frame.gap = point.gap.into();
    frame.arms = [in_f64(point.arm), in_f64(point.arm) - between];
    (ContactBody { i, j, candidate, feature: given.names[m] }, frame)
}

fn pair_points(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for (n, ratio) in [(1, 1.0), (63, 1.0), (64, 30.0), (65, 3.0), (1000, 10.0)] {
        t.case(format!("{n} pairs, sizes up to 1:{ratio}"));
        let cloud = gaps(n + 1, ratio);
        let (after, given) = (kicked(&cloud, n as u64), manifolds(n + 1, n as u64));
        let offset = [offsets(0, n + 1, points), vec![77; 70]].concat();
        h.uniform("params", &Params { pair_capacity: n as u32 + 1, material_count: 2, ..cloud.params() })?;
        h.fill("body_state", &after.state())?;
        h.fill("body_view", &marked(&cloud))?;
        h.fill("pair_body", &(0..=n as u32).map(|p| Pair { i: 2 * p, j: 2 * p + 1 }).collect::<Vec<_>>())?;
        h.fill("pair_manifold", &given)?;
        fill_contacts(h, &offset[..n + 2])?;
        h.run("make_manifold_contacts", (n as u32 + 70).div_ceil(64))?;
        let contact = |(p, m): (usize, usize)| {
            let (i, j) = (2 * p, 2 * p + 1);
            let [a, b] = [i, j].map(|b| &cloud.bodies[b]);
            let frame = Frame {
                law: LAWS[(2 * a.material + b.material) as usize],
                spins: [spin(&cloud, i), spin(&cloud, j)],
                velocities: apart(&cloud, &after, p, owner),
                ..Frame::default()
            };
            let between = windows(&b.view().position, &a.view().position, 30);
            made(&given[p], m, [owner(i), owner(j), p].map(|x| x as u32), between, frame)
        };
        let each = (0..=n).flat_map(|p| (0..points(p) as usize).map(move |m| (p, m)));
        compare(h, t, &each.map(contact).collect::<Vec<_>>())?;
    }
    Ok(())
}

fn wall_points(h: &mut Harness, t: &mut Tally) -> Result<()> {
    let planes = planes();
    let (count, capacity) = (planes.len(), 5);
    for n in [1, 21, 22, 500] {
        t.case(format!("{n} bodies"));
        let cloud = bodies(n, |_| 0.0, n as u64);
        let (after, given) = (kicked(&cloud, n as u64), manifolds(count * n, n as u64));
        fill_planes(h, &cloud, &with_planes(&cloud, capacity))?;
        h.fill("body_state", &after.state())?;
        h.fill("body_view", &marked(&cloud))?;
        h.fill("wall_manifold", &given)?;
        // so that every plane has every number of points
        let points = |c: usize| points(c + c / n);
        fill_contacts(h, &offsets(capacity, count * n, points))?;
        h.run("make_wall_manifold_contacts", (count * n + 70).div_ceil(64) as u32)?;
        let contact = |(c, m): (usize, usize)| {
            let (b, wall) = (c % n, c / n);
            let frame = Frame {
                law: LAWS[2 * cloud.bodies[b].material as usize + wall % 2],
                spins: [spin(&cloud, b), DVec3::ZERO],
                velocities: apart_from(&cloud, &after, [b, owner(b)], &planes[wall]),
                ..Frame::default()
            };
            let (row, frame) =
                made(&given[c], m, [owner(b), n + wall, capacity + c].map(|x| x as u32), DVec3::ZERO, frame);
            // a plane has no centre: the pass leaves its arm out
            (row, Frame { arms: [frame.arms[0], DVec3::ZERO], ..frame })
        };
        let each = (0..count * n).flat_map(|c| (0..points(c) as usize).map(move |m| (c, m)));
        compare(h, t, &each.map(contact).collect::<Vec<_>>())?;
    }
    Ok(())
}
