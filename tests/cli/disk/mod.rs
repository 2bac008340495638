//! Disks as a power cut leaves them, worked out from what a program did: `journal.c` writes that down. Each test program uses
//! some of this.
#![allow(dead_code, reason = "each test program uses some of this")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A generator of moments and coin flips that repeats: xorshift64*, Vigna 2016.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// Below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        ((self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize) % end.max(1)
    }
}

/// Builds the library that is loaded before the program.
pub fn library(folder: &Path) -> PathBuf {
    let (source, library) =
        (Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/disk/journal.c"), folder.join("journal.so"));
    let arguments = ["-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror"];
    let mut cc = Command::new("cc");
    let built = cc.args(arguments).arg("-o").arg(&library).arg(source).args(["-ldl", "-lpthread"]).status();
    assert!(built.expect("cc, which links Rust programs too").success());
    library
}

/// One thing that the program did to files.
#[derive(Debug, Clone)]
pub enum Deed {
    /// a file is made, or opened for writing
    File {
        id: u64,
        path: PathBuf,
        made: bool,
    },
    Truncate {
        id: u64,
        length: usize,
    },
    Write {
        id: u64,
        at: usize,
        bytes: Vec<u8>,
    },
    Sync {
        id: u64,
    },
    SyncFolder {
        path: PathBuf,
    },
    MakeFolder {
        path: PathBuf,
    },
    Remove {
        path: PathBuf,
    },
    Rename {
        from: PathBuf,
        to: PathBuf,
    },
}

/// What a journal says.
pub fn deeds(journal: &Path) -> Vec<Deed> {
    let bytes = std::fs::read(journal).expect("journal");
    let (mut rest, mut list) = (bytes.as_slice(), vec![]);
    while !rest.is_empty() {
        let end = rest.iter().position(|b| *b == b'\n').expect("a line");
        let line = std::str::from_utf8(&rest[..end]).expect("text");
        rest = &rest[end + 1..];
        let (what, of) = line.split_once(' ').expect("two words");
        let number = |text: &str| text.parse::<u64>().expect("number");
        let pair = || of.split_once(' ').expect("two words");
        list.push(match what {
            "create" | "open" => Deed::File { id: number(pair().0), path: pair().1.into(), made: what == "create" },
            "truncate" => Deed::Truncate { id: number(pair().0), length: number(pair().1) as usize },
            "write" => {
                let (at, count) = pair().1.split_once(' ').expect("offset and count");
                let (bytes, behind) = rest.split_at(number(count) as usize);
                rest = behind;
                Deed::Write { id: number(pair().0), at: number(at) as usize, bytes: bytes.to_vec() }
            }
            "sync" => Deed::Sync { id: number(of) },
            "syncdir" => Deed::SyncFolder { path: of.into() },
            "mkdir" => Deed::MakeFolder { path: of.into() },
            "remove" => Deed::Remove { path: of.into() },
            "rename" => {
                let (from, to) = of.split_once('\t').expect("two paths");
                Deed::Rename { from: from.into(), to: to.into() }
            }
            other => panic!("unknown deed {other}"),
        });
    }
    list
}

/// What is left of what was not synced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    /// nothing
    Strict,
    /// each write and each change of a folder with even chances, whatever came before it
    Random,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Thing {
    File(usize),
    Folder(usize),
}

/// A file: as the program sees it, as the disk has it, and what is between.
#[derive(Debug, Clone, Default)]
struct Data {
    now: Vec<u8>,
    disk: Vec<u8>,
    pending: Vec<Change>,
}

#[derive(Debug, Clone)]
enum Change {
    Length(usize),
    Bytes(usize, Vec<u8>),
}

impl Change {
    fn apply(&self, to: &mut Vec<u8>) {
        match self {
            Change::Length(length) => to.resize(*length, 0),
            Change::Bytes(at, bytes) => {
                to.resize(to.len().max(at + bytes.len()), 0);
                to[*at..at + bytes.len()].copy_from_slice(bytes);
            }
        }
    }
}

type Names = BTreeMap<String, Thing>;

/// A folder likewise; names that change together.
#[derive(Debug, Clone, Default)]
struct Folder {
    now: Names,
    disk: Names,
    pending: Vec<Vec<(String, Option<Thing>)>>,
}

fn rename(names: &mut Names, changes: &[(String, Option<Thing>)]) {
    for (name, thing) in changes {
        match thing {
            Some(thing) => names.insert(name.clone(), *thing),
            None => names.remove(name),
        };
    }
}

/// Files below a root, which a program works on.
#[derive(Debug, Clone)]
pub struct Disk {
    root: PathBuf,
    files: Vec<Data>,
    folders: Vec<Folder>,
    /// files by the program's numbers
    numbers: BTreeMap<u64, usize>,
}

impl Disk {
    /// As it is now, all of it on the disk.
    pub fn of(root: &Path) -> Disk {
        let mut disk =
            Disk { root: root.to_owned(), files: vec![], folders: vec![Folder::default()], numbers: BTreeMap::new() };
        disk.take(root, 0);
        disk
    }

    fn take(&mut self, path: &Path, folder: usize) {
        for entry in std::fs::read_dir(path).expect("folder").flatten() {
            let (name, path) = (entry.file_name().into_string().expect("utf8"), entry.path());
            let thing = if path.is_dir() { self.new_folder() } else { self.new_file() };
            match thing {
                Thing::Folder(k) => self.take(&path, k),
                Thing::File(k) => {
                    let bytes = std::fs::read(&path).expect("file");
                    (self.files[k].now, self.files[k].disk) = (bytes.clone(), bytes);
                }
            }
            self.folders[folder].now.insert(name.clone(), thing);
            self.folders[folder].disk.insert(name, thing);
        }
    }

    fn new_file(&mut self) -> Thing {
        self.files.push(Data::default());
        Thing::File(self.files.len() - 1)
    }

    fn new_folder(&mut self) -> Thing {
        self.folders.push(Folder::default());
        Thing::Folder(self.folders.len() - 1)
    }

    fn at(&self, path: &Path) -> Option<Thing> {
        let below = path.strip_prefix(&self.root).expect("below the root");
        below.iter().try_fold(Thing::Folder(0), |at, name| match at {
            Thing::Folder(k) => self.folders[k].now.get(name.to_str().expect("utf8")).copied(),
            Thing::File(_) => None,
        })
    }

    fn change(&mut self, path: &Path, changes: Vec<(String, Option<Thing>)>) {
        let Some(Thing::Folder(k)) = self.at(path.parent().expect("parent")) else { panic!("{}", path.display()) };
        rename(&mut self.folders[k].now, &changes);
        self.folders[k].pending.push(changes);
    }

    fn write(&mut self, id: u64, change: Change) {
        let file = &mut self.files[self.numbers[&id]];
        change.apply(&mut file.now);
        file.pending.push(change);
    }

    /// Follows the program.
    pub fn follow(&mut self, deed: &Deed) {
        let name = |path: &Path| path.file_name().expect("name").to_str().expect("utf8").to_owned();
        match deed {
            Deed::File { id, path, made: true } => {
                let file = self.new_file();
                let Thing::File(k) = file else { unreachable!() };
                self.numbers.insert(*id, k);
                self.change(path, vec![(name(path), Some(file))]);
            }
            Deed::File { id, path, made: false } => {
                let Some(Thing::File(k)) = self.at(path) else { panic!("{} is unknown", path.display()) };
                self.numbers.insert(*id, k);
            }
            Deed::Truncate { id, length } => self.write(*id, Change::Length(*length)),
            Deed::Write { id, at, bytes } => self.write(*id, Change::Bytes(*at, bytes.clone())),
            Deed::Sync { id } => {
                let file = &mut self.files[self.numbers[id]];
                file.disk.clone_from(&file.now);
                file.pending.clear();
            }
            Deed::SyncFolder { path } => {
                let Some(Thing::Folder(k)) = self.at(path) else { panic!("{} is unknown", path.display()) };
                let folder = &mut self.folders[k];
                folder.disk.clone_from(&folder.now);
                folder.pending.clear();
            }
            Deed::MakeFolder { path } => {
                let folder = self.new_folder();
                self.change(path, vec![(name(path), Some(folder))]);
            }
            Deed::Remove { path } => self.change(path, vec![(name(path), None)]),
            Deed::Rename { from, to } => {
                assert_eq!(from.parent(), to.parent(), "a rename across folders is two changes");
                let thing = self.at(from).expect("known");
                self.change(to, vec![(name(from), None), (name(to), Some(thing))]);
            }
        }
    }

    /// Writes what a power cut at this moment leaves into an empty folder.
    pub fn cut(&self, cut: Cut, dice: &mut Dice, target: &Path) {
        self.lay(0, cut, dice, target);
    }

    fn lay(&self, folder: usize, cut: Cut, dice: &mut Dice, target: &Path) {
        std::fs::create_dir_all(target).expect("folder");
        let folder = &self.folders[folder];
        let mut names = folder.disk.clone();
        let mut lucky = || cut == Cut::Random && dice.below(2) == 0;
        folder.pending.iter().filter(|_| lucky()).for_each(|changes| rename(&mut names, changes));
        for (name, thing) in names {
            match thing {
                Thing::Folder(k) => self.lay(k, cut, dice, &target.join(name)),
                Thing::File(k) => {
                    let file = &self.files[k];
                    let mut bytes = file.disk.clone();
                    let mut lucky = || cut == Cut::Random && dice.below(2) == 0;
                    file.pending.iter().filter(|_| lucky()).for_each(|change| change.apply(&mut bytes));
                    std::fs::write(target.join(name), bytes).expect("written");
                }
            }
        }
    }
}
