//! Files and runs that a scenario names: which they are, and what they hold.

use super::bundled::built_in;
use crate::base::error::{Error, Result};
use crate::base::sha256::{of_file, sha256};
use crate::model::generator::SourcePath;
use crate::model::scenario::{LawName, Scenario, ShapeKind, SurfaceKind};
use crate::model::stored::frames::{has_frames, last_frame};
use crate::model::stored::names::TIME;
use crate::model::stored::{frame_arrays, resolved, shapes};
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

/// Files of a run's last frame that bodies are made of, as far as they are there.
const OF_FRAME: [&str; 13] = [
    TIME,
    "arrays.npz",
    "body.npy",
    "id.npy",
    "position.npy",
    "position_relative.npy",
    "velocity.npy",
    "velocity_relative.npy",
    "spin.npy",
    "radius.npy",
    "mass.npy",
    "material.npy",
    "orientation.npy",
];

/// The key of the contact law, which may be a file.
pub const LAW: &str = "run.contact_law";

/// What a scenario names under a key.
pub struct Named<'a> {
    /// such as `asteroid.shape.path`
    pub key: String,
    /// the path, which may be replaced
    pub path: &'a mut String,
    /// a run directory, of which the last frame is taken; else a file
    pub run: bool,
}

impl Scenario {
    /// All that it names, in the order of its keys.
    pub fn named(&mut self) -> Vec<Named<'_>> {
        let mut list = vec![];
        if let LawName::File(file) = &mut self.run.contact_law {
            list.push(Named { key: LAW.into(), path: &mut file.path, run: false });
        }
        for (g, group) in self.bodies.iter_mut().enumerate() {
            let sources = group.generator.sources().into_iter();
            list.extend(sources.map(|SourcePath { key, path, run }| Named {
                key: format!("bodies.{g}.{key}"),
                path,
                run,
            }));
            if let Some(shape) = &mut group.shape {
                of_shape(format!("bodies.{g}.shape"), &mut shape.kind, &mut list);
            }
        }
        if let Some(SurfaceKind::Mesh { path, .. }) = self.asteroid.as_mut().map(|a| a.shape_mut()) {
            list.push(Named { key: "asteroid.shape.path".into(), path, run: false });
        }
        list
    }
}

/// What a scenario names, to be looked at.
pub struct Name {
    /// such as `asteroid.shape.path`
    pub key: String,
    /// of the file, or of the run directory
    pub path: PathBuf,
    /// a run directory
    pub run: bool,
}

/// All that a scenario names, in the order of its keys.
pub fn names(scenario: &Scenario) -> Vec<Name> {
    let name = |Named { key, path, run }: Named| Name { key, path: PathBuf::from(&*path), run };
    scenario.clone().named().into_iter().map(name).collect()
}

/// Refuses a scenario that names a file which does not exist, or a run without frames.
pub(super) fn refuse_missing(scenario: &Scenario) -> Result<()> {
    names(scenario).iter().try_for_each(|name| match name.run {
        true if !has_frames(&name.path) => Err(no_run(name, scenario)),
        false if !name.path.exists() => Err(no_file(name, scenario)),
        _ => Ok(()),
    })
}

fn no_file(name: &Name, scenario: &Scenario) -> Error {
    let remedy = "give the path of a file, which counts from the folder of the scenario";
    scenario.fault(&name.key, format!("the file {} does not exist", name.path.display()), remedy).data()
}

/// The fault of a run that was not made yet.
fn no_run(Name { key, path, .. }: &Name, scenario: &Scenario) -> Error {
    let leaves = |name: &String| path.as_path() == Path::new("runs").join(name);
    let made = built_in().into_iter().map(|b| b.name).find(leaves);
    let first = made.map_or("make the run first".into(), |name| format!("make it first with `breccia run {name}`"));
    let remedy = format!("{first}, or name another run with --set {key}=DIRECTORY");
    scenario.fault(key, format!("{} does not hold a run with frames", path.display()), remedy).data()
}

fn of_shape<'a>(key: String, kind: &'a mut ShapeKind, list: &mut Vec<Named<'a>>) {
    match kind {
        ShapeKind::Mesh { path, .. } | ShapeKind::Objects { path, .. } => {
            list.push(Named { key: format!("{key}.path"), path, run: false });
        }
        ShapeKind::Clump { parts } => {
            for (p, part) in parts.iter_mut().enumerate() {
                of_shape(format!("{key}.parts.{p}"), &mut part.shape, list);
            }
        }
        _ => {}
    }
}

