//! Wrong scenarios of contact dynamics: in the text, in bodies and time step together, and a budget that stops the run.

use crate::common::refused::refused;
use breccia::engine::gpu::prepare::prepare;
use breccia::record::check::check;
use breccia::scenario::generate::generate;
use breccia::scenario::parse::parse;

/// Two spheres under contact dynamics.
const RIGID: &str = r#"format = 1
title = "rigid"
[run]
method = "contact_dynamics"
duration_s = 100.0
time_step_s = 0.5
[contact_dynamics]
theta = 0.5
[[material]]
name = "rock"
density_kg_m3 = 3000.0
restitution_normal = 0.5
friction_sliding = 0.4
[[bodies]]
generator = "list"
body = [{ position_m = [0.0, 0.0, 0.0], radius_m = 1.0 }, { position_m = [4.1, 0.0, 0.0], radius_m = 1.0 }]
[[gravity]]
kind = "self"
"#;

/// (what to replace, with what, the line that is named, what the message holds)
const BAD_RIGID: &[(&str, &str, usize, &[&str])] = &[
    ("\"contact_dynamics\"", "\"contact_dynamic\"", 4, &["run.method", "did you mean `contact_dynamics`"]),
    ("method = \"contact_dynamics\"\n", "", 6, &["contact_dynamics", "remove it, or choose that method"]),
    ("time_step_s = 0.5", "", 0, &["run.time_step_s", "is missing", "type the longest step"]),
    (
        "time_step_s = 0.5",
        "time_step_s = \"auto\"",
        6,
        &["run.time_step_s", "no automatic time step", "type the longest step"],
    ),
    ("time_step_s = 0.5", "time_step_s = 101", 6, &["101 s is longer than the run", "duration_s = 100", "shorten"]),
    ("time_step_s = 0.5", "time_step_s = 0.5\ntime_step_fraction = 0.02", 7, &["time_step_fraction", "remove it"]),
    ("theta = 0.5", "theta = 0.49", 8, &["contact_dynamics.theta", "0.49", "[0.5, 1]"]),
    ("theta = 0.5", "theta = 1.01", 8, &["contact_dynamics.theta", "[0.5, 1]"]),
    ("theta = 0.5", "tolerance = 0", 8, &["contact_dynamics.tolerance", "[1e-6, 0.1]"]),
    ("theta = 0.5", "tolerance = nan", 8, &["contact_dynamics.tolerance", "not finite"]),
    ("theta = 0.5", "iterations_max = 7", 8, &["contact_dynamics.iterations_max", "at least 8"]),
    ("theta = 0.5", "iterations_max = 100001", 8, &["contact_dynamics.iterations_max", "more than 100000"]),
    ("theta = 0.5", "recovery = -0.1", 8, &["contact_dynamics.recovery", "[0, 1]"]),
    ("theta = 0.5", "recovery_speed_m_s = 0", 8, &["recovery_speed_m_s", "not positive"]),
    ("theta = 0.5", "speed_max_m_s = 0", 8, &["speed_max_m_s", "not positive"]),
    (
        "theta = 0.5",
        "solver = \"nsgs\"",
        8,
        &["contact_dynamics.solver", "auto, jacobi, gauss_seidel, gauss_seidel_one_group"],
    ),
    ("theta = 0.5", "on_budget = \"halt\"", 8, &["contact_dynamics.on_budget", "warn, stop"]),
    (
        "time_step_s = 0.5",
        "time_step_s = 0.5\ncontact_law = \"hysteretic\"",
        7,
        &["run.contact_law", "soft_sphere", "remove it"],
    ),
    (
        "friction_sliding = 0.4",
        "friction_sliding = 0.4\nstiffness_loading_n_m = 1e4",
        14,
        &["stiffness_loading_n_m", "belongs to run.contact_law = \"hysteretic\""],
    ),
    ("theta = 0.5", "thta = 0.5", 8, &["unknown key", "did you mean `theta`"]),
    ("density_kg_m3 = 3000.0", "density_kg_m3 = 0.0", 11, &["density_kg_m3", "not positive"]),
    ("restitution_normal = 0.5", "restitution_normal = 1.5", 12, &["restitution_normal", "[0, 1]"]),
    ("friction_sliding = 0.4", "friction_sliding = -0.1", 13, &["friction_sliding", "[0, 10]"]),
    (
        "friction_sliding = 0.4",
        "friction_sliding = 0.4\nfriction_rolling = 0.1",
        14,
        &["friction_rolling", "remove it"],
    ),
    ("friction_sliding = 0.4", "friction_sliding = 0.4\ncohesion_force_n = -1", 14, &["cohesion_force_n", "outside"]),
    (
        "friction_sliding = 0.4",
        "friction_sliding = 0.4\ncohesion_range_m = 0.1",
        14,
        &["cohesion_range_m", "without cohesion_force_n", "or remove this key"],
    ),
    ("radius_m = 1.0 }, {", "radius_m = 0.0 }, {", 16, &["bodies.0.body.0.radius_m", "not positive"]),
    ("[[gravity]]", "[spin_up]\ninterval_s = 2.0\n[[gravity]]", 17, &["spin_up.increment_rad_s", "missing"]),
    ("[[gravity]]", "[spin_up]\nincrement_rad_s = [0, 0, 1]\n[[gravity]]", 17, &["spin_up.interval_s", "missing"]),
    (
        "[[gravity]]",
        "[spin_up]\nincrement_rad_s = [0, 0, 1]\ninterval_s = -2.0\n[[gravity]]",
        19,
        &["spin_up.interval_s", "-2 is not positive"],
    ),
    (
        "[[gravity]]",
        "[spin_up]\nincrement_rad_s = [0, 0, 1]\ninterval_s = 2.0\nstart_s = -1\n[[gravity]]",
        20,
        &["spin_up.start_s", "-1 is negative"],
    ),
    ("theta = 0.5", "cohesion_from_s = -1", 8, &["contact_dynamics.cohesion_from_s", "-1 is negative"]),
    ("\"self\"", "\"uniform_sphere\"\nradius_m = 9", 17, &["gravity.0.density_kg_m3", "missing"]),
    ("\"self\"", "\"uniform_sphere\"\nradius_m = 9\ndensity_kg_m3 = 0", 20, &["density_kg_m3", "not positive"]),
    ("\"self\"", "\"uniform_sphere\"\nradius_m = -9\ndensity_kg_m3 = 1", 19, &["gravity.0.radius_m", "not positive"]),
    ("\"self\"", "\"rotating_frame\"", 17, &["gravity.0.rotation_rad_s", "missing"]),
    ("\"self\"", "\"rotating_frame\"\nrotation_rad_s = 1e-4", 19, &["rotation_rad_s", "three numbers"]),
    (
        "\"self\"",
        "\"rotating_frame\"\nrotation_rad_s = [0, 0, 1]\n[[gravity]]\nkind = \"rotating_frame\"\nrotation_rad_s = [1, 0, 0]",
        0,
        &["rotating_frame", "twice", "remove one of the two"],
    ),
];

