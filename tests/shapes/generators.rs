//! Generators: no body overlaps another, sizes and positions are as asked, files and frames come back as written.

use breccia::base::error::Result;
use breccia::model::body::Bodies;
use breccia::model::snapshot::Snapshot;
use breccia::scenario::generate::{arranged, generate};
use breccia::scenario::parse::parse;
use glam::DVec3;
use std::path::Path;

const HEAD: &str = r#"format = 1
[run]
duration_s = 10.0
[[material]]
name = "rock"
density_kg_m3 = 3000.0
speed_max_m_s = 0.1
restitution_normal = 0.5
friction_sliding = 0.4
[[bodies]]
"#;

fn make(group: &str) -> Result<Bodies> {
    generate(&parse(&format!("{HEAD}{group}"), "made.toml", &[])?)
}

fn made(group: &str) -> Bodies {
    make(group).unwrap_or_else(|e| panic!("{group}: {e}"))
}

/// Smallest distance of surfaces over all pairs.
fn smallest_gap(b: &Bodies) -> f64 {
    let pair = |i: usize, j: usize| b.position_m[i].distance(b.position_m[j]) - b.radius_m[i] - b.radius_m[j];
    (0..b.len()).flat_map(|i| (i + 1..b.len()).map(move |j| pair(i, j))).fold(f64::INFINITY, f64::min)
}

#[test]
fn lattice_fills_any_count_without_overlap() {
    for count in [1, 2, 7, 8, 9, 64, 125, 130, 512] {
        let b = made(&format!(
            "generator = \"lattice\"\ncount = {count}\ngrid_spacing_m = 10.0\nradius_m = {{ min_m = 3.75, max_m = 5.0 }}"
        ));
        assert_eq!(b.len(), count);
        assert_eq!(b.id, (0..count as u32).collect::<Vec<_>>());
        assert!(smallest_gap(&b) >= 0.0, "{count}: gap {}", smallest_gap(&b));
        assert!(b.radius_m.iter().all(|r| (3.75..=5.0).contains(r)), "{count}: a radius is out of range");
        let side = (1..).find(|s| s * s * s >= count).unwrap() as f64;
        let reach = b.position_m.iter().zip(&b.radius_m).map(|(p, r)| p.abs().max_element() + r).fold(0.0, f64::max);
        assert!(reach <= 5.0 * side * (1.0 + 1e-12), "{count}: reaches {reach}, the cube ends at {}", 5.0 * side);
    }
}

#[test]
fn masses_are_those_of_spheres() {
    let b = made("generator = \"lattice\"\ncount = 27\ngrid_spacing_m = 10.0\nradius_m = { min_m = 1.0, max_m = 5.0 }");
    for (m, r) in b.mass_kg.iter().zip(&b.radius_m) {
        let sphere = 3000.0 * 4.0 / 3.0 * std::f64::consts::PI * r.powi(3);
        assert!((m / sphere - 1.0).abs() < 1e-14);
    }
}

#[test]
fn same_seed_same_bodies_other_seed_others() {
    let group =
        "generator = \"sphere\"\ncount = 60\ncontainer_radius_m = 12.0\nradius_m = { min_m = 0.5, max_m = 1.0 }";
    let with = |seed: u64| {
        let text = format!("{HEAD}{group}").replace("format = 1", &format!("format = 1\nseed = {seed}"));
        generate(&parse(&text, "made.toml", &[]).unwrap()).unwrap()
    };
    let (a, b, c) = (with(5), with(5), with(6));
    assert_eq!((&a.position_m, &a.radius_m), (&b.position_m, &b.radius_m));
    assert_ne!(a.position_m, c.position_m);
}

#[test]
fn sphere_seeding_keeps_apart_and_grows_a_container_that_is_too_small() {
    for (container, count) in [(20.0, 200), (3.0, 200), (0.1, 1)] {
        let b = made(&format!(
            "generator = \"sphere\"\ncount = {count}\ncontainer_radius_m = {container}\nradius_m = {{ min_m = 0.7, max_m = 1.0 }}"
        ));
        assert_eq!(b.len(), count);
        assert!(smallest_gap(&b) >= 0.0, "{container}: gap {}", smallest_gap(&b));
        let reach = b.position_m.iter().zip(&b.radius_m).map(|(p, r)| p.length() + r).fold(0.0, f64::max);
        if container == 20.0 {
            assert!(reach <= container, "{reach} is outside a container with room for all");
        }
        // 200 spheres fill a tenth of a sphere of 12 m: random positions are found well before that.
        assert!(reach < 20.0, "{container}: grew to {reach}");
    }
}

