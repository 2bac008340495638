//! Contact dynamics of `--engine reference`, compared with the GPU and with what must come out: an accretion, single
//! contacts, restart, and what is refused.

use crate::common::rigid::{hanging, rebound, text};
use breccia::engine::Engine;
use breccia::engine::gpu::contact_dynamics::ContactDynamics;
use breccia::engine::reference::contact_dynamics::RigidReference;
use breccia::model::scenario::Scenario;
use breccia::physics::measure::columns::column;
use breccia::physics::measure::series::{Baseline, measure};
use breccia::scenario::generate::generate;
use breccia::scenario::load;
use breccia::scenario::parse::parse;
use glam::DVec3;

fn accretion(set: &[&str]) -> Scenario {
    let all = ["bodies.0.count=27", "run.time_step_s=1"].iter().chain(set);
    load("accretion_cd_spheres", &all.map(|s| (*s).to_owned()).collect::<Vec<_>>()).expect("parses")
}

fn reference(s: &Scenario) -> RigidReference {
    let bodies = generate(s).expect("makes bodies");
    let settings = s.method.contact_dynamics().expect("rigid");
    RigidReference::new(s, settings, &bodies, s.run.time_step_s.expect("typed")).unwrap_or_else(|e| panic!("{e}"))
}

fn on_gpu(s: &Scenario) -> ContactDynamics {
    let bodies = generate(s).expect("makes bodies");
    let dt = s.run.time_step_s.expect("typed");
    ContactDynamics::new(crate::common::gpu(), s, &bodies, dt, Default::default()).unwrap_or_else(|e| panic!("{e}"))
}

/// Rows at these steps.
fn rows(engine: &mut dyn Engine, s: &Scenario, steps: impl Iterator<Item = u64>) -> Vec<Vec<f64>> {
    let mut baseline = Baseline::default();
    let row = |step: u64| {
        engine.run_to(step).expect("runs");
        let row = measure(&engine.snapshot().expect("snapshot"), s, &mut baseline);
        engine.restart_counts().expect("counts anew");
        row
    };
    steps.map(row).collect()
}

/// Until the first bodies meet both agree to rounding; then to what one pile of 27 is like another: the same energy is lost,
/// momenta stay, ledgers close.
#[test]
fn an_accretion_of_both_engines() {
    for theta in ["contact_dynamics.theta=0.5", "contact_dynamics.theta=1"] {
        let s = accretion(&[theta, "gravity.0.update_every=1"]);
        let steps = || (0..=60).map(|k| 20 * k);
        let both = [rows(&mut on_gpu(&s), &s, steps()), rows(&mut reference(&s), &s, steps())];
        let at = |k: usize, row: usize, name: &str| both[k][row][column(name)];
        let met = (0..=60).find(|r| at(1, *r, "contacts") > 0.0).expect("they meet");
        assert!(met > 10, "nothing before contact is compared: they meet in row {met}");
        for row in 1..met {
            for name in ["kinetic_translational_j", "gravitational_j", "diameter_m", "half_mass_radius_m"] {
                let (gpu, exact) = (at(0, row, name), at(1, row, name));
                assert!((gpu / exact - 1.0).abs() < 2e-6, "{theta}, row {row}: {name} {gpu}, {exact} in f64");
            }
        }
        let largest =
            |k: usize, name: &str| both[k].iter().map(|r| r[column(name)]).fold(0.0, |a: f64, b| a.max(b.abs()));
        let peaks = [0, 1].map(|k| largest(k, "kinetic_translational_j"));
        assert!((peaks[0] / peaks[1] - 1.0).abs() < 0.02, "peaks of the kinetic energy {peaks:?} J");
        let lost = [0, 1].map(|k| at(k, 60, "dissipated_normal_j") + at(k, 60, "dissipated_sliding_j"));
        assert!((lost[0] / lost[1] - 1.0).abs() < 0.01, "lost {lost:?} J");
        let touching = [0, 1].map(|k| (50..=60).map(|r| at(k, r, "coordination")).sum::<f64>() / 11.0);
        assert!((touching[0] - touching[1]).abs() < 0.4, "Z {touching:?}");
        println!("{theta}: met in row {met}, peaks {peaks:?} J, lost {lost:?} J, Z {touching:?}");
        for (k, drift, ledger) in [(0, 1e-6, 1e-5), (1, 1e-12, 2e-6)] {
            // theta = 1 is of first order: gravity's work is not exact.
            let ledger = if theta.ends_with('1') { 3e-3 } else { ledger };
            let residual = largest(k, "energy_residual_j") / lost[k];
            println!(
                "  residual {residual:e}, drifts {:e} {:e}",
                largest(k, "momentum_drift"),
                largest(k, "angular_momentum_drift")
            );
            assert!(residual < ledger, "engine {k}: the ledger is open by {residual:e}");
            assert!(largest(k, "momentum_drift") < drift && largest(k, "angular_momentum_drift") < drift, "engine {k}");
            assert_eq!(largest(k, "solver_over_budget"), 0.0, "engine {k}");
        }
    }
}

