//! What a Vulkan driver says of the machine code that it makes of a compute shader (VK_KHR_pipeline_executable_properties).
//! wgpu does not ask for it, so this opens a device of its own. It allocates nothing on the device and runs nothing.

#![allow(unsafe_code, reason = "ash is Vulkan as it is in C")]

use crate::base::error::{Error, Result};
use crate::gpu::pipeline::reflect::{Access, Shader};
use ash::vk;
use std::ffi::CStr;
use std::time::Instant;

/// An open device whose driver shows what it makes of shaders.
pub(super) struct Driver {
    /// as the driver calls the device
    pub name: String,
    /// waves that a SIMD or a multiprocessor holds at most, where the driver tells
    pub waves_max: Option<u64>,
    spirv: (u8, u8),
    robust2: bool,
    device: ash::Device,
    executable: ash::khr::pipeline_executable_properties::Device,
    instance: ash::Instance,
    // the loader must outlive what it has made
    _entry: ash::Entry,
}

/// What a driver says of one pass.
pub(super) struct Said {
    /// time that the driver took (s)
    pub seconds: f64,
    /// names and numbers, as the driver has them
    pub statistics: Vec<(String, f64)>,
}

/// A device that may be taken.
struct Candidate {
    physical: vk::PhysicalDevice,
    name: String,
    api: u32,
    extensions: Vec<String>,
}

const NEEDED: &CStr = ash::khr::pipeline_executable_properties::NAME;
const ROBUST2: &CStr = ash::ext::robustness2::NAME;
const CORES: &CStr = ash::amd::shader_core_properties::NAME;
const WARPS: &CStr = ash::nv::shader_sm_builtins::NAME;

fn fault(what: &str) -> impl Fn(vk::Result) -> Error + '_ {
    move |e| Error::NoAdapter(format!("{what}: {e}"))
}