/// Bodies of every class, of a table `radius_m`.
fn numbers(count: usize, radius: &str, of: &[f64]) -> Vec<usize> {
    let b = made(&format!("generator = \"lattice\"\ncount = {count}\ngrid_spacing_m = 100.0\nradius_m = {radius}"));
    assert_eq!(b.len(), count);
    of.iter().map(|r| b.radius_m.iter().filter(|x| **x == *r).count()).collect()
}

#[test]
fn classes_of_equal_mass_have_the_published_numbers_in_mixed_order() {
    let radii = [7.5, 15.0, 22.5];
    // Guidos et al. 2024: 4303, 538 and 159 of 5000 follow from equal mass per class.
    for (count, expected) in [(5000, [4303, 538, 159]), (500, [430, 54, 16]), (3, [3, 0, 0])] {
        let table = "{ classes_m = [7.5, 15.0, 22.5], share = \"mass\" }";
        assert_eq!(numbers(count, table, &radii), expected);
    }
    assert_eq!(numbers(10, "{ classes_m = [7.5, 15.0, 22.5], share = \"number\" }", &radii).iter().sum::<usize>(), 10);
    let b = made(
        "generator = \"sphere\"\ncount = 500\ncontainer_radius_m = 110.0\nradius_m = { classes_m = [7.5, 15.0, 22.5], share = \"mass\" }",
    );
    assert!(smallest_gap(&b) > 0.0);
    let halves = [&b.radius_m[..250], &b.radius_m[250..]].map(|h| h.iter().filter(|r| **r == 15.0).count());
    assert!(halves.iter().all(|n| (15..40).contains(n)), "not mixed: {halves:?}");
}

#[test]
fn a_power_law_has_its_moments() {
    // Share of N bodies below r: (r^p - a^p) / (b^p - a^p), p = 1 - exponent; 3.3 standard deviations of 4000.
    for (exponent, p) in [("1.0", 0.0), ("2.5", -1.5), ("0.0", 1.0), ("3.0", -2.0f64)] {
        let b = made(&format!(
            "generator = \"lattice\"\ncount = 4000\ngrid_spacing_m = 10.0\nradius_m = {{ min_m = 1.0, max_m = 4.0, exponent = {exponent} }}"
        ));
        for r in [1.2f64, 2.0, 3.0] {
            let wanted = if p == 0.0 { r.ln() / 4f64.ln() } else { (r.powf(p) - 1.0) / (4f64.powf(p) - 1.0) };
            let found = b.radius_m.iter().filter(|x| **x < r).count() as f64 / 4000.0;
            assert!((found - wanted).abs() < 0.025, "exponent {exponent}: {found} below {r} m, {wanted} expected");
        }
    }
}

/// Bounds whose squares and ratios no number holds: every radius is one between them.
#[test]
fn sizes_at_the_ends_of_what_a_number_holds_are_radii() {
    for (min, max, exponent) in
        [(1e-200, 1.0, "3"), (1e-300, 1e10, "3"), (1e-100, 1.0, "-9"), (1e-300, 1e10, "0"), (1e-300, 1e10, "1")]
    {
        let b = made(&format!(
            "generator = \"lattice\"\ncount = 50\ngrid_spacing_m = 1e12\nradius_m = {{ min_m = {min:e}, max_m = {max:e}, exponent = {exponent} }}"
        ));
        assert!(b.radius_m.iter().all(|r| (min..=max).contains(r)), "exponent {exponent}: {:?}", b.radius_m);
        // the steep law has nearly all at its lower end, the flat ones at their upper end, and 1 in every decade as many
        let large = b.radius_m.iter().filter(|r| **r > max * 1e-10).count();
        let small = b.radius_m.iter().filter(|r| **r < min * 1e10).count();
        match exponent {
            "3" => assert_eq!(small, 50, "{:?}", b.radius_m),
            "1" => assert!(small < 10 && large < 10, "{:?}", b.radius_m),
            _ => assert_eq!(large, 50, "{:?}", b.radius_m),
        }
    }
    assert_eq!(numbers(10, "{ classes_m = [1, 1e-110], share = \"mass\" }", &[1.0, 1e-110]), [0, 10]);
    assert_eq!(
        numbers(6, "{ classes_m = [1, 2, 3], share = \"number\", parts = [1e100, 1e100, 1e100] }", &[1.0, 2.0, 3.0]),
        [2, 2, 2]
    );
}

