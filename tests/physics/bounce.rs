//! `restitution_normal`: the speeds about the first contact, as rows show them.

use crate::common::{bodies, material, reference, scenario, wall};
use breccia::engine::Engine;
use breccia::model::scenario::{Block, GravitySource, Scenario, Wall};
use breccia::model::snapshot::{Contact, Snapshot, WallContact};
use breccia::physics::measure::events::Events;
use breccia::physics::measure::outcome::outcome;
use breccia::physics::measure::series::{Baseline, measure};
use glam::DVec3;

const NAME: &str = "restitution_normal";

/// What a run of these snapshots shows.
fn shown(snapshots: &[Snapshot], s: &Scenario) -> Option<f64> {
    let (mut events, mut baseline) = (Events::default(), Baseline::default());
    let mut rows = vec![];
    for snapshot in snapshots {
        events.observe(snapshot, s);
        rows.push(measure(snapshot, s, &mut baseline));
    }
    outcome(&rows, &events, s).get(NAME).copied()
}

/// A sphere of 1 m over a floor: instant (s), gap (m), speed upwards (m/s), whether the floor pushes it.
type Row = (f64, f64, f64, bool);

fn over_a_floor(rows: &[Row], floor_m_s: f64) -> Option<f64> {
    let mut s = scenario(vec![material()]);
    s.walls = vec![wall(floor_m_s * DVec3::Z)];
    let snapshot = |(time_s, gap_m, speed_m_s, pushed): &Row| {
        let height_m = 1.0 + gap_m + floor_m_s * time_s;
        let mut own = bodies(&[(DVec3::new(3.0, -2.0, height_m), 1.0)], 2000.0);
        own.velocity_m_s[0] = DVec3::new(0.2, 0.0, *speed_m_s);
        let push = WallContact { body: 0, wall: 0, overlap_m: -gap_m, force_n: DVec3::Z, ..WallContact::default() };
        let wall_contacts = if *pushed { vec![push] } else { vec![] };
        Snapshot { time_s: *time_s, bodies: own, wall_contacts, ..Snapshot::default() }
    };
    shown(&rows.iter().map(snapshot).collect::<Vec<_>>(), &s)
}

fn half(found: Option<f64>, what: &str) {
    assert!(found.is_some_and(|e| (e - 0.5).abs() < 1e-12), "{what}: {found:?}");
}

#[test]
fn the_rows_next_to_the_first_contact_count() {
    let bounce = [
        (0.0, 2.0, -0.5, false),
        (1.0, 1.0, -1.0, false),
        (2.0, -0.01, -0.2, true),
        (3.0, -0.01, 0.3, true),
        (4.0, 0.2, 0.5, false),
        (5.0, 0.4, 0.1, false),
        (6.0, 0.1, -0.6, false),
        (7.0, -0.01, 0.0, true),
        (8.0, 0.1, 0.4, false),
    ];
    half(over_a_floor(&bounce, 0.0), "two bounces under gravity");
    half(over_a_floor(&bounce[..5], 0.0), "one row after it");
    assert_eq!(over_a_floor(&bounce[..4], 0.0), None, "before it ends");
    assert_eq!(over_a_floor(&bounce[..2], 0.0), None, "before it begins");
    let mut late = bounce[..6].to_vec();
    (late[4].2, late[5].2) = (0.45, 0.5);
    half(over_a_floor(&late, 0.0), "the last force pulls in the first row after it");
    let begun = [(0.0, 0.0, 0.0, true), (1.0, 1.0, 2.0, false)];
    assert_eq!(over_a_floor(&begun, 0.0), None, "in contact from the start");
    half(
        over_a_floor(&[&begun[..], &bounce.map(|(t, gap, v, push)| (t + 2.0, gap, v, push))].concat(), 0.0),
        "the next",
    );
}

