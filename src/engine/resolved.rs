//! The scenario with every choice made that it leaves to the engine. A run keeps it as `resolved.json`.

use super::open::EngineKind;
use crate::engine::gpu::iterations::settled;
use crate::engine::gpu::parts::gravity::self_gravity;
use crate::model::body::Bodies;
use crate::model::scenario::{GravitySource, Method, Scenario, SelfGravityMethod};
use crate::physics::laws::pairs;

/// The scenario as this engine computes it at the time step `dt_s`; `software`: on a software adapter.
pub fn resolved(kind: EngineKind, scenario: &Scenario, bodies: &Bodies, dt_s: f64, software: bool) -> Scenario {
    let mut resolved = scenario.clone();
    resolved.run.time_step_s = Some(dt_s);
    // in f64 "auto" is a solver of its own: sequential Gauss-Seidel
    let settings = if kind == EngineKind::Gpu { settled(&resolved, bodies, software) } else { None };
    if let Some(settings) = settings {
        resolved.method = Method::ContactDynamics(settings);
    }
    resolved.materials = pairs::settled(scenario, bodies);
    let method = match kind {
        EngineKind::Gpu => self_gravity(scenario, bodies.len()),
        EngineKind::Reference => Some(SelfGravityMethod::Direct),
    };
    set_gravity(&mut resolved, method);
    resolved
}

/// Writes down how self-gravity and an asteroid's field are summed, and for how many steps both are held.
fn set_gravity(scenario: &mut Scenario, method: Option<SelfGravityMethod>) {
    let held = scenario.held_steps();
    for source in &mut scenario.gravity {
        match (source, method) {
            (GravitySource::SelfGravity { method: typed, update_every }, Some(method)) => {
                (*typed, *update_every) = (method, Some(held));
            }
            (GravitySource::Asteroid { sum, update_every }, _) => {
                let surface = scenario.asteroid.as_ref().and_then(|a| a.surface().ok());
                *sum = surface.map_or(*sum, |s| sum.decided(s.triangles.len()));
                *update_every = Some(held);
            }
            _ => {}
        }
    }
}
