//! Checks every case, before any is run, as `breccia check` checks a scenario, so that a bad value is reported at once.

use super::former;
use super::model::{Campaign, Case};
use crate::base::error::{Error, Result};
use crate::base::fault::{Fault, Faults};
use crate::base::reader::FAULTS_MAX;
use crate::base::sha256::sha256;
use crate::engine::gpu::limits::refuse_run;
use crate::model::body::Bodies;
use crate::model::scenario::{Scenario, Source};
use crate::physics::gravity::attraction::Attraction;
use crate::physics::measure::outcome::lacking;
use crate::record::check::{Estimate, check};
use crate::record::warnings::undone_sources;
use crate::scenario::generate::arranged;
use crate::scenario::inputs::Sums;
use bytemuck::cast_slice;
use serde::Serialize;
use std::collections::HashMap;
use std::path::Path;

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

/// Faults of cases; a fault that several cases have is listed once.
#[derive(Default)]
struct CaseFaults {
    list: Vec<CaseFault>,
    /// index of each fault in the list
    index: HashMap<String, usize>,
    /// faults beyond the list
    more: usize,
}

/// A fault, the first case that has it, and how many have it.
struct CaseFault {
    fault: Fault,
    first: usize,
    count: usize,
}

impl CaseFaults {
    fn add(&mut self, case: usize, error: &Error) {
        for fault in error.faults() {
            let text = fault.to_string();
            match self.index.get(&text) {
                Some(index) => self.list[*index].count += 1,
                None if self.list.len() < FAULTS_MAX => {
                    self.index.insert(text, self.list.len());
                    self.list.push(CaseFault { fault, first: case, count: 1 });
                }
                None => self.more += 1,
            }
        }
    }

    fn end(self, campaign: &Campaign) -> Result<()> {
        let of_case = |f: CaseFault| {
            let others = if f.count > 1 { format!(" and {} more", f.count - 1) } else { String::new() };
            let case = format!("case {}{others}", campaign.cases[f.first].name);
            match f.fault.set {
                true => in_campaign(f.fault, campaign).context(case),
                false => f.fault.context(format!("{}: {case}", campaign.file)),
            }
        };
        Faults { more: self.more, ..Faults::of(self.list.into_iter().map(of_case).collect()) }.check()
    }
}

/// The fault of a value that the campaign file gives, and not the command line.
fn in_campaign(fault: Fault, campaign: &Campaign) -> Fault {
    let begins = |line: &str, key: &str| {
        let rest = line.trim_start().trim_start_matches('"').strip_prefix(key);
        rest.is_some_and(|rest| rest.trim_start_matches('"').trim_start().starts_with('='))
    };
    // the key itself, or a table around it that the file gives as a whole
    let key = fault.key.as_deref().unwrap_or_default();
    let around = key.rmatch_indices('.').map(|(end, _)| &key[..end]);
    let mut keys = std::iter::once(key).chain(around).filter(|key| !key.is_empty());
    let line = keys.find_map(|key| campaign.text.lines().position(|line| begins(line, key)));
    Fault { set: false, line: line.map(|k| k + 1), file: Some(campaign.file.clone()), ..fault }
}

/// Fingerprint of the scenario of each case, by the sums of what they name; refuses those that cannot be read.
pub fn fingerprints(campaign: &Campaign, sums: &mut Sums) -> Result<Vec<String>> {
    let source = Source::find(&campaign.scenario)?;
    let (mut faults, mut list) = (CaseFaults::default(), vec![]);
    for case in &campaign.cases {
        match source.parse(&case.set).and_then(|s| sums.fingerprint(&s)) {
            Ok(print) => list.push(print),
            Err(error) => faults.add(case.index, &error),
        }
    }
    faults.end(campaign)?;
    Ok(list)
}

