//! Contact stress of all bodies together, and the virial theorem.

use super::columns::{Column, Value, When};
use super::whole;
use crate::base::eigen::principal;
use crate::model::snapshot::Snapshot;
use glam::{DMat3, DVec3};

/// Mean stress over the enclosing sphere, compression positive.
pub struct Stress {
    /// stress times volume (N m)
    moment: DMat3,
    /// of the enclosing sphere (m3)
    volume_m3: f64,
    /// how far 3 P V is from W - 2 K, over W
    virial_residual: f64,
}

/// Stress, speed and the balance of the tree.
pub(super) const COLUMNS: &[Column] = &[
    Column {
        name: "stress_*_pa",
        unit: "Pa",
        meaning: "contact stress over the enclosing sphere, compression positive",
        when: When::Always,
        value: Value::Tensor(|m| m.stress.tensor_pa()),
    },
    Column::one("stress_1_pa", "Pa", "largest principal stress", |m| m.stress.principal_pa(0)),
    Column::one("stress_2_pa", "Pa", "middle principal stress", |m| m.stress.principal_pa(1)),
    Column::one("stress_3_pa", "Pa", "smallest principal stress", |m| m.stress.principal_pa(2)),
    Column::one(
        "pressure_pa",
        "Pa",
        "a third of the trace of the stress; below zero for an instant where dashpots pull (`normal_tension = \"kept\"`)",
        |m| m.stress.trace() / (3.0 * m.stress.volume_m3),
    ),
    Column::one(
        "virial_residual",
        "",
        "(3 P V - W + 2 K) / W, where W is the sum of -m (x - centre) . a over self-gravity; zero in equilibrium",
        |m| m.stress.virial_residual,
    ),
    Column::one("speed_max_m_s", "m/s", "largest speed of any body", |m| {
        m.s.bodies.velocity_m_s.iter().map(|v| v.length()).fold(0.0, f64::max)
    }),
    Column::one(
        "tree_net_force",
        "",
        "net force of the tree's field over the sum of all forces, before it is [taken out](../method/gravity.md) to keep the momentum",
        |m| m.s.tree_net_force,
    ),
];

impl Stress {
    fn trace(&self) -> f64 {
        let m = self.moment.to_cols_array_2d();
        m[0][0] + m[1][1] + m[2][2]
    }

    fn tensor_pa(&self) -> [f64; 6] {
        let m = self.moment.to_cols_array_2d();
        [m[0][0], m[1][1], m[2][2], 0.5 * (m[0][1] + m[1][0]), 0.5 * (m[0][2] + m[2][0]), 0.5 * (m[1][2] + m[2][1])]
            .map(|v| v / self.volume_m3)
    }

    fn principal_pa(&self, k: usize) -> f64 {
        principal(self.moment).0[k] / self.volume_m3
    }
}

/// Measures it about the mass centre (m), which moves with `drift` (m/s), over a sphere of this radius (m).
pub(super) fn measure(s: &Snapshot, centre: DVec3, drift: DVec3, radius_m: f64) -> Stress {
    let volume_m3 = 4.0 / 3.0 * std::f64::consts::PI * radius_m.powi(3);
    let mut stress = Stress { moment: whole::stress_moment(s), volume_m3, virial_residual: 0.0 };
    let w: f64 = (0..s.self_acceleration_m_s2.len())
        .map(|k| -s.bodies.mass_kg[k] * (s.bodies.position_m[k] - centre).dot(s.self_acceleration_m_s2[k]))
        .sum();
    let k2: f64 =
        (0..s.bodies.len()).map(|k| s.bodies.mass_kg[k] * (s.bodies.velocity_m_s[k] - drift).length_squared()).sum();
    if w > 0.0 {
        stress.virial_residual = (stress.trace() - (w - k2)) / w;
    }
    stress
}
