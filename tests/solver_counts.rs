mod common;
use breccia::reference::solution::*;
use common::aggregates::DRIVERS;
use common::piles::settled;
use glam::DVec3;
use std::time::Instant;

#[test]
fn explore() {
    let n: usize = std::env::var("N").ok().and_then(|n| n.parse().ok()).unwrap_or(343);
    for mu in [0.0, 0.3, 0.8] {
        let t = Instant::now();
        let mut d = settled(n, mu);
        let made = t.elapsed().as_secs_f64();
        d.step_s = 1.0;
        d.stop.iterations_max = 2000;
        (0..5).for_each(|_| drop(d.step()));
        let (p, warm) = d.problem();
        let zero = vec![DVec3::ZERO; warm.len()];
        let active = d.touches.iter().filter(|t| t.impulse_n_s.length() > 0.0).count();
        let overlap = d.touches.iter().map(|t| -t.gap_m).fold(0.0, f64::max);
        let speed = d.bodies.velocity_m_s.iter().map(|v| v.length()).fold(0.0, f64::max);
        println!("N {n} mu {mu}: made in {made:.1} s; contacts {} active {active} overlap {overlap:.1e} speed {speed:.1e}", warm.len());
        for (name, driver) in DRIVERS {
            let stop = Stop { tolerance: 1e-4, iterations_max: 2500, check_every: 4, ..Stop::default() };
            let t = Instant::now();
            let count = |start: &[DVec3]| { let s = driver(&p, start, &stop); [1e-3, 1e-4].map(|e| s.residuals.iter().find(|r| r.1 <= e).map_or("-".into(), |r| r.0.to_string())).join("/") };
            println!("   {name:15} cold {:10} warm {:10} {:.2} s", count(&zero), count(&warm), t.elapsed().as_secs_f64());
        }
    }
}
