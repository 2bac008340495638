//! Which adapter is taken: by `--gpu`, by what a scheduler grants, by kind. No GPU needed, but for the last test.

use crate::common::command::json;
use breccia::base::error::Error;
use breccia::gpu::choice::{Choice, Environment, NvidiaGpu, Wish, bus, choose};
use breccia::gpu::device::hlsl_compiler;
use breccia::gpu::drivers::Machine;
use breccia::gpu::grant;
use predicates::prelude::PredicateBooleanExt;
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
    taken_on(adapters, wish, set, listed, &[])
}

/// On a machine with these signs of a GPU's driver.
fn taken_on(
    adapters: &[AdapterInfo],
    wish: &Wish,
    set: &[(&str, &str)],
    listed: &str,
    signs: &[&str],
) -> Result<Choice, String> {
    let variable = |name: &str| set.iter().find(|(n, _)| *n == name).map(|(_, v)| (*v).to_owned());
    let nvidia = || grant::rows(listed);
    let drivers = || signs.iter().map(|s| (*s).to_owned()).collect();
    choose(adapters, wish, &Environment { variable: &variable, nvidia: &nvidia, drivers: &drivers }).map_err(|e| {
        assert!(matches!(e, Error::NoAdapter(_)), "{e}");
        e.to_string()
    })
}

