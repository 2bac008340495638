//! Pictures on the device: something is drawn where the bodies are, nothing elsewhere, the same bytes twice.

use assert_cmd::Command;
use std::path::Path;

fn breccia(args: &[&str]) -> assert_cmd::assert::Assert {
    let mut command = Command::cargo_bin("breccia").expect("binary");
    command.env("LP_NUM_THREADS", "0").env("NODEVICE_SELECT", "1").args(args).assert()
}

fn draw(dir: &Path) -> (image::RgbImage, Vec<u8>) {
    breccia(&["render", dir.to_str().expect("utf8"), "--frame", "0"]).code(0);
    let path = dir.join("pictures/000000.png");
    (image::open(&path).expect("png").to_rgb8(), std::fs::read(&path).expect("bytes"))
}

#[test]
fn a_picture_shows_the_bodies_and_is_the_same_twice() {
    let dir = tempfile::tempdir().expect("tempdir");
    let out = dir.path().join("run");
    // Two spheres that almost touch: the picture's centre lies between them, each covers a good part.
    breccia(&["run", "bounce", "--out", out.to_str().expect("utf8")]).code(0);
    let (picture, bytes) = draw(&out);
    let background = *picture.get_pixel(2, 2);
    let covered = picture.pixels().filter(|p| **p != background).count();
    let share = covered as f64 / f64::from(picture.width() * picture.height());
    assert!((0.1..0.9).contains(&share), "{share} of the picture is covered");
    assert_eq!(draw(&out).1, bytes, "two renders differ");
    assert!(out.join("plots").read_dir().expect("plots").count() >= 3);
    breccia(&["render", out.to_str().expect("utf8"), "--frame", "99"]).code(2);
    breccia(&["render", dir.path().to_str().expect("utf8")]).code(7);
}
