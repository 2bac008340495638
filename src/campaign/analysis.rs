//! What is measured of the last frame of every finished case and of those at chosen instants, by `breccia analyze`, and its
//! numbers in one row.

use crate::base::error::{Error, Result};
use crate::base::quantity::Dimension as D;
use crate::base::reader::key::{Key, Kind, Word};
use crate::base::reader::{Table, nearest};
use crate::base::{input, json};
use crate::model::stored::frames::{list_frames, number_of};
use crate::record::files::recorded::nearest as nearest_frames;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Parts that `breccia analyze` measures.
pub const PARTS: [&str; 8] =
    ["aggregates", "shape", "stress", "velocity", "clusters", "outcome", "strain", "compression"];

/// Most instants: each brings all columns of all parts.
const INSTANTS_MAX: usize = 100;

/// `[analysis]`.
#[derive(Debug, Clone, PartialEq)]
pub struct Analysis {
    /// of [`PARTS`]
    pub parts: Vec<String>,
    /// instants that are measured besides the last frame (s)
    pub at_s: Vec<f64>,
    /// options of `breccia analyze`
    pub options: Vec<String>,
}

/// Keys of `[analysis]`.
pub(super) const KEYS: &[Key] = &[
    Key::with_kind("parts", Kind::Texts)
        .required()
        .says("aggregates, shape, velocity, clusters, outcome, compression; stress and strain need output.contacts = true")
        .eg("[\"aggregates\"]"),
    Key::with_kind("at_s", Kind::Numbers(D::Time))
        .says("instants whose nearest frames are measured too, as columns PART.at_7200s.QUANTITY")
        .eg("[\"2 h\", \"4 h\"]"),
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

/// Key, option, and the parts that it changes; none: all of them.
const OPTIONS: [(&str, &str, &[&str]); 7] = [
    ("at_s", "--at", &[]),
    ("minimum", "--minimum", &["aggregates", "clusters", "outcome"]),
    ("top_percent", "--top", &["strain"]),
    ("strength_share", "--strength-share", &["compression"]),
    ("tolerance", "--tolerance", &[]),
    ("alpha_m", "--alpha", &["shape"]),
    ("aggregate", "--aggregate", &["shape", "stress", "velocity"]),
];

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
    let mut options = vec![];
    for (key, option, of) in OPTIONS.into_iter().filter(|o| t.has(o.0)) {
        if !of.is_empty() && !of.iter().any(|p| parts.iter().any(|q| q == p)) {
            let what = format!("belongs to {}, which `parts` does not name", of.join(" or "));
            t.fault(key, what, "remove it, or add the part");
        }
        let value = match key {
            "aggregate" if t.text_if(key).as_deref() == Some("all") => "all".into(),
            "at_s" => at_s.iter().map(f64::to_string).collect::<Vec<_>>().join(","),
            "alpha_m" => {
                let ball = |alpha: &Option<f64>| alpha.map_or("auto".to_owned(), |a| a.to_string());
                t.numbers_or(key).iter().map(ball).collect::<Vec<_>>().join(",")
            }
            "minimum" | "aggregate" => t.count(key).to_string(),
            _ => t.value(key).to_string(),
        };
        options.extend([option.to_owned(), value]);
    }
    t.close();
    Some(Analysis { parts, at_s, options })
}

