//! Which campaign a directory belongs to.

use super::model::Campaign;
use crate::base::sha256::sha256;
use crate::scenario::inputs::Sums;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};

/// `campaign.json`: which campaign a directory belongs to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Identity {
    /// sha-256 of all that follows
    pub fingerprint: String,
    /// name of the campaign
    pub name: String,
    /// what computes
    pub engine: String,
    /// name and sha-256 of the scenario of each case
    pub cases: Vec<(String, String)>,
    /// path and sha-256 of what the scenarios name, which is part of theirs
    #[serde(default)]
    pub inputs: BTreeMap<String, String>,
}

impl Identity {
    /// Identifies a campaign. `hashes` are those of the scenarios of its cases, `sums` the checksums of what they name.
    pub fn of(campaign: &Campaign, hashes: &[String], sums: &Sums) -> Identity {
        let cases: Vec<(String, String)> =
            campaign.cases.iter().map(|c| c.name.clone()).zip(hashes.iter().cloned()).collect();
        let (name, engine) = (campaign.name.clone(), campaign.engine.clone());
        let all = format!("{name}\n{engine}\n{cases:?}");
        Identity { fingerprint: sha256(all.as_bytes()), name, engine, cases, inputs: sums.all().collect() }
    }

    /// The place of the first case of a directory's campaign that has begun, and that this campaign does not have.
    pub(super) fn lost(&self, there: &Identity, has_begun: impl Fn(&str) -> bool) -> Option<usize> {
        let here: HashMap<&str, &str> = self.cases.iter().map(|(name, hash)| (name.as_str(), hash.as_str())).collect();
        let is_here = |(name, hash): &(String, String)| here.get(name.as_str()) == Some(&hash.as_str());
        there.cases.iter().position(|case| !is_here(case) && has_begun(&case.0))
    }

    /// What keeps this campaign from going on in a directory whose campaign has lost a case.
    pub(super) fn difference(&self, there: &Identity, lost: usize) -> String {
        let changed = self
            .inputs
            .iter()
            .find_map(|(path, now)| Some((path, now, there.inputs.get(path).filter(|then| *then != now)?)));
        let name = &there.cases[lost].0;
        if let Some((path, now, then)) = changed {
            return format!("case `{name}` has begun, and {path} has changed: sha-256 {then} then, {now} now");
        }
        match self.cases.get(lost) {
            Some((here, _)) if here == name => format!("the scenario of case `{name}` has changed"),
            Some((here, _)) => format!("its case `{name}` is `{here}` here"),
            None => format!("its case `{name}` is none here, of {} cases", self.cases.len()),
        }
    }
}
