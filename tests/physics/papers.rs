//! The small variants of the campaigns that follow figures of papers: the trends that the papers state. Nightly.

use crate::common::command::breccia_in;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// Sweeps a built-in campaign in a folder, where it finds what campaigns before it have left.
fn sweep(folder: &Path, campaign: &str) {
    breccia_in(folder, &["sweep", campaign, "--jobs", "2"]).success();
}

/// The series of all panels of a plot by name: its points as x, mean, and its fit.
struct Series {
    points: Vec<[f64; 2]>,
    slope: Option<f64>,
}

fn plot(folder: &Path, campaign: &str, name: &str) -> BTreeMap<String, Series> {
    let path = folder.join("runs").join(campaign).join("plots").join(format!("{name}.json"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let figure: Value = serde_json::from_str(&text).expect("JSON");
    let number = |p: &Value, key: &str| p[key].as_f64().unwrap_or_else(|| panic!("{name}: no {key}"));
    let series = |s: &Value| {
        let points = s["points"].as_array().expect("points").iter();
        let points = points.map(|p| [number(p, "x"), number(p, "mean")]).collect();
        (s["label"].as_str().expect("a label").to_owned(), Series { points, slope: s["fit"]["slope"].as_f64() })
    };
    let panels = figure["panels"].as_array().expect("panels");
    panels.iter().flat_map(|p| p["series"].as_array().expect("series")).map(series).collect()
}

/// The only series of a plot: its means.
fn means(folder: &Path, campaign: &str, name: &str) -> Vec<f64> {
    let all = plot(folder, campaign, name);
    assert_eq!(all.len(), 1, "{name} has one series");
    all.into_values().flat_map(|s| s.points).map(|p| p[1]).collect()
}

/// Sanchez et al. 2021, Figs. 8 to 11. A cloud of spheres is dense after 13.7 min, whatever their number, and collisions take
/// energy before; polyhedra fill less of the lattice and fall for longer. The energy of a body is that of gravity, N^(2/3),
/// and rather more where most bodies are at the surface; the diameter goes with N^(1/3).
#[test]
#[ignore = "nightly: minutes"]
fn accretion_of_sanchez_2021() {
    let (folder, name) = (tempfile::tempdir().expect("folder"), "sanchez_2021_fig8_to_11_small");
    sweep(folder.path(), name);
    let of = |plot_name: &str| plot(folder.path(), name, plot_name);
    let peaks = of("fig8a_time_of_the_peak");
    for [count, time_s] in peaks["spheres"].points.iter().filter(|p| p[0] > 50.0) {
        assert!((600.0..823.0).contains(time_s), "{count} spheres: the energy peaks at {time_s} s");
        let polyhedra = peaks["polyhedra"].points.iter().find(|p| p[0] == *count);
        assert!(polyhedra.is_none_or(|p| p[1] > 1.2 * time_s), "{count}: {polyhedra:?}, spheres {time_s} s");
    }
    for (label, [low, high]) in [("fig8a_inset_peak", [0.5, 1.1]), ("fig10a_diameter", [0.23, 0.43])] {
        for (kind, series) in of(label) {
            let found = series.slope.expect("a fit");
            assert!((low..high).contains(&found), "{label}, {kind}: a power of {found}");
        }
    }
    let contacts = of("fig9b_coordination");
    for [count, z] in &contacts["spheres"].points {
        let polyhedra = contacts["polyhedra"].points.iter().find(|p| p[0] == *count);
        assert!(polyhedra.is_none_or(|p| p[1] > *z), "{count} polyhedra have fewer contacts than spheres, {z}");
    }
}

/// Sanchez et al. 2021, Figs. 9 and 10, insets: with friction a pile has fewer contacts, and is looser and wider.
#[test]
#[ignore = "nightly: minutes"]
fn friction_of_sanchez_2021() {
    let (folder, name) = (tempfile::tempdir().expect("folder"), "sanchez_2021_fig8_to_10_friction_small");
    sweep(folder.path(), name);
    let ends = |plot_name: &str| {
        let means = means(folder.path(), name, plot_name);
        [means[0], means[means.len() - 1]]
    };
    let [smooth, rough] = ends("fig10b_inset_packing_of_the_ellipsoid");
    assert!(smooth > 1.02 * rough, "packing {smooth} without friction, {rough} with most");
    let [smooth, rough] = ends("fig10b_inset_diameter");
    assert!(smooth < rough, "diameter {smooth} without friction, {rough} with most");
}

/// Sanchez et al. 2021, Fig. 14: every pile is stretched in the end, and one of 1,000 N later than one of 1 N.
#[test]
#[ignore = "nightly: minutes"]
fn spin_up_of_sanchez_2021() {
    let (folder, name) = (tempfile::tempdir().expect("folder"), "sanchez_2021_fig14_to_17_small");
    sweep(folder.path(), name);
    let times = means(folder.path(), name, "fig14_divergence");
    assert!(times.len() > 1 && times[0] > 0.0 && times[times.len() - 1] > times[0], "{times:?} min after the spin");
}

/// Sanchez et al. 2021, Fig. 4: rotation keeps its energy to 1 % at 0.05 s; here at steps from 0.2 s.
#[test]
#[ignore = "nightly: minutes"]
fn rotation_of_sanchez_2021() {
    for (name, plot_name) in
        [("sanchez_2021_fig4a_small", "fig4a_energy"), ("sanchez_2021_fig4b_small", "fig4b_energy")]
    {
        let folder = tempfile::tempdir().expect("folder");
        sweep(folder.path(), name);
        for (label, series) in plot(folder.path(), name, plot_name) {
            assert!(series.points.iter().all(|p| p[1] < 1e-2), "{name}, {label}: {:?}", series.points);
        }
    }
}

/// Azema et al. 2018: the stress grows with the inertial number, and cohesion holds what overburden alone does not.
#[test]
#[ignore = "nightly: minutes"]
fn compression_of_azema_2018() {
    let folder = tempfile::tempdir().expect("folder");
    sweep(folder.path(), "azema_2018_aggregates_small");
    sweep(folder.path(), "azema_2018_stress_small");
    let series = plot(folder.path(), "azema_2018_stress_small", "stress");
    let mean = |force: &str, low: f64, high: f64| {
        let label = &format!("cohesion force {force} N");
        let inside: Vec<f64> =
            series[label].points.iter().filter(|p| p[0] > low && p[0] < high).map(|p| p[1]).collect();
        inside.iter().sum::<f64>() / inside.len() as f64
    };
    for force in ["0", "100"] {
        let [slow, fast] = [mean(force, 0.0, 3e-3), mean(force, 3e-2, 1.0)];
        assert!(fast > 1.3 * slow, "{force} N: {slow} Pa at 1e-3, {fast} Pa at 1e-1");
    }
    let ratio = mean("100", 3e-3, 3e-2) / mean("100", 0.0, 3e-3);
    assert!((0.5..2.5).contains(&ratio), "with cohesion the stress is {ratio} times as large at 1e-2 as at 1e-3");
}

/// Ferrari et al. 2017: collisions between 5 and 10 h without motion at the start; a cloud that turns becomes an aggregate of
/// a few hours.
#[test]
#[ignore = "nightly: minutes"]
fn aggregation_of_ferrari_2017() {
    let (folder, name) = (tempfile::tempdir().expect("folder"), "ferrari_2017_small");
    sweep(folder.path(), name);
    let at = |plot_name: &str, set: f64| {
        let all = plot(folder.path(), name, plot_name);
        let mut points = all.values().flat_map(|s| &s.points);
        points.find(|p| p[0] == set).unwrap_or_else(|| panic!("{plot_name}: no set {set}"))[1]
    };
    let (from, to) = (at("collisions_from", 0.0), at("collisions_to", 0.0));
    assert!((4.5..7.0).contains(&from) && (8.0..11.0).contains(&to), "collisions from {from} to {to} h");
    let period = at("period", 1.3);
    assert!((2.2..10.0).contains(&period), "a period of {period} h");
}
