//! Inputs that nobody would write, by the thousand: no panic, no more than 5 s, no more memory than 10 times the file and 16
//! MiB. A few seconds of them in every check; `cargo test --test fuzz -- --ignored` takes 100,000 and prints what they took. The
//! draws are the same in every run (proptest, ChaCha from a fixed seed); a failure prints its smallest input.

#![allow(unreachable_pub, reason = "a test program shows nothing to others")]

#[path = "../common/busy.rs"]
mod busy;
mod corpus;
#[path = "../common/grains.rs"]
mod grains;
mod grammar;
mod guard;
mod mutate;
mod runs;

use breccia::analysis::points::read_points;
use breccia::campaign;
use breccia::engine::gpu::limits::refuse_run;
use breccia::geometry::mesh::Mesh;
use breccia::geometry::mesh::audit::Audit;
use breccia::geometry::mesh::fix::fix;
use breccia::geometry::mesh::format::Format;
use breccia::model::scenario::{Scenario, SurfaceKind};
use breccia::model::stored::frames::read_f64;
use breccia::physics::time_step::time_step;
use breccia::record::check::check;
use breccia::scenario::generate::arranged;
use breccia::scenario::parse::parse;
use grammar::Draw;
use guard::{Counting, Most, within};
use mutate::{Change, changed, changes};
use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};
use std::cell::RefCell;
use std::path::Path;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Inputs of each kind in a check of seconds, and in all 100,000.
const SHORT: u32 = 150;
const LONG: [(&str, u32); 10] = [
    ("scenario", 32_000),
    ("campaign", 10_000),
    ("obj", 10_000),
    ("ply", 9_000),
    ("stl", 8_000),
    ("plate", 6_000),
    ("icq", 5_000),
    ("npy", 8_000),
    ("csv", 8_000),
    ("run", 4_000),
];

/// Either a valid file with changes, or a seed of the grammar.
#[derive(Debug, Clone)]
pub enum Input {
    Changed(usize, Vec<Change>),
    Made(u64),
}

pub fn inputs(valid: usize) -> impl Strategy<Value = Input> {
    prop_oneof![
        2 => (0..valid, changes()).prop_map(|(k, changes)| Input::Changed(k, changes)),
        1 => any::<u64>().prop_map(Input::Made),
    ]
}

