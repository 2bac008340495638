//! wgpu_sort, with keys and values in two buffers, on wgpu 0.19: its last version.

use crate::{Result, Times, is_stable_sort, least, timed};
use pollster::block_on;
use std::num::NonZeroU32;
use wgpu_0_19 as wgpu;
use wgpu_sort::GPUSorter;
use wgpu_sort::utils::{download_buffer, guess_workgroup_size, upload_to_buffer};

fn open(name: &str) -> Result<(wgpu::Device, wgpu::Queue)> {
    let instance = wgpu::Instance::default();
    let mut adapters = instance.enumerate_adapters(wgpu::Backends::PRIMARY);
    adapters.sort_by_key(|a| a.get_info().device_type == wgpu::DeviceType::Cpu);
    let named = |a: &wgpu::Adapter| a.get_info().name.contains(name);
    let adapter = adapters.into_iter().find(named).ok_or("no adapter of that name")?;
    let required_limits = adapter.limits();
    Ok(block_on(adapter.request_device(&wgpu::DeviceDescriptor { required_limits, ..Default::default() }, None))?)
}

pub fn times(name: &str, keys: &[u32]) -> Result<Times> {
    let (device, queue) = open(name)?;
    let subgroup = block_on(guess_workgroup_size(&device, &queue)).ok_or("it sorts by no size of subgroups here")?;
    eprintln!("wgpu_sort takes subgroups of {subgroup}");
    let sorter = GPUSorter::new(&device, subgroup);
    let buffers = sorter.create_sort_buffers(&device, NonZeroU32::new(keys.len() as u32).ok_or("no pairs")?);
    let indices: Vec<u32> = (0..keys.len() as u32).collect();
    let resident = least(|| {
        let mut encoder = device.create_command_encoder(&Default::default());
        upload_to_buffer(&mut encoder, buffers.keys(), &device, keys);
        upload_to_buffer(&mut encoder, buffers.values(), &device, &indices);
        queue.submit([encoder.finish()]);
        device.poll(wgpu::Maintain::Wait);
        timed(|| {
            let mut encoder = device.create_command_encoder(&Default::default());
            sorter.sort(&mut encoder, &queue, &buffers, None);
            queue.submit([encoder.finish()]);
            device.poll(wgpu::Maintain::Wait);
            Ok(())
        })
    })?;
    let valid = buffers.keys_valid_size();
    let sorted: Vec<u32> = block_on(download_buffer(buffers.keys(), &device, &queue, 0..valid));
    let from: Vec<u32> = block_on(download_buffer(buffers.values(), &device, &queue, 0..valid));
    Ok(Times { resident, with_transfers: None, right: is_stable_sort(keys, &sorted, &from) })
}
