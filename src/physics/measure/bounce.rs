//! The first bounce of body 0 on body 1 or on wall 0, as rows show it: the normal speeds before it and after it.

use super::walls::motion;
use crate::model::scenario::Wall;
use crate::model::snapshot::Snapshot;
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// Share of the speed of approach that counts as none.
const STOPPED: f64 = 0.01;
/// Rows after the contact of which the faster one counts: one that comes a step after the end still has half of the last
/// force in its velocity, which may pull.
const ROWS_AFTER: u8 = 2;

/// Strides on the way to a block, at most, and the part of a radius that is no gap.
const STRIDES: u32 = 100;
const NEAR: f64 = 1e-3;

/// How body 0 stands in a row to what it may meet.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct Stand {
    time_s: f64,
    /// between the surfaces; of polyhedra between the spheres that hold them (m)
    gap_m: f64,
    /// along the normal, below zero where the two approach (m/s)
    speed_m_s: f64,
    /// straight on the two would meet
    aims: bool,
    /// they touch, or push each other
    touches: bool,
}

/// Normal speeds about the first contact that begins after a row without one; goes into the checkpoint.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(super) struct Bounce {
    last: Option<Stand>,
    /// in the last row before it (m/s)
    before: Option<f64>,
    /// after it (m/s)
    after: Option<f64>,
    rows_after: u8,
    /// it began and ended between two rows
    #[serde(default)]
    passed_over: bool,
}

/// Velocity of body 1 relative to body 0 in inertial space; `apart_m` leads from body 0 to body 1.
pub(super) fn relative_m_s(s: &Snapshot, apart_m: DVec3) -> DVec3 {
    let turn = s.frame.map_or(DVec3::ZERO, |f| f.spin_rad_s.cross(apart_m));
    s.bodies.velocity_m_s[1] - s.bodies.velocity_m_s[0] + turn
}

impl Stand {
    /// Of body 0 to wall 0, which may move.
    pub(super) fn of_wall(s: &Snapshot, wall: &Wall) -> Stand {
        let (normal, height_m) = wall.facing(s.bodies.position_m[0], s.time_s);
        let (way_m, wall_m_s) = match wall.servo {
            None => (0.0, wall.velocity_m_s.dot(normal)),
            Some(_) => {
                let moved = motion(s, wall, 0);
                (moved.travel_m, moved.speed_m_s)
            }
        };
        let mut on_wall = s.wall_contacts.iter().filter(|c| (c.body, c.wall) == (0, 0));
        Stand {
            time_s: s.time_s,
            gap_m: height_m - way_m - s.bodies.radius_m[0],
            speed_m_s: s.bodies.velocity_m_s[0].dot(normal) - wall_m_s,
            aims: wall.block.is_none() || meets_block(s, wall),
            touches: on_wall.any(|c| c.touches(&s.bodies) || c.force_n.dot(normal) > 0.0),
        }
    }

    /// Of two bodies that are all there is; `apart_m` leads from body 0 to body 1, `speed_m_s` is along it.
    pub(super) fn of_pair(s: &Snapshot, apart_m: DVec3, speed_m_s: f64) -> Stand {
        let b = &s.bodies;
        let relative_m_s = relative_m_s(s, apart_m);
        let touching_m = b.radius_m[0] + b.radius_m[1];
        Stand {
            time_s: s.time_s,
            gap_m: apart_m.length() - touching_m,
            speed_m_s,
            aims: apart_m.cross(relative_m_s).length() <= touching_m * relative_m_s.length(),
            touches: s.contacts.iter().any(|c| c.touches(b) || c.normal_force_n() > 0.0),
        }
    }

    /// The two met and parted between this row and the one `after` it: they no longer approach, and straight on from this
    /// row, or straight back from that one, they meet within the time between.
    fn met_until(&self, after: &Stand) -> bool {
        let time_s = after.time_s - self.time_s;
        let turned = self.speed_m_s < 0.0 && after.speed_m_s > STOPPED * self.speed_m_s;
        let reached = self.gap_m + self.speed_m_s * time_s <= 0.0 || after.gap_m - after.speed_m_s * time_s <= 0.0;
        turned && self.aims && reached
    }
}

/// True if body 0 touches a block that it goes straight on to, where its surface is nearest: it may pass by.
fn meets_block(s: &Snapshot, wall: &Wall) -> bool {
    let (position_m, radius_m) = (s.bodies.position_m[0], s.bodies.radius_m[0]);
    let velocity_m_s = s.bodies.velocity_m_s[0] - wall.velocity_m_s;
    let Some(ahead) = velocity_m_s.try_normalize() else { return false };
    // as a ray is followed: a step of the gap never passes what it is a gap to
    let mut way_m = 0.0;
    for _ in 0..STRIDES {
        let gap_m = wall.facing(position_m + way_m * ahead, s.time_s).1 - radius_m;
        if gap_m <= NEAR * radius_m {
            return true;
        }
        way_m += gap_m;
    }
    false
}

impl Bounce {
    /// Takes notice of a row.
    pub(super) fn observe(&mut self, now: Stand) {
        let last = self.last.replace(now);
        if self.before.is_none() {
            let passed_over = |l: &Stand| !l.touches && !now.touches && l.met_until(&now);
            self.passed_over = last.as_ref().is_some_and(passed_over);
            let begins = |l: &Stand| !l.touches && (now.touches || l.met_until(&now));
            self.before = last.filter(begins).map(|l| l.speed_m_s);
        }
        if self.before.is_none() || self.rows_after == ROWS_AFTER {
            return;
        }
        match (now.touches, self.after) {
            (true, None) => {}
            (true, Some(_)) => self.rows_after = ROWS_AFTER,
            (false, known) => {
                self.after = Some(known.map_or(now.speed_m_s, |v| v.max(now.speed_m_s)));
                self.rows_after += 1;
            }
        }
    }

    /// The first contact began and ended between two rows.
    pub(super) fn passed_over(&self) -> bool {
        self.passed_over
    }

    /// Speed after the contact over that before it; `None` without a contact, or before it ends.
    pub(super) fn restitution(&self) -> Option<f64> {
        Some(-self.after? / self.before.filter(|v| *v < 0.0)?)
    }
}
