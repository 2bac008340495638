//! A contact law of the user's own: what is refused of it, and runs that keep it.

use crate::common::command::{breccia_in, words};
use breccia::scenario::parse::parse_in;
use std::path::Path;

const LAW: &str = include_str!("../../docs/examples/quadratic_damping.wgsl");
const SCENARIO: &str = include_str!("../../docs/examples/quadratic_damping.toml");

/// A folder with the example.
fn folder(law: &str, scenario: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("folder");
    std::fs::write(folder.path().join("quadratic_damping.wgsl"), law).expect("law");
    std::fs::write(folder.path().join("bounce.toml"), scenario).expect("scenario");
    folder
}

/// What is said about the example with this in place of that.
fn refused(law: &str, scenario: &str) -> String {
    let folder = folder(law, scenario);
    let error = parse_in(scenario, "bounce.toml", folder.path(), &[]).expect_err("accepted");
    assert_eq!(error.exit_code(), 2, "{error}");
    error.to_string()
}

/// Of the law, what to replace, with what, the line that is named (0: none), what the message holds.
const BAD: &[(&str, &str, usize, &[&str])] = &[
    // header
    ("//! key stiffness_n_m", "//! kye stiffness_n_m", 1, &["unknown declaration `kye`", "//! key"]),
    ("[N/m] positive", "N/m positive", 1, &["has no unit in brackets"]),
    ("[N/m]", "[N/q]", 1, &["unknown unit `q`", "N/m"]),
    ("[N/m]", "[N^x/m]", 1, &["unknown unit `N^x`"]),
    ("//! key stiffness_n_m", "//! key stiffness", 1, &["does not name its unit", "stiffness_n_m"]),
    ("//! key stiffness_n_m", "//! key Stiffness_n_m", 1, &["cannot be a key"]),
    ("positive harmonic", "positve harmonic", 1, &["`positve` is not a range"]),
    ("positive harmonic", "positive harmonc", 1, &["did you mean `harmonic`"]),
    ("positive harmonic", "positive", 1, &["there must be a range and how materials combine"]),
    ("\"k of the force k overlap\"", "k of the force", 1, &["description in quotes"]),
    ("= 0 mean", "= -1 mean", 2, &["the default -1 is negative"]),
    ("= 0 mean", "= nothing mean", 2, &["the default is not a number"]),
    ("friction_sliding [1] 0..10", "friction_sliding [1] 10..0", 3, &["`10..0` is not a range"]),
    ("key damping_kg_m", "key density_kg_m3", 2, &["every material has a key `density_kg_m3`"]),
    ("//! key friction_sliding [1]", "//! key name [1]", 3, &["every material has a key `name`"]),
    ("//! key friction_sliding", "//! key damping_kg_m [kg/m] any mean \"x\"\n//!", 3, &["declared in line 2 already"]),
    ("time_step stiffness_n_m", "time_step stifness_n_m", 4, &["not a key", "did you mean `stiffness_n_m`"]),
    ("time_step stiffness_n_m", "time_step damping_kg_m", 4, &["which is not a stiffness"]),
    ("positive harmonic", "any harmonic", 4, &["may be 0 or less"]),
    ("// Memory: none.", "// Memory: none.\n//! time_step stiffness_n_m", 12, &["is below code"]),
    // code
    ("return vec4<f32>(0.0);", "return vec4<f32>(0.0;", 32, &["expected"]),
    (
        "return vec4<f32>(0.0);",
        "var big: array<f32, 5000>;\n    return vec4<f32>(big[0]);",
        0,
        &["a variable of more than 4,096 numbers"],
    ),
    ("return vec4<f32>(0.0);", "return vec3<f32>(0.0);", 0, &["quadratic_damping.wgsl"]),
    ("fn contact_end(", "fn contact_ended(", 0, &["no function `contact_end`", "ContactState"]),
    ("gap: f32, distance: f32) -> f32", "gap: f32) -> f32", 20, &["fn(f32, f32, f32) -> f32", "passes call"]),
    ("struct Law {", "struct Laws {", 0, &["quadratic_damping.wgsl"]),
    ("    friction_sliding: f32,\n", "    friction_sliding: f32,\n    more: f32,\n", 13, &["`more`", "is not a key"]),
    ("law.friction_sliding * max", "0.5 * max", 3, &["`friction_sliding` is never used"]),
    ("//! key friction_sliding", "//! key friction [1] any mean \"x\"\n//! key friction_sliding", 3, &["not a member"]),
    ("damping_kg_m: f32", "damping_kg_m: u32", 0, &["quadratic_damping.wgsl"]),
    ("import package::laws", "import package::math", 6, &["package::laws::contact alone"]),
    ("shorten};", "shorter};", 6, &["does not declare `shorter`", "did you mean `shorten`"]),
    ("struct Law {", "var<private> x: f32;\nstruct Law {", 13, &["`x` is a variable of the module"]),
    ("let n = s.normal;", "let n = s.normal; let b = bitcast<f32>(1u);", 40, &["bitcast", "f64"]),
    ("let n = s.normal;", "let n = s.normal; let t = mat3x3<f32>(n, n, n) * n;", 40, &["a matrix", "f64"]),
    (
        "let n = s.normal;",
        "let n = s.normal; var x = 1.0; loop { x *= 0.5; if (x < law.damping_kg_m) { break; } }",
        39,
        &["`contact_force` has a loop whose bound cannot be read", "`for (var k = 0u; k < 50u; k++) { .. }`"],
    ),
    (
        "let n = s.normal;",
        "let n = s.normal; for (var k = 0; k < i32(s.mass); k++) { if (s.radius > 1.0) { break; } }",
        39,
        &["`contact_force` has a loop whose bound cannot be read"],
    ),
    (
        "let n = s.normal;",
        "let n = s.normal; for (var k = 0; k < 40; k++) { for (var m = 0; m < 30; m++) { if (n.x > 1.0) { break; } } }",
        39,
        &["take up to 1281 turns, and 1000 are granted"],
    ),
    (
        "let n = s.normal;",
        "let n = s.normal; var m = 5u; while (m > 0u) { m = (m + 1u) / 2u; }",
        39,
        &["`contact_force` has a loop whose bound cannot be read"],
    ),
    (
        "let n = s.normal;",
        "let n = s.normal; for (var a = 0u; a < 4294967295u; a++) { for (var b = 0u; b < 4294967295u; b++) { if (n.x > 1.0) { break; } } }",
        39,
        &["take up to", "and 1000 are granted"],
    ),
    ("    return held_energy(law, s);", "    return held_energy(law, s) * s.mass;", 36, &["reads `mass`", "before"]),
];

