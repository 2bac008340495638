//! What a snapshot of a turning frame has besides: velocities of the instant, the frame's pose, the asteroid.

use super::Framed;
use crate::base::error::Result;
use crate::base::units::Units;
use crate::engine::gpu::core::Core;
use crate::model::snapshot::{FrameState, Snapshot};
use glam::DVec3;

/// What one body takes in a step.
pub(crate) struct Load {
    /// (L/T2)
    pub kick: DVec3,
    /// (1/T2)
    pub turning: DVec3,
}

/// Brings velocities to the instant, and adds frame and asteroid. `loads`: by index in memory.
pub(crate) fn complete(core: &Core, frame: &Framed, loads: &[Load], snapshot: &mut Snapshot) -> Result<()> {
    let (units, step) = (core.prepared.units, core.step());
    let coupling = &frame.coupling;
    let turn = coupling.last_turn(step);
    let speed = units.length_m / units.time_s;
    let (mut impulse, mut torque) = (DVec3::ZERO, DVec3::ZERO);
    for (load, &k) in loads.iter().zip(&core.prepared.order).filter(|_| step > 0) {
        let k = k as usize;
        let (position, last) =
            (snapshot.bodies.position_m[k] / units.length_m, snapshot.bodies.velocity_m_s[k] / speed);
        let now = turn.velocity_now(last, position, load.kick);
        snapshot.bodies.velocity_m_s[k] = now * speed;
        snapshot.bodies.spin_rad_s[k] += 0.5 * load.turning / units.time_s;
        let half = 0.5 * core.bodies.mass_kg[k] * load.kick * speed;
        impulse += half;
        torque += snapshot.bodies.position_m[k].cross(half) + half_turning(core, k, load, &units);
    }
    let (origin_m, orientation) = coupling.pose(step);
    let asteroid = if frame.is_free() {
        let pending = frame.pending(core)?;
        let first = coupling.booked_steps();
        let mut body = coupling.asteroid_at(step, |s| pending[(s - first) as usize]);
        if let Some(asteroid) = &mut body {
            asteroid.step(orientation * impulse, orientation * torque, origin_m, 0.0);
        }
        body
    } else {
        None
    };
    let (velocity_m_s, spin_rad_s) = (coupling.last_velocity_m_s(step), turn.vector / units.time_s);
    snapshot.frame = Some(FrameState { origin_m, orientation, velocity_m_s, spin_rad_s, asteroid });
    Ok(())
}

/// Angular momentum of half a step's turning (kg m2/s).
fn half_turning(core: &Core, k: usize, load: &Load, units: &Units) -> DVec3 {
    0.5 * core.bodies.sphere_moment_kg_m2(k) * load.turning / units.time_s
}
