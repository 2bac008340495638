//! The spin of a pile over that at which its equator is weightless, as `[expect.spin_over_critical_max]` measures it.

use crate::common::{bodies, material, scenario};
use breccia::base::units::G;
use breccia::model::scenario::Scenario;
use breccia::model::snapshot::{Contact, FrameState, Snapshot};
use breccia::physics::measure::columns::columns;
use breccia::physics::measure::events::Events;
use breccia::physics::measure::outcome::outcome;
use breccia::physics::measure::series::{Baseline, measure};
use glam::{DQuat, DVec3};
use std::f64::consts::PI;

/// A lone sphere is its own ellipsoid; its largest spin counts, about whatever axis.
#[test]
fn a_sphere_turns_at_its_share_of_the_critical_spin() {
    let s = scenario(vec![material()]);
    let density_kg_m3 = 2000.0;
    let critical = (4.0 / 3.0 * PI * G * density_kg_m3).sqrt();
    let mut events = Events::default();
    let mut baseline = Baseline::default();
    let mut rows = vec![];
    for share in [0.0, 0.9, 0.4] {
        let mut b = bodies(&[(DVec3::new(3.0, -2.0, 1.0), 50.0)], density_kg_m3);
        b.spin_rad_s[0] = share * critical * DVec3::new(1.0, 2.0, -2.0) / 3.0;
        let shot = Snapshot { bodies: b, ..Snapshot::default() };
        events.observe(&shot, &s);
        rows.push(measure(&shot, &s, &mut baseline));
    }
    let found = outcome(&rows, &events, &s)["spin_over_critical_max"];
    assert!((found - 0.9).abs() < 1e-9, "{found}");
}

/// At rest in a frame that turns it has the frame's spin, and the rows of the series have no angular momentum.
#[test]
fn a_turning_frame_counts() {
    let s = scenario(vec![material()]);
    let density_kg_m3 = 2000.0;
    let critical = (4.0 / 3.0 * PI * G * density_kg_m3).sqrt();
    let (mut events, mut baseline) = (Events::default(), Baseline::default());
    let mut rows = vec![];
    for share in [0.3, 0.7, 0.5] {
        let spin_rad_s = share * critical * DVec3::new(1.0, 2.0, -2.0) / 3.0;
        let frame = FrameState {
            origin_m: DVec3::new(70.0, 0.0, -20.0),
            orientation: DQuat::from_rotation_x(0.7),
            velocity_m_s: DVec3::new(0.0, 2.0, 1.0),
            spin_rad_s,
            asteroid: None,
        };
        let b = bodies(&[(DVec3::new(3.0, -2.0, 1.0), 50.0)], density_kg_m3);
        let shot = Snapshot { bodies: b, frame: Some(frame), ..Snapshot::default() };
        events.observe(&shot, &s);
        rows.push(measure(&shot, &s, &mut baseline));
    }
    let found = outcome(&rows, &events, &s)["spin_over_critical_max"];
    assert!((found - 0.7).abs() < 1e-9, "{found}");
}

/// Pieces that have parted count no longer: together they have less density, and an ever lower critical spin.
#[test]
fn a_pile_that_has_parted_does_not_count() {
    let s = scenario(vec![material()]);
    let (mut events, mut baseline, mut rows) = (Events::default(), Baseline::default(), vec![]);
    let mut shares = vec![];
    // distance of the centres over the radius, spin about z (rad/s)
    for (apart, spin) in [(2.0, 1e-4), (2.0, 3e-4), (2.2, 3e-4), (3.0, 4e-4), (40.0, 4e-4)] {
        let mut b = bodies(&[(DVec3::X * 25.0 * apart, 50.0), (DVec3::X * -25.0 * apart, 50.0)], 2000.0);
        b.spin_rad_s.fill(spin * DVec3::Z);
        b.velocity_m_s = b.position_m.iter().map(|p| spin * DVec3::Z.cross(*p)).collect();
        let touches = Contact { i: 0, j: 1, normal: DVec3::X, ..Contact::default() };
        let contacts = if apart == 2.0 { vec![touches] } else { vec![] };
        let shot = Snapshot { bodies: b, contacts, ..Snapshot::default() };
        events.observe(&shot, &s);
        rows.push(measure(&shot, &s, &mut baseline));
        shares.push(rows[rows.len() - 1][at("spin_over_critical", &s)]);
        let turned = rows[rows.len() - 1][at("angular_velocity_rad_s", &s)];
        assert!((turned / spin - 1.0).abs() < 1e-12, "{turned}");
        let of = |column: &str| rows[rows.len() - 1][at(column, &s)];
        assert_eq!(of("largest_aggregate_bodies"), if apart == 2.0 { 2.0 } else { 1.0 });
        assert_eq!(of("largest_aggregate_mass_share"), if apart == 2.0 { 1.0 } else { 0.5 });
    }
    assert!(shares.windows(2).all(|w| w[0] < w[1]), "{shares:?}");
    assert_eq!(outcome(&rows, &events, &s)["spin_over_critical_max"], shares[1]);
    assert_eq!(outcome(&rows, &events, &s)["largest_aggregate_bodies"], 1.0);
    assert!(!outcome(&rows[3..], &events, &s).contains_key("spin_over_critical_max"));
}

fn at(column: &str, s: &Scenario) -> usize {
    columns(s).iter().position(|c| c == column).expect("the run has it")
}
