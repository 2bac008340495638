//! `breccia doctor`: looks at each thing a run needs and says what to do where one is missing.

use super::common::Adapter;
use super::gpus;
use breccia::base::error::{Error, Result};
use breccia::base::fault::Fault;
use breccia::base::json;
use breccia::gpu::device;
use breccia::gpu::device::Gpu;
use breccia::gpu::drivers::here;
use breccia::gpu::grant::Variable;
use breccia::gpu::kernel::Kernel;
use breccia::gpu::mesa;
use breccia::gpu::threads;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Look at drivers, device, arithmetic and file system, and say what to do where one fails
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Print one JSON object instead of lines
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub adapter: Adapter,
    /// Folder in which writing and renaming is tested
    #[arg(long, default_value = ".")]
    pub folder: PathBuf,
}

/// One thing looked at. `ok` is `None` for plain information.
#[derive(Debug, Serialize)]
struct Finding {
    what: &'static str,
    ok: Option<bool>,
    text: String,
}

#[derive(Debug, Serialize)]
struct Report {
    findings: Vec<Finding>,
    adapters: Vec<gpus::Adapter>,
    advice: Vec<String>,
}

/// Looks at everything, prints, and returns 0, 3 (no usable adapter), 4 (wrong answers) or 7 (folder).
pub(super) fn run(args: Args) -> Result<u8> {
    breccia::base::address_space::refuse_low()?;
    let drivers = here().files();
    let adapters = gpus::list();
    let mut findings = vec![loader(), icd_finding(&drivers)];
    findings.extend(environment());
    let opened = Gpu::open_as(&args.adapter.wish(), wgpu::Features::empty());
    let mut code = 0;
    match &opened {
        Ok(gpu) => {
            findings.push(finding("device", true, device::describe(&gpu.info)));
            findings.push(Finding { what: "device chosen", ok: None, text: gpu.why.clone() });
            findings.extend(threads::taken(&gpu.info).map(threads_finding));
            let compiler = device::hlsl_compiler(gpu.info.backend, gpu.offered);
            findings.extend(compiler.map(|text| Finding { what: "shader compiler", ok: None, text: text.into() }));
            let kernel = match kernel_test(gpu) {
                Ok(text) => finding("kernel", true, text),
                Err(e) => {
                    code = 4;
                    finding("kernel", false, e.to_string())
                }
            };
            findings.push(kernel);
        }
        Err(e) => {
            code = 3;
            findings.push(finding("device", false, e.to_string()));
        }
    }
    match folder_test(&args.folder) {
        Ok(text) => findings.push(finding("folder", true, text)),
        Err(e) => {
            code = if code == 0 { 7 } else { code };
            findings.push(finding("folder", false, e.to_string()));
        }
    }
    let report = Report { advice: advice(&drivers, &adapters), findings, adapters };
    print(&report, args.json)?;
    Ok(code)
}

fn finding(what: &'static str, ok: bool, text: String) -> Finding {
    Finding { what, ok: Some(ok), text }
}

fn print(report: &Report, json: bool) -> Result<()> {
    if json {
        println!("{}", json::pretty(report)?);
        return Ok(());
    }
    for f in &report.findings {
        let mark = match f.ok {
            Some(true) => "ok  ",
            Some(false) => "FAIL",
            None => "    ",
        };
        println!("{mark} {}: {}", f.what, f.text);
    }
    report.adapters.iter().for_each(|a| println!("{}", gpus::text(a)));
    report.advice.iter().for_each(|a| println!("advice: {a}"));
    Ok(())
}

fn loader() -> Finding {
    if !cfg!(target_os = "linux") {
        return Finding { what: "loader", ok: None, text: "not needed on this system (Metal or DirectX 12)".into() };
    }
    match here().library("libvulkan.so.1") {
        Some(path) => finding("loader", true, path.display().to_string()),
        None => finding("loader", false, "libvulkan.so.1 not found (packages libvulkan1, vulkan-loader)".into()),
    }
}

fn icd_finding(files: &[PathBuf]) -> Finding {
    let text = if files.is_empty() {
        "none".to_string()
    } else {
        let name = |p: &PathBuf| format!("{}{}", p.display(), if p.exists() { "" } else { " (missing)" });
        files.iter().map(name).collect::<Vec<_>>().join(", ")
    };
    let ok = cfg!(target_os = "linux").then(|| files.iter().any(|p| p.exists()));
    Finding { what: "driver files", ok, text }
}

/// The variables that change which device answers, only those that are set.
fn environment() -> Vec<Finding> {
    const PREFIXES: [&str; 4] = ["VK_", "WGPU_", "SLURM_JOB_ID", "NVIDIA_"];
    let mut set: Vec<String> = std::env::vars_os()
        .filter_map(|(k, v)| Some((k.into_string().ok()?, v.to_string_lossy().into_owned())))
        .filter(|(k, _)| PREFIXES.iter().any(|p| k.starts_with(p)) || Variable::ALL.iter().any(|v| v.name == k))
        .map(|(k, v)| format!("{k}={v}"))
        .collect();
    set.sort();
    set.into_iter().map(|text| Finding { what: "environment", ok: None, text }).collect()
}

