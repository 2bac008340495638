//! The command, its answers, and a small run directory to ask about.

use super::{bodies, material, run_directory, scenario, wall};
use breccia::model::snapshot::{Contact, Snapshot, WallContact};
use glam::DVec3;
use serde_json::Value;
use std::collections::BTreeMap;
use std::f64::consts::TAU;
use std::path::{Path, PathBuf};

pub fn breccia(arguments: &[&str]) -> assert_cmd::assert::Assert {
    breccia_in(Path::new("."), arguments)
}

/// Where it finds what runs before it have left.
pub fn breccia_in(folder: &Path, arguments: &[&str]) -> assert_cmd::assert::Assert {
    let mut command = assert_cmd::Command::cargo_bin("breccia").unwrap();
    command.env("LP_NUM_THREADS", "0").current_dir(folder).args(arguments).assert()
}

pub fn text(arguments: &[&str]) -> String {
    String::from_utf8(breccia(arguments).success().get_output().stdout.clone()).unwrap()
}

/// Standard output and error of a command.
pub fn words(assert: &assert_cmd::assert::Assert) -> String {
    let output = assert.get_output();
    [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned()).concat()
}

/// A text has all of these parts.
pub fn holds(text: &str, parts: &[&str]) {
    parts.iter().for_each(|part| assert!(text.contains(part), "`{part}` is not in:\n{text}"));
}

pub fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&text(&[arguments, &["--json"]].concat())).expect("one JSON document")
}

pub fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("no number: {value}"))
}

pub fn close(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance * expected.abs(), "{found}, {expected} expected");
}

/// The files of a run with their bytes, but for the lock and what tells of clocks and processes.
pub fn files(run: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let (mut found, mut folders) = (BTreeMap::new(), vec![run.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if !path.ends_with("lock") && !path.ends_with("sessions.json") {
                found.insert(path.strip_prefix(run).expect("below").to_owned(), std::fs::read(&path).expect("reads"));
            }
        }
    }
    found
}

/// Two spheres that turn as one about z in 2.5 h, pressed by 6 N, one of them on a wall by 2 N, and a third one apart.
pub fn pair(time_s: f64) -> Snapshot {
    let spheres =
        [(DVec3::new(-1.0, 0.0, 1.0), 1.0), (DVec3::new(1.0, 0.0, 1.0), 1.0), (DVec3::new(0.0, 9.0, 1.0), 1.0)];
    let mut bodies = bodies(&spheres, 2000.0);
    let turn = TAU / 9000.0 * DVec3::Z;
    for k in 0..2 {
        bodies.velocity_m_s[k] = turn.cross(bodies.position_m[k]);
        bodies.spin_rad_s[k] = turn;
    }
    let contact = Contact { i: 0, j: 1, normal: DVec3::X, force_n: DVec3::new(-6.0, 0.0, 3.0), ..Contact::default() };
    let wall = WallContact { body: 1, wall: 0, force_n: 2.0 * DVec3::Z, ..WallContact::default() };
    let (contacts, wall_contacts, wall_normals) = (vec![contact], vec![wall], vec![DVec3::Z]);
    Snapshot { step: 9, time_s, bodies, contacts, wall_contacts, wall_normals, ..Snapshot::default() }
}

/// Two frames of [`pair`].
pub fn directory(contacts: bool) -> tempfile::TempDir {
    let mut s = scenario(vec![material()]);
    s.walls = vec![wall(DVec3::ZERO)];
    run_directory(&s, &[pair(0.0), pair(60.0)], contacts)
}

pub fn path(dir: &tempfile::TempDir) -> &str {
    dir.path().to_str().unwrap()
}
