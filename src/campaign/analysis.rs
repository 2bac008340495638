//! What is measured of every finished case by `breccia analyze`, of its last frame, of frames at chosen instants or of all, and
//! the numbers of the last frame and of the instants in one row.

use crate::analysis::applies::parts_of;
use crate::base::error::{Error, Fault, Result};
use crate::base::quantity::Dimension as D;
use crate::base::reader::key::{Key, Kind, Word};
use crate::base::reader::{Table, nearest};
use crate::base::{input, json};
use crate::model::stored::frames::{analysis_of, folder_of};
use crate::model::stored::names::{ANALYSIS, MEASURED};
use crate::record::files::checkpoint::{self, head};
use crate::record::files::recorded::{nearest_of, numbered, times_of};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Parts that `breccia analyze` measures.
pub const PARTS: [&str; 10] =
    ["aggregates", "shape", "stress", "velocity", "clusters", "outcome", "strain", "compression", "damage", "orbits"];

/// Most instants, and most balls: each brings columns of its own.
const LIST_MAX: usize = 100;

/// Most members of a list that have columns: each brings all of its quantities.
const LIST_ROWS_MAX: u64 = 20;

/// Which frames are measured.
const FRAMES: &[Word] = &[Word::new("last", "the last one"), Word::new("all", "every frame")];

/// `[analysis]`.
#[derive(Debug, Clone, PartialEq)]
pub struct Analysis {
    /// of [`PARTS`]
    pub parts: Vec<String>,
    /// instants that are measured besides the last frame (s)
    pub at_s: Vec<f64>,
    /// every frame is measured, for plots against time
    pub every_frame: bool,
    /// how many of each list have columns
    pub list_rows: usize,
    /// options of `breccia analyze` but for the frames
    pub options: Vec<String>,
}

/// Keys of `[analysis]`.
pub(super) const KEYS: &[Key] = &[
    Key::with_kind("parts", Kind::Texts)
        .required()
        .says("aggregates, shape, velocity, clusters, outcome, compression, damage; stress, strain and orbits need output.contacts = true, strain soft spheres too")
        .eg("[\"aggregates\"]"),
    Key::with_kind("at_s", Kind::Numbers(D::Time))
        .says("instants whose nearest frames are measured too, as columns PART.at_7200s.QUANTITY")
        .eg("[\"2 h\", \"4 h\"]"),
    Key::choice("frames", FRAMES)
        .or_word("last")
        .says("which frames are measured; with `all`, [[time_plot]] takes the columns PART.QUANTITY too")
        .eg("\"all\""),
    Key::count("list_rows", 1, LIST_ROWS_MAX)
        .or_count(1)
        .says("how many of each list have columns: the heaviest is PART.0.QUANTITY, the next PART.1.QUANTITY")
        .eg("6"),
    Key::count("minimum", 1, u64::MAX)
        .without("2; 50 for clusters")
        .says("least number of bodies of an aggregate or cluster")
        .eg("10"),
    Key::up_to("top_percent", D::Pure, 100.0)
        .without("1")
        .says("share of the grains that count as most strained")
        .eg("1"),
    Key::not_negative("strength_share", D::Pure)
        .without("0.48")
        .says("share of the tensile strength that counts as pressure under compression")
        .eg("0.48"),
    Key::not_negative("tolerance", D::Pure)
        .without("by force; 0.01 without contacts")
        .says("gap over the mean radius up to which bodies touch")
        .eg("0.01"),
    Key::with_kind("alpha_m", Kind::NumbersOr(D::Length, "auto"))
        .without("\"auto\", twice the mean diameter")
        .says("radius of the ball of the alpha shape, or of several, the first of which is that of shape.porosity")
        .eg("[\"auto\", 90, 180]"),
    Key::either("aggregate", &[Kind::Choice(&[Word::new("all", "every aggregate")]), Kind::Count(0, u64::MAX)])
        .without("0")
        .says("which aggregate is measured, by its rank")
        .eg("\"all\""),
];

/// Parts with a list.
const LISTS: [&str; 2] = ["aggregates", "clusters"];

/// Keys, and the options of `breccia analyze` that they become.
const OPTIONS: [(&str, &str); 7] = [
    ("at_s", "--at"),
    ("minimum", "--minimum"),
    ("top_percent", "--top"),
    ("strength_share", "--strength-share"),
    ("tolerance", "--tolerance"),
    ("alpha_m", "--alpha"),
    ("aggregate", "--aggregate"),
];

