//! What a pipeline is refused for before any GPU work: every message names pipeline, stage and pass, says what is
//! wrong, and names the remedy. No GPU needed.

use breccia::base::error::Result;
use breccia::gpu::blocks::named::expand;
use breccia::gpu::buffer_table::{Counts, spec};
use breccia::gpu::pipeline::file;
use breccia::gpu::pipeline::file::Step;
use breccia::gpu::pipeline::link::Sources;
use breccia::gpu::pipeline::plan::{GATES, Live, Plan, plan};
use breccia::model::scenario::SelfGravityMethod;

/// A pass `stem` that binds `variables` in their order and runs `body` once an item `i`.
fn shader(stem: &str, variables: &[&str], body: &str) -> String {
    let bindings = variables.iter().map(|v| format!("var<{v};\n"));
    let bindings: String = bindings.collect();
    format!(
        "{bindings}@compute @workgroup_size(64)\nfn {stem}(@builtin(global_invocation_id) g: vec3<u32>) {{\n    let i = g.x;\n    {body}\n}}\n"
    )
}

/// Writes `cell_key`.
fn hash() -> String {
    shader("hash", &["storage, read_write> cell_key: array<u32>"], "cell_key[i] = i;")
}

/// Reads `cell_key`, writes `cell_body`.
fn copy() -> String {
    let variables = ["storage, read> cell_key: array<u32>", "storage, read_write> cell_body: array<u32>"];
    shader("copy", &variables, "cell_body[i] = cell_key[i];")
}

/// What the plan check says of stages and passes, on a device with 8 storage buffers and 100 bodies.
fn planned(shaders: &[(&str, String)], pipeline: &str, counts: &Counts) -> Result<Plan> {
    let dir = tempfile::tempdir().expect("folder");
    // a folder without shaders is refused before any plan
    for (name, text) in shaders.iter().chain(&[("spare", String::new())]) {
        let path = dir.path().join(format!("{name}.wgsl"));
        std::fs::create_dir_all(path.parent().expect("folder")).expect("folder");
        std::fs::write(path, text).expect("shader");
    }
    let sources = Sources { directory: Some(dir.path().to_owned()), ..Default::default() };
    let blocks = |name: &str, step: &Step, counts: &Counts| expand(name, step, counts, None);
    plan("trial", &file::parse("trial", pipeline)?, &sources, counts, 8, &blocks)
}

fn counts() -> Counts {
    Counts::new(100, 0, 1, 300, 128)
}

/// A pipeline of the stage `fill` with these steps.
fn stage(steps: &str) -> String {
    format!("[[stage]]\nname = \"fill\"\nsteps = [{steps}]\n")
}

/// The stage `fill` with these steps is refused with one fault, at `pass`, that says all of `words`.
#[track_caller]
fn refused(shaders: &[(&str, String)], steps: &str, pass: &str, words: &[&str]) {
    let error = planned(shaders, &stage(steps), &counts()).err().expect("refused");
    let text = error.to_string();
    assert_eq!(text.matches("pipelines/trial.toml").count(), 1, "one fault:\n{text}");
    let front = format!("pipelines/trial.toml: stage `fill`, pass `{pass}`: ");
    assert!(text.starts_with(&front), "{front}\n{text}");
    words.iter().for_each(|w| assert!(text.contains(w), "says `{w}`:\n{text}"));
    assert_eq!(error.exit_code(), 2);
}

const HASH: &str = r#"{ pass = "hash", over = "body" }"#;