fn opened(text: &str) -> RigidReference {
    reference(&parse(text, "test.toml", &[]).unwrap_or_else(|e| panic!("{e}")))
}

#[test]
fn restitution_and_cohesion_come_out_as_typed() {
    for e in [0.0, 0.5, 1.0] {
        let mut engine = opened(&rebound(e));
        engine.run_to(120).expect("runs");
        let v = engine.snapshot().expect("snapshot").bodies.velocity_m_s[0].z;
        assert!((v - 0.1 * e).abs() < 1e-12, "e = {e}: leaves at {v} m/s");
    }
    for (load, holds) in [(0.999, true), (1.001, false)] {
        let mut engine = opened(&hanging(load));
        engine.run_to(400).expect("runs");
        let z = engine.snapshot().expect("snapshot").bodies.position_m[0].z;
        assert_eq!(z > -1.0 - 1e-5, holds, "at {load} of the force the sphere is at {z} m");
    }
}

/// In a frame that turns, a free body goes straight for those who do not turn with it; the GPU goes the same way.
#[test]
fn frames_spheres_and_spin_up_as_on_the_gpu() {
    let body = "[[bodies]]\ngenerator = \"list\"\nbody = [{ position_m = [30.0, 0.0, 0.0], radius_m = 1.0, velocity_m_s = \
                [0.0, 0.02, 0.01] }, { position_m = [0.0, -40.0, 5.0], radius_m = 2.0 }]\n[[gravity]]\nkind = \
                \"rotating_frame\"\nrotation_rad_s = [0.0, 1e-3, 2e-3]\n[[gravity]]\nkind = \"uniform_sphere\"\n\
                density_kg_m3 = 4e5\nradius_m = 35.0\n";
    let text = text(0.1, "", "restitution_normal = 0.0\nfriction_sliding = 0.3", body);
    let s = parse(&text, "test.toml", &[]).expect("parses");
    let (mut exact, mut gpu) = (reference(&s), on_gpu(&s));
    let ran = |e: &mut dyn Engine| {
        e.run_to(200).expect("runs");
        let added = e.spin(DVec3::new(1e-4, 0.0, -2e-4), None).expect("spins");
        e.run_to(600).expect("runs");
        (e.snapshot().expect("snapshot").bodies, added)
    };
    let ((a, added), (b, wanted)) = (ran(&mut gpu), ran(&mut exact));
    for k in 0..2 {
        let way = b.position_m[k].distance(generate(&s).expect("makes bodies").position_m[k]);
        assert!(way > 0.05, "body {k} has hardly moved: {way} m");
        let off = a.position_m[k].distance(b.position_m[k]);
        assert!(off < 1e-5 * way, "body {k}: {off:e} m apart after {way} m");
        assert!(a.spin_rad_s[k].distance(b.spin_rad_s[k]) < 1e-9, "{} {}", a.spin_rad_s[k], b.spin_rad_s[k]);
    }
    assert!((added.energy_j / wanted.energy_j - 1.0).abs() < 1e-3, "{added:?} {wanted:?}");
}

#[test]
fn a_restart_changes_no_bit() {
    let s = accretion(&[]);
    let mut whole = reference(&s);
    whole.run_to(900).expect("runs");
    let half = whole.save().expect("saves");
    whole.run_to(1100).expect("runs");
    let mut other = reference(&s);
    other.restore(&half).expect("restores");
    other.run_to(1100).expect("runs");
    for (a, b) in whole.save().expect("saves").iter().zip(&other.save().expect("saves")) {
        assert!(a == b, "`{}` differs after a restart", a.0);
    }
    let mut damaged = half.clone();
    damaged.iter_mut().find(|b| b.0 == "touches").expect("there").1.truncate(50);
    assert_eq!(other.restore(&damaged).expect_err("refused").exit_code(), 7);
}

