//! Every pass against its truth on the CPU: the checks of `breccia verify`, a family a test.

use crate::common::gpu;
use breccia::gpu::pipeline::link::Sources;
use breccia::verify::families::{FAMILIES, checks};

/// Runs a family and prints what it measured.
fn family(name: &str) {
    let gpu = gpu();
    let family = FAMILIES.iter().find(|f| f.name == name).expect("no such family");
    let mut failed = vec![];
    for check in family.checks {
        let begun = std::time::Instant::now();
        let m = check.run(&gpu, &Sources::default()).expect("device");
        let seconds = begun.elapsed().as_secs_f64();
        let line = format!("{}: {}", check.passes.join(" "), check.what);
        let found = format!("{} wrong, {:.1e} of {:.1e} {}", m.wrong, m.error, check.bound, check.unit);
        println!("{line}: {found} ({} cases, {seconds:.1} s) {}", m.cases, m.worst);
        if !m.passed {
            failed.push(format!("{line}: {found}\n    {}", m.worst));
        }
    }
    assert!(failed.is_empty(), "\n{}", failed.join("\n"));
}

#[test]
fn blocks() {
    family("blocks");
}

#[test]
fn functions() {
    family("functions");
}

#[test]
fn neighbours() {
    family("neighbours");
}

#[test]
fn entries() {
    family("entries");
}

#[test]
fn crowds() {
    family("crowds");
}

#[test]
fn room() {
    family("room");
}

#[test]
fn wide() {
    family("wide");
}

#[test]
fn surface() {
    family("surface");
}

#[test]
fn gravity() {
    family("gravity");
}

#[test]
fn tree() {
    family("tree");
}

#[test]
fn walk() {
    family("walk");
}

#[test]
fn balance() {
    family("balance");
}

#[test]
fn faces() {
    family("faces");
}

#[test]
fn pictures() {
    family("pictures");
}

#[test]
fn shade() {
    family("shade");
}

#[test]
fn facets_match_the_truth() {
    family("facets");
}

#[test]
fn step() {
    family("step");
}

#[test]
fn step_frame() {
    family("step_frame");
}

#[test]
fn contacts() {
    family("contacts");
}

#[test]
fn wall_blocks() {
    family("wall_blocks");
}

#[test]
fn walls() {
    family("walls");
}

#[test]
fn dynamics_gates() {
    family("dynamics_gates");
}

#[test]
fn dynamics_detect() {
    family("dynamics_detect");
}

#[test]
fn dynamics_shapes() {
    family("dynamics_shapes");
}

#[test]
fn dynamics_manifolds() {
    family("dynamics_manifolds");
}

#[test]
fn dynamics_walls() {
    family("dynamics_walls");
}

#[test]
fn dynamics_frames() {
    family("dynamics_frames");
}

#[test]
fn dynamics_points() {
    family("dynamics_points");
}

#[test]
fn dynamics_clumps() {
    family("dynamics_clumps");
}

#[test]
fn dynamics_lists() {
    family("dynamics_lists");
}

#[test]
fn dynamics_split() {
    family("dynamics_split");
}

#[test]
fn dynamics_solve() {
    family("dynamics_solve");
}

#[test]
fn dynamics_colours() {
    family("dynamics_colours");
}

#[test]
fn dynamics_sweeps() {
    family("dynamics_sweeps");
}

#[test]
fn dynamics_step() {
    family("dynamics_step");
}

#[test]
fn dynamics_plates() {
    family("dynamics_plates");
}

#[test]
fn dynamics_spin() {
    family("dynamics_spin");
}

#[test]
fn dynamics_axes() {
    family("dynamics_axes");
}

#[test]
fn every_family_has_a_test() {
    let text = include_str!("passes.rs");
    let without: Vec<_> = FAMILIES.iter().filter(|f| !text.contains(&format!("family(\"{}\")", f.name))).collect();
    assert!(without.is_empty(), "{:?}", without.iter().map(|f| f.name).collect::<Vec<_>>());
}

#[test]
fn every_pass_has_a_check() {
    let checked: Vec<_> = checks().flat_map(|c| c.passes).collect();
    let without: Vec<_> = Sources::default().passes().into_iter().filter(|p| !checked.contains(&&p.as_str())).collect();
    assert!(without.is_empty(), "no check in src/verify/ names {without:?}");
}

#[test]
fn every_check_names_passes_that_exist() {
    let passes = Sources::default().passes();
    for pass in checks().flat_map(|c| c.passes) {
        assert!(passes.iter().any(|p| p == pass), "a check names `{pass}`, which is no file in wgsl/");
    }
}
