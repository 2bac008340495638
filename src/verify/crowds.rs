//! What ends a run because one body has more around it than the loops of an invocation take.

use super::cloud::{Cloud, RADIUS_MAX};
use super::harness::Harness;
use super::list::{Grid, List};
use super::neighbours::fill_search;
use super::{Check, Family, Tally};
use crate::base::error::Result;
use crate::gpu::constants::{CELLS_MAX, CONTACTS_MAX, CROWD_MAX, ROW_MAX, SOLVER_DONE, SOLVER_ITERATES, TURNS_MAX};
use crate::gpu::elements::body::{BodyInertia, BodyPush};
use crate::gpu::elements::cell::{CellEntry, CellRange};
use crate::gpu::elements::contact::{ColourEntry, ContactBody, ContactFrame, ContactImpulse};
use crate::gpu::elements::control::Control;
use crate::gpu::elements::pair::Pair;
use crate::gpu::layout::{DynamicsParams, Params, control};
use glam::DVec3;

/// The family.
pub const FAMILY: Family = Family {
    name: "crowds",
    compares: "Who has more cells, bodies, neighbours or contacts than loops take: the run ends, and one fewer is done.",
    bounds: "Counts are integers and must be equal.",
    checks: CHECKS,
};

/// The checks of this family.
const CHECKS: &[Check] = &[
    Check::exact(&["note_neighbours", "find_neighbours"], "bodies in the cells around one", bodies),
    Check::exact(&["note_neighbours", "find_neighbours"], "cells around one", cells),
    Check::exact(&["link_pairs"], "neighbours of one", neighbours),
    Check::exact(&["count_incidence"], "candidates and contacts of one", contacts),
    Check::exact(&["solve_contacts"], "contacts of one in a workgroup", solved),
];

/// Control words before a pass.
fn quiet() -> Control {
    Control { fault_index: u32::MAX, ..Control::default() }
}

/// The same after it, where one has too much around it or not.
fn told(control: Control, crowded: bool) -> Control {
    match crowded {
        true => Control { fault_body: control::CROWD.0, fault_index: 0, ..control },
        false => control,
    }
}

/// Lets both passes search: whether `note_neighbours` must tell of a crowd, and whether `find_neighbours` must, for lists and for
/// entries. The first body is the one that may have too much around it.
fn search(h: &mut Harness, t: &mut Tally, cloud: &Cloud, [noting, finding]: [bool; 2]) -> Result<()> {
    h.fill("control", &[quiet()])?;
    h.run("note_neighbours", 1)?;
    let crowded = u32::from(noting);
    t.equal("control of the first search", &h.read("control")?, &[Control { crowded, ..quiet() }]);
    t.equal("count of the first search", &h.read("neighbour_count")?, &vec![0u32; cloud.len()]);
    for entries in [0, 1] {
        h.fill("control", &[quiet()])?;
        h.fill("neighbour_count", &vec![ROW_MAX as u32 + 1; cloud.len()])?;
        h.run_with("find_neighbours", 1, "pass_constants", [0, entries, 0, 0])?;
        t.equal("control", &h.read("control")?, &[told(quiet(), finding)]);
        t.equal("count", &h.read("neighbour_count")?, &vec![0u32; cloud.len()]);
    }
    Ok(())
}

/// Two bodies that are far apart, and behind the first one in its cell's run others of the same key that are elsewhere.
fn bodies(h: &mut Harness, t: &mut Tally) -> Result<()> {
    let places = [DVec3::splat(0.3), DVec3::splat(5e3)];
    let cloud = Cloud { hash: 1 << 16, ..Cloud::new("two bodies", places.map(|p| (p, RADIUS_MAX))) };
    let grid = Grid::of(&cloud);
    let entry = |b: u32| grid.entry[grid.order.iter().position(|o| *o == b).unwrap_or(0)];
    let elsewhere = CellEntry { coarse: [1 << 28; 3], ..entry(1) };
    // the first pass looks behind a body's own entry, the second at all of a run
    for others in [CROWD_MAX - 2, CROWD_MAX - 1, CROWD_MAX] {
        t.case(format!("{others} others in a cell"));
        fill_search(h, &cloud, &List::of(cloud.len(), &[]))?;
        let mut entries = vec![elsewhere; others as usize + 2];
        (entries[0], entries[1]) = (entry(1), entry(0));
        let mut range = vec![CellRange::default(); grid.range.len()];
        range[grid.key[1] as usize] = CellRange { first: 0, end: 1 };
        range[grid.key[0] as usize] = CellRange { first: 1, end: others + 2 };
        h.fill("cell_entry", &entries)?;
        h.fill("cell_range", &range)?;
        search(h, t, &cloud, [others >= CROWD_MAX, others + 1 >= CROWD_MAX])?;
    }
    Ok(())
}

