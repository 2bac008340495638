//! Opening a GPU: adapters, the choice among them, device with the adapter's own buffer sizes.

use crate::error::{Error, Result};
use std::sync::{Arc, Mutex};

/// An open device and what is known about it.
pub struct Gpu {
    /// the adapter's description
    pub info: wgpu::AdapterInfo,
    /// limits the device was opened with
    pub limits: wgpu::Limits,
    /// logical device
    pub device: wgpu::Device,
    /// its queue
    pub queue: wgpu::Queue,
    /// nanoseconds per timestamp tick; `None` where timestamps are missing
    pub timestamp_period: Option<f32>,
    lost: Arc<Mutex<Option<String>>>,
}

fn instance() -> wgpu::Instance {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle_from_env();
    descriptor.backends = wgpu::Backends::VULKAN | wgpu::Backends::METAL | wgpu::Backends::DX12;
    // Our own passes write all indirect arguments, within the limits of every device; having each one checked costs
    // small runs 7 % (lavapipe). WGPU_VALIDATION_INDIRECT_CALL=1 has them checked.
    let checked = wgpu::InstanceFlags::VALIDATION_INDIRECT_CALL;
    descriptor.flags = wgpu::InstanceFlags::default().difference(checked).with_env();
    wgpu::Instance::new(descriptor)
}

/// All adapters, fastest kind first; the position is the index that `--gpu` takes.
pub fn adapters() -> Vec<wgpu::Adapter> {
    let instance = instance();
    let mut list = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::all()));
    list.sort_by_key(|a| match a.get_info().device_type {
        wgpu::DeviceType::DiscreteGpu => 0,
        wgpu::DeviceType::IntegratedGpu => 1,
        wgpu::DeviceType::VirtualGpu => 2,
        wgpu::DeviceType::Other => 3,
        wgpu::DeviceType::Cpu => 4,
    });
    list
}

/// One line for people: name, kind, backend, driver.
pub fn describe(info: &wgpu::AdapterInfo) -> String {
    format!("{} ({:?}, {:?}, {} {})", info.name, info.device_type, info.backend, info.driver, info.driver_info)
}

fn choose(wanted: Option<&str>) -> Result<wgpu::Adapter> {
    let mut list = adapters();
    let names = || {
        list.iter()
            .enumerate()
            .map(|(i, a)| format!("  {i}: {}", describe(&a.get_info())))
            .collect::<Vec<_>>()
            .join("\n")
    };
    if list.is_empty() {
        return Err(Error::NoAdapter(
            "no GPU adapter answers; install a Vulkan driver (software: package mesa-vulkan-drivers), then see `breccia doctor`; `breccia run --engine reference` needs none".into(),
        ));
    }
    let Some(wanted) = wanted else {
        return Ok(list.remove(0));
    };
    let found = match wanted.parse::<usize>() {
        Ok(index) => (index < list.len()).then_some(index),
        Err(_) => {
            let needle = wanted.to_lowercase();
            list.iter().position(|a| a.get_info().name.to_lowercase().contains(&needle))
        }
    };
    match found {
        Some(index) => Ok(list.remove(index)),
        None => Err(Error::NoAdapter(format!("no adapter matches --gpu {wanted}; there are:\n{}", names()))),
    }
}

impl Gpu {
    /// Opens the adapter that `wanted` names (index or part of the name); without a wish the fastest kind.
    pub fn open(wanted: Option<&str>) -> Result<Gpu> {
        let adapter = choose(wanted)?;
        let info = adapter.get_info();
        let offered = adapter.limits();
        // Kernels keep to the WebGPU defaults; only the two buffer sizes are raised to what the adapter has.
        let limits = wgpu::Limits {
            max_buffer_size: offered.max_buffer_size,
            max_storage_buffer_binding_size: offered.max_storage_buffer_binding_size,
            ..wgpu::Limits::default()
        };
        let features = adapter.features() & wgpu::Features::TIMESTAMP_QUERY;
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
        Ok(Gpu { info, limits, device, queue, timestamp_period, lost })
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
        let of_faces = matches!(name, "surface_node" | "surface_face") || name.starts_with("face_");
        let less = if of_faces { "an asteroid.shape of fewer faces" } else { "fewer bodies" };
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
