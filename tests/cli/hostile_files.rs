//! Files that are valid by their form and wrong by what they hold: checkpoints with checksums that fit, names of columns, names of
//! files, scenarios that a run would refuse.

use crate::common::command::breccia_in;
use crate::common::gpu;
use crate::common::grains::{GRAINS, rigid};
use breccia::engine::Engine;
use breccia::engine::open::on_gpu;
use breccia::gpu::pipeline::link::Sources;
use breccia::model::body::Bodies;
use breccia::model::scenario::Scenario;
use breccia::physics::time_step::time_step;
use breccia::record::files::{checkpoint, recover};
use breccia::scenario::generate::generate;
use breccia::scenario::parse::parse;
use std::path::Path;
use std::time::Instant;

/// The same on an asteroid.
fn on_asteroid() -> String {
    let field = "[asteroid]\ndensity_kg_m3 = 2000\nmotion = \"fixed\"\nshape = { kind = \"box\", size_m = [30, 30, 2], subdivisions = 2 }\n[[gravity]]\nkind = \"uniform\"\nacceleration_m_s2 = [0, 0, -1e-3]\n";
    let (bodies, _) = GRAINS.split_once("[[wall]]").expect("a wall");
    bodies.replace("0.999]", "1.999]") + field
}

fn engine(s: &Scenario, bodies: &Bodies) -> Box<dyn Engine> {
    let dt_s = time_step(s, bodies).dt_s;
    on_gpu(gpu(), s, bodies, dt_s, Sources::default()).expect("engine")
}

