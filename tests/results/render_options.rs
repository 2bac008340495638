//! `breccia render`: camera, scale, cut, legend, title, and kinds of pictures.

use breccia::model::snapshot::Snapshot;
use breccia::record::files::series::Series;
use glam::DVec3;
use image::{Rgba, RgbaImage};
use std::path::Path;

/// Two frames of three equal spheres in a row along y: one near, one in the middle that moves along x, one far.
fn row() -> tempfile::TempDir {
    let shot = |frame: u64| {
        let x = 4.0 * frame as f64;
        let at = [DVec3::new(-4.0, -6.0, 0.0), DVec3::new(x, 0.0, 0.0), DVec3::new(4.0, 6.0, 0.0)];
        let mut bodies = crate::common::bodies(&at.map(|p| (p, 1.0)), 2000.0);
        bodies.velocity_m_s = vec![DVec3::X * 1e-6, DVec3::X * 1e-3, DVec3::X];
        bodies.material = vec![0, 1, 1];
        Snapshot { step: frame, time_s: 10.0 * frame as f64, bodies, ..Snapshot::default() }
    };
    let mut soft = crate::common::material();
    "regolith & dust".clone_into(&mut soft.name);
    let scenario = crate::common::scenario(vec![crate::common::material(), soft]);
    let dir = crate::common::run_directory(&scenario, &[shot(0), shot(1)], false);
    Series::create(&dir.path().join("series.csv"), &["time_s".to_owned()]).unwrap();
    dir
}

fn render(dir: &Path, options: &[&str]) -> assert_cmd::assert::Assert {
    let run = dir.to_str().unwrap();
    let usual = ["render", run, "--size", "300", "--view", "0,-1,0"];
    crate::common::command::breccia(&[&usual, options].concat())
}

fn picture(dir: &Path, options: &[&str]) -> RgbaImage {
    render(dir, &[&["--frame", "0", "--color", "none"], options].concat()).success();
    image::open(dir.join("pictures/000000.png")).unwrap().to_rgba8()
}

/// Pixels between two columns, in the middle rows, that are not white.
fn covered(picture: &RgbaImage, columns: std::ops::Range<u32>) -> f64 {
    let pixels = columns.flat_map(|x| (60..240).map(move |y| (x, y)));
    pixels.filter(|(x, y)| picture.get_pixel(*x, *y) != &Rgba([255; 4])).count() as f64
}

#[test]
fn parallel_rays_show_equal_sizes_at_all_depths() {
    let dir = row();
    let near_to_far = |options: &[&str]| {
        let drawn = picture(dir.path(), options);
        covered(&drawn, 0..120) / covered(&drawn, 180..300)
    };
    // the eye is 4.9 radii of the field from its middle, and the spheres 0.73 before and behind it
    let expected = ((4.9f64 + 0.73) / (4.9 - 0.73)).powi(2);
    let perspective = near_to_far(&[]);
    assert!((perspective / expected - 1.0).abs() < 0.1, "{perspective}, {expected} expected");
    // edges of discs of 36 pixels
    let parallel = near_to_far(&["--orthographic"]);
    assert!((parallel - 1.0).abs() < 0.03, "{parallel}");
}

#[test]
fn zoom_centre_and_follow_choose_what_is_shown() {
    let dir = row();
    let middle = |options: &[&str]| covered(&picture(dir.path(), options), 100..200);
    let (once, twice) = (middle(&["--orthographic"]), middle(&["--orthographic", "--zoom", "2"]));
    // edges of a disc of 36 pixels
    assert!((twice / once / 4.0 - 1.0).abs() < 0.05, "{twice} pixels for {once}");
    assert_eq!(middle(&["--centre", "0,0,90"]), 0.0, "nothing is there");
    for (follow, frame) in [("1", "1"), ("heaviest", "0")] {
        render(dir.path(), &["--frame", frame, "--follow", follow, "--orthographic", "--color", "none"]).success();
        let drawn = image::open(dir.path().join(format!("pictures/00000{frame}.png"))).unwrap().to_rgba8();
        assert_ne!(drawn.get_pixel(150, 150), &Rgba([255; 4]), "{follow}: not in the middle");
    }
}

