//! What a pass may cost on a GPU: no registers in memory, and enough waves to hide the latency of memory.

use super::Row;

/// Passes of every step: they keep half of the waves.
const STEP: [&str; 16] = [
    "apply_contacts",
    "apply_walls",
    "meet_facets",
    "apply_surface",
    "apply_wide_surface",
    "integrate_bodies",
    "integrate_in_frame",
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

/// The least share of the waves of passes that do not keep the common one.
const OWN: [(&str, f64); 4] = [
    // a search with its state
    ("find_planes", 0.33),
    // four bodies a lane: 128 registers of navi21, 157 of Ampere
    ("walk_tree", 0.25),
    // outlines in workgroup memory, 96 bytes of an invocation
    ("clip_manifolds", 0.33),
    ("find_wall_manifolds", 0.33),
];

/// Waves of which shares are taken, where hardware holds more: as many hide the same latency.
const COUNTED: u64 = 48;

/// The least share of the waves, of passes that have one.
fn least_share(pass: &str) -> Option<f64> {
    let own = OWN.iter().find(|own| own.0 == pass).map(|own| own.1);
    own.or(STEP.contains(&pass).then_some(0.5))
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
    if let (Some(share), Some(waves), Some(most)) = (least_share(&row.pass), row.waves, row.waves_max) {
        let least = share * most.min(COUNTED) as f64;
        if (waves as f64) < least {
            list.push(format!("{waves} of {most} waves, {:.0} wanted", least.ceil()));
        }
    }
    list
}

/// Rows that are over their budget.
pub fn over(rows: &[Row]) -> Vec<String> {
    let of = |row: &Row| {
        let form = row.form.as_ref().map_or(String::new(), |form| format!(" by {form}"));
        let faults = faults(row);
        (!faults.is_empty()).then(|| format!("{}{form}: {}", row.pass, faults.join(", ")))
    };
    rows.iter().filter_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(pass: &str, spilled: u64, local_bytes: u64, waves: u64) -> Row {
        Row {
            pass: pass.into(),
            form: None,
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
            row("find_planes", 3, 64, 12),
            row("sort_scatter", 0, 32, 2),
            row("apply_surface", 0, 0, 24),
            row("apply_surface", 0, 208, 24),
            Row { waves_max: Some(64), ..row("apply_surface", 0, 0, 24) },
            Row { waves_max: Some(64), ..row("apply_surface", 0, 0, 22) },
        ];
        let wanted = [
            "integrate_bodies: 22 of 48 waves, 24 wanted",
            "find_planes: 3 registers spill, 64 bytes of local memory, 12 of 48 waves, 16 wanted",
            "sort_scatter: 32 bytes of local memory",
            "apply_surface: 208 bytes of local memory",
            "apply_surface: 22 of 64 waves, 24 wanted",
        ];
        assert_eq!(over(&rows), wanted);
    }
}
