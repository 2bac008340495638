mod common;
use breccia::contact::Delassus;
use breccia::contact::judge::*;
use breccia::reference::nsgs::{Local, solve};
use breccia::reference::solution::*;
use common::fc3d::read;
use glam::DVec3;
const ALL: [&str; 7] = [
    "Capsules-i100-1090.dat",
    "Confeti-ex13-4contact-Fc3D-SBM.dat",
    "FC3D_Example1.dat",
    "FC3D_Example1_SBM.dat",
    "NESpheres_10_1.dat",
    "NESpheres_30_1.dat",
    "Rover1039.dat",
];
#[test]
fn explore() {
    for name in ALL {
        for local in [Local::Diagonal, Local::Exact] {
            let p = read(name).unwrap();
            let zero = vec![DVec3::ZERO; p.count()];
            let t = std::time::Instant::now();
            let stop = Stop {
                measure: Measure::NaturalMap,
                tolerance: 1e-10,
                floor_m_s: 0.0,
                iterations_max: 20000,
                check_every: 100,
            };
            let s = solve(&p, &zero, &stop, local);
            let hist: Vec<String> = s
                .residuals
                .iter()
                .filter(|r| [0, 100, 500, 1000, 5000, 10000, 20000].contains(&r.0))
                .map(|r| format!("{}:{:.1e}", r.0, r.1))
                .collect();
            println!(
                "{name} {local:?} {} fill {:.2} mu {} nm {:.2e} qdv {:.2e} its {} {:?} {:.2}s {}",
                p.count(),
                p.fill(),
                p.law(0).friction,
                s.residual(),
                quad_dv(&p, &s.impulses).relative,
                s.iterations,
                s.reason,
                t.elapsed().as_secs_f64(),
                hist.join(" ")
            );
            println!("   {:?}", violations(&p, &s.impulses));
        }
    }
}