/// What a run on lavapipe will compute with; `taken`: unless its size says less.
fn threads_finding(taken: usize) -> Finding {
    let text = match std::env::var_os(threads::VARIABLE) {
        Some(value) => format!("{taken}, by {}={}", threads::VARIABLE, value.display()),
        None => format!("1 for small runs, {taken} for large ones"),
    };
    Finding { what: "threads", ok: None, text }
}

const KERNEL: &str = "
@group(0) @binding(0) var<storage, read_write> words: array<u32>;
fn finite(bits: u32) -> u32 { return select(0u, 1u, (bits & 0x7f800000u) != 0x7f800000u); }
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i >= arrayLength(&words)) { return; }
    let x = bitcast<f32>(words[i]);
    if (finite(bitcast<u32>(x)) == 0u) { words[i] = 7u; return; }
    words[i] = bitcast<u32>(x * 0.5);
}";

/// Halves 4096 numbers, three of which are NaN or infinite and must be recognised by their bits.
fn kernel_test(gpu: &Gpu) -> Result<String> {
    const N: u32 = 4096;
    let odd = [(5, f32::NAN), (70, f32::INFINITY), (4095, f32::NEG_INFINITY)];
    let mut input: Vec<f32> = (0..N).map(|i| i as f32).collect();
    odd.iter().for_each(|&(i, v)| input[i] = v);
    // Halving is exact, so the comparison is bit for bit.
    let wanted: Vec<u32> = input.iter().map(|x| if x.is_finite() { (x * 0.5).to_bits() } else { 7 }).collect();
    let bytes = u64::from(N) * 4;
    let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("doctor"),
        size: bytes,
        usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    gpu.queue.write_buffer(&buffer, 0, bytemuck::cast_slice(&input));
    let start = Instant::now();
    let kernel = Kernel::new(gpu, "doctor", KERNEL, &[&buffer]);
    gpu.submit(|encoder| kernel.record(encoder, N.div_ceil(64), 1));
    let got = gpu.read(&buffer, bytes)?;
    let got: Vec<u32> = bytemuck::pod_collect_to_vec(&got);
    let elapsed_ms = start.elapsed().as_secs_f64() * 1e3;
    let wrong = got.iter().zip(&wanted).filter(|(a, b)| a != b).count();
    if wrong > 0 {
        return Err(Error::DeviceLost(format!("{wrong} of {N} answers are wrong: do not trust this driver")));
    }
    Ok(format!("{N} answers right, NaN and infinity recognised; first dispatch with compilation {elapsed_ms:.1} ms"))
}

/// Checkpoints are written under a temporary name in their folder and then renamed: both must work.
fn folder_test(folder: &Path) -> Result<String> {
    let name = format!(".breccia-doctor-{}", std::process::id());
    let (new, old) = (folder.join(format!("{name}.new")), folder.join(name));
    let start = Instant::now();
    let result = (|| {
        std::fs::write(&old, b"old").map_err(|e| Error::io(&old, e))?;
        std::fs::write(&new, b"new").map_err(|e| Error::io(&new, e))?;
        std::fs::rename(&new, &old).map_err(|e| Error::io(&new, e))?;
        let read = std::fs::read(&old).map_err(|e| Error::io(&old, e))?;
        if read == b"new" { Ok(()) } else { Err(Fault::new("renaming kept the old content").path(&old).data()) }
    })();
    // What is left of a failed test is removed as far as possible; the failure itself is already in `result`.
    let _ = std::fs::remove_file(&new);
    let _ = std::fs::remove_file(&old);
    result
        .map(|()| format!("{}: write and rename work, {:.1} ms", folder.display(), start.elapsed().as_secs_f64() * 1e3))
}

fn advice(drivers: &[PathBuf], adapters: &[gpus::Adapter]) -> Vec<String> {
    let software = adapters.iter().all(|a| a.kind == "Cpu");
    let mut list = Vec::new();
    let nvidia = Path::new("/dev/nvidiactl").exists();
    if software && nvidia {
        list.push("an NVIDIA GPU is here but Vulkan does not reach it".into());
        if !drivers.iter().any(|p| p.to_string_lossy().contains("nvidia")) {
            list.push(
                "no nvidia_icd.json among the driver files: install it with the driver, or name it in VK_DRIVER_FILES"
                    .into(),
            );
        }
        if here().library("libGLX_nvidia.so.0").is_none() && here().library("libEGL_nvidia.so.0").is_none() {
            list.push("neither libGLX_nvidia.so.0 nor libEGL_nvidia.so.0 found: in a container NVIDIA_DRIVER_CAPABILITIES must include graphics".into());
        }
        if here().library("libXext.so.6").is_none() {
            list.push(
                "libXext.so.6 not found: the NVIDIA driver loads it even without a display (package libxext6)".into(),
            );
        }
        list.push("a MIG slice has no Vulkan: ask for a whole GPU".into());
    } else if software {
        list.push(
            "only a software adapter, or none: tests pass on it, but it is slow: keep below 100,000 bodies".into(),
        );
    }
    if software {
        list.extend(adapters.iter().find_map(|a| mesa::advice(&a.driver)));
    }
    list
}
