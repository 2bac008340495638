//! Events that have a frame of their own: a first contact, an escape, a failure; each is seen at a row of the series.

use super::columns::column;
use super::whole::centre;
use crate::base::units::G;
use crate::model::scenario::{FrameEvent, Scenario};
use crate::model::snapshot::Snapshot;
use serde::{Deserialize, Serialize};

/// Difference of the longest and the shortest semi-axis, in mean diameters, from which an aggregate has failed (Sanchez et al.
/// 2021, 3.3).
pub(super) const FAILED: f64 = 3.0;

/// What rows so far have shown; goes into the checkpoint.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Watch {
    /// frames that were written for events alone
    pub frames: usize,
    touched: bool,
    failed: bool,
    /// largest number of unbound bodies of any row
    unbound: Option<usize>,
}

impl Watch {
    /// The events that have a frame and that this row is the first to show. A body that is unbound in the first row does not
    /// escape: it came that way.
    pub fn observe(&mut self, s: &Snapshot, row: &[f64], scenario: &Scenario) -> Vec<FrameEvent> {
        let mut events = scenario.output.frame_events.clone();
        events.retain(|event| match event {
            FrameEvent::FirstContact => first(&mut self.touched, || s.contacts.iter().any(|c| c.touches(&s.bodies))),
            FrameEvent::Failure => first(&mut self.failed, || has_failed(s, row)),
            FrameEvent::Escape => self.escapes(s),
        });
        events
    }

    fn escapes(&mut self, s: &Snapshot) -> bool {
        let now = match s.frame {
            Some(_) => unbound(&s.in_inertial_space()),
            None => unbound(s),
        };
        let most = self.unbound.replace(now.max(self.unbound.unwrap_or(0)));
        most.is_some_and(|most| now > most)
    }
}

/// True the first time that it is so.
fn first(known: &mut bool, is_so: impl Fn() -> bool) -> bool {
    let news = !*known && is_so();
    *known |= news;
    news
}

fn has_failed(s: &Snapshot, row: &[f64]) -> bool {
    let [a, c] = [const { column("semi_axis_a_m") }, const { column("semi_axis_c_m") }].map(|k| row[k]);
    let mean_diameter_m = 2.0 * s.bodies.mean_radius_m();
    a - c > FAILED * mean_diameter_m
}

/// Bodies that are faster than the escape speed from all others, as if these were one point opposite the mass centre: both are
/// M / (M - m) times as fast and as far from each other as the body is about the centre.
fn unbound(s: &Snapshot) -> usize {
    let b = &s.bodies;
    let mass_kg = b.total_mass_kg();
    let (centre_m, velocity_m_s) = centre(s);
    let is_unbound = |k: &usize| {
        let energy = 0.5 * (b.velocity_m_s[*k] - velocity_m_s).length_squared();
        let others_kg = mass_kg - b.mass_kg[*k];
        energy > G * others_kg * (others_kg / mass_kg).powi(2) / (b.position_m[*k] - centre_m).length()
    };
    (0..b.len()).filter(is_unbound).count()
}
