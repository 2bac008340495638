//! `breccia analyze RUN clusters`, `outcome` and `strain` on run directories, and their colours in pictures.

use crate::common::command::{breccia, close, json, number, path, text};
use breccia::model::snapshot::{Contact, FrameState, Snapshot, WallContact};
use breccia::model::stored::frames::read_f64;
use breccia::record::files::series::read;
use glam::{DQuat, DVec3};
use serde_json::Value;

/// Chains of touching spheres of 1 and 2 m in x: `left` about x = -50 m, the others about 50 m; they part with a speed.
fn chains(left: usize, speed: f64) -> Snapshot {
    let sphere = |k: usize| {
        let (side, along) = if k < left { (-1.0, k) } else { (1.0, k - left) };
        (DVec3::new(50.0 * side, 3.0 * along as f64, 0.0), if along.is_multiple_of(2) { 1.0 } else { 2.0 })
    };
    let mut bodies = crate::common::bodies(&(0..12).map(sphere).collect::<Vec<_>>(), 2000.0);
    for k in 0..12 {
        bodies.velocity_m_s[k] = DVec3::new(if k < left { -speed } else { speed }, 0.0, 0.3);
    }
    let touch = |i: u32| Contact { i, j: i + 1, force_n: -DVec3::Y, normal: DVec3::Y, ..Contact::default() };
    let contacts = (0..11).filter(|i| *i + 1 != left).map(|i| touch(i as u32)).collect();
    Snapshot { bodies, contacts, ..Snapshot::default() }
}

/// Two frames in which the left chain loses bodies to the right one, and then a third with all overlaps.
fn run(contacts: bool) -> tempfile::TempDir {
    let scenario = crate::common::scenario(vec![crate::common::material()]);
    let mut frames = [chains(8, 1.0), chains(5, 1.0), chains(8, 1.0)];
    for (k, s) in frames.iter_mut().enumerate() {
        (s.step, s.time_s) = (k as u64, 60.0 * k as f64);
        s.contacts.iter_mut().for_each(|c| c.overlap_m = 1e-3 * f64::from(c.i + 1));
    }
    frames[2].wall_contacts = vec![WallContact { body: 0, overlap_m: 0.5, ..WallContact::default() }];
    crate::common::run_directory(&scenario, &frames, contacts)
}

#[test]
fn clusters_over_time_keep_their_numbers() {
    let dir = run(true);
    let told = json(&["analyze", path(&dir), "clusters", "outcome", "--minimum", "3", "--frame", "all"]);
    let list = |frame: usize| told["frames"][frame]["clusters"]["list"].as_array().unwrap().clone();
    let seen = |frame: usize| list(frame).iter().map(|r| (r["bodies"].clone(), r["track"].clone())).collect::<Vec<_>>();
    let pair = |a: u64, b: u64| (Value::from(a), Value::from(b));
    assert_eq!(seen(0), [pair(8, 0), pair(4, 1)]);
    // 5 of 8 bodies go on as the first one, which has the second rank now
    assert_eq!(seen(1), [pair(7, 1), pair(5, 0)]);
    let folder = dir.path().join("analysis");
    let array = |name: &str| read_f64(&folder.join(format!("000001/{name}.npy"))).unwrap().0;
    assert_eq!(array("cluster"), [[1.0; 5].to_vec(), [0.0; 7].to_vec()].concat());
    assert_eq!(array("cluster_track"), [[0.0; 5].to_vec(), [1.0; 7].to_vec()].concat());
    let (columns, rows) = read(&folder.join("clusters.csv")).unwrap();
    assert_eq!((rows.len(), rows[3][2], rows[3][4]), (6, 0.0, 5.0));
    assert_eq!(columns[2..5], ["track", "rank", "bodies"]);
    let (columns, rows) = read(&folder.join("outcome.csv")).unwrap();
    let outcome = &told["frames"][1]["outcome"];
    for (k, name) in columns.iter().enumerate() {
        let same = rows[1][k] == number(&outcome[name]);
        assert!(same || (rows[1][k].is_nan() && outcome[name].is_null()), "{name}: {outcome}");
    }
    assert_eq!(columns.len(), outcome.as_object().unwrap().len());
    // the right chain: three spheres of 2 m and four of 1 m; all: two by three of one and the other
    close(number(&outcome["largest_mass_kg"]), (3.0 * 8.0 + 4.0) * 2000.0 * 4.0 / 3.0 * std::f64::consts::PI, 1e-12);
    close(number(&outcome["largest_mean_body_mass_ratio"]), (28.0 / 7.0) / (47.0 / 12.0), 1e-12);
    close(number(&outcome["second_mass_share"]), 19.0 / 47.0, 1e-12);
    assert!(std::fs::read_to_string(folder.join("largest_cluster.svg")).unwrap().contains("mean body mass over all"));
}

