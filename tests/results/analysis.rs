//! What frames are analysed for, against cases with known answers.

use breccia::analysis::force_chains::{Link, chains, force_chains};
use breccia::analysis::rotation::rotation;
use breccia::analysis::stress::{Region, moments_n_m, stress};
use breccia::analysis::velocity::{Plane, field};
use breccia::model::body::Bodies;
use breccia::model::scenario::{ContactDynamics, Method};
use breccia::model::snapshot::{Contact, Snapshot, WallContact};
use breccia::model::stored::resolved::Resolved;
use breccia::physics::laws::contact::{ContactState, Springs, Twin};
use breccia::physics::laws::linear_spring_dashpot::{NormalTension, SpringDashpot};
use breccia::physics::measure::aggregates::{aggregates, ranks};
use breccia::physics::measure::links::{by_force, by_gap};
use glam::{DMat3, DQuat, DVec3};
use rand::{RngExt, SeedableRng};
use std::f64::consts::{PI, TAU};

const ALONG: DVec3 = DVec3::new(0.6, 0.0, 0.8);

fn instant(bodies: Bodies) -> Snapshot {
    Snapshot { bodies, ..Snapshot::default() }
}

fn close(found: f64, expected: f64, tolerance: f64, what: &str) {
    assert!((found - expected).abs() <= tolerance * expected.abs().max(1e-300), "{what}: {found}, {expected} expected");
}

/// Two touching spheres that turn as one body about an axis across their line, far from the origin and on their way.
fn pair(turn: f64, own_turn: f64) -> Snapshot {
    let (radius, across) = (2.0, DVec3::new(0.8, 0.0, -0.6));
    let (middle, drift) = (DVec3::new(500.0, -300.0, 90.0), DVec3::new(3.0, 1.0, -2.0));
    let mut bodies =
        crate::common::bodies(&[(middle + radius * ALONG, radius), (middle - radius * ALONG, radius)], 2500.0);
    for k in 0..2 {
        bodies.velocity_m_s[k] = drift + (turn * across).cross(bodies.position_m[k] - middle);
        bodies.spin_rad_s[k] = own_turn * across;
    }
    instant(bodies)
}

#[test]
fn two_touching_spheres_turn_with_their_period_and_elongation() {
    let turn = TAU / (2.5 * 3600.0);
    let s = pair(turn, turn);
    let r = rotation(&s);
    let mr2 = s.bodies.mass_kg[0] * 4.0;
    close(r.period_h.unwrap(), 2.5, 1e-11, "period");
    close(r.rigid_share.unwrap(), 1.0, 1e-11, "rigid share");
    close(r.elongation, 2.8 / 0.8, 1e-12, "elongation"); // 2 (m r^2 + 0.4 m r^2) over 2 x 0.4 m r^2
    for (found, expected) in r.moments_kg_m2.into_iter().zip([0.8 * mr2, 2.8 * mr2, 2.8 * mr2]) {
        close(found, expected, 1e-12, "moment");
    }
    for (found, expected) in r.semi_axes_m.into_iter().zip([2.0 * 6f64.sqrt(), 2.0, 2.0]) {
        close(found, expected, 1e-12, "semi-axis"); // sqrt(5 (m r^2 + 0.2 m r^2) x 2 / 2 m) and r
    }
    close(r.packing_ellipsoid, 2.0 / 6f64.sqrt(), 1e-12, "packing"); // two r^3 over sqrt(6) r^3
    close(r.axes[0].dot(ALONG).abs(), 1.0, 1e-12, "long axis");
    close(r.angular_momentum_kg_m2_s.length(), 2.8 * mr2 * turn, 1e-11, "angular momentum");
    close(r.orbital_kg_m2_s.length(), 2.0 * mr2 * turn, 1e-11, "orbital part");
}