#[test]
fn every_fault_of_contact_dynamics_is_named_with_its_way_out() {
    parse(RIGID, "good.toml", &[]).expect("parses");
    refused(RIGID, BAD_RIGID);
}

/// Faults that bodies and time step together show: what to replace, with what, what the message holds.
const LATE: &[(&str, &str, &[&str])] = &[
    (
        "duration_s = 100.0\ntime_step_s = 0.5",
        "duration_s = 5e4\ntime_step_s = 1118",
        &["run.time_step_s", "1118 s is more than half of 1/sqrt(G rho), 1117 s at 3000 kg/m3", "lower it"],
    ),
    (
        "kind = \"self\"",
        "kind = \"self\"\nupdate_every = 2300",
        &[
            "gravity.0.update_every",
            "1150 s between evaluations of gravity, 2300 steps, is more",
            "lower it to 2234 or less",
        ],
    ),
    (
        "theta = 0.5",
        "cohesion_from_s = 1e6",
        &["contact_dynamics.cohesion_from_s: 1e6 s is not before the end", "lower it"],
    ),
    (
        "[[gravity]]",
        "[spin_up]\nincrement_rad_s = [0, 0, 1]\ninterval_s = 0.1\n[[gravity]]",
        &["spin_up.interval_s: 0.1 s is below the time step of 0.5 s", "raise it"],
    ),
    (
        "[[gravity]]",
        "[spin_up]\nincrement_rad_s = [0, 0, 1]\ninterval_s = 2\nstart_s = 100\n[[gravity]]",
        &["spin_up.start_s: 100 s is not before the end", "lower it, or remove"],
    ),
    (
        "[[gravity]]",
        "[spin_up]\nincrement_rad_s = [0, 0, 1e-3]\ninterval_s = 2\nstart_s = 4\nend_s = 3\n[[gravity]]",
        &["spin_up.end_s: 3 s is not after start_s, 4 s", "raise it, or remove [spin_up]"],
    ),
    (
        "\"self\"",
        "\"central\"\ngm_m3_s2 = 1\n[[gravity]]\nkind = \"uniform_sphere\"\nradius_m = 9\ndensity_kg_m3 = 1",
        &["one source of the kinds central and uniform_sphere", "keep one"],
    ),
    (
        BODY,
        "shape = { kind = \"mesh\", path = \"DIR/flipped.obj\", unit_m = 1 }\n",
        &["shape.path", "inside out", "reverse"],
    ),
    (
        BODY,
        "shape = { kind = \"mesh\", path = \"DIR/open.obj\", unit_m = 1 }\n",
        &["shape.path", "open.obj:", "open", "fill the holes"],
    ),
    (
        BODY,
        "shape = { kind = \"mesh\", path = \"DIR/dent.obj\", unit_m = 1 }\n",
        &["shape.path", "not convex", "split the shape"],
    ),
    (
        BODY,
        "shape = { kind = \"mesh\", path = \"DIR/flat.obj\", unit_m = 1 }\n",
        &["shape.path", "flat.obj:", "no area"],
    ),
    (
        BODY,
        "shape = { kind = \"points\", points_m = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]] }\n",
        &["bodies.0.shape.points_m", "volume is zero"],
    ),
    (
        BODY,
        "shape = { kind = \"points\", points_m = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 1e-7]] }\n",
        &["bodies.0.shape.points_m", "too thin: about 7.071e-8 of its length"],
    ),
    (
        BODY,
        "shape = { kind = \"clump\", parts = [{ kind = \"box\", size_m = [1, 1, 1] }, { kind = \"box\", size_m = [1, 1, 1], position_m = [0.5, 0, 0] }] }\n",
        &["bodies.0.shape.parts", "parts 1 and 2 overlap by 0.5 m", "touch only"],
    ),
    (
        BODY,
        "shape = { kind = \"clump\", parts = [{ kind = \"box\", size_m = [1, 1, 1] }, { kind = \"box\", size_m = [1, 1, 1], position_m = [5, 0, 0] }] }\n",
        &["bodies.0.shape.parts", "part 2 does not touch"],
    ),
    (
        BODY,
        "shape = { kind = \"objects\", path = \"DIR/dent.obj\", unit_m = 1 }\n",
        &["bodies.0.shape.path", "not convex"],
    ),
    (
        BODY,
        "shape = { kind = \"points\", points_m = [[0, 0, 0], [1, 0, 0], [0, 1, 0]] }\n",
        &["bodies.0.shape.points_m", "at least 4"],
    ),
];