/// Refuses what would be computed in vain: two cases of one scenario, as `1 s` and `1000 ms` give them, which a mean would count
/// twice, and expectations of what no run shows. `fingerprints`: of the cases.
pub fn refuse_idle(campaign: &Campaign, fingerprints: &[String]) -> Result<()> {
    let source = Source::find(&campaign.scenario)?;
    let fault = |what: String, remedy: &str| Err(Fault::new(what).remedy(remedy).file(campaign.file.clone()).into());
    let (mut seen, mut shown) = (HashMap::new(), vec![false; campaign.expect.len()]);
    let mut lacks = vec![None; campaign.expect.len()];
    // one after another: all scenarios of a large grid together would fill the memory
    for (case, print) in campaign.cases.iter().zip(fingerprints) {
        let mut scenario = source.parse(&case.set)?;
        for (k, expected) in campaign.expect.iter().enumerate() {
            match lacking(&expected.y, &scenario) {
                Some(what) => drop(lacks[k].get_or_insert(what)),
                None => shown[k] = true,
            }
        }
        // what is not made yet has no fingerprint of its own
        let paths: Vec<String> = scenario.named().iter().map(|named| named.path.clone()).collect();
        if let Some(first) = seen.insert((print, paths), &case.name) {
            let what =
                format!("the cases `{first}` and `{}` are the same run, which a mean would count twice", case.name);
            return fault(what, "remove one of the values that mean the same, or change the seed");
        }
    }
    match (0..shown.len()).find(|k| !shown[*k]).and_then(|k| Some((&campaign.expect[k].y, lacks[k].as_ref()?))) {
        Some((y, lacks)) => fault(
            format!("no run shows `{y}`: none has {lacks}"),
            "remove what is expected of it, or add that to the scenario",
        ),
        None => Ok(()),
    }
}

/// What a kept row is recognised by: sha-256 of the keys of a case, of what they name and of what is measured. It is the same in
/// every version of the program, and whatever the scenario expects. The second one is that of rows from before cases that the
/// settings name had names without `=`.
pub fn recipes(campaign: &Campaign, sums: &mut Sums) -> Result<Vec<[String; 2]>> {
    let source = Source::find(&campaign.scenario)?;
    let mut keys: toml::Table = toml::from_str(&source.text).map_err(|e| Error::Data(e.to_string()))?;
    ["expect", "title", "name"].iter().for_each(|key| drop(keys.remove(*key)));
    let measured = campaign.analysis.as_ref().map_or(String::new(), |a| a.recipe());
    let recipe = |case: &Case| -> Result<[String; 2]> {
        let mut scenario = source.parse(&case.set)?;
        let named = scenario.named();
        let inputs: Vec<String> =
            named.iter().map(|n| Ok(sums.look(Path::new(n.path), n.run)?.sha256)).collect::<Result<_>>()?;
        let before = case.set.iter().map(|s| former::setting(s)).collect();
        Ok([case.set.clone(), before].map(|set: Vec<String>| {
            sha256(format!("{}\n{keys}\n{set:?}\n{inputs:?}{measured}", campaign.engine).as_bytes())
        }))
    };
    campaign.cases.iter().map(recipe).collect()
}

/// Makes the bodies of these cases and refuses what would be refused at their start.
pub fn prospects(campaign: &Campaign, cases: &[&Case]) -> Result<Vec<Prospect>> {
    let source = Source::find(&campaign.scenario)?;
    let (mut faults, mut list, mut made) = (CaseFaults::default(), vec![], HashMap::new());
    for case in cases {
        match source.parse(&case.set).and_then(|mut s| prospect(campaign, case, &mut s)) {
            Ok((prospect, content)) => {
                if let Some(first) = made.insert(content, &case.name) {
                    let what = format!(
                        "the cases `{first}` and `{}` differ by their seed alone, and nothing in them is drawn by chance: a mean would count one run twice",
                        case.name
                    );
                    let remedy = "remove the seeds, or take a generator that draws bodies by chance";
                    faults.add(case.index, &Fault::new(what).remedy(remedy).into());
                }
                list.push(prospect);
            }
            Err(error) => faults.add(case.index, &error),
        }
    }
    faults.end(campaign)?;
    Ok(list)
}

/// Fingerprint of a scenario but for its seed, and of the bodies that were made with it.
fn content(scenario: &Scenario, b: &Bodies) -> Result<String> {
    let alike = Scenario { seed: 0, ..scenario.clone() };
    let text = serde_json::to_string(&alike).map_err(|e| Error::Data(e.to_string()))?;
    let mut bytes = text.into_bytes();
    [&b.position_m, &b.velocity_m_s, &b.spin_rad_s].iter().for_each(|list| bytes.extend(cast_slice::<_, u8>(list)));
    [&b.radius_m, &b.mass_kg].iter().for_each(|list| bytes.extend(cast_slice::<_, u8>(list)));
    let turns = b.polyhedra.iter().flat_map(|p| &p.orientation);
    bytes.extend(turns.flat_map(|q| q.to_array()).flat_map(f64::to_le_bytes));
    Ok(sha256(&bytes))
}

