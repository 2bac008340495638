//! `run.stop_when`: a run that ends when its bodies are at rest.

use crate::base::quantity::Dimension as D;
use crate::base::reader::Table;
use crate::model::scenario::{GravitySource, Scenario, StopWhen};

/// `stop_when = { kinetic_share_below, for_s }`.
pub(super) fn stop_when(run: &Table) -> Option<StopWhen> {
    if !run.is_table("stop_when") {
        return run.has("stop_when").then(|| {
            run.fault("stop_when", "is no table; write { kinetic_share_below = 1e-5, for_s = \"10 min\" }");
            StopWhen { kinetic_share_below: 0.0, for_s: 0.0 }
        });
    }
    let t = run.table("stop_when");
    let share = t.need("kinetic_share_below", D::Pure);
    let stop = StopWhen {
        kinetic_share_below: t.within("kinetic_share_below", t.positive("kinetic_share_below", share), 0.0, 1.0),
        for_s: t.positive("for_s", t.need("for_s", D::Time)),
    };
    t.close();
    Some(stop)
}

/// A scenario in which nothing gives the share, or no row could show that it holds.
pub(super) fn consistent(root: &Table, scenario: &Scenario) {
    let Some(stop) = scenario.run.stop_when else { return };
    let run = root.table("run");
    if !scenario.gravity.iter().any(|g| matches!(g, GravitySource::SelfGravity { .. })) {
        run.fault(
            "stop_when",
            "compares with the potential energy of self-gravity; add a [[gravity]] of kind = \"self\", or remove it",
        );
    }
    let row_s = scenario.run.duration_s / scenario.output.series_rows as f64;
    if stop.for_s < row_s {
        run.fault(
            "stop_when",
            format!(
                "for_s = {} s lies between two rows of the series, {row_s} s apart; raise it, or output.series_rows",
                stop.for_s
            ),
        );
    } else if stop.for_s >= scenario.run.duration_s {
        run.fault(
            "stop_when",
            format!("for_s = {} s is not below run.duration_s = {}; lower it", stop.for_s, scenario.run.duration_s),
        );
    }
}
