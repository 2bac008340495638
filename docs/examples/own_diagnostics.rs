//! Measures its own quantities every 20 steps: the largest force of a contact, and the rotational share of the kinetic
//! energy.

use breccia::{Result, Run, Scenario, Snapshot};

/// One line of the table.
#[derive(Debug)]
pub struct Sample {
    /// simulated time (s)
    pub time_s: f64,
    /// largest force of all contacts, between bodies and with walls (N)
    pub force_max_n: f64,
    /// rotational over total kinetic energy
    pub rotational_share: f64,
}

/// Steps between two samples.
const EVERY: u64 = 20;

fn measure(s: &Snapshot) -> Sample {
    let b = &s.bodies;
    let linear: f64 = b.mass_kg.iter().zip(&b.velocity_m_s).map(|(m, v)| 0.5 * m * v.length_squared()).sum();
    // Spheres: the moment of inertia is 2/5 m r^2.
    let moment = |k: usize| 0.4 * b.mass_kg[k] * b.radius_m[k].powi(2);
    let rotational: f64 = (0..b.len()).map(|k| 0.5 * moment(k) * b.spin_rad_s[k].length_squared()).sum();
    let forces = s.contacts.iter().map(|c| c.force_n).chain(s.wall_contacts.iter().map(|c| c.force_n));
    let force_max_n = forces.map(|f| f.length()).fold(0.0, f64::max);
    Sample { time_s: s.time_s, force_max_n, rotational_share: rotational / (linear + rotational) }
}

/// Computes the run and samples it.
pub fn sampled(scenario: &Scenario) -> Result<Vec<Sample>> {
    let mut run = Run::open(scenario)?;
    let mut samples = vec![measure(&run.snapshot()?)];
    while run.step(EVERY)? > 0 {
        samples.push(measure(&run.snapshot()?));
    }
    Ok(samples)
}

fn main() -> Result<()> {
    let scenario = Scenario::load("oblique_impact")?.with("output.frames", 1)?;
    for s in sampled(&scenario)? {
        println!("{:8.4} s  {:10.3e} N  {:6.4}", s.time_s, s.force_max_n, s.rotational_share);
    }
    Ok(())
}