/// Kolmogorov and Smirnov's distance to the closed form: below 1.95 / sqrt(N) for all but a thousandth of samples.
#[test]
fn an_exponential_has_its_law() {
    for (max, end) in [(String::new(), 11.0), (", max_m = 2.5".into(), 2.5)] {
        let (count, min, mean) = (4000, 1.0, 2.0);
        let b = made(&format!(
            "generator = \"lattice\"\ncount = {count}\ngrid_spacing_m = 22.0\nradius_m = {{ min_m = {min}, mean_m = {mean}{max} }}"
        ));
        let below = |r: f64| 1.0 - (-(r - min) / (mean - min)).exp();
        let mut radii = b.radius_m.clone();
        radii.sort_by(f64::total_cmp);
        assert!(radii[0] >= min && radii[count - 1] <= end, "{} to {}", radii[0], radii[count - 1]);
        let away = |(k, r): (usize, &f64)| {
            let wanted = below(*r) / below(end);
            [k, k + 1].map(|n| (n as f64 / count as f64 - wanted).abs()).into_iter().fold(0.0, f64::max)
        };
        let distance = radii.iter().enumerate().map(away).fold(0.0, f64::max);
        println!("up to {end}: distance {distance:.4}");
        assert!(distance < 1.95 / (count as f64).sqrt(), "up to {end}: {distance}");
    }
}

#[test]
fn groups_are_moved_and_turned_rigidly() {
    let b = made(
        "generator = \"list\"\nbody = [{ position_m = [-1, 0, 0], radius_m = 0.5 }, { position_m = [3, 0, 0], radius_m = 0.5, spin_rad_s = [1, 0, 0] }]\noffset_m = [0, \"1 km\", 0]\nvelocity_m_s = [0, 0, \"10 cm/s\"]\nrotation_rad_s = [0, 0, 2]",
    );
    assert_eq!(b.position_m, [DVec3::new(-1.0, 1000.0, 0.0), DVec3::new(3.0, 1000.0, 0.0)]);
    // The centre of mass is at x = 1: arms of 2 m at 2 rad/s.
    for (v, wanted) in b.velocity_m_s.iter().zip([DVec3::new(0.0, -4.0, 0.1), DVec3::new(0.0, 4.0, 0.1)]) {
        assert!(v.distance(wanted) < 1e-12, "{v}");
    }
    assert_eq!(b.spin_rad_s, [DVec3::new(0.0, 0.0, 2.0), DVec3::new(1.0, 0.0, 2.0)]);
}

fn from(path: &Path) -> Result<Bodies> {
    make(&format!("generator = \"file\"\npath = '{}'", path.display()))
}

#[test]
fn tables_of_four_seven_and_ten_columns_are_read() {
    let dir = tempfile::tempdir().unwrap();
    let csv = dir.path().join("grains.csv");
    std::fs::write(&csv, "# made by hand\nx,y,z,radius,vx,vy,vz\n1,2,3,0.5,0,0,1\n\n4,5,6,0.25,1e-3,0,0\n").unwrap();
    let b = from(&csv).unwrap();
    assert_eq!(b.position_m, [DVec3::new(1.0, 2.0, 3.0), DVec3::new(4.0, 5.0, 6.0)]);
    assert_eq!(b.radius_m, [0.5, 0.25]);
    assert_eq!(b.velocity_m_s[1], DVec3::new(1e-3, 0.0, 0.0));

    for columns in [4u64, 7, 10] {
        use npyz::WriterBuilder;
        let npy = dir.path().join(format!("grains{columns}.npy"));
        let mut bytes = vec![];
        let options = npyz::WriteOptions::new().default_dtype().shape(&[2, columns]);
        let mut writer = options.writer(&mut bytes).begin_nd().unwrap();
        writer.extend((0..2 * columns).map(|k| k as f64 + 1.0)).unwrap();
        writer.finish().unwrap();
        std::fs::write(&npy, bytes).unwrap();
        let b = from(&npy).unwrap();
        assert_eq!(b.position_m[0], DVec3::new(1.0, 2.0, 3.0));
        assert_eq!(b.radius_m[1], columns as f64 + 4.0);
        assert_eq!(b.velocity_m_s[0] == DVec3::new(5.0, 6.0, 7.0), columns >= 7);
        assert_eq!(b.spin_rad_s[0] == DVec3::new(8.0, 9.0, 10.0), columns == 10);
    }
}

