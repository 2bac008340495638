//! Frames read back as instants, contacts and walls included, or refused by the array that is to blame.

use crate::common::write_frame;
use breccia::base::checksums;
use breccia::model::snapshot::{Contact, Snapshot, WallContact};
use breccia::model::stored::frames::read_f64;
use breccia::record::files::recorded::{Recorded, Wanted, choose};
use glam::DVec3;

/// Two bodies that pull on each other with a gap between them, one of them on a wall.
fn touching() -> Snapshot {
    let bodies = crate::common::bodies(&[(DVec3::ZERO, 1.0), (DVec3::new(2.5, 0.0, 0.0), 1.0)], 1000.0);
    let contact = Contact {
        i: 0,
        j: 1,
        overlap_m: -0.5,
        normal: DVec3::X,
        force_n: DVec3::new(4.0, 0.0, 3.0),
        at_m: None,
        torque_i_n_m: DVec3::new(0.0, 1.0, -1.0),
        torque_j_n_m: DVec3::new(7.0, 0.0, 0.1),
        ..Contact::default()
    };
    let wall = WallContact { body: 1, wall: 2, overlap_m: 1e-3, force_n: DVec3::Z, ..WallContact::default() };
    Snapshot { step: 5, time_s: 0.5, bodies, contacts: vec![contact], wall_contacts: vec![wall], ..Snapshot::default() }
}

#[test]
fn contacts_read_back_bit_by_bit_with_their_parts() {
    let run = tempfile::tempdir().unwrap();
    let s = touching();
    write_frame(run.path(), 7, &s, true).unwrap();
    let frame = run.path().join("frames/000007");
    let back = Recorded::read(&frame).unwrap();
    assert!(back.has_contacts && back.number == 7 && (back.instant.step, back.instant.time_s) == (5, 0.5));
    assert_eq!(format!("{:?}", back.instant.contacts), format!("{:?}", s.contacts));
    assert_eq!(format!("{:?}", back.instant.wall_contacts), format!("{:?}", s.wall_contacts));
    let read = |name: &str| read_f64(&frame.join(format!("{name}.npy"))).unwrap().0;
    assert_eq!(read("contact_normal_force"), [-4.0]); // pulls
    assert_eq!(read("contact_tangential_force"), [0.0, 0.0, 3.0]);
    write_frame(run.path(), 8, &s, false).unwrap();
    let without = Recorded::read(&run.path().join("frames/000008")).unwrap();
    let error = without.need_contacts("this").unwrap_err();
    assert!(
        !without.has_contacts && error.exit_code() == 7 && error.to_string().contains("output.contacts"),
        "{error}"
    );
}

#[test]
fn frames_are_chosen_by_number_last_or_all() {
    let run = tempfile::tempdir().unwrap();
    assert_eq!(choose(run.path(), Wanted::Last).unwrap_err().exit_code(), 7);
    for k in [0, 1, 12] {
        write_frame(run.path(), k, &touching(), false).unwrap();
    }
    let numbers = |text: &str| {
        let frames = choose(run.path(), text.parse().unwrap()).unwrap();
        frames.into_iter().map(|f| f.0).collect::<Vec<_>>()
    };
    assert_eq!((numbers("all"), numbers("last"), numbers("1")), (vec![0, 1, 12], vec![12], vec![1]));
    for (number, hint) in [(7, "lacks it"), (13, "up to 12")] {
        let error = choose(run.path(), Wanted::Number(number)).unwrap_err();
        assert!(error.exit_code() == 2 && error.to_string().contains(hint), "{error}");
    }
    assert!("first".parse::<Wanted>().is_err());
}

/// Contacts that do not fit each other or the bodies, by the array that is to blame.
#[test]
fn damaged_contacts_are_refused_by_name() {
    let run = tempfile::tempdir().unwrap();
    let mut s = touching();
    let other = |s: &Snapshot| {
        write_frame(run.path(), 1, s, true).unwrap();
        run.path().join("frames/000001")
    };
    for name in ["contact_force", "contact_normal", "contact_overlap", "contact_torque", "wall_force", "wall_overlap"] {
        write_frame(run.path(), 0, &touching(), true).unwrap();
        s.contacts = vec![touching().contacts[0]; 2];
        s.wall_contacts = vec![touching().wall_contacts[0]; 2];
        let frame = run.path().join("frames/000000");
        let path = format!("{name}.npy");
        std::fs::copy(other(&s).join(&path), frame.join(&path)).unwrap();
        checksums::write(&frame).unwrap();
        let error = Recorded::read(&frame).unwrap_err();
        assert!(error.exit_code() == 7 && error.to_string().contains(&path), "{error}");
        std::fs::remove_file(frame.join(&path)).unwrap();
        assert!(Recorded::read(&frame).unwrap_err().to_string().contains(&path));
        // other columns than wanted
        std::fs::copy(frame.join("position.npy"), frame.join(&path)).unwrap();
        checksums::write(&frame).unwrap();
        assert!(Recorded::read(&frame).unwrap_err().to_string().contains(&path));
    }
    // A body that is not there, in the last number of pairs and the first of walls.
    for (name, from_end, index, hint) in [("pair.npy", 4, 2u32, "body 2 of 2"), ("wall_pair.npy", 8, 9, "body 9 of 2")]
    {
        write_frame(run.path(), 0, &touching(), true).unwrap();
        let path = run.path().join("frames/000000").join(name);
        let mut bytes = std::fs::read(&path).unwrap();
        let at = bytes.len() - from_end;
        bytes[at..at + 4].copy_from_slice(&index.to_le_bytes());
        std::fs::write(&path, bytes).unwrap();
        checksums::write(path.parent().unwrap()).unwrap();
        let error = Recorded::read(&run.path().join("frames/000000")).unwrap_err();
        assert!(error.to_string().contains(name) && error.to_string().contains(hint), "{error}");
    }
}