#[test]
fn every_fault_of_a_law_is_named_with_its_line() {
    let mut wrong = vec![];
    for (from, to, line, texts) in BAD {
        assert!(LAW.contains(from), "{from}");
        let message = refused(&LAW.replacen(from, to, 1), SCENARIO);
        let at = if *line > 0 { format!("quadratic_damping.wgsl:{line}:") } else { "quadratic_damping.wgsl".into() };
        if !message.contains(&at) || texts.iter().any(|t| !message.contains(t)) || message.contains("panicked") {
            wrong.push(format!("`{to}`: {at} or {texts:?} is not in: {message}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// Loops that count to a constant are taken, and may be left before.
#[test]
fn a_law_may_count() {
    let counting = "let n = s.normal; var x = 0.0;
        for (var k = 0u; k < 20u; k++) { x += 0.5; if (x > s.overlap) { break; } }
        for (var k = 0; k < 9 && x > 1.0; k++) { x *= 0.5; }";
    let law = LAW.replacen("let n = s.normal;", counting, 1);
    let folder = folder(&law, SCENARIO);
    parse_in(SCENARIO, "bounce.toml", folder.path(), &[]).expect("taken");
}

/// Faults of the scenario: keys are those that the law declares.
#[test]
fn materials_take_the_keys_of_the_law() {
    let cases: &[(&str, &str, &[&str])] = &[
        ("stiffness_n_m = \"20 kN/m\"\n", "", &["bounce.toml:", "stiffness_n_m", "is missing"]),
        ("\"20 kN/m\"", "-3", &["stiffness_n_m", "not positive"]),
        ("\"20 kN/m\"", "\"20 Pa\"", &["stiffness_n_m", "units that fit: N/m"]),
        ("damping_kg_m = 400.0", "dampin_kg_m = 400.0", &["unknown key", "did you mean `damping_kg_m`"]),
        ("friction_sliding = 0.5", "friction_sliding = 11", &["outside [0, 10]"]),
        ("friction_sliding = 0.5", "friction_sliding = 0.5\nrestitution_normal = 0.5", &["belongs to", "remove it"]),
        ("file:quadratic_damping.wgsl", "file:other.wgsl", &["other.wgsl", "run.contact_law"]),
        ("file:quadratic_damping.wgsl", "file:", &["names no file"]),
        ("file:quadratic_damping.wgsl", "quadratic_damping.wgsl", &["unknown word", "run.contact_law"]),
        (
            "[output]",
            "[asteroid]\nshape = { kind = \"box\", size_m = [1, 1, 1] }\ndensity_kg_m3 = 1\n[output]",
            &["facets"],
        ),
    ];
    for (from, to, texts) in cases {
        assert!(SCENARIO.contains(from), "{from}");
        let message = refused(LAW, &SCENARIO.replacen(from, to, 1));
        texts.iter().for_each(|t| assert!(message.contains(t), "`{t}` is not in: {message}"));
    }
    let untimed = LAW.replacen("//! time_step stiffness_n_m\n", "//\n", 1);
    let message = refused(&untimed, SCENARIO);
    assert!(message.contains("run.time_step_s") && message.contains("//! time_step KEY"), "{message}");
    let folder = folder(&untimed, SCENARIO);
    let typed = SCENARIO.replace("time_step_fraction = 0.0025", "time_step_s = 1e-4");
    parse_in(&typed, "bounce.toml", folder.path(), &[]).expect("a typed time step will do");
}

/// The example meets its expectations on both engines.
#[test]
fn the_example_bounces_as_it_should() {
    for engine in ["gpu", "reference"] {
        let folder = folder(LAW, SCENARIO);
        let assert = breccia_in(folder.path(), &["run", "bounce.toml", "--engine", engine, "--out", "out"]);
        let text = words(&assert);
        assert!(assert.get_output().status.success() && text.contains("ok   restitution_normal"), "{text}");
        assert!(text.contains("law file:quadratic_damping"), "{text}");
    }
}

/// A law that makes no number is what the message tells to look at.
#[test]
fn a_force_that_is_not_finite_is_told_of_the_law() {
    let law = LAW.replace("r.force = drag - push * n;", "r.force = (drag - push * n) * sqrt(-abs(parting));");
    let folder = folder(&law, SCENARIO);
    for engine in ["gpu", "reference"] {
        let run = ["run", "bounce.toml", "--engine", engine, "--out", engine];
        let told = words(&breccia_in(folder.path(), &run).code(6));
        assert!(told.contains("not finite") && told.contains("look in it for a division by zero"), "{told}");
    }
}

fn kept(folder: &Path) -> std::path::PathBuf {
    let mut copies = std::fs::read_dir(folder.join("out/inputs")).expect("inputs").flatten();
    copies.next().expect("a copy of the law").path()
}

/// A run keeps its law: it resumes without the original, and refuses one that has changed.
#[test]
fn a_run_keeps_its_law() {
    let folder = folder(LAW, SCENARIO);
    let at = |args: &[&str]| breccia_in(folder.path(), args);
    let law = folder.path().join("quadratic_damping.wgsl");
    at(&["run", "bounce.toml", "--engine", "reference", "--out", "straight"]).success();
    at(&["run", "bounce.toml", "--engine", "reference", "--out", "out", "--stop-at-step", "40"]).code(75);
    assert_eq!(std::fs::read_to_string(kept(folder.path())).expect("text"), LAW);
    // the original has changed
    std::fs::write(&law, LAW.replace("abs(parting) * parting", "parting")).expect("written");
    let text = words(&at(&["resume", "out", "--stop-at-step", "60"]).code(2));
    assert!(text.contains("has changed since") && text.contains("run.contact_law"), "{text}");
    at(&["resume", "out", "--stop-at-step", "60", "--kept-inputs"]).code(75);
    // and the copy is damaged
    let copy = kept(folder.path());
    std::fs::write(&copy, "damaged").expect("written");
    let assert = at(&["resume", "out", "--kept-inputs"]).code(7);
    assert!(words(&assert).contains("has changed since the run began"), "{}", words(&assert));
    std::fs::write(&copy, LAW).expect("written");
    // the original is gone
    std::fs::remove_file(&law).expect("removed");
    at(&["resume", "out"]).success();
    let series = |run: &str| std::fs::read(folder.path().join(run).join("series.csv")).expect("series");
    assert_eq!(series("out"), series("straight"));
    at(&["run", "out/resolved.toml", "--engine", "reference", "--out", "again"]).success();
    assert_eq!(series("again"), series("straight"));
}

/// Some editors leave a byte order mark at the head of a file.
#[test]
fn a_byte_order_mark_is_passed_over() {
    let folder = folder(&format!("\u{feff}{LAW}"), SCENARIO);
    parse_in(SCENARIO, "bounce.toml", folder.path(), &[]).expect("read as without it");
}