#[test]
fn a_bad_table_names_its_line() {
    let dir = tempfile::tempdir().unwrap();
    let csv = dir.path().join("grains.csv");
    for (text, line) in [
        ("x,y,z,r\n1,2,3,0.5\n1,2,3\n", "grains.csv:3: "),
        ("# by hand\n1,2,3,0.5\n1,two,3,1\n", "grains.csv:3: "),
        ("1,2,3,-0.5\n", "grains.csv:1: "),
        ("1,2,3,0.5\n1,2,inf,0.5\n", "grains.csv:2: z is inf m, outside [-1e15, 1e15]"),
        ("1,2,nan,0.5\n", "grains.csv:1: z is NaN m, outside"),
        // each of these rows would be a body by itself
        ("x,y,z,radius,vx,vy,vz\n0,0,0,1\n", "grains.csv:2: the row has 4 cells, and the line of names has 7"),
        ("x,y,z,radius\n0,0,0,1,0.1,0,0\n", "grains.csv:2: the row has 7 cells, and the line of names has 4"),
        ("x,y,z,radius,material\n0,0,0,1\n", "grains.csv:2: the row has 4 cells, and the line of names has 5"),
        ("0,0,0,1\n\n3,0,0,1,0,0,1\n", "grains.csv:3: the row has 7 cells, and the first row has 4"),
        ("# x_km,y_km,z_km,radius_km\n0,0,0,1,0,0,0\n", "grains.csv:2: the row has 7 cells, and the line of names"),
        ("x,y,z,radius,vx\n0,0,0,1,0\n", "grains.csv:1: names 5 columns of numbers"),
        ("0,0,0,1,0\n", "grains.csv:1: the row has 5 numbers"),
    ] {
        std::fs::write(&csv, text).unwrap();
        let error = from(&csv).expect_err(text);
        assert_eq!(error.exit_code(), 7, "{text}");
        let message = error.to_string();
        assert!(message.contains(line) && message.contains("grains.csv"), "{text:?}: {message}");
    }
    assert_eq!(from(&dir.path().join("absent.csv")).expect_err("absent").exit_code(), 7);
}

/// numpy.savetxt writes the names of columns behind a `#`. Prose is passed over, and so is all below the first row.
#[test]
fn names_behind_a_hash_give_the_units() {
    let dir = tempfile::tempdir().unwrap();
    let csv = dir.path().join("grains.csv");
    let read = |text: &str| {
        std::fs::write(&csv, text).unwrap();
        from(&csv)
    };
    const NAMES: &str = "# x_km,y_km,z_km,radius_km\n";
    for (text, unit) in [
        (format!("{NAMES}1,2,3,4\n"), 1000.0),
        (format!("\u{feff}{NAMES}1,2,3,4\n"), 1000.0),
        ("# x [km], y [km], z [km], r (km)\n1,2,3,4\n".into(), 1000.0),
        (format!("# made by hand, 2024\n\n{NAMES}# the end of the head\n1,2,3,4\n"), 1000.0),
        ("# x_km,y_km,z_km,radius_km,material\n1,2,3,4,rock\n".into(), 1000.0),
        // with blanks
        ("# x_km y_km  z_km radius_km\n1,2,3,4\n".into(), 1000.0),
        ("# x y z and radius\n1,2,3,4\n".into(), 1.0),
        // a line of its own comes first
        (format!("{NAMES}x_cm,y_cm,z_cm,radius_cm\n1,2,3,4\n"), 0.01),
        // prose
        ("# x, y, z and radius of grains\n1,2,3,4\n".into(), 1.0),
        ("# Bennu, grains\n1,2,3,4\n".into(), 1.0),
        ("# positions about the CM, in m\n1,2,3,4\n".into(), 1.0),
        ("# Kugeln um Bennu\n1,2,3,4\n".into(), 1.0),
        ("# billes au repos\n1,2,3,4\n".into(), 1.0),
        ("# in m, rounded to 1 mm\n1,2,3,4\n".into(), 1.0),
        ("# lengths in km once\nx_km,y_km,z_km,radius_km\n1,2,3,4\n".into(), 1000.0),
        ("# made by hand, for the pile, of 2024, by me\n1,2,3,4\n".into(), 1.0),
    ] {
        let b = read(&text).unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!((b.position_m[0].z, b.radius_m[0]), (3.0 * unit, 4.0 * unit), "{text}");
    }
    let b = read(&format!("1,2,3,4\n{NAMES}50,2,3,4\n")).unwrap();
    assert_eq!(b.position_m[1].x, 50.0);
    let told = read("# by hand\n# x_km,y_km,z_km,diameter_km\n1,2,3,4\n").unwrap_err().to_string();
    assert!(told.contains("grains.csv:2: column 4 is called `diameter_km` instead of `radius`"), "{told}");
    // what would change the numbers is not passed over
    for comment in [
        "# X_km,Y_km,Z_km,R_km",
        "# pos_x_km,pos_y_km,pos_z_km,radius_km",
        "# columns: x_km,y_km,z_km,r_km",
        "#  x (km)  y (km)  z (km)  radius (km)",
        "# x/km,y/km,z/km,r/km",
        "# x_AU,y_AU,z_AU,r_km",
        "# x_km,y_km,z_km,radius of the sphere_km",
        "# x, y, z and radius in km",
        "# x_km, y_km, z_km are of another table",
        "# all lengths are in kilometers",
        "# all lengths in km\nx,y,z,radius",
        "# all lengths in feet",
        "# one millimetre each",
        "# x [um], y [um], z [um], rad [um]",
        "# X,Y,Z,R",
        "# X Y Z Radius",
    ] {
        let told = read(&format!("# by hand\n{comment}\n1,2,3,4\n")).unwrap_err();
        let (code, told) = (told.exit_code(), told.to_string());
        assert!(
            code == 7 && told.contains("grains.csv:2: the comment") && told.contains("reword"),
            "{comment}: {told}"
        );
    }
}

