//! Grains on the slopes of a spinning asteroid: where they slide, where they take off, and what the asteroid pays for it.
//! Truths: a great circle, an ordinary differential equation in inertial space, eq. 17 of Song et al. (2024).

use crate::common::{bodies, engine, material, run_to, scenario};
use breccia::engine::Engine;
use breccia::geometry::made::Form;
use breccia::geometry::made::body::Body;
use breccia::geometry::made::relief::Relief;
use breccia::geometry::ray::first_facet;
use breccia::model::body::Bodies;
use breccia::model::scenario::*;
use breccia::model::snapshot::Snapshot;
use breccia::physics::frame::rigid;
use breccia::physics::measure::columns::columns;
use breccia::physics::measure::series::{Baseline, measure};
use breccia::physics::surface::ground::Ground;
use breccia::scenario::generate::generate;
use breccia::scenario::load;
use glam::DVec3;
use std::f64::consts::TAU;

/// Radius of the sphere (m), and gravity on it (m/s2): nearly Bennu's.
const RADIUS: f64 = 250.0;
const GRAVITY: f64 = 8e-5;

fn made(form: Form, faces: u64) -> SurfaceKind {
    let relief = Relief { fractal: None, craters: vec![], random_craters: None, boulders: None };
    SurfaceKind::Made { body: Body { form, faces, seed: 1, relief } }
}

/// A sphere that turns with `spin` about z, attracting as a point, and a material for it and the grains.
fn on_sphere(rock: Material, spin: f64, faces: u64) -> Scenario {
    let mut s = scenario(vec![rock]);
    let mut spec = AsteroidSpec::new(made(Form::Sphere { radius_m: RADIUS }, faces), 1194.0);
    (spec.motion, spec.rotation_rad_s) = (Motion::Rotating, spin * DVec3::Z);
    s.asteroid = Some(spec);
    s.gravity = vec![GravitySource::Central { gm_m3_s2: GRAVITY * RADIUS * RADIUS, position_m: DVec3::ZERO }];
    s
}

fn spin_of(hours: f64) -> f64 {
    TAU / (3600.0 * hours)
}

pub fn at(latitude_deg: f64, longitude_deg: f64) -> DVec3 {
    let (a, b) = (latitude_deg.to_radians(), longitude_deg.to_radians());
    DVec3::new(a.cos() * b.cos(), a.cos() * b.sin(), a.sin())
}

pub fn latitude_longitude(p: DVec3) -> [f64; 2] {
    let up = p.normalize();
    [up.z.asin(), up.y.atan2(up.x)].map(f64::to_degrees)
}

/// Centre of a grain whose lowest point is `overlap` (m) below the facet under a direction.
fn laid(ground: &Ground, direction: DVec3, radius: f64, overlap: f64) -> DVec3 {
    let start = 2.0 * ground.reach_m * direction;
    let top = start - first_facet(&ground.tree, start, -direction).expect("a facet") * direction;
    let centre = top + radius * direction;
    let met = ground.met(centre, 1.01 * radius);
    let facet = met.iter().max_by(|a, b| a.overlap.total_cmp(&b.overlap)).expect("a facet near");
    centre + (facet.overlap - 0.01 * radius - overlap) * facet.towards
}

/// Latitude and longitude of a point that starts at rest on the turning sphere and slides on it with friction, in the frame
/// of the sphere, every 500 s: dv/dt = -g r + N r - mu N u/|u| in inertial space, N from staying on the sphere, u relative to
/// the sphere.
fn slid(latitude_deg: f64, spin: f64, friction: f64, reach: f64) -> Vec<[f64; 2]> {
    let pull = GRAVITY * (RADIUS / reach).powi(2);
    let rate = |x: DVec3, v: DVec3| {
        let up = x.normalize();
        let push = pull - v.length_squared() / reach;
        let u = v - DVec3::new(-spin * x.y, spin * x.x, 0.0);
        // Friction is viscous at small speeds, since at rest it has no direction.
        (v, (push - pull) * up - friction * push * u / (u.length_squared() + 1e-12).sqrt())
    };
    let (mut x, h) = (reach * at(latitude_deg, 0.0), 0.05);
    let mut v = DVec3::new(0.0, spin * x.x, 0.0);
    let mut found = vec![];
    for step in 0..=30_000 {
        if step % 10_000 == 0 && step > 0 {
            let [latitude, longitude] = latitude_longitude(x);
            found.push([latitude, longitude - (spin * h * f64::from(step)).to_degrees()]);
        }
        let k1 = rate(x, v);
        let k2 = rate(x + 0.5 * h * k1.0, v + 0.5 * h * k1.1);
        let k3 = rate(x + 0.5 * h * k2.0, v + 0.5 * h * k2.1);
        let k4 = rate(x + h * k3.0, v + h * k3.1);
        x += h / 6.0 * (k1.0 + 2.0 * k2.0 + 2.0 * k3.0 + k4.0);
        v += h / 6.0 * (k1.1 + 2.0 * k2.1 + 2.0 * k3.1 + k4.1);
    }
    found
}

