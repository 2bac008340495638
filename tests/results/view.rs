//! `breccia view` and `breccia report`: what the page is given is what the run's files hold, and nobody else is given it.

use crate::common::command::{breccia, pair};
use breccia::view::report::{Choice, report};
use breccia::view::resource::Resource;
use breccia::view::run::Run;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// Three frames of two spheres in contact and one apart.
fn spheres() -> tempfile::TempDir {
    let wall = crate::common::wall(glam::DVec3::ZERO);
    let scenario = breccia::Scenario { walls: vec![wall], ..crate::common::scenario(vec![crate::common::material()]) };
    crate::common::run_directory(&scenario, &[pair(0.0), pair(1.0), pair(2.0)], true)
}

/// Header and arrays of an answer.
fn blocks(run: &Path, name: &str) -> (Value, BTreeMap<String, Vec<f64>>) {
    let run = Run::open(run).unwrap();
    let bytes = Resource::parse(name).and_then(|r| r.of(&run)).unwrap_or_else(|e| panic!("{name}: {e}")).bytes;
    let length = u32::from_le_bytes(bytes[..4].try_into().unwrap()) as usize;
    let header: Value = serde_json::from_slice(&bytes[4..4 + length]).unwrap();
    let (mut at, mut arrays) = (4 + length, BTreeMap::new());
    for array in header["arrays"].as_array().unwrap() {
        let end = at + 4 * array["length"].as_u64().unwrap() as usize;
        let words = bytes[at..end].chunks_exact(4).map(|w| <[u8; 4]>::try_from(w).unwrap());
        let numbers = match array["type"].as_str() {
            Some("f32") => words.map(|w| f64::from(f32::from_le_bytes(w))).collect(),
            _ => words.map(|w| f64::from(u32::from_le_bytes(w))).collect(),
        };
        arrays.insert(array["name"].as_str().unwrap().to_owned(), numbers);
        at = end;
    }
    assert_eq!(at, bytes.len(), "{name}: the header tells of all bytes");
    (header["about"].clone(), arrays)
}

