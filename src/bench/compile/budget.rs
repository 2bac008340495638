//! What a pass may cost on a GPU: no registers in memory, and enough waves to hide the latency of memory.

use super::Row;

/// Passes of every step: they keep half of the waves.
const STEP: [&str; 12] = [
    "apply_contacts",
    "apply_walls",
    "integrate_bodies",
    "gather_loads",
    "relax_contacts",
    "sweep_contacts",
    "push_bodies",
    "push_plates",
    "move_bodies",
    "spin_bodies",
    "decide_work",
    "decide_dynamics",
];

/// Passes of polyhedra: they keep a third.
const POLYHEDRA: [&str; 3] = ["find_planes", "clip_manifolds", "find_wall_manifolds"];

/// Passes that are over a budget, and why. A pass that no longer is, is a fault of this list.
pub const EXCEPTIONS: [(&str, &str); 0] = [];

/// The least share of the waves, of passes that have one.
fn least_share(pass: &str) -> Option<f64> {
    match pass {
        _ if STEP.contains(&pass) => Some(0.5),
        _ if POLYHEDRA.contains(&pass) => Some(1.0 / 3.0),
        _ => None,
    }
}

/// What is wrong with a row; nothing if all is well.
fn faults(row: &Row) -> Vec<String> {
    let mut list = vec![];
    if let Some(spilled) = row.spilled.filter(|n| *n > 0) {
        list.push(format!("{spilled} registers spill"));
    }
    if let Some(bytes) = row.local_bytes.filter(|n| *n > 0) {
        list.push(format!("{bytes} bytes of local memory"));
    }
    if let (Some(least), Some(waves), Some(most)) = (least_share(&row.pass), row.waves, row.waves_max)
        && (waves as f64) < least * most as f64
    {
        list.push(format!("{waves} of {most} waves, {:.0} wanted", (least * most as f64).ceil()));
    }
    list
}

/// Rows that are over budget without being an exception.
pub fn over(rows: &[Row]) -> Vec<String> {
    let excepted = |row: &Row| EXCEPTIONS.iter().any(|e| e.0 == row.pass);
    let of = |row: &Row| {
        let law = row.law.as_ref().map_or(String::new(), |law| format!(" by {law}"));
        let faults = faults(row);
        (!faults.is_empty()).then(|| format!("{}{law}: {}", row.pass, faults.join(", ")))
    };
    rows.iter().filter(|row| !excepted(row)).filter_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(pass: &str, spilled: u64, local_bytes: u64, waves: u64) -> Row {
        Row {
            pass: pass.into(),
            law: None,
            registers: Some(64),
            spilled: Some(spilled),
            local_bytes: Some(local_bytes),
            instructions: Some(100),
            code_bytes: Some(800),
            waves: Some(waves),
            waves_max: Some(48),
            seconds: 0.0,
        }
    }

    #[test]
    fn budgets_are_held_to() {
        let rows = [
            row("integrate_bodies", 0, 0, 24),
            row("integrate_bodies", 0, 0, 22),
            row("find_planes", 0, 0, 16),
            row("find_planes", 3, 64, 14),
            row("sort_scatter", 0, 32, 2),
        ];
        let wanted = [
            "integrate_bodies: 22 of 48 waves, 24 wanted",
            "find_planes: 3 registers spill, 64 bytes of local memory, 14 of 48 waves, 16 wanted",
            "sort_scatter: 32 bytes of local memory",
        ];
        assert_eq!(over(&rows), wanted);
    }
}
