//! Software Vulkan computes with as many threads as suit the run, and results do not depend on their number.

use crate::common::command::files;
use breccia::gpu::threads::{Share, VARIABLE, taken};
use breccia::record::files::manifest::Manifest;
use std::path::Path;

/// Runs a scenario with the variable set or not, and gives the threads that the manifest tells.
fn run(name: &str, steps: &str, threads: Option<&str>, out: &Path) -> Option<usize> {
    let mut command = assert_cmd::Command::cargo_bin("breccia").expect("binary");
    command.env_remove(VARIABLE).envs(threads.map(|n| (VARIABLE, n)));
    command.args(["run", name, "--stop-at-step", steps, "--out"]).arg(out).assert().code(75);
    Manifest::read(out).expect("manifest").threads
}

#[test]
fn the_number_of_threads_changes_no_bit() {
    for (name, steps) in [("accretion_small", "200"), ("accretion_cd_spheres", "40"), ("accretion_cd_polyhedra", "40")]
    {
        let folder = tempfile::tempdir().expect("folder");
        let [one, three] = [("0", "one"), ("3", "three")].map(|(threads, out)| {
            let out = folder.path().join(out);
            run(name, steps, Some(threads), &out);
            files(&out)
        });
        assert_eq!(one.keys().collect::<Vec<_>>(), three.keys().collect::<Vec<_>>());
        for (path, bytes) in one.iter().filter(|(path, _)| !path.ends_with("manifest.json")) {
            assert!(*bytes == three[path], "{name}: {} differs", path.display());
        }
    }
}

#[test]
fn a_run_takes_the_threads_that_suit_it_unless_the_user_says() {
    let folder = tempfile::tempdir().expect("folder");
    let lavapipe = taken(&crate::common::gpu().info).is_some();
    let told = |name: &str, threads| run(name, "1", threads, &folder.path().join(format!("{name}{threads:?}")));
    let suits = Share::SoftSpheres.suits(1610).max(1);
    assert_eq!(told("bounce", None), lavapipe.then_some(1));
    assert_eq!(told("bounce", Some("3")), lavapipe.then_some(3));
    assert_eq!(told("spun_top", None), lavapipe.then_some(suits));
}