/// The latest instant that a frame is near to: half the last spacing of frames after the end (s).
pub(super) fn latest_s(scenario: &Scenario) -> f64 {
    // as many steps as tell frames apart
    const STEPS: u64 = 1 << 40;
    let (end_s, output) = (scenario.run.duration_s, &scenario.output);
    let dt_s = end_s / STEPS as f64;
    let before = output.frame_step(output.frames.saturating_sub(1), STEPS, dt_s) as f64 * dt_s;
    end_s + 0.5 * (end_s - before)
}

/// Whether something attracts towards the asteroid, or there is none.
fn attracts(scenario: &Scenario) -> Result<bool> {
    let of = |asteroid| Ok(Attraction::of(scenario, asteroid)?.gm_m3_s2 > 0.0);
    scenario.asteroid.as_ref().map_or(Ok(true), of)
}

/// What a case will be, and the fingerprint of its content.
fn prospect(campaign: &Campaign, case: &Case, scenario: &mut Scenario) -> Result<(Prospect, String)> {
    let (bodies, _) = arranged(scenario)?;
    let estimate = check(scenario, &bodies)?;
    // one run may begin so, with a warning; nobody reads those of many
    if let Some((key, what)) = undone_sources(scenario)?.into_iter().next() {
        let remedy = "let that run end first: `resume` it, or `sweep` its campaign with --retry";
        return Err(scenario.fault(&key, what, remedy).into());
    }
    if campaign.engine == "gpu" {
        refuse_run(scenario, &bodies, estimate.time_step.dt_s)?;
    }
    refuse_unmeasurable(campaign, scenario)?;
    if let Some(fault) =
        campaign.pictures.iter().find_map(|p| p.fault(case.index, scenario, campaign.analysis.as_ref()))
    {
        return Err(fault.into());
    }
    Ok((Prospect { index: case.index, name: case.name.clone(), estimate }, content(scenario, &bodies)?))
}

/// Refuses what `[analysis]` asks of a run that cannot have it.
fn refuse_unmeasurable(campaign: &Campaign, scenario: &Scenario) -> Result<()> {
    if let Some(at) = campaign.analysis.iter().flat_map(|a| &a.at_s).find(|at| **at > latest_s(scenario)) {
        let what = format!("{at} s is after the end of the run, {} s", scenario.run.duration_s);
        return Err(Fault::new(what).remedy("name an earlier instant").key("analysis.at_s").into());
    }
    let mut measured = campaign.analysis.iter().flat_map(|a| &a.parts);
    let planes = scenario.walls.iter().filter(|wall| wall.block.is_none()).count();
    for (part, is_unfit, needs, remedy) in [
        (
            "orbits",
            scenario.asteroid.is_none(),
            "are about an asteroid, and the scenario has none",
            "add an [asteroid]",
        ),
        (
            "orbits",
            !attracts(scenario)?,
            "need a field that attracts towards the asteroid",
            "add [[gravity]] with kind = \"asteroid\"",
        ),
        ("compression", planes < 2, "needs two plates that face each other", "add two [[wall]]"),
        (
            "strain",
            scenario.method.contact_dynamics().is_some(),
            "needs overlaps, and bodies of contact dynamics are rigid",
            "run soft spheres",
        ),
    ] {
        if is_unfit && measured.clone().any(|p| p == part) {
            let fault = Fault::new(format!("\"{part}\" {needs}")).remedy(format!("remove it, or {remedy}"));
            return Err(fault.key("analysis.parts").into());
        }
    }
    let needs_contacts = |part: &&String| ["stress", "strain", "orbits"].contains(&part.as_str());
    if let Some(part) = measured.find(needs_contacts).filter(|_| !scenario.output.contacts) {
        let what = format!("\"{part}\" needs contacts in the frames");
        let remedy = "add [set] \"output.contacts\" = true";
        return Err(Fault::new(what).remedy(remedy).key("analysis.parts").into());
    }
    let measures = campaign.analysis.iter().any(|a| !a.parts.is_empty());
    if let Some((key, what)) = scenario.output.form.unmeasurable().filter(|_| measures) {
        let remedy = format!("remove `output.{key}`, or measure nothing");
        return Err(Fault::new(what).remedy(remedy).key("analysis.parts").into());
    }
    Ok(())
}
