//! Every pass links, parses, validates without any capability beyond core WGSL, keeps to the WebGPU default limits,
//! and translates to SPIR-V, MSL and HLSL. No GPU needed.

use breccia::pipeline::link::Sources;
use breccia::pipeline::reflect::{Access, load};
use breccia::scenario::model::SoftLaw;
use std::collections::BTreeMap;

/// Every law of soft spheres.
fn modules() -> impl Iterator<Item = BTreeMap<String, String>> {
    let laws = [SoftLaw::LinearSpringDashpot, SoftLaw::Hysteretic];
    laws.into_iter().map(|law| BTreeMap::from([("law".to_owned(), law.module().to_owned())]))
}

/// Every pass, with every law if it has one.
fn passes() -> Vec<(String, BTreeMap<String, String>)> {
    let sources = Sources::default();
    let law = |stem: &str| sources.load(stem).is_some_and(|text| text.contains("import package::law"));
    let of = |stem: String| {
        let count = if law(&stem) { 2 } else { 1 };
        modules().take(count).map(move |m| (stem.clone(), m))
    };
    sources.passes().into_iter().flat_map(of).collect()
}

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
    for (stem, modules) in passes() {
        let s = load(&stem, &Sources::default(), &modules).expect("compiles");
        naga::back::spv::write_vec(&s.module, &s.info, &naga::back::spv::Options::default(), None)
            .unwrap_or_else(|e| panic!("{stem}: SPIR-V: {e}"));
        let options = naga::back::msl::Options { lang_version: (2, 4), ..Default::default() };
        naga::back::msl::write_string(&s.module, &s.info, &options, &naga::back::msl::PipelineOptions::default())
            .unwrap_or_else(|e| panic!("{stem}: MSL: {e}"));
        let mut text = String::new();
        let options =
            naga::back::hlsl::Options { shader_model: naga::back::hlsl::ShaderModel::V6_0, ..Default::default() };
        naga::back::hlsl::Writer::new(&mut text, &options, &naga::back::hlsl::PipelineOptions::default())
            .write(&s.module, &s.info, None)
            .unwrap_or_else(|e| panic!("{stem}: HLSL: {e}"));
    }
}
