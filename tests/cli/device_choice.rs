//! Which adapter is taken: by `--gpu`, by what a scheduler grants, by kind. No GPU needed, but for the last test.

use crate::common::command::json;
use breccia::base::error::Error;
use breccia::gpu::choice::{Choice, Environment, NvidiaGpu, Wish, bus, choose};
use breccia::gpu::device::hlsl_compiler;
use breccia::gpu::grant;
use wgpu::{AdapterInfo, Backend, DeviceType, Features};

const NVIDIA: u32 = 0x10de;
const AMD: u32 = 0x1002;

fn adapter(name: &str, kind: DeviceType, vendor: u32, at: &str) -> AdapterInfo {
    let mut info = AdapterInfo::new(kind, Backend::Vulkan);
    (info.name, info.vendor, info.device_pci_bus_id) = (name.into(), vendor, at.into());
    info
}

fn software() -> AdapterInfo {
    adapter("llvmpipe", DeviceType::Cpu, 0x10005, "")
}

/// A node of three NVIDIA GPUs, listed by the Vulkan loader in another order than that of the bus.
fn node() -> Vec<AdapterInfo> {
    let gpu = |name, at| adapter(name, DeviceType::DiscreteGpu, NVIDIA, at);
    vec![gpu("third", "0000:c1:00.0"), gpu("first", "0000:01:00.0"), gpu("second", "0000:41:00.0"), software()]
}

const LISTED: &str = "GPU-aaaa-1, 00000000:01:00.0\nGPU-bbbb-2, 00000000:41:00.0\nGPU-cccc-3, 00000000:C1:00.0\n";

fn taken(adapters: &[AdapterInfo], wish: &Wish, set: &[(&str, &str)], listed: &str) -> Result<Choice, String> {
    let variable = |name: &str| set.iter().find(|(n, _)| *n == name).map(|(_, v)| (*v).to_owned());
    let nvidia = || grant::rows(listed);
    choose(adapters, wish, &Environment { variable: &variable, nvidia: &nvidia }).map_err(|e| {
        assert!(matches!(e, Error::NoAdapter(_)), "{e}");
        e.to_string()
    })
}

fn named(gpu: &str) -> Wish {
    Wish { gpu: Some(gpu.into()), require_gpu: false }
}

/// Name of the adapter that the environment leads to.
fn granted(adapters: &[AdapterInfo], set: &[(&str, &str)], listed: &str) -> String {
    let choice = taken(adapters, &Wish::default(), set, listed).unwrap_or_else(|e| panic!("{set:?}: {e}"));
    for (name, value) in set.iter().filter(|_| adapters.len() > 1) {
        assert!(choice.why.contains(&format!("{name}={value}")), "{}", choice.why);
    }
    adapters[choice.index].name.clone()
}

fn refused(adapters: &[AdapterInfo], set: &[(&str, &str)], listed: &str, words: &[&str]) {
    let text = taken(adapters, &Wish::default(), set, listed).expect_err(&format!("{set:?}"));
    for word in words {
        assert!(text.contains(word), "no `{word}` in: {text}");
    }
}

#[test]
fn without_a_scheduler_the_first_adapter_is_taken() {
    let choice = taken(&node(), &Wish::default(), &[], "").expect("chosen");
    assert_eq!((choice.index, choice.why.as_str()), (0, "the first of 3 adapters that are GPUs; --gpu takes another"));
    let alone = taken(&[software()], &Wish::default(), &[], "").expect("chosen");
    assert_eq!(alone.why, "no GPU answers, so it computes on the CPU");
    refused(&[], &[], "", &["no GPU adapter answers", "--engine reference"]);
}

#[test]
fn indices_of_cuda_count_by_pci_address() {
    for (value, name) in [("0", "first"), ("1", "second"), ("2,0", "third"), (" 1 , 2", "second"), ("1,-1,2", "second")]
    {
        let set = [("CUDA_VISIBLE_DEVICES", value)];
        assert_eq!(granted(&node(), &set, LISTED), name, "{value}, with nvidia-smi");
        assert_eq!(granted(&node(), &set, ""), name, "{value}, without it");
    }
    let set = [("CUDA_VISIBLE_DEVICES", "3")];
    refused(&node(), &set, LISTED, &["CUDA_VISIBLE_DEVICES=3", "nvidia-smi lists 3 GPUs", "--gpu INDEX"]);
    refused(&node(), &set, "", &["3 GPUs answer, so there is no GPU 3"]);
}

/// Where Vulkan shows fewer devices than nvidia-smi, indices in the two lists differ, addresses do not.
#[test]
fn a_gpu_that_vulkan_does_not_show_is_not_replaced_by_another() {
    let mut shown = node();
    shown.remove(1);
    assert_eq!(granted(&shown, &[("CUDA_VISIBLE_DEVICES", "1")], LISTED), "second");
    refused(&shown, &[("CUDA_VISIBLE_DEVICES", "0")], LISTED, &["at 0000:01:00.0, is no Vulkan adapter", "1: second"]);
}