/// Contents that are wrong end with the code of files, and name no line where there is none.
#[test]
fn wrong_contents_of_a_table_have_the_code_of_files() {
    let dir = tempfile::tempdir().unwrap();
    let told = |name: &str| {
        let error = from(&dir.path().join(name)).expect_err(name);
        assert_eq!(error.exit_code(), 7, "{name}: {error}");
        error.to_string()
    };
    for text in ["", "# nothing yet\n", "x,y,z,radius\n", "# x_m,y_m,z_m,radius_m\n"] {
        std::fs::write(dir.path().join("a.csv"), text).unwrap();
        let told = told("a.csv");
        assert!(told.contains("a.csv: holds no bodies; write a row for each body"), "{text:?}: {told}");
    }
    let cases: [(&[u64], Vec<f64>, &str); 4] = [
        (&[2, 3], vec![1.0; 6], "a.npy: is an array of the shape [2, 3], with 3 columns"),
        (&[4], vec![1.0; 4], "a.npy: is an array of the shape [4], and not of rows and columns"),
        (&[0, 4], vec![], "a.npy: holds no bodies"),
        (&[2, 4], vec![0.0, 0.0, 0.0, 1.0, 3.0, 0.0, 0.0, -1.0], "a.npy: row 2: radius is -1 m, and not above 0"),
    ];
    for (shape, data, words) in cases {
        breccia::model::stored::arrays::save(dir.path(), "a", shape, data).unwrap();
        let told = told("a.npy");
        assert!(told.contains(words), "{shape:?}: {told}");
    }
    std::fs::write(dir.path().join("a.csv"), "x,y,z,radius,material\n0,0,0,1,rook\n").unwrap();
    let told = told("a.csv");
    assert!(told.contains("a.csv:2: the scenario has no material `rook`"), "{told}");
    std::fs::write(dir.path().join("a.csv"), "0,0,0,1\n").unwrap();
    let ice = "[[material]]\nname = \"ice\"\ndensity_kg_m3 = 900.0\nspeed_max_m_s = 0.1\nrestitution_normal = 0.5\nfriction_sliding = 0.4\n";
    let text = HEAD.replace("[[bodies]]", &format!("{ice}[[bodies]]"));
    let group = format!("generator = \"file\"\npath = '{}'", dir.path().join("a.csv").display());
    let error = generate(&parse(&format!("{text}{group}"), "made.toml", &[]).unwrap()).unwrap_err();
    assert!(error.exit_code() == 7 && error.to_string().contains("a.csv:1: the table has no column"), "{error}");
}

