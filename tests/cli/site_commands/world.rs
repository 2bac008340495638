//! A folder with what the pages take for granted: the files that the tutorial tells to save, a shape model, runs that
//! were made before. Runs are small: what a command reads is what is tested, and not what comes out.

use super::pages::{blocks, page, pages, root};
use std::path::Path;
use tempfile::TempDir;

/// A few spheres that a strong field presses together, so that there are forces, clusters and strains after a few steps.
const TOUCHING: &str = r#"format = 1
title = "Spheres that touch"
seed = 1
[run]
duration_s = 10
[[material]]
name = "rock"
density_kg_m3 = 3000.0
speed_max_m_s = 0.04
restitution_normal = 0.3
friction_sliding = 0.5
[[bodies]]
generator = "container"
container = { kind = "sphere", radius_m = 30 }
packing = 0.5
radius_m = { min_m = 6, max_m = 8 }
[[gravity]]
kind = "self"
[[gravity]]
kind = "uniform_sphere"
density_kg_m3 = 1e6
radius_m = 30.0
[output]
frames = 17
series_rows = 17
contacts = true
"#;

/// A few grains on an asteroid of few faces.
const STUDY: &str = r#"format = 1
title = "Grains on an asteroid"
seed = 3
[run]
duration_s = 0.2
[asteroid]
shape = { kind = "top", equatorial_radius_m = 272, polar_radius_m = 250, ridge_exponent = 1.48, faces = 2000 }
density_kg_m3 = 1194
rotation_period_s = "3.4 h"
[[material]]
name = "regolith"
density_kg_m3 = 3350.0
stiffness_normal_n_m = 1.0103e4
restitution_normal = 0.55
friction_sliding = 0.55
[[bodies]]
generator = "site"
latitude_deg = 30
longitude_deg = 0
count = 12
radius_m = 0.4
footprint_radius_m = 5.0
height_m = { min_m = 40, max_m = 42 }
[[gravity]]
kind = "asteroid"
[output]
frames = 6
series_rows = 6
contacts = true
"#;

/// What the program makes in the folder, in this order.
const MADE: &[&str] = &[
    "mesh make bennu.obj kind=sphere radius_m=0.25 faces=1280",
    "run touching.toml --out runs/accretion",
    "analyze runs/accretion clusters --frame all --minimum 2",
    "run study.toml",
    "run rubble_pile_small --stop-at-step 20",
    "run aggregate_at_rest --stop-at-step 20",
];

/// Runs of the pages: the name that a command has, or the scenario that begins with it, and what stands for it.
const RUNS: &[(&str, &str, &str)] = &[
    ("accretion", "runs/accretion", "runs/accretion"),
    ("runs/accretion_small", "runs/accretion_small", "runs/accretion"),
    ("runs/aggregation", "runs/aggregation", "runs/accretion"),
    ("runs/bounce", "runs/bounce", "runs/accretion"),
    ("runs/diametral_compression", "runs/diametral_compression", "runs/accretion"),
    ("runs/pile", "runs/pile", "runs/accretion"),
    ("runs/pile_collision_small", "runs/pile_collision_small", "runs/accretion"),
    ("runs/spin_64", "runs/spin_64", "runs/accretion"),
    ("runs/two_layer_top", "runs/two_layer_top", "runs/accretion"),
    ("runs/study", "runs/study", "runs/study"),
    ("runs/crater_filling", "runs/crater_filling", "runs/study"),
    ("runs/fission", "runs/fission", "runs/study"),
    ("runs/landslide_small", "runs/landslide_small", "runs/study"),
    ("landslide", "runs/sand_pile", "runs/study"),
    ("runs/sand_pile_2", "runs/sand_pile_2", "runs/study"),
    ("sand_pile", "runs/sand_pile_small", "runs/study"),
    ("collision", "runs/rubble_pile_small", "runs/rubble_pile_small"),
    ("collision", "runs/rubble_pile", "runs/rubble_pile_small"),
    ("compression", "runs/aggregate_at_rest", "runs/aggregate_at_rest"),
];