#[test]
fn names_of_cuda_devices() {
    assert_eq!(granted(&node(), &[("CUDA_VISIBLE_DEVICES", "GPU-bbbb")], LISTED), "second");
    refused(&node(), &[("CUDA_VISIBLE_DEVICES", "GPU-dddd")], LISTED, &["nvidia-smi lists no GPU-dddd"]);
    refused(&node(), &[("CUDA_VISIBLE_DEVICES", "GPU-bbbb")], "", &["cannot be found out", "--gpu INDEX"]);
    assert_eq!(granted(&node()[..1], &[("CUDA_VISIBLE_DEVICES", "GPU-bbbb")], ""), "third");
    refused(&node(), &[("CUDA_VISIBLE_DEVICES", "MIG-1234")], LISTED, &["a MIG slice has no Vulkan"]);
}

#[test]
fn a_promised_gpu_is_not_replaced_by_the_cpu() {
    for name in ["CUDA_VISIBLE_DEVICES", "SLURM_JOB_GPUS", "ROCR_VISIBLE_DEVICES", "ZE_AFFINITY_MASK"] {
        let way_out = ["a GPU is promised", "0: llvmpipe", "--gpu INDEX", "breccia doctor"];
        refused(&[software()], &[(name, "0")], "", &way_out);
    }
    let asked = taken(&[software()], &named("llvm"), &[("CUDA_VISIBLE_DEVICES", "0")], "").expect("asked for");
    assert_eq!(asked.why, "--gpu llvm, whatever CUDA_VISIBLE_DEVICES=0 says");
}

#[test]
fn withheld_gpus_are_not_taken() {
    for value in ["", "-1", "NoDevFiles"] {
        assert_eq!(granted(&node(), &[("CUDA_VISIBLE_DEVICES", value)], LISTED), "llvmpipe", "`{value}`");
    }
    refused(&node()[..3], &[("CUDA_VISIBLE_DEVICES", "")], LISTED, &["grants no GPU", "--gpu INDEX"]);
    let mut with_amd = node();
    with_amd.insert(3, adapter("radeon", DeviceType::DiscreteGpu, AMD, "0000:e1:00.0"));
    assert_eq!(granted(&with_amd, &[("CUDA_VISIBLE_DEVICES", "")], LISTED), "radeon");
}

#[test]
fn slurm_counts_the_gpus_of_the_node_unless_the_job_is_fenced_in() {
    assert_eq!(granted(&node(), &[("SLURM_JOB_GPUS", "1")], LISTED), "second");
    assert_eq!(granted(&node(), &[("SLURM_JOB_GPUS", "1-2")], ""), "second");
    // one device granted and one to be seen: it is that, whatever its number on the node
    let fenced = [node()[2].clone(), software()];
    assert_eq!(granted(&fenced, &[("SLURM_JOB_GPUS", "6")], ""), "second");
    // CUDA_VISIBLE_DEVICES counts what the job sees and is asked first
    let both = [("SLURM_JOB_GPUS", "0"), ("CUDA_VISIBLE_DEVICES", "2")];
    let choice = taken(&node(), &Wish::default(), &both, LISTED).expect("chosen");
    assert_eq!(node()[choice.index].name, "third");
}

#[test]
fn the_variable_of_the_vendor_that_is_here_decides() {
    let amd = [
        adapter("red", DeviceType::DiscreteGpu, AMD, "0000:03:00.0"),
        adapter("blue", DeviceType::DiscreteGpu, AMD, "0000:02:00.0"),
        software(),
    ];
    let all = [("CUDA_VISIBLE_DEVICES", "0"), ("ROCR_VISIBLE_DEVICES", "1"), ("ZE_AFFINITY_MASK", "0.1")];
    let choice = taken(&amd, &Wish::default(), &all, "").expect("chosen");
    assert_eq!(
        (choice.index, choice.why.starts_with("ROCR_VISIBLE_DEVICES=1: GPU 1 of 2")),
        (0, true),
        "{}",
        choice.why
    );
    // AMD's programs heed CUDA's variable too
    assert_eq!(granted(&amd, &all[..1], ""), "blue");
    let intel = [adapter("arc", DeviceType::DiscreteGpu, 0x8086, ""), software()];
    assert_eq!(granted(&intel, &all[2..], ""), "arc");
}

/// A GPU that two drivers show (Vulkan and DirectX 12, say) counts once.
#[test]
fn one_device_under_two_drivers_counts_once() {
    let mut twice = vec![node()[1].clone(), node()[1].clone(), node()[2].clone()];
    twice[1].backend = Backend::Dx12;
    twice[1].name = "the same".into();
    assert_eq!(granted(&twice, &[("CUDA_VISIBLE_DEVICES", "1")], ""), "second");
}