/// Touching spheres on a cubic lattice fill pi / 6 of it. Of n^3 in a cube the ellipsoid has semi-axes whose square is five
/// times (n^2 - 1) / 12 diameters squared and the sphere's own 1 / 20. In a ball the ellipsoid is the ball, but for the
/// moments of cells, 5 (1 / 12 - 1 / 20) of 9.5^2, and for the steps of its rim: below 1 % together.
#[test]
fn packing_of_a_lattice() {
    let lattice = |n: i32, within: &dyn Fn(DVec3) -> bool| {
        let at = |k: i32| DVec3::new(f64::from(k % n), f64::from(k / n % n), f64::from(k / n / n));
        let middle = 0.5 * f64::from(n - 1) * DVec3::ONE;
        let places = (0..n.pow(3)).map(|k| 3.0 * (at(k) - middle)).filter(|p| within(*p));
        rotation(&instant(crate::common::bodies(&places.map(|p| (p, 1.5)).collect::<Vec<_>>(), 2500.0)))
    };
    let semi_axis = (5.0 * (24.0 / 12.0 + 1.0 / 20.0) * 9.0f64).sqrt();
    let cube = 125.0 * 1.5f64.powi(3) / semi_axis.powi(3);
    close(lattice(5, &|_| true).packing_ellipsoid, cube, 1e-12, "cube");
    close(lattice(21, &|p| p.length() < 28.5).packing_ellipsoid, PI / 6.0, 0.01, "ball");
}

/// Spheres that slide on each other: orbital motion alone has less angular momentum than the rigid rotation.
#[test]
fn spins_count_in_angular_momentum_and_energy() {
    let turn = 1e-3;
    let r = rotation(&pair(turn, 0.0));
    close(r.angular_velocity_rad_s.length(), turn * 2.0 / 2.8, 1e-11, "angular velocity");
    close(r.rigid_share.unwrap(), 2.0 / 2.8, 1e-11, "rigid share"); // L^2 / I over m v^2
    let mut head_on = crate::common::bodies(&[(2.0 * DVec3::X, 2.0), (-2.0 * DVec3::X, 2.0)], 2500.0);
    head_on.velocity_m_s = vec![DVec3::X, -DVec3::X];
    let head_on = rotation(&instant(head_on));
    assert!(head_on.period_h.is_none() && head_on.rigid_share == Some(0.0), "{head_on:?}");
    let still = rotation(&pair(0.0, 0.0));
    assert!(still.period_h.is_none() && still.rigid_share.is_none() && still.wobble_deg.is_none(), "{still:?}");
}

/// A box of lattice points turned at random and spun about an axis between its principal ones.
#[test]
fn axes_wobble_and_rotation_of_a_turned_box() {
    let q = DQuat::from_euler(glam::EulerRot::ZYX, 0.4, 1.0, -0.7);
    let mut spheres = vec![];
    for k in 0..7 * 5 * 3 {
        let p = DVec3::new(f64::from(k % 7) - 3.0, f64::from(k / 7 % 5) - 2.0, f64::from(k / 35) - 1.0);
        spheres.push((q * p, 0.25));
    }
    let mut s = instant(crate::common::bodies(&spheres, 1000.0));
    let turn = q * DVec3::new(0.0, 3e-4, 4e-4);
    for k in 0..s.bodies.len() {
        s.bodies.velocity_m_s[k] = turn.cross(s.bodies.position_m[k]);
        s.bodies.spin_rad_s[k] = turn;
    }
    let r = rotation(&s);
    for (k, axis) in [DVec3::X, DVec3::Y, DVec3::Z].into_iter().enumerate() {
        close(r.axes[k].dot(q * axis).abs(), 1.0, 1e-12, "axis");
    }
    assert!((r.angular_velocity_rad_s - turn).length() < 1e-16, "{}", r.angular_velocity_rad_s);
    // mean squares of 7, 5 and 3 positions one metre apart are 4, 2 and 2/3; a sphere adds r^2 / 5
    let (x, y, z) = (4.0 + 0.0125, 2.0 + 0.0125, 2.0 / 3.0 + 0.0125);
    close(r.elongation, (x + y) / (y + z), 1e-12, "elongation");
    let wobble = (3.0 * (x + z) / (4.0 * (x + y))).atan().to_degrees();
    close(r.wobble_deg.unwrap(), wobble, 1e-11, "wobble");
}

/// Of a body whose moments are all equal every axis is principal.
#[test]
fn a_ball_does_not_wobble() {
    let corners = (0..8).map(|k| DVec3::new(f64::from(k & 1), f64::from(k >> 1 & 1), f64::from(k >> 2)) * 2.0);
    let list: Vec<(DVec3, f64)> = corners.map(|p| (p, 1.0)).collect();
    let mut bodies = crate::common::bodies(&list, 2000.0);
    let (centre, turn) = (DVec3::ONE, DVec3::new(1e-4, 2e-4, 3e-4));
    for k in 0..bodies.len() {
        bodies.velocity_m_s[k] = turn.cross(bodies.position_m[k] - centre);
        bodies.spin_rad_s[k] = turn;
    }
    let r = rotation(&Snapshot { bodies, ..Snapshot::default() });
    assert!(r.wobble_deg.unwrap() < 1e-6, "{:?}", r.wobble_deg);
}

