//! Bodies of several convex parts: rows behind the bodies have the position of their body, and do not meet each other.

use super::cloud::{cases, random};
use super::harness::Harness;
use super::list::List;
use super::neighbours::{fill_search, lengths, run_search};
use super::{Check, Family, Tally};
use crate::base::error::Result;
use crate::gpu::elements::body::{BodyState, BodyView, Orientation};
use crate::gpu::layout::Params;
use rand::RngExt;
use rand_pcg::Pcg64Mcg;

/// The family.
pub const FAMILY: Family = Family {
    name: "dynamics_clumps",
    compares: "Rows of the parts of a clump follow their body and do not meet each other, against the host.",
    bounds: "Rows are copies and pairs are integers; they must be equal.",
    checks: CHECKS,
};

/// The checks of this family.
const CHECKS: &[Check] = &[
    Check::exact(&["follow_bodies"], "rows behind the bodies, and no others", follow_bodies),
    Check::exact(
        &["note_neighbours", "list_neighbours", "find_neighbours"],
        "parts of a body are not neighbours",
        find_neighbours,
    ),
];

fn any_state(random: &mut Pcg64Mcg) -> BodyState {
    let (position, velocity, spin) = random.random();
    BodyState { position, velocity, spin }
}

pub(super) fn any_view(random: &mut Pcg64Mcg) -> BodyView {
    let (position, velocity, anchor, spin) = random.random();
    let (radius, inverse_mass, material_and_tail) = random.random();
    BodyView { position, radius, velocity, inverse_mass, spin, material_and_tail, anchor, clump_or_room: 0 }
}

fn follow_bodies(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for (bodies, further) in [(1, 0), (1, 3), (63, 1), (5, 130), (400, 70)] {
        t.case(format!("{bodies} bodies, {further} further parts"));
        let mut random = random(bodies as u64 + further as u64);
        let (parts, rows) = (bodies + further, bodies + further + 2);
        let mut state: Vec<BodyState> = (0..rows).map(|_| any_state(&mut random)).collect();
        let mut view: Vec<BodyView> = (0..rows).map(|_| any_view(&mut random)).collect();
        let mut turn: Vec<_> = (0..rows).map(|_| Orientation { quaternion: random.random() }).collect();
        let leader: Vec<usize> = (0..further).map(|_| random.random_range(0..bodies)).collect();
        leader.iter().enumerate().for_each(|(k, l)| view[bodies + k].clump_or_room = *l as u32 + 1);
        h.uniform("params", &Params { body_count: bodies as u32, part_count: parts as u32, ..Params::default() })?;
        h.fill("body_state", &state)?;
        h.fill("body_view", &view)?;
        h.fill("body_turn", &turn)?;
        h.run("follow_bodies", (further as u32 + 2).div_ceil(64))?;
        for (k, l) in leader.into_iter().enumerate() {
            let row = bodies + k;
            (state[row], turn[row]) = (state[l], turn[l]);
            let BodyView { radius, anchor, clump_or_room, .. } = view[row];
            view[row] = BodyView { radius, anchor, clump_or_room, ..view[l] };
        }
        t.equal("state", &h.read::<BodyState>("body_state")?, &state);
        t.equal("view", &h.read::<BodyView>("body_view")?, &view);
        t.equal("turn", &h.read::<Orientation>("body_turn")?, &turn);
    }
    Ok(())
}

/// Clouds of which every second row is a part of one of a few bodies.
fn find_neighbours(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for cloud in cases() {
        t.case(&cloud.name);
        let clump = |k: u32| if k % 2 == 1 { 1 + k / 16 } else { 0 };
        let apart = |p: &(u32, u32)| clump(p.0) == 0 || clump(p.0) != clump(p.1);
        let pairs: Vec<_> = cloud.neighbours().into_iter().filter(apart).collect();
        let list = List::of(cloud.len(), &pairs);
        fill_search(h, &cloud, &list)?;
        h.uniform("params", &Params { body_count: cloud.len() as u32 / 2, ..cloud.params() })?;
        let mut view = cloud.view();
        view.iter_mut().zip(0..).for_each(|(view, k)| view.clump_or_room = clump(k));
        h.fill("body_view", &view)?;
        run_search(h, &cloud)?;
        t.equal("count", &h.read::<u32>("neighbour_count")?, &lengths(&list.offset));
        t.equal("upper count", &h.read::<u32>("upper_count")?, &lengths(&list.pair_offset));
        t.equal("neighbour", &h.read::<u32>("incident_body")?, &list.body);
    }
    Ok(())
}