#[test]
fn without_a_contact_there_is_none() {
    assert_eq!(over_a_floor(&[(0.0, 2.0, 1.0, false), (2.0, 2.0, -1.05, false)], 0.0), None, "thrown up");
    assert_eq!(over_a_floor(&[(0.0, 9.0, -1.0, false), (2.0, 9.0, 1.0, false)], 0.0), None, "turned back far away");
    assert_eq!(over_a_floor(&[(0.0, 1.0, -1.0, false)], 0.0), None, "one row");
}

#[test]
fn a_contact_between_two_rows_counts() {
    half(over_a_floor(&[(0.0, 0.5, -1.0, false), (1.0, 0.25, 0.5, false)], 0.0), "in the middle");
    half(over_a_floor(&[(0.0, 0.9, -1.0, false), (1.0, 0.05, 0.5, false)], 0.0), "late");
    let stopped = over_a_floor(&[(0.0, 0.5, -1.0, false), (1.0, 0.0, -1e-9, false)], 0.0);
    assert!(stopped.is_some_and(|e| e.abs() < 1e-8), "it stays where it met the floor: {stopped:?}");
}

/// What lies on a floor that is taken away at 1.5 s falls, and was not thrown.
#[test]
fn a_wall_that_is_removed_throws_nothing_back() {
    let mut s = scenario(vec![material()]);
    s.walls = vec![Wall { removed_at_s: Some(1.5), ..wall(DVec3::ZERO) }];
    let snapshot = |(step, gap_m, speed_m_s, pushed): (u64, f64, f64, bool)| {
        let mut own = bodies(&[((1.0 + gap_m) * DVec3::Z, 1.0)], 2000.0);
        own.velocity_m_s[0] = speed_m_s * DVec3::Z;
        let push = WallContact { overlap_m: -gap_m, force_n: DVec3::Z, ..WallContact::default() };
        let wall_contacts = if pushed { vec![push] } else { vec![] };
        Snapshot { step, time_s: 0.5 * step as f64, bodies: own, wall_contacts, ..Snapshot::default() }
    };
    let rows = [(0, 0.5, -1.0, false), (1, 0.0, -1.0, true), (2, 0.0, 0.0, true), (3, 0.0, 0.0, true)];
    let falls = [(4, -1.0, -2.0, false), (5, -3.0, -4.0, false)];
    let list: Vec<Snapshot> = rows.into_iter().chain(falls).map(snapshot).collect();
    assert_eq!(shown(&list, &s), None);
    s.walls[0].removed_at_s = None;
    assert!(shown(&list, &s).is_some(), "a wall that stays");
}

/// Speeds are relative to the floor: one that rises by 1 m/s meets a sphere at rest.
#[test]
fn a_wall_may_move() {
    half(over_a_floor(&[(0.0, 0.5, 0.0, false), (1.0, 0.25, 1.5, false)], 1.0), "rising floor");
}

/// Two spheres of 1 m, the second one so far away and so fast.
fn pair(rows: &[(f64, DVec3, DVec3, bool)]) -> Option<f64> {
    let snapshot = |(time_s, apart_m, velocity_m_s, pushed): &(f64, DVec3, DVec3, bool)| {
        let mut both = bodies(&[(DVec3::ZERO, 1.0), (*apart_m, 1.0)], 2000.0);
        both.velocity_m_s[1] = *velocity_m_s;
        let normal = apart_m.normalize();
        let push = Contact { i: 0, j: 1, normal, force_n: -normal, ..Contact::default() };
        let contacts = if *pushed { vec![push] } else { vec![] };
        Snapshot { time_s: *time_s, bodies: both, contacts, ..Snapshot::default() }
    };
    shown(&rows.iter().map(snapshot).collect::<Vec<_>>(), &scenario(vec![material()]))
}

