//! What the panels of a picture show: which frame of which case, from where, and what their captions say.

use super::model::{Campaign, Factor, Instants, Picture, Scale};
use super::paths::run_of;
use crate::base::error::Result;
use crate::base::fault::Fault;
use crate::base::readable::digits;
use crate::model::stored::frames::number_of;
use crate::record::files::recorded::{Wanted, choose, nearest_of, times_of};
use crate::render::scale::time_unit;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// What a panel shows.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Shot {
    /// parts of the caption
    pub caption: Vec<String>,
    /// number of the case
    pub case: usize,
    /// its name
    pub name: String,
    /// number of the frame
    pub frame: usize,
    /// its time (s)
    pub time_s: f64,
    /// from where it is seen
    pub view: String,
    /// among the views of the picture
    #[serde(skip)]
    pub view_index: usize,
    /// directory of the frame
    #[serde(skip)]
    pub path: PathBuf,
    /// panels of one scale have one number
    #[serde(skip)]
    pub group: usize,
}

impl Picture {
    /// Columns, and the numbers of case, instant and view of each panel, across and then down.
    pub(super) fn arranged(&self) -> (usize, Vec<[usize; 3]>) {
        let counts = [self.cases.len(), self.times.count(), self.views.len()];
        let across = match self.across {
            Factor::Each => 0,
            Factor::Times => 1,
            Factor::Views => 2,
        };
        let of = |k: usize| 0..if k == across { 1 } else { counts[k] };
        let rows = of(0).flat_map(|a| of(1).flat_map(move |b| of(2).map(move |c| [a, b, c])));
        let row = |row: [usize; 3]| {
            (0..counts[across]).map(move |k| {
                let mut place = row;
                place[across] = k;
                place
            })
        };
        (self.columns.unwrap_or(counts[across]).min(counts[across]), rows.flat_map(row).collect())
    }

    /// What each panel shows.
    pub(super) fn shots(&self, campaign: &Campaign, directory: &Path) -> Result<Vec<Shot>> {
        let mut frames = vec![];
        for (_, case) in &self.cases {
            frames.push(self.frames(&run_of(directory, &campaign.cases[*case]))?);
        }
        let (columns, places) = self.arranged();
        let shot = |(k, [of, time, view]): (usize, &[usize; 3])| {
            let (label, case) = &self.cases[*of];
            let (time_s, path) = &frames[*of][*time];
            Shot {
                caption: vec![label.clone()],
                case: *case,
                name: campaign.cases[*case].name.clone(),
                frame: number_of(path).unwrap_or(0),
                time_s: *time_s,
                view: self.views[*view].0.clone(),
                view_index: *view,
                path: path.clone(),
                group: match self.scale {
                    Scale::Sheet => 0,
                    Scale::Row => k / columns,
                    Scale::Panel => k,
                },
            }
        };
        let mut shots: Vec<Shot> = places.iter().enumerate().map(shot).collect();
        self.caption(&mut shots);
        Ok(shots)
    }

    /// Times and paths of the frames of a run that are shown.
    fn frames(&self, run: &Path) -> Result<Vec<(f64, PathBuf)>> {
        let frames = choose(run, Wanted::All)?;
        let times = times_of(&frames)?;
        let missing = |what: String| Fault::new(what).remedy("change times_s of the picture").path(run).data();
        let shown: Vec<usize> = match &self.times {
            Instants::First => vec![0],
            Instants::Last => vec![frames.len() - 1],
            Instants::At(wanted) => {
                wanted.iter().map(|at_s| nearest_of(&times, *at_s).map_err(missing)).collect::<Result<_>>()?
            }
        };
        Ok(shown.into_iter().map(|k| (times[k].1, frames[k].1.clone())).collect())
    }

    /// Completes the captions: what is shown, when, and from where if there are several views.
    fn caption(&self, shots: &mut [Shot]) {
        let since = |shot: &Shot| shot.time_s - self.time_zero_s;
        let latest_s = shots.iter().map(|s| since(s).abs()).fold(0.0, f64::max);
        let (unit, factor) = self.time_unit.map_or_else(|| time_unit(latest_s), |(unit, of_s)| (unit, 1.0 / of_s));
        for shot in shots {
            let view = if self.views.len() > 1 { shot.view.clone() } else { String::new() };
            shot.caption.extend([format!("{} {unit}", digits(factor * since(shot), 3)), view]);
            shot.caption.retain(|part| !part.is_empty());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::campaign::model::Shows;
    use crate::render::scene::Quantity;
    use crate::render::viewpoint::Viewpoint;
    use glam::DVec3;

    fn picture(across: Factor) -> Picture {
        Picture {
            name: "a".into(),
            title: String::new(),
            cases: vec![("1 N".into(), 0), ("10 N".into(), 3)],
            times: Instants::At(vec![0.0, 60.0, 120.0]),
            time_zero_s: 0.0,
            time_unit: None,
            shows: Shows::Bodies(Quantity::Speed),
            views: vec![("from +z".into(), Viewpoint::Whole(DVec3::Z)), ("from +x".into(), Viewpoint::Whole(DVec3::X))],
            across,
            columns: None,
            scale: Scale::Row,
            width_m: None,
            size: 100,
        }
    }

    #[test]
    fn one_factor_goes_across_and_the_others_down() {
        let (columns, places) = picture(Factor::Times).arranged();
        assert_eq!((columns, places.len()), (3, 12));
        assert_eq!(places[..4], [[0, 0, 0], [0, 1, 0], [0, 2, 0], [0, 0, 1]]);
        assert_eq!(places[6], [1, 0, 0]);
        let (columns, places) = picture(Factor::Each).arranged();
        assert_eq!((columns, &places[..3]), (2, &[[0, 0, 0], [1, 0, 0], [0, 0, 1]][..]));
        let (columns, places) = picture(Factor::Views).arranged();
        assert_eq!((columns, &places[..3]), (2, &[[0, 0, 0], [0, 0, 1], [0, 1, 0]][..]));
        let mut row = picture(Factor::Times);
        (row.cases, row.views, row.columns) = (vec![(String::new(), 0)], row.views[..1].to_vec(), Some(2));
        assert_eq!(row.arranged(), (2, vec![[0, 0, 0], [0, 1, 0], [0, 2, 0]]));
    }
}