#[test]
fn small_groups_are_free_and_words_say_so() {
    let dir = run(false);
    let words = text(&["analyze", path(&dir), "clusters", "outcome", "--frame", "0"]);
    assert!(
        words.contains("clusters of at least 50 bodies, by gaps") && words.contains("0, and 12 free bodies"),
        "{words}"
    );
    assert!(words.contains("largest_bodies none"), "{words}");
    let told = json(&["analyze", path(&dir), "outcome", "--frame", "0"]);
    assert!(told["frames"][0]["outcome"]["largest_mass_share"].is_null() && told["frames"][0]["clusters"].is_null());
    assert!(!dir.path().join("analysis/000000/cluster_track.npy").exists());
}

/// Speeds and escape count in inertial space: the same bodies seen from a frame that turns and moves.
#[test]
fn clusters_are_those_of_inertial_space() {
    let inertial = chains(8, 1.0);
    let mut turned = inertial.clone();
    let frame = FrameState {
        origin_m: DVec3::new(5.0, -7.0, 3.0),
        orientation: DQuat::from_rotation_x(0.7) * DQuat::from_rotation_z(0.4),
        velocity_m_s: DVec3::new(0.0, 2.0, 1.0),
        spin_rad_s: DVec3::new(0.0, 0.0, 0.5),
        asteroid: None,
    };
    let back = frame.orientation.inverse();
    for k in 0..12 {
        let position = back * (inertial.bodies.position_m[k] - frame.origin_m);
        turned.bodies.position_m[k] = position;
        let own = back * (inertial.bodies.velocity_m_s[k] - frame.velocity_m_s);
        turned.bodies.velocity_m_s[k] = own - frame.spin_rad_s.cross(position);
        turned.bodies.spin_rad_s[k] = back * inertial.bodies.spin_rad_s[k] - frame.spin_rad_s;
    }
    turned.frame = Some(frame);
    let dir = crate::common::run_directory(
        &crate::common::scenario(vec![crate::common::material()]),
        &[inertial, turned],
        true,
    );
    let told = json(&["analyze", path(&dir), "clusters", "--minimum", "3", "--frame", "all"]);
    let list = |frame: usize| told["frames"][frame]["clusters"]["list"].as_array().unwrap();
    assert_eq!((list(0).len(), list(1).len()), (2, 2));
    for (a, b) in list(0).iter().zip(list(1)) {
        assert_eq!(a["bodies"], b["bodies"]);
        for (name, size) in [("centre_m", 50.0), ("velocity_m_s", 1.0)] {
            let difference = |k: usize| (number(&a[name][k]) - number(&b[name][k])).abs();
            assert!((0..3).all(|k| difference(k) < 1e-12 * size), "{name}: {a} {b}");
        }
    }
}

#[test]
fn strain_counts_the_largest_overlaps_by_size() {
    let dir = run(true);
    let told = json(&["analyze", path(&dir), "strain", "--top", "25", "--frame", "all"]);
    let strain = |frame: usize| told["frames"][frame]["strain"].clone();
    // contacts i to i + 1 overlap by (i + 1) mm, of bodies 0 to 7 and 8 to 11: 10, 11, 9 have most
    let first = strain(0);
    assert_eq!(first["top_bodies"], 3);
    close(number(&first["overlap_max_m"]), 0.011, 1e-12);
    close(number(&first["overlap_top_m"]), 0.010, 1e-12);
    // 10 is a sphere of 1 m, 9 and 11 are of 2 m; a quarter of all bodies is six of either
    let sizes = |frame: usize, name: &str| [0, 1].map(|k| strain(frame)["sizes"][k][name].clone());
    assert_eq!(sizes(0, "top_bodies"), [1, 2].map(Value::from));
    let shares = sizes(0, "strain_share").map(|s| number(&s));
    close(shares[0], (1.0 / 6.0) / 0.25, 1e-12);
    close(shares[1], (2.0 / 6.0) / 0.25, 1e-12);
    // a wall strains too: body 0, of 1 m, in the place of 9
    assert_eq!(sizes(2, "top_bodies"), [2, 1].map(Value::from));
    let array = |name: &str| read_f64(&dir.path().join(format!("analysis/000002/{name}.npy"))).unwrap().0;
    assert_eq!((array("body_overlap")[0], array("body_strain")[0], array("body_strain")[11]), (0.5, 0.5, 0.011 / 2.0));
    let (columns, rows) = read(&dir.path().join("analysis/strain.csv")).unwrap();
    assert_eq!(columns, ["frame", "time_s", "overlap_max_m", "strain_share_1_m", "strain_share_2_m"]);
    assert_eq!((rows.len(), rows[0][3], rows[0][4]), (3, shares[0], shares[1]));
    assert!(std::fs::read_to_string(dir.path().join("analysis/strain.svg")).unwrap().contains("2 m"));
}