fn breccia(args: &[&str]) -> assert_cmd::assert::Assert {
    let mut command = assert_cmd::Command::cargo_bin("breccia").expect("binary");
    // No driver at all
    command.env("VK_DRIVER_FILES", "/dev/null").env("VK_ICD_FILENAMES", "/dev/null").args(args).assert()
}

#[test]
fn the_command_line_runs_it_without_a_gpu() {
    let dir = tempfile::tempdir().expect("tempdir");
    let out = dir.path().join("run");
    let out = out.to_str().expect("utf8");
    breccia(&["run", "sphere_on_plane_restitution", "--engine", "reference", "--out", out]).code(0);
    let resolved = std::fs::read_to_string(dir.path().join("run/resolved.json")).expect("reads");
    assert!(resolved.contains("\"iterations_max\": "), "{resolved}");
    let refused = breccia(&["run", "stack_of_boxes", "--engine", "reference", "--overwrite", "--out", out]).code(2);
    let message = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
    assert!(message.contains("steps spheres alone") && message.contains("--engine gpu"), "{message}");
    let tight =
        ["contact_dynamics.on_budget=stop", "contact_dynamics.iterations_max=8", "contact_dynamics.tolerance=1e-6"];
    let mut args = vec!["run", "accretion_cd_spheres", "--engine", "reference", "--overwrite", "--out", out];
    for set in tight.iter().chain(&["bodies.0.count=27", "run.time_step_s=2", "run.duration_s=1500"]) {
        args.extend(["--set", set]);
    }
    let ended = breccia(&args).code(6);
    assert!(String::from_utf8_lossy(&ended.get_output().stderr).contains("raise contact_dynamics.iterations_max"));
}

/// One sphere rests on a block and one rolls over its edge; when the block is gone both fall freely. Both engines agree.
#[test]
fn blocks_carry_until_they_are_removed() {
    let rest = "[[bodies]]\ngenerator = \"list\"\nbody = [{ position_m = [-3.0, 0.0, 1.0], radius_m = 1.0 }, \
                { position_m = [3.5, 0.3, 1.0], radius_m = 1.0, velocity_m_s = [0.1, 0.0, 0.0] }]\n\
                [[gravity]]\nkind = \"uniform\"\nacceleration_m_s2 = [0.0, 0.0, -1e-2]\n\
                [[wall]]\nkind = \"block\"\nmin_m = [-4.0, -4.0, -1.0]\nmax_m = [4.0, 4.0, 0.0]\nremoved_at_s = 20.0\n";
    let material = "restitution_normal = 0.0\nfriction_sliding = 0.4";
    let s = parse(&text(0.1, "tolerance = 1e-6", material, rest), "test.toml", &[]).expect("parses");
    let (mut gpu, mut exact) = (on_gpu(&s), reference(&s));
    let mut falling = vec![];
    for step in (0..=300).step_by(10) {
        let both: [&mut dyn Engine; 2] = [&mut gpu, &mut exact];
        let [a, b] = both.map(|engine| {
            engine.run_to(step).expect("runs");
            engine.snapshot().expect("snapshot")
        });
        for k in 0..2 {
            let off = a.bodies.position_m[k].distance(b.bodies.position_m[k]);
            assert!(off < 1e-4, "step {step}, body {k}: {off} m apart");
        }
        assert_eq!(a.wall_contacts.len(), b.wall_contacts.len(), "step {step}");
        if (1..=200).contains(&step) {
            assert_eq!((b.wall_contacts[0].body, b.bodies.position_m[0].z > 0.999), (0, true), "step {step}");
        } else if step > 200 {
            assert!(b.wall_contacts.is_empty(), "step {step}");
            falling.push(b.bodies.velocity_m_s[0].z);
        }
        if step == 200 {
            assert!(b.bodies.position_m[1].x > 4.0 && b.bodies.position_m[1].z < 0.99, "{}", b.bodies.position_m[1]);
        }
    }
    let rates: Vec<f64> = falling.windows(2).map(|v| v[1] - v[0]).collect();
    assert!(rates.iter().all(|r| (r + 1e-2).abs() < 1e-9), "{rates:?}");
}
