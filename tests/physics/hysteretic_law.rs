//! The hysteretic law in f64, contact by contact: closed forms and inequalities; its rules for stiffness and time step.

use breccia::physics::laws::contact::{ContactResult, ContactState, Twin};
use breccia::physics::laws::hysteretic::{TwoStiffnesses, hysteretic_time_s};
use breccia::physics::laws::pairs::settled;
use breccia::physics::time_step::time_step;
use breccia::record::check::check;
use breccia::scenario::generate::generate;
use breccia::scenario::parse::parse;
use glam::DVec3;
use rand::{RngExt, SeedableRng};

/// Head-on leapfrog of the reduced mass `mass` from first touch at 1 cm/s to separation: rebound over approach speed,
/// energy lost over energy brought, duration. A pair that stays together for ten durations has no rebound.
fn rebound(law: &TwoStiffnesses, mass: f64, dt: f64) -> (f64, f64, f64) {
    let (speed, mut t) = (0.01, 0.0);
    let (mut gap, mut v, mut a, mut lost) = (0.3 * speed * dt, -speed, 0.0, 0.0);
    let mut s = ContactState { normal: DVec3::X, arm_i: 0.1, arm_j: 0.1, mass, radius: 0.05, ..Default::default() };
    loop {
        v += a * dt;
        gap += v * dt;
        t += dt;
        let energy = 0.5 * mass * speed * speed;
        if t > 10.0 * hysteretic_time_s(law.stiffness_normal, mass, law.restitution) {
            return (f64::NAN, lost / energy, t);
        }
        if gap >= 0.0 {
            lost += law.end(s.radius, s.overlap, -gap, &s.springs)[0];
            return (v / speed, lost / energy, t);
        }
        s.overlap = -gap;
        s.velocity = (v + 0.5 * a * dt) * DVec3::X;
        let r = law.force(&s, dt);
        s.springs = r.springs;
        a = -r.force.x / mass;
        lost += r.dissipated[0];
    }
}

#[test]
fn rebound_losses_and_duration_are_as_derived() {
    let mass = 7.0;
    for e in [0.1, 0.3, 0.55, 0.9, 1.0] {
        let law = TwoStiffnesses::new(1e4, e, 0.3, 0.0);
        let (measured, lost, t) = rebound(&law, mass, 0.002 * (mass / 1e4f64).sqrt());
        println!("typed {e} measured {measured:.6} lost {lost:.6} of {:.6}", 1.0 - e * e);
        assert!((measured - e).abs() < 1e-3, "{e}: {measured}");
        assert!((lost - (1.0 - measured * measured)).abs() < 1e-5, "{e}: lost {lost}");
        assert!((t / hysteretic_time_s(1e4, mass, e) - 1.0).abs() < 0.01, "{e}: {t} s");
    }
}

/// With cohesion a pair leaves with what unloading gives back less the work of the pull, and stays together if that is below
/// zero: e^2 k d^2 / 2 < P d, where d is the deepest overlap. The ledger closes.
#[test]
fn cohesion_slows_the_rebound_and_holds_what_is_slow() {
    let (mass, k, e, speed) = (7.0f64, 1e4, 0.6, 0.01);
    // a pull that holds back the typed speed: m v^2 / 2 = P d (1 - e^2) / e^2 with d = 2 P / (e^2 k)
    let holds = e * e * speed * (0.25 * mass * k / (1.0 - e * e)).sqrt();
    for share in [0.0, 0.3, 0.9, 1.1] {
        let pull = share * holds;
        let adhesion_pa = pull / 0.05f64.powi(2);
        let law = TwoStiffnesses { adhesion_pa, ..TwoStiffnesses::new(k, e, 0.3, 0.0) };
        let deepest = law.deepest(mass, 0.05, speed);
        assert!((0.5 * k * deepest * deepest - pull * deepest - 0.5 * mass * speed * speed).abs() < 1e-12);
        let left = e * e * k * deepest * deepest - 2.0 * pull * deepest;
        if share > 1.0 {
            let (over, lost, t) = rebound(&law, mass, 0.001 * (mass / k).sqrt());
            println!("pull {share} of what holds: {over:.6} after {t:.3} s, lost {lost:.6}");
            assert!(left < 0.0 && over.is_nan() && lost > 1.0, "{left}: {over}, {lost}");
            continue;
        }
        let wanted = (left / mass).sqrt() / speed;
        let (measured, lost, _) = rebound(&law, mass, 0.001 * (mass / k).sqrt());
        println!("pull {share} of what holds: {measured:.6} for {wanted:.6}, lost {lost:.6}");
        assert!((measured - wanted).abs() < 2e-3, "{share}: {measured}, not {wanted}");
        assert!((lost - (1.0 - measured * measured)).abs() < 1e-4, "{share}: lost {lost}");
    }
}

