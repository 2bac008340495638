//! Shaders in a folder of their own, to be damaged there.

use breccia::gpu::pipeline::link::Sources;
use std::path::{Path, PathBuf};

/// The shaders of this repository.
pub fn built_in() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("wgsl")
}

/// A copy of all shaders, gone when dropped.
pub fn shaders() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("folder");
    copy(&built_in(), folder.path());
    folder
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("folder");
    for entry in std::fs::read_dir(from).expect("wgsl").flatten() {
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            copy(&path, &target);
        } else {
            std::fs::copy(&path, &target).expect("copy");
        }
    }
}

/// Replaces every `old` in a file (`folder/name`, or the name of a pass), which must hold one.
pub fn edit(folder: &Path, file: &str, old: &str, new: &str) {
    let file = Sources { directory: Some(folder.to_owned()), ..Default::default() }.file_of(file);
    let path = folder.join(format!("{file}.wgsl"));
    let text = std::fs::read_to_string(&path).expect("shader");
    assert!(text.contains(old), "{file} no longer has `{old}`");
    std::fs::write(&path, text.replace(old, new)).expect("write");
}