/// A change of the array of this name: the word at an index becomes another.
type Forgery = (&'static str, usize, u32);

/// Words that steer the device, and what they become.
const SOFT: [Forgery; 11] = [
    ("pair_args", 0, 65_535),
    ("pair_args", 1, u32::MAX),
    ("control", 7, u32::MAX),
    ("control", 11, 1),
    ("pair_offset", 1, u32::MAX),
    ("incident_offset", 1, u32::MAX),
    ("incident_pair", 0, u32::MAX),
    ("pair_body", 0, 1 << 30),
    ("body_view", 3, 0x7f80_0000),
    ("wall_plane", 3, 77),
    ("capacity", 0, u32::MAX),
];
const SURFACE: [Forgery; 7] = [
    ("surface_offset", 1, u32::MAX),
    ("surface_list", 0, u32::MAX),
    ("surface_list", 1, u32::MAX),
    ("surface_list", 9, 1 << 28),
    ("control", 162, u32::MAX),
    ("ground_args", 0, 65_535),
    ("facet_args", 1, u32::MAX),
];
const RIGID: [Forgery; 5] = [
    ("body_contact_offset", 1, u32::MAX),
    ("control", 12, 3),
    ("control", 100, u32::MAX),
    ("capacity", 1, u32::MAX),
    ("capacity", 2, 1 << 20),
];

/// Every forgery is refused by name and leaves the engine as it was; the true state is taken.
fn refuses(text: &str, forgeries: &[Forgery]) {
    let s = parse(text, "grains.toml", &[]).expect("valid");
    let bodies = generate(&s).expect("bodies");
    let mut engine = engine(&s, &bodies);
    engine.run_to(5).expect("steps");
    let state = engine.save().expect("saves");
    for (name, at, word) in forgeries {
        let mut forged = state.clone();
        let (_, bytes) = forged.iter_mut().find(|(n, _)| n == name).expect(name);
        bytes[4 * at..4 * at + 4].copy_from_slice(&word.to_le_bytes());
        let begun = Instant::now();
        let error = engine.restore(&forged).expect_err(name);
        // nothing is handed to the device: reading the arrays takes milliseconds
        assert!(begun.elapsed().as_secs_f64() < 5.0, "{name}: {:?}", begun.elapsed());
        assert_eq!(error.exit_code(), 7);
        let told = error.to_string();
        // room for another number of pairs shows at the first array that has it
        let who =
            if *name == "capacity" { "does not fit this scenario".into() } else { format!("`{name}` does not fit") };
        assert!(told.contains(&who), "{name}: {told}");
        assert_eq!(engine.step(), 5);
    }
    engine.restore(&state).expect("the true state");
    engine.run_to(8).expect("steps");
}

/// Whatever word of whatever array is another: the state is refused, or a few steps end, well or with an error.
fn ends(text: &str) {
    let s = parse(text, "grains.toml", &[]).expect("valid");
    let bodies = generate(&s).expect("bodies");
    let mut engine = engine(&s, &bodies);
    engine.run_to(5).expect("steps");
    let state = engine.save().expect("saves");
    let (mut refused, mut longest) = (0, 0.0f64);
    for k in 0..state.len() {
        let words = state[k].1.len() / 4;
        for at in [0, words / 3, words.saturating_sub(1)].into_iter().filter(|at| *at < words) {
            for word in [u32::MAX, 0x7fc0_0000, 0x0001_0000] {
                let mut forged = state.clone();
                forged[k].1[4 * at..4 * at + 4].copy_from_slice(&word.to_le_bytes());
                let begun = Instant::now();
                let ended = engine.restore(&forged).and_then(|()| engine.run_to(7)).and_then(|()| engine.snapshot());
                let took = begun.elapsed().as_secs_f64();
                // two steps of three grains take milliseconds; the rest is for a software device on a busy machine
                assert!(took < 20.0, "{} [{at}] = {word:#x}: {took} s", state[k].0);
                refused += usize::from(ended.is_err());
                longest = longest.max(took);
            }
        }
    }
    println!("{refused} of the forged states were refused or stopped, the longest took {longest:.2} s");
    engine.restore(&state).expect("the true state");
    engine.run_to(8).expect("steps");
}

#[test]
fn no_forged_word_hangs_the_device() {
    ends(GRAINS);
    ends(&on_asteroid());
    ends(&rigid(GRAINS));
}

#[test]
fn forged_states_of_soft_spheres_are_refused() {
    refuses(GRAINS, &SOFT);
    refuses(&on_asteroid(), &SURFACE);
}

#[test]
fn forged_states_of_contact_dynamics_are_refused() {
    refuses(&rigid(GRAINS), &RIGID);
    refuses(&rigid(GRAINS), &SOFT);
}

/// What a command says of a file that it refuses.
fn told(folder: &Path, arguments: &[&str], code: i32) -> String {
    String::from_utf8(breccia_in(folder, arguments).code(code).get_output().stderr.clone()).expect("text")
}

/// By the command, with checksums that fit: the file is named. A head with another step is detected too.
#[test]
fn forged_checkpoints_are_refused_by_name() {
    let folder = tempfile::tempdir().expect("folder");
    std::fs::write(folder.path().join("grains.toml"), GRAINS).expect("writes");
    breccia_in(folder.path(), &["run", "grains.toml", "--out", "run", "--stop-at-step", "5"]).code(75);
    let run = folder.path().join("run");
    let recover::Point { path, head, state, .. } = recover::point(&run, false).expect("a checkpoint");
    let mut forged = state.clone();
    forged.iter_mut().find(|(n, _)| n == "pair_args").expect("pair_args").1[..4].copy_from_slice(&[255, 255, 0, 0]);
    checkpoint::write(&run, &head, &forged).expect("writes");
    let text = told(folder.path(), &["resume", "run"], 7);
    let name = path.file_name().expect("a name").to_string_lossy().into_owned();
    assert!(text.contains(&name) && text.contains("`pair_args` does not fit this scenario: its workgroups"), "{text}");
    checkpoint::write(&run, &checkpoint::Head { step: 6, ..head }, &state).expect("writes");
    let text = told(folder.path(), &["resume", "run"], 7);
    assert!(text.contains("holds the state of step 5, but its head says step 6"), "{text}");
}

/// What `run` refuses before its first step, `check` refuses in the same words.
#[test]
fn check_refuses_what_run_refuses() {
    let folder = tempfile::tempdir().expect("folder");
    let ranged = rigid(GRAINS)
        .replace("friction_sliding = 0.5\n", "friction_sliding = 0.5\ncohesion_force_n = 1\ncohesion_range_m = 0.9\n");
    let turning = on_asteroid().replace("\"fixed\"", "\"rotating\"\nrotation_rad_s = [0, 0, 3]");
    let dense = rigid(GRAINS).replace("density_kg_m3 = 2000", "density_kg_m3 = 1e300");
    for (name, text, holds) in [
        ("ranged", ranged, "cohesion_range_m"),
        ("turning", turning, "too fast for a step"),
        ("dense", dense, "1e300 kg/m^3 is above the limit of 1e6"),
    ] {
        let file = format!("{name}.toml");
        std::fs::write(folder.path().join(&file), text).expect("writes");
        let [checked, ran] =
            [vec!["check", &file], vec!["run", &file, "--out", "run"]].map(|a| told(folder.path(), &a, 2));
        assert!(checked.contains(holds), "{name}: {checked}");
        assert_eq!(checked, ran, "{name}");
    }
}

/// Bodies of a table with this first line.
fn with_header(header: &str, row: &str) -> Result<Bodies, String> {
    let folder = tempfile::tempdir().expect("folder");
    std::fs::write(folder.path().join("a.csv"), format!("{header}\n{row}\n")).expect("writes");
    let (head, _) = GRAINS.split_once("[[bodies]]").expect("bodies");
    let text = format!("{head}[[bodies]]\ngenerator = \"file\"\npath = \"a.csv\"\n");
    let file = folder.path().join("table.toml");
    let scenario = parse(&text, &file.to_string_lossy(), &[]).expect("valid");
    generate(&scenario).map_err(|e| e.to_string())
}

#[test]
fn units_in_headers_are_heeded() {
    for (header, unit) in [
        ("x,y,z,radius", 1.0),
        ("x_m,y_m,z_m,radius_m", 1.0),
        ("x_cm,y_cm,z_cm,radius_cm", 0.01),
        ("\"x [km]\", \"y [km]\", \"z [km]\", \"radius (km)\"", 1000.0),
    ] {
        let b = with_header(header, "10,20,30,2").expect(header);
        assert_eq!((b.position_m[0].z, b.radius_m[0]), (30.0 * unit, 2.0 * unit), "{header}");
    }
    let b = with_header("x_m,y_m,z_m,radius_cm,vx_cm_s,vy_m_s,vz_km/s", "1,2,3,50,5,6,7");
    let told = b.expect_err("vz_km/s is spelt neither way");
    assert!(told.contains("a.csv:1: column 7 is called `vz_km/s`"), "{told}");
    let b = with_header("x_m,y_m,z_m,radius_cm,vx_cm_s,vy_m_s,vz (km/s)", "1,2,3,50,5,6,7").expect("units");
    assert_eq!((b.radius_m[0], b.velocity_m_s[0].to_array()), (0.5, [0.05, 6.0, 7000.0]));
    for (header, holds) in [
        ("x_s,y,z,radius", "column 1 is called `x_s` instead of `x`"),
        ("x_furlong,y,z,radius", "column 1 is called `x_furlong`"),
        ("x,y,z,diameter", "column 4 is called `diameter` instead of `radius`"),
        ("y,x,z,radius", "column 1 is called `y`"),
        ("id,x,y,z,radius", "column 1 is called `id`"),
    ] {
        let told = with_header(header, "10,20,30,2").expect_err(header);
        assert!(told.contains(holds), "{told}");
    }
}

#[cfg(unix)]
#[test]
fn a_job_script_runs_no_words_of_a_file_name() {
    let folder = tempfile::tempdir().expect("folder");
    let campaign = breccia::scenario::bundled::built_in_campaigns()
        .into_iter()
        .find(|c| c.0 == "restitution")
        .expect("built in")
        .1;
    let name = "a\ntouch pwned\n#.toml";
    let named = campaign.replacen("format", "name = \"quoted\"\nformat", 1);
    std::fs::write(folder.path().join(name), &named).expect("writes");
    let text = told(folder.path(), &["sweep", name, "--slurm", "array.sh", "--out", "out"], 2);
    assert!(text.contains("\\n") && text.contains("holds a line break"), "{text}");
    assert!(!folder.path().join("array.sh").exists());
    // quotes and dollars are words, not commands
    let name = "it's $(touch pwned) `touch pwned`.toml";
    std::fs::write(folder.path().join(name), &named).expect("writes");
    breccia_in(folder.path(), &["sweep", name, "--slurm", "array.sh", "--out", "out"]).success();
    let script = std::fs::read_to_string(folder.path().join("array.sh")).expect("script");
    let dry = script.replace("\nbreccia ", "\ntrue ");
    std::fs::write(folder.path().join("dry.sh"), dry).expect("writes");
    std::process::Command::new("sh").arg("dry.sh").current_dir(folder.path()).status().expect("sh");
    assert!(!folder.path().join("pwned").exists(), "{script}");
}