/// Files that make up what is named: their names below it, "" for a file itself.
pub fn parts(path: &Path, run: bool) -> Result<Vec<String>> {
    if !run {
        return Ok(vec![String::new()]);
    }
    let frame = last_frame(path)?;
    let number = frame.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
    let mut list: Vec<String> = OF_FRAME.iter().map(|name| format!("frames/{number}/{name}")).collect();
    for folder in [frame_arrays::FOLDER, shapes::FOLDER] {
        let entries = std::fs::read_dir(path.join(folder)).into_iter().flatten().flatten();
        let mut files: Vec<String> = entries.map(|e| format!("{folder}/{}", e.file_name().to_string_lossy())).collect();
        files.sort();
        list.extend(files);
    }
    list.push(resolved::FILE.into());
    list.retain(|name| path.join(name).exists());
    Ok(list)
}

/// Files that a scenario names, and their bytes, which a run copies; what is named twice counts once.
pub fn size(scenario: &Scenario) -> Result<(usize, u64)> {
    let mut files = BTreeSet::new();
    for Name { path, run, .. } in names(scenario) {
        files.extend(parts(&path, run)?.iter().map(|part| path_of(&path, part)));
    }
    let length = |path: &PathBuf| std::fs::metadata(path).map(|m| m.len()).map_err(|e| Error::io(path, e));
    Ok((files.len(), files.iter().map(length).sum::<Result<u64>>()?))
}

/// What is named, as it was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// sha-256 of a file; of a run that of the sums and names of its files
    pub sha256: String,
    /// all files together
    pub bytes: u64,
}

/// The fault of a missing input, in place of its checksum.
pub const MISSING: &str = "missing";

/// Sums of files, each read once.
#[derive(Debug, Default)]
pub struct Sums {
    known: HashMap<PathBuf, Found>,
    /// of paths where nothing is any more
    recorded: HashMap<String, String>,
}

impl Sums {
    /// Takes the sums that were `recorded` for paths where nothing is any more.
    pub fn with(recorded: impl IntoIterator<Item = (String, String)>) -> Sums {
        Sums { recorded: recorded.into_iter().collect(), ..Sums::default() }
    }

    /// What is at a path; [`MISSING`] if nothing is, since the code that needs the file reports that better.
    pub fn look(&mut self, path: &Path, run: bool) -> Result<Found> {
        if let Some(found) = self.known.get(path) {
            return Ok(found.clone());
        }
        let there = if run { has_frames(path) } else { path.exists() };
        let found = if there {
            look(path, run)?
        } else {
            Found { sha256: self.recorded(path).unwrap_or(MISSING).to_owned(), bytes: 0 }
        };
        self.known.insert(path.to_owned(), found.clone());
        Ok(found)
    }

    /// The sum that was recorded of a path. A run that is gone may have been in the scenario's folder, which its path then lacks.
    fn recorded(&self, path: &Path) -> Option<&str> {
        let whole = self.recorded.get(path.to_string_lossy().as_ref());
        let mut ends = self.recorded.iter().filter(|(known, _)| Path::new(known).ends_with(path)).map(|(_, sum)| sum);
        let only = || ends.next().filter(|sum| ends.all(|other| other == *sum));
        whole.or_else(only).map(String::as_str)
    }

    /// Sums of all paths that were looked at.
    pub fn all(&self) -> impl Iterator<Item = (String, String)> {
        self.known.iter().map(|(path, found)| (path.to_string_lossy().into_owned(), found.sha256.clone()))
    }

    /// sha-256 of a scenario and of what it names, wherever that is: two that say the same have the same.
    pub fn fingerprint(&mut self, scenario: &Scenario) -> Result<String> {
        let mut scenario = scenario.clone();
        for named in scenario.named() {
            *named.path = self.look(Path::new(named.path), named.run)?.sha256;
        }
        let text = serde_json::to_vec(&scenario).map_err(|e| Error::Data(e.to_string()))?;
        Ok(sha256(&text))
    }
}

fn look(path: &Path, run: bool) -> Result<Found> {
    let (mut list, mut bytes) = (String::new(), 0);
    for name in parts(path, run)? {
        let (sum, size) = of_file(&path_of(path, &name), |_| Ok(()))?;
        bytes += size;
        if !run {
            return Ok(Found { sha256: sum, bytes });
        }
        list += &line(&sum, &name);
    }
    Ok(Found { sha256: sha256(list.as_bytes()), bytes })
}

/// The line of a file in the list of which the sha-256 of a run is taken.
pub fn line(sha256: &str, name: &str) -> String {
    format!("{sha256}  {name}\n")
}

/// The file of a part of what is named.
pub fn path_of(path: &Path, part: &str) -> PathBuf {
    if part.is_empty() { path.to_owned() } else { path.join(part) }
}