/// Lists whose members all have columns, by their number.
const NUMBERED: [&str; 2] = ["balls", "sizes"];

/// Reads the section.
pub fn read(root: &Table) -> Option<Analysis> {
    let t = root.table_if("analysis")?;
    let parts = t.texts("parts").unwrap_or_default();
    if parts.is_empty() {
        t.fault("parts", "there is nothing to measure", format!("name some of: {}", PARTS.join(", ")));
    }
    for part in parts.iter().filter(|p| !PARTS.contains(&p.as_str())) {
        t.fault("parts", format!("unknown part \"{part}\""), nearest(part, PARTS.into_iter()));
    }
    let at_s = instants(&t);
    let every_frame = t.choice("frames") == "all";
    let mut options = vec![];
    let list_rows = t.count("list_rows") as usize;
    if list_rows > 1 && !parts.iter().any(|p| LISTS.contains(&p.as_str())) {
        let what = format!("belongs to {}, which `parts` does not name", LISTS.join(" or "));
        t.fault("list_rows", what, "remove it, or add the part");
    }
    for (key, option) in OPTIONS.into_iter().filter(|o| t.has(o.0)) {
        let of = parts_of(option);
        if !of.is_empty() && !of.iter().any(|p| parts.iter().any(|q| q == p)) {
            let what = format!("belongs to {}, which `parts` does not name", of.join(" or "));
            t.fault(key, what, "remove it, or add the part");
        }
        let value = match key {
            "aggregate" if t.text_if(key).as_deref() == Some("all") => "all".into(),
            "at_s" => at_s.iter().map(f64::to_string).collect::<Vec<_>>().join(","),
            "alpha_m" => {
                if t.numbers_or(key).len() > LIST_MAX {
                    t.fault(key, format!("names more than {LIST_MAX} balls"), "remove some");
                }
                let ball = |alpha: &Option<f64>| alpha.map_or("auto".to_owned(), |a| a.to_string());
                t.numbers_or(key).iter().map(ball).collect::<Vec<_>>().join(",")
            }
            "minimum" | "aggregate" => t.count(key).to_string(),
            _ => t.value(key).to_string(),
        };
        options.extend([option.to_owned(), value]);
    }
    t.close();
    Some(Analysis { parts, at_s, every_frame, list_rows, options })
}

/// `at_s`: at least one instant if it is there, none before the start.
fn instants(t: &Table) -> Vec<f64> {
    let list = if t.has("at_s") { t.numbers("at_s") } else { return vec![] };
    if list.is_empty() {
        t.fault("at_s", "names no instant", "write at_s = [\"2 h\", \"4 h\"], for example, or remove it");
    }
    if list.len() > LIST_MAX {
        t.fault("at_s", format!("names more than {LIST_MAX} instants"), "remove some");
    }
    if let Some(at) = list.iter().find(|at| **at < 0.0) {
        t.fault("at_s", format!("{at} s is before the start of a run"), "type 0 or more");
    }
    list
}

/// The part of a column's name that tells the instant.
fn instant(at_s: f64) -> String {
    format!("at_{at_s}s")
}

/// What was measured of a run, so that it is measured once.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// arguments of `breccia analyze`
    pub arguments: Vec<String>,
    /// number and time (s) of each frame that there was
    pub frames: Vec<(usize, f64)>,
    /// why it could not be measured
    pub error: Option<String>,
}

impl Measured {
    fn path(run: &Path) -> PathBuf {
        run.join(ANALYSIS).join(MEASURED)
    }

    /// Of the frames of a run, now. Frames that cannot be read are an error of the measurement.
    pub fn now(run: &Path, arguments: Vec<String>, error: Option<String>) -> Measured {
        match numbered(run).and_then(|frames| times_of(&frames)) {
            Ok(frames) => {
                let error = error.or_else(|| cut_short(run, frames.last().map_or(0, |last| last.0 + 1)));
                Measured { arguments, frames, error }
            }
            Err(e) => Measured { arguments, frames: vec![], error: error.or(Some(e.to_string())) },
        }
    }

    /// What the run directory says, if it says anything.
    pub fn read(run: &Path) -> Option<Measured> {
        serde_json::from_str(&input::read_data_text(&Measured::path(run)).ok()?).ok()
    }

    /// Writes it into a run directory.
    pub fn write(&self, run: &Path) -> Result<()> {
        let path = Measured::path(run);
        let folder = run.join(ANALYSIS);
        std::fs::create_dir_all(&folder).map_err(|e| Error::io(&folder, e))?;
        json::write(&path, self)
    }
}

