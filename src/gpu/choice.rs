//! Which adapter a run takes: a pure function of the adapters, of what the user asked for and of what a scheduler granted.
//!
//! Vulkan does not know CUDA_VISIBLE_DEVICES and similar variables. They are mapped to adapters as far as that is
//! possible: by PCI address if nvidia-smi reports it, else by the order among the adapters of the vendor in the order
//! of PCI addresses.

use super::device::{describe, rank};
use super::grant::{Device, Grant, Variable};
use crate::base::error::{Error, Result};
use wgpu::{AdapterInfo, DeviceType};

/// Address of a device on the PCI bus: domain, bus, device, function.
pub type Bus = [u32; 4];

/// What the user asks for.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Wish {
    /// `--gpu`: index, PCI address, `GPU-...` of nvidia-smi, or part of a name
    pub gpu: Option<String>,
    /// `--software`: a software adapter is taken, also where a GPU has a driver
    pub software: bool,
    /// `--require-gpu`: software adapters are refused
    pub require_gpu: bool,
}

impl Wish {
    /// Whether the user asks for nothing.
    pub(crate) fn is_default(&self) -> bool {
        *self == Wish::default()
    }
}

/// A GPU of nvidia-smi's list, in its order.
#[derive(Debug, Clone)]
pub struct NvidiaGpu {
    /// `GPU-` and hexadecimal digits
    pub uuid: String,
    /// where it is
    pub bus: Bus,
}

/// What a scheduler says.
pub struct Environment<'a> {
    /// value of a variable, if it is set
    pub variable: &'a dyn Fn(&str) -> Option<String>,
    /// what nvidia-smi lists; asked at most once
    pub nvidia: &'a dyn Fn() -> Vec<NvidiaGpu>,
    /// what shows that a GPU has a driver on this machine; asked only where a software adapter would be taken
    pub drivers: &'a dyn Fn() -> Vec<String>,
}

/// The adapter taken.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// index in the list
    pub index: usize,
    /// what decided, for people
    pub why: String,
}

/// Reads `0000:41:00.0` or nvidia-smi's `00000000:41:00.0`.
pub fn bus(text: &str) -> Option<Bus> {
    let (rest, function) = text.trim().rsplit_once('.')?;
    let mut parts = rest.rsplit(':').map(|p| u32::from_str_radix(p, 16).ok());
    let (device, bus) = (parts.next()??, parts.next()??);
    let domain = parts.next().unwrap_or(Some(0))?;
    Some([domain, bus, device, u32::from_str_radix(function, 16).ok()?])
}

/// As `0000:41:00.0`.
pub fn address(b: Bus) -> String {
    format!("{:04x}:{:02x}:{:02x}.{:x}", b[0], b[1], b[2], b[3])
}

/// True if a name holds the number as a whole, as in "RTX 4090", and not as a part of another.
fn has_number(name: &str, number: &str) -> bool {
    name.split(|c: char| !c.is_ascii_digit()).any(|digits| digits == number)
}

/// The adapter to take, and why. `adapters` are in the order that `--gpu` counts.
pub fn choose(adapters: &[AdapterInfo], wish: &Wish, environment: &Environment) -> Result<Choice> {
    if adapters.is_empty() {
        return Err(Error::NoAdapter(
            "no GPU adapter answers; install a Vulkan driver (software: package mesa-vulkan-drivers), then see `breccia doctor`; `breccia run --engine reference` needs none".into(),
        ));
    }
    let chooser = Chooser { adapters, environment };
    let choice = match &wish.gpu {
        Some(wanted) => chooser.named(wanted, wish.software)?,
        None if wish.software => chooser.on_cpu()?,
        None => chooser.granted()?,
    };
    if wish.software && !chooser.software(choice.index) {
        let name = &adapters[choice.index].name;
        return Err(Error::NoAdapter(format!("--software: {name} is a GPU; leave out --software, or --gpu")));
    }
    if wish.require_gpu && chooser.software(choice.index) {
        return Err(Error::NoAdapter(format!(
            "--require-gpu: {} computes on the CPU; adapters:\n{}\n`breccia doctor` looks for the reason; without --require-gpu it is used",
            adapters[choice.index].name,
            chooser.names()
        )));
    }
    Ok(choice)
}

