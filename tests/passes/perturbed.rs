//! Arithmetic as wrong as the specification allows (`breccia verify --perturb`): it errs by that and no more, in every pass,
//! and it finds what only a driver with poor functions would show.

use crate::common::shaders::{edit, shaders};
use breccia::gpu::device::Gpu;
use breccia::gpu::pipeline::file::soft_modules;
use breccia::gpu::pipeline::link::Sources;
use breccia::gpu::pipeline::perturb::{FEATURES, KINDS, Perturb};
use breccia::gpu::pipeline::reflect::load;
use breccia::physics::laws::registry::all;
use breccia::verify::families::FAMILIES;
use breccia::verify::harness::Harness;
use std::path::Path;

fn kinds(words: &str) -> Option<Perturb> {
    let words: Vec<_> = words.split(',').map(str::to_owned).collect();
    Perturb::of(&words).expect("kinds")
}

fn gpu() -> Gpu {
    Gpu::open_with(None, FEATURES).expect("no GPU adapter: install mesa-vulkan-drivers")
}

/// True where the device has no 64-bit floats: GPUs of some makers. Says so.
fn skipped(gpu: &Gpu) -> bool {
    let missing = Perturb::check(gpu).err();
    if let Some(why) = &missing {
        eprintln!("SKIPPED: {why}");
    }
    missing.is_some()
}

#[test]
fn every_pass_can_be_perturbed() {
    for (law, words) in all().zip(["scattered,fused", "up,fused-right"].into_iter().cycle()) {
        let sources = Sources { perturb: kinds(words), ..Sources::default() };
        let modules = soft_modules(&law.module());
        for stem in sources.passes() {
            let shader = load(&stem, &sources, &modules).unwrap_or_else(|e| panic!("{stem}: {e}"));
            assert!(shader.perturbed.is_some(), "{stem}");
        }
    }
}

/// Values of the expressions `first` and `second` of the arguments `a`.
fn evaluated(gpu: &Gpu, words: &str, first: &str, second: &str, arguments: &[[f32; 2]]) -> Vec<[f32; 2]> {
    let folder = shaders();
    let file = "evaluate_functions";
    edit(
        folder.path(),
        file,
        "vec4<f32>(ln(a.x), exponential(a.x), arctanh(a.x), arctan2(a.y, a.x))",
        &format!("vec4<f32>({first}, {second}, 0.0, 0.0)"),
    );
    let sources = Sources { directory: Some(folder.path().to_owned()), perturb: kinds(words), ..Sources::default() };
    let mut h = Harness::with_sources(gpu, sources);
    h.fill("argument", arguments).expect("fill");
    h.zeros("value", 32 * arguments.len()).expect("zeros");
    h.run(file, arguments.len().div_ceil(64) as u32).expect("run");
    let rows: Vec<[f32; 8]> = h.read("value").expect("read");
    rows.iter().map(|r| [r[0], r[1]]).collect()
}

fn arguments() -> Vec<[f32; 2]> {
    (0..4096u32).map(|k| [(0.37 * f64::from(k) + 0.1) as f32, (1.0 + f64::from(k * k % 1009) * 0.017) as f32]).collect()
}

/// Error in units in the last place of the true value.
fn units(got: f32, truth: f64) -> f64 {
    let unit = (truth.abs().log2().floor() - 23.0).exp2();
    (f64::from(got) - truth) / unit
}

/// Least and largest error.
fn span(errors: impl Iterator<Item = f64>) -> (f64, f64) {
    errors.fold((f64::MAX, f64::MIN), |(low, high), e| (low.min(e), high.max(e)))
}