/// Contacts of spheres of 0.1 and 0.07 m with anything from rest to gross sliding in them.
fn contacts() -> impl Iterator<Item = ContactState> {
    let mut rng = rand_pcg::Pcg64Mcg::seed_from_u64(11);
    let mut any = move || DVec3::from_array([0; 3].map(|_| rng.random_range(-1.0..1.0)));
    (0..3000).map(move |k| {
        let overlap = 1e-4 * (0.5 + 0.5 * any().x);
        let distance = 0.17 - overlap;
        let vigour = 10f64.powi(-(k % 6));
        let mut s = ContactState {
            normal: any().normalize(),
            overlap,
            velocity: 0.05 * vigour * any(),
            spin_i: vigour * any(),
            spin_j: vigour * any(),
            arm_i: distance * 0.1 / 0.17,
            arm_j: distance * 0.07 / 0.17,
            mass: 7.0,
            radius: 0.1 * 0.07 / 0.17,
            ..ContactState::default()
        };
        s.springs.overlap = overlap * (1.0 + 0.1 * any().x);
        s
    })
}

const DT: f64 = 1e-3;

/// Friction is at most mu of the load, against the slip; forces and torques leave linear and angular momentum alone;
/// sliding and rolling lose energy, always.
#[test]
fn friction_opposes_motion_and_keeps_angular_momentum() {
    let law = TwoStiffnesses::new(1e4, 0.5, 0.3, 0.1);
    let (mut at_limit, mut below) = (0, 0);
    for s in contacts() {
        let r = law.force(&s, DT);
        let n = s.normal;
        let loading = s.overlap >= s.springs.overlap;
        let load = s.overlap * if loading { law.stiffness_normal } else { law.stiffness_unloading };
        assert!((r.force.dot(n) + load).abs() < 1e-12 * load, "{} for {load}", r.force.dot(n));
        let drag = r.force - r.force.dot(n) * n;
        let across = s.velocity - s.velocity.dot(n) * n;
        let slip = across + s.arm_i * n.cross(s.spin_i) + s.arm_j * n.cross(s.spin_j);
        let limit = law.friction_sliding * load;
        // on i along the slip of j relative to it
        assert!(drag.dot(slip) > (1.0 - 1e-9) * drag.length() * slip.length(), "{drag} for a slip {slip}");
        assert!(drag.length() <= limit * (1.0 + 1e-12), "{} beyond {limit}", drag.length());
        if drag.length() > 0.999 * limit {
            at_limit += 1
        } else {
            below += 1
        }
        // force at the distance d n of j, and the torques
        let d = (s.arm_i + s.arm_j) * n;
        let left = r.torque_i + r.torque_j - d.cross(r.force);
        assert!(left.length() < 1e-12 * d.length() * r.force.length(), "torque {left} is left");
        assert!(r.dissipated[1] >= 0.0 && r.dissipated[2] >= 0.0 && r.dissipated[3] == 0.0, "{:?}", r.dissipated);
        let moment = r.torque_i - s.arm_i * n.cross(drag);
        assert!(moment.length() <= law.friction_rolling * load * s.arm_i.min(s.arm_j) * (1.0 + 1e-12) + 1e-15);
        assert!(moment.dot(n).abs() < 1e-12 * (moment.length() + load), "twisting {moment}");
        assert!(taken(&s, &r) >= -load * s.velocity.length() * (1.0 + 1e-12), "power");
    }
    assert!(at_limit > 300 && below > 300, "{at_limit} at the limit, {below} below");
}