#[test]
fn a_cut_leaves_out_what_is_before_it() {
    let dir = row();
    let shown = |options: &[&str]| {
        let drawn = picture(dir.path(), &[&["--orthographic"], options].concat());
        [0..120, 120..180, 180..300].map(|columns| covered(&drawn, columns) > 0.0)
    };
    assert_eq!(shown(&[]), [true; 3]);
    assert_eq!(shown(&["--clip", "0,-1,0:1"]), [false, true, true]);
    assert_eq!(shown(&["--clip", "0,-1,0:-1 m"]), [false, false, true]);
}

#[test]
fn transparent_pictures_have_no_ground_and_titles_have_room() {
    let dir = row();
    let drawn = picture(dir.path(), &["--background", "transparent"]);
    assert_eq!((drawn.get_pixel(299, 0)[3], drawn.get_pixel(150, 150)[3]), (0, 255));
    let titled = picture(dir.path(), &["--title", "three spheres"]);
    assert!(titled.height() > 310 && drawn.height() == 300);
}

#[test]
fn vectors_hold_words_scales_and_legends() {
    let dir = row();
    let svg = |options: &[&str]| {
        render(dir.path(), &[&["--format", "svg"], options].concat()).success();
        std::fs::read_to_string(dir.path().join("pictures/000001.svg")).unwrap()
    };
    let speeds = svg(&["--log", "--range", "1e-6:1", "--title", "a < b"]);
    for piece in ["speed [m/s]", "t = 10.0 s", "a &lt; b", "data:image/png;base64,", ">0.00100<", ">1.00<"] {
        assert!(speeds.contains(piece), "lacks {piece}");
    }
    let materials = svg(&["--color", "material"]);
    assert!(materials.contains("regolith &amp; dust") && materials.matches("<circle").count() == 2);
    let column = svg(&["--color", "velocity.x", "--range", "0:0.5", "--colormap", "batlow"]);
    assert!(column.contains("velocity x [mm/s]") && column.contains("&gt; 500"), "{}", &column[column.len() - 900..]);
    let share = svg(&["--color", "aggregate_mass"]);
    assert!(share.contains("aggregate / total mass"));
    // a page: its picture, and its words with the sign of micro in the encoding of Windows
    render(dir.path(), &["--format", "pdf", "--range", "0:1e-4"]).success();
    let page = std::fs::read(dir.path().join("pictures/000001.pdf")).unwrap();
    let holds = |piece: &[u8]| page.windows(piece.len()).any(|w| w == piece);
    assert!(page.starts_with(b"%PDF-") && holds(b"/Helvetica") && holds(b"/Width"));
    let hexadecimal: String = b"speed [\xb5m/s]".iter().map(|byte| format!("{byte:02X}")).collect();
    assert!(holds(hexadecimal.as_bytes()), "no title of the scale");
}

#[test]
fn wrong_options_say_what_is_right() {
    let dir = row();
    for (options, hint) in [
        (&["--range", "1:0"][..], "the smaller one first"),
        (&["--range", "0"], "two numbers"),
        (&["--log", "--range", "0:1"], "starts above zero"),
        (&["--log", "--color", "velocity.y"], "above zero"),
        (&["--range", "0:1", "--color", "id"], "has a scale"),
        (&["--colormap", "jet"], "cividis"),
        (&["--color", "velocity.w"], "velocity.z"),
        (&["--clip", "0,0,0"], "three numbers"),
        (&["--zoom", "0"], "above 0"),
        (&["--follow", "17"], "no body with this id"),
        (&["--follow", "largest"], "heaviest"),
        (&["--centre", "1,2"], "three numbers"),
        (&["--format", "eps"], "svg"),
        (&["--format", "pdf", "--title", "\u{8db3}"], "svg"),
        (&["--graticule", "30"], "no asteroid"),
        (&["--graticule", "7"], "30, 45"),
        (&["--plot-size", "900"], "900x520"),
        (&["--plot-size", "100x100"], "400x200"),
    ] {
        render(dir.path(), options).code(2).stderr(predicates::str::contains(hint));
    }
}
