//! Checks every case, before any is run, as `breccia check` checks a scenario, so that a bad value is reported at once.

use super::model::{Campaign, Case};
use crate::base::error::{Error, Result};
use crate::engine::gpu::limits::refuse_run;
use crate::model::scenario::{Scenario, Source};
use crate::record::check::{Estimate, check};
use crate::scenario::generate::generate;
use crate::scenario::inputs::Sums;
use serde::Serialize;
use std::collections::HashMap;

/// What a case will be.
#[derive(Debug, Serialize)]
pub struct Prospect {
    /// number of the case
    pub index: usize,
    /// its name
    pub name: String,
    /// its scenario's
    pub estimate: Estimate,
}

/// Most faults that are listed.
const FAULTS_MAX: usize = 100;

/// Faults of cases, those of one text together: the text, the first case that has it, how many have it.
#[derive(Default)]
struct Faults {
    list: Vec<(String, usize, usize)>,
    place: HashMap<String, usize>,
    /// faults beyond the list
    more: usize,
}

impl Faults {
    fn add(&mut self, case: usize, error: &Error) {
        for line in error.to_string().lines() {
            match self.place.get(line) {
                Some(place) => self.list[*place].2 += 1,
                None if self.list.len() < FAULTS_MAX => {
                    self.place.insert(line.to_owned(), self.list.len());
                    self.list.push((line.to_owned(), case, 1));
                }
                None => self.more += 1,
            }
        }
    }

    fn end(self, campaign: &Campaign) -> Result<()> {
        if self.list.is_empty() {
            return Ok(());
        }
        let line = |(text, first, count): &(String, usize, usize)| {
            let case = &campaign.cases[*first];
            let others = match count {
                1 => String::new(),
                n => format!(" and {} more", n - 1),
            };
            format!("{}: case {}{others}: {text}", campaign.file, case.name)
        };
        let more = (self.more > 0).then(|| format!("{}: and {} more faults", campaign.file, self.more));
        Err(Error::Usage(self.list.iter().map(line).chain(more).collect::<Vec<_>>().join("\n")))
    }
}

/// Fingerprint of the scenario of each case, by the sums of what they name; refuses those that cannot be read.
pub fn fingerprints(campaign: &Campaign, sums: &mut Sums) -> Result<Vec<String>> {
    let source = Source::find(&campaign.scenario)?;
    let (mut faults, mut list) = (Faults::default(), vec![]);
    for case in &campaign.cases {
        match source.parse(&case.set).and_then(|s| sums.fingerprint(&s)) {
            Ok(print) => list.push(print),
            Err(error) => faults.add(case.index, &error),
        }
    }
    faults.end(campaign)?;
    Ok(list)
}

/// Makes the bodies of these cases and refuses what would be refused at their start.
pub fn prospects(campaign: &Campaign, cases: &[&Case]) -> Result<Vec<Prospect>> {
    let source = Source::find(&campaign.scenario)?;
    let (mut faults, mut list) = (Faults::default(), vec![]);
    for case in cases {
        match source.parse(&case.set).and_then(|s| prospect(campaign, case, &s)) {
            Ok(prospect) => list.push(prospect),
            Err(error) => faults.add(case.index, &error),
        }
    }
    faults.end(campaign)?;
    Ok(list)
}

fn prospect(campaign: &Campaign, case: &Case, scenario: &Scenario) -> Result<Prospect> {
    let bodies = generate(scenario)?;
    let estimate = check(scenario, &bodies)?;
    if campaign.engine == "gpu" {
        refuse_run(scenario, &bodies, estimate.time_step.dt_s)?;
    }
    let mut measured = campaign.analysis.iter().flat_map(|a| &a.parts);
    if let Some(part) = measured.find(|p| !scenario.output.contacts && ["stress", "strain"].contains(&p.as_str())) {
        return Err(Error::Usage(format!(
            "[analysis] parts: \"{part}\" needs contacts in the frames; add [set] \"output.contacts\" = true"
        )));
    }
    Ok(Prospect { index: case.index, name: case.name.clone(), estimate })
}