/// A folder for these commands: the files, and the runs that they name. All runs would be thousands of files a page.
pub fn furnished(world: &Path, commands: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("folder");
    for entry in std::fs::read_dir(world).expect("world").flatten() {
        let (path, copied) = (entry.path(), folder.path().join(entry.file_name()));
        if path.is_file() {
            std::fs::copy(path, copied).expect("copies");
        }
    }
    copy(&root().join("docs/examples"), &folder.path().join("docs/examples"));
    let named = RUNS.iter().filter(|(word, _, _)| commands.contains(word));
    named.for_each(|(_, run, from)| copy(&world.join(from), &folder.path().join(run)));
    folder
}

/// The files that a page tells to save: their names and texts.
pub fn saved(name: &str) -> Vec<(String, String)> {
    let text = page(name);
    let blocks = blocks(&text);
    let mut found = vec![];
    for (k, line) in text.lines().enumerate() {
        if let Some((_, rest)) = line.split_once("Save this as ") {
            let file = rest.split(' ').next().expect("word").trim_end_matches(['.', ',', ':', ';']);
            let block = blocks.iter().find(|(at, language, _)| *at > k + 1 && *language == "toml");
            let (_, _, lines) = block.unwrap_or_else(|| panic!("{name}:{}: {file} does not follow", k + 1));
            found.push((file.to_owned(), format!("{}\n", lines.join("\n"))));
        }
    }
    found
}

/// A cube of which one face is turned inside out, as text.
fn torn() -> String {
    const FACES: [[usize; 4]; 6] = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let corner = |k: usize| format!("vertex {} {} {}\n", k & 1, (k >> 1) & 1, (k >> 2) & 1);
    let triangle =
        |t: [usize; 3]| format!("facet normal 0 0 0\nouter loop\n{}endloop\nendfacet\n", t.map(corner).concat());
    let mut triangles: Vec<_> = FACES.iter().flat_map(|f| [[f[0], f[1], f[2]], [f[0], f[2], f[3]]]).collect();
    triangles[7].swap(1, 2);
    format!("solid cube\n{}endsolid cube\n", triangles.into_iter().map(triangle).collect::<String>())
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("folder");
    for entry in std::fs::read_dir(from).unwrap_or_else(|e| panic!("{}: {e}", from.display())).flatten() {
        let (path, copied) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() { copy(&path, &copied) } else { std::fs::copy(&path, &copied).map(drop).expect("copies") }
    }
}

/// The program in a folder: exit code, and what it printed.
pub fn program(folder: &Path, arguments: &[String]) -> (i32, String) {
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("breccia"));
    command.env("LP_NUM_THREADS", "0").current_dir(folder).args(arguments);
    let output = command.stdin(std::process::Stdio::null()).output().expect("starts");
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    (output.status.code().unwrap_or(-1), text.concat())
}

pub fn world() -> TempDir {
    let folder = tempfile::tempdir().expect("folder");
    let at = folder.path();
    let made = [
        ("touching.toml", TOUCHING.to_owned()),
        ("study.toml", STUDY.to_owned()),
        ("my.toml", STUDY.to_owned()),
        ("torn.stl", torn()),
        ("points.csv", "x_km,y_km,z_km\n0.4,0,0\n0,0,-0.5\n".to_owned()),
    ];
    let made = made.into_iter().map(|(name, text)| (name.to_owned(), text));
    let files = made.chain(pages().into_iter().flat_map(|page| saved(&page)));
    files.for_each(|(name, text)| std::fs::write(at.join(name), text).expect("writes"));
    for line in MADE {
        let arguments: Vec<_> = line.split(' ').map(str::to_owned).collect();
        let (code, text) = program(at, &arguments);
        assert!(code == 0 || code == 75, "breccia {line}: {code}\n{text}");
    }
    std::fs::copy(at.join("runs/study/frames/000000/position.npy"), at.join("orbit.npy")).expect("copies");
    folder
}