fn text(array: &[std::ffi::c_char]) -> String {
    let bytes: Vec<u8> = array.iter().take_while(|c| **c != 0).map(|c| *c as u8).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

impl Candidate {
    fn list(instance: &ash::Instance) -> Result<Vec<Candidate>> {
        // SAFETY: the instance is alive, and physical devices live as long as it does.
        unsafe {
            let list = instance.enumerate_physical_devices().map_err(fault("the devices cannot be listed"))?;
            let candidate = |physical| {
                let properties = instance.get_physical_device_properties(physical);
                let extensions = instance.enumerate_device_extension_properties(physical).unwrap_or_default();
                Candidate {
                    physical,
                    name: text(&properties.device_name),
                    api: properties.api_version,
                    extensions: extensions.iter().map(|e| text(&e.extension_name)).collect(),
                }
            };
            Ok(list.into_iter().map(candidate).collect())
        }
    }

    fn offers(&self, extension: &CStr) -> bool {
        self.extensions.iter().any(|e| e.as_bytes() == extension.to_bytes())
    }

    /// Waves that a SIMD of AMD or a multiprocessor of NVIDIA holds at most. RADV counts twice as many of 32 lanes, where the
    /// hardware has as many places for them as for those of 64.
    fn waves_max(&self, instance: &ash::Instance) -> Option<u64> {
        let mut cores = vk::PhysicalDeviceShaderCorePropertiesAMD::default();
        let mut warps = vk::PhysicalDeviceShaderSMBuiltinsPropertiesNV::default();
        let mut all = vk::PhysicalDeviceProperties2::default();
        if self.offers(CORES) {
            all = all.push_next(&mut cores);
        } else if self.offers(WARPS) {
            all = all.push_next(&mut warps);
        }
        // SAFETY: the instance and the physical device are alive, and the structures live until the call returns.
        unsafe { instance.get_physical_device_properties2(self.physical, &mut all) };
        Some(u64::from(cores.wavefronts_per_simd.max(warps.shader_warps_per_sm))).filter(|n| *n > 0)
    }

    /// The first that is wished for and offers what is needed.
    fn choose(list: &[Candidate], wish: Option<&str>) -> Result<usize> {
        let wished = |c: &Candidate| wish.is_none_or(|w| c.name.to_lowercase().contains(&w.to_lowercase()));
        list.iter().position(|c| wished(c) && c.offers(NEEDED)).ok_or_else(|| {
            let names: Vec<_> = list.iter().map(|c| c.name.as_str()).collect();
            Error::NoAdapter(format!(
                "no Vulkan device{} shows what its compiler makes of shaders ({}); devices: {}. Mesa's drivers of AMD, Intel and NVIDIA GPUs do, and NVIDIA's own",
                wish.map_or(String::new(), |w| format!(" named `{w}`")),
                NEEDED.to_string_lossy(),
                if names.is_empty() { "none".to_owned() } else { names.join(", ") },
            ))
        })
    }
}

impl Driver {
    /// Opens the device whose name holds `wish`, or the first that will do.
    pub(super) fn open(wish: Option<&str>) -> Result<Driver> {
        // SAFETY: the loader is a system library. What it makes is kept beside it and destroyed before it.
        let entry = unsafe { ash::Entry::load() }.map_err(|e| {
            Error::NoAdapter(format!("there is no Vulkan loader: {e}; docs/user/install.md says how to get one"))
        })?;
        let application = vk::ApplicationInfo::default().api_version(vk::API_VERSION_1_3);
        let information = vk::InstanceCreateInfo::default().application_info(&application);
        // SAFETY: the structures live until the call returns.
        let instance =
            unsafe { entry.create_instance(&information, None) }.map_err(fault("Vulkan cannot be opened"))?;
        let opened = Candidate::list(&instance).and_then(|list| {
            let chosen = &list[Candidate::choose(&list, wish)?];
            let waves_max = chosen.waves_max(&instance);
            let device = open_device(&instance, chosen)?;
            Ok((device, chosen.name.clone(), waves_max, chosen.api, chosen.offers(ROBUST2)))
        });
        match opened {
            Ok((device, name, waves_max, api, robust2)) => {
                let executable = ash::khr::pipeline_executable_properties::Device::new(&instance, &device);
                let spirv = if api >= vk::API_VERSION_1_3 { (1, 6) } else { (1, 3) };
                Ok(Driver { name, waves_max, spirv, robust2, device, executable, instance, _entry: entry })
            }
            Err(e) => {
                // SAFETY: nothing that the instance has made is left.
                unsafe { instance.destroy_instance(None) };
                Err(e)
            }
        }
    }

    /// Compiles a pass as wgpu would, and asks what came of it.
    pub(super) fn compile(&self, shader: &Shader) -> Result<Said> {
        let words = self.spirv(shader)?;
        let bindings: Vec<_> = shader
            .bindings
            .iter()
            .map(|b| {
                let uniform = matches!(b.access, Access::Uniform);
                let kind =
                    if uniform { vk::DescriptorType::UNIFORM_BUFFER } else { vk::DescriptorType::STORAGE_BUFFER };
                vk::DescriptorSetLayoutBinding::default()
                    .binding(b.index)
                    .descriptor_type(kind)
                    .descriptor_count(1)
                    .stage_flags(vk::ShaderStageFlags::COMPUTE)
            })
            .collect();
        let failed = |what| fault(what);
        // SAFETY: all handles are made by this device, used while they live and destroyed once; structures live until the
        // calls return. The SPIR-V is naga's, of a module that naga has validated.
        unsafe {
            let information = vk::ShaderModuleCreateInfo::default().code(&words);
            let module = self.device.create_shader_module(&information, None).map_err(failed("the module"))?;
            let information = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
            let set = self.device.create_descriptor_set_layout(&information, None).map_err(failed("the bindings"))?;
            let sets = [set];
            let information = vk::PipelineLayoutCreateInfo::default().set_layouts(&sets);
            let layout = self.device.create_pipeline_layout(&information, None).map_err(failed("the layout"))?;
            let name = std::ffi::CString::new(shader.stem.as_str()).unwrap_or_default();
            let stage = vk::PipelineShaderStageCreateInfo::default()
                .stage(vk::ShaderStageFlags::COMPUTE)
                .module(module)
                .name(&name);
            let information = vk::ComputePipelineCreateInfo::default()
                .flags(vk::PipelineCreateFlags::CAPTURE_STATISTICS_KHR)
                .stage(stage)
                .layout(layout);
            let begun = Instant::now();
            let made = self.device.create_compute_pipelines(vk::PipelineCache::null(), &[information], None);
            let seconds = begun.elapsed().as_secs_f64();
            let said = match made {
                Ok(pipelines) => {
                    let statistics = self.statistics(pipelines[0]);
                    self.device.destroy_pipeline(pipelines[0], None);
                    statistics.map(|statistics| Said { seconds, statistics })
                }
                Err((_, e)) => Err(e),
            };
            self.device.destroy_pipeline_layout(layout, None);
            self.device.destroy_descriptor_set_layout(set, None);
            self.device.destroy_shader_module(module, None);
            said.map_err(|e| Error::NoAdapter(format!("{}: the driver does not compile it: {e}", shader.stem)))
        }
    }

    /// The numbers of the executable of a compute pipeline.
    fn statistics(&self, pipeline: vk::Pipeline) -> std::result::Result<Vec<(String, f64)>, vk::Result> {
        let information = vk::PipelineExecutableInfoKHR::default().pipeline(pipeline);
        // SAFETY: the pipeline is alive and was made with statistics; the format says which member of the union is set.
        unsafe {
            let list = self.executable.get_pipeline_executable_statistics(&information)?;
            let value = |s: &vk::PipelineExecutableStatisticKHR<'_>| match s.format {
                vk::PipelineExecutableStatisticFormatKHR::BOOL32 => f64::from(s.value.b32),
                vk::PipelineExecutableStatisticFormatKHR::INT64 => s.value.i64 as f64,
                vk::PipelineExecutableStatisticFormatKHR::UINT64 => s.value.u64 as f64,
                _ => s.value.f64,
            };
            Ok(list.iter().map(|s| (text(&s.name), value(s))).collect())
        }
    }

    /// SPIR-V with the checks that wgpu would put in.
    fn spirv(&self, shader: &Shader) -> Result<Vec<u32>> {
        use naga::back::spv;
        use naga::proc::{BoundsCheckPolicies, BoundsCheckPolicy};
        let buffer = if self.robust2 { BoundsCheckPolicy::Unchecked } else { BoundsCheckPolicy::Restrict };
        let options = spv::Options {
            lang_version: self.spirv,
            flags: spv::WriterFlags::LABEL_VARYINGS,
            bounds_check_policies: BoundsCheckPolicies {
                index: BoundsCheckPolicy::Restrict,
                buffer,
                ..BoundsCheckPolicies::default()
            },
            zero_initialize_workgroup_memory: spv::ZeroInitializeWorkgroupMemoryMode::None,
            force_loop_bounding: !shader.trusted,
            emit_int_div_checks: !shader.trusted,
            ..spv::Options::default()
        };
        let entry = spv::PipelineOptions { shader_stage: naga::ShaderStage::Compute, entry_point: shader.stem.clone() };
        spv::write_vec(&shader.module, &shader.info, &options, Some(&entry))
            .map_err(|e| Error::Usage(format!("{}: {e}", shader.stem)))
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // SAFETY: nothing that the device has made is left, and nothing runs on it.
        unsafe {
            self.device.destroy_device(None);
            self.instance.destroy_instance(None);
        }
    }
}

