//! Files ten times as long take about ten times as long: keys, tables, lists, cases, corners, bodies. And only regular files of a
//! size that a file may have are read at all.

use crate::common::busy::busy;
use crate::common::command::breccia;
use crate::common::{bodies, material, scenario};
use breccia::campaign;
use breccia::geometry::mesh::Mesh;
use breccia::geometry::mesh::audit::Audit;
use breccia::geometry::mesh::format::Format;
use breccia::geometry::polyhedron::ConvexPolyhedron;
use breccia::record::check::check;
use breccia::scenario::generate::generate;
use breccia::scenario::parse::parse;
use glam::DVec3;
use std::fmt::Write;
use std::time::Instant;

/// What ten times the size may cost of a core's time: 10 by itself, 1.3 for sorting, 2 for caches, 1.5 for what others do to them.
/// The square of the size costs 100.
const RATIO: f64 = 40.0;
/// Times below are noise (s).
const FLOOR_S: f64 = 0.004;

/// The shortest of some tries: what the machine does besides only adds.
fn least(tries: usize, mut work: impl FnMut()) -> f64 {
    let time = |_| {
        let begun = busy();
        work();
        (busy() - begun).as_secs_f64()
    };
    (0..tries).map(time).fold(f64::INFINITY, f64::min)
}

/// `work` on an input of size `n`, made by `input`, and on one of ten times the size.
fn linear<T>(name: &str, n: usize, input: impl Fn(usize) -> T, work: impl Fn(&T)) {
    let (small, large) = (input(n), input(10 * n));
    let (one, ten) = (least(4, || work(&small)), least(2, || work(&large)));
    println!("{name}: {n} in {one:.4} s, {} in {ten:.4} s, {:.1} times", 10 * n, ten / one);
    assert!(ten < RATIO * one.max(FLOOR_S), "{name}: {n} take {one} s, ten times as many {ten} s");
}

const HEAD: &str = "format = 1\n[run]\nduration_s = 1\n[[material]]\nname = \"rock\"\ndensity_kg_m3 = 2000\nstiffness_normal_n_m = 1e4\nrestitution_normal = 0.5\nfriction_sliding = 0.5\n";

/// A scenario with `n` times these lines, `#` being their number; with one body if they have none.
fn many(lines: &str) -> impl Fn(usize) -> String {
    let body = "[[bodies]]\ngenerator = \"list\"\nbody = [{ position_m = [0, 0, 9], radius_m = 1 }]\n";
    let end = if lines.contains("[[bodies]]") { "" } else { body };
    move |n| {
        let more: String = (0..n).map(|k| lines.replace('#', &k.to_string())).collect();
        format!("{HEAD}{end}{more}")
    }
}

fn reads(text: &str) {
    parse(text, "many.toml", &[]).expect("valid");
}

/// Refused, in a text that people can read to its end.
fn refuses(text: &str) {
    let told = parse(text, "many.toml", &[]).expect_err("has faults").to_string();
    assert!(told.lines().count() <= 101 && told.len() < 1_000_000, "{} lines of faults", told.lines().count());
    assert!(told.contains("more faults"), "{told}");
}

#[test]
fn tables_and_keys() {
    let wall = "[[wall]]\nname = \"w#\"\nkind = \"plane\"\npoint_m = [0, 0, -#]\nnormal = [0, 0, 1]\n";
    linear("walls", 500, many(wall), |text| reads(text));
    let group = "[[bodies]]\ngenerator = \"list\"\nbody = [{ position_m = [#, 0, 0], radius_m = 0.4 }]\n";
    linear("body tables", 500, many(group), |text| reads(text));
    linear("unknown keys", 3_000, many("key_# = 1\n"), |text: &String| refuses(&format!("{text}\n[nothing]\n")));
    linear(
        "unknown keys of a table",
        3_000,
        |n| many("key_# = 1\n")(n).replace("[[bodies]]", "[output]\n[[bodies]]"),
        |text| refuses(text),
    );
    for key in ["columns", "frame_events"] {
        let list = move |n: usize| format!("{}[output]\n{key} = [{}]\n", many("")(0), "\"none_such\", ".repeat(n));
        linear(&format!("unknown names in {key}"), 3_000, list, |text: &String| refuses(text));
        let word = if key == "columns" { "spin" } else { "failure" };
        let list =
            move |n: usize| format!("{}[output]\n{key} = [{}]\n", many("")(0), format!("\"{word}\", ").repeat(n));
        linear(&format!("one name in {key} again and again"), 3_000, list, |text: &String| refuses(text));
    }
    linear("expectations", 500, many("[expect.e#]\nvalue = 1\ntolerance = 1\nsource = \"none\"\n"), |text| {
        refuses(text)
    });
    linear("walls of one name", 500, many(&wall.replace("w#", "w")), |text| refuses(text));
}

