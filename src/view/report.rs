//! A run as one file: the page, and in it all that it would ask for.

use super::resource::{HTML, PAGE, Resource, SCRIPT};
use super::run::{At, Run};
use crate::base::error::{Error, Result};
use crate::base::fault::Fault;
use crate::base::readable::bytes as in_words;
use crate::model::stored::frame_files::FrameFiles;
use crate::model::stored::frames::{has_frames, list_frames, number_of};
use crate::render::scene::Quantity;
use base64::prelude::{BASE64_STANDARD, Engine};
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;

/// What goes into a report.
#[derive(Debug, Clone)]
pub struct Choice {
    /// frames at most, evenly over the run, the first and the last among them
    pub frames: usize,
    /// names of quantities that colour the bodies; empty for the usual ones
    pub quantities: Vec<String>,
    /// bytes at most
    pub most: u64,
}

/// Quantities of a report that names none, those of them that the frames hold.
const USUAL: [&str; 5] = ["speed", "pressure", "coordination", "radius", "material"];

/// A report that was made.
#[derive(Debug)]
pub struct Report {
    /// the file
    pub html: String,
    /// frames in it
    pub frames: usize,
    /// frames of the run
    pub of: usize,
}

/// Makes the report of a run directory.
pub fn report(directory: &Path, choice: &Choice) -> Result<Report> {
    let run = Run::open(directory)?;
    let all: Vec<usize> = if has_frames(directory) {
        list_frames(directory)?.iter().filter_map(|f| number_of(f)).collect()
    } else {
        vec![]
    };
    let frames = evenly(&all, choice.frames);
    let mut data = Data { text: String::new(), most: choice.most, run: &run };
    data.add("run", &Resource::Run)?;
    data.add("state", &Resource::State)?;
    data.add("series/0", &Resource::Series(0))?;
    if run.given()?.asteroid.is_some() {
        data.add("surface", &Resource::Surface)?;
    }
    let mut shapes = BTreeSet::new();
    for frame in &frames {
        data.frame(*frame, choice, &mut shapes)?;
    }
    data.instants(&frames)?;
    let html = assemble(&data.text)?;
    Ok(Report { html, frames: frames.len(), of: all.len() })
}

/// `count` of a list at most, evenly over it, its ends among them.
fn evenly(all: &[usize], count: usize) -> Vec<usize> {
    match (all.len(), count) {
        (_, 0) => vec![],
        (n, count) if n <= count => all.to_vec(),
        (n, 1) => vec![all[n - 1]],
        (n, count) => (0..count).map(|k| all[k * (n - 1) / (count - 1)]).collect(),
    }
}

/// The elements that hold data, compressed.
struct Data<'a> {
    text: String,
    most: u64,
    run: &'a Run,
}

impl Data<'_> {
    fn add(&mut self, name: &str, resource: &Resource) -> Result<()> {
        let answer = resource.of(self.run)?;
        self.put(name, &answer.bytes)
    }

    fn put(&mut self, name: &str, bytes: &[u8]) -> Result<()> {
        let mut packed = GzEncoder::new(vec![], Compression::default());
        let packed = packed.write_all(bytes).and_then(|()| packed.finish());
        let packed = packed.map_err(|e| Error::Data(e.to_string()))?;
        let text = BASE64_STANDARD.encode(packed);
        self.text += &format!("<script type=\"application/x-breccia\" data-name=\"{name}\">{text}</script>\n");
        if self.text.len() as u64 <= self.most {
            return Ok(());
        }
        let what = format!("the report would be larger than {}", in_words(self.most));
        let remedy = "take fewer frames by --frames, fewer quantities by --color, or a larger --max-size; or look at the run with `breccia view`";
        Err(Fault::new(what).remedy(remedy).path(&self.run.directory).into())
    }

    /// A frame: bodies, shapes that are new, quantities, walls, contacts.
    fn frame(&mut self, frame: usize, choice: &Choice, shapes: &mut BTreeSet<u32>) -> Result<()> {
        let at = At { frame, inertial: false };
        let files = FrameFiles::open(&self.run.folder(frame)?)?;
        self.add(&format!("frame/{frame}/bodies"), &Resource::Bodies(at))?;
        let (key, bytes) = super::frame::shapes(self.run, at)?;
        if shapes.insert(key) {
            self.put(&format!("shapes/{key}"), &bytes)?;
        }
        let there = super::frame::quantities(self.run, at, &files)?;
        let usual = || there.iter().filter(|name| USUAL.contains(&name.as_str())).cloned().collect();
        let names: Vec<String> = if choice.quantities.is_empty() { usual() } else { choice.quantities.clone() };
        for name in &names {
            self.add(&format!("frame/{frame}/values/{name}"), &Resource::Values(at, Quantity::parse(name)?))?;
        }
        if !self.run.given()?.walls().is_empty() {
            self.add(&format!("frame/{frame}/walls"), &Resource::Walls(at))?;
        }
        if files.holds("pair") {
            self.add(&format!("frame/{frame}/contacts"), &Resource::Contacts(at))?;
        }
        Ok(())
    }

    /// The list of the frames that the report has.
    fn instants(&mut self, frames: &[usize]) -> Result<()> {
        let answer = Resource::Frames(0).of(self.run)?;
        let fault = |e: serde_json::Error| Error::Data(e.to_string());
        let mut all: Vec<serde_json::Value> = serde_json::from_slice(&answer.bytes).map_err(fault)?;
        all.retain(|f| f["frame"].as_u64().is_some_and(|k| frames.contains(&(k as usize))));
        self.put("frames/0", &serde_json::to_vec(&all).map_err(fault)?)
    }
}

/// The page with style, data and scripts in it. Nothing is asked for from elsewhere, and no other script runs.
fn assemble(data: &str) -> Result<String> {
    let all = |kind: &str| PAGE.iter().filter(|(_, k, _)| *k == kind).map(|(.., text)| *text).collect::<String>();
    let (style, script) = (all(super::resource::CSS), all(SCRIPT));
    let sum = |text: &str| BASE64_STANDARD.encode(Sha256::digest(text));
    let policy = format!(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; img-src data: blob:; base-uri 'none'; form-action 'none'\">",
        sum(&script),
        sum(&style)
    );
    let (head, rest) = HTML.split_once("<!-- links -->").ok_or_else(lost)?;
    let (_, rest) = rest.split_once("<!-- end of links -->").ok_or_else(lost)?;
    let (body, foot) = rest.split_once("<!-- data -->").ok_or_else(lost)?;
    Ok(format!("{head}{policy}\n<style>{style}</style>{body}{data}<script>{script}</script>{foot}"))
}

fn lost() -> Error {
    Error::Data("the page lacks one of its marks".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_taken_evenly_with_the_ends() {
        let all: Vec<usize> = (0..=10).collect();
        assert_eq!(evenly(&all, 3), [0, 5, 10]);
        assert_eq!(evenly(&all, 1), [10]);
        assert_eq!(evenly(&all, 99), all);
        assert!(evenly(&all, 0).is_empty() && evenly(&[], 5).is_empty());
    }

    #[test]
    fn a_report_asks_for_nothing() {
        let html = assemble("").unwrap();
        assert!(!html.contains(" src=") && !html.contains("<link"), "all is in it");
        assert!(html.contains("script-src 'sha256-") && !html.contains("unsafe-inline"));
        for (name, ..) in PAGE {
            assert!(HTML.contains(&format!("\"{name}\"")), "the page links {name}");
        }
        assert!(PAGE.iter().all(|(.., text)| !text.contains("</script")));
    }
}