fn contact(i: u32, j: u32, force: f64) -> Contact {
    Contact { i, j, normal: DVec3::X, force_n: -force * DVec3::X, ..Contact::default() }
}

#[test]
fn aggregates_are_held_by_forces_pulling_or_pushing() {
    let spheres: Vec<_> = (0..6).map(|k| (DVec3::new(2.0 * f64::from(k), 0.0, 0.0), 1.0)).collect();
    let mut s = instant(crate::common::bodies(&spheres, 1000.0));
    s.contacts = vec![contact(3, 4, 5.0), contact(0, 2, -2.0), contact(2, 5, 1e-30), contact(0, 1, 0.0)];
    let list = aggregates(&s, &by_force(&s));
    let indices: Vec<_> = list.iter().map(|a| a.indices.clone()).collect();
    assert_eq!(indices, [vec![0, 2, 5], vec![3, 4], vec![1]]);
    assert_eq!(ranks(&list, 6), [0, 2, 0, 1, 1, 0]);
    close(list[0].mass_share, 0.5, 1e-15, "share");
    assert_eq!(list[1].centre_m, DVec3::new(7.0, 0.0, 0.0));
    let part = s.part(&list[0].indices);
    assert_eq!(part.contacts.iter().map(|c| [c.i, c.j]).collect::<Vec<_>>(), [[0, 1], [1, 2]]);
    // all touch by gap, whatever the forces
    assert_eq!(aggregates(&s, &by_gap(&s.bodies, 1e-9)).len(), 1);
}

/// Against all pairs, and against spreading labels until nothing changes.
#[test]
fn random_aggregates_are_those_of_all_pairs() {
    let mut rng = rand_pcg::Pcg64Mcg::seed_from_u64(3);
    let mut at = move || DVec3::from_array([0; 3].map(|_| rng.random_range(-6.0..6.0)));
    let spheres: Vec<_> = (0..500).map(|k| (at(), 0.2 + 0.3 * f64::from(k % 4))).collect();
    let s = instant(crate::common::bodies(&spheres, 1000.0));
    let gap_m = 0.1 * spheres.iter().map(|p| p.1).sum::<f64>() / 500.0;
    let touch = |i: usize, j: usize| spheres[i].0.distance(spheres[j].0) - spheres[i].1 - spheres[j].1 < gap_m;
    let mut label: Vec<usize> = (0..500).collect();
    let mut links = 0;
    for _ in 0..500 {
        let before = label.clone();
        links = 0;
        for i in 0..500 {
            for j in i + 1..500 {
                if touch(i, j) {
                    links += 1;
                    let low = label[i].min(label[j]);
                    (label[i], label[j]) = (low, low);
                }
            }
        }
        if label == before {
            break;
        }
    }
    let found = by_gap(&s.bodies, 0.1);
    assert_eq!(found.len(), links);
    let list = aggregates(&s, &found);
    assert!(list.len() > 10 && list[0].bodies > 50, "{} aggregates, {} in the largest", list.len(), list[0].bodies);
    assert!(list.windows(2).all(|w| w[0].mass_kg >= w[1].mass_kg));
    for a in &list {
        assert!(a.indices.iter().all(|k| label[*k] == label[a.indices[0]]));
        assert_eq!(a.bodies, label.iter().filter(|l| **l == label[a.indices[0]]).count());
    }
    let backwards: Vec<_> = found.iter().rev().map(|[a, b]| [*b, *a]).collect();
    let again = aggregates(&s, &backwards);
    assert!(again.iter().zip(&list).all(|(a, b)| a.indices == b.indices), "the order of links changed the result");
}

/// A column of spheres on a floor: every contact bears what lies above it.
fn column(n: usize, radius: f64) -> (Snapshot, f64) {
    let spheres: Vec<_> = (0..n).map(|k| (DVec3::new(1.0, 2.0, (2 * k + 1) as f64 * radius), radius)).collect();
    let mut s = instant(crate::common::bodies(&spheres, 2000.0));
    let weight = s.bodies.mass_kg[0] * 1e-3;
    let bears = |k: usize| (n - k) as f64 * weight;
    let up = |i: usize| Contact { i: i as u32, j: i as u32 + 1, normal: DVec3::Z, ..Contact::default() };
    s.contacts = (0..n - 1).map(|i| Contact { force_n: -bears(i + 1) * DVec3::Z, ..up(i) }).collect();
    s.wall_contacts = vec![WallContact { body: 0, wall: 3, force_n: bears(0) * DVec3::Z, ..WallContact::default() }];
    (s, weight)
}