/// A scenario and its table may be moved together: the path is relative to the scenario, not to the current folder.
#[test]
fn a_path_counts_from_the_scenario() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("grains.csv"), "1,2,3,0.5\n").unwrap();
    let scenario = dir.path().join("study.toml");
    std::fs::write(&scenario, format!("{HEAD}generator = \"file\"\npath = \"grains.csv\"\n")).unwrap();
    let s = breccia::scenario::load(scenario.to_str().unwrap(), &[]).unwrap();
    assert_eq!(generate(&s).unwrap().radius_m, [0.5]);
}

#[test]
fn the_last_frame_of_a_run_comes_back() {
    let dir = tempfile::tempdir().unwrap();
    let mut bodies = made("generator = \"lattice\"\ncount = 20\ngrid_spacing_m = 3.0\nradius_m = 1.0");
    for (frame, speed) in [(0, 0.0), (12, 0.25)] {
        bodies.velocity_m_s.fill(DVec3::new(speed, 0.0, -speed));
        bodies.spin_rad_s.fill(DVec3::new(0.0, 0.5, 0.0));
        let snapshot = Snapshot { bodies: bodies.clone(), ..Default::default() };
        crate::common::write_frame(dir.path(), frame, &snapshot, false).unwrap();
    }
    let b = made(&format!("generator = \"frame\"\npath = '{}'", dir.path().display()));
    assert_eq!((&b.position_m, &b.radius_m), (&bodies.position_m, &bodies.radius_m));
    assert_eq!((&b.velocity_m_s, &b.spin_rad_s), (&bodies.velocity_m_s, &bodies.spin_rad_s));
}

#[test]
fn the_heaviest_aggregate_of_a_frame_comes_alone() {
    let dir = tempfile::tempdir().unwrap();
    // a light pair, three heavy ones in a row, 0.5 % of a radius apart, and one that got away
    let bodies = made(
        "generator = \"list\"\nbody = [{ position_m = [90, 0, 0], radius_m = 0.5 }, { position_m = [91, 0, 0], radius_m = 0.5 }, { position_m = [0, 0, 0], radius_m = 1 }, { position_m = [2.004, 0, 0], radius_m = 1 }, { position_m = [4.008, 0, 0], radius_m = 1 }, { position_m = [6.1, 0, 0], radius_m = 1 }]",
    );
    let snapshot = Snapshot { bodies, ..Default::default() };
    crate::common::write_frame(dir.path(), 0, &snapshot, false).unwrap();
    let of = |keys: &str| made(&format!("generator = \"frame\"\npath = '{}'\n{keys}", dir.path().display()));
    let x = |b: &Bodies| b.position_m.iter().map(|p| p.x).collect::<Vec<_>>();
    assert_eq!(of("largest_aggregate = false").len(), 6);
    assert_eq!(x(&of("largest_aggregate = true")), [0.0, 2.004, 4.008]);
}

#[test]
fn bodies_of_a_frame_keep_their_materials_by_name() {
    let dir = tempfile::tempdir().unwrap();
    let mut bodies = made("generator = \"lattice\"\ncount = 3\ngrid_spacing_m = 3.0\nradius_m = 1.0");
    bodies.material = vec![0, 1, 0];
    let snapshot = Snapshot { bodies, ..Default::default() };
    crate::common::write_frame(dir.path(), 0, &snapshot, false).unwrap();
    let materials = ["ice", "rock"].map(|name| serde_json::json!({ "name": name, "friction_sliding": 0.5 }));
    let resolved = serde_json::json!({ "materials": materials, "walls": [] });
    std::fs::write(dir.path().join("resolved.json"), resolved.to_string()).unwrap();
    let group = format!("generator = \"frame\"\npath = '{}'", dir.path().display());
    let ice = "[[material]]\nname = \"ice\"\ndensity_kg_m3 = 900.0\nspeed_max_m_s = 0.1\nrestitution_normal = 0.5\nfriction_sliding = 0.4\n";
    let with_ice = |more: &str| {
        let text = HEAD.replace("[[bodies]]", &format!("{ice}[[bodies]]"));
        generate(&parse(&format!("{text}{group}{more}"), "made.toml", &[]).unwrap()).unwrap()
    };
    let b = with_ice("");
    assert_eq!(b.material, [1, 0, 1]);
    assert!(b.mass_kg[0] < 0.5 * b.mass_kg[1], "{:?}", b.mass_kg);
    assert_eq!(with_ice("\nmaterial = \"ice\"").material, [1, 1, 1]);
    let lacking = make(&group).unwrap_err().to_string();
    assert!(
        lacking.contains("bodies of the material `ice`") && lacking.contains("give the group a material"),
        "{lacking}"
    );
}