/// The bodies of [`RIGID`]; a shape that replaces them gets two of its own.
const BODY: &str =
    "body = [{ position_m = [0.0, 0.0, 0.0], radius_m = 1.0 }, { position_m = [4.1, 0.0, 0.0], radius_m = 1.0 }]\n";

/// A cube of edge 2 with its top pushed in to the height `top`, without the last `missing` faces, by `order` of corners.
fn mesh(top: f64, missing: usize, flipped: bool, height: f64) -> String {
    let corners = [(-1, -1, -1), (1, -1, -1), (1, 1, -1), (-1, 1, -1), (-1, -1, 1), (1, -1, 1), (1, 1, 1), (-1, 1, 1)];
    let mut text: String = corners.iter().map(|(x, y, z)| format!("v {x} {y} {}\n", f64::from(*z) * height)).collect();
    text += &format!("v 0 0 {top}\n");
    let faces = ["5 6 9", "6 7 9", "7 8 9", "8 5 9", "4 3 2 1", "1 2 6 5", "2 3 7 6", "3 4 8 7", "4 1 5 8"];
    for face in &faces[..faces.len() - missing] {
        let mut corners: Vec<&str> = face.split(' ').collect();
        if flipped {
            corners.reverse();
        }
        text += &format!("f {}\n", corners.join(" "));
    }
    text
}

