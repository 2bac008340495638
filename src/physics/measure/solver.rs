//! How contact dynamics solved the steps since the last row.

use super::columns::{Column, When};
use crate::model::snapshot::{Contact, Snapshot, Solved};

/// Columns of contact dynamics alone.
pub(super) const COLUMNS: &[Column] = &[
    Column::one(
        "coordination_by_kind",
        "",
        "like `coordination`, but pairs of polyhedra count [by their kind](#what-touches)",
        |m| coordination_by_kind(m.s),
    )
    .when(When::ContactDynamics),
    Column::one(
        "solver_iterations_mean",
        "",
        "iterations per step since the last row, mean over steps with contacts",
        |m| {
            let Solved { steps, iterations, .. } = m.s.solved.unwrap_or_default();
            if steps > 0 { iterations as f64 / f64::from(steps) } else { 0.0 }
        },
    )
    .when(When::ContactDynamics),
    Column::one("solver_iterations_max", "", "most iterations of a step since the last row", |m| {
        m.s.solved.unwrap_or_default().iterations_worst.into()
    })
    .when(When::ContactDynamics),
    Column::one(
        "solver_residual",
        "",
        "[residual E](../method/contact_dynamics.md) of the last step; 0 if it had no contacts",
        |m| m.s.solved.unwrap_or_default().residual,
    )
    .when(When::ContactDynamics),
    Column::one("solver_residual_max", "", "largest residual E at which a step since the last row ended", |m| {
        m.s.solved.unwrap_or_default().residual_worst
    })
    .when(When::ContactDynamics),
    Column::one(
        "solver_over_budget",
        "",
        "steps since the last row that ended at `iterations_max` above the tolerance",
        |m| m.s.solved.unwrap_or_default().over_budget.into(),
    )
    .when(When::ContactDynamics),
];

/// Mean number of contacts of a body with others, a pair of polyhedra counting by what touches what (Sanchez et al. 2021,
/// Fig. 9): face on face at most 3, face on edge at most 2, all else 1, but never more than the points that carry. Faces
/// that are merely near lie on each other at one corner.
fn coordination_by_kind(s: &Snapshot) -> f64 {
    let pairs = s.contacts.chunk_by(|a, b| (a.i, a.j) == (b.i, b.j));
    let count = |points: &[Contact]| {
        let carrying = points.iter().filter(|c| c.touches(&s.bodies)).count();
        carrying.min(points[0].kind as usize)
    };
    2.0 * pairs.map(count).sum::<usize>() as f64 / s.bodies.len() as f64
}
