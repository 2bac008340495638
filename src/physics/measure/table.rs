//! The columns of all runs, of contact dynamics, of walls and of regions, in the order of a row.

use super::column::{Column, Value, When};
use super::{bodies_in, solver, whole};
use crate::geometry::mass::ellipsoid_m3;
use crate::model::scenario::Region;
use crate::model::snapshot::Solved;

/// Instant and energies.
pub(super) const ENERGY: &[Column] = &[
    Column::one("step", "", "steps done", |m| m.s.step as f64),
    Column::one("time_s", "s", "simulated time", |m| m.s.time_s),
    Column::one("kinetic_translational_j", "J", "kinetic energy of translation", |m| m.energy.translation_j),
    Column::one("kinetic_rotational_j", "J", "kinetic energy of rotation", |m| m.energy.rotation_j),
    Column::one(
        "elastic_j",
        "J",
        "energy in the springs of all contacts, less that of cohesion; 0 in contact dynamics",
        |m| m.energy.elastic_j,
    ),
    Column::one("gravitational_j", "J", "potential energy in all fields", |m| m.energy.gravity_j),
    Column::one("dissipated_normal_j", "J", "energy lost along the normals of contacts since the start", |m| {
        m.s.dissipated.normal_j
    }),
    Column::one("dissipated_sliding_j", "J", "energy lost by sliding since the start", |m| m.s.dissipated.sliding_j),
    Column::one("dissipated_rolling_j", "J", "energy lost by rolling since the start", |m| m.s.dissipated.rolling_j),
    Column::one("dissipated_twisting_j", "J", "energy lost by twisting since the start", |m| m.s.dissipated.twisting_j),
    Column::one(
        "wall_work_j",
        "J",
        "work that moving walls have done on the bodies, less the energy that springs held at walls that were removed",
        |m| m.s.wall_work_j,
    ),
    Column::one(
        "energy_residual_j",
        "J",
        "all energies above and a free asteroid's, less `wall_work_j`, less what these were at the start and what `[spin_up]` added: how far the ledger is from closing",
        |m| m.energy.residual_j,
    ),
];

/// Momenta and their drifts.
pub(super) const MOMENTUM: &[Column] = &[
    Column::xyz("momentum_*_kg_m_s", "kg m/s", "linear momentum", |m| m.momentum.sums.linear),
    Column::one(
        "momentum_drift",
        "",
        "change of the linear momentum since the start over the largest sum of all bodies' magnitudes so far; walls and imposed fields change the momentum too, and what `[spin_up]` adds does not count",
        |m| m.momentum.linear_drift,
    ),
    Column::xyz(
        "angular_momentum_*_kg_m2_s",
        "kg m2/s",
        "angular momentum about the bodies' mass centre, spins included",
        |m| m.momentum.sums.angular(),
    ),
    Column::one(
        "angular_momentum_drift",
        "",
        "the drift of the angular momentum, measured like `momentum_drift`",
        |m| m.momentum.angular_drift,
    ),
    Column::xyz(
        "angular_momentum_orbital_*_kg_m2_s",
        "kg m2/s",
        "angular momentum without spins: the sum of m (x - centre) x v, H of Ferrari et al. 2017, eq. 15",
        |m| m.momentum.sums.orbital,
    ),
    Column::xyz("angular_momentum_spin_*_kg_m2_s", "kg m2/s", "angular momentum of the spins", |m| {
        m.momentum.sums.spins
    }),
];