fn named(gpu: &str) -> Wish {
    Wish { gpu: Some(gpu.into()), ..Wish::default() }
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
    // nor the only one that Vulkan shows
    let only = &shown[..1];
    assert_eq!(granted(only, &[("CUDA_VISIBLE_DEVICES", "2")], LISTED), "third");
    assert_eq!(granted(only, &[("CUDA_VISIBLE_DEVICES", "GPU-cccc")], LISTED), "third");
    for other in ["0", "GPU-aaaa"] {
        refused(
            only,
            &[("CUDA_VISIBLE_DEVICES", other)],
            LISTED,
            &["at 0000:01:00.0, is no Vulkan adapter", "0: third"],
        );
    }
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

/// A number beyond the list is looked for in the names of GPUs, as a whole, and never in that of a software adapter.
#[test]
fn a_number_beyond_the_list_is_a_part_of_a_name() {
    let gpu = |name| adapter(name, DeviceType::DiscreteGpu, NVIDIA, "");
    let mixed = [
        gpu("GeForce RTX 3090"),
        gpu("GeForce RTX 4090"),
        adapter("llvmpipe (LLVM 15.0.6)", DeviceType::Cpu, 0x10005, ""),
    ];
    let index = |wanted: &str| taken(&mixed, &named(wanted), &[], "").map(|c| c.index);
    assert_eq!((index("4090"), index("3090"), index("1")), (Ok(1), Ok(0), Ok(1)));
    for none in ["6", "15", "409", "90"] {
        let text = index(none).expect_err(none);
        let both = [
            "it is no index, which go from 0 to 2",
            &format!("no GPU has the number {none} in its name"),
            "0: GeForce",
        ];
        assert!(both.iter().all(|words| text.contains(words)), "{text}");
    }
}

#[test]
fn software_is_refused_where_a_gpu_is_required() {
    let require = |gpu: Option<&str>| Wish { gpu: gpu.map(str::to_owned), require_gpu: true, software: false };
    for wish in [require(None), require(Some("llvmpipe"))] {
        let text = taken(&[software()], &wish, &[], "").expect_err("refused");
        assert!(text.contains("--require-gpu: llvmpipe computes on the CPU"), "{text}");
    }
    assert_eq!(taken(&node(), &require(None), &[], "").expect("a GPU").index, 0);
}

/// Tasks of a node that are granted its GPUs together share them out by their number on the node.
#[test]
fn tasks_of_a_node_take_different_gpus() {
    let of_task = |task: &str, variable: (&str, &str)| {
        let choice = taken(&node(), &Wish::default(), &[variable, ("SLURM_LOCALID", task)], LISTED).expect("chosen");
        (node()[choice.index].name.clone(), choice.why)
    };
    for variable in [("CUDA_VISIBLE_DEVICES", "0,1,2"), ("SLURM_JOB_GPUS", "0-2")] {
        let names = ["0", "1", "2", "3"].map(|task| of_task(task, variable).0);
        assert_eq!(names.iter().collect::<std::collections::BTreeSet<_>>().len(), 3, "{names:?}");
        assert_eq!(names[3], names[0], "a fourth task shares with the first");
    }
    let (name, why) = of_task("1", ("CUDA_VISIBLE_DEVICES", "2,0"));
    assert_eq!((name.as_str(), why.contains("for task 1 of the node")), ("first", true), "{why}");
    // a task that is granted one GPU takes it, whatever its number
    assert_eq!(of_task("1", ("CUDA_VISIBLE_DEVICES", "2")).0, "third");
}

#[test]
fn gpus_are_named_by_address_and_by_nvidias_name() {
    let name = |gpu: &str| node()[taken(&node(), &named(gpu), &[], LISTED).expect(gpu).index].name.clone();
    assert_eq!(["0000:41:00.0", "41:00.0", "00000000:C1:00.0"].map(name), ["second", "second", "third"]);
    assert_eq!(name("GPU-aaaa"), "first");
    let refused = |gpu: &str, listed: &str| taken(&node(), &named(gpu), &[], listed).expect_err(gpu);
    assert!(refused("0000:42:00.0", "").contains("nothing is at this PCI address"));
    assert!(refused("GPU-dddd", LISTED).contains("nvidia-smi lists no such name"));
    assert!(refused("GPU-aaaa", "").contains("name an index or a PCI address"));
    assert!(
        refused("GPU-eeee", "GPU-eeee, 00000000:99:00.0").contains("at 0000:99:00.0, where Vulkan shows no adapter")
    );
    // the way out is in the list of adapters
    assert!(refused("GPU-aaaa", "").contains("at 0000:c1:00.0"));
    let twins = [node()[0].clone(), node()[0].clone()];
    assert_eq!(taken(&twins, &named("third"), &[], "").expect("one").why, "--gpu third: the first of 2 of this name");
}

/// A node whose GPU does not answer must not spend its hours on the CPU.
#[test]
fn software_is_refused_where_a_gpu_has_a_driver() {
    let signs = ["/dev/nvidia0", "/dev/nvidiactl"];
    let lost = |wish: &Wish, set: &[(&str, &str)]| taken_on(&[software()], wish, set, "", &signs);
    for wish in [Wish::default(), named("0")] {
        let text = lost(&wish, &[]).expect_err("refused");
        for word in ["(/dev/nvidia0, /dev/nvidiactl)", "0: llvmpipe", "breccia doctor", "--software"] {
            assert!(text.contains(word), "no `{word}` in: {text}");
        }
    }
    let software_wished = Wish { software: true, ..Wish::default() };
    assert_eq!(lost(&software_wished, &[]).expect("asked for").why, "--software");
    assert_eq!(lost(&named("llvm"), &[]).expect("named").why, "--gpu llvm");
    assert_eq!(lost(&software_wished, &[("CUDA_VISIBLE_DEVICES", "0")]).expect("asked for").index, 0);
    // a scheduler that grants no GPU means the CPU
    assert_eq!(lost(&Wish::default(), &[("CUDA_VISIBLE_DEVICES", "")]).expect("granted none").index, 0);
    // a GPU that answers is taken, signs or none
    assert_eq!(taken_on(&node(), &Wish::default(), &[], "", &signs).expect("a GPU").index, 0);
    assert_eq!(taken(&node(), &software_wished, &[], "").expect("asked for").index, 3);
    let none = taken(&node()[..3], &software_wished, &[], "").expect_err("none");
    assert!(none.contains("no software adapter answers"), "{none}");
    let both = Wish { software: true, ..named("1") };
    assert!(taken(&node(), &both, &[], "").expect_err("a GPU").contains("--software: first is a GPU"));
}

/// Signs of a GPU's driver in made-up file systems.
#[cfg(unix)]
#[test]
fn signs_of_drivers() {
    let signs = |files: &[&str], links: &[(&str, &str)], set: &[(&str, &str)]| {
        let folder = tempfile::tempdir().expect("folder");
        let make = |path: &str| {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            path
        };
        files.iter().for_each(|file| std::fs::write(make(file), "").expect("written"));
        links.iter().for_each(|(link, to)| std::os::unix::fs::symlink(to, make(link)).expect("linked"));
        let variable = |name: &str| set.iter().find(|(n, _)| *n == name).map(|(_, v)| (*v).to_owned());
        let found = Machine { root: folder.path(), variable: &variable }.signs();
        let root = folder.path().display().to_string();
        found.into_iter().map(|sign| sign.replace(&root, "")).collect::<Vec<_>>()
    };
    let mesa =
        ["lvp_icd.x86_64", "radeon_icd.x86_64", "intel_icd.x86_64"].map(|f| format!("usr/share/vulkan/icd.d/{f}.json"));
    let mesa = mesa.each_ref().map(String::as_str);
    let node = [("sys/class/drm/renderD128/device/driver", "../../../bus/pci/drivers/amdgpu")];
    let virtual_node = [("sys/class/drm/renderD128/device/driver", "../../../bus/virtio/drivers/virtio_gpu")];
    assert_eq!(signs(&[], &[], &[]), [""; 0]);
    assert_eq!(signs(&mesa, &[], &[]), [""; 0], "Mesa's files come with its software adapter");
    assert_eq!(
        signs(&["dev/nvidia0", "dev/nvidia-caps", "dev/nvidiactl"], &[], &[]),
        ["/dev/nvidia0", "/dev/nvidiactl"]
    );
    assert_eq!(signs(&["dev/dri/card0", "dev/dri/renderD128"], &node, &[]), ["/dev/dri/renderD128"]);
    assert_eq!(signs(&["dev/dri/card0", "dev/dri/renderD128"], &virtual_node, &[]), [""; 0]);
    assert_eq!(signs(&["dev/dri/card0"], &[], &[]), [""; 0], "a screen is not a GPU");
    let [file, library] = ["etc/vulkan/icd.d/nvidia_icd.json", "usr/lib/libGLX_nvidia.so.0"];
    assert_eq!(signs(&[file], &[], &[]), [""; 0], "an image of a container has the file without the driver");
    assert_eq!(signs(&[file, library], &[], &[]), [format!("/{file} and /{library}")]);
    let on_lavapipe = [("VK_DRIVER_FILES", "/usr/share/vulkan/icd.d/lvp_icd.x86_64.json")];
    assert_eq!(signs(&["dev/nvidia0"], &[], &on_lavapipe), [""; 0], "software alone is wished for");
    assert_eq!(signs(&["dev/nvidia0"], &[], &[("VK_DRIVER_FILES", "nvidia_icd.json")]), ["/dev/nvidia0"]);
    let both = [&mesa[..], &["dev/nvidia0"]].concat();
    let (select, disable) = ("VK_LOADER_DRIVERS_SELECT", "VK_LOADER_DRIVERS_DISABLE");
    for wish in ["*lvp*", "LVP_icd*", "none.json, lvp_icd.x86_64.json", "*icd.x86_64.json,lvp*"] {
        let alone = !wish.starts_with("*icd");
        assert_eq!(signs(&both, &[], &[(select, wish)]).is_empty(), alone, "{wish}");
    }
    assert_eq!(signs(&both, &[], &[(disable, "radeon*,*intel*")]), [""; 0], "the rest is lavapipe");
    assert_eq!(signs(&both, &[], &[(disable, "radeon*")]), ["/dev/nvidia0"]);
    assert_eq!(signs(&both, &[], &[(select, "lvp*"), (disable, "*")]), [""; 0], "what is selected stays");
    assert_eq!(signs(&["dev/nvidia0"], &[], &[(select, "lvp*")]), ["/dev/nvidia0"], "no such driver is there");
    assert_eq!(signs(&[], &[], &[("SLURM_GPUS_ON_NODE", "2")]), ["SLURM_GPUS_ON_NODE=2"]);
    assert_eq!(signs(&[], &[], &[("SLURM_GPUS_ON_NODE", "0")]), [""; 0]);
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
        let (gone, set): (Vec<_>, Vec<_>) = set.iter().copied().partition(|(_, value)| value.is_empty());
        for (name, _) in gone {
            command.env_remove(name);
        }
        command.envs(set).args(["run", "bounce", "--stop-at-step", "1", "--out"]).arg(out).args(words);
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
    let (code, text) = run("both", &["--software", "--require-gpu"], &[]);
    assert!(code == Some(2) && text.contains("cannot be used with"), "{code:?} {text}");
    let (code, text) = run("software", &["--software"], &promised);
    let has_software = kinds.contains(&"Cpu");
    assert_eq!(code, Some(if has_software { 75 } else { 3 }), "{text}");
    assert_eq!(text.contains("device chosen: --software"), has_software, "{text}");
    // A node of two GPUs with a broken driver, by what its scheduler says: nothing is computed.
    let lost = [("SLURM_GPUS_ON_NODE", "2"), ("VK_DRIVER_FILES", ""), ("VK_ICD_FILENAMES", "")];
    let (code, text) = run("lost", &[], &lost);
    assert_eq!(
        (code, text.contains("a GPU has a driver here (SLURM_GPUS_ON_NODE=2")),
        (wanted, only_software),
        "{text}"
    );
    assert_eq!(folder.path().join("lost").exists(), !only_software);
}

#[test]
fn a_machine_without_a_screen_is_not_told_of_it() {
    let mut command = assert_cmd::Command::cargo_bin("breccia").unwrap();
    for name in ["XDG_RUNTIME_DIR", "WAYLAND_DISPLAY", "MESA_VK_DEVICE_SELECT", "NODEVICE_SELECT"] {
        command.env_remove(name);
    }
    command.arg("gpus").assert().success().stderr(predicates::str::contains("XDG_RUNTIME_DIR").not());
}

/// As an unset variable in `--gpu "$GPU"` gives it: it names no adapter, and overrides no scheduler.
#[test]
fn an_empty_name_is_refused() {
    for name in ["", " "] {
        let variable = |_: &str| None;
        let environment = Environment { variable: &variable, nvidia: &Vec::new, drivers: &Vec::new };
        let told = choose(&node(), &named(name), &environment).expect_err("names nothing");
        assert!(told.exit_code() == 2 && told.to_string().contains("--gpu is given without a name"), "{told}");
    }
}
