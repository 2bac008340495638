//! A run directory of which one file is changed, or whose checkpoint is forged with checksums that fit.

use crate::grains::{GRAINS, rigid};
use crate::grammar::Draw;
use crate::guard::within;
use crate::mutate::changed;
use crate::{Input, inputs, tries};
use breccia::engine::Engine;
use breccia::engine::open::in_f64;
use breccia::model::scenario::{Compression, FrameForm, Precision, Scenario};
use breccia::model::snapshot::{Contact, Snapshot};
use breccia::model::stored::frames::{list_frames, number_of, write_constants, write_frame};
use breccia::model::stored::resolved::Resolved;
use breccia::model::stored::{resolved, shapes};
use breccia::physics::time_step::time_step;
use breccia::record::files::manifest::Manifest;
use breccia::record::files::quantities::Quantities;
use breccia::record::files::recorded::Recorded;
use breccia::record::files::recover;
use breccia::record::files::{checkpoint, series};
use breccia::record::run::Run;
use breccia::record::summary::Summary;
use breccia::render::export::{Format, export};
use breccia::scenario::generate::generate;
use breccia::scenario::parse::parse;
use glam::DVec3;
use std::path::{Path, PathBuf};

const OUTPUT: &str = "[output]\nframes = 2\nseries_rows = 4\ncontacts = true\n";

/// The same in contact dynamics, and with bodies that are polyhedra.
fn others() -> [String; 2] {
    let text = rigid(GRAINS) + OUTPUT;
    let shaped = text.replace("[[bodies]]\n", "[[bodies]]\nshape = { kind = \"regular\", solid = \"cube\" }\n");
    [text, shaped.replace("0.999", "1.2").replace("1.998", "2.4")]
}

fn engine(s: &Scenario) -> Box<dyn Engine> {
    let bodies = generate(s).expect("bodies");
    let dt_s = time_step(s, &bodies).dt_s;
    in_f64(s, &bodies, dt_s).expect("engine")
}

/// A finished run; of polyhedra, which the f64 engine does not step, its frames and shapes.
fn directory(s: &Scenario) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("folder");
    let bodies = generate(s).expect("bodies");
    if let Some(polyhedra) = &bodies.polyhedra {
        shapes::write(folder.path(), polyhedra).expect("writes");
        let contact =
            Contact { i: 0, j: 1, normal: DVec3::X, force_n: -DVec3::X, at_m: Some(DVec3::Z), ..Contact::default() };
        let snapshot = Snapshot { bodies, contacts: vec![contact], ..Snapshot::default() };
        write_constants(folder.path(), &snapshot).expect("writes");
        let packed =
            FrameForm { precision: Precision::F32, compression: Compression::Deflate, ..FrameForm::by_itself() };
        for (k, form) in [FrameForm::default(), packed].iter().enumerate() {
            write_frame(folder.path(), k, &snapshot, true, form, &[]).expect("writes");
        }
        write_resolved(folder.path(), s);
        return folder;
    }
    let mut run = Run::with_engine(s, &bodies, engine(s), Some(folder.path())).expect("opens");
    run.go().expect("runs");
    write_resolved(folder.path(), s);
    folder
}

fn write_resolved(run: &Path, s: &Scenario) {
    std::fs::write(run.join(resolved::FILE), serde_json::to_string(s).expect("JSON")).expect("writes");
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder).expect("folder").flatten().map(|e| e.path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() { files(&path, found) } else { found.push(path) }
    }
}

/// Reads all that commands read of a run, and goes on from its checkpoint.
fn read(run: &Path, s: &Scenario, out: &Path) -> bool {
    let done = generate(s).is_ok_and(|b| b.polyhedra.is_none());
    let mut whole = Resolved::read(run).is_ok() && Summary::read(run).is_ok();
    for read in
        [Manifest::read(run).is_ok(), Quantities::read(run).is_ok(), series::read(&run.join("series.csv")).is_ok()]
    {
        whole &= read || !done;
    }
    let frames: Vec<_> = list_frames(run).into_iter().flatten().filter_map(|p| Some((number_of(&p)?, p))).collect();
    whole &= frames.iter().all(|(_, frame)| Recorded::read(frame).is_ok()) && frames.len() > 1;
    whole &= export(run, &frames, Format::Vtp, out, false, None).is_ok();
    whole &= export(run, &frames, Format::Xyz, out, true, None).is_ok();
    if !done {
        return whole;
    }
    let resumed = recover::point(run, true).and_then(|point| {
        let mut engine = engine(s);
        engine.restore(&point.state)?;
        let step = engine.step();
        engine.run_to(step.saturating_add(2))?;
        engine.snapshot().map(|_| ())
    });
    whole && resumed.is_ok()
}

/// Changes one file after the other of two directories, and puts each back.
pub fn directories(count: u32) {
    let out = tempfile::tempdir().expect("folder");
    let runs: Vec<_> = std::iter::once(GRAINS.to_owned() + OUTPUT)
        .chain(others())
        .map(|t| parse(&t, "fuzz.toml", &[]).expect("valid"))
        .collect();
    let runs: Vec<_> = runs.into_iter().map(|s| (directory(&s), s)).collect();
    let mut valid: Vec<(usize, PathBuf, Vec<u8>)> = vec![];
    for (k, (folder, _)) in runs.iter().enumerate() {
        let mut found = vec![];
        files(folder.path(), &mut found);
        valid.extend(found.into_iter().map(|path| (k, path.clone(), std::fs::read(path).expect("reads"))));
    }
    let size: usize = valid.iter().map(|f| f.2.len()).sum();
    let checkpoints: Vec<usize> =
        (0..valid.len()).filter(|k| valid[*k].1.extension().is_some_and(|e| e == "ckpt")).collect();
    tries("run", count, &inputs(valid.len()), |most, input| {
        let (at, bytes) = match &input {
            Input::Changed(at, changes) => (*at, changed(&valid[*at].2, changes)),
            Input::Made(seed) => {
                let at = checkpoints[*seed as usize % checkpoints.len()];
                (at, forged(&valid[at].1, *seed, out.path()))
            }
        };
        let (k, path, before) = &valid[at];
        std::fs::write(path, &bytes).expect("writes");
        let what = format!("{}: {input:?}", path.display());
        let ended = within(most, &what, size + bytes.len(), || read(runs[*k].0.path(), &runs[*k].1, out.path()));
        std::fs::write(path, before).expect("writes");
        ended
    });
}

/// A checkpoint with other contents, written as a run writes it.
fn forged(path: &Path, seed: u64, out: &Path) -> Vec<u8> {
    let (head, mut state) = checkpoint::read(path).expect("valid");
    Draw::new(seed).forge(&mut state);
    let written = checkpoint::write(out, &head, &state).expect("writes");
    std::fs::read(written).expect("reads")
}
