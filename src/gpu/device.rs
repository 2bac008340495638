//! Opening a GPU: adapters, the choice among them, device with the adapter's own buffer sizes.

use super::choice::{self, Choice, Environment, Wish};
use super::drivers;
use super::grant::nvidia_smi;
use crate::base::error::{Error, Result};
use std::sync::{Arc, Mutex};

/// What forms of modules for software devices need: lanes that hand words over, and loads of two words at once.
pub const CPU_FEATURES: wgpu::Features = wgpu::Features::SUBGROUP.union(wgpu::Features::SHADER_INT64);

/// An open device and what is known about it.
pub struct Gpu {
    /// the adapter's description
    pub info: wgpu::AdapterInfo,
    /// why this adapter was taken, for people
    pub why: String,
    /// what the adapter could do besides
    pub offered: wgpu::Features,
    /// limits the device was opened with
    pub limits: wgpu::Limits,
    /// logical device
    pub device: wgpu::Device,
    /// its queue
    pub queue: wgpu::Queue,
    /// nanoseconds per timestamp tick; `None` where timestamps are missing
    pub timestamp_period: Option<f32>,
    /// a software device whose subgroups have eight lanes, with [`CPU_FEATURES`]: it takes modules in their form for such devices
    pub cpu_forms: bool,
    lost: Arc<Mutex<Option<String>>>,
}

fn instance() -> wgpu::Instance {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle_from_env();
    descriptor.backends = wgpu::Backends::VULKAN | wgpu::Backends::METAL | wgpu::Backends::DX12;
    // No validation layers, which a debug build would load where they are installed and run many times slower with; and no
    // checks of indirect arguments, which our own passes write within the limits of every device: they cost small runs 7 %
    // (lavapipe). WGPU_VALIDATION=1 and WGPU_VALIDATION_INDIRECT_CALL=1 ask for them.
    descriptor.flags = wgpu::InstanceFlags::empty().with_env();
    wgpu::Instance::new(descriptor)
}

/// All adapters, fastest kind first; the position is the index that `--gpu` takes.
pub fn adapters() -> Vec<wgpu::Adapter> {
    let instance = instance();
    let mut list = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::all()));
    list.sort_by_key(|a| rank(&a.get_info()));
    list
}

/// Kinds of adapters in order, the fastest first.
pub(super) fn rank(info: &wgpu::AdapterInfo) -> u32 {
    match info.device_type {
        wgpu::DeviceType::DiscreteGpu => 0,
        wgpu::DeviceType::IntegratedGpu => 1,
        wgpu::DeviceType::VirtualGpu => 2,
        wgpu::DeviceType::Other => 3,
        wgpu::DeviceType::Cpu => 4,
    }
}

/// One line for people: name, kind, backend, driver.
pub fn describe(info: &wgpu::AdapterInfo) -> String {
    format!("{} ({:?}, {:?}, {} {})", info.name, info.device_type, info.backend, info.driver, info.driver_info)
}

/// What compiles shaders on DirectX 12; `None` on other backends, whose drivers do it. Only DXC compiles shader model
/// 6; `offered` shows it by the features that need it.
pub fn hlsl_compiler(backend: wgpu::Backend, offered: wgpu::Features) -> Option<&'static str> {
    let six = offered.intersects(wgpu::Features::SUBGROUP | wgpu::Features::SHADER_INT64);
    (backend == wgpu::Backend::Dx12).then_some(match six {
        true => "DXC, shader model 6",
        false => {
            "FXC, shader model 5.1: passes compile for up to a minute at the start of a run; dxcompiler.dll beside breccia.exe or on the PATH, or a build with `--features static-dxc`, is faster"
        }
    })
}

/// The adapter that is wished for, or granted by the environment, and why.
fn choose(wish: &Wish) -> Result<(wgpu::Adapter, String)> {
    crate::base::address_space::refuse_low()?;
    let mut list = adapters();
    let infos: Vec<wgpu::AdapterInfo> = list.iter().map(wgpu::Adapter::get_info).collect();
    let signs = || drivers::here().signs();
    let environment = Environment { variable: &drivers::variable, nvidia: &nvidia_smi, drivers: &signs };
    let Choice { index, why } = choice::choose(&infos, wish, &environment)?;
    Ok((list.remove(index), why))
}

impl Gpu {
    /// Opens the adapter that `wanted` names, as [`Wish::gpu`] does; without a wish the one that a scheduler grants,
    /// or the fastest kind.
    pub fn open(wanted: Option<&str>) -> Result<Gpu> {
        Gpu::open_with(wanted, wgpu::Features::empty())
    }

    /// As [`Gpu::open`], with those features of `extra` that the adapter has.
    pub fn open_with(wanted: Option<&str>, extra: wgpu::Features) -> Result<Gpu> {
        Gpu::open_as(&Wish { gpu: wanted.map(str::to_owned), ..Wish::default() }, extra)
    }

