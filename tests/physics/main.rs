//! Physics: laws, engines and fields against f64, analytic cases and each other.

#![allow(unreachable_pub, reason = "a test program shows nothing to others")]

#[path = "../common/mod.rs"]
mod common;

mod accumulators;
mod asteroid_field;
mod asteroid_motion;
mod block_matrix;
mod boulders;
mod bounce;
mod closure;
mod clumps;
mod collisions;
mod contact_dynamics;
mod contact_solvers;
mod coordination;
mod energy_guard;
mod fc3d;
mod field;
mod frame;
mod friction_problems;
mod gpu_solvers;
mod grains;
mod gravity;
mod hertz_mindlin;
mod hysteretic;
mod hysteretic_law;
mod integrators;
mod landslide;
mod ledger;
mod manifold;
mod measures;
mod narrow;
mod own_law;
mod papers;
mod pile_at_rest;
mod polyhedron_gravity;
mod precision;
mod reference_engine;
mod reference_law;
mod reference_restart;
mod reference_rigid;
mod remnant_mass;
mod rest;
mod restitution;
mod rigid_engine;
mod rigid_series;
mod rigid_turning;
mod roaming;
mod rotation;
mod servo;
mod sliding_block;
mod solver_counts;
mod spin_precision;
mod spin_ratio;
mod start_contacts;
mod surface;
mod surface_contact;
mod surface_field;
mod surface_guards;
mod turning;
mod turning_contacts;
mod two_polyhedra;
mod wide_grains;