#[test]
fn the_page_is_given_what_the_frames_hold() {
    let dir = spheres();
    let expected = pair(1.0);
    let (about, arrays) = blocks(dir.path(), "frame/1/bodies");
    assert_eq!(about["time_s"], expected.time_s);
    assert_eq!(about["contacts"], true);
    let offered: Vec<&str> = about["quantities"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    for name in ["speed", "material", "aggregate_mass", "mass", "velocity.z", "spin"] {
        assert!(offered.contains(&name), "{name}: {offered:?}");
    }
    for name in &offered {
        blocks(dir.path(), &format!("frame/1/values/{name}"));
    }
    let origin: Vec<f64> = about["origin_m"].as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect();
    for (k, p) in expected.bodies.position_m.iter().enumerate() {
        for (c, v) in p.to_array().into_iter().enumerate() {
            let found = arrays["position"][3 * k + c] + origin[c];
            assert!((found - v).abs() < 1e-6, "body {k}: {found}, {v} expected");
        }
        assert_eq!(arrays["id"][k], f64::from(expected.bodies.id[k]));
    }
    let (_, shapes) = blocks(dir.path(), "frame/1/shapes");
    assert_eq!(shapes["radius"], expected.bodies.radius_m);
    let (about, speeds) = blocks(dir.path(), "frame/1/values/speed");
    assert_eq!((about["name"].as_str(), about["unit"].as_str()), (Some("speed"), Some("m/s")));
    for (found, v) in speeds["value"].iter().zip(&expected.bodies.velocity_m_s) {
        assert!((found - v.length()).abs() <= 1e-6 * v.length(), "{found}, {} expected", v.length());
    }
    let (_, materials) = blocks(dir.path(), "frame/1/values/material");
    assert_eq!(materials["colour"].len(), 3);
    let (_, contacts) = blocks(dir.path(), "frame/1/contacts");
    assert_eq!(contacts["ends"].len(), 6 * contacts["force"].len());
    assert!(contacts["force"].iter().any(|f| (f - 6.0).abs() < 1e-5), "{contacts:?}");
    let (_, aggregates) = blocks(dir.path(), "frame/1/aggregates");
    assert_eq!(aggregates["aggregate"][0], aggregates["aggregate"][1]);
    assert_ne!(aggregates["aggregate"][0], aggregates["aggregate"][2]);
    assert_eq!(aggregates["centre"].len(), 6, "each aggregate has its place, single bodies too");
    let run = Run::open(dir.path()).unwrap();
    let text = |name: &str| Resource::parse(name).unwrap().of(&run).unwrap().bytes;
    let walls: Value = serde_json::from_slice(&text("frame/1/walls")).unwrap();
    assert_eq!(walls.as_array().map(Vec::len), Some(1), "{walls}");
    let frames: Value = serde_json::from_slice(&text("frames/1")).unwrap();
    assert_eq!(frames.as_array().map(Vec::len), Some(2), "frames after the first: {frames}");
}

#[test]
fn polyhedra_come_as_triangles_that_close() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("run");
    let set = ["--set", "run.duration_s=20", "--set", "output.frames=1", "--expect", "off"];
    breccia(&[&["run", "two_polyhedra_collision", "--out", out.to_str().unwrap()][..], &set].concat()).success();
    let (_, bodies) = blocks(&out, "frame/0/bodies");
    let (_, shapes) = blocks(&out, "frame/0/shapes");
    assert_eq!(bodies["orientation"].len(), 4 * bodies["id"].len());
    assert_eq!(shapes["corner"].len(), 3 * shapes["body"].len());
    // the vector areas of a closed surface cancel
    for body in 0..bodies["id"].len() {
        let (mut sum, mut size) = (glam::DVec3::ZERO, 0.0);
        for t in 0..shapes["body"].len() / 3 {
            if shapes["body"][3 * t] == body as f64 {
                let [a, b, c] = [0, 1, 2].map(|k| glam::DVec3::from_slice(&shapes["corner"][9 * t + 3 * k..]));
                let area = (b - a).cross(c - a);
                sum += area;
                size += area.length();
            }
        }
        assert!(size > 0.0 && sum.length() < 1e-5 * size, "body {body}: {sum} of {size}");
    }
}

/// Another run takes the directory while the page of the first one is served.
#[test]
fn a_run_in_the_place_of_another_has_its_own_walls_materials_and_asteroid() {
    let dir = spheres();
    let run = Run::open(dir.path()).unwrap();
    let ask = |run: &Run, name: &str| -> Value {
        serde_json::from_slice(&Resource::parse(name).unwrap().of(run).unwrap().bytes).unwrap()
    };
    let (before, state) = (ask(&run, "run"), ask(&run, "state"));
    assert_eq!((&before["walls"], &before["materials"]), (&true.into(), &serde_json::json!(["rock"])));
    assert_eq!(before["given"], state["given"]);
    let mut ice = crate::common::material();
    ice.name = "ice".into();
    let text = serde_json::to_string(&crate::common::scenario(vec![ice])).unwrap();
    std::fs::write(dir.path().join("resolved.json"), text).unwrap();
    let after = ask(&run, "run");
    assert_eq!((&after["walls"], &after["materials"]), (&false.into(), &serde_json::json!(["ice"])));
    assert_eq!(ask(&run, "frame/1/walls").as_array().map(Vec::len), Some(0));
    assert_ne!(ask(&run, "state")["given"], state["given"], "the state does not tell the page of another run");

    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let start = ["--engine", "reference", "--expect", "off", "--out", out.to_str().unwrap()];
    let short = ["--set", "run.duration_s=0.02", "--set", "asteroid.shape.subdivisions=2"];
    breccia(&[&["run", "grain_on_facets"][..], &start, &short].concat()).success();
    let run = Run::open(&out).unwrap();
    assert!(ask(&run, "run")["asteroid"].is_string() && Resource::Surface.of(&run).is_ok());
    breccia(&[&["run", "bounce", "--overwrite"][..], &start].concat()).success();
    assert!(ask(&run, "run")["asteroid"].is_null() && Resource::Surface.of(&run).is_err());
}

