//! Every pass links, parses, validates without any capability beyond core WGSL, keeps to the WebGPU default limits,
//! and translates to SPIR-V, MSL and HLSL. No GPU needed.

use crate::common::translated::{hlsl, msl, passes, shaders, spirv};
use breccia::gpu::pipeline::file::soft_modules;
use breccia::gpu::pipeline::link::{Sources, link};
use breccia::gpu::pipeline::reflect::{Access, load};
use breccia::physics::laws::registry;
use naga::back::hlsl::ShaderModel;
use naga::valid::{Capabilities, ShaderStages, SubgroupOperationSet, ValidationFlags, Validator};
use regex::Regex;

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

/// A module compiles with what it imports, and each file declares the buffers that it reads. A file that imports a law compiles with every law.
#[test]
fn every_file_compiles_by_itself() {
    let sources = Sources::default();
    let names = sources.names();
    assert!(names.len() > 150, "the embedded shaders are missing");
    let mut faults = vec![];
    for law in registry::all() {
        let modules = soft_modules(&law.module());
        for file in &names {
            let linked = link(file, &sources, &modules).unwrap_or_else(|e| panic!("{file}: {e}"));
            match naga::front::wgsl::parse_str(&linked.text) {
                Err(e) => faults.push(format!("{file} with {}: {}", law.name(), e.emit_to_string(&linked.text))),
                Ok(module) => {
                    let mut validator = Validator::new(ValidationFlags::all(), capabilities(file));
                    validator.subgroup_stages(ShaderStages::COMPUTE).subgroup_operations(SubgroupOperationSet::all());
                    if let Err(e) = validator.validate(&module) {
                        faults.push(format!("{file} with {}: {}", law.name(), e.emit_to_string(&linked.text)));
                    }
                    faults.extend(undeclared(file, &sources, &module));
                }
            }
        }
    }
    faults.sort();
    faults.dedup();
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

/// Only forms for software devices need more than WGSL's core.
fn capabilities(file: &str) -> Capabilities {
    if file.ends_with("_on_cpu") || file == "math/doublet" {
        Capabilities::SUBGROUP | Capabilities::SHADER_INT64
    } else {
        Capabilities::empty()
    }
}

/// Buffers that a file names although only a module that it imports declares them.
fn undeclared(file: &str, sources: &Sources, module: &naga::Module) -> Vec<String> {
    let text = sources.load(file).expect("text");
    let code: String = text.lines().map(|l| l.split("//").next().unwrap_or("").to_owned() + "\n").collect();
    let bound = module.global_variables.iter().filter(|(_, g)| g.binding.is_some());
    let names = bound.filter_map(|(_, g)| g.name.clone());
    let missing = names.filter(|name| {
        if !code.contains(name.as_str()) {
            return false;
        }
        let is = |pattern: &str| Regex::new(&pattern.replace("NAME", name)).expect("a pattern").is_match(&code);
        let used = is(r"(^|[^\w.])NAME(\[|\.)");
        let own = is(r"(?m)^var<[^>]*> NAME:") || is(r"\b(let|var) NAME\b") || is(r"[(,] *NAME: ");
        used && !own
    });
    missing.map(|name| format!("{file} reads `{name}`, which it does not declare")).collect()
}