#[test]
fn lists_of_bodies() {
    let list = |n: usize| {
        let mut items = String::new();
        (0..n).for_each(|k| {
            writeln!(items, "{{ position_m = [{}, {}, 0], radius_m = 0.4 }},", k % 100, k / 100).expect("text")
        });
        format!("{HEAD}[[bodies]]\ngenerator = \"list\"\nbody = [\n{items}]\n")
    };
    linear("bodies of a list", 1_000, list, |text: &String| {
        let scenario = parse(text, "list.toml", &[]).expect("valid");
        check(&scenario, &generate(&scenario).expect("bodies")).expect("apart");
    });
}

/// Boulders of a container are compared with those around them, and grains make room among them.
#[test]
fn boulders_of_a_container() {
    let list = |n: usize| {
        let mut items = String::new();
        for k in 0..n {
            let (x, y, z) = (k % 10, k / 10 % 10, k / 100);
            writeln!(items, "{{ position_m = [{x}.5, {y}.5, {z}.5], radius_m = 0.4 }},").expect("text");
        }
        let (high, middle) = (n / 100, n as f64 / 200.0);
        let container = format!("{{ kind = \"box\", size_m = [10, 10, {high}], centre_m = [5, 5, {middle}] }}");
        let end = format!("container = {container}\npacking = 0.275\nradius_m = 0.1\nboulders = [\n{items}]\n");
        format!("{HEAD}[[bodies]]\ngenerator = \"container\"\n{end}")
    };
    linear("boulders", 500, list, |text: &String| {
        let scenario = parse(text, "boulders.toml", &[]).expect("valid");
        generate(&scenario).expect("bodies");
    });
    let layers = "{ fraction = 0.5 }, ".repeat(10_000);
    let many = format!(
        "container = {{ kind = \"sphere\", radius_m = 9 }}\npacking = 0.5\nradius_m = 1\nlayers = [{layers}]\n"
    );
    let told = parse(&format!("{HEAD}[[bodies]]\ngenerator = \"container\"\n{many}"), "layers.toml", &[]);
    assert!(told.expect_err("too many").to_string().contains("10000 layers are more than 20"));
}

#[test]
fn cases_of_a_campaign() {
    let campaign = |n: usize| {
        let values: Vec<String> = (0..n).map(|k| format!("{k}.5")).collect();
        format!(
            "format = 1\nscenario = \"bounce\"\n[grid]\nmaterial.rock.restitution_normal = [{}]\n",
            values.join(", ")
        )
    };
    linear("values of a key", 3_000, campaign, |text: &String| {
        campaign::parse::parse(text, "many.toml").expect("valid");
    });
    let typed = |n: usize| {
        (0..n).map(|k| format!("[[case]]\nlabel = \"c{k}\"\n\"run.duration_s\" = {k}\n")).collect::<String>()
    };
    linear(
        "typed cases",
        1_000,
        |n| format!("format = 1\nscenario = \"bounce\"\n{}", typed(n)),
        |text: &String| {
            campaign::parse::parse(text, "many.toml").expect("valid");
        },
    );
    let picture = |k: usize| format!("[[picture]]\nname = \"p{k}\"\neach = \"seed\"\ntimes_s = [{k}]\n");
    let pictures = |n: usize| {
        let grid = "format = 1\nscenario = \"bounce\"\n[grid]\nseed = [1, 2, 3]\n".to_owned();
        grid + &(0..n).map(picture).collect::<String>()
    };
    linear("pictures", 1_000, pictures, |text: &String| {
        campaign::parse::parse(text, "many.toml").expect("valid");
    });
    for (list, told) in [("at_s", "more than 100 instants"), ("alpha_m", "more than 100 balls")] {
        let numbers = (1..=100_000).map(|k| format!("{k}, ")).collect::<String>();
        let parts = "format = 1\nscenario = \"bounce\"\n[grid]\nseed = [1]\n[analysis]\nparts = [\"shape\"]\n";
        let text = format!("{parts}{list} = [{numbers}]\n");
        assert!(campaign::parse::parse(&text, "long.toml").expect_err("too many").to_string().contains(told), "{list}");
    }
    let keys = (0..200).map(|k| format!("\"key.k{k}\" = [1]\n")).collect::<String>();
    let wide = format!("format = 1\nscenario = \"bounce\"\n[grid]\n{keys}");
    let told = campaign::parse::parse(&wide, "wide.toml").expect_err("too many").to_string();
    assert!(told.contains("200 keys vary, more than the 100 columns that a table may have"), "{told}");
}

