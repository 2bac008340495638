//! Grains of which two touch the floor, one another, and one falls: a scenario for what a whole run reads and writes.

pub const GRAINS: &str = r#"
format = 1
name = "grains"
[run]
duration_s = 0.2
time_step_s = 0.01
[[material]]
name = "rock"
density_kg_m3 = 2000
stiffness_normal_n_m = 1e4
restitution_normal = 0.5
friction_sliding = 0.5
[[bodies]]
generator = "list"
body = [
  { position_m = [0, 0, 0.999], radius_m = 1, spin_rad_s = [0.1, 0, 0] },
  { position_m = [1.998, 0, 0.999], radius_m = 1 },
  { position_m = [9, 0, 3], radius_m = 0.5, velocity_m_s = [0, 0, -0.1] },
]
[[wall]]
name = "floor"
kind = "plane"
point_m = [0, 0, 0]
normal = [0, 0, 1]
[[gravity]]
kind = "uniform"
acceleration_m_s2 = [0, 0, -1e-3]
"#;

/// The same in contact dynamics.
pub fn rigid(text: &str) -> String {
    text.replace("[run]\n", "[run]\nmethod = \"contact_dynamics\"\n").replace("stiffness_normal_n_m = 1e4\n", "")
}