#[test]
fn faults_of_bodies_and_steps_come_before_the_run() {
    let dir = tempfile::tempdir().expect("tempdir");
    let path = dir.path().to_str().expect("utf8").replace('\\', "/");
    let files = [
        ("good", mesh(1.5, 0, false, 1.0)),
        ("flipped", mesh(1.5, 0, true, 1.0)),
        ("open", mesh(1.5, 1, false, 1.0)),
        ("dent", mesh(0.2, 0, false, 1.0)),
        ("flat", mesh(0.0, 0, false, 0.0)),
    ];
    for (name, text) in &files {
        std::fs::write(dir.path().join(format!("{name}.obj")), text).expect("writes");
    }
    let told = |from: &str, to: &str| {
        assert!(RIGID.contains(from), "{from}");
        let own = if from == BODY { "body = [{ position_m = [0, 0, 0] }, { position_m = [9, 0, 0] }]\n" } else { "" };
        let text = RIGID.replacen(from, &format!("{}{own}", to.replace("DIR", &path)), 1);
        let scenario = parse(&text, "bad.toml", &[]).unwrap_or_else(|e| panic!("{e}"));
        let late = generate(&scenario).and_then(|bodies| {
            check(&scenario, &bodies)?;
            prepare(&scenario, &bodies, 0.5, false).map(|_| ())
        });
        late.map_err(|e| (e.exit_code(), e.to_string()))
    };
    let good = "shape = { kind = \"mesh\", path = \"DIR/good.obj\", unit_m = 1 }\n";
    assert_eq!(told(BODY, good), Ok(()));
    let (code, message) = told(BODY, &good.replace("good.obj", "absent.obj")).expect_err("absent");
    assert_eq!(code, 7, "{message}");
    assert!(message.starts_with("bad.toml:"), "the scenario is not named: {message}");
    let parts = ["bodies.0.shape.path: the file", "absent.obj does not exist", "give the path of a file"];
    parts.iter().for_each(|part| assert!(message.contains(part), "`{part}` is not in: {message}"));
    for (from, to, texts) in LATE {
        let Err((code, message)) = told(from, to) else { panic!("`{to}` was accepted") };
        assert_eq!(code, 2, "{message}");
        assert!(message.starts_with("bad.toml:"), "the scenario is not named: {message}");
        texts.iter().for_each(|t| assert!(message.contains(t), "`{t}` is not in: {message}"));
    }
}

#[test]
fn a_budget_that_stops_the_run_says_what_to_do() {
    let dir = tempfile::tempdir().expect("tempdir");
    let text = RIGID.replace("theta = 0.5", "tolerance = 1e-6\niterations_max = 8\non_budget = \"stop\"").replace(
        BODY.trim_end(),
        "body = [{ position_m = [0, 0, 0], radius_m = 1 }, { position_m = [2.0, 0.1, 0], radius_m = 1 }, \
         { position_m = [1, 1.75, 0], radius_m = 1 }, { position_m = [1, 0.6, 1.65], radius_m = 1 }]",
    );
    let file = dir.path().join("pile.toml");
    std::fs::write(&file, text).expect("writes");
    let mut command = assert_cmd::Command::cargo_bin("breccia").expect("binary");
    command.env("LP_NUM_THREADS", "0").arg("run").arg(&file);
    let ended = command.arg("--out").arg(dir.path().join("run")).assert().code(6);
    let log = String::from_utf8_lossy(&ended.get_output().stderr).into_owned();
    for part in
        ["after 8 iterations", "tolerance 1e-6", "raise contact_dynamics.iterations_max", "on_budget = \"warn\""]
    {
        assert!(log.contains(part), "`{part}` is not in: {log}");
    }
}