/// A prism: two polygons of `n` corners, and the sides between them.
fn prism(n: usize) -> Vec<u8> {
    let mut text = String::new();
    for (k, z) in (0..n).flat_map(|k| [(k, 0), (k, 1)]) {
        let angle = std::f64::consts::TAU * k as f64 / n as f64;
        writeln!(text, "v {} {} {z}", angle.cos(), angle.sin()).expect("text");
    }
    text += "f";
    (0..n).rev().for_each(|k| write!(text, " {}", 2 * k + 1).expect("text"));
    text += "\nf";
    (0..n).for_each(|k| write!(text, " {}", 2 * k + 2).expect("text"));
    for k in 0..n {
        let next = (k + 1) % n;
        write!(text, "\nf {} {} {} {}", 2 * k + 1, 2 * next + 1, 2 * next + 2, 2 * k + 2).expect("text");
    }
    text.into_bytes()
}

/// A flat polygon of `n` corners, and a cone over it.
fn polygon(n: usize) -> Vec<u8> {
    let mut text = String::from("v 0 0 1\n");
    for k in 0..n {
        let angle = std::f64::consts::TAU * k as f64 / n as f64;
        writeln!(text, "v {} {} 0", angle.cos(), angle.sin()).expect("text");
    }
    text += "f";
    (0..n).rev().for_each(|k| write!(text, " {}", k + 2).expect("text"));
    (0..n).for_each(|k| write!(text, "\nf 1 {} {}", k + 2, (k + 1) % n + 2).expect("text"));
    text.into_bytes()
}

fn read(bytes: &[u8]) -> Mesh {
    Mesh::of_bytes(bytes, "a.obj", 1.0, Some(Format::Obj)).expect("reads")
}

#[test]
fn faces_and_objects() {
    linear("corners of a face", 3_000, prism, |bytes: &Vec<u8>| {
        let mesh = read(bytes);
        assert!(Audit::of(&mesh).with_crossings(&mesh).defects.is_empty());
    });
    // a vertex that all faces of a file share is reported, and its faces are not compared pair by pair
    let mesh = read(&polygon(20_000));
    assert!(Audit::of(&mesh).defects.is_empty());
    let audit = Audit::of(&mesh).with_crossings(&mesh);
    assert!(
        audit.defects[0].fault().to_string().contains("whether the surface runs through itself is not known"),
        "{}",
        audit.defects[0].fault()
    );
    let tetrahedron = "o a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf -4 -2 -3\nf -4 -3 -1\nf -3 -2 -1\nf -2 -4 -1\n";
    let folder = tempfile::tempdir().expect("folder");
    let objects = |n: usize| {
        let path = folder.path().join(format!("{n}.obj"));
        std::fs::write(&path, tetrahedron.repeat(n)).expect("writes");
        path
    };
    linear("objects", 300, objects, |path| assert!(Mesh::read_objects(path, 1.0).expect("bodies").len() >= 300));
}

/// A fault of an object in the middle of a file names vertices by their numbers in the file.
#[test]
fn objects_name_vertices_of_the_file() {
    let folder = tempfile::tempdir().expect("folder");
    let path = folder.path().join("two.obj");
    let whole = "o a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
    std::fs::write(&path, format!("{whole}o b\nv 5 0 0\nv 6 0 0\nv 5 1 0\nv 5 0 1\nf 5 7 6\nf 5 6 8\nf 6 7 8\n"))
        .expect("writes");
    let told = Mesh::read_objects(&path, 1.0).expect_err("open").to_string();
    assert!(told.contains("edge 5-7") || told.contains("edge 5-8") || told.contains("edge 7-8"), "{told}");
}

/// Many corners end with a limit, many points within the hull do not matter.
#[test]
fn points_of_a_body() {
    let ball = |n: usize| -> Vec<DVec3> {
        let turn = std::f64::consts::PI * (3.0 - 5f64.sqrt());
        let point = |k: usize| {
            let z = 1.0 - (2.0 * k as f64 + 1.0) / n as f64;
            let (s, c) = (turn * k as f64).sin_cos();
            (1.0 - z * z).sqrt() * DVec3::new(c, s, 0.0) + z * DVec3::Z
        };
        (0..n).map(point).collect()
    };
    let told = ConvexPolyhedron::from_points(&ball(40_000)).expect_err("too many").to_string();
    assert!(told.contains("40000 points has more than 10000 corners; thin them out"), "{told}");
    let inside = |n: usize| [ball(200), ball(n).into_iter().map(|p| 0.9 * p).collect()].concat();
    linear("points within a hull", 3_000, inside, |points| {
        assert_eq!(ConvexPolyhedron::from_points(points).expect("a body").vertices_m.len(), 200);
    });
}

