//! `run.stop_when`: a run that ends when its bodies are at rest.

use crate::base::quantity::Dimension as D;
use crate::base::reader::Table;
use crate::base::reader::key::Key;
use crate::model::scenario::{Scenario, StopWhen};

/// Keys of `stop_when`.
pub(super) const KEYS: &[Key] = &[
    Key::up_to("kinetic_share_below", D::Pure, 1.0)
        .says("kinetic energy about the mass centre over the potential energy of self-gravity below which bodies are at rest")
        .eg("1e-5"),
    Key::positive("speed_below_m_s", D::Speed)
        .says("speed below which every body is at rest, and the speed of its surface by its spin; in the axes of the frames")
        .eg("\"1 mm/s\""),
    Key::positive("for_s", D::Time)
        .required()
        .says("time for which all rows of the series must be at rest; at least the time between two rows")
        .eg("\"10 min\""),
];

/// `stop_when = { kinetic_share_below, speed_below_m_s, for_s }`.
pub(super) fn stop_when(run: &Table) -> Option<StopWhen> {
    let t = run.table_if("stop_when")?;
    let (kinetic_share_below, speed_below_m_s) = (t.value_if("kinetic_share_below"), t.value_if("speed_below_m_s"));
    if kinetic_share_below.is_none() && speed_below_m_s.is_none() {
        t.fault("kinetic_share_below", "is missing, and so is speed_below_m_s", "give one of them, or both");
    }
    let stop = StopWhen { kinetic_share_below, speed_below_m_s, for_s: t.value("for_s") };
    t.close();
    Some(stop)
}

/// A scenario in which nothing gives the share, or no row could show that it holds.
pub(super) fn consistent(root: &Table, scenario: &Scenario) {
    let Some(stop) = scenario.run.stop_when else { return };
    let run = root.table("run");
    if stop.kinetic_share_below.is_some() && !scenario.has_self_gravity() {
        run.fault(
            "stop_when",
            "kinetic_share_below needs the potential energy of self-gravity, and there is none",
            "give speed_below_m_s instead, or add a [[gravity]] of kind = \"self\"",
        );
    }
    if !run.is_sound("stop_when") {
        return;
    }
    let row_s = scenario.run.duration_s / scenario.output.series_rows as f64;
    if stop.for_s < row_s {
        let what = format!("for_s = {} s is shorter than the {row_s} s between two rows of the series", stop.for_s);
        run.fault("stop_when", what, "raise it, or raise output.series_rows");
    } else if stop.for_s >= scenario.run.duration_s {
        let what = format!("for_s = {} s is not below run.duration_s = {}", stop.for_s, scenario.run.duration_s);
        run.fault("stop_when", what, "lower it");
    }
}
