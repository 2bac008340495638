//! Columns that the table of a campaign will have, before any run: what plots and expressions may name.

use super::analysis::Analysis;
use crate::base::reader::Table;
use crate::physics::measure::outcome;

/// First columns of a table: which case a row is of, and how far it has come.
pub(super) const FIRST: [&str; 3] = ["case", "name", "status"];
/// Columns that say what computed a row.
pub(super) const PROVENANCE: [&str; 2] = ["program", "engine"];
/// Last column of a table: why a case has failed, or was not measured.
pub(super) const ERROR: &str = "error";
/// Last columns of a kept table: sha-256 of what was run, wall time of its processes (s).
pub(super) const RECIPE: &str = "recipe";
pub(super) const WALL: &str = "wall_s";
/// Columns of every run, behind what varies.
pub(super) const OF_RUN: [&str; 4] = ["bodies", "time_step_s", "steps", "expectations_missed"];

/// True if a table, or one that rows are kept in, has a column of this name, or may have one that runs show.
pub(super) fn is_taken(name: &str) -> bool {
    let columns = [&FIRST[..], &OF_RUN, &PROVENANCE, &[ERROR, RECIPE, WALL]].concat();
    columns.contains(&name) || outcome::QUANTITIES.iter().any(|q| q.name == name) || outcome::of_a_region(name)
}

/// The fault of a column with the name of a constant, which no expression could name.
pub(super) fn refuse_constant(t: &Table, name: Option<&str>) {
    if let Some(name) = name.filter(|name| ["G", "PI"].contains(name)) {
        t.fault("name", format!("\"{name}\" is a constant of expressions"), "give it a name of its own");
    }
}

/// Columns that a table will have.
pub struct Known {
    /// what varies
    varied: Vec<String>,
    /// what runs show
    shown: Vec<String>,
    /// what is measured, whose columns are known when it is measured
    analysis: Option<Analysis>,
}

impl Known {
    /// The columns of a campaign in which `columns` vary.
    pub fn new(columns: &[String], analysis: Option<&Analysis>) -> Known {
        let shown = OF_RUN.map(str::to_owned).into_iter().chain(outcome::names(&[])).chain(["case".to_owned()]);
        Known { varied: columns.to_vec(), shown: shown.collect(), analysis: analysis.cloned() }
    }

    /// Takes columns that are computed.
    pub(super) fn add(&mut self, names: impl Iterator<Item = String>) {
        self.shown.extend(names);
    }

    /// The column that a name means, if any: what runs show comes first.
    pub(super) fn found(&self, name: &str) -> Option<String> {
        let measured = self.analysis.as_ref().is_some_and(|a| a.may_have(name)) || outcome::of_a_region(name);
        if measured || self.shown.iter().chain(&self.varied).any(|c| c == name) {
            return Some(name.to_owned());
        }
        let mut ends = self.varied.iter().filter(|c| c.ends_with(&format!(".{name}")));
        ends.next().filter(|_| ends.next().is_none()).cloned()
    }

    /// What to do about an unknown name.
    pub(super) fn hint(&self, t: &Table, name: &str) -> String {
        let parts = self.analysis.as_ref().map_or(vec![], Analysis::patterns);
        t.hint(name, self.varied.iter().chain(&self.shown).chain(&parts).map(String::as_str))
    }

    /// The column of this name, or the only one that ends so behind a dot; what varies comes first.
    pub(super) fn varied(&self, t: &Table, key: &str, name: &str) -> String {
        if self.varied.iter().any(|c| c == name) {
            return name.to_owned();
        }
        let ends: Vec<&String> = self.varied.iter().filter(|c| c.ends_with(&format!(".{name}"))).collect();
        match ends[..] {
            [column] => column.clone(),
            [] => self.shown(t, key, name),
            _ => {
                let list = ends.iter().map(|c| c.as_str()).collect::<Vec<_>>().join(", ");
                t.fault(key, format!("\"{name}\" may be any of {list}"), "write one of them");
                name.to_owned()
            }
        }
    }

    /// The column of this name whose values tell cases apart: one that varies, is computed, or is the same in runs of one kind,
    /// such as the number of bodies. What is measured has a value of its own in every case.
    pub(super) fn telling(&self, t: &Table, key: &str, name: &str) -> String {
        let column = self.varied(t, key, name);
        let is_quantity = is_taken(&column) && column != "case" && !OF_RUN.contains(&column.as_str());
        let measured = is_quantity || self.analysis.as_ref().is_some_and(|a| a.may_have(&column));
        if measured && !self.varied.contains(&column) {
            let remedy = format!("take a column that varies: case, {}", self.varied.join(", "));
            t.fault(key, format!("\"{name}\" is measured, and every case has a value of its own"), remedy);
        }
        column
    }

    /// The column of this name if it is known before the runs: one that varies, or the number of the case.
    pub(super) fn before(&self, t: &Table, key: &str, name: &str) -> String {
        let column = self.varied(t, key, name);
        if self.found(&column).is_some() && column != "case" && !self.varied.contains(&column) {
            let remedy = format!("take one of: case, {}", self.varied.join(", "));
            t.fault(key, format!("\"{name}\" is known after the runs alone"), remedy);
        }
        column
    }

    /// The column of this name: what runs show comes first.
    pub(super) fn shown(&self, t: &Table, key: &str, name: &str) -> String {
        if let Some(found) = self.found(name) {
            return found;
        }
        if self.varied.iter().any(|c| c.ends_with(&format!(".{name}"))) {
            return self.varied(t, key, name); // which says that it may be any of several
        }
        t.fault(key, format!("unknown column \"{name}\""), self.hint(t, name));
        name.to_owned()
    }
}
