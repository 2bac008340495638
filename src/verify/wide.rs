//! Bodies whose facets are shared out over invocations: the checks of `surface` again, for the passes that do that.

use super::cloud::{CODE, Cloud};
use super::facet_windows::{Windows, over_windows};
use super::grounds::{bodies, fill, grounds, near, surface_params};
use super::harness::{Harness, filled};
use super::laws::take;
use super::surface::{depths_by, gates_by, law_by, listed, many, prepare};
use super::surface_lists::sandwiched;
use super::{Check, Family, Tally};
use crate::base::error::Result;
use crate::engine::gpu::parts::surface::SurfaceTables;
use crate::gpu::blocks::{Block, BlockPass};
use crate::gpu::constants::{OVERFLOW_WIDE_FACETS, PHASE_RUNS, WIDE_RUN};
use crate::gpu::elements::control::Control;
use crate::gpu::elements::facet::{FacetMeeting, Listed, SurfaceFace};
use crate::gpu::layout::{Params, control};
use crate::model::scenario::SurfaceLaw;
use crate::physics::laws::registry::LAWS;
use crate::physics::surface::ground::Ground;
use crate::physics::surface::touch::SurfaceTouch;

/// The family.
pub const FAMILY: Family = Family {
    name: "wide",
    compares: "The checks of `surface` for bodies whose facets several invocations share.",
    bounds: "The bounds are those of `surface`.",
    checks: CHECKS,
};

/// The checks of this family.
const CHECKS: &[Check] = &[
    Check::exact(&["find_wide_facets"], "facets within radius and skin against all", lists),
    Check::exact(&["find_wide_facets"], "facets in three windows against one", windows),
    Check::exact(&["apply_wide_surface"], "who is near too many facets", crowded),
    Check {
        passes: &["meet_facets", "apply_wide_surface"],
        what: "depth of the closest point, far from the origin",
        unit: "of the depth, or of 1e-4 L",
        bound: 2e-5,
        reason: "as of apply_surface",
        compare: |h, t| depths_by(h, t, apply),
    },
    Check {
        passes: &["meet_facets", "apply_wide_surface"],
        what: "force, torque, springs, losses of a surface, by every law",
        unit: "of the largest a contact of weight 1 could give",
        bound: 5e-4,
        reason: "as of apply_surface",
        compare: |h, t| law_by(h, t, apply),
    },
    Check {
        passes: &["meet_facets", "apply_wide_surface"],
        what: "the same where each of 256 invocations has several facets",
        unit: "of the largest a contact of weight 1 could give",
        bound: 5e-5,
        reason: "a circle covers about 20 facets, which have 60 sides. A side errs by at most 6e-7 of the circle's area, because roots and quotients err by 3e-7",
        compare: |h, t| many(h, t, apply),
    },
    Check::exact(&["meet_facets", "apply_wide_surface"], "what is forgotten, faults, pauses", |h, t| {
        gates_by(h, t, apply, "wide_meeting")
    }),
];

fn runs(ground: &Ground, cloud: &Cloud) -> usize {
    cloud.len() * ground.tree.boxes.nodes.len().div_ceil(WIDE_RUN as usize)
}

/// All bodies are wide.
fn wide(h: &mut Harness, ground: &Ground, cloud: &Cloud) -> Result<()> {
    let params = surface_params(ground, cloud);
    let wide_runs = runs(ground, cloud) as u32;
    h.uniform("params", &Params { wide_radius: 0.0, wide_count: cloud.len() as u32, wide_runs, ..params })
}

/// A list of all bodies' facets, which all have a row.
fn all_listed(near: Vec<Vec<u32>>) -> Vec<Listed> {
    let head = near.len() + 1;
    listed(&(0..).zip(near).collect::<Vec<_>>(), head)
}

/// What all of a list's facets are to their bodies, then contacts, `groups` workgroups of them.
fn touch(h: &mut Harness, list: &[Listed], groups: u32) -> Result<()> {
    let facets = list.len() - groups as usize - 1;
    h.fill("wide_list", list)?;
    h.fill("wide_meeting", &vec![filled::<FacetMeeting>(7); facets.max(1)])?;
    let bind = || vec![("surface_list", "wide_list".to_owned()), ("surface_meeting", "wide_meeting".to_owned())];
    let constants = Some(("pass_constants", [1, 0, 0, 0]));
    let meet = BlockPass { pass: "meet_facets", bind: bind(), constants, groups: (facets as u32).div_ceil(64) };
    h.run_block(&Block::from(meet))?;
    h.run_block(&Block::from(BlockPass { pass: "apply_wide_surface", bind: bind(), constants: None, groups }))
}