#[test]
fn quotients_and_roots_err_by_what_is_allowed_and_no_more() {
    let gpu = gpu();
    if skipped(&gpu) {
        return;
    }
    let arguments = arguments();
    let truths = |f: fn(f64, f64) -> f64| arguments.iter().map(move |[x, y]| f(f64::from(*x), f64::from(*y)));
    for (words, sign) in [("up", 1.0), ("down", -1.0), ("scattered", 0.0)] {
        let found = evaluated(&gpu, words, "a.x / a.y", "inverseSqrt(a.x)", &arguments);
        let quotient = span(found.iter().zip(truths(|x, y| x / y)).map(|(v, t)| units(v[0], t)));
        let root = span(found.iter().zip(truths(|x, _| 1.0 / x.sqrt())).map(|(v, t)| units(v[1], t)));
        for (name, (low, high), most) in [("a / b", quotient, 2.5), ("inverseSqrt", root, 2.0)] {
            assert!(low >= -most - 1e-6 && high <= most + 1e-6, "{words} {name}: {low} to {high}");
            assert!(sign >= 0.0 || high < 0.0, "{words} {name}: {low} to {high}");
            assert!(sign <= 0.0 || low > 0.0, "{words} {name}: {low} to {high}");
            assert!(sign != 0.0 || (low < -1.0 && high > 1.0), "{words} {name}: {low} to {high}");
        }
    }
}

#[test]
fn contracted_sums_are_rounded_once() {
    let gpu = gpu();
    if skipped(&gpu) {
        return;
    }
    let arguments = arguments();
    let found = evaluated(&gpu, "fused", "a.x * a.x - a.y", "a.y + a.x * a.y", &arguments);
    let [mut differ, mut wrong] = [0; 2];
    for (a, f) in arguments.iter().zip(&found) {
        let (x, y) = (f64::from(a[0]), f64::from(a[1]));
        wrong += usize::from(f[0] != (x * x - y) as f32) + usize::from(f[1] != (y + x * y) as f32);
        differ += usize::from(f[0] != a[0] * a[0] - a[1]);
    }
    assert_eq!(wrong, 0, "sums that are not rounded once");
    assert!(differ > 100, "only {differ} sums show the contraction");
}

/// Checks of a family that fail with shaders of a folder.
fn failed(gpu: &Gpu, folder: &Path, family: &str, perturb: Option<Perturb>) -> usize {
    let sources = Sources { directory: Some(folder.to_owned()), perturb, ..Sources::default() };
    let checks = FAMILIES.iter().find(|f| f.name == family).expect("family").checks;
    checks.iter().filter(|c| !c.run(gpu, &sources).expect("runs").passed).count()
}

#[test]
fn a_built_in_sine_is_found_out() {
    let gpu = gpu();
    if skipped(&gpu) {
        return;
    }
    let folder = shaders();
    let own = "(0.5 * sine_ratio(z)) * way";
    let built_in = "(0.5 * select(1.0, sin(sqrt(z)) / sqrt(max(z, 1.0e-30)), z > 0.0)) * way";
    assert_eq!(failed(&gpu, folder.path(), "dynamics_spin", kinds("scattered")), 0, "with the program's own");
    edit(folder.path(), "math/turn", own, built_in);
    if gpu.is_software() {
        assert_eq!(failed(&gpu, folder.path(), "dynamics_spin", None), 0, "unperturbed: lavapipe has a good sine");
    }
    assert!(failed(&gpu, folder.path(), "dynamics_spin", kinds("scattered")) > 0, "perturbed");
}

#[test]
fn unknown_and_contrary_kinds_are_refused() {
    let refused = |words: &[&str]| {
        let words: Vec<_> = words.iter().map(|w| (*w).to_owned()).collect();
        Perturb::of(&words).expect_err("refused").to_string()
    };
    let unknown = refused(&["sideways"]);
    assert!(unknown.contains("sideways") && KINDS.iter().all(|k| unknown.contains(k)), "{unknown}");
    assert!(refused(&["up", "down"]).contains("at most one of up, down and scattered"));
    assert!(refused(&["fused", "up", "fused-right"]).contains("at most one of"));
    assert_eq!(Perturb::of(&[]).expect("none"), None);
}
