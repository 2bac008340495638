//! Which drivers of GPUs this machine has, by its files: whether a run that only a software adapter answers has lost a GPU.

use std::path::{Path, PathBuf};

/// Variables that name the files of drivers in place of the usual folders.
const NAMED_BY: [&str; 2] = ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"];
/// Variables of the loader that take and leave out drivers by the names of their files.
const SELECT: &str = "VK_LOADER_DRIVERS_SELECT";
const DISABLE: &str = "VK_LOADER_DRIVERS_DISABLE";
/// Folders of files that describe drivers, from the root.
const FOLDERS: [&str; 3] = ["etc/vulkan/icd.d", "usr/local/share/vulkan/icd.d", "usr/share/vulkan/icd.d"];
/// Kernel drivers with a render node that are no GPU's, or that of a virtual machine.
const NO_GPU: [&str; 6] = ["vgem", "vkms", "virtio_gpu", "virtio-pci", "vmwgfx", "bochs-drm"];
/// What NVIDIA's driver files need.
const NVIDIA_LIBRARIES: [&str; 2] = ["libGLX_nvidia.so.0", "libEGL_nvidia.so.0"];

/// Where files are, and what is set.
pub struct Machine<'a> {
    /// `/`
    pub root: &'a Path,
    /// value of an environment variable
    pub variable: &'a dyn Fn(&str) -> Option<String>,
}

impl Machine<'_> {
    /// Where the dynamic linker usually finds libraries, `LD_LIBRARY_PATH` first.
    fn library_folders(&self) -> Vec<PathBuf> {
        let set = (self.variable)("LD_LIBRARY_PATH").unwrap_or_default();
        let usual = ["usr/lib", "usr/lib64", "usr/local/lib", "usr/lib/x86_64-linux-gnu", "usr/lib/aarch64-linux-gnu"];
        std::env::split_paths(&set).chain(usual.iter().map(|f| self.root.join(f))).collect()
    }

    /// A library, if it is there.
    pub fn library(&self, name: &str) -> Option<PathBuf> {
        self.library_folders().iter().map(|f| f.join(name)).find(|p| p.exists())
    }

    /// Files that the Vulkan loader reads drivers from, named by a variable.
    fn named_files(&self) -> Option<Vec<PathBuf>> {
        let value = NAMED_BY.iter().find_map(|name| (self.variable)(name).filter(|v| !v.is_empty()))?;
        Some(std::env::split_paths(&value).collect())
    }

    /// Files that the Vulkan loader reads drivers from.
    pub fn files(&self) -> Vec<PathBuf> {
        let mut files = self.named_files().unwrap_or_else(|| self.files_of_folders());
        files.retain(|f| self.is_taken(&name(f)));
        files
    }

    fn files_of_folders(&self) -> Vec<PathBuf> {
        let folders = FOLDERS.iter().filter_map(|f| std::fs::read_dir(self.root.join(f)).ok());
        let entries = folders.flatten().flatten().map(|e| e.path());
        let mut files: Vec<PathBuf> = entries.filter(|p| p.extension().is_some_and(|e| e == "json")).collect();
        files.sort();
        files
    }

    /// True if the loader takes a driver whose file is called so. What SELECT names is taken though DISABLE names it too.
    fn is_taken(&self, file: &str) -> bool {
        let named = |variable: &str| {
            let value = (self.variable)(variable).filter(|v| !v.is_empty())?;
            Some(value.split(',').any(|pattern| matches(pattern.trim(), file)))
        };
        named(SELECT).unwrap_or_else(|| !named(DISABLE).unwrap_or(false))
    }

    /// True if variables leave software adapters alone.
    fn is_software_wished(&self) -> bool {
        let set = |name: &&str| (self.variable)(name).is_some_and(|v| !v.is_empty());
        let files = if NAMED_BY.iter().chain([&SELECT, &DISABLE]).any(set) { self.files() } else { vec![] };
        !files.is_empty() && files.iter().all(|f| is_software(f))
    }

    /// What shows that a GPU has a driver here, for people; none on a machine without one. Mesa's files show nothing: they
    /// come with its software adapter. Nor do files where variables leave software adapters alone: they are wished for.
    pub fn signs(&self) -> Vec<String> {
        if self.is_software_wished() {
            return vec![];
        }
        let granted = (self.variable)("SLURM_GPUS_ON_NODE").filter(|n| n.trim().parse().is_ok_and(|n: u32| n > 0));
        let mut signs: Vec<String> = granted.map(|n| format!("SLURM_GPUS_ON_NODE={n}")).into_iter().collect();
        signs.extend(self.devices().iter().map(|p| p.display().to_string()));
        let nvidia = self.files().into_iter().find(|f| name(f).contains("nvidia") && f.exists());
        let library = NVIDIA_LIBRARIES.iter().find_map(|l| self.library(l));
        signs
            .extend(nvidia.zip(library).map(|(file, library)| format!("{} and {}", file.display(), library.display())));
        signs
    }

    /// Device files of GPUs.
    fn devices(&self) -> Vec<PathBuf> {
        let listed = |folder: &str| {
            let entries = std::fs::read_dir(self.root.join(folder)).into_iter().flatten().flatten();
            let mut paths: Vec<PathBuf> = entries.map(|e| e.path()).collect();
            paths.sort();
            paths
        };
        let numbered =
            |path: &Path, begin: &str| name(path).strip_prefix(begin).is_some_and(|n| n.parse::<u32>().is_ok());
        let nodes = listed("dev/dri").into_iter().filter(|p| numbered(p, "renderD") && self.is_of_gpu(&name(p)));
        let others =
            listed("dev").into_iter().filter(|p| numbered(p, "nvidia") || ["nvidiactl", "dxg"].contains(&&*name(p)));
        others.chain(nodes).collect()
    }

    /// True unless the kernel says that a render node is of a driver without a GPU.
    fn is_of_gpu(&self, node: &str) -> bool {
        let driver = std::fs::read_link(self.root.join("sys/class/drm").join(node).join("device/driver"));
        !driver.is_ok_and(|d| NO_GPU.contains(&&*name(&d)))
    }
}

fn name(path: &Path) -> String {
    path.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned())
}

/// The loader's patterns: a `*` at either end stands for anything; case does not count.
fn matches(pattern: &str, file: &str) -> bool {
    let (pattern, file) = (pattern.to_lowercase(), file.to_lowercase());
    match (pattern.strip_prefix('*'), pattern.strip_suffix('*')) {
        (Some(_), Some(_)) => file.contains(pattern.trim_matches('*')),
        (Some(end), None) => file.ends_with(end),
        (None, Some(begin)) => file.starts_with(begin),
        (None, None) => file == pattern,
    }
}

fn is_software(file: &Path) -> bool {
    let name = name(file);
    name.starts_with("lvp_icd") || name.contains("swiftshader")
}

/// This machine, as far as a variable can be read.
pub fn variable(name: &str) -> Option<String> {
    Some(std::env::var_os(name)?.to_string_lossy().into_owned())
}

/// This machine.
pub fn here() -> Machine<'static> {
    Machine { root: Path::new("/"), variable: &variable }
}
