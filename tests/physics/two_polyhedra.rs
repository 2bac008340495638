//! Two turning polyhedra attract each other and bounce without loss, in f64, with the rotation of Sanchez et al. 2021 and
//! with Breccia's: the curves that the campaign of Fig. 4b draws.

use crate::common::drawn::curve_points;
use crate::integrators::{Frame, Turning};
use breccia::base::units::G;
use breccia::engine::reference::dynamics::bias;
use breccia::engine::reference::nsgs;
use breccia::engine::reference::solution::Stop;
use breccia::geometry::narrow::Placed;
use breccia::geometry::narrow::common_plane::Link;
use breccia::geometry::narrow::contact::contact;
use breccia::geometry::narrow::manifold::{Manifold, POINTS};
use breccia::geometry::narrow::points::Point;
use breccia::geometry::polyhedron::ConvexPolyhedron;
use breccia::physics::rigid::problem::{Body, Contact, Problem};
use breccia::scenario::generate::generate;
use breccia::scenario::load;
use glam::{DMat3, DQuat, DVec3};

const MINUTES_150_S: f64 = 9000.0;

/// One of the two.
struct Grain {
    shape: ConvexPolyhedron,
    mass_kg: f64,
    /// principal moments (kg m2)
    inertia: DVec3,
    position_m: DVec3,
    velocity_m_s: DVec3,
    frame: Frame,
}

/// Turns a frame for a step, with principal moments (kg m2) and a torque impulse in the body's frame (N m s).
type Turn = fn(&Frame, DVec3, DVec3, f64) -> Frame;

fn as_the_paper(frame: &Frame, inertia: DVec3, impulse: DVec3, h: f64) -> Frame {
    frame.linearised(inertia, impulse, 0.5, h)
}

fn as_breccia(frame: &Frame, inertia: DVec3, impulse: DVec3, h: f64) -> Frame {
    let momentum = frame.momentum(inertia) + frame.axes * impulse;
    let mut turning = Turning { orientation: DQuat::from_mat3(&frame.axes), momentum };
    turning.midpoint(inertia, h);
    let axes = DMat3::from_quat(turning.orientation);
    Frame { axes, spin_rad_s: (axes.transpose() * momentum) / inertia }
}

/// The grains of the campaign at the start.
fn grains(seed: u64, spin_rad_s: f64) -> [Grain; 2] {
    let spin = |k: usize, [x, y, z]: [f64; 3]| format!("bodies.0.body.{k}.spin_rad_s=[{x}, {y}, {z}]");
    let w = spin_rad_s;
    let keys = [format!("seed={seed}"), spin(0, [w, w, w]), spin(1, [-w, w, 0.0])];
    let b = generate(&load("two_polyhedra_collision", &keys).unwrap()).unwrap();
    let shapes = b.polyhedra.as_ref().unwrap();
    [0, 1].map(|k| {
        let (shape, orientation) = (shapes.parts(k)[0].clone(), shapes.orientation[k]);
        let inertia = shape.inertia_m5 * (b.mass_kg[k] / shape.volume_m3);
        let frame = Frame { axes: DMat3::from_quat(orientation), spin_rad_s: orientation.inverse() * b.spin_rad_s[k] };
        let (position_m, velocity_m_s) = (b.position_m[k], b.velocity_m_s[k]);
        Grain { shape, mass_kg: b.mass_kg[k], inertia, position_m, velocity_m_s, frame }
    })
}

fn energy_j([a, b]: &[Grain; 2]) -> f64 {
    let moving = |g: &Grain| 0.5 * g.mass_kg * g.velocity_m_s.length_squared() + g.frame.energy(g.inertia);
    moving(a) + moving(b) - G * a.mass_kg * b.mass_kg / a.position_m.distance(b.position_m)
}

/// Eq. 15 and half a step on the way: where contacts are found.
fn predicted(g: &Grain, h: f64) -> (DVec3, DMat3) {
    let spin = g.frame.axes * g.frame.spin_rad_s;
    let turned = DQuat::from_scaled_axis(0.5 * h * spin) * DQuat::from_mat3(&g.frame.axes);
    (g.position_m + 0.5 * h * g.velocity_m_s, DMat3::from_quat(turned))
}

/// Gravity, contacts at the prediction, their impulses, then the way and the turn of a step.
fn step(grains: &mut [Grain; 2], link: &mut Link, h: f64, turn: Turn) {
    let at = [predicted(&grains[0], h), predicted(&grains[1], h)];
    let apart = at[0].0 - at[1].0;
    let pull = h * G * apart / apart.length().powi(3);
    let free = [grains[0].velocity_m_s - grains[1].mass_kg * pull, grains[1].velocity_m_s + grains[0].mass_kg * pull];
    let problem = problem(grains, &at, free, link, h);
    let stop = Stop { tolerance: 1e-12, check_every: 1, iterations_max: 10_000, ..Stop::default() };
    let solution = nsgs::exact(&problem, &vec![DVec3::ZERO; problem.contacts.len()], &stop);
    let gained = problem.apply(&solution.impulses);
    for (k, g) in grains.iter_mut().enumerate() {
        let axes = at[k].1;
        let torque = g.inertia * (axes.transpose() * gained[k].spin);
        g.velocity_m_s = free[k] + gained[k].velocity;
        g.position_m = at[k].0 + 0.5 * h * g.velocity_m_s;
        g.frame = turn(&g.frame, g.inertia, torque, h);
    }
}