/// What is wrong with a finished run of which so many frames are left: another one than the last was measured.
fn cut_short(run: &Path, left: usize) -> Option<String> {
    let frames = head(checkpoint::list(run).last()?)?.frames;
    let gone = || folder_of(run, frames - 1).display().to_string();
    (left < frames).then(|| format!("{}: is missing, and the end of the run cannot be measured without it", gone()))
}

impl Analysis {
    /// Arguments of `breccia analyze` behind the run directory.
    pub fn arguments(&self) -> Vec<String> {
        let frames = if self.every_frame { &["--frame", "all"][..] } else { &[] };
        self.measured().chain(frames.iter().copied()).map(str::to_owned).collect()
    }

    /// Parts and options that decide about a row.
    fn measured(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().chain(&self.options).map(String::as_str)
    }

    /// What decides about the row of a case: parts, options but for which frames are drawn, and which columns there are.
    pub(super) fn recipe(&self) -> String {
        let of_row = self.measured().collect::<Vec<_>>().join(" ");
        let sized = self.parts.iter().any(|p| ["clusters", "strain"].contains(&p.as_str()));
        let rows = if self.list_rows > 1 { format!(" {}", self.list_rows) } else { String::new() };
        format!("{of_row}{}{rows}", if sized { " sizes" } else { "" })
    }

    /// True if the run was measured as this says and what was measured can be read; with `retry` not if that failed.
    pub fn is_done(&self, run: &Path, retry: bool) -> bool {
        match Measured::read(run) {
            Some(m) if m.arguments != self.arguments() => false,
            Some(Measured { error: Some(_), .. }) => !retry,
            Some(_) => self.row(run).is_ok(),
            None => false,
        }
    }

    /// Names and values as in [`Analysis::row`], or why the run could not be measured as this says.
    pub fn measured_row(&self, run: &Path) -> std::result::Result<Vec<(String, f64)>, String> {
        let error = match Measured::read(run) {
            Some(m) if m.arguments == self.arguments() => m.error,
            _ => return Err("analysis: not measured yet; run `breccia sweep` with --table".into()),
        };
        let row = error.map_or_else(|| self.row(run).map_err(|e| e.to_string()), Err);
        row.map_err(|e| format!("analysis: {e}"))
    }

    /// Why the run could not be measured as this says.
    pub fn error(&self, run: &Path) -> Option<String> {
        self.measured_row(run).err()
    }

    /// True if a name may be that of a column: `PART.QUANTITY`, or `PART.INSTANT.QUANTITY` with one of the instants.
    pub(super) fn may_have(&self, name: &str) -> bool {
        let of = |part: &String| Some((part.clone(), name.strip_prefix(part.as_str())?.strip_prefix('.')?));
        let known = |(part, rest): (String, &str)| {
            let at = |at: &f64| rest.strip_prefix(&instant(*at))?.strip_prefix('.');
            let rest = if rest.starts_with("at_") { self.at_s.iter().find_map(at) } else { Some(rest) };
            let rank = |rest: &str| rest.split('.').next().and_then(|first| first.parse::<usize>().ok());
            let listed = |rest: &str| rank(rest).is_none_or(|rank| rank < self.list_rows);
            rest.is_some_and(|rest| !LISTS.contains(&part.as_str()) || listed(rest))
        };
        self.parts.iter().filter_map(of).any(known)
    }

    /// True if a name is that of a column of an instant.
    pub(super) fn is_of_an_instant(&self, name: &str) -> bool {
        let rest = |part: &String| name.strip_prefix(part.as_str())?.strip_prefix('.');
        let at = |rest: &str| {
            self.at_s.iter().any(|at| rest.strip_prefix(&instant(*at)).is_some_and(|r| r.starts_with('.')))
        };
        self.parts.iter().filter_map(rest).any(at)
    }

    /// Patterns of the names of columns, for hints.
    pub(super) fn patterns(&self) -> Vec<String> {
        let of = |part: &String| {
            let at = self.at_s.iter().map(|at| format!("{part}.{}.QUANTITY", instant(*at)));
            let ranked = LISTS.contains(&part.as_str()).then(|| format!("{part}.{}.QUANTITY", self.list_rows - 1));
            std::iter::once(format!("{part}.QUANTITY")).chain(ranked).chain(at).collect::<Vec<_>>()
        };
        self.parts.iter().flat_map(of).collect()
    }

