//! Writing that survives a crash, a power cut and a full disk: files appear whole or not at all, and what counts on other
//! files is written after those are synced.

use super::error::{Error, Result};
use super::fault::Fault;
use super::sha256::of_file;
use std::fs::{File, OpenOptions};
use std::io::{BufWriter, ErrorKind, Write};
use std::path::Path;

/// Writes a file so that it is either old or new and whole, also after a crash: temporary file, sync, rename, sync of the
/// folder. What cannot be written leaves no temporary file.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> Result<()> {
    appear_whole(path, |temporary| {
        let write = || -> std::io::Result<()> {
            let mut file = File::create(temporary)?;
            file.write_all(bytes)?;
            file.sync_all()
        };
        write().map_err(|e| Error::io(path, e))
    })
}

/// Copies a file as [`write_atomic`] writes one, a block at a time; the sha-256 of what was copied.
pub fn copy_atomic(from: &Path, to: &Path) -> Result<String> {
    appear_whole(to, |temporary| copy(from, temporary))
}

/// Has a file written under a temporary name, and gives it its own.
fn appear_whole<T>(path: &Path, write: impl FnOnce(&Path) -> Result<T>) -> Result<T> {
    let temporary = path.with_extension("tmp");
    let written = write(&temporary).and_then(|of| {
        std::fs::rename(&temporary, path).and_then(|()| sync_folder(parent(path))).map_err(|e| Error::io(path, e))?;
        Ok(of)
    });
    written.inspect_err(|_| {
        let _ = std::fs::remove_file(&temporary); // the fault that counts is the first one
    })
}

/// Copies a file a block at a time and has the copy on the disk; the sha-256 of what was copied.
pub fn copy(from: &Path, to: &Path) -> Result<String> {
    let fault = |e| Error::io(to, e);
    let mut file = File::create(to).map_err(fault)?;
    let (sum, _) = of_file(from, |block| file.write_all(block).map_err(fault))?;
    file.sync_all().map_err(fault)?;
    Ok(sum)
}

/// Writes a file that a user names, as [`write_new_in_parts`] does.
pub fn write_new(path: &Path, bytes: &[u8], overwrite: bool) -> Result<()> {
    write_new_in_parts(path, overwrite, |file| file.write_all(bytes))
}

/// Writes a file that a user names, a part at a time: it is PATH.part until it is whole. One that is there stays, unless
/// `overwrite`, and then until the new one is whole. What cannot be written leaves no part.
pub fn write_new_in_parts(
    path: &Path,
    overwrite: bool,
    fill: impl FnOnce(&mut BufWriter<File>) -> std::io::Result<()>,
) -> Result<()> {
    let fault = |e| Error::io(path, e);
    let is_there = || std::fs::symlink_metadata(path).is_ok();
    if is_there() && !overwrite {
        return Err(there_already(path));
    }
    if std::fs::metadata(path).is_ok_and(|of| !of.is_file()) {
        // a device or a pipe holds nothing that could be lost, and must not become a file
        let mut file = BufWriter::new(OpenOptions::new().write(true).open(path).map_err(fault)?);
        return fill(&mut file).and_then(|()| file.flush()).map_err(fault);
    }
    // what a link leads to is replaced, and the link stays
    let whole = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let mut part = whole.as_os_str().to_owned();
    part.push(".part");
    let part = Path::new(&part);
    let write = || -> Result<()> {
        let mut file = BufWriter::new(File::create(part).map_err(|e| Error::io(part, e))?);
        // some file systems say only here that they are full
        fill(&mut file).and_then(|()| file.flush()).and_then(|()| file.get_ref().sync_all()).map_err(fault)?;
        if is_there() && !overwrite {
            return Err(there_already(path));
        }
        std::fs::rename(part, &whole).map_err(fault)
    };
    write().inspect_err(|_| {
        let _ = std::fs::remove_file(part); // the fault that counts is the first one
    })
}

fn there_already(path: &Path) -> Error {
    Fault::new("exists already").remedy("name another file, or give --overwrite").path(path).into()
}

