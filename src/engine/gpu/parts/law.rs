//! The contact law of soft spheres on the GPU: its shader module, its constants for every two materials, and the same in
//! f64, which shows what contacts hold.

use super::{Fill, Part};
use crate::base::error::{Error, Result};
use crate::base::units::Units;
use crate::gpu::buffer_table::Counts;
use crate::gpu::pipeline::link::Sources;
use crate::gpu::pipeline::plan::Plan;
use crate::model::body::Bodies;
use crate::model::scenario::{LawName, Method, Scenario};
use crate::physics::laws::contact::{Springs, Twin};
use crate::physics::laws::pairs::{Laws, pair_laws};
use crate::physics::laws::registry;

/// The struct of a law's constants in its shader.
const STRUCT: &str = "Law";

/// The law of a run; empty for contact dynamics.
#[derive(Default)]
pub struct LawPart {
    /// shader module
    pub module: Option<String>,
    /// its text, if it is a file of the user
    own: Option<&'static str>,
    /// members of the shader's struct, in order
    pub members: Vec<&'static str>,
    /// constants of every two materials, row by row, member by member
    pub rows: Vec<f32>,
    /// number of materials
    materials: usize,
    /// SI
    twins: Option<Laws>,
    /// code units, rounded as the rows are
    seen: Vec<Box<dyn Twin>>,
}

/// A contact as its memory on the GPU has it, in code units.
pub(crate) struct Held {
    /// materials
    pub between: [u32; 2],
    /// effective radius
    pub radius: f64,
    /// now
    pub overlap: f64,
    /// when the law last worked on it
    pub before: f64,
    /// first row of its memory
    pub first: [f32; 4],
    /// second row
    pub second: [f32; 3],
}

/// Makes room for the constants of soft spheres' contacts.
pub(crate) fn counts(scenario: &Scenario, bodies: &Bodies, counts: Counts) -> Counts {
    if scenario.method != Method::SoftSphere {
        return counts;
    }
    // their number does not depend on the scale
    let constants = pair_laws(scenario, bodies).first().map_or(0, |law| law.row(&Units::new(1.0, 1.0, 1.0)).len());
    counts.with_law(constants as u64)
}

impl Part for LawPart {
    fn fill(&self, to: &Fill) -> Result<()> {
        to.write("contact_law", &self.rows)
    }
}

impl LawPart {
    pub(crate) fn new(scenario: &Scenario, bodies: &Bodies, units: &Units) -> LawPart {
        if scenario.method != Method::SoftSphere {
            return LawPart::default();
        }
        let (module, own) = match &scenario.run.contact_law {
            LawName::File(file) => (file.path.clone(), Some(file.text)),
            name => (registry::of(name).module(), None),
        };
        let pairs = pair_laws(scenario, bodies);
        let rows: Vec<_> = pairs.iter().map(|law| law.row(units)).collect();
        LawPart {
            module: Some(module),
            own,
            members: rows.first().map_or(vec![], |row| row.iter().map(|(name, _)| *name).collect()),
            rows: rows.iter().flatten().map(|(_, value)| *value).collect(),
            materials: scenario.materials.len(),
            twins: Some(Laws::new(scenario, bodies, units.time_s)),
            seen: pairs.iter().map(|law| law.seen(units)).collect(),
        }
    }

    /// The laws in f64, SI.
    pub(crate) fn twins(&self) -> Option<&Laws> {
        self.twins.as_ref()
    }

    /// The law between two materials in f64, in code units.
    fn seen(&self, [a, b]: [u32; 2]) -> &dyn Twin {
        &*self.seen[a as usize * self.materials + b as usize]
    }

    /// What a contact stores.
    pub(crate) fn energy(&self, held: &Held) -> f64 {
        let springs = self.springs(held.first, held.second);
        self.seen(held.between).energy(held.radius, held.overlap, held.before, &springs)
    }

    /// What two rows of a contact's memory mean, in code units; all pairs of materials remember alike.
    pub(crate) fn springs(&self, first: [f32; 4], second: [f32; 3]) -> Springs {
        self.seen.first().map_or(Springs::default(), |law| law.memory(first, second))
    }

    /// Where shaders come from, the law among them if it is a file of the user.
    pub(crate) fn sources(&self, sources: &Sources) -> Sources {
        let own = self.module.clone().zip(self.own).map(|(path, text)| (path, text.to_owned()));
        Sources { own, ..sources.clone() }
    }

    /// An error if the shader's constants are not those of the host.
    pub(crate) fn check(&self, plan: &Plan) -> Result<()> {
        for pass in &plan.passes {
            let Some(members) = pass.shader.members_of(STRUCT).filter(|m| *m != self.members) else { continue };
            return Err(Error::Usage(format!(
                "{}: `struct {STRUCT}` has the members {}; the host writes {}, all of them f32",
                self.module.as_deref().unwrap_or_default(),
                members.join(", "),
                self.members.join(", ")
            )));
        }
        Ok(())
    }
}