    /// Opens the adapter that is wished for, with those of `extra` that it has.
    pub fn open_as(wish: &Wish, extra: wgpu::Features) -> Result<Gpu> {
        let (adapter, why) = choose(wish)?;
        let info = adapter.get_info();
        let offered = adapter.limits();
        // Kernels keep to the WebGPU defaults; only the two buffer sizes are raised to what the adapter has.
        let limits = wgpu::Limits {
            max_buffer_size: offered.max_buffer_size,
            max_storage_buffer_binding_size: offered.max_storage_buffer_binding_size,
            ..wgpu::Limits::default()
        };
        // Software devices load word by word for each lane, also where all lanes read the same; GPUs do not. Invocation l is lane
        // l & 7, which Vulkan does not promise and lavapipe keeps; `breccia verify` shows it.
        let eight = (info.subgroup_min_size, info.subgroup_max_size) == (8, 8);
        let software = info.device_type == wgpu::DeviceType::Cpu && info.backend == wgpu::Backend::Vulkan;
        let cpu_forms = software && eight && adapter.features().contains(CPU_FEATURES);
        let mut wanted = wgpu::Features::TIMESTAMP_QUERY | extra;
        if cpu_forms {
            wanted |= CPU_FEATURES;
        }
        let features = adapter.features() & wanted;
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("breccia"),
            required_features: features,
            required_limits: limits.clone(),
            experimental_features: wgpu::ExperimentalFeatures::disabled(),
            memory_hints: wgpu::MemoryHints::Performance,
            trace: wgpu::Trace::Off,
        };
        let (device, queue) = pollster::block_on(adapter.request_device(&descriptor))
            .map_err(|e| Error::NoAdapter(format!("{}: the device cannot be opened: {e}", describe(&info))))?;
        let lost = Arc::new(Mutex::new(None));
        let (on_lost, on_error) = (lost.clone(), lost.clone());
        device.set_device_lost_callback(move |reason, text| {
            *on_lost.lock().unwrap_or_else(|e| e.into_inner()) = Some(format!("device lost ({reason:?}): {text}"));
        });
        device.on_uncaptured_error(Arc::new(move |e: wgpu::Error| {
            let mut slot = on_error.lock().unwrap_or_else(|e| e.into_inner());
            slot.get_or_insert_with(|| e.to_string());
        }));
        let timestamp_period = features.contains(wgpu::Features::TIMESTAMP_QUERY).then(|| queue.get_timestamp_period());
        Ok(Gpu { info, why, offered: adapter.features(), limits, device, queue, timestamp_period, cpu_forms, lost })
    }

    /// True for software adapters (lavapipe, WARP).
    pub fn is_software(&self) -> bool {
        self.info.device_type == wgpu::DeviceType::Cpu
    }

    /// Refuses a buffer that the device could not bind as a whole.
    pub fn room(&self, name: &str, bytes: u64) -> Result<()> {
        let limit = self.limits.max_buffer_size.min(self.limits.max_storage_buffer_binding_size);
        if bytes <= limit {
            return Ok(());
        }
        let of_faces = ["surface_node", "surface_face", "face_"].iter().any(|of| name.starts_with(of));
        let less = match of_faces {
            true => "an asteroid.shape of fewer faces",
            false if name.starts_with("pair_") => "fewer bodies, a smaller neighbours.skin_radii,",
            false => "fewer bodies",
        };
        Err(Error::Capacity(format!(
            "buffer `{name}` needs {bytes} bytes, the device binds at most {limit}; use {less} or another GPU"
        )))
    }

    /// The first error the device has reported, if any.
    pub fn check(&self) -> Result<()> {
        let slot = self.lost.lock().unwrap_or_else(|e| e.into_inner());
        match &*slot {
            None => Ok(()),
            Some(text) if text.to_lowercase().contains("memory") => Err(Error::Capacity(text.clone())),
            Some(text) => Err(Error::DeviceLost(text.clone())),
        }
    }

    /// Waits until all submitted work is done.
    pub fn wait(&self) -> Result<()> {
        self.device.poll(wgpu::PollType::wait_indefinitely()).map_err(|e| Error::DeviceLost(e.to_string()))?;
        self.check()
    }

    /// Submits what `record` puts into one encoder; the submission can be waited for.
    pub fn submit(&self, record: impl FnOnce(&mut wgpu::CommandEncoder)) -> wgpu::SubmissionIndex {
        let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        record(&mut encoder);
        self.queue.submit([encoder.finish()])
    }

    /// Waits until a submission is done, and all before it.
    pub fn wait_for(&self, submission: wgpu::SubmissionIndex) -> Result<()> {
        let until = wgpu::PollType::Wait { submission_index: Some(submission), timeout: None };
        self.device.poll(until).map_err(|e| Error::DeviceLost(e.to_string()))?;
        self.check()
    }

    /// A buffer that the host can map once something was copied into it.
    pub fn staging(&self, bytes: u64) -> wgpu::Buffer {
        self.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("staging"),
            size: bytes.max(4),
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        })
    }

    /// Copies `bytes` of a buffer to the host, waiting for all work before.
    pub fn read(&self, buffer: &wgpu::Buffer, bytes: u64) -> Result<Vec<u8>> {
        let size = bytes.div_ceil(4) * 4;
        let staging = self.staging(size);
        self.submit(|e| e.copy_buffer_to_buffer(buffer, 0, &staging, 0, size));
        staging.map_async(wgpu::MapMode::Read, .., |_| {});
        self.wait()?;
        let view = staging.get_mapped_range(..).map_err(|e| Error::DeviceLost(e.to_string()))?;
        Ok(view[..bytes as usize].to_vec())
    }
}