/// Writes over a file in the room that it has, for a disk that is full: not atomic, but it needs no new block on most file
/// systems as long as the file hardly grows.
pub fn write_in_place(path: &Path, bytes: &[u8]) -> Result<()> {
    let write = || -> std::io::Result<()> {
        let mut file = OpenOptions::new().write(true).open(path)?;
        file.write_all(bytes)?;
        file.set_len(bytes.len() as u64)?;
        file.sync_all()
    };
    write().map_err(|e| Error::io(path, e))
}

/// Fills a folder under a temporary name and puts it in the place of the one that is there. What cannot be filled leaves no
/// temporary folder.
pub fn replace_folder(path: &Path, fill: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
    let temporary = path.with_extension("tmp");
    let write = || -> Result<()> {
        remove(&temporary)?;
        std::fs::create_dir_all(&temporary).map_err(|e| Error::io(&temporary, e))?;
        fill(&temporary)?;
        remove(path)?;
        std::fs::rename(&temporary, path).map_err(|e| Error::io(path, e))
    };
    write().inspect_err(|_| {
        let _ = std::fs::remove_dir_all(&temporary); // the fault that counts is the first one
    })
}

/// Removes a file or a folder, if it is there.
pub fn remove(path: &Path) -> Result<()> {
    let done = match std::fs::symlink_metadata(path) {
        Ok(of) if of.is_dir() => std::fs::remove_dir_all(path),
        Ok(_) => std::fs::remove_file(path),
        Err(e) if e.kind() == ErrorKind::NotFound => Ok(()),
        Err(e) => Err(e),
    };
    done.map_err(|e| Error::io(path, e))
}

/// Makes a folder, with all above it that are missing, so that a power cut does not take it back.
pub fn make_folder(path: &Path) -> Result<()> {
    let missing: Vec<&Path> = path.ancestors().take_while(|p| !p.as_os_str().is_empty() && !p.exists()).collect();
    std::fs::create_dir_all(path).map_err(|e| Error::io(path, e))?;
    missing.into_iter().try_for_each(|new| sync_folder(parent(new)).map_err(|e| Error::io(new, e)))
}

/// Has a folder's own entry in the folder above on the disk.
pub fn sync_entry(path: &Path) -> Result<()> {
    sync_folder(parent(path)).map_err(|e| Error::io(path, e))
}

/// Has all files and folders of a folder on the disk, and its own entry in the folder above.
pub fn sync_tree(path: &Path) -> Result<()> {
    let fault = |e| Error::io(path, e);
    for entry in std::fs::read_dir(path).map_err(fault)? {
        let entry = entry.map_err(fault)?.path();
        if entry.is_dir() { sync_tree(&entry)? } else { sync_file(&entry)? }
    }
    sync_folder(path).map_err(fault)?;
    sync_entry(path)
}

fn sync_file(path: &Path) -> Result<()> {
    // Windows syncs files that are open for writing alone.
    let file = OpenOptions::new().read(true).write(cfg!(windows)).open(path);
    file.and_then(|f| f.sync_all()).map_err(|e| Error::io(path, e))
}

/// Has the names in a folder on the disk. Nothing to do on systems that open no folders.
pub fn sync_folder(path: &Path) -> std::io::Result<()> {
    if cfg!(not(unix)) {
        return Ok(());
    }
    match File::open(path)?.sync_all() {
        // some network file systems sync no folders
        Err(e) if matches!(e.kind(), ErrorKind::InvalidInput | ErrorKind::Unsupported) => Ok(()),
        end => end,
    }
}

/// The folder that a path is in.
fn parent(path: &Path) -> &Path {
    path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn a_link_to_a_file_and_a_device_stay_what_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let [file, link, sink] = ["file", "link", "sink"].map(|name| folder.path().join(name));
        std::fs::write(&file, "old").unwrap();
        symlink(&file, &link).unwrap();
        symlink("/dev/null", &sink).unwrap();
        for path in [&file, &link, &sink] {
            assert!(write_new(path, b"new", false).unwrap_err().to_string().contains("exists already"));
        }
        assert_eq!(std::fs::read(&file).unwrap(), b"old");
        for path in [&link, &sink] {
            write_new(path, b"new", true).unwrap();
            assert!(path.is_symlink(), "{}", path.display());
        }
        assert_eq!(std::fs::read(&file).unwrap(), b"new");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 3, "a part is left");
    }
}
