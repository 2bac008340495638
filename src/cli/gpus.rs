//! `breccia gpus`: the adapters of this machine, in the order that `--gpu` with an index counts.

use breccia::base::error::{Error, Result};
use breccia::base::json;
use breccia::gpu::choice::{address, bus};
use breccia::gpu::device;
use serde::Serialize;

/// List the GPU adapters, software ones included
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Print one JSON array instead of lines
    #[arg(long)]
    pub json: bool,
}

/// One adapter as printed.
#[derive(Debug, Serialize)]
pub(super) struct Adapter {
    /// what `--gpu` takes
    pub index: usize,
    /// the driver's name of the device
    pub name: String,
    /// `DiscreteGpu`, `IntegratedGpu`, `VirtualGpu`, `Cpu` (software) or `Other`
    pub kind: String,
    /// `Vulkan`, `Metal` or `Dx12`
    pub backend: String,
    /// driver name and version
    pub driver: String,
    /// where it is on the PCI bus, which `--gpu` takes too; none of a software adapter
    pub pci: Option<String>,
    /// largest buffer, bytes
    pub max_buffer_bytes: u64,
    /// largest part of a buffer a kernel can see, bytes
    pub max_binding_bytes: u64,
    /// storage buffers per kernel
    pub max_storage_buffers: u32,
    /// threads per workgroup
    pub max_threads: u32,
    /// memory shared in a workgroup, bytes
    pub max_shared_bytes: u32,
    /// whether kernel times can be measured on the device
    pub timestamps: bool,
}

/// The adapters found, in the order of [`device::adapters`].
pub(super) fn list() -> Vec<Adapter> {
    device::adapters().iter().enumerate().map(|(index, a)| adapter(index, a)).collect()
}

fn adapter(index: usize, adapter: &wgpu::Adapter) -> Adapter {
    let (info, limits) = (adapter.get_info(), adapter.limits());
    Adapter {
        index,
        kind: format!("{:?}", info.device_type),
        backend: format!("{:?}", info.backend),
        driver: format!("{} {}", info.driver, info.driver_info).trim().to_string(),
        pci: bus(&info.device_pci_bus_id).map(address),
        name: info.name,
        max_buffer_bytes: limits.max_buffer_size,
        max_binding_bytes: limits.max_storage_buffer_binding_size,
        max_storage_buffers: limits.max_storage_buffers_per_shader_stage,
        max_threads: limits.max_compute_invocations_per_workgroup,
        max_shared_bytes: limits.max_compute_workgroup_storage_size,
        timestamps: adapter.features().contains(wgpu::Features::TIMESTAMP_QUERY),
    }
}

/// One adapter as two lines for people.
pub(super) fn text(a: &Adapter) -> String {
    let mib = |bytes: u64| bytes >> 20;
    format!(
        "{}: {} ({}, {}, {}){}\n   buffer {} MiB, binding {} MiB, {} storage buffers, {} threads and {} KiB shared a workgroup, timestamps {}",
        a.index,
        a.name,
        a.kind,
        a.backend,
        a.driver,
        a.pci.as_ref().map_or(String::new(), |at| format!(" at {at}")),
        mib(a.max_buffer_bytes),
        mib(a.max_binding_bytes),
        a.max_storage_buffers,
        a.max_threads,
        a.max_shared_bytes >> 10,
        if a.timestamps { "yes" } else { "no" },
    )
}

/// Prints the list; [`Error::NoAdapter`] when it is empty (after `[]` with `--json`).
pub(super) fn run(args: Args) -> Result<u8> {
    breccia::base::address_space::refuse_low()?;
    let list = list();
    if args.json {
        println!("{}", json::pretty(&list)?);
    } else {
        list.iter().for_each(|a| println!("{}", text(a)));
    }
    if list.is_empty() {
        return Err(Error::NoAdapter("no GPU adapter answers; `breccia doctor` looks for the reason".into()));
    }
    Ok(0)
}