/// `at_s`: at least one instant if it is there, none before the start.
fn instants(t: &Table) -> Vec<f64> {
    let list = if t.has("at_s") { t.numbers("at_s") } else { return vec![] };
    if list.is_empty() {
        t.fault("at_s", "names no instant", "write at_s = [\"2 h\", \"4 h\"], for example, or remove it");
    }
    if list.len() > INSTANTS_MAX {
        t.fault("at_s", format!("names more than {INSTANTS_MAX} instants"), "remove some");
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
    /// why it could not be measured
    pub error: Option<String>,
}

impl Measured {
    fn path(run: &Path) -> PathBuf {
        run.join("analysis").join("campaign.json")
    }

    /// What the run directory says, if it says anything.
    pub fn read(run: &Path) -> Option<Measured> {
        serde_json::from_str(&input::read_data_text(&Measured::path(run)).ok()?).ok()
    }

    /// Writes it into a run directory.
    pub fn write(&self, run: &Path) -> Result<()> {
        let path = Measured::path(run);
        let folder = run.join("analysis");
        std::fs::create_dir_all(&folder).map_err(|e| Error::io(&folder, e))?;
        json::write(&path, self)
    }
}

impl Analysis {
    /// Arguments of `breccia analyze` behind the run directory.
    pub fn arguments(&self) -> Vec<String> {
        self.parts.iter().chain(&self.options).cloned().collect()
    }

    /// True if the run was measured as this says.
    pub fn is_done(&self, run: &Path) -> bool {
        Measured::read(run).is_some_and(|m| m.arguments == self.arguments())
    }

    /// Why the run could not be measured as this says.
    pub fn error(&self, run: &Path) -> Option<String> {
        match Measured::read(run) {
            Some(m) if m.arguments == self.arguments() => m.error.map(|e| format!("analysis: {e}")),
            _ => Some("analysis: not measured yet; run `breccia sweep` with --table".into()),
        }
    }

    /// True if a name may be that of a column: `PART.QUANTITY`, or `PART.INSTANT.QUANTITY` with one of the instants.
    pub(super) fn may_have(&self, name: &str) -> bool {
        let of = |part: &String| name.strip_prefix(part.as_str())?.strip_prefix('.');
        let known = |rest: &str| {
            let at = |at: &f64| rest.strip_prefix(&instant(*at)).is_some_and(|more| more.starts_with('.'));
            !rest.starts_with("at_") || self.at_s.iter().any(at)
        };
        self.parts.iter().filter_map(of).any(known)
    }

    /// Patterns of the names of columns, for hints.
    pub(super) fn patterns(&self) -> Vec<String> {
        let of = |part: &String| {
            let at = self.at_s.iter().map(|at| format!("{part}.{}.QUANTITY", instant(*at)));
            std::iter::once(format!("{part}.QUANTITY")).chain(at).collect::<Vec<_>>()
        };
        self.parts.iter().flat_map(of).collect()
    }

    /// Names and values: the numbers of each PART.json of the last frame as `PART.key`, of its `list` the first as
    /// `PART.0.key`, and of the frames of the instants as `PART.INSTANT.key`.
    pub fn row(&self, run: &Path) -> Result<Vec<(String, f64)>> {
        let mut row = vec![];
        let last = list_frames(run)?.last().and_then(|f| number_of(f)).map(|last| (String::new(), last));
        let near = nearest_frames(run, &self.at_s)?;
        let at = self.at_s.iter().zip(near).map(|(at, (frame, _))| (format!(".{}", instant(*at)), frame));
        for (tag, frame) in last.into_iter().chain(at) {
            for part in &self.parts {
                let path = run.join("analysis").join(format!("{frame:06}")).join(format!("{part}.json"));
                flatten(&format!("{part}{tag}"), &json::read(&path)?, &mut row);
            }
        }
        Ok(row)
    }
}

/// Numbers below a value by dotted names; of a `list` of objects the first, of `balls` and of up to three numbers all.
fn flatten(name: &str, value: &Value, row: &mut Vec<(String, f64)>) {
    match value {
        Value::Number(number) => row.extend(number.as_f64().map(|v| (name.to_owned(), v))),
        Value::Object(map) => map.iter().for_each(|(key, value)| match (key.as_str(), value) {
            ("list", Value::Array(list)) => {
                list.first().iter().for_each(|first| flatten(&format!("{name}.0"), first, row))
            }
            ("balls", Value::Array(balls)) => {
                balls.iter().enumerate().for_each(|(k, ball)| flatten(&format!("{name}.balls.{k}"), ball, row));
            }
            _ => flatten(&format!("{name}.{key}"), value, row),
        }),
        Value::Array(list) if list.len() <= 3 && list.iter().all(Value::is_number) => {
            list.iter().enumerate().for_each(|(k, v)| flatten(&format!("{name}.{k}"), v, row));
        }
        _ => {}
    }
}