/// Tries `count` inputs; what the worst of them took.
pub fn tries<S: Strategy>(
    kind: &str,
    count: u32,
    strategy: &S,
    once: impl Fn(&mut Most, S::Value) -> Result<(), String>,
) {
    let most = RefCell::new(Most::default());
    // panics are expected to be reported by proptest, once and small
    let config =
        ProptestConfig { cases: count, failure_persistence: None, max_shrink_iters: 500, ..ProptestConfig::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let result = runner.run(strategy, |input| once(&mut most.borrow_mut(), input).map_err(TestCaseError::fail));
    let Most { inputs, accepted, seconds, memory } = *most.borrow();
    println!(
        "{kind}: {inputs} inputs, {accepted} accepted, at most {seconds:.2} s and {:.1} MiB",
        memory as f64 / 1048576.0
    );
    if let Err(e) = result {
        panic!("{kind}: {e}");
    }
    assert!(accepted > 0 && accepted < inputs, "{kind}: all or none are accepted: the inputs show nothing");
}

fn count_of(kind: &str, long: bool) -> u32 {
    if long { LONG.iter().find(|k| k.0 == kind).expect("a kind").1 } else { SHORT }
}

fn bytes_of(input: &Input, valid: &[Vec<u8>], made: impl Fn(&mut Draw) -> Vec<u8>) -> Vec<u8> {
    match input {
        Input::Changed(k, changes) => changed(&valid[*k], changes),
        Input::Made(seed) => made(&mut Draw::new(*seed)),
    }
}

fn shown(kind: &str, bytes: &[u8]) -> String {
    format!("{kind}: {}", String::from_utf8_lossy(&bytes[..bytes.len().min(20_000)]).escape_debug())
}

/// So small that its bodies and its asteroid take no time beyond what the size of the file suggests.
fn is_small(s: &Scenario) -> bool {
    let bodies: usize = s.bodies.iter().map(|g| g.generator.count()).sum();
    let frames = s.bodies.iter().any(|g| g.generator.keeps().shapes);
    let facets = s.asteroid.as_ref().map_or(0, |a| match a.shape() {
        SurfaceKind::Box { subdivisions, .. } => 12 * subdivisions * subdivisions,
        SurfaceKind::Made { body } => body.faces as usize,
        SurfaceKind::Mesh { .. } => 0,
    });
    let containers: u64 = s.bodies.iter().map(|g| faces(&serde_json::to_value(&g.generator).expect("JSON"))).sum();
    bodies <= 300 && !frames && facets <= 5_000 && containers <= 5_000
}

/// Sum of all `faces` in a generator.
fn faces(value: &serde_json::Value) -> u64 {
    match value {
        serde_json::Value::Object(of) => {
            of.iter().map(|(key, v)| if key == "faces" { v.as_u64().unwrap_or(0) } else { faces(v) }).sum()
        }
        serde_json::Value::Array(of) => of.iter().map(faces).sum(),
        _ => 0,
    }
}

/// What `breccia check` does.
fn checks(text: &str, set: &[String]) -> bool {
    let Ok(mut scenario) = parse(text, "fuzz.toml", set) else { return false };
    if !is_small(&scenario) {
        return true;
    }
    let Ok((bodies, _)) = arranged(&mut scenario) else { return false };
    let dt_s = time_step(&scenario, &bodies).dt_s;
    check(&scenario, &bodies).is_ok() && refuse_run(&scenario, &bodies, dt_s).is_ok()
}

fn scenarios(long: bool) {
    let texts = corpus::scenarios();
    let valid: Vec<Vec<u8>> = texts.iter().map(|t| t.clone().into_bytes()).collect();
    tries("scenario", count_of("scenario", long), &inputs(valid.len()), |most, input| {
        let bytes = bytes_of(&input, &valid, |d| d.toml(&texts));
        let text = String::from_utf8_lossy(&bytes);
        within(most, &shown("scenario", &bytes), bytes.len(), || checks(&text, &[]))
    });
}

/// A tenth of what 100,000 cases take, the most that there may be: a grid of a few lines multiplies to as many, a kilobyte each.
const CASES: usize = 16 << 20;

fn campaigns(long: bool) {
    let texts = corpus::campaigns();
    let valid: Vec<Vec<u8>> = texts.iter().map(|t| t.clone().into_bytes()).collect();
    tries("campaign", count_of("campaign", long), &inputs(valid.len()), |most, input| {
        let bytes = bytes_of(&input, &valid, |d| d.toml(&texts));
        let text = String::from_utf8_lossy(&bytes);
        within(most, &shown("campaign", &bytes), bytes.len() + CASES, || {
            campaign::parse::parse(&text, "fuzz.toml").is_ok()
        })
    });
}

/// What `breccia mesh info` and `fix` do.
fn mesh(bytes: &[u8], name: &str, format: Option<Format>) -> bool {
    let Ok(mut mesh) = Mesh::of_bytes(bytes, name, 1.0, format) else { return false };
    let sound = Audit::of(&mesh).with_crossings(&mesh).defects.is_empty();
    fix(&mut mesh);
    let again = Audit::of(&mesh).with_crossings(&mesh);
    sound && again.defects.is_empty()
}

fn surfaces(kind: &str, made: fn(&mut Draw) -> Vec<u8>, long: bool) {
    let folder = tempfile::tempdir().expect("folder");
    let files = corpus::meshes(folder.path());
    let format = Format::named(kind);
    let fits = |name: &str, bytes: &[u8]| Format::guess(name, bytes).ok() == format;
    let valid: Vec<Vec<u8>> = files.into_iter().filter(|(name, bytes)| fits(name, bytes)).map(|f| f.1).collect();
    tries(kind, count_of(kind, long), &inputs(valid.len()), |most, input| {
        let bytes = bytes_of(&input, &valid, made);
        // one in two by its content, as a file without an end to its name
        let told = if bytes.len() % 2 == 0 { format } else { None };
        within(most, &shown(kind, &bytes), bytes.len(), || mesh(&bytes, "fuzz", told))
    });
}

/// A table of bodies as a scenario names it.
fn table(name: &str, path: &Path) -> bool {
    let text = format!(
        "format = 1\n[run]\nduration_s = 1\n[[material]]\nname = \"rock\"\ndensity_kg_m3 = 2000\nstiffness_normal_n_m = 1e4\nrestitution_normal = 0.5\nfriction_sliding = 0.5\n[[bodies]]\ngenerator = \"file\"\npath = \"{name}\"\n"
    );
    let mut scenario = parse(&text, &path.with_file_name("fuzz.toml").to_string_lossy(), &[]).expect("valid");
    let Ok((bodies, _)) = arranged(&mut scenario) else { return false };
    check(&scenario, &bodies).is_ok()
}

fn tables(kind: &str, made: fn(&mut Draw) -> Vec<u8>, long: bool) {
    let folder = tempfile::tempdir().expect("folder");
    let path = folder.path().join(format!("a.{kind}"));
    let numbers: Vec<f64> = (0..70).map(|k| if k % 7 == 3 { 0.4 } else { f64::from(k % 61) }).collect();
    breccia::model::stored::arrays::save(folder.path(), "valid", &[10, 7], numbers).expect("writes");
    let array = std::fs::read(folder.path().join("valid.npy")).expect("reads");
    let text = b"x_m,y_m,z_m,radius_m\n0,0,0,1\n5,0,0,1\n# end\n9.5,0,0,1.5\n".to_vec();
    let valid = vec![if kind == "npy" { array } else { text }];
    tries(kind, count_of(kind, long), &inputs(1), |most, input| {
        let bytes = bytes_of(&input, &valid, made);
        std::fs::write(&path, &bytes).expect("writes");
        let name = format!("a.{kind}");
        within(most, &shown(kind, &bytes), bytes.len(), || {
            let read = kind == "csv" || read_f64(&path).is_ok();
            // points have three columns: a table of bodies is one of them only if it has names
            let points = kind == "npy" || read_points(&path).is_ok();
            table(&name, &path) && read && points
        })
    });
}

/// All kinds; `only`: of this name.
fn all(long: bool) {
    scenarios(long);
    campaigns(long);
    surfaces("obj", Draw::obj, long);
    surfaces("ply", Draw::ply, long);
    surfaces("stl", Draw::stl, long);
    surfaces("plate", Draw::plate, long);
    surfaces("icq", Draw::icq, long);
    tables("npy", Draw::npy, long);
    tables("csv", Draw::csv, long);
    runs::directories(count_of("run", long));
}

#[test]
fn some_hostile_inputs() {
    all(false);
}

#[test]
#[ignore = "nightly: 100,000 inputs, minutes"]
fn a_hundred_thousand_hostile_inputs() {
    assert_eq!(LONG.iter().map(|k| k.1).sum::<u32>(), 100_000);
    all(true);
}