#[test]
fn tables_are_read_as_meant_or_refused() {
    let dir = tempfile::tempdir().unwrap();
    let read = |name: &str, bytes: &[u8]| {
        let path = dir.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        make(&format!("generator = \"file\"\npath = '{}'", path.display()))
    };
    let rows = "0,0,0,1\n3,0,0,1\n";
    for text in [rows.into(), format!("\u{feff}{rows}"), format!("x,y,z,radius\n{rows}"), format!("# a pile\n\n{rows}")]
    {
        assert_eq!(read("pile.csv", text.as_bytes()).unwrap().len(), 2, "{text:?}");
    }
    for (text, row) in
        [("0,0,0,o.1\n3,0,0,1\n", 1), ("radius,x,y,z\n1,0,0,1\n", 1), ("0;0;0;1\n", 1), ("0,0,0,1\n3 0 0 1\n", 2)]
    {
        let error = read("pile.csv", text.as_bytes()).unwrap_err().to_string();
        assert!(error.contains(&format!("pile.csv:{row}: ")), "{text:?}: {error}");
    }
    // Two bodies at x = 0 and x = 3, column after column.
    let npy = |shape: &str, data: &[f64]| {
        let header = format!("{{'descr': '<f8', 'fortran_order': True, 'shape': {shape}, }}");
        let header = format!("{header:<117}\n");
        let bytes: Vec<u8> = data.iter().flat_map(|v| v.to_le_bytes()).collect();
        [b"\x93NUMPY\x01\x00v\x00".as_slice(), header.as_bytes(), &bytes].concat()
    };
    let data = [0.0, 3.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.5];
    let b = read("pile.npy", &npy("(2, 4)", &data)).unwrap();
    assert_eq!((b.position_m[1].x, b.radius_m[0], b.radius_m[1]), (3.0, 1.0, 0.5));
    assert!(read("pile.npy", &npy("(4611686018427387906, 4)", &data)).is_err());
}

/// A plane that is to touch starts at the lowest point of the bodies along its normal, spheres or polyhedra.
#[test]
fn planes_start_where_they_touch_the_bodies() {
    let walls = "[[wall]]\nname = \"floor\"\nkind = \"plane\"\ntouching = true\nnormal = [0, 0, 2]\n\
                 [[wall]]\nname = \"lid\"\nkind = \"plate\"\ntouching = true\nnormal = [0, -1, -1]\n\
                 velocity_m_s = [0, 0, -1e-3]\n";
    for shape in ["", "shape = { kind = \"grain\" }\n"] {
        let method = if shape.is_empty() { "soft_sphere" } else { "contact_dynamics" };
        let time = if shape.is_empty() { "" } else { "time_step_s = 0.1\n" };
        let text = format!(
            "format = 1\nseed = 3\n[run]\nmethod = \"{method}\"\nduration_s = 1\n{time}[[material]]\nname = \"rock\"\n\
             density_kg_m3 = 2000\nrestitution_normal = 0.5\nfriction_sliding = 0.5\n{}[[bodies]]\n\
             generator = \"lattice\"\ncount = 20\ngrid_spacing_m = 3\nradius_m = {{ min_m = 0.5, max_m = 1 }}\n{shape}{walls}",
            if shape.is_empty() { "stiffness_normal_n_m = 1e5\n" } else { "" }
        );
        let mut s = parse(&text, "planes.toml", &[]).expect("parses");
        let (b, _) = arranged(&mut s).expect("makes the bodies");
        for wall in &s.walls {
            let gap = |k: usize| b.lowest_m(k, wall.normal.normalize()) - wall.point_m.dot(wall.normal.normalize());
            let gaps: Vec<f64> = (0..b.len()).map(gap).collect();
            let least = gaps.iter().copied().fold(f64::INFINITY, f64::min);
            assert!(least.abs() < 1e-12 && gaps.iter().any(|g| *g > 1.0), "{}, {shape}: {gaps:?}", wall.name);
        }
    }
}