fn lists(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for ground in grounds(SurfaceLaw::AreaWeighted) {
        let cloud = bodies(&ground, 70, |k| [1e-4, -0.01, -0.03][k % 3], 2);
        t.case(format!("70 bodies, {} facets", ground.facets.len()));
        let [least, most] = [0.9999, 1.001].map(|part| near(&ground, &cloud, part * 0.02));
        let n = cloud.len();
        fill(h, &ground, &cloud)?;
        wide(h, &ground, &cloud)?;
        h.zeros("control", size_of::<Control>())?;
        let rows = runs(&ground, &cloud);
        let groups = (rows as u32).div_ceil(64);
        let list = listed_by(h, n, rows, &[SurfaceTables::new(&ground.tree, &CODE).faces])?;
        for b in 0..n {
            let got = &list[list[b].at as usize..list[b + 1].at as usize];
            t.hold(sandwiched(b, got, &least[b], &most[b]));
        }
        let words = Control { overflow: OVERFLOW_WIDE_FACETS, ..Control::default() };
        h.fill("control", &[words])?;
        h.fill("wide_list", &all_listed(vec![vec![]; n]))?;
        h.run_with("find_wide_facets", groups, "pass_constants", [1, 0, 0, 0])?;
        t.equal("list without room", &h.read::<Listed>("wide_list")?, &all_listed(vec![vec![]; n]));
    }
    Ok(())
}

/// Lists of facets that lie in three windows equal those of one window.
fn windows(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for ground in grounds(SurfaceLaw::AreaWeighted) {
        let cloud = bodies(&ground, 70, |k| [1e-4, -0.01, -0.03][k % 3], 2);
        t.case(format!("70 bodies, {} facets", ground.facets.len()));
        let (n, windows) = (cloud.len(), Windows::of(&ground));
        fill(h, &ground, &cloud)?;
        wide(h, &ground, &cloud)?;
        h.zeros("control", size_of::<Control>())?;
        let rows = runs(&ground, &cloud);
        let in_one = listed_by(h, n, rows, &[SurfaceTables::new(&ground.tree, &CODE).faces])?;
        h.fill("surface_node", &windows.nodes)?;
        let list = listed_by(h, n, rows, &windows.faces)?;
        t.equal("rows", &list[..=n], &in_one[..=n]);
        t.equal("list", &windows.in_one(&list[n + 1..]), &in_one[n + 1..]);
    }
    Ok(())
}

/// The list of facets near `n` wide bodies, of `rows` runs of boxes, of facets in these windows.
fn listed_by(h: &mut Harness, n: usize, rows: usize, windows: &[Vec<SurfaceFace>]) -> Result<Vec<Listed>> {
    let groups = (rows as u32).div_ceil(64);
    let mut list = all_listed(vec![vec![]; n]);
    h.zeros("wide_facets", 4 * rows)?;
    h.zeros("wide_offset", 4 * rows + 4)?;
    h.fill("wide_list", &list)?;
    over_windows(h, "find_wide_facets", groups, 0, windows)?;
    let count: Vec<u32> = h.read("wide_facets")?;
    let offset: Vec<u32> = (0..=rows).map(|b| count[..b].iter().sum()).collect();
    h.fill("wide_offset", &offset)?;
    list.resize(list.len() + offset[rows] as usize, Listed::default());
    h.fill("wide_list", &list)?;
    over_windows(h, "find_wide_facets", groups, 1, windows)?;
    h.read("wide_list")
}

fn apply(h: &mut Harness, ground: &Ground, cloud: &Cloud, words: &Control, touches: &[SurfaceTouch]) -> Result<()> {
    prepare(h, ground, cloud, words, touches)?;
    wide(h, ground, cloud)?;
    touch(h, &all_listed(near(ground, cloud, 0.05)), cloud.len() as u32)
}

/// One facet, very often: as many as the invocations of a body take, and one more.
fn crowded(h: &mut Harness, t: &mut Tally) -> Result<()> {
    const MOST: usize = 204_800;
    let [ground, _] = grounds(SurfaceLaw::AreaWeighted);
    let cloud = bodies(&ground, 2, |_| -0.01, 3); // in touch with nothing
    for (more, fault) in [(0, [0, u32::MAX]), (1, [control::LISTED.0, 1])] {
        t.case(format!("{} facets", MOST + more));
        let words = Control { phase: PHASE_RUNS, fault_index: u32::MAX, ..Control::default() };
        take(h, LAWS[0].law)?;
        prepare(h, &ground, &cloud, &words, &[])?;
        wide(h, &ground, &cloud)?;
        touch(h, &all_listed(vec![vec![0; MOST], vec![0; MOST + more]]), 2)?;
        let words: Control = h.read_one("control")?;
        t.equal("fault", &[words.fault_contact, words.fault_index], &fault);
    }
    Ok(())
}