/// A great circle: without friction nothing acts along the sphere, which may turn below as it likes.
#[test]
fn the_equation_of_sliding_knows_the_great_circle() {
    let spin = spin_of(3.4);
    let found = slid(30.0, spin, 0.0, RADIUS);
    let circle = spin * 30f64.to_radians().cos() * 1500.0;
    let meridian = DVec3::new(30f64.to_radians().cos(), 0.0, 0.5);
    let [latitude, longitude] = latitude_longitude(meridian * circle.cos() + DVec3::Y * circle.sin());
    let wanted = [latitude, longitude - (spin * 1500.0).to_degrees()];
    println!("after 1500 s {:?}, on the great circle {wanted:?}", found[2]);
    assert!((found[2][0] - wanted[0]).abs() < 1e-6 && (found[2][1] - wanted[1]).abs() < 1e-6);
}

/// A grain let go at 30 degrees north slides towards the equator and westwards, against the rotation; the other way round
/// with a retrograde one. Rolling is held by friction, or there is none.
#[test]
fn a_grain_slides_to_the_equator_and_against_the_rotation() {
    for (hours, friction) in [(3.4, 0.0), (-3.4, 0.3)] {
        let held = if friction > 0.0 { 0.55 } else { 0.0 };
        let rock = material()
            .with("friction_sliding", friction)
            .with("friction_rolling", held)
            .with("friction_twisting", held)
            .with("shape_parameter", 1.0);
        let (s, radius) = (on_sphere(rock, spin_of(hours), 200_000), 1.0);
        let ground = Ground::of(&s).unwrap().unwrap();
        let b = bodies(&[(laid(&ground, at(30.0, 0.0), radius, 4e-5), radius)], 3350.0);
        let mut e = engine(&s, &b);
        for (k, wanted) in slid(30.0, spin_of(hours), friction, RADIUS + radius).into_iter().enumerate() {
            let steps = (500.0 * (k + 1) as f64 / e.time_step_s()).round() as u64;
            run_to(&mut e, steps);
            let [latitude, longitude] = latitude_longitude(e.snapshot().unwrap().bodies.position_m[0]);
            let off = [(latitude - wanted[0]) / (30.0 - wanted[0]), (longitude - wanted[1]) / wanted[1]];
            println!("{hours} h, mu {friction}, {} s: {latitude:.3} {longitude:.4}, truth {wanted:.4?}", 500 * (k + 1));
            assert!(latitude < 30.0 && longitude * hours < 0.0, "{latitude} {longitude}");
            // in the first 500 s it hops over facets that are wider than its way
            assert!(k == 0 || off.iter().all(|o| o.abs() < 0.02), "{off:?}");
        }
    }
}

/// Grains side by side down a meridian at a period of 2.6 h, and what eq. 17 of Song et al. (2024) has of each for one layer,
/// T = 2 R: (F_C + F_g + F_ct) . n over its mass (m/s2), above zero where it takes off.
fn meridian(cohesion_pa: f64) -> (Scenario, Bodies, Vec<f64>) {
    let rock = material().with("cohesion_pa", cohesion_pa).with("friction_sliding", 0.55).with("friction_rolling", 0.5);
    let (spin, radius) = (spin_of(2.6), 0.5);
    // of facets so wide that none slides over an edge, which would knock it off
    let s = on_sphere(rock.clone(), spin, 20_000);
    let ground = Ground::of(&s).unwrap().unwrap();
    let spheres: Vec<_> =
        (0..40).map(|k| (laid(&ground, at(f64::from(2 * k) + 0.3, 7.3), radius, 1e-6), radius)).collect();
    let b = bodies(&spheres, 3350.0);
    let force = 4.0 * cohesion_pa * rock.number("shape_parameter").expect("typed") * radius * radius;
    let lift = |k: usize| {
        let p = b.position_m[k];
        let met = ground.met(p, radius);
        let normal = met.iter().max_by(|a, b| a.overlap.total_cmp(&b.overlap)).expect("laid down").normal;
        let pull = -GRAVITY * (RADIUS / p.length()).powi(2) * p.normalize();
        (pull + spin * spin * DVec3::new(p.x, p.y, 0.0)).dot(normal) - force / b.mass_kg[k]
    };
    let lifts = (0..b.len()).map(lift).collect();
    (s, b, lifts)
}