/// Contacts between bodies.
pub(super) const CONTACTS: &[Column] = &[
    Column::one(
        "contacts",
        "",
        "contacts between bodies that carry force and [touch](#what-touches); for polyhedra contact points",
        |m| m.contacts.contacts,
    ),
    Column::one("coordination", "", "contacts per body, mean over all bodies; walls do not count", |m| {
        2.0 * m.contacts.contacts / m.s.bodies.len() as f64
    }),
    Column::one("coordination_touching", "", "contacts per body, mean over the bodies that have any", |m| {
        let touching = m.contacts.bodies_touching;
        if touching > 0 { 2.0 * m.contacts.contacts / touching as f64 } else { 0.0 }
    }),
    Column::one(
        "contacts_pulling",
        "",
        "contacts that pull across an open gap, by cohesion with a range; they are not among `contacts`",
        |m| m.contacts.pulling,
    ),
    Column::one(
        "coordination_geometric",
        "",
        "pairs of spheres that [touch](#what-touches) by their positions alone, with or without force, times 2 over the number of bodies; NaN for polyhedra",
        |m| 2.0 * m.contacts.near_pairs / m.s.bodies.len() as f64,
    ),
    Column::one(
        "largest_aggregate_bodies",
        "",
        "bodies of the heaviest aggregate, which contacts join, of rigid bodies those with an impulse in the step; 1 if none is",
        |m| m.contacts.aggregate_bodies as f64,
    ),
    Column::one(
        "largest_aggregate_mass_share",
        "",
        "mass over that of all bodies of the heaviest aggregate, which contacts join and, of spheres, surfaces that touch without force",
        |m| m.contacts.aggregate_share,
    ),
    Column::one(
        "overlap_max",
        "",
        "largest overlap over the smaller radius, walls included; in contact dynamics of contacts with an impulse",
        |m| m.contacts.overlap_max,
    ),
];

/// Packing and shape of all bodies together.
pub(super) const BODIES: &[Column] = &[
    Column::one(
        "packing_sphere",
        "",
        "solid volume over the volume of the enclosing sphere about the mass centre",
        |m| {
            let r = m.radius_m;
            m.solid_m3 / ellipsoid_m3([r, r, r])
        },
    ),
    Column::one(
        "packing_ellipsoid",
        "",
        "solid volume over the volume of the ellipsoid with the same second moments",
        |m| m.solid_m3 / ellipsoid_m3(m.semi_axes_m),
    ),
    Column::one("diameter_m", "m", "diameter of the enclosing sphere", |m| 2.0 * m.radius_m),
    Column::one("semi_axis_a_m", "m", "longest semi-axis of the ellipsoid with the same second moments", |m| {
        m.semi_axes_m[0]
    }),
    Column::one("semi_axis_b_m", "m", "its middle semi-axis", |m| m.semi_axes_m[1]),
    Column::one("semi_axis_c_m", "m", "its shortest semi-axis", |m| m.semi_axes_m[2]),
    Column::one("half_mass_radius_m", "m", "radius about the mass centre that holds half the mass", |m| {
        whole::half_mass_radius_m(m.s, m.centre_m)
    }),
];

/// Stress, speed and the balance of the tree.
pub(super) const STRESS: &[Column] = &[
    Column {
        name: "stress_*_pa",
        unit: "Pa",
        meaning: "stress of the contacts between bodies over the enclosing sphere, compression positive; contacts with walls do not count",
        when: When::Always,
        value: Value::Tensor(|m| m.stress.tensor_pa()),
    },
    Column::one("stress_1_pa", "Pa", "largest principal stress", |m| m.stress.principal_pa(0)),
    Column::one("stress_2_pa", "Pa", "middle principal stress", |m| m.stress.principal_pa(1)),
    Column::one("stress_3_pa", "Pa", "smallest principal stress", |m| m.stress.principal_pa(2)),
    Column::one(
        "pressure_pa",
        "Pa",
        "a third of the trace of this stress, without walls; below zero for an instant where dashpots pull (`normal_tension = \"kept\"`)",
        |m| m.stress.trace() / (3.0 * m.stress.volume_m3),
    ),
    Column::one(
        "virial_residual",
        "",
        "(3 P V - W + 2 K) / W, W: sum of -m (x - centre) . a over self-gravity, K: about the centre, P: `pressure_pa`; zero in equilibrium without walls; NaN without self-gravity, or beside an asteroid or a centre",
        |m| m.stress.virial_residual,
    ),
    Column::one("speed_max_m_s", "m/s", "largest speed of any body; beside an asteroid relative to its axes", |m| {
        m.s.bodies.velocity_m_s.iter().map(|v| v.length()).fold(0.0, f64::max)
    }),
    Column::one(
        "tree_net_force",
        "",
        "net force of the tree's field over the sum of all forces, before it is [taken out](../method/gravity.md) to keep the momentum",
        |m| m.s.tree_net_force,
    ),
];

