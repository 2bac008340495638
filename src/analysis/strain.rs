//! Which bodies are strained most, and of which sizes they are (Guidos et al. 2024, Figs. 6 and 7): a body's strain is
//! measured by its largest overlap with what it touches.

use super::report::Subject;
use super::sizes;
use super::sizes::Class;
use crate::base::error::Result;
use crate::base::fault::Fault;
use crate::model::snapshot::Snapshot;
use crate::model::stored::arrays::save;
use crate::model::stored::resolved::Resolved;
use serde::Serialize;
use std::path::Path;

/// Share of the most strained bodies unless another one is asked for (percent).
pub const TOP_PERCENT: f64 = 1.0;

/// The most strained bodies of a frame by size.
#[derive(Debug, Clone, Serialize)]
pub struct Strain {
    /// wanted share of the most strained bodies (percent)
    pub top_percent: f64,
    /// how many that are; fewer where fewer overlap at all
    pub top_bodies: usize,
    /// largest overlap (m)
    pub overlap_max_m: f64,
    /// least overlap of the most strained (m); none if nothing overlaps
    pub overlap_top_m: Option<f64>,
    /// smallest first
    pub sizes: Vec<SizeStrain>,
}

/// Bodies of a class of sizes.
#[derive(Debug, Clone, Serialize)]
pub struct SizeStrain {
    /// which
    #[serde(flatten)]
    pub class: Class,
    /// in the frame
    pub bodies: usize,
    /// of these among the most strained
    pub top_bodies: usize,
    /// share of the class that is among the most strained, over that of all bodies: 1 where all sizes are strained alike; none
    /// if nothing overlaps
    pub strain_share: Option<f64>,
}

/// Largest overlap of each body with bodies and walls (m); 0 if it touches nothing.
pub fn largest_overlap_m(s: &Snapshot) -> Vec<f64> {
    let mut largest = vec![0.0f64; s.bodies.len()];
    let pairs = s.contacts.iter().flat_map(|c| [(c.i, c.overlap_m), (c.j, c.overlap_m)]);
    for (k, overlap) in pairs.chain(s.wall_contacts.iter().map(|c| (c.body, c.overlap_m))) {
        largest[k as usize] = largest[k as usize].max(overlap);
    }
    largest
}

/// Indices of the `percent` bodies with the largest overlaps, largest first, at least one; among equal ones the lowest
/// id first. Bodies without overlap do not count.
pub fn most_strained(overlap_m: &[f64], id: &[u32], percent: f64) -> Vec<usize> {
    let wanted = ((overlap_m.len() as f64 * percent / 100.0).round() as usize).max(1);
    let mut indices: Vec<usize> = (0..overlap_m.len()).filter(|k| overlap_m[*k] > 0.0).collect();
    indices.sort_by(|a, b| overlap_m[*b].total_cmp(&overlap_m[*a]).then(id[*a].cmp(&id[*b])));
    indices.truncate(wanted);
    indices
}

/// An error if the bodies of a run are rigid, whose overlaps are what the solver left.
pub fn need_soft(run: &Path) -> Result<()> {
    match Resolved::read_if_there(run)? {
        Some(resolved) if resolved.method.method == "contact_dynamics" => {
            Err(Fault::new("bodies of contact dynamics are rigid, and strain needs overlaps")
                .remedy("measure a run of `run.method = \"soft_sphere\"`")
                .path(run)
                .data())
        }
        _ => Ok(()),
    }
}

/// Counts the most strained bodies by size.
pub fn strain(s: &Snapshot, overlap_m: &[f64], top_percent: f64) -> Strain {
    let b = &s.bodies;
    let top = most_strained(overlap_m, &b.id, top_percent);
    let classes = sizes::classes(&b.radius_m);
    let all = sizes::counts(&classes, b.radius_m.iter().copied());
    let most = sizes::counts(&classes, top.iter().map(|k| b.radius_m[*k]));
    let of_all = top.len() as f64 / b.len() as f64;
    let size = |k: usize| SizeStrain {
        class: classes[k],
        bodies: all[k],
        top_bodies: most[k],
        strain_share: (all[k] > 0 && !top.is_empty()).then(|| most[k] as f64 / all[k] as f64 / of_all),
    };
    Strain {
        top_percent,
        top_bodies: top.len(),
        overlap_max_m: overlap_m.iter().copied().fold(0.0, f64::max),
        overlap_top_m: top.last().map(|k| overlap_m[*k]),
        sizes: (0..classes.len()).map(size).collect(),
    }
}

impl Subject<'_> {
    /// Strain of all bodies of the frame; `body_overlap.npy` (n) m has the largest overlap of each, `body_strain.npy` (n) the
    /// same over its radius.
    pub fn strain(&self, folder: &Path) -> Result<Strain> {
        self.recorded.need_contacts("strain")?;
        need_soft(self.run)?;
        let s = &self.recorded.instant;
        let overlap = largest_overlap_m(s);
        let relative = overlap.iter().zip(&s.bodies.radius_m).map(|(o, r)| o / r).collect();
        let n = overlap.len() as u64;
        save(folder, "body_overlap", &[n], overlap.clone())?;
        save(folder, "body_strain", &[n], relative)?;
        Ok(strain(s, &overlap, self.options.top_percent))
    }
}