#[test]
fn stress_of_a_column_is_the_weight_above() {
    let (n, radius, area) = (10, 0.5, 4.0);
    let (s, weight) = column(n, radius);
    let normal = |c: &WallContact| {
        assert_eq!(c.wall, 3);
        Ok(DVec3::Z)
    };
    let moments = moments_n_m(&s, normal).unwrap();
    for (k, m) in moments.iter().enumerate() {
        let expected = radius * weight * (2 * (n - k) - 1) as f64; // r (below + above)
        close(m.z_axis.z, expected, 1e-14, "M_zz");
        let rest = *m - DMat3::from_diagonal(DVec3::new(0.0, 0.0, expected));
        assert!(rest.to_cols_array().iter().all(|v| v.abs() < 1e-14 * expected), "{rest}");
    }
    let slab = |z0: usize, z1: usize| {
        let (low, high) = (2.0 * radius * z0 as f64, 2.0 * radius * z1 as f64);
        let text = format!("box:0,2,1,3,{low},{high}");
        stress(&s, &moments, text.parse().unwrap())
    };
    let whole = slab(0, n);
    // the mean of the weight above, n m g / 2, over the cross-section
    close(whole.tensor_pa[2][2], 0.5 * n as f64 * weight / area, 1e-14, "mean of the column");
    close(whole.pressure_pa, whole.tensor_pa[2][2] / 3.0, 1e-14, "pressure");
    close(whole.deviator_pa, whole.tensor_pa[2][2], 1e-14, "deviator");
    close(whole.packing, n as f64 * PI / 6.0 / (n as f64 * area), 1e-14, "packing");
    assert_eq!((whole.bodies, whole.principal_pa[1], whole.axes[0].z.abs()), (n, 0.0, 1.0));
    close(slab(0, 1).tensor_pa[2][2], (n as f64 - 0.5) * weight / area, 1e-14, "lowest");
    close(slab(n - 1, n).tensor_pa[2][2], 0.5 * weight / area, 1e-14, "highest");
    // a sphere about the middle that holds the inner four
    let middle = stress(&s, &moments, Region::Sphere { radius_m: 1.6 });
    let inner: f64 = (3..7).map(|k| moments[k].z_axis.z).sum();
    assert_eq!(middle.bodies, 4);
    close(middle.tensor_pa[2][2], inner / (4.0 / 3.0 * PI * 1.6f64.powi(3)), 1e-14, "sphere");
    let all = stress(&s, &moments, Region::Whole);
    close(all.volume_m3, 4.0 / 3.0 * PI * 5f64.powi(3), 1e-14, "enclosing sphere");
}

/// Shear: tangential forces show in the tensor by rows i of the force and columns j of the lever, and tension is negative.
#[test]
fn stress_has_the_sign_and_position_of_its_forces() {
    let mut s = instant(crate::common::bodies(&[(DVec3::ZERO, 1.0), (DVec3::new(0.0, 0.0, 2.0), 1.0)], 1000.0));
    let force = DVec3::new(3.0, 0.0, 7.0); // on i: pulled towards j, which is above and to the side
    s.contacts = vec![Contact { i: 0, j: 1, normal: DVec3::Z, force_n: force, ..Contact::default() }];
    let found = stress(&s, &moments_n_m(&s, |_| Ok(DVec3::Z)).unwrap(), "box:-2,2,-2,2,-2,4".parse().unwrap());
    let volume = 4.0 * 4.0 * 6.0;
    close(found.tensor_pa[0][2], -3.0 * 2.0 / volume, 1e-14, "xz");
    close(found.tensor_pa[2][2], -7.0 * 2.0 / volume, 1e-14, "zz");
    assert_eq!(found.tensor_pa[2][0], 0.0);
    assert!(found.principal_pa[2] < 0.0 && found.pressure_pa < 0.0);
}