/// Power that friction takes from the motion of the bodies (W), and the normal force gives or takes.
fn taken(s: &ContactState, r: &ContactResult) -> f64 {
    r.force.dot(s.velocity) - r.torque_i.dot(s.spin_i) - r.torque_j.dot(s.spin_j)
}

/// Friction ends a slip and does not turn it round, however long the step.
#[test]
fn friction_stops_at_most_an_eighth_of_the_slip() {
    let law = TwoStiffnesses::new(1e4, 1.0, 10.0, 0.0);
    for s in contacts() {
        let r = law.force(&s, DT);
        let n = s.normal;
        let slip = |velocity: DVec3, i: DVec3, j: DVec3| {
            velocity - velocity.dot(n) * n + s.arm_i * n.cross(i) + s.arm_j * n.cross(j)
        };
        let before = slip(s.velocity, s.spin_i, s.spin_j);
        let drag = r.force - r.force.dot(n) * n;
        // masses that make the reduced mass 7 kg, any ratio; radii are the arms
        let [mi, mj] = [7.0 * 1.343, 7.0 * (1.343 / 0.343)];
        let turn = |torque: DVec3, mass: f64, arm: f64| torque * DT / (0.4 * mass * arm * arm);
        let after = slip(
            s.velocity - drag * DT * (1.0 / mi + 1.0 / mj),
            s.spin_i + turn(r.torque_i, mi, s.arm_i),
            s.spin_j + turn(r.torque_j, mj, s.arm_j),
        );
        let (old, new) = (before.length(), after.dot(before) / before.length());
        assert!(new >= (0.875 - 1e-9) * old, "a slip of {old} is {new}");
    }
}

/// No way to and fro gains energy: what a closed cycle of overlaps gives back is less than it took.
#[test]
fn every_cycle_of_overlaps_loses_energy() {
    let law = TwoStiffnesses::new(1e4, 0.6, 0.0, 0.0);
    let mut rng = rand_pcg::Pcg64Mcg::seed_from_u64(3);
    for _ in 0..50 {
        let turns: Vec<f64> = (0..6).map(|_| rng.random_range(1e-5..1e-3)).collect();
        let (mut s, mut work, mut lost) =
            (ContactState { normal: DVec3::X, mass: 1.0, ..Default::default() }, 0.0, 0.0);
        (s.overlap, s.springs.overlap) = (turns[5], turns[5]);
        let mut last = 0.0;
        for to in turns {
            for _ in 0..200 {
                s.overlap += (to - s.springs.overlap).signum() * (to - s.springs.overlap).abs().min(1e-5);
                let r = law.force(&s, DT);
                let way = s.overlap - s.springs.overlap;
                work += 0.5 * (last - r.force.x) * way;
                (lost, last) = (lost + r.dissipated[0], -r.force.x);
                s.springs = r.springs;
            }
        }
        let stored = 0.5 * law.stiffness_unloading * s.overlap * s.overlap;
        assert!(work > 0.0 && lost > 0.0, "work {work}, lost {lost}");
        assert!((work - lost).abs() < 0.02 * (work + stored), "work {work} in a closed cycle, lost {lost}");
    }
}