/// Columns of contact dynamics.
pub(super) const SOLVER: &[Column] = &[
    Column::one(
        "coordination_by_kind",
        "",
        "like `coordination`, but pairs of polyhedra count [by their kind](#what-touches)",
        |m| solver::coordination_by_kind(m.s),
    )
    .when(When::ContactDynamics),
    Column::one(
        "solver_iterations_mean",
        "",
        "iterations per step since the last row, mean over steps with contacts",
        |m| {
            let Solved { steps, iterations, .. } = m.s.solved.unwrap_or_default();
            if steps > 0 { iterations as f64 / f64::from(steps) } else { 0.0 }
        },
    )
    .when(When::ContactDynamics),
    Column::one("solver_iterations_max", "", "most iterations of a step since the last row", |m| {
        m.s.solved.unwrap_or_default().iterations_worst.into()
    })
    .when(When::ContactDynamics),
    Column::one(
        "solver_residual",
        "",
        "[residual E](../method/contact_dynamics.md) of the last step; 0 if it had no contacts",
        |m| m.s.solved.unwrap_or_default().residual,
    )
    .when(When::ContactDynamics),
    Column::one("solver_residual_max", "", "largest residual E at which a step since the last row ended", |m| {
        m.s.solved.unwrap_or_default().residual_worst
    })
    .when(When::ContactDynamics),
    Column::one(
        "solver_over_budget",
        "",
        "steps since the last row that ended at `iterations_max` above the tolerance",
        |m| m.s.solved.unwrap_or_default().over_budget.into(),
    )
    .when(When::ContactDynamics),
    Column::one(
        "solver_residual_judged",
        "",
        "residual E of the last step, evaluated in f64 from its contacts and impulses; 0 where it is of velocities that never matter; NaN in rows that are not judged",
        |m| m.s.solved.and_then(|s| s.judged).unwrap_or(f64::NAN),
    )
    .when(When::Judged),
];

/// How all bodies together turn.
pub(super) const ROTATION: &[Column] = &[
    Column::one(
        "angular_velocity_rad_s",
        "rad/s",
        "angular velocity of the rigid rotation with the bodies' angular momentum and moments of inertia, in inertial space",
        |m| m.rotation.angular_velocity_rad_s,
    )
    .when(When::NoAsteroid),
    Column::one(
        "spin_over_critical",
        "",
        "`angular_velocity_rad_s` over sqrt(4/3 pi G rho), at which the equator of a sphere is weightless; rho of the ellipsoid with the same mass and second moments",
        |m| m.rotation.over_critical,
    )
    .when(When::NoAsteroid),
];

/// Columns of each wall.
pub(super) const WALLS: &[Column] = &[
    Column {
        name: "wall.NAME.force_*_n",
        unit: "N",
        meaning: "force of the bodies on the wall",
        when: When::Always,
        value: Value::OfWallXyz(|m, k| m.walls[k].force_n),
    },
    Column {
        name: "wall.NAME.torque_*_n_m",
        unit: "N m",
        meaning: "its torque about the wall's `point_m`, which moves with a plate: a corner of a box, the middle of a block; with the couples of rolling and twisting friction",
        when: When::Always,
        value: Value::OfWallXyz(|m, k| m.walls[k].torque_n_m),
    },
    Column {
        name: "wall.NAME.travel_m",
        unit: "m",
        meaning: "distance along the wall's normal since time 0, positive towards the bodies; it stays from the wall's removal on, with a servo up to half a step farther",
        when: When::WallMoves,
        value: Value::OfWall(|m, k| m.walls[k].motion.travel_m),
    },
    Column {
        name: "wall.NAME.speed_m_s",
        unit: "m/s",
        meaning: "speed along the wall's normal, positive towards the bodies; 0 from its removal on",
        when: When::WallMoves,
        value: Value::OfWall(|m, k| m.walls[k].motion.speed_m_s),
    },
];

/// Name of the column that counts the bodies of a region.
pub(super) fn bodies_column(region: &Region) -> String {
    REGIONS[0].name.replace("NAME", &region.name)
}

/// Columns of each region.
pub(super) const REGIONS: &[Column] = &[
    Column {
        name: "region.NAME.bodies",
        unit: "",
        meaning: "bodies whose centres are in the `[[region]]`",
        when: When::Always,
        value: Value::OfRegion(|m, k| f64::from(bodies_in::inside(m.s, &m.scenario.regions[k]).0)),
    },
    Column {
        name: "region.NAME.mass_kg",
        unit: "kg",
        meaning: "mass of these bodies",
        when: When::Always,
        value: Value::OfRegion(|m, k| bodies_in::inside(m.s, &m.scenario.regions[k]).1),
    },
];