#[test]
fn regions_are_read_or_refused() {
    assert_eq!("sphere:2.5".parse::<Region>(), Ok(Region::Sphere { radius_m: 2.5 }));
    for text in
        ["", "spere:1", "sphere", "sphere:0", "sphere:nan", "sphere:1,2", "box:0,1,0,1,0", "box:1,0,0,1,0,1", "whole:1"]
    {
        let error = text.parse::<Region>().unwrap_err();
        assert!(error.contains("sphere:R"), "{text}: {error}");
    }
}

/// What the contact law itself makes of a sphere dragged over another, with cohesion: it pulls in all, yet its friction
/// follows the part that pushes; gross sliding takes up the whole limit, a short way part of it.
#[test]
fn sliding_and_sticking_are_those_of_the_law() {
    let scenario = crate::common::scenario(vec![crate::common::rough(NormalTension::Kept).with("cohesion_pa", 5e3)]);
    let rock = scenario.materials[0].clone().with("stiffness_normal_n_m", 1e4);
    let law = SpringDashpot::between(&rock, &rock);
    let run = crate::common::run_directory(&scenario, &[], false);
    let resolved = Resolved::read(run.path()).unwrap();
    let (radius, overlap) = (0.1, 1e-3);
    for (slip, sliding) in [(1e-6, false), (1e-2, true)] {
        let springs = Springs { sliding: slip * DVec3::Y, ..Springs::default() };
        let state = ContactState {
            normal: DVec3::X,
            overlap,
            arm_i: 0.1,
            arm_j: 0.1,
            mass: 1.0,
            radius: 0.05,
            springs,
            ..ContactState::default()
        };
        let force_n = law.force(&state, 1e-6).force;
        let distance = 2.0 * radius - overlap;
        let mut s = instant(crate::common::bodies(&[(DVec3::ZERO, radius), (distance * DVec3::X, radius)], 1000.0));
        s.contacts = vec![Contact { i: 0, j: 1, overlap_m: overlap, normal: DVec3::X, force_n, ..Contact::default() }];
        let link = force_chains(&s, Some(&resolved), false).unwrap()[0];
        assert!(link.tensile(), "cohesion of 25 N against 10 N: {}", link.normal_force_n);
        close(link.normal_force_n, 1e4 * overlap - 4.0 * 5e3 * 0.5 * 0.05f64.powi(2), 1e-12, "normal force");
        assert_eq!(link.sliding(), Some(sliding));
        let mobilised = if sliding { 1.0 } else { 1e-6 * law.stiffness_sliding / (0.5 * 1e4 * overlap) };
        close(link.mobilised.unwrap(), mobilised, 1e-9, "share of the limit");
        assert!((link.point_m - DVec3::new(0.5 * distance, 0.0, 0.0)).length() < 1e-15);
        close(link.gap_m, -overlap, 1e-15, "gap");
        assert_eq!(force_chains(&s, None, false).unwrap()[0].sliding(), None);
    }
}

/// Of contact dynamics the limit has the force of cohesion, within its range and from its instant on.
#[test]
fn cohesion_of_contact_dynamics_adds_to_the_limit() {
    let rock =
        |range_m: f64| crate::common::material().with("cohesion_force_n", 1000.0).with("cohesion_range_m", range_m);
    let link = |range_m: f64, gap_m: f64, from_s: f64, force_n: DVec3| {
        let mut scenario = crate::common::scenario(vec![rock(range_m)]);
        scenario.walls = vec![crate::common::wall(DVec3::ZERO)];
        let settings = ContactDynamics { cohesion_from_s: from_s, ..crate::common::rigid_settings() };
        scenario.method = Method::ContactDynamics(settings);
        let run = crate::common::run_directory(&scenario, &[], false);
        let resolved = Resolved::read(run.path()).unwrap();
        let bodies = crate::common::bodies(&[((1.0 + gap_m) * DVec3::Z, 1.0)], 2000.0);
        let wall_contacts = vec![WallContact { overlap_m: -gap_m, force_n, ..WallContact::default() }];
        let s = Snapshot { step: 10, time_s: 1.0, bodies, wall_contacts, ..Snapshot::default() };
        force_chains(&s, Some(&resolved), false).unwrap()[0]
    };
    let force_n = DVec3::new(11.97, 0.0, 8.378);
    let with = 11.97 / (0.5 * 1008.378);
    let without = 11.97 / (0.5 * 8.378);
    for (range_m, gap_m, from_s, expected) in [
        (0.0, 0.0, 0.0, with),
        (0.0, 1e-3, 0.0, without),
        (2e-3, 1e-3, 0.0, with),
        (2e-3, 3e-3, 0.0, without),
        (0.0, 0.0, 0.9, with),
        (0.0, 0.0, 0.91, without), // from the first step after it on
        (0.0, 0.0, 1.0, without),  // the step that is to come is the first one with it
    ] {
        let found = link(range_m, gap_m, from_s, force_n);
        close(found.mobilised.unwrap(), expected, 1e-12, &format!("range {range_m}, gap {gap_m}, from {from_s}"));
        assert_eq!(found.sliding(), Some(expected > 1.0));
    }
    assert_eq!(link(0.0, 0.0, 0.0, -1000.0 * DVec3::Z).sliding(), None, "nothing is left to press");
}