/// The start check of bodies in a heap, of grains around a boulder, of a bed.
#[test]
fn bodies_at_the_start() {
    let mut s = scenario(vec![material()]);
    s.run.time_step_s = Some(1e-4);
    let heap = |n: usize| bodies(&vec![(DVec3::ZERO, 1.0); n], 2000.0);
    linear("bodies in one position", 1_000, heap, |b| {
        assert!(check(&s, b).expect_err("overlap").to_string().contains("overlap by"));
    });
    let grid = |n: usize, width: usize| {
        let cell =
            move |k: usize| DVec3::new((k % width) as f64, (k / width % width) as f64, (k / width / width) as f64);
        (0..n).map(move |k| (0.021 * cell(k) + DVec3::new(0.0, 0.0, 10.5), 0.01)).collect::<Vec<_>>()
    };
    let boulder = |n: usize| bodies(&[vec![(DVec3::ZERO, 10.0)], grid(n, 30)].concat(), 2000.0);
    linear("grains beside a boulder", 3_000, boulder, |b| {
        check(&s, b).expect("apart");
    });
    // the worst pair is found whatever the sizes
    let mut spheres = grid(3_000, 30);
    spheres.push((spheres[1234].0 + DVec3::new(0.0, 0.0, 0.5), 0.5));
    spheres.push((DVec3::new(0.0, 0.0, -7.0), 10.0));
    let told = check(&s, &bodies(&spheres, 2000.0)).expect_err("overlap").to_string();
    assert!(told.contains("and 3000 overlap by"), "{told}");
}

/// Each of these plates is within the spheres of 140 others, the first of which touch and no more.
#[test]
fn the_worst_of_very_many_pairs_is_found() {
    let count = 500;
    let plates = |sunk: f64| {
        let at = |k: usize| 0.02 * k as f64 - if k + 1 == count { sunk } else { 1e-6 * k as f64 };
        let row = |k: usize| format!("{{ position_m = [0, 0, {}] }}", at(k));
        let rows: Vec<String> = (0..count).map(row).collect();
        let head = HEAD.replace("[run]\n", "[run]\nmethod = \"contact_dynamics\"\ntime_step_s = 0.01\n");
        let head = head.replace("stiffness_normal_n_m = 1e4\n", "");
        let shape = "shape = { kind = \"box\", size_m = [2, 2, 0.02] }";
        let guards = "[guards]\noverlap_max = 0.002\n";
        format!("{head}{guards}[[bodies]]\ngenerator = \"list\"\n{shape}\nbody = [{}]\n", rows.join(", "))
    };
    let checked = |sunk: f64| {
        let s = parse(&plates(sunk), "plates.toml", &[]).expect("valid");
        check(&s, &generate(&s).expect("bodies")).map(|_| ())
    };
    checked(1e-6 * count as f64).expect("apart");
    let told = checked(0.01).expect_err("overlap").to_string();
    assert!(told.contains("and 499 overlap by"), "{told}");
}