    /// Names and values: the numbers of each PART.json of the last frame as `PART.key`, of its `list` the first ones as
    /// `PART.0.key`, `PART.1.key`, and of the frames of the instants as `PART.INSTANT.key`. The frames themselves may be gone.
    pub fn row(&self, run: &Path) -> Result<Vec<(String, f64)>> {
        let Some(Measured { frames, .. }) = Measured::read(run) else { return Ok(vec![]) };
        let mut row = vec![];
        if let Some((last, _)) = frames.last() {
            row.extend(self.of_frame(run, *last, "")?);
        }
        for at in &self.at_s {
            let near = nearest_of(&frames, *at).map_err(|what| Fault::new(what).path(run).data())?;
            row.extend(self.of_frame(run, frames[near].0, &format!(".{}", instant(*at)))?);
        }
        Ok(row)
    }

    /// Time (s), and names and values as in a row, of every frame; of one that could not be measured none.
    pub(super) fn over_time(&self, run: &Path) -> Result<Vec<(f64, BTreeMap<String, f64>)>> {
        let Some(Measured { frames, .. }) = Measured::read(run) else { return Ok(vec![]) };
        let of = |frame: usize| {
            let there = self.parts.iter().all(|part| part_of(run, frame, part).exists());
            if there { self.of_frame(run, frame, "") } else { Ok(vec![]) }
        };
        frames.into_iter().map(|(frame, time_s)| Ok((time_s, of(frame)?.into_iter().collect()))).collect()
    }

    /// Names and values of one frame, `tag` behind the name of each part.
    fn of_frame(&self, run: &Path, frame: usize, tag: &str) -> Result<Vec<(String, f64)>> {
        let mut row = vec![];
        for part in &self.parts {
            let value = json::read(&part_of(run, frame, part))?;
            flatten(&format!("{part}{tag}"), &value, self.list_rows, &mut row);
        }
        Ok(row)
    }
}

/// What `breccia analyze` writes of a part of a frame.
fn part_of(run: &Path, frame: usize, part: &str) -> PathBuf {
    analysis_of(run, frame).join(format!("{part}.json"))
}

/// Numbers below a value by dotted names; of a `list` of objects the first ones, of other lists of objects and of up to three
/// numbers all.
fn flatten(name: &str, value: &Value, list_rows: usize, row: &mut Vec<(String, f64)>) {
    match value {
        Value::Number(number) => row.extend(number.as_f64().map(|v| (name.to_owned(), v))),
        Value::Object(map) => map.iter().for_each(|(key, value)| match (key.as_str(), value) {
            ("list", Value::Array(list)) => flatten_ranked(name, list, list_rows, row),
            (key, Value::Array(list)) if NUMBERED.contains(&key) => {
                flatten_each(&format!("{name}.{key}"), list, list_rows, row);
            }
            _ => flatten(&format!("{name}.{key}"), value, list_rows, row),
        }),
        Value::Array(list) if list.len() <= 3 && list.iter().all(Value::is_number) => {
            flatten_each(name, list, list_rows, row);
        }
        _ => {}
    }
}

/// The first ones of a list, by their rank where they have one: what is not listed leaves a gap.
fn flatten_ranked(name: &str, list: &[Value], list_rows: usize, row: &mut Vec<(String, f64)>) {
    let rank = |k: usize, value: &Value| value.get("rank").and_then(Value::as_u64).map_or(k, |rank| rank as usize);
    let ranked = list.iter().enumerate().map(|(k, value)| (rank(k, value), value));
    ranked
        .filter(|(k, _)| *k < list_rows)
        .for_each(|(k, value)| flatten(&format!("{name}.{k}"), value, list_rows, row));
}

fn flatten_each(name: &str, list: &[Value], list_rows: usize, row: &mut Vec<(String, f64)>) {
    list.iter().enumerate().for_each(|(k, value)| flatten(&format!("{name}.{k}"), value, list_rows, row));
}

#[cfg(test)]
mod tests {
    use super::flatten;
    use serde_json::json;

    /// The heaviest aggregate has too few bodies to be listed: its columns are empty, and not those of the next one.
    #[test]
    fn a_list_is_numbered_by_rank() {
        let value = json!({ "list": [{ "rank": 1, "bodies": 2 }, { "rank": 3, "bodies": 5 }] });
        let mut row = vec![];
        flatten("aggregates", &value, 2, &mut row);
        assert_eq!(row, [("aggregates.1.bodies".to_owned(), 2.0), ("aggregates.1.rank".to_owned(), 1.0)]);
    }
}