#[test]
fn what_the_other_tests_spoil_is_accepted() {
    let steps = format!(r#"{HASH}, {{ pass = "copy", over = "body" }}"#);
    let plan = planned(&[("hash", hash()), ("copy", copy())], &stage(&steps), &counts()).expect("plan");
    // 100 words: written by the first pass, read and written by the second.
    let moved: Vec<u64> = plan.passes.iter().map(|p| plan.moved(p, &counts())).collect();
    assert_eq!(moved, [400, 800]);
}

/// Blocks change their shape with the number of bodies: at no size is a pipeline that comes with the program refused.
#[test]
fn built_in_pipelines_are_accepted_at_every_size() {
    let methods = [None, Some(SelfGravityMethod::Direct), Some(SelfGravityMethod::TreeRelative { accuracy: 1e-3 })];
    for bodies in [1, 2, 8, 64, 1024, 1025, 100_000, 1_048_577, 3_000_000] {
        for method in methods {
            let blocks = |name: &str, step: &Step, counts: &Counts| expand(name, step, counts, method);
            let counts = Counts::new(bodies, 3, 2, 8 * bodies, bodies.next_power_of_two()).with_tree();
            for name in ["soft_sphere", "measure_field", "contact_dynamics", "measure_dynamics"] {
                let counts =
                    if name.ends_with("dynamics") { counts.clone().with_contacts(4 * bodies) } else { counts.clone() };
                let file = file::load(name).expect("pipeline");
                let planned = plan(name, &file, &Sources::default(), &counts, 8, &blocks).map(|_| ());
                planned.unwrap_or_else(|e| panic!("{bodies} bodies: {e}"));
            }
        }
    }
}

#[test]
fn unknown_buffer() {
    let text = shader("fill_keys", &["storage, read_write> cell_kye: array<u32>"], "cell_kye[i] = i;");
    let words = ["unknown buffer `cell_kye`", "src/gpu/buffer_table.rs", "did you mean `cell_key`?"];
    refused(&[("fill_keys", text)], r#"{ pass = "fill_keys", over = "body" }"#, "fill_keys", &words);
}

#[test]
fn stride_mismatch() {
    let text = shader("hash", &["storage, read_write> cell_key: array<vec2<u32>>"], "cell_key[i] = vec2(i);");
    refused(
        &[("hash", text)],
        HASH,
        "hash",
        &["`cell_key` has elements of 4 bytes", "has elements of 8", "change one"],
    );
}

#[test]
fn a_buffer_too_short_for_what_the_shader_declares() {
    let text = shader("hash", &["storage, read_write> control: array<u32, 1000>"], "control[i] = i;");
    let error = planned(&[("hash", text)], &stage(HASH), &counts()).err().expect("refused").to_string();
    assert!(error.contains("`control` of the shader needs 4000; make it longer"), "{error}");
}

#[test]
fn read_before_write() {
    let words = ["`cell_key` is read before any pass writes it", "move this pass behind"];
    refused(&[("copy", copy())], r#"{ pass = "copy", over = "body" }"#, "copy", &words);
}

/// The passes of a scan, and what they import.
fn scan_shaders() -> Vec<(&'static str, String)> {
    let embedded = |stem: &str| Sources::default().load(&Sources::default().file_of(stem)).expect("embedded");
    let stems = ["scan_runs", "scan_sums", "math/dispatch", "math/exclusive", "math/saturating"];
    stems.into_iter().map(|stem| (stem, embedded(stem))).collect()
}

#[test]
fn scratch_of_a_block_read_before_write() {
    let scan = r#"{ block = "exclusive_scan", bind = { input = "scan_sums_0", output = "incident_offset" } }"#;
    let shaders = scan_shaders();
    let two_runs = Counts::new(1025, 0, 1, 1, 1);
    let error = planned(&shaders, &stage(scan), &two_runs).err().expect("refused").to_string();
    assert!(error.contains("`scan_sums_0` is read before any pass writes it"), "{error}");
}

#[test]
fn unused_bind_of_a_pass() {
    let step = r#"{ pass = "hash", over = "body", bind = { cell_keys = "cell_body" } }"#;
    refused(&[("hash", hash())], step, "hash", &["`bind` names `cell_keys`", "did you mean `cell_key`?"]);
}

#[test]
fn unused_bind_of_a_block() {
    let step =
        r#"{ block = "radix_sort", bind = { keys = "cell_key", payload = "cell_body", payloads = "cell_body" } }"#;
    refused(&[], step, "block radix_sort", &["`bind` names `payloads`", "did you mean `payload`?"]);
}

#[test]
fn one_buffer_bound_twice_with_a_write() {
    let step = format!(r#"{HASH}, {{ pass = "copy", over = "body", bind = {{ cell_body = "cell_key" }} }}"#);
    let words = ["`cell_key` is bound twice and written", "bind another buffer"];
    refused(&[("hash", hash()), ("copy", copy())], &step, "copy", &words);
}

#[test]
fn more_storage_buffers_than_the_device_allows() {
    let buffers = ["cell_key", "cell_body", "neighbour_count", "upper_count", "pair_offset_next", "incident_body"];
    let more = ["pair_offset_prev", "incident_offset", "incident_pair"];
    let names: Vec<_> = buffers.into_iter().chain(more).collect();
    let variables: Vec<_> = names.iter().map(|n| format!("storage, read_write> {n}: array<u32>")).collect();
    let variables: Vec<_> = variables.iter().map(String::as_str).collect();
    let body: String = names.iter().map(|n| format!("{n}[i] = i; ")).collect();
    let words = ["9 storage buffers are more than the 8 that the device allows", "split the pass"];
    refused(&[("hash", shader("hash", &variables, &body))], HASH, "hash", &words);
    refused_not(&[("hash", shader("hash", &variables[..8], &body.replace("incident_pair[i] = i; ", "")))]);
}

/// The step `HASH` is accepted.
#[track_caller]
fn refused_not(shaders: &[(&str, String)]) {
    planned(shaders, &stage(HASH), &counts()).map(|_| ()).expect("accepted");
}

#[test]
fn more_workgroups_than_a_dispatch_holds() {
    let most = 65_535 * 65_535 * 64;
    let with = |bodies| planned(&[("hash", hash())], &stage(HASH), &Counts::new(bodies, 0, 1, 1, 1));
    assert!(with(most).is_ok());
    let error = with(most + 1).err().expect("refused");
    assert_eq!(error.exit_code(), 5, "a matter of capacity");
    let text = error.to_string();
    assert!(text.starts_with("pipelines/trial.toml: stage `fill`, pass `hash`: 4294836226 workgroups"), "{text}");
    assert!(text.contains("65535 x 65535") && text.contains("use fewer bodies"), "{text}");
}

#[test]
fn unknown_count_in_over() {
    let step = r#"{ pass = "hash", over = "bodies" }"#;
    refused(
        &[("hash", hash())],
        step,
        "hash",
        &["unknown count `bodies`", "known counts: body, body_all, candidate, "],
    );
}

#[test]
fn unknown_count_in_bits() {
    let step = r#"{ block = "radix_sort", bits = "key_bits", bind = { keys = "cell_key", payload = "cell_body" } }"#;
    refused(&[], step, "block radix_sort", &["unknown count `key_bits`", "hash_bits"]);
}

#[test]
fn unknown_gate() {
    let step = r#"{ pass = "hash", over = "body", when = "rebuilt" }"#;
    refused(&[("hash", hash())], step, "hash", &["unknown condition `rebuilt`", "did you mean `rebuild`?"]);
}

#[test]
fn both_pass_and_block_or_neither() {
    let words = ["either a `pass` or a `block`", "remove one, or add one"];
    refused(&[("hash", hash())], r#"{ pass = "hash", block = "radix_sort", over = "body" }"#, "hash", &words);
    refused(&[], r#"{ over = "body" }"#, "unnamed", &words);
}

#[test]
fn both_over_and_args_or_neither() {
    let words = ["either `over = COUNT` or `args = BUFFER`"];
    refused(&[("hash", hash())], r#"{ pass = "hash" }"#, "hash", &words);
    refused(&[("hash", hash())], r#"{ pass = "hash", over = "body", args = "pair_args" }"#, "hash", &words);
}

#[test]
fn a_scan_over_a_count_of_its_own() {
    let shaders = [scan_shaders(), vec![("hash", hash())]].concat();
    let scan = |over: &str| {
        let bind = r#"bind = { input = "cell_key", output = "pair_offset" }"#;
        stage(&format!(r#"{HASH}, {{ block = "exclusive_scan"{over}, {bind} }}"#))
    };
    let run = |over: &str| planned(&shaders, &scan(over), &counts());
    let scanned =
        |over: &str| run(over).expect("plan").passes.last().and_then(|p| p.constants).expect("constants").1[0];
    assert_eq!(scanned(""), 100, "bodies if it does not say");
    assert_eq!(scanned(r#", over = "pair""#), 300);
    let error = run(r#", over = "pairs""#).err().expect("refused").to_string();
    assert!(error.contains("pass `block exclusive_scan`: unknown count `pairs`"), "{error}");
}

#[test]
fn steps_of_features_that_a_run_lacks_are_left_out() {
    let step = |features: &str| stage(&format!(r#"{HASH}, {{ pass = "hash", for = {features}, over = "body" }}"#));
    let passes = |features: &str, counts: &Counts| {
        planned(&[("hash", hash())], &step(features), counts).map(|plan| plan.passes.len()).expect("plan")
    };
    let (plain, plates) = (counts(), counts().with_plates());
    let of = |features: &str| [passes(features, &plain), passes(features, &plates)];
    assert_eq!(of(r#""plates""#), [1, 2]);
    assert_eq!(of(r#""spheres""#), [2, 2], "the opposite of polyhedra");
    assert_eq!(of(r#"["spheres", "plates"]"#), [1, 2], "both");
    assert_eq!(of(r#"["polyhedra", "plates"]"#), [1, 1], "both");
    let block = r#"{ block = "self_gravity", for = "plates" }"#;
    assert_eq!(planned(&[], &stage(block), &plain).expect("plan").passes.len(), 0, "of a block too");
    let wrong = r#"{ pass = "hash", for = "plaets", over = "body" }"#;
    refused(&[("hash", hash())], wrong, "hash", &["unknown feature `plaets` in `for`", "did you mean `plates`?"]);
}

/// A buffer of a feature that a run lacks has room for one element alone.
#[test]
fn buffers_of_features_that_a_run_lacks_are_short() {
    let source = spec("tree_source").expect("a row");
    assert_eq!(source.bytes(&counts()), 0);
    assert_eq!(source.room(&counts()), source.element(&counts()));
    assert_eq!(source.bytes(&counts().with_tree()), 100 * source.element(&counts()));
    let history = spec("pair_history").expect("a row");
    assert!(history.element(&counts().with_contacts(4)) > history.element(&counts()));
}

/// Gated passes over contacts are distinct: they run over as many as the GPU finds.
#[test]
fn gated_passes_over_contacts_are_live() {
    let decide = shader("decide", &["storage, read_write> work_args: array<array<u32, 3>>"], "work_args[i][0] = 0u;");
    let shaders = [("hash", hash()), ("decide", decide)];
    let steps = r#"{ pass = "decide", over = "one" }, { pass = "hash", over = "body", when = "solve" },
        { pass = "hash", over = "contact", when = "iterate" }, { pass = "hash", over = "contact" }"#;
    let plan = planned(&shaders, &stage(steps), &counts().with_contacts(400)).expect("plan");
    let slots: Vec<_> = plan.slots.iter().map(|s| (s.gate, s.live)).collect();
    let gate = |name: &str| GATES.iter().find(|g| g.0 == name).expect("gate").1;
    assert_eq!(slots, [(gate("solve"), Live::Fixed), (gate("iterate"), Live::Contacts)]);
}

#[test]
fn keys_that_mean_nothing_where_they_stand() {
    let shaders = [("hash", hash())];
    let gated = r#"{ pass = "hash", args = "pair_args", when = "rebuild" }"#;
    refused(&shaders, gated, "hash", &["`args` cannot have a condition", "remove `when`"]);
    let bits = r#"{ pass = "hash", over = "body", bits = "hash_bits" }"#;
    refused(&shaders, bits, "hash", &["`bits` belongs to block radix_sort"]);
    let constants = r#"{ pass = "hash", over = "body", constants = [1, 0, 0, 0] }"#;
    refused(&shaders, constants, "hash", &["`pass_constants`", "remove `constants`"]);
    let sized = r#"{ block = "self_gravity", over = "body" }"#;
    refused(&[], sized, "block self_gravity", &["a block sizes itself", "remove `over`"]);
}

#[test]
fn constants_that_the_shader_wants_and_the_step_lacks() {
    let variables = ["storage, read_write> cell_key: array<u32>", "uniform> pass_constants: vec4<u32>"];
    let text = shader("hash", &variables, "cell_key[i] = pass_constants.x;");
    refused(&[("hash", text.clone())], HASH, "hash", &["`pass_constants`", "add `constants`"]);
    let step = r#"{ pass = "hash", over = "body", constants = [1, 0, 0, 0] }"#;
    planned(&[("hash", text)], &stage(step), &counts()).map(|_| ()).expect("accepted");
}

#[test]
fn unknown_block() {
    let step = r#"{ block = "radix_srt" }"#;
    refused(&[], step, "block radix_srt", &["unknown block `radix_srt`", "did you mean `radix_sort`?"]);
}

#[test]
fn block_without_a_bind_it_needs() {
    let step = r#"{ block = "radix_sort", bind = { keys = "cell_key" } }"#;
    refused(&[], step, "block radix_sort", &["add `bind = { payload = \"BUFFER\" }`"]);
}

#[test]
fn unknown_buffer_of_arguments() {
    let step = r#"{ pass = "hash", args = "pair_arg" }"#;
    let words = ["unknown buffer `pair_arg` in `args`", "did you mean `pair_args`?"];
    refused(&[("hash", hash())], step, "hash", &words);
}

#[test]
fn arguments_that_no_pass_has_written() {
    let step = r#"{ pass = "hash", over = "body", when = "rebuild" }"#;
    let words =
        ["`work_args` holds the arguments of this pass, but no pass before writes them", "behind one that writes them"];
    refused(&[("hash", hash())], step, "hash", &words);
}

#[test]
fn arguments_in_a_buffer_too_short() {
    let step = r#"{ pass = "hash", args = "neighbour_count" }"#;
    let error = planned(&[("hash", hash())], &stage(step), &Counts::new(2, 0, 1, 1, 1)).err().expect("refused");
    assert!(error.to_string().contains("`neighbour_count` has 8 bytes, too few for arguments"), "{error}");
}

#[test]
fn a_pass_that_writes_its_own_arguments() {
    let text = shader("hash", &["storage, read_write> pair_args: array<vec4<u32>>"], "pair_args[i].x = i;");
    let words =
        ["`pair_args` holds the arguments of this pass, which may not write them", "write them in a pass before"];
    refused(&[("hash", text)], r#"{ pass = "hash", args = "pair_args" }"#, "hash", &words);
}

#[test]
fn unknown_pass() {
    let words = ["hahs.wgsl: there is no such shader file, which the pipeline imports", "did you mean `hash`?"];
    refused(&[("hash", hash())], r#"{ pass = "hahs", over = "body" }"#, "hahs", &words);
}

#[test]
fn too_many_gated_passes() {
    let decide = shader("decide", &["storage, read_write> work_args: array<array<u32, 3>>"], "work_args[i][0] = 0u;");
    let gated = r#"{ pass = "hash", over = "body", when = "rebuild" }"#;
    let steps = |n: usize| format!(r#"{{ pass = "decide", over = "one" }}, {}"#, vec![gated; n].join(", "));
    let shaders = [("hash", hash()), ("decide", decide)];
    let most = counts().of("slot") as usize;
    assert_eq!(planned(&shaders, &stage(&steps(most)), &counts()).expect("plan").slots.len(), most);
    refused(
        &shaders,
        &steps(most + 1),
        "hash",
        &["more passes with a condition than `work_slot` holds", "raise `SLOTS_MAX`"],
    );
}

#[test]
fn two_stages_of_one_name() {
    let text = stage(HASH);
    let error = planned(&[("hash", hash())], &format!("{text}\n{text}"), &counts()).err().expect("refused").to_string();
    assert!(error.contains("stage `fill`") && error.contains("two stages have this name"), "{error}");
}

#[test]
fn unknown_keys_in_a_pipeline_file() {
    for (text, key, line) in [
        (stage(r#"{ pass = "hash", ovr = "body" }"#), "`ovr`", "line 3"),
        (format!("stages = 1\n{}", stage(HASH)), "`stages`", "line 1"),
        (stage(HASH) + "title = \"x\"\n", "`title`", "line 4"),
    ] {
        let error = file::parse("trial", &text).expect_err("refused").to_string();
        assert!(error.starts_with("pipelines/trial.toml: "), "{error}");
        for word in [key, line, "expected"] {
            assert!(error.contains(word), "says `{word}`:\n{error}");
        }
    }
}

#[test]
fn import_of_a_missing_module() {
    let text = format!("// a pass\nimport package::neighbours::cels::{{cell}};\n{}", hash());
    let cells = "fn cell() {}\n".to_owned();
    let shaders = [("hash", text), ("neighbours/cells", cells)];
    let words =
        ["neighbours/cels.wgsl: there is no such shader file", "hash.wgsl:2", "did you mean `neighbours/cells`?"];
    refused(&shaders, HASH, "hash", &words);
}

#[test]
fn import_of_a_missing_symbol() {
    let text = format!("\n\nimport package::neighbours::cells::{{cell, cel_size}};\n{}", hash());
    let cells = "fn cell() {}\nconst cell_size: u32 = 1u;\n".to_owned();
    let words = ["hash.wgsl:3: ", "cells.wgsl does not declare `cel_size`", "did you mean `cell_size`?"];
    refused(&[("hash", text), ("neighbours/cells", cells)], HASH, "hash", &words);
}

#[test]
fn import_that_is_not_written_as_imports_are() {
    for line in ["import package::neighbours::cells::{cell}", "import cells::{cell};", "import package::cells;"] {
        let words = ["hash.wgsl:1: ", "write `import package::folder::file::{a, b};`"];
        refused(&[("hash", format!("{line}\n{}", hash()))], HASH, "hash", &words);
    }
}

/// An error of the language points at the line of the file that it is in, not at that of the linked text.
#[test]
fn wgsl_that_does_not_parse() {
    let text = format!("import package::neighbours::cells::{{cell}};\n{}", hash());
    let cells = "fn cell() -> u32 {\n    return 1u +;\n}\n".to_owned();
    refused(&[("hash", text), ("neighbours/cells", cells)], HASH, "hash", &["cells.wgsl:2:", "return 1u +;"]);
}

#[test]
fn a_shader_that_is_not_what_its_file_says() {
    let other = hash().replace("fn hash", "fn hush");
    refused(&[("hash", other)], HASH, "hash", &["entry point is called `hush`", "name it `hash`"]);
    let two = hash() + "@compute @workgroup_size(1)\nfn more() {}\n";
    refused(&[("hash", two)], HASH, "hash", &["exactly one entry point"]);
    let idle = shader("hash", &["storage, read_write> cell_key: array<u32>"], "var x = cell_key[i]; x++;");
    refused(&[("hash", idle)], HASH, "hash", &["declared read_write but never written", "declare it `read`"]);
    let unused = format!("var<storage, read> cell_body: array<u32>;\n{}", hash());
    refused(&[("hash", unused)], HASH, "hash", &["`cell_body` is not used", "remove it"]);
}

#[test]
fn every_fault_is_named_at_once() {
    let steps = r#"{ pass = "copy", over = "bodies" }, { pass = "copy" }, { block = "none" }"#;
    let error = planned(&[("copy", copy())], &stage(steps), &counts()).err().expect("refused");
    assert_eq!(error.exit_code(), 2);
    assert_eq!(error.to_string().lines().count(), 3, "{error}");
}
