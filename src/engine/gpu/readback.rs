//! What the engines read back alike: bodies, and self-gravity at them.

use super::core::Core;
use crate::base::error::Result;
use crate::gpu::elements::body::{BodyState, Field};
use crate::gpu::elements::gravity::Balance;
use crate::gpu::elements::in_f64;
use crate::model::snapshot::{Dissipated, Snapshot};
use glam::DVec3;

/// Bodies as `state` has them (rows of `body_state`, in memory order), self-gravity from `field`, and what the contacts lost
/// as far as it was drained; no contacts yet.
pub(super) fn bodies(core: &Core, state: &[BodyState], field: &[Field]) -> Result<Snapshot> {
    let units = core.prepared.units;
    let mut snapshot = Snapshot {
        step: core.step(),
        time_s: core.step() as f64 * units.time_s,
        bodies: core.bodies.clone(),
        central_gm_m3_s2: Some(f64::from(core.prepared.gravity.params.central_gm) / units.gm()).filter(|gm| *gm > 0.0),
        ..Snapshot::default()
    };
    let self_gravity = core.prepared.gravity.self_gravity.is_some();
    let n = core.prepared.order.len();
    snapshot.self_potential_j_kg = vec![0.0; if self_gravity { n } else { 0 }];
    snapshot.self_acceleration_m_s2 = vec![DVec3::ZERO; snapshot.self_potential_j_kg.len()];
    for (index, &k) in core.prepared.order.iter().enumerate() {
        let k = k as usize;
        let s = &state[index];
        snapshot.bodies.position_m[k] = units.absolute_position_m(s.position);
        snapshot.bodies.velocity_m_s[k] = s.velocity.map(|v| units.velocity_m_s(v)).into();
        snapshot.bodies.spin_rad_s[k] = s.spin.map(|w| units.spin_rad_s(w)).into();
        if self_gravity {
            let own = &field[index];
            snapshot.self_potential_j_kg[k] = f64::from(own.potential) * (units.length_m / units.time_s).powi(2);
            snapshot.self_acceleration_m_s2[k] = in_f64(own.acceleration) / units.acceleration();
        }
    }
    if let Some(part) = &core.prepared.asteroid {
        snapshot.asteroid_potential_j_kg = part.field.potentials_on_demand(&snapshot.bodies.position_m);
    }
    if core.prepared.counts.has("gravity_tree") {
        snapshot.tree_net_force = core.buffers.read::<Balance>(&core.gpu, "tree_balance", 1)?[0].share.into();
    }
    let [normal_j, sliding_j, rolling_j, twisting_j] = core.drained.dissipated.map(|e| e / units.energy());
    snapshot.dissipated = Dissipated { normal_j, sliding_j, rolling_j, twisting_j };
    snapshot.wall_work_j = core.drained.wall_work / units.energy();
    Ok(snapshot)
}