/// Opens a device with statistics, and with the robust access to buffers that wgpu asks for.
fn open_device(instance: &ash::Instance, chosen: &Candidate) -> Result<ash::Device> {
    // SAFETY: the instance is alive and the device is one of its own; all structures live until the calls return.
    unsafe {
        let families = instance.get_physical_device_queue_family_properties(chosen.physical);
        let compute = families.iter().position(|f| f.queue_flags.contains(vk::QueueFlags::COMPUTE)).unwrap_or_default();
        let priorities = [1.0];
        let queues =
            [vk::DeviceQueueCreateInfo::default().queue_family_index(compute as u32).queue_priorities(&priorities)];
        let mut statistics =
            vk::PhysicalDevicePipelineExecutablePropertiesFeaturesKHR::default().pipeline_executable_info(true);
        let mut robust2 = vk::PhysicalDeviceRobustness2FeaturesEXT::default().robust_buffer_access2(true);
        let features = vk::PhysicalDeviceFeatures::default().robust_buffer_access(true);
        let mut extensions = vec![NEEDED.as_ptr()];
        let mut information = vk::DeviceCreateInfo::default()
            .queue_create_infos(&queues)
            .enabled_features(&features)
            .push_next(&mut statistics);
        if chosen.offers(ROBUST2) {
            extensions.push(ROBUST2.as_ptr());
            information = information.push_next(&mut robust2);
        }
        let information = information.enabled_extension_names(&extensions);
        instance.create_device(chosen.physical, &information, None).map_err(fault("the device cannot be opened"))
    }
}
