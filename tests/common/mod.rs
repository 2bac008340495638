//! Scenarios built by hand for tests.
#![allow(dead_code, reason = "every test program uses its own part")]

pub mod aggregates;
pub mod asteroid;
pub mod busy;
pub mod clusters;
pub mod command;
pub mod cubes;
pub mod drawn;
pub mod fresh;
pub mod grains;
pub mod piles;
pub mod refused;
pub mod rigid;
pub mod shaders;
pub mod shapes;
pub mod translated;
pub mod vtp;

use breccia::engine::gpu::soft_sphere::SoftSphere;
use breccia::engine::reference::soft_sphere::ReferenceEngine;
use breccia::gpu::device::Gpu;
use breccia::gpu::pipeline::link::Sources;
use breccia::model::body::Bodies;
use breccia::model::scenario::*;
use breccia::model::snapshot::Snapshot;
use breccia::model::stored::{frames, resolved};
pub use breccia::physics::laws::linear_spring_dashpot::NormalTension;
use breccia::physics::laws::registry::LAWS;
use breccia::physics::time_step::time_step;
use glam::DVec3;
use std::path::Path;

/// A device, or a loud failure: these tests need one (software Vulkan will do).
pub fn gpu() -> Gpu {
    Gpu::open(None).expect("no GPU adapter: install mesa-vulkan-drivers")
}

pub fn material() -> Material {
    Material::new("rock", 3350.0)
        .with("stiffness_normal_n_m", 1.0103e4)
        .with("overlap_at_speed_max", 0.01)
        .with("stiffness_ratio", 2.0 / 7.0)
        .with("restitution_normal", 0.55)
        .with("restitution_tangential", 0.55)
        .with("friction_sliding", 0.5)
        .with("shape_parameter", 0.5)
        .with("normal_tension", "kept")
}

/// Of contact dynamics by Jacobi iterations.
pub fn rigid_settings() -> ContactDynamics {
    ContactDynamics {
        theta: 0.5,
        solver: ContactSolver::Jacobi,
        tolerance: 1e-4,
        iterations_max: 800,
        on_budget: OnBudget::Warn,
        recovery: 0.2,
        recovery_speed_m_s: None,
        speed_max_m_s: None,
        cohesion_from_s: 0.0,
        judge_every: None,
    }
}

pub fn scenario(materials: Vec<Material>) -> Scenario {
    Scenario {
        name: "test".into(),
        title: "test".into(),
        seed: 1,
        run: RunSpec {
            duration_s: 1.0,
            time_step_s: None,
            time_step_fraction: 0.02,
            contact_law: LAWS[0].law.choice(),
            stop_when: None,
        },
        method: Method::SoftSphere,
        materials,
        bodies: vec![],
        collision: None,
        gravity: vec![],
        asteroid: None,
        walls: vec![],
        regions: vec![],
        neighbours: Neighbours { skin_radii: 0.1, hash_ratio: 4.0 },
        output: OutputSpec::of(1, 1),
        guards: Guards { overlap_max: 0.25, energy_residual_max: None },
        spin_up: None,
        expect: vec![],
        source: None,
    }
}

/// Bodies at rest, all of material 0.
pub fn bodies(spheres: &[(DVec3, f64)], density: f64) -> Bodies {
    let (positions, radii): (Vec<DVec3>, Vec<f64>) = spheres.iter().copied().unzip();
    let masses = radii.iter().map(|r| density * 4.0 / 3.0 * std::f64::consts::PI * r.powi(3)).collect();
    Bodies::at_rest(positions, radii, masses)
}

pub fn engine(scenario: &Scenario, bodies: &Bodies) -> SoftSphere {
    let dt = time_step(scenario, bodies).dt_s;
    SoftSphere::new(gpu(), scenario, bodies, dt, Sources::default()).expect("engine")
}

/// Runs to `target` steps.
pub fn run_to(engine: &mut SoftSphere, target: u64) {
    use breccia::engine::Engine;
    engine.run_to(target).expect("steps");
}

/// A radius that is a multiple of 2^-24 L, so that both engines have the same.
pub const R: f64 = 0.09375;

/// The f64 engine at the time step of the GPU's.
pub fn reference(scenario: &Scenario, bodies: &Bodies) -> ReferenceEngine {
    ReferenceEngine::new(scenario, bodies, time_step(scenario, bodies).dt_s).expect("reference")
}

/// Rock with every spring, and cohesion.
pub fn rough(tension: NormalTension) -> Material {
    material()
        .with("friction_rolling", 0.4)
        .with("friction_twisting", 0.7)
        .with("cohesion_pa", 5.0)
        .with("normal_tension", tension.word())
}

/// A floor.
pub fn wall(velocity: DVec3) -> Wall {
    Wall { velocity_m_s: velocity, ..Wall::plane("floor", DVec3::ZERO, DVec3::Z) }
}

/// A frame that holds all of its arrays, in the folder of a run.
pub fn write_frame(run: &Path, index: usize, s: &Snapshot, contacts: bool) -> breccia::Result<()> {
    frames::write_frame(run, index, s, contacts, &FrameForm::by_itself(), &[])
}

/// The bodies of a frame.
pub fn read_frame(frame: &Path) -> breccia::Result<Bodies> {
    frames::read_frame(frame, "a test", &["velocity", "spin"])
}

/// A run directory of one frame or more, as a run of `scenario` would leave it.
pub fn run_directory(scenario: &Scenario, frames: &[Snapshot], contacts: bool) -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("folder");
    frames.iter().enumerate().for_each(|(k, s)| write_frame(dir.path(), k, s, contacts).expect("frame"));
    let text = serde_json::to_string(scenario).expect("JSON");
    std::fs::write(dir.path().join(resolved::FILE), text).expect("resolved.json");
    dir
}

/// Twenty spheres of five sizes on their way inwards, with gravity held seven steps.
pub fn cluster() -> (Scenario, Bodies) {
    use rand::{RngExt, SeedableRng};
    let mut rng = rand_pcg::Pcg64Mcg::seed_from_u64(5);
    let mut s = scenario(vec![rough(NormalTension::Kept)]);
    s.gravity = vec![GravitySource::SelfGravity { method: SelfGravityMethod::Direct, update_every: Some(7) }];
    let mut any = move || DVec3::from_array([0; 3].map(|_| rng.random_range(-1.0..1.0)));
    let sizes = [1.0, 0.75, 0.875, 0.5, 0.625];
    let cell = |k: usize| DVec3::new((k % 3) as f64, (k / 3 % 3) as f64, (k / 9) as f64) - 1.0;
    let spheres: Vec<_> = (0..20).map(|k| (0.17 * cell(k) + 0.003 * any(), R * sizes[k % 5])).collect();
    let mut b = bodies(&spheres, 3350.0);
    for k in 0..20 {
        b.velocity_m_s[k] = -0.5 * b.position_m[k] + 0.05 * any();
        b.spin_rad_s[k] = 0.1 * any();
    }
    (s, b)
}
