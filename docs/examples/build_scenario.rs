//! Builds a scenario in code and reads positions: grains on a ring fall towards each other by their own gravity.

use breccia::glam::DVec3;
use breccia::{Result, Run, Scenario};
use std::f64::consts::TAU;

/// Everything but the bodies.
const HEAD: &str = r#"
format = 1
name = "ring"

[run]
duration_s = 600.0

[[material]]
name = "rock"
density_kg_m3 = 3000.0
speed_max_m_s = 0.01
restitution_normal = 0.5
friction_sliding = 0.5

[[gravity]]
kind = "self"
"#;

/// `count` grains of 1 m on a ring of 10 m.
pub fn ring(count: usize) -> Result<Scenario> {
    let grain = |k: usize| {
        let angle = TAU * k as f64 / count as f64;
        format!("{{ position_m = [{}, {}, 0.0], radius_m = 1.0 }}", 10.0 * angle.cos(), 10.0 * angle.sin())
    };
    let grains: Vec<String> = (0..count).map(grain).collect();
    Scenario::from_toml(&format!("{HEAD}\n[[bodies]]\ngenerator = \"list\"\nbody = [{}]\n", grains.join(", ")))
}

/// Where the grains are after half of the run (m).
pub fn half_way(scenario: &Scenario) -> Result<Vec<DVec3>> {
    let mut run = Run::open(scenario)?;
    run.step(run.steps() / 2)?;
    Ok(run.snapshot()?.bodies.position_m)
}

fn main() -> Result<()> {
    for (k, position) in half_way(&ring(8)?)?.iter().enumerate() {
        println!("grain {k}: {:.6} m from the centre", position.length());
    }
    Ok(())
}
