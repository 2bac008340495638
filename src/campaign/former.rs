//! Names that cases had in earlier versions, such as `000_seed=1` for what is `000_seed-1` now: their directories are renamed,
//! and rows of kept tables are recognised.

use super::expand::safe;
use super::identity::Identity;
use super::paths::LOGS;
use crate::base::error::{Error, Result};
use crate::base::json;
use crate::record::files::directory::{CAMPAIGN, CASES};
use std::path::Path;

/// Between the directory of a campaign and the name of a case.
const WITHIN: &str = "/cases/";

/// Today's name of a case that may have an earlier one.
pub fn name(text: &str) -> String {
    text.chars().map(safe).collect()
}

/// Today's path of what may be below a case with an earlier name.
pub fn path(text: &str) -> String {
    match text.split_once(WITHIN) {
        None => text.to_owned(),
        Some((before, below)) => {
            let (case, rest) = below.split_at(below.find('/').unwrap_or(below.len()));
            format!("{before}{WITHIN}{}{rest}", name(case))
        }
    }
}

/// A setting as it was when it named a case by an earlier name, where keys ended in `=`. Where a label has a letter, `-` and a
/// digit, the guess is wrong and is that of no row.
pub fn setting(text: &str) -> String {
    let Some((before, below)) = text.split_once(WITHIN) else { return text.to_owned() };
    let letters: Vec<char> = below.chars().collect();
    let begins_a_number = |rest: &[char]| match rest {
        ['-', digit, ..] | [digit, ..] => digit.is_ascii_digit(),
        [] => false,
    };
    let former = |k: usize| match letters[k] {
        '-' if k > 0 && letters[k - 1].is_ascii_lowercase() && begins_a_number(&letters[k + 1..]) => '=',
        c => c,
    };
    let case = (0..letters.len()).map(former);
    format!("{before}{WITHIN}{}", case.collect::<String>())
}

/// True if a directory belongs to the same campaign, under names of an earlier version.
pub fn is_same(there: &Identity, now: &Identity) -> bool {
    let same = |(then, now): (&(String, String), &(String, String))| name(&then.0) == now.0 && then.1 == now.1;
    there.name == now.name
        && there.engine == now.engine
        && there.cases.len() == now.cases.len()
        && there.cases.iter().zip(&now.cases).all(same)
}

/// Gives what is in the directory of a campaign its names of today.
pub fn rename(path: &Path, there: &Identity, now: &Identity) -> Result<()> {
    let others = || there.cases.iter().zip(&now.cases).map(|(then, now)| (&then.0, &now.0)).filter(|(a, b)| a != b);
    for (then, now) in others() {
        let of_log = [format!("{then}.log"), format!("{now}.log")];
        for (folder, [from, to]) in [(CASES, [then.clone(), now.clone()]), (LOGS, of_log)] {
            let (from, to) = (path.join(folder).join(from), path.join(folder).join(to));
            if from.exists() && !to.exists() {
                std::fs::rename(&from, &to).map_err(|e| Error::io(from, e))?;
            }
        }
    }
    // Last: what was cut off is taken up again.
    json::write(&path.join(CAMPAIGN), now)?;
    if let Some((then, now)) = others().next() {
        let (count, path) = (others().count(), path.display());
        tracing::info!("{path}: names of cases have no `=` any more; renamed {count}, the first from {then} to {now}");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{name, path, setting};

    #[test]
    fn names_of_today_and_before() {
        assert_eq!(name("003_rough_restitution_tangential=0.8"), "003_rough_restitution_tangential-0.8");
        assert_eq!(name("003_rough-1_x-0.8"), "003_rough-1_x-0.8");
        let (then, now) =
            ("runs/a=b/cases/000_latitude_deg=15_v=-2/frames", "runs/a=b/cases/000_latitude_deg-15_v--2/frames");
        assert_eq!((path(then).as_str(), setting(now).as_str()), (now, then));
        assert_eq!((path("runs/a=b"), setting("seed=3").as_str()), ("runs/a=b".into(), "seed=3"));
    }
}
