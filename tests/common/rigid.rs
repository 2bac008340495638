//! Contact dynamics in single contacts: scenarios, and engines opened on them.

use super::gpu;
use breccia::engine::gpu::contact_dynamics::ContactDynamics;
use breccia::scenario::generate::generate;
use breccia::scenario::parse::parse;

/// The plane z = 0.
pub const FLOOR: &str =
    "[[wall]]\nkind = \"plane\"\nname = \"floor\"\npoint_m = [0.0, 0.0, 0.0]\nnormal = [0.0, 0.0, 1.0]\n";

/// A scenario: step, settings, friction, restitution, cohesion, and what else is in it.
pub fn text(dt: f64, settings: &str, material: &str, rest: &str) -> String {
    format!(
        "format = 1\nseed = 7\n[run]\nmethod = \"contact_dynamics\"\nduration_s = 1000.0\ntime_step_s = {dt}\n\
         [contact_dynamics]\n{settings}\n[[material]]\nname = \"rock\"\ndensity_kg_m3 = 2000.0\n{material}\n{rest}"
    )
}

/// A sphere falls at 0.1 m/s onto the floor; it has left it after 120 steps.
pub fn rebound(restitution: f64) -> String {
    let material = format!("restitution_normal = {restitution}\nfriction_sliding = 0.3");
    let body = "[[bodies]]\ngenerator = \"list\"\nbody = [{ position_m = [0.0, 0.0, 1.53], radius_m = 1.0, \
                velocity_m_s = [0.0, 0.0, -0.1] }]\n";
    text(0.1, "tolerance = 1e-5", &material, &format!("{body}{FLOOR}"))
}

/// A sphere of weight `load` times its cohesion hangs from a ceiling, its centre at z = -1 m.
pub fn hanging(load: f64) -> String {
    let mass = 2000.0 * 4.0 / 3.0 * std::f64::consts::PI;
    let force = mass * 1e-2 / load;
    let material = format!(
        "restitution_normal = 0.0\nfriction_sliding = 0.0\ncohesion_force_n = {force}\ncohesion_range_m = 1e-3"
    );
    let rest = "[[bodies]]\ngenerator = \"list\"\nbody = [{ position_m = [0.0, 0.0, -1.0], radius_m = 1.0 }]\n\
                [[wall]]\nkind = \"plane\"\nname = \"ceiling\"\npoint_m = [0.0, 0.0, 0.0]\nnormal = [0.0, 0.0, -1.0]\n\
                [[gravity]]\nkind = \"uniform\"\nacceleration_m_s2 = [0.0, 0.0, -1e-2]\n";
    text(0.1, "tolerance = 1e-5", &material, rest)
}

/// An engine on the GPU at the start of a scenario.
pub fn opened(text: &str) -> ContactDynamics {
    let scenario = parse(text, "test.toml", &[]).unwrap_or_else(|e| panic!("{e}"));
    let bodies = generate(&scenario).unwrap_or_else(|e| panic!("{e}"));
    let dt = scenario.run.time_step_s.expect("typed");
    ContactDynamics::new(gpu(), &scenario, &bodies, dt, Default::default()).unwrap_or_else(|e| panic!("{e}"))
}