/// A body among cells of so many units, each of which leads to it. The host makes none as small as the last.
fn cells(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for (size, crowded) in [(8, false), (1, true)] {
        t.case(format!("cells of {size}/64 L, more than {CELLS_MAX}: {crowded}"));
        let cloud = Cloud { hash: 1 << 16, ..Cloud::new("one body", [(DVec3::splat(0.3), RADIUS_MAX)]) };
        fill_search(h, &cloud, &List::of(cloud.len(), &[]))?;
        let mut params = cloud.params();
        (params.level_count, params.level_cell[0][0]) = (1, size);
        h.uniform("params", &params)?;
        h.fill("cell_range", &vec![CellRange { first: 0, end: 1 }; cloud.hash as usize])?;
        search(h, t, &cloud, [crowded; 2])?;
    }
    Ok(())
}

/// A body whose neighbour has none: it takes a turn for each. Mesa 22 takes another for the search, which none begins, so that
/// between half of the turns and all of them it depends on the device whether the run ends.
fn neighbours(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for count in [TURNS_MAX / 2 - 1, TURNS_MAX] {
        t.case(format!("{count} neighbours"));
        h.uniform("params", &Params { body_count: 2, part_count: 2, ..Params::default() })?;
        h.fill("control", &[quiet()])?;
        h.fill("incident_offset", &[0, count, count])?;
        h.fill("incident_body", &vec![1u32; count as usize])?;
        h.fill("pair_offset", &[0, count, count])?;
        h.fill("pair_body", &[Pair::default()])?;
        h.zeros("incident_pair", 4 * count as usize)?;
        h.run("link_pairs", 1)?;
        t.equal("control", &h.read("control")?, &[told(quiet(), count >= TURNS_MAX)]);
    }
    Ok(())
}

/// A body with so many candidates of so many contacts each.
fn contacts(h: &mut Harness, t: &mut Tally) -> Result<()> {
    let rows = [(TURNS_MAX - 1, 0), (TURNS_MAX, 0), (CONTACTS_MAX / 4, 4), (CONTACTS_MAX / 3 + 1, 3)];
    for (candidates, each) in rows {
        t.case(format!("{candidates} candidates of {each} contacts"));
        h.uniform("params", &Params { body_count: 2, part_count: 2, ..Params::default() })?;
        h.fill("control", &[quiet()])?;
        h.fill("incident_offset", &[0, candidates, candidates])?;
        h.fill("incident_pair", &vec![0u32; candidates as usize])?;
        h.fill("contact_offset", &[0, each])?;
        h.fill("body_part", &[0u32; 3])?;
        h.fill("body_contact_offset", &[0u32; 3])?;
        h.fill("body_contact_count", &[9u32; 2])?;
        h.fill("body_contact", &[9u32])?;
        h.run_with("count_incidence", 1, "pass_constants", [0; 4])?;
        let crowded = candidates >= TURNS_MAX || candidates * each > CONTACTS_MAX;
        t.equal("control", &h.read("control")?, &[told(quiet(), crowded)]);
        t.equal("count", &h.read("body_contact_count")?, &[candidates * each, 0]);
    }
    Ok(())
}

/// A body whose list alone takes all turns of an invocation, or nearly, before a residual that is none is looked at.
fn solved(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for (listed, fault) in [(TURNS_MAX - 100, 0), (TURNS_MAX, control::BUDGET.0)] {
        t.case(format!("{listed} contacts of a body"));
        h.uniform("params", &Params { body_count: 1, part_count: 1, ..Params::default() })?;
        let limits = DynamicsParams { look_every: 1, tolerance: 1.0, iterations_max: 1, ..DynamicsParams::default() };
        h.uniform("dynamics", &limits)?;
        let words = Control { solver: SOLVER_ITERATES, ..quiet() };
        h.fill("control", &[words])?;
        h.fill("contact_body", &[ContactBody::default()])?;
        h.fill("contact_frame", &[ContactFrame::default()])?;
        h.fill("contact_impulse", &[ContactImpulse::default()])?;
        h.fill("colour_list", &[ColourEntry::default()])?;
        h.fill("body_inertia", &[BodyInertia::default()])?;
        h.fill("body_push", &[BodyPush::default()])?;
        h.fill("body_contact_offset", &[0, listed])?;
        h.fill("body_contact", &vec![0u32; listed as usize])?;
        h.run("solve_contacts", 1)?;
        let done = Control {
            solver: SOLVER_DONE,
            solved_steps: 1,
            solved_iterations: 1,
            iterations_worst: 1,
            iteration: 1,
            ..words
        };
        t.equal("control", &h.read("control")?, &[Control { fault_body: fault, ..done }]);
    }
    Ok(())
}
