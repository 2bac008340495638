//! Plots of a run with an asteroid that turns: the panels of Song et al. 2024, Fig. 16.

use super::plots::{Curve, Plot, Shown};

const fn change(columns: &'static [&'static str], label: &'static str) -> Curve {
    Curve::new(columns, label, Shown::Change)
}

/// Spin in body axes, energy, and momenta of bodies, asteroid and both, less their first values.
pub(super) const ASTEROID: &[Plot] = &[
    Plot {
        file: "asteroid_spin",
        axis: "spin in body axes, change",
        unit: "rad/s",
        logarithmic: false,
        curves: &[
            change(&["asteroid_spin_x_rad_s"], "x"),
            change(&["asteroid_spin_y_rad_s"], "y"),
            change(&["asteroid_spin_z_rad_s"], "z"),
        ],
    },
    Plot {
        file: "mechanical_energy",
        axis: "energy, change",
        unit: "J",
        logarithmic: false,
        curves: &[
            change(&["mechanical_energy_j"], "bodies and asteroid"),
            change(&["asteroid_kinetic_j"], "asteroid, kinetic"),
        ],
    },
    Plot {
        file: "angular_momentum",
        axis: "angular momentum, change",
        unit: "kg m2/s",
        logarithmic: false,
        curves: &[
            change(&["grains_angular_momentum_x_kg_m2_s"], "grains x"),
            change(&["grains_angular_momentum_y_kg_m2_s"], "grains y"),
            change(&["grains_angular_momentum_z_kg_m2_s"], "grains z"),
            change(&["asteroid_angular_momentum_x_kg_m2_s"], "asteroid x"),
            change(&["asteroid_angular_momentum_y_kg_m2_s"], "asteroid y"),
            change(&["asteroid_angular_momentum_z_kg_m2_s"], "asteroid z"),
            change(&["total_angular_momentum_x_kg_m2_s"], "total x"),
            change(&["total_angular_momentum_y_kg_m2_s"], "total y"),
            change(&["total_angular_momentum_z_kg_m2_s"], "total z"),
        ],
    },
    Plot {
        file: "linear_momentum",
        axis: "momentum, change",
        unit: "kg m/s",
        logarithmic: false,
        curves: &[
            change(&["grains_momentum_x_kg_m_s"], "grains x"),
            change(&["grains_momentum_y_kg_m_s"], "grains y"),
            change(&["grains_momentum_z_kg_m_s"], "grains z"),
            change(&["asteroid_momentum_x_kg_m_s"], "asteroid x"),
            change(&["asteroid_momentum_y_kg_m_s"], "asteroid y"),
            change(&["asteroid_momentum_z_kg_m_s"], "asteroid z"),
            change(&["total_momentum_x_kg_m_s"], "total x"),
            change(&["total_momentum_y_kg_m_s"], "total y"),
            change(&["total_momentum_z_kg_m_s"], "total z"),
        ],
    },
];