#[test]
fn a_wish_is_heeded_before_all_else() {
    let set = [("CUDA_VISIBLE_DEVICES", "1")];
    assert_eq!(taken(&node(), &named("0"), &set, LISTED).expect("index").index, 0);
    assert_eq!(taken(&node(), &named("FIRST"), &set, LISTED).expect("name").index, 1);
    let unknown = taken(&node(), &named("7"), &set, LISTED).expect_err("no such");
    assert!(unknown.contains("no adapter matches --gpu 7") && unknown.contains("3: llvmpipe"), "{unknown}");
}

#[test]
fn software_is_refused_where_a_gpu_is_required() {
    let require = |gpu: Option<&str>| Wish { gpu: gpu.map(str::to_owned), require_gpu: true };
    for wish in [require(None), require(Some("llvmpipe"))] {
        let text = taken(&[software()], &wish, &[], "").expect_err("refused");
        assert!(text.contains("--require-gpu: llvmpipe computes on the CPU"), "{text}");
    }
    assert_eq!(taken(&node(), &require(None), &[], "").expect("a GPU").index, 0);
}

#[test]
fn addresses_on_the_bus() {
    assert_eq!(bus("0000:41:00.0"), Some([0, 0x41, 0, 0]));
    assert_eq!(bus("00010000:C1:1F.7"), Some([0x10000, 0xc1, 0x1f, 7]));
    assert_eq!(bus("41:00.0"), Some([0, 0x41, 0, 0]));
    for none in ["", "41", "0000:zz:00.0", "1.0"] {
        assert_eq!(bus(none), None, "{none}");
    }
    let listed: Vec<NvidiaGpu> = grant::rows(LISTED);
    assert_eq!(listed.iter().map(|g| g.bus[1]).collect::<Vec<_>>(), [1, 0x41, 0xc1]);
    assert!(grant::rows("GPU-a, 00000000:01:00.0\nnot understood\n").is_empty());
}

/// FXC, which wgpu takes where DXC is missing, ends at shader model 5.1.
#[test]
fn the_compiler_of_directx_is_told_by_what_it_offers() {
    assert_eq!(hlsl_compiler(Backend::Vulkan, Features::SUBGROUP), None);
    assert!(hlsl_compiler(Backend::Dx12, Features::SUBGROUP).is_some_and(|t| t.starts_with("DXC")));
    let without = hlsl_compiler(Backend::Dx12, Features::TIMESTAMP_QUERY).expect("told");
    assert!(without.starts_with("FXC") && without.contains("dxcompiler.dll"), "{without}");
}

/// The command: refused where only software answers, with exit code 3 and the remedy; the header says what was chosen.
#[test]
fn the_command_refuses_software_and_tells_its_choice() {
    let found = json(&["gpus"]);
    let kinds: Vec<_> = found.as_array().expect("list").iter().filter_map(|a| a["kind"].as_str()).collect();
    let only_software = kinds.iter().all(|k| *k == "Cpu");
    let folder = tempfile::tempdir().expect("folder");
    let run = |name: &str, words: &[&str], set: &[(&str, &str)]| {
        let out = folder.path().join(name);
        let mut command = assert_cmd::Command::cargo_bin("breccia").expect("built");
        for name in ["CUDA_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "ZE_AFFINITY_MASK", "SLURM_JOB_GPUS"] {
            command.env_remove(name);
        }
        command.envs(set.iter().copied()).args(["run", "bounce", "--stop-at-step", "1", "--out"]).arg(out).args(words);
        let output = command.output().expect("runs");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (code, text) = run("plain", &[], &[]);
    assert!(code == Some(75) && text.contains("  device chosen: "), "{code:?} {text}");
    assert_eq!(text.contains("WARNING: this is a software adapter"), only_software, "{text}");
    let wanted = if only_software { Some(3) } else { Some(75) };
    let (code, text) = run("required", &["--require-gpu"], &[]);
    assert!(code == wanted && text.contains("--require-gpu: ") == only_software, "{code:?} {text}");
    let promised = [("CUDA_VISIBLE_DEVICES", "0")];
    let (code, text) = run("promised", &[], &promised);
    assert!(code == wanted && text.contains("a GPU is promised") == only_software, "{code:?} {text}");
    let (code, text) = run("taken", &["--gpu", "0"], &promised);
    assert!(
        code == Some(75) && text.contains("device chosen: --gpu 0, whatever CUDA_VISIBLE_DEVICES=0 says"),
        "{text}"
    );
    let (code, text) = run("reference", &["--engine", "reference", "--require-gpu"], &[]);
    assert!(code == Some(2) && text.contains("leave out --gpu, --require-gpu"), "{code:?} {text}");
}
