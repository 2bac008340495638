//! Every pass in the languages that drivers take, with the options that wgpu sets.

use breccia::bench::compile::forms;
use breccia::gpu::pipeline::link::Sources;
use breccia::gpu::pipeline::reflect::{Access, Shader, load};
use naga::back::{hlsl, msl, spv};
use naga::proc::{BoundsCheckPolicies, BoundsCheckPolicy};
use std::collections::BTreeMap;

/// What runs may choose for the modules of passes.
fn modules() -> impl Iterator<Item = BTreeMap<String, String>> {
    forms().into_iter().map(|(modules, _)| modules)
}

/// Every pass, in every form that it has.
pub fn passes() -> Vec<(String, BTreeMap<String, String>)> {
    let sources = Sources::default();
    let of = |stem: String| {
        // a form may come in by way of shared modules
        let mut texts: Vec<String> = vec![];
        let mut new = |m: &BTreeMap<String, String>| {
            let text = load(&stem, &sources, m).expect("compiles").linked.text;
            let is_new = !texts.contains(&text);
            texts.push(text);
            is_new
        };
        modules().filter(|m| new(m)).map(|m| (stem.clone(), m)).collect::<Vec<_>>()
    };
    sources.passes().into_iter().flat_map(of).collect()
}

/// The same, loaded.
pub fn shaders() -> Vec<Shader> {
    let load = |(stem, modules): (String, _)| load(&stem, &Sources::default(), &modules).expect("compiles");
    passes().into_iter().map(load).collect()
}

/// Passes in the form for software devices, where that is another text.
fn shaders_on_cpu() -> Vec<Shader> {
    let [plain, on_cpu] = [false, true].map(|cpu_forms| Sources { cpu_forms, ..Sources::default() });
    let modules = modules().next().expect("a law");
    let of = |sources: &Sources, stem: &str| load(stem, sources, &modules).expect("compiles");
    let pair = |stem: String| (of(&plain, &stem), of(&on_cpu, &stem));
    let pairs = plain.passes().into_iter().map(pair);
    pairs.filter(|(plain, on_cpu)| plain.linked.text != on_cpu.linked.text).map(|pair| pair.1).collect()
}

/// All of them: every pass in every form, and those for software devices.
pub fn all_shaders() -> Vec<Shader> {
    shaders().into_iter().chain(shaders_on_cpu()).collect()
}

fn restricted() -> BoundsCheckPolicies {
    let policy = BoundsCheckPolicy::Restrict;
    BoundsCheckPolicies { index: policy, buffer: policy, ..BoundsCheckPolicies::default() }
}

/// For Vulkan 1.1.
pub fn spirv(s: &Shader) -> Vec<u32> {
    let options = spv::Options {
        lang_version: (1, 3),
        bounds_check_policies: restricted(),
        zero_initialize_workgroup_memory: spv::ZeroInitializeWorkgroupMemoryMode::None,
        ..Default::default()
    };
    spv::write_vec(&s.module, &s.info, &options, None).unwrap_or_else(|e| panic!("{}: SPIR-V: {e}", s.stem))
}

/// For DirectX 12: shader model 5.1 goes to FXC, 6.0 to DXC.
pub fn hlsl(s: &Shader, shader_model: hlsl::ShaderModel) -> String {
    let mut text = String::new();
    let options = hlsl::Options { shader_model, zero_initialize_workgroup_memory: false, ..hlsl::Options::default() };
    let info = hlsl::Writer::new(&mut text, &options, &hlsl::PipelineOptions::default())
        .write(&s.module, &s.info, None)
        .unwrap_or_else(|e| panic!("{}: HLSL: {e}", s.stem));
    assert_eq!(info.entry_point_names[0].as_ref().expect("an entry point"), &s.stem);
    text
}

/// For Metal, every binding at a slot of its own: none may be missing.
pub fn msl(s: &Shader, lang_version: (u8, u8)) -> String {
    let target = |b: &breccia::gpu::pipeline::reflect::Binding| msl::BindTarget {
        buffer: Some(b.index as u8),
        mutable: b.access == Access::ReadWrite,
        ..msl::BindTarget::default()
    };
    let at = |index| naga::ResourceBinding { group: 0, binding: index };
    let resources = s.bindings.iter().map(|b| (at(b.index), target(b))).collect();
    // Metal has 31 slots; the last one for the lengths of buffers
    let resources = msl::EntryPointResources { resources, immediates_buffer: None, sizes_buffer: Some(30) };
    let options = msl::Options {
        lang_version,
        per_entry_point_map: BTreeMap::from([(s.stem.clone(), resources)]),
        fake_missing_bindings: false,
        bounds_check_policies: restricted(),
        zero_initialize_workgroup_memory: false,
        ..msl::Options::default()
    };
    let (text, info) = msl::write_string(&s.module, &s.info, &options, &msl::PipelineOptions::default())
        .unwrap_or_else(|e| panic!("{}: MSL: {e}", s.stem));
    for name in &info.entry_point_names {
        name.as_ref().unwrap_or_else(|e| panic!("{}: MSL: {e}", s.stem));
    }
    text
}
