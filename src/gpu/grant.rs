//! What schedulers say about devices: the environment variables and their values.

use super::choice::{Bus, NvidiaGpu, bus};
use std::process::{Command, Stdio};

/// PCI vendor of NVIDIA.
pub const NVIDIA: u32 = 0x10de;
/// PCI vendor of AMD.
pub const AMD: u32 = 0x1002;
const INTEL: u32 = 0x8086;

/// A variable that grants devices.
#[derive(Debug, Clone, Copy)]
pub struct Variable {
    /// its name
    pub name: &'static str,
    /// PCI vendor of the devices that it counts; `None`: of any
    pub vendor: Option<u32>,
    /// true if it counts the devices of the node, not those that the process sees
    pub of_node: bool,
}

impl Variable {
    /// All that are heeded, the first to be asked first.
    pub const ALL: [Variable; 4] = [
        Variable { name: "CUDA_VISIBLE_DEVICES", vendor: Some(NVIDIA), of_node: false },
        Variable { name: "ROCR_VISIBLE_DEVICES", vendor: Some(AMD), of_node: false },
        Variable { name: "ZE_AFFINITY_MASK", vendor: Some(INTEL), of_node: false },
        Variable { name: "SLURM_JOB_GPUS", vendor: None, of_node: true },
    ];

    /// What its value grants. As CUDA reads it, a list ends at the first invalid entry.
    pub fn read(self, value: String) -> Grant {
        let devices = value.split(',').map_while(|entry| self.entry(entry.trim())).flatten().collect();
        Grant { variable: self, value, devices }
    }

    /// An entry of the list: one device, or with `2-5` several.
    fn entry(self, text: &str) -> Option<Vec<Device>> {
        if text.starts_with("GPU-") {
            return Some(vec![Device::Uuid(text.to_owned())]);
        }
        if text.starts_with("MIG-") {
            return Some(vec![Device::Slice]);
        }
        if let Some((first, last)) = text.split_once('-').filter(|_| self.of_node) {
            let (first, last): (usize, usize) = (first.parse().ok()?, last.parse().ok()?);
            return Some((first..=last.min(first + 1023)).map(Device::Index).collect());
        }
        // tile 1 of device 0 is 0.1
        let whole = text.split('.').next().unwrap_or(text);
        Some(vec![Device::Index(whole.parse().ok()?)])
    }
}

/// A device as a variable names it.
#[derive(Debug, Clone, PartialEq)]
pub enum Device {
    /// by number
    Index(usize),
    /// `GPU-...`
    Uuid(String),
    /// a part of a GPU, which has no Vulkan
    Slice,
}

/// A variable that is set.
#[derive(Debug, Clone)]
pub struct Grant {
    /// which one
    pub variable: Variable,
    /// its value, unchanged
    pub value: String,
    /// the devices; none: all are withheld
    pub devices: Vec<Device>,
}

impl Grant {
    /// As a shell would set it.
    pub fn text(&self) -> String {
        format!("{}={}", self.variable.name, self.value)
    }
}

/// GPUs in the order of nvidia-smi, which is that of PCI addresses; none where the program is missing or fails.
pub fn nvidia_smi() -> Vec<NvidiaGpu> {
    let mut command = Command::new("nvidia-smi");
    command.args(["--query-gpu=uuid,pci.bus_id", "--format=csv,noheader"]).stdin(Stdio::null()).stderr(Stdio::null());
    match command.output() {
        Ok(output) if output.status.success() => rows(&String::from_utf8_lossy(&output.stdout)),
        _ => vec![],
    }
}

/// Reads its lines; a line that is not understood leaves the whole list unknown, since the order of lines counts.
pub fn rows(text: &str) -> Vec<NvidiaGpu> {
    let row = |line: &str| -> Option<NvidiaGpu> {
        let (uuid, at) = line.split_once(',')?;
        let at: Bus = bus(at)?;
        Some(NvidiaGpu { uuid: uuid.trim().to_owned(), bus: at })
    };
    text.lines().map(row).collect::<Option<Vec<_>>>().unwrap_or_default()
}