/// Positions and radii of 1e6 bodies are 32 MB, and what `check` makes of them little more.
#[cfg(unix)]
#[test]
fn a_million_bodies_are_checked_in_little_memory() {
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", "ulimit -v 204800; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_breccia"), "check", "accretion"]);
    let output = shell.args(["--no-time", "--set", "bodies.0.count=1000000"]).output().expect("sh");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[cfg(unix)]
mod files {
    use super::*;
    use std::path::{Path, PathBuf};
    use std::process::Command;

    /// What a command says of a file that it refuses, at once.
    fn refused(arguments: &[&str], code: i32) -> String {
        let begun = Instant::now();
        let output = breccia(arguments).code(code).get_output().clone();
        // starting a process takes milliseconds, on a busy machine a second
        assert!(begun.elapsed().as_secs_f64() < 10.0, "{arguments:?} took {:?}", begun.elapsed());
        String::from_utf8(output.stderr).expect("text")
    }

    fn sparse(path: PathBuf, gib: u64) -> String {
        std::fs::File::create(&path).expect("file").set_len(gib << 30).expect("length");
        path.display().to_string()
    }

    /// A scenario that names `path` in `lines`.
    fn naming(folder: &Path, lines: &str, path: &str) -> String {
        let file = folder.join("names.toml");
        std::fs::write(&file, format!("{HEAD}{}", lines.replace("PATH", path))).expect("writes");
        file.display().to_string()
    }

    const TABLE: &str = "[[bodies]]\ngenerator = \"file\"\npath = \"PATH\"\n";
    const FRAME: &str = "[[bodies]]\ngenerator = \"frame\"\npath = \"PATH\"\n";
    const SURFACE: &str = "[[bodies]]\ngenerator = \"list\"\nbody = [{ position_m = [0, 0, 9], radius_m = 1 }]\n[asteroid]\ndensity_kg_m3 = 2000\nshape = { kind = \"mesh\", path = \"PATH\", unit_m = 1, format = \"obj\" }\n";

    #[test]
    fn pipes_devices_and_folders_are_refused() {
        let folder = tempfile::tempdir().expect("folder");
        let pipe = folder.path().join("pipe").display().to_string();
        assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
        for path in [pipe.as_str(), "/dev/zero"] {
            for arguments in
                [vec!["check", path], vec!["sweep", path, "--dry-run"], vec!["mesh", "info", path, "--unit-m", "1"]]
            {
                let told = refused(&arguments, 7);
                assert!(told.contains("is not a regular file"), "{arguments:?}: {told}");
            }
            for (lines, code) in [(TABLE, 7), (SURFACE, 7)] {
                let told = refused(&["check", &naming(folder.path(), lines, path)], code);
                assert!(told.contains("is not a regular file"), "{told}");
            }
        }
        let told = refused(&["check", &folder.path().display().to_string()], 7);
        assert!(told.contains("is a directory; name a file"), "{told}");
    }

    #[test]
    fn files_beyond_any_size_are_refused() {
        let folder = tempfile::tempdir().expect("folder");
        let large = sparse(folder.path().join("large.toml"), 8);
        for arguments in [vec!["check", &large], vec!["sweep", &large, "--dry-run"]] {
            let told = refused(&arguments, 7);
            assert!(
                told.contains("8192 MiB or more, and at most 16 MiB") && told.contains("BRECCIA_INPUT_MAX_MIB=8192"),
                "{told}"
            );
        }
        let surface = sparse(folder.path().join("large.obj"), 8);
        let told = refused(&["mesh", "info", &surface, "--unit-m", "1"], 7);
        assert!(told.contains("at most 4096 MiB"), "{told}");
        let table = sparse(folder.path().join("large.csv"), 8);
        assert!(refused(&["check", &naming(folder.path(), TABLE, &table)], 7).contains("at most 4096 MiB"));
    }

    #[test]
    fn the_limit_can_be_raised_and_lowered() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("long.toml");
        let text =
            breccia::scenario::bundled::built_in().into_iter().find(|b| b.name == "bounce").expect("built in").text;
        std::fs::write(&path, format!("{text}\n#{}\n", "x".repeat(2 << 20))).expect("writes");
        let with = |limit: &str| {
            let mut command = assert_cmd::Command::cargo_bin("breccia").expect("program");
            command.env("BRECCIA_INPUT_MAX_MIB", limit).args(["check", "--no-time"]).arg(&path).assert()
        };
        with("3").success();
        let told = String::from_utf8(with("1").code(7).get_output().stderr.clone()).expect("text");
        assert!(told.contains("has 3 MiB or more, and at most 1 MiB"), "{told}");
        let told = String::from_utf8(with("much").code(2).get_output().stderr.clone()).expect("text");
        assert!(told.contains("BRECCIA_INPUT_MAX_MIB=much: write the largest size"), "{told}");
    }

    /// A frame of another run is read by the same way.
    #[test]
    fn a_run_of_pipes_is_refused() {
        let folder = tempfile::tempdir().expect("folder");
        let frame = folder.path().join("run/frames/000000");
        std::fs::create_dir_all(&frame).expect("folder");
        std::fs::write(frame.join("time.json"), "{\"step\":0,\"time_s\":0}").expect("writes");
        std::fs::write(frame.join("position.npy"), "").expect("writes");
        breccia::base::checksums::write(&frame).expect("checksums");
        std::fs::remove_file(frame.join("position.npy")).expect("removed");
        assert!(Command::new("mkfifo").arg(frame.join("position.npy")).status().expect("mkfifo").success());
        let told =
            refused(&["check", &naming(folder.path(), FRAME, &folder.path().join("run").display().to_string())], 7);
        assert!(told.contains("position.npy: is not a regular file"), "{told}");
    }
}