const TEXT: &str = r#"format = 1
[run]
duration_s = 100.0
contact_law = "hysteretic"
[[material]]
name = "rock"
density_kg_m3 = 2700.0
speed_max_m_s = 300.0
restitution_normal = 0.9
friction_sliding = 0.3
friction_rolling = 1e-3
[[bodies]]
generator = "list"
body = [
  { position_m = [0, 0, 0], radius_m = 7500 },
  { position_m = [40e3, 0, 0], radius_m = 22500, velocity_m_s = [-100, 0, 0] },
]
"#;

/// k_in = (4/3) pi rho r_max (v_max / s)^2 with s = 0.1, and 0.01 sqrt(m_min / k_in) among equals: the rules of the public
/// code of Guidos et al.; with their numbers, the step of 0.04 s is 2 % of that time.
#[test]
fn stiffness_and_time_step_follow_their_rules() {
    let s = parse(TEXT, "rules.toml", &[]).expect("parses");
    let b = generate(&s).expect("bodies");
    let k_in = settled(&s, &b)[0].number("stiffness_loading_n_m").expect("settled");
    let rule = 4.0 / 3.0 * std::f64::consts::PI * 2700.0 * 22500.0 * (300.0f64 / 0.1).powi(2);
    assert!((k_in / rule - 1.0).abs() < 1e-12, "{k_in} for {rule}");
    let step = time_step(&s, &b);
    let exact = 0.01 * (b.mass_kg[0] / k_in).sqrt();
    assert!(step.dt_s <= exact && step.dt_s > exact * (1.0 - 1.0 / 1024.0), "{} for {exact}", step.dt_s);
    assert!(step.reason.contains("sqrt(2 m/k_in)") && step.reason.contains("k_in"), "{}", step.reason);
    check(&s, &b).expect("good");

    let typed = "stiffness_loading_n_m = 1e15";
    let paper = parse(&TEXT.replace("speed_max_m_s = 300.0", typed), "paper.toml", &["run.time_step_s=0.04".into()]);
    let paper = paper.expect("parses");
    let share = 0.04 / time_step(&paper, &b).scale.expect("soft").0;
    assert!((share - 0.0183).abs() < 1e-4, "{share}");
    check(&paper, &b).expect("good");
}

/// Two bodies that close at v_max overlap by s of the radius, smaller pairs by at most 1.03 s.
#[test]
fn overlap_at_the_largest_speed_is_as_typed() {
    let s = parse(TEXT, "rules.toml", &[]).expect("parses");
    let b = generate(&s).expect("bodies");
    let k = 0.5 * settled(&s, &b)[0].number("stiffness_loading_n_m").expect("settled");
    let mass = |r: f64| b.mass_kg[1] * (r / 22500.0).powi(3);
    let overlap = |ri: f64, rj: f64| 300.0 * (1.0 / (1.0 / mass(ri) + 1.0 / mass(rj)) / k).sqrt() / ri.min(rj);
    assert!((overlap(22500.0, 22500.0) - 0.1).abs() < 1e-12);
    let worst = (1..=100).map(|k| overlap(22500.0, 225.0 * f64::from(k))).fold(0.0, f64::max);
    assert!(worst > 0.1 && worst < 0.103, "{worst}");
}

#[test]
fn what_is_too_soft_or_too_coarse_is_refused_with_a_way_out() {
    let refused = |text: &str, overrides: &[&str], wanted: &[&str]| {
        let overrides: Vec<String> = overrides.iter().map(|o| (*o).to_owned()).collect();
        let s = parse(text, "rules.toml", &overrides).expect("parses");
        let error = check(&s, &generate(&s).expect("bodies")).expect_err("accepted").to_string();
        wanted.iter().for_each(|w| assert!(error.contains(w), "`{w}` is not in {error}"));
    };
    refused(TEXT, &["run.time_step_s=10.0"], &["run.time_step_s", "sqrt(2 m/k_in)", "more than 10 %", "\"auto\""]);
    refused(
        TEXT,
        &["material.rock.speed_max_m_s=10.0"],
        &["material.rock", "would overlap by", "guards.overlap_max = 0.25", "stiffness_loading_n_m above"],
    );
}