#[test]
fn the_velocity_field_of_a_rigid_rotation() {
    let turn = DVec3::new(1e-3, -2e-3, 5e-4);
    let n = 9;
    let at = |k: usize| 2.0 * k as f64 - (n - 1) as f64;
    let spheres: Vec<_> = (0..n * n * n).map(|k| (DVec3::new(at(k % n), at(k / n % n), at(k / n / n)), 1.0)).collect();
    let mut bodies = crate::common::bodies(&spheres, 1500.0);
    let (shift, drift) = (DVec3::new(70.0, 20.0, -5.0), DVec3::new(0.3, 0.1, 9.0));
    for k in 0..bodies.len() {
        bodies.velocity_m_s[k] = drift + turn.cross(bodies.position_m[k]);
        bodies.position_m[k] += shift;
    }
    let s = instant(bodies);
    for plane in [Plane::Xy, Plane::Xz, Plane::Yz] {
        let f = field(&s, plane, 4.0).unwrap();
        let [_, _, across] = plane.axes();
        assert_eq!(f.shape, [11, 11]); // 18 m, and nodes 2 m apart
        let mut inner = 0;
        for k in 0..f.position_m.len() {
            let p = f.position_m[k] - shift;
            assert!(p[across].abs() < 1e-12);
            // Every node of the inside is a lattice point, about which the others lie in pairs: the mean is exact.
            if p.abs().max_element() < 4.1 {
                inner += 1;
                assert!((f.velocity_m_s[k] - turn.cross(p)).length() < 1e-13, "{p}: {}", f.velocity_m_s[k]);
                close(f.density_kg_m3[k], 1500.0 * PI / 6.0, 0.03, "density of a cubic packing");
            }
        }
        assert_eq!(inner, 25);
    }
    let far =
        field(&instant(crate::common::bodies(&[(DVec3::ZERO, 1.0), (100.0 * DVec3::X, 1.0)], 1.0)), Plane::Xy, 4.0)
            .unwrap();
    assert!(far.velocity_m_s.iter().any(|v| v.is_nan()), "between the two is nothing");
    for reach in [0.0, -1.0, f64::NAN, 1e-4] {
        assert_eq!(field(&s, Plane::Xy, reach).unwrap_err().exit_code(), 2);
    }
}

/// Polyhedra that meet at several points have one line, with the sum of their forces; on a wall it ends at the mean of the points.
#[test]
fn contacts_of_the_same_two_are_one_chain() {
    let up = DVec3::Z;
    let bodies = crate::common::bodies(&[(DVec3::ZERO, 1.0), (2.0 * up, 1.0)], 1000.0);
    let push = |force_n: f64| Contact { i: 0, j: 1, normal: up, force_n: -force_n * up, ..Contact::default() };
    let contacts = [10.0, 20.0, -3.0].map(push).to_vec();
    let links = force_chains(&Snapshot { bodies, contacts, ..Snapshot::default() }, None, false).unwrap();
    let found = chains(&links);
    assert_eq!((links.len(), found.len()), (3, 1));
    assert_eq!((found[0].normal_force_n, found[0].ends_m), (27.0, [DVec3::ZERO, 2.0 * up]));
    let wall = |x: f64, force_n: f64| Link {
        id_j: -1,
        ends_m: [DVec3::ZERO, x * DVec3::X - up],
        normal_force_n: force_n,
        ..links[0]
    };
    let found = chains(&[wall(1.0, 30.0), links[2], wall(-1.0, 10.0)]);
    assert_eq!((found.len(), found[0].normal_force_n, found[1].tensile()), (2, 40.0, true));
    assert_eq!(found[0].ends_m[1], 0.5 * DVec3::X - up);
}
