//! Asks of every case, before any is run, what `breccia check` asks of a scenario: one bad value is told at once.

use super::model::{Campaign, Case};
use crate::error::{Error, Result};
use crate::scenario::check::{Estimate, check};
use crate::scenario::generate::generate;
use crate::scenario::model::Scenario;
use crate::scenario::{fingerprint, parse::parse, text_of};
use crate::solver::limits::refuse;
use serde::Serialize;

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

/// Faults of cases, those of one text together.
#[derive(Default)]
struct Faults(Vec<(String, Vec<usize>)>);

impl Faults {
    fn add(&mut self, case: usize, error: &Error) {
        for line in error.to_string().lines() {
            match self.0.iter_mut().find(|f| f.0 == line) {
                Some(fault) => fault.1.push(case),
                None => self.0.push((line.to_owned(), vec![case])),
            }
        }
    }

    fn end(self, campaign: &Campaign) -> Result<()> {
        if self.0.is_empty() {
            return Ok(());
        }
        let line = |(text, cases): &(String, Vec<usize>)| {
            let case = &campaign.cases[cases[0]];
            let others = match cases.len() {
                1 => String::new(),
                n => format!(" and {} more", n - 1),
            };
            format!("{}: case {}{others}: {text}", campaign.file, case.name)
        };
        Err(Error::Usage(self.0.iter().map(line).collect::<Vec<_>>().join("\n")))
    }
}

/// Fingerprint of the scenario of each case; refuses those that cannot be read.
pub fn fingerprints(campaign: &Campaign) -> Result<Vec<String>> {
    let (text, file) = text_of(&campaign.scenario)?;
    let (mut faults, mut list) = (Faults::default(), vec![]);
    for case in &campaign.cases {
        match parse(&text, &file, &case.set).and_then(|s| fingerprint(&s)) {
            Ok(print) => list.push(print),
            Err(error) => faults.add(case.index, &error),
        }
    }
    faults.end(campaign)?;
    Ok(list)
}

/// Makes the bodies of these cases and refuses what would be refused at their start.
pub fn prospects(campaign: &Campaign, cases: &[&Case]) -> Result<Vec<Prospect>> {
    let (text, file) = text_of(&campaign.scenario)?;
    let (mut faults, mut list) = (Faults::default(), vec![]);
    for case in cases {
        match parse(&text, &file, &case.set).and_then(|s| prospect(campaign, case, &s)) {
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
        refuse(scenario, &bodies, estimate.time_step.dt_s)?;
    }
    let mut measured = campaign.analysis.iter().flat_map(|a| &a.parts);
    if let Some(part) = measured.find(|p| !scenario.output.contacts && ["stress", "strain"].contains(&p.as_str())) {
        return Err(Error::Usage(format!(
            "[analysis] parts: \"{part}\" needs contacts in the frames; add [set] \"output.contacts\" = true"
        )));
    }
    Ok(Prospect { index: case.index, name: case.name.clone(), estimate })
}
