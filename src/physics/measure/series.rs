//! One row of the series.

pub use super::baseline::Baseline;
use super::columns;
use super::measured::Measured;
use crate::model::scenario::Scenario;
use crate::model::snapshot::Snapshot;

/// Measures one instant, in the order of [`columns::columns`]. The first call sets the baseline.
pub fn measure(s: &Snapshot, scenario: &Scenario, baseline: &mut Baseline) -> Vec<f64> {
    columns::row(&Measured::new(s, scenario, baseline))
}