struct Chooser<'a> {
    adapters: &'a [AdapterInfo],
    environment: &'a Environment<'a>,
}

impl Chooser<'_> {
    fn names(&self) -> String {
        let at = |i: usize| self.bus(i).map_or(String::new(), |b| format!(" at {}", address(b)));
        let lines = self.adapters.iter().enumerate().map(|(i, a)| format!("  {i}: {}{}", describe(a), at(i)));
        lines.collect::<Vec<_>>().join("\n")
    }

    fn software(&self, index: usize) -> bool {
        self.adapters[index].device_type == DeviceType::Cpu
    }

    /// The variables that are set, with what they grant.
    fn grants(&self) -> Vec<Grant> {
        let set = Variable::ALL.iter().filter_map(|v| Some(v.read((self.environment.variable)(v.name)?)));
        set.collect()
    }

    /// Chooses by `--gpu`, which comes before anything else. Who names a software adapter, by a part of its name or with
    /// `--software`, means it.
    fn named(&self, wanted: &str, software: bool) -> Result<Choice> {
        if wanted.trim().is_empty() {
            let names = self.names();
            let what = format!("--gpu is given without a name; leave it out, or name one of these:\n{names}");
            return Err(Error::Usage(what));
        }
        let refuse = |why: String| {
            Err(Error::NoAdapter(format!("no adapter matches --gpu {wanted}{why}; there are:\n{}", self.names())))
        };
        let passed_over: Vec<String> = self.grants().iter().map(Grant::text).collect();
        let told = match passed_over.is_empty() {
            true => format!("--gpu {wanted}"),
            false => format!("--gpu {wanted}, whatever {} says", passed_over.join(" and ")),
        };
        let take = |index: usize| Choice { index, why: told.clone() };
        let number = wanted.parse::<usize>().ok();
        if let Some(index) = number.filter(|index| *index < self.adapters.len()) {
            return if software { Ok(take(index)) } else { self.unless_lost(take(index)) };
        }
        if wanted.starts_with("GPU-") {
            let rows = (self.environment.nvidia)();
            let row = rows.iter().find(|r| r.uuid.starts_with(wanted));
            return match row.map(|r| (0..self.adapters.len()).find(|i| self.bus(*i) == Some(r.bus)).ok_or(r)) {
                Some(Ok(index)) => Ok(take(index)),
                Some(Err(row)) => refuse(format!(": it is at {}, where Vulkan shows no adapter", address(row.bus))),
                None if rows.is_empty() => {
                    refuse(": nvidia-smi, which knows such names, lists no GPU; name an index or a PCI address".into())
                }
                None => refuse(": nvidia-smi lists no such name".into()),
            };
        }
        if let Some(wanted) = bus(wanted) {
            let found = (0..self.adapters.len()).find(|i| self.bus(*i) == Some(wanted));
            return found.map_or_else(|| refuse(": nothing is at this PCI address".into()), |index| Ok(take(index)));
        }
        let needle = wanted.to_lowercase();
        let of_name = |i: &usize| match number {
            Some(_) => !self.software(*i) && has_number(&self.adapters[*i].name, wanted),
            None => self.adapters[*i].name.to_lowercase().contains(&needle),
        };
        let found: Vec<usize> = (0..self.adapters.len()).filter(of_name).collect();
        match found[..] {
            [] if number.is_some() => refuse(format!(
                ": it is no index, which go from 0 to {}, and no GPU has the number {wanted} in its name",
                self.adapters.len() - 1
            )),
            [] => refuse(String::new()),
            [index] => Ok(take(index)),
            [index, ..] => Ok(Choice { index, why: format!("{told}: the first of {} of this name", found.len()) }),
        }
    }

    /// The first software adapter.
    fn on_cpu(&self) -> Result<Choice> {
        let index = (0..self.adapters.len()).find(|i| self.software(*i)).ok_or_else(|| {
            let names = self.names();
            let remedy = "install one (package mesa-vulkan-drivers), or leave --software out";
            Error::NoAdapter(format!("--software: no software adapter answers; {remedy}; adapters:\n{names}"))
        })?;
        Ok(Choice { index, why: "--software".into() })
    }

    /// Refuses a software adapter that nobody asked for where a GPU has a driver: the GPU is lost, and hours would be too.
    fn unless_lost(&self, choice: Choice) -> Result<Choice> {
        let signs = if self.software(choice.index) { (self.environment.drivers)() } else { vec![] };
        if signs.is_empty() {
            return Ok(choice);
        }
        let (name, names) = (&self.adapters[choice.index].name, self.names());
        Err(Error::NoAdapter(format!(
            "a GPU has a driver here ({}), and yet {name}, which computes on the CPU, would be taken; adapters:\n{names}\n`breccia doctor` looks for the reason; --software, or --gpu with a part of its name, computes on the CPU all the same",
            signs.join(", ")
        )))
    }

    /// Chooses by what a scheduler grants, or takes the first adapter if no scheduler is set.
    fn granted(&self) -> Result<Choice> {
        let all = self.grants();
        // SLURM_JOB_GPUS counts the GPUs of the node, the others those that the job sees: they know better.
        let vendors = all.iter().any(|g| g.variable.vendor.is_some());
        let grants: Vec<&Grant> = all.iter().filter(|g| !vendors || g.variable.vendor.is_some()).collect();
        let ours = |g: &&&Grant| self.adapters.iter().any(|a| Some(a.vendor) == g.variable.vendor);
        match grants.iter().find(ours).or(grants.first()) {
            None => self.unless_lost(self.first()),
            Some(grant) if grant.devices.is_empty() => self.hidden(grant),
            Some(grant) => self.by_grant(grant),
        }
    }

    /// The first adapter, which is of the fastest kind.
    fn first(&self) -> Choice {
        let gpus = self.adapters.iter().filter(|a| a.device_type != DeviceType::Cpu).count();
        let why = match gpus {
            0 => "no GPU answers, so it computes on the CPU".into(),
            1 => "the only GPU".into(),
            n => format!("the first of {n} adapters that are GPUs; --gpu takes another"),
        };
        Choice { index: 0, why }
    }

    /// A variable that grants no device takes those of its vendor away.
    fn hidden(&self, grant: &Grant) -> Result<Choice> {
        let taken = |a: &AdapterInfo| {
            a.device_type != DeviceType::Cpu && grant.variable.vendor.is_none_or(|vendor| vendor == a.vendor)
        };
        let index = self.adapters.iter().position(|a| !taken(a)).ok_or_else(|| {
            Error::NoAdapter(format!(
                "{} grants no GPU, and nothing else answers:\n{}\n--gpu INDEX takes one of these all the same",
                grant.text(),
                self.names()
            ))
        })?;
        Ok(Choice { index, why: format!("{} grants no GPU of its kind", grant.text()) })
    }

    /// The GPUs that a variable counts, in its order: those of its vendor, or AMD's if its vendor has no GPU here (AMD's
    /// programs heed CUDA_VISIBLE_DEVICES too), or all if it has no vendor; each of them once, though several drivers may
    /// show it.
    fn pool(&self, grant: &Grant) -> Vec<usize> {
        let gpus: Vec<usize> = (0..self.adapters.len()).filter(|i| !self.software(*i)).collect();
        let of_vendor = |i: &usize| Some(self.adapters[*i].vendor) == grant.variable.vendor;
        let mut pool: Vec<usize> = gpus.iter().copied().filter(of_vendor).collect();
        if pool.is_empty() {
            let other = |i: &usize| grant.variable.vendor.is_none() || self.adapters[*i].vendor == super::grant::AMD;
            pool = gpus.into_iter().filter(other).collect();
        }
        let Some(first) = pool.first().map(|i| (self.adapters[*i].backend, rank(&self.adapters[*i]))) else {
            return pool;
        };
        pool.retain(|i| (self.adapters[*i].backend, rank(&self.adapters[*i])) == first);
        pool.sort_by_key(|i| (self.bus(*i), *i));
        pool
    }

    fn bus(&self, index: usize) -> Option<Bus> {
        bus(&self.adapters[index].device_pci_bus_id)
    }

    /// Number of this task on its node, by which tasks that are granted several GPUs together share them out.
    fn task(&self, grant: &Grant) -> usize {
        let local = || (self.environment.variable)("SLURM_LOCALID")?.trim().parse().ok();
        if grant.devices.len() > 1 { local().unwrap_or(0) } else { 0 }
    }

    fn by_grant(&self, grant: &Grant) -> Result<Choice> {
        let (pool, mut text) = (self.pool(grant), grant.text());
        let task = self.task(grant);
        if task > 0 {
            text += &format!(" for task {task} of the node");
        }
        let refuse = |what: String| {
            let names = self.names();
            Err(Error::NoAdapter(format!(
                "{text}: {what}; adapters:\n{names}\n--gpu INDEX takes one of these all the same"
            )))
        };
        if pool.is_empty() {
            return refuse(
                "a GPU is promised, but only software adapters answer (`breccia doctor` looks for the reason, --software computes on the CPU)".into(),
            );
        }
        let take = |index: usize, how: String| Ok(Choice { index, why: format!("{text}: {how}") });
        // Inside a job that is fenced in, the only GPUs to be seen are the granted ones, whatever their number on the node.
        if grant.variable.of_node && pool.len() <= grant.devices.len() {
            let index = task % pool.len();
            return take(pool[index], format!("number {index} of {} GPUs that the job sees", pool.len()));
        }
        // Also of an only GPU, which may be another one than that which is granted.
        let is_nvidia = self.adapters[pool[0]].vendor == super::grant::NVIDIA;
        let rows = if is_nvidia { (self.environment.nvidia)() } else { vec![] };
        let addressed = !rows.is_empty() && pool.iter().all(|i| self.bus(*i).is_some());
        let at = |row: &NvidiaGpu, name: String| match pool.iter().find(|i| self.bus(**i) == Some(row.bus)) {
            Some(index) => take(*index, format!("{name} of nvidia-smi, at {}", address(row.bus))),
            None => refuse(format!("{name} of nvidia-smi, at {}, is no Vulkan adapter", address(row.bus))),
        };
        match &grant.devices[task % grant.devices.len()] {
            Device::Slice => refuse("a MIG slice has no Vulkan: ask for a whole GPU".into()),
            Device::Index(k) if addressed => match rows.get(*k) {
                Some(row) => at(row, format!("GPU {k}")),
                None => refuse(format!("nvidia-smi lists {} GPUs, so there is no GPU {k}", rows.len())),
            },
            Device::Index(k) => match pool.get(*k) {
                Some(index) => take(*index, format!("GPU {k} of {} in the order of PCI addresses", pool.len())),
                None => refuse(format!("{} GPUs answer, so there is no GPU {k}", pool.len())),
            },
            Device::Uuid(uuid) if addressed => match rows.iter().find(|r| r.uuid.starts_with(uuid)) {
                Some(row) => at(row, uuid.clone()),
                None => refuse(format!("nvidia-smi lists no {uuid}")),
            },
            Device::Uuid(uuid) if pool.len() == 1 => take(pool[0], format!("the only GPU, so it is {uuid}")),
            Device::Uuid(uuid) => {
                refuse(format!("{} GPUs answer, and which is {uuid} cannot be found out", pool.len()))
            }
        }
    }
}
