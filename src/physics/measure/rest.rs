//! Whether bodies are at rest: their kinetic energy compared with their binding energy, and their speeds.

use super::energy::kinetic;
use crate::base::readable::{number, quantity};
use crate::model::scenario::StopWhen;
use crate::model::snapshot::Snapshot;
use serde::{Deserialize, Serialize};

/// How far and how long the rows have been at rest; goes into the checkpoint.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub struct Rest {
    /// of the last row; `None` without self-gravity
    pub kinetic_share: Option<f64>,
    /// largest speed of the last row (m/s)
    #[serde(default)]
    speed_m_s: f64,
    /// time of the first of the rows at rest up to the last one (s)
    since_s: Option<f64>,
    time_s: f64,
    /// whether bodies have touched each other, a wall or the surface of an asteroid
    #[serde(default)]
    touched: bool,
}

impl Rest {
    /// Takes notice of a row. Bodies that have touched nothing yet are not at rest, however slow: they begin to fall.
    pub fn observe(&mut self, s: &Snapshot, stop: Option<StopWhen>) {
        (self.kinetic_share, self.speed_m_s, self.time_s) = (kinetic_share(s), largest_speed_m_s(s), s.time_s);
        self.touched |= !(s.contacts.is_empty() && s.wall_contacts.is_empty());
        let slow = |stop: StopWhen| {
            let by_share = |most: f64| self.kinetic_share.is_some_and(|share| share < most);
            stop.kinetic_share_below.is_none_or(by_share)
                && stop.speed_below_m_s.is_none_or(|most| self.speed_m_s < most)
        };
        let at_rest = self.touched && stop.is_some_and(slow);
        self.since_s = at_rest.then(|| self.since_s.unwrap_or(s.time_s));
    }

    /// What the manifest says of a run that may end now.
    pub fn reached(&self, stop: StopWhen) -> Option<String> {
        let since_s = self.since_s.filter(|since_s| self.time_s - since_s >= stop.for_s)?;
        let share = stop.kinetic_share_below.map(|most| {
            let last = number(self.kinetic_share.unwrap_or_default());
            format!("kinetic share below {}, {last} at last", number(most))
        });
        let speed = stop.speed_below_m_s.map(|most| {
            let [most, last] = [most, self.speed_m_s].map(|v| quantity(v, "m/s"));
            format!("speeds below {most}, {last} at last")
        });
        let what = [share, speed].into_iter().flatten().collect::<Vec<_>>().join(" and ");
        Some(format!("at rest from {} s to {} s: {what}", number(since_s), number(self.time_s)))
    }
}

/// Largest speed of a body and of a point of its surface about its centre, in the axes of the frame (m/s).
fn largest_speed_m_s(s: &Snapshot) -> f64 {
    let b = &s.bodies;
    let fastest = |k: usize| b.velocity_m_s[k].length().max(b.spin_rad_s[k].length() * b.radius_m[k]);
    (0..b.len()).map(fastest).fold(0.0, f64::max)
}

/// Kinetic energy about the mass centre, spins included, over the size of the potential energy of self-gravity; `None` without it.
pub fn kinetic_share(s: &Snapshot) -> Option<f64> {
    let bodies = s.inertial();
    let mass = bodies.total_mass_kg();
    let bound: f64 = s.self_potential_j_kg.iter().zip(&bodies.mass_kg).map(|(p, m)| 0.5 * p * m).sum();
    let (translation, rotation) = kinetic(&bodies);
    let drift = bodies.mean_by_mass(&bodies.velocity_m_s);
    (bound < 0.0).then(|| (translation + rotation - 0.5 * mass * drift.length_squared()).max(0.0) / -bound)
}