#[test]
fn two_bodies_meet_or_pass() {
    let (into, out) = (DVec3::new(-1.0, 0.0, 0.0), DVec3::new(0.5, 0.0, 0.0));
    let x = |distance_m: f64| DVec3::new(distance_m, 0.0, 0.0);
    half(
        pair(&[(0.0, x(3.0), into, false), (1.0, x(1.9), 0.1 * into, true), (2.0, x(2.2), out, false)]),
        "a row in it",
    );
    half(pair(&[(0.0, x(5.0), into, false), (5.0, x(3.0), out, false)]), "between two rows");
    let pass = |aside_m: f64| {
        [(0.0, DVec3::new(5.0, aside_m, 0.0), into, false), (9.0, DVec3::new(-4.0, aside_m, 0.0), into, false)]
    };
    assert_eq!(pair(&pass(2.5)), None, "they pass each other");
    let pulls = [(0.0, x(3.0), into, false), (1.0, x(2.5), into, false), (2.0, x(2.5), into, false)];
    assert_eq!(pair(&pulls), None, "on their way");
}

/// A sphere that is thrown on a floor under gravity: the run goes on to its next bounces, which change nothing.
#[test]
fn a_bounce_under_gravity_has_the_restitution_typed() {
    let mut s = scenario(vec![material().with("restitution_normal", 0.5)]);
    s.walls = vec![wall(DVec3::ZERO)];
    s.gravity = vec![GravitySource::Uniform { acceleration_m_s2: DVec3::new(0.0, 0.0, -0.01) }];
    let mut b = bodies(&[(DVec3::new(0.0, 0.0, 0.105), 0.1)], 3350.0);
    b.velocity_m_s[0] = DVec3::new(0.0, 0.0, -0.2);
    let mut e = reference(&s, &b);
    let every = (0.02 / e.time_step_s()).round() as u64;
    let mut snapshots = vec![];
    for row in 0..1100 {
        e.run_to(row * every).expect("runs");
        snapshots.push(e.snapshot().expect("snapshot"));
    }
    let bounces =
        snapshots.windows(2).filter(|w| w[0].wall_contacts.is_empty() && !w[1].wall_contacts.is_empty()).count();
    let found = shown(&snapshots, &s);
    assert!(bounces > 1, "{bounces} bounces");
    assert!(found.is_some_and(|e| (e - 0.5).abs() < 0.01), "{found:?}");
    // few rows, so that the first contact lies between two of them
    let sparse: Vec<Snapshot> = snapshots.iter().step_by(16).take(4).cloned().collect();
    assert!(sparse.iter().all(|s| s.wall_contacts.is_empty()));
    let found = shown(&sparse, &s);
    assert!(found.is_some_and(|e| (e - 0.5).abs() < 0.02), "sparse: {found:?}");
}

/// A sphere that flies past a block has bounced off nothing, whatever is nearest to it; one that is thrown on it has.
#[test]
fn who_passes_a_block_does_not_bounce() {
    let thrown = |y_m: f64, rows: u64| {
        let mut s = scenario(vec![material().with("restitution_normal", 0.5)]);
        let block = Block { half_size_m: DVec3::splat(0.1), orientation: Default::default() };
        s.walls = vec![Wall { block: Some(block), ..wall(DVec3::ZERO) }];
        let mut b = bodies(&[(DVec3::new(-1.05, y_m, 0.0), 0.1)], 3350.0);
        b.velocity_m_s[0] = 0.2 * DVec3::X;
        let mut e = reference(&s, &b);
        let every = (10.0 / rows as f64 / e.time_step_s()).round() as u64;
        let rows = (0..=rows).map(|row| {
            e.run_to(row * every).expect("runs");
            e.snapshot().expect("snapshot")
        });
        shown(&rows.collect::<Vec<_>>(), &s)
    };
    for (y_m, rows) in [(0.22, 20), (0.205, 20), (0.5, 1), (0.22, 40)] {
        assert_eq!(thrown(y_m, rows), None, "{y_m} m beside the middle, {rows} rows");
    }
    assert!(thrown(0.0, 40).is_some_and(|e| (e - 0.5).abs() < 0.02), "{:?}", thrown(0.0, 40));
}
