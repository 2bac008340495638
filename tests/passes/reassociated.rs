//! Sums as a compiler with fast math may write them (`breccia verify --perturb reassociated`): what is changed, and that every
//! pass can be changed so.

use crate::common::shaders::{edit, shaders as copied};
use crate::common::translated::shaders;
use breccia::gpu::device::Gpu;
use breccia::gpu::pipeline::link::Sources;
use breccia::gpu::pipeline::perturb::{FEATURES, Perturb};
use breccia::gpu::pipeline::reassociate::reassociate;
use breccia::gpu::pipeline::reflect::load;
use breccia::verify::harness::Harness;

fn perturb(words: &str) -> Option<Perturb> {
    let words: Vec<_> = words.split(',').filter(|w| !w.is_empty()).map(str::to_owned).collect();
    Perturb::of(&words).expect("kinds")
}

/// Values of two expressions of `a`; `None` if the device has no 64-bit floats, which is reported.
fn evaluated(words: &str, first: &str, second: &str, a: [f32; 2]) -> Option<[f32; 2]> {
    let gpu = Gpu::open_with(None, FEATURES).expect("no GPU adapter: install mesa-vulkan-drivers");
    if let Err(why) = Perturb::check(&gpu) {
        eprintln!("SKIPPED: {why}");
        return None;
    }
    let folder = copied();
    edit(
        folder.path(),
        "evaluate_functions",
        "vec4<f32>(ln(a.x), exponential(a.x), arctanh(a.x), arctan2(a.y, a.x))",
        &format!("vec4<f32>({first}, {second}, 0.0, 0.0)"),
    );
    let sources = Sources { directory: Some(folder.path().to_owned()), perturb: perturb(words), ..Sources::default() };
    let mut h = Harness::with_sources(&gpu, sources);
    h.fill("argument", &[a]).expect("fill");
    h.zeros("value", 32).expect("zeros");
    h.run("evaluate_functions", 1).expect("run");
    let rows: Vec<[f32; 8]> = h.read("value").expect("read");
    Some([rows[0][0], rows[0][1]])
}

/// Expressions whose value shows in which order they were computed.
#[test]
fn sums_and_products_come_in_another_order() {
    // half a unit in the last place of 1: added once it is rounded away, twice it counts
    let tiny = 2f32.powi(-24);
    for (first, second, a, wanted) in [
        // cancelled: what is left is a.y
        ("(a.x + a.y) - a.x", "a.x - (a.x - a.y)", [1.0, tiny / 4.0], [tiny / 4.0; 2]),
        // the rest of a two-sum is lost
        ("(a.x - ((a.x + a.y) - a.y)) + 0.0", "a.x - a.x", [1.0, tiny], [0.0; 2]),
        // the other end first: 2^-24 + 2^-24 counts when added to 1, one after the other they do not
        ("(a.x + a.y) + abs(a.y)", "(a.x - a.y) - abs(a.y)", [1.0, tiny], [1.0 + 2.0 * tiny, 1.0 - 2.0 * tiny]),
        // a product that overflows only in the order written
        ("a.x * a.x * a.y", "(a.x * abs(a.x)) * a.y", [1e30, 1e-30], [1e30; 2]),
        // a common factor is taken out: 1e38 * (3 - 2), not inf - inf
        ("a.x * 5.0 - a.x * 4.0", "a.x * a.y - 4.0 * a.x", [1e38, 5.0], [1e38; 2]),
    ] {
        let Some(found) = evaluated("reassociated", first, second, a) else { return };
        for (got, want) in found.iter().zip(wanted) {
            assert!((got - want).abs() <= 1e-6 * want.abs() * f32::from(want > 1e20), "{first}, {second}: {found:?}");
        }
    }
    // a clamp keeps a difference together, as elementary.wgsl has it
    let kept = "clamp(a.x + a.y, 0.0, 4.0) - a.x";
    let Some(found) = evaluated("reassociated", kept, "a.y", [1.0, tiny / 4.0]) else { return };
    assert_eq!(found, [0.0, tiny / 4.0]);
}

/// Every pass is rewritten and stays valid; that so much is changed shows that the rewriting does something.
#[test]
fn every_pass_can_be_reassociated() {
    let (mut all, mut passes) = (0, 0);
    for mut s in shaders() {
        let changed = reassociate(&mut s.module, &s.info).unwrap_or_else(|(_, e)| panic!("{}: {e}", s.stem));
        naga::valid::Validator::new(naga::valid::ValidationFlags::all(), naga::valid::Capabilities::empty())
            .validate(&s.module)
            .unwrap_or_else(|e| panic!("{}: {}", s.stem, e.emit_to_string(&s.linked.text)));
        all += changed;
        passes += usize::from(changed > 0);
    }
    println!("{all} expressions in {passes} passes");
    assert!(all > 300 && passes > 30, "{all} expressions in {passes} passes");
    let sources = Sources { perturb: perturb("reassociated,fused"), ..Sources::default() };
    let shader = load("spin_bodies", &sources, &Default::default()).unwrap_or_else(|e| panic!("{e}"));
    assert!(shader.perturbed.is_some());
}