#[test]
fn grains_take_off_where_weight_and_cohesion_no_longer_hold_them() {
    for (cohesion, least, most) in [(0.0, 15, 17), (0.03, 12, 14)] {
        let (s, b, lifts) = meridian(cohesion);
        let ground = Ground::of(&s).unwrap().unwrap();
        let mut e = engine(&s, &b);
        let steps = (100.0 / e.time_step_s()) as u64;
        run_to(&mut e, steps);
        let after = e.snapshot().unwrap();
        let (mut up, mut held) = (0, 0);
        for (k, lift) in lifts.iter().enumerate().filter(|(_, lift)| lift.abs() > 4e-6) {
            let gone = ground.met(after.bodies.position_m[k], 1.01 * b.radius_m[k]).is_empty();
            assert_eq!(gone, *lift > 0.0, "c {cohesion}: grain at {} degrees: {lift:.2e} m/s2", 2 * k);
            (up, held) = if gone { (up + 1, held) } else { (up, held + 1) };
        }
        println!("c {cohesion} Pa: {up} took off, {held} stayed");
        // below 32 and 26 degrees, where gravity of 8e-5 m/s2, and cohesion, balance the spin
        assert!(held > 20 && (least..=most).contains(&up), "{up} {held}");
    }
}

/// A patch of 40 boulders at 20 degrees north of a smooth top that turns so fast, after `seconds`: first and last row by column.
fn patch(hours: f64, seconds: f64) -> (Scenario, impl Fn(usize, &str) -> f64, Snapshot) {
    let set = [
        format!("asteroid.rotation_period_s={hours} h"),
        "bodies.0.latitude_deg=20".into(),
        "bodies.0.count=40".into(),
        "bodies.0.radius_m=1".into(),
        "bodies.0.footprint_radius_m=9".into(),
    ];
    let mut s = load("landslide_small", &set).expect("parses");
    let form = Form::Top { equatorial_radius_m: 272.0, polar_radius_m: 250.0, ridge_exponent: 1.48 };
    let typed = s.asteroid.take().expect("asteroid");
    let mut spec = AsteroidSpec::new(made(form, 5000), typed.density_kg_m3);
    (spec.rotation_rad_s, spec.motion) = (typed.rotation_rad_s, typed.motion);
    s.asteroid = Some(spec);
    let b = generate(&s).expect("bodies");
    let (mut e, mut baseline, names) = (engine(&s, &b), Baseline::default(), columns(&s));
    let first = measure(&e.snapshot().unwrap(), &s, &mut baseline);
    let steps = (seconds / e.time_step_s()) as u64;
    run_to(&mut e, steps);
    let last = e.snapshot().unwrap();
    let rows = [first, measure(&last, &s, &mut baseline)];
    let of = move |row: usize, name: &str| rows[row][names.iter().position(|c| c == name).expect("a column")];
    (s, of, last)
}

/// Down the effective potential, to the equator, westwards; the asteroid slows down by what the grains took.
#[test]
fn a_patch_slides_at_3_4_hours_and_takes_off_at_2_6() {
    let (s, of, _) = patch(3.4, 1200.0);
    let change = |name: &str| of(1, name) - of(0, name);
    let (south, west) = (change("latitude_mean_deg"), change("longitude_mean_deg"));
    println!("3.4 h: latitude {south:.3}, longitude {west:.3} degrees, {} aloft", of(1, "lofted_bodies"));
    assert!(south < -1.0 && west < -0.1 && of(1, "lofted_bodies") < 20.0);
    let lost: f64 =
        ["normal", "sliding", "rolling", "twisting"].iter().map(|c| change(&format!("dissipated_{c}_j"))).sum();
    assert!(lost > 0.0 && change("mechanical_energy_j") < 0.0, "{lost}");
    let [grains, asteroid] = ["grains", "asteroid"].map(|who| change(&format!("{who}_angular_momentum_z_kg_m2_s")));
    let whole = of(0, "total_angular_momentum_z_kg_m2_s");
    println!("L_z of the grains {grains:+.6e}, of the asteroid {asteroid:+.6e}, of both {whole:.6e}");
    assert!(grains > 0.0 && (grains + asteroid).abs() < 1e-9 * whole && (grains + asteroid).abs() < 1e-4 * grains);
    let inertia = rigid(s.asteroid.as_ref().unwrap()).unwrap().inertia_kg_m2.z_axis.z;
    let slowed = change("asteroid_spin_z_rad_s") * inertia;
    assert!((slowed / asteroid - 1.0).abs() < 0.01, "{slowed:e}, not {asteroid:e}");
    assert!(of(1, "total_angular_momentum_drift") < 1e-9 && of(1, "total_momentum_drift") < 1e-9);

    let (_, fast, last) = patch(2.6, 1200.0);
    let aloft = fast(1, "lofted_bodies");
    println!("2.6 h: {aloft} of {} aloft", last.bodies.len());
    assert!(aloft > 30.0 && fast(1, "total_angular_momentum_drift") < 1e-9);
}
