//! Every pass links, parses, validates without any capability beyond core WGSL, keeps to the WebGPU default limits,
//! and translates to SPIR-V, MSL and HLSL. No GPU needed.

use crate::common::translated::{hlsl, msl, passes, shaders, spirv};
use breccia::gpu::pipeline::link::Sources;
use breccia::gpu::pipeline::reflect::{Access, load};
use naga::back::hlsl::ShaderModel;

#[test]
fn every_pass_compiles_alone_and_fits_the_default_limits() {
    let sources = Sources::default();
    let passes = passes();
    assert!(passes.len() > sources.passes().len() && passes.len() > 10, "the embedded shaders are missing");
    let mut faults = vec![];
    for (stem, modules) in passes {
        match load(&stem, &sources, &modules) {
            Err(e) => faults.push(e.to_string()),
            Ok(shader) => {
                let storage = shader.bindings.iter().filter(|b| b.access != Access::Uniform).count();
                let threads: u32 = shader.workgroup.iter().product();
                assert!(storage <= 8, "{stem}: {storage} storage buffers");
                assert!(threads <= 256, "{stem}: {threads} threads");
                assert!(shader.shared_bytes <= 16384, "{stem}: {} bytes shared", shader.shared_bytes);
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

#[test]
fn every_pass_translates_to_spirv_msl_and_hlsl() {
    for s in shaders() {
        assert!(spirv(&s).len() > 100, "{}", s.stem);
        for (version, text) in [(2, 4), (3, 1)].map(|v| (v, msl(&s, v))) {
            assert!(text.contains(&format!("kernel void {}", s.stem)), "{} in MSL {version:?}", s.stem);
        }
        for model in [ShaderModel::V5_1, ShaderModel::V6_0] {
            assert!(hlsl(&s, model).contains(&format!("void {}(", s.stem)), "{} in HLSL {model:?}", s.stem);
        }
    }
}
