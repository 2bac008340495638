//! Many runs of one scenario, described by one file: docs/user/campaigns.md.
//!
//! [`parse`] reads the file, [`expand`] makes its [`model::Case`]s, [`check`] checks every case as `breccia check`
//! checks a scenario. The [`directory`] belongs to one campaign alone; [`status`] reads how far a case is from disk;
//! the [`runner`] does what is left, one process a case, and lets [`analysis`] measure finished cases. The [`table`]
//! merges their results, and may go into a [`kept`] one that outlives the runs; [`timing`] tells where the time of the steps
//! went. A [`column`](mod@column) may be computed from others, and what is [`known`] of columns beforehand is what
//! plots may name, in `conditions` that have an effect. What is [`drawn`] is of the table of today. A [`plot`] shows columns
//! as a [`figure`], with reference curves such as those of [`remnants`].
//! An [`expect`](mod@expect)ation is [judged](judge) by the table.
//! A [`picture`] shows frames of cases: the [`shots`] of its panels, which the [`sheet`] draws.
//!
//! This floor imports from [`crate::render`] and below.

pub mod analysis;
pub mod cell;
pub mod check;
pub mod column;
mod conditions;
mod counted;
pub mod directory;
pub mod drawn;
pub mod expand;
pub mod expect;
pub mod figure;
pub mod fit;
pub mod former;
pub mod identity;
pub mod judge;
pub mod kept;
pub mod known;
pub mod model;
pub mod panels;
pub mod parse;
pub mod paths;
pub mod picture;
pub mod plot;
pub mod process;
pub mod remnants;
pub mod runner;
pub mod sheet;
pub mod shots;
pub mod slurm;
pub mod status;
pub mod table;
pub mod time_plot;
pub mod times;
pub mod timing;
mod varied;

use crate::base::error::Result;
use crate::base::fault::Fault;
use crate::base::input;
use crate::base::reader::nearest;
use crate::scenario::bundled::built_in_campaigns;
use model::Campaign;
use std::path::Path;

/// Reads a campaign: a file, or the name of a built-in one.
pub fn load(path_or_name: &str) -> Result<Campaign> {
    let path = Path::new(path_or_name);
    if path.exists() && !path.is_dir() {
        return parse::parse(&input::read_text(path)?, path_or_name);
    }
    let known = built_in_campaigns();
    if let Some((name, text)) = known.iter().find(|c| c.0 == path_or_name) {
        return parse::parse(text, &format!("scenarios/campaigns/{name}.toml"));
    }
    let hint = nearest(path_or_name, known.iter().map(|c| c.0.as_str()));
    Err(Fault::new("there is no such file and no such built-in campaign").remedy(hint).file(path_or_name).into())
}