fn problem(grains: &[Grain; 2], at: &[(DVec3, DMat3); 2], free: [DVec3; 2], link: &mut Link, h: f64) -> Problem {
    let world = |k: usize, m: DVec3| at[k].1 * DMat3::from_diagonal(m) * at[k].1.transpose();
    let bodies = [0, 1].map(|k| Body {
        inverse_mass: 1.0 / grains[k].mass_kg,
        inverse_inertia: world(k, grains[k].inertia.recip()),
        along: None,
    });
    let spin = [0, 1].map(|k| at[k].1 * grains[k].frame.spin_rad_s);
    let free_spin = [0, 1].map(|k| {
        let g = &grains[k];
        at[k].1 * g.frame.linearised(g.inertia, DVec3::ZERO, 0.5, h).spin_rad_s
    });
    let fastest = |k: usize| free[k].length() + spin[k].length() * grains[k].shape.radius_m;
    let manifold = manifold(grains, at, link, h * (fastest(0) + fastest(1)));
    let contact = |point: &Point, normal: DVec3| {
        let [arm_i, arm_j] = [0, 1].map(|k| point.position_m - at[k].0);
        let of = |v: [DVec3; 2], w: [DVec3; 2]| v[0] + w[0].cross(arm_i) - v[1] - w[1].cross(arm_j);
        let before = of([grains[0].velocity_m_s, grains[1].velocity_m_s], spin).dot(normal);
        let velocity = of(free, free_spin) + bias(point.gap_m, before, 1.0, [0.2, f64::INFINITY], h) * normal;
        Contact { i: 0, j: 1, normal, arm_i, arm_j, velocity, friction: 0.0, cohesion: 0.0 }
    };
    let contacts = manifold.iter().flat_map(|m| m.points.iter().map(|p| contact(p, m.normal))).collect();
    Problem { bodies: bodies.to_vec(), contacts }
}

/// How the two touch within `reach_m`.
fn manifold(grains: &[Grain; 2], at: &[(DVec3, DMat3); 2], link: &mut Link, reach_m: f64) -> Option<Manifold> {
    if at[0].0.distance(at[1].0) >= grains[0].shape.radius_m + grains[1].shape.radius_m + reach_m {
        return None;
    }
    let [i, j] = [0, 1].map(|k| Placed::new(&grains[k].shape, at[k].0, DQuat::from_mat3(&at[k].1)));
    let (found, next) = contact(&i, &j, link.clone(), reach_m, POINTS as usize);
    *link = next;
    found
}

/// The largest change of the energy over its first value in 150 minutes.
fn drift(seed: u64, spin_rad_s: f64, h: f64, turn: Turn) -> f64 {
    let mut g = grains(seed, spin_rad_s);
    let mut link = Link { normal: (g[0].position_m - g[1].position_m).normalize(), corners: vec![] };
    let (first, mut worst) = (energy_j(&g), 0.0f64);
    for _ in 0..(MINUTES_150_S / h).round() as u32 {
        step(&mut g, &mut link, h, turn);
        worst = worst.max((energy_j(&g) / first - 1.0).abs());
    }
    worst
}

/// Means over the three pairs of the campaign.
fn mean_drift(spin_rad_s: f64, h: f64, turn: Turn) -> f64 {
    [1, 2, 3].map(|seed| drift(seed, spin_rad_s, h, turn)).iter().sum::<f64>() / 3.0
}

/// The curves of the campaign in steps from `shortest_s` on; its small variant draws some of the same points. Above 1 %
/// single pairs decide, whose courses are chaotic.
fn drawn_curves_hold(shortest_s: f64) {
    for spin in [0.001, 0.01, 0.05] {
        let label = format!("the paper's update, {spin} rad/s");
        let points = curve_points("sanchez_2021_fig4b", "fig4b_energy", &label);
        for &[h, drawn] in points.iter().filter(|p| p[0] >= shortest_s) {
            let mean = mean_drift(spin, h, as_the_paper);
            println!("{spin} rad/s: {mean:.2e} at {h} s, {drawn:.2e} drawn");
            assert!((mean / drawn).max(drawn / mean) < 1.5 || mean.min(drawn) > 0.01);
        }
        if spin < 0.05 {
            let few = curve_points("sanchez_2021_fig4b_small", "fig4b_energy", &label);
            assert!(few.iter().all(|p| points.contains(p)), "{few:?}");
        }
    }
}

#[test]
fn the_papers_update_is_drawn_beside_ours() {
    drawn_curves_hold(0.5);
}

#[test]
#[ignore = "nightly: 200,000 steps of each pair"]
fn the_papers_update_is_drawn_beside_ours_at_its_own_step() {
    drawn_curves_hold(0.05);
}

/// What grows is the rotation's: with the same gravity, contacts and impulses and Breccia's rotation the error is a tenth.
#[test]
fn the_rotation_makes_the_error() {
    for (spin, h) in [(0.01, 0.5), (0.01, 1.0), (0.05, 0.2)] {
        let [paper, ours] = [as_the_paper as Turn, as_breccia].map(|turn| mean_drift(spin, h, turn));
        println!("{spin} rad/s, {h} s: {paper:.2e} by the paper's update, {ours:.2e} by Breccia's");
        assert!(ours < 0.1 * paper);
    }
}