#[test]
fn what_cannot_be_told_is_refused_with_the_way_out() {
    let (dir, bare) = (run(true), run(false));
    for (arguments, code, hint) in [
        (vec!["analyze", path(&bare), "strain"], 7, "output.contacts = true"),
        (vec!["render", path(&bare), "--color", "strain"], 7, "output.contacts = true"),
        (vec!["render", path(&dir), "--color", "cluster"], 7, "clusters` writes it"),
        (vec!["render", path(&dir), "--colour", "track"], 7, "clusters --frame all"),
        (vec!["analyze", path(&dir), "strain", "--top", "0"], 2, "above 0"),
        (vec!["analyze", path(&dir), "clusters", "--minimum", "0"], 2, "--minimum"),
        (vec!["analyze", path(&dir), "clusters", "--top", "3"], 2, "`strain`"),
        (vec!["analyze", path(&dir), "stress", "--minimum", "3"], 2, "`aggregates` or `clusters` or `outcome`"),
    ] {
        breccia(&arguments).code(code).stderr(predicates::str::contains(hint));
    }
    let file = dir.path().join("resolved.json");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replace("\"soft_sphere\"", "\"contact_dynamics\"")).unwrap();
    breccia(&["analyze", path(&dir), "strain"])
        .code(7)
        .stderr(predicates::str::contains("bodies of contact dynamics are rigid"));
}

/// The documentation has every name in the JSON and every column of a table.
#[test]
fn every_quantity_is_documented() {
    let documented = std::fs::read_to_string("docs/user/analysis.md").unwrap();
    let dir = crate::common::run_directory(
        &crate::common::scenario(vec![crate::common::material()]),
        &[chains(8, 1e-4), chains(8, 1e-4)],
        true,
    );
    let told = json(&["analyze", path(&dir), "clusters", "outcome", "strain", "--minimum", "3", "--frame", "all"]);
    let frame = &told["frames"][0];
    let clusters = &frame["clusters"];
    let parts = [
        clusters,
        &clusters["list"][0],
        &clusters["list"][0]["sizes"][0],
        &frame["outcome"],
        &frame["strain"],
        &frame["strain"]["sizes"][0],
    ];
    let mut names: Vec<String> = parts.iter().flat_map(|p| p.as_object().unwrap().keys().cloned()).collect();
    names.extend(
        ["distance_m", "energy_j", "semi_major_axis_m", "eccentricity", "orbit_period_h", "ranks"].map(str::to_owned),
    );
    assert!(names.len() > 50, "{names:?}");
    for name in names {
        assert!(documented.contains(&format!("`{name}`")), "docs/user/analysis.md does not tell of {name}");
    }
}

/// Bodies of one cluster have one colour, free ones are grey; the most strained stand out of the others.
#[test]
fn pictures_show_clusters_and_strain() {
    use breccia::render::colour::{FREE, PLAIN, STRAINED, label, tint};
    use breccia::render::scene::{Frame, Quantity, Scene};
    let dir = run(true);
    text(&["analyze", path(&dir), "clusters", "--minimum", "5", "--frame", "0"]);
    let frame = dir.path().join("frames/000000");
    let scene = |quantity: Quantity| {
        let read = Frame::read(&frame, &quantity, false).unwrap();
        Scene::new(&read, read.field().unwrap(), &quantity, None, &|_| true, 0.0)
    };
    let found = scene(Quantity::Cluster);
    assert_eq!(found.tints, [[tint(label(0)); 8].to_vec(), [tint(FREE); 4].to_vec()].concat());
    let strained = scene(Quantity::Strain);
    let top: Vec<usize> = (0..12).filter(|k| strained.tints[*k] == tint(STRAINED)).collect();
    assert_eq!(top, [10], "1 % of twelve bodies, at least one: 10 and 11 share the largest overlap");
    assert_eq!(strained.tints[3], tint(PLAIN));
    let whole = scene(Quantity::None).spheres;
    assert_eq!(strained.spheres[10], whole[10]);
    assert!(strained.spheres[3].radius < 0.5 * whole[3].radius, "the others are seen through");
}

/// Numbers over time are of a call that sees all frames: another call leaves none, and pictures of them are refused.
#[test]
fn arrays_of_a_call_before_are_forgotten() {
    let dir = run(true);
    text(&["analyze", path(&dir), "clusters", "--minimum", "3", "--frame", "all"]);
    let there = |name: &str| dir.path().join("analysis/000001").join(name).exists();
    assert!(there("cluster.npy") && there("cluster_track.npy"));
    text(&["analyze", path(&dir), "clusters", "--minimum", "100", "--frame", "1"]);
    assert!(there("cluster.npy") && !there("cluster_track.npy"));
    let told = breccia(&["render", path(&dir), "--frame", "1", "--color", "track", "--size", "100"]).code(7);
    assert!(String::from_utf8_lossy(&told.get_output().stderr).contains("cluster_track.npy"));
}
