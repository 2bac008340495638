//! lampshade, which sorts keys with their values beside them, on wgpu 30.

use crate::{Result, Times, is_stable_sort, least, timed};
use lampshade::{KeyValue, KeyValueSorter};
use pollster::block_on;
use wgpu::BufferUsages as U;

fn open(name: &str) -> Result<(wgpu::AdapterInfo, wgpu::Device, wgpu::Queue)> {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
    let mut adapters = block_on(instance.enumerate_adapters(wgpu::Backends::all()));
    // software devices last
    adapters.sort_by_key(|a| a.get_info().device_type == wgpu::DeviceType::Cpu);
    let named = |a: &wgpu::Adapter| a.get_info().name.contains(name);
    let adapter = adapters.into_iter().find(named).ok_or("no adapter of that name")?;
    let descriptor = wgpu::DeviceDescriptor {
        // what its fast paths ask for
        required_features: adapter.features() & wgpu::Features::SUBGROUP,
        required_limits: adapter.limits(),
        ..Default::default()
    };
    let (device, queue) = block_on(adapter.request_device(&descriptor))?;
    Ok((adapter.get_info(), device, queue))
}

pub fn times(name: &str, keys: &[u32]) -> Result<Times> {
    let (info, device, queue) = open(name)?;
    let mut sorter = KeyValueSorter::new_for_adapter(&device, &queue, &info);
    let pairs: Vec<KeyValue> = keys.iter().zip(0..).map(|(key, index)| KeyValue::new(*key, index)).collect();
    let buffer = || {
        device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: 8 * pairs.len() as u64,
            usage: U::STORAGE | U::COPY_SRC | U::COPY_DST,
            mapped_at_creation: false,
        })
    };
    let (unsorted, sorted) = (buffer(), buffer());
    queue.write_buffer(&unsorted, 0, bytemuck::cast_slice(&pairs));
    queue.submit([]);
    device.poll(wgpu::PollType::wait_indefinitely())?;
    let resident = least(|| {
        timed(|| {
            sorter.sort_gpu_to_gpu(&unsorted, &sorted, pairs.len() as u32)?;
            device.poll(wgpu::PollType::wait_indefinitely())?;
            Ok(())
        })
    })?;
    let mut result = vec![];
    let with_transfers = least(|| {
        timed(|| {
            result = block_on(sorter.sort(&pairs))?;
            Ok(())
        })
    })?;
    let (out, from): (Vec<u32>, Vec<u32>) = result.iter().map(|pair| (pair.key, pair.value)).unzip();
    Ok(Times { resident, with_transfers: Some(with_transfers), right: is_stable_sort(keys, &out, &from) })
}