/// A page that is served, until it is dropped.
struct Served {
    process: Child,
    port: u16,
    word: String,
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn serve(run: &Path) -> Served {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("breccia"));
    let mut process = command.args(["view", "--json"]).arg(run).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(process.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    let told: Value = serde_json::from_str(&line).unwrap();
    let port = told["port"].as_u64().unwrap() as u16;
    let url = told["url"].as_str().unwrap();
    let word = url.strip_prefix(&format!("http://127.0.0.1:{port}/")).and_then(|w| w.strip_suffix('/')).unwrap();
    Served { process, port, word: word.to_owned() }
}

impl Served {
    /// Status and text of the answer to a request, its path as it is.
    fn ask(&self, method: &str, path: &str, host: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        write!(stream, "{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
        let mut bytes = vec![];
        stream.read_to_end(&mut bytes).unwrap();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let status = text.split(' ').nth(1).and_then(|s| s.parse().ok()).unwrap_or_else(|| panic!("{text}"));
        (status, text)
    }
}

#[test]
fn only_who_knows_the_word_reads_the_run_and_nothing_else() {
    let dir = spheres();
    std::fs::write(dir.path().join("secret.txt"), "do not tell").unwrap();
    let page = serve(dir.path());
    let word = page.word.clone();
    assert_eq!(word.len(), 32);
    let (status, text) = page.ask("GET", &format!("/{word}/"), "127.0.0.1");
    assert!(status == 200 && text.contains("<!doctype html>") && text.contains("script-src 'self'"), "{text}");
    for own in ["localhost:1234", "127.0.0.1:9", "[::1]:80"] {
        assert_eq!(page.ask("GET", &format!("/{word}/state"), own).0, 200, "{own}: a tunnel has a port of its own");
    }
    let (status, text) = page.ask("GET", &format!("/{word}/frame/0/bodies"), "localhost");
    assert!(status == 200 && text.contains("nosniff"), "{text}");
    for (method, path, host, expected) in [
        ("GET", format!("/{word}/"), "example.org", 403),
        ("GET", "/".to_owned(), "localhost", 404),
        ("GET", "/00000000000000000000000000000000/run".to_owned(), "localhost", 404),
        ("POST", format!("/{word}/run"), "localhost", 405),
        ("GET", format!("/{word}/secret.txt"), "localhost", 404),
        ("GET", format!("/{word}/../secret.txt"), "localhost", 404),
        ("GET", format!("/{word}/%2e%2e/secret.txt"), "localhost", 404),
        ("GET", format!("/{word}/frame/../secret.txt/bodies"), "localhost", 404),
        ("GET", format!("/{word}/frame/7/bodies"), "localhost", 404),
        ("GET", format!("/{word}/frame/0/values/nothing"), "localhost", 404),
    ] {
        let (status, text) = page.ask(method, &path, host);
        assert_eq!(status, expected, "{method} {path} of {host}: {text}");
        assert!(!text.contains("do not tell"), "{text}");
    }
}

#[test]
fn damaged_frames_are_told_and_the_page_lives_on() {
    let dir = spheres();
    let frame = dir.path().join("frames/000001");
    // a header that claims more than any memory holds
    let header = "{'descr': '<f8', 'fortran_order': False, 'shape': (9000000000000000, 3), }\n";
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.bytes());
    std::fs::write(frame.join("position.npy"), bytes).unwrap();
    let page = serve(dir.path());
    let (status, text) = page.ask("GET", &format!("/{}/frame/1/bodies", page.word), "localhost");
    assert!(status == 422 && text.contains("position.npy"), "{text}");
    assert_eq!(page.ask("GET", &format!("/{}/frame/0/bodies", page.word), "localhost").0, 200);
}

#[test]
fn frames_are_numbered_whatever_is_missing_before_them() {
    let dir = spheres();
    std::fs::write(dir.path().join("frames/000001/time.json"), "{").unwrap();
    let run = Run::open(dir.path()).unwrap();
    let numbers = |name: &str| {
        let list: Value = serde_json::from_slice(&Resource::parse(name).unwrap().of(&run).unwrap().bytes).unwrap();
        list.as_array().unwrap().iter().map(|f| f["frame"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(numbers("frames/0"), [0, 2], "the damaged one is left out");
    assert_eq!(numbers("frames/3"), [0; 0], "nothing is told again because of it");
}

/// A link may lead to any file of who looks at the run, and a report is given to others.
#[cfg(unix)]
#[test]
fn links_out_of_the_run_are_refused() {
    use std::os::unix::fs::symlink;
    let elsewhere = tempfile::tempdir().unwrap();
    let secret = elsewhere.path().join("secret.csv");
    std::fs::write(&secret, "do,not\ntell,this\n").unwrap();
    let report_of = |dir: &Path| breccia(&["report", dir.to_str().unwrap()]);
    let told = |of: &assert_cmd::assert::Assert| String::from_utf8_lossy(&of.get_output().stderr).into_owned();
    for name in ["series.csv", "manifest.json", "frames/000001/speed.npy", "analysis", "inputs/mesh.obj"] {
        let dir = spheres();
        let at = dir.path().join(name);
        std::fs::create_dir_all(at.parent().unwrap()).unwrap();
        let _ = std::fs::remove_file(&at);
        symlink(&secret, &at).unwrap();
        let refused = report_of(dir.path()).code(7);
        assert!(told(&refused).contains("is a link out of the run") && told(&refused).contains(name), "{refused:?}");
        breccia(&["view", dir.path().to_str().unwrap()]).code(7);
    }
    // one that is laid while the page is served
    let dir = spheres();
    let page = serve(dir.path());
    std::fs::remove_file(dir.path().join("series.csv")).ok();
    symlink(&secret, dir.path().join("series.csv")).unwrap();
    std::fs::remove_dir_all(dir.path().join("frames/000001")).unwrap();
    symlink(elsewhere.path(), dir.path().join("frames/000001")).unwrap();
    std::fs::write(elsewhere.path().join("time.json"), "{\"step\": 1, \"time_s\": 1}").unwrap();
    for name in ["series/0", "frame/1/bodies", "run"] {
        let (status, text) = page.ask("GET", &format!("/{}/{name}", page.word), "localhost");
        assert!(status == 422 && text.contains("link out of the run") && !text.contains("tell"), "{name}: {text}");
    }
    // within the run, and to the run, links may lead
    let dir = spheres();
    symlink(dir.path().join("frames/000000"), dir.path().join("frames/000003")).unwrap();
    let way = elsewhere.path().join("way");
    symlink(dir.path(), &way).unwrap();
    breccia(&["report", way.to_str().unwrap()]).success();
}

#[test]
fn a_report_holds_the_frames_that_were_asked_for() {
    let dir = spheres();
    let choice = Choice { frames: 2, quantities: vec!["speed".into()], most: 1_000_000 };
    let made = report(dir.path(), &choice).unwrap();
    assert_eq!((made.frames, made.of), (2, 3));
    for (name, there) in [("frame/0/bodies", true), ("frame/2/values/speed", true), ("frame/1/bodies", false)] {
        assert_eq!(made.html.contains(&format!("data-name=\"{name}\"")), there, "{name}");
    }
    assert_eq!(made.html.matches("data-name=\"shapes/").count(), 1, "shapes are in it once");
    let error = report(dir.path(), &Choice { most: 5000, ..choice }).unwrap_err().to_string();
    assert!(error.contains("larger than 5") && error.contains("--frames"), "{error}");
    let run = dir.path().to_str().unwrap();
    breccia(&["report", run]).success();
    let text = std::fs::read_to_string(dir.path().join("report.html")).unwrap();
    assert!(text.starts_with("<!doctype html>") && text.ends_with("</html>\n"));
    let refused = breccia(&["report", run]).code(2);
    assert!(String::from_utf8_lossy(&refused.get_output().stderr).contains("--overwrite"));
    breccia(&["report", run, "--color", "nothing"]).code(2);
    breccia(&["report", run, "--frames", "0"]).code(2);
    breccia(&["view", run, "--host", "300.1.1.1"]).code(2);
    breccia(&["view", "nowhere"]).code(7);
}
