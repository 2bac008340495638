//! What a page asks for, by name. The server and the report answer from here, and nothing else is ever read for a page.

use super::run::{At, Run};
use super::{frame, ground, index};
use crate::base::error::{Error, Result};
use crate::render::scene::Quantity;

/// The files of the page: name, kind, text. Scripts are in the order in which they are read.
pub const PAGE: [(&str, &str, &str); 13] = [
    ("page.css", CSS, include_str!("page/page.css")),
    ("source.js", SCRIPT, include_str!("page/source.js")),
    ("numbers.js", SCRIPT, include_str!("page/numbers.js")),
    ("vectors.js", SCRIPT, include_str!("page/vectors.js")),
    ("camera.js", SCRIPT, include_str!("page/camera.js")),
    ("shaders.js", SCRIPT, include_str!("page/shaders.js")),
    ("scene.js", SCRIPT, include_str!("page/scene.js")),
    ("scale.js", SCRIPT, include_str!("page/scale.js")),
    ("plots.js", SCRIPT, include_str!("page/plots.js")),
    ("plotting.js", SCRIPT, include_str!("page/plotting.js")),
    ("about.js", SCRIPT, include_str!("page/about.js")),
    ("gestures.js", SCRIPT, include_str!("page/gestures.js")),
    ("page.js", SCRIPT, include_str!("page/page.js")),
];

/// The page itself. The report puts style, data and scripts in the places of the links.
pub const HTML: &str = include_str!("page/page.html");

/// Kinds of answers.
pub const CSS: &str = "text/css; charset=utf-8";
/// A script.
pub const SCRIPT: &str = "text/javascript; charset=utf-8";
/// A page.
pub const WEB_PAGE: &str = "text/html; charset=utf-8";
/// JSON.
pub const JSON: &str = "application/json";
/// The series.
pub const CSV: &str = "text/csv; charset=utf-8";
/// [`super::blocks::Blocks`].
pub const BLOCKS: &str = "application/octet-stream";

/// Bytes of a kind.
#[derive(Debug)]
pub struct Answer {
    /// of [`CSS`] and its like
    pub kind: &'static str,
    /// the bytes
    pub bytes: Vec<u8>,
}

/// What a page asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resource {
    /// what the run is
    Run,
    /// whether it goes on
    State,
    /// frames from this number on
    Frames(usize),
    /// the series from a byte on
    Series(u64),
    /// the asteroid
    Surface,
    /// where the bodies of a frame are
    Bodies(At),
    /// what they are
    Shapes(At),
    /// what colours them
    Values(At, Quantity),
    /// lines between them
    Contacts(At),
    /// which hold together
    Aggregates(At),
    /// walls of a frame
    Walls(At),
}

impl Resource {
    /// Reads a name such as `frame/12/values/speed` or `series/0`; `inertial/` before it asks for inertial space.
    pub fn parse(name: &str) -> Result<Resource> {
        let unknown = || Error::Usage(format!("{name}: a page has nothing of this name"));
        let number = |text: &str| text.parse::<u64>().map_err(|_| unknown());
        let (inertial, path) = name.strip_prefix("inertial/").map_or((false, name), |path| (true, path));
        let parts: Vec<&str> = path.split('/').collect();
        let at = |text: &str| Ok::<_, Error>(At { frame: number(text)? as usize, inertial });
        Ok(match parts[..] {
            ["run"] => Resource::Run,
            ["state"] => Resource::State,
            ["frames", first] => Resource::Frames(number(first)? as usize),
            ["series", from] => Resource::Series(number(from)?),
            ["surface"] => Resource::Surface,
            ["frame", k, "bodies"] => Resource::Bodies(at(k)?),
            ["frame", k, "shapes"] => Resource::Shapes(at(k)?),
            ["frame", k, "values", quantity] => Resource::Values(at(k)?, Quantity::parse(quantity)?),
            ["frame", k, "contacts"] => Resource::Contacts(at(k)?),
            ["frame", k, "aggregates"] => Resource::Aggregates(at(k)?),
            ["frame", k, "walls"] => Resource::Walls(at(k)?),
            _ => return Err(unknown()),
        })
    }

    /// The answer for a run.
    pub fn of(&self, run: &Run) -> Result<Answer> {
        let json = |text: String| Answer { kind: JSON, bytes: text.into_bytes() };
        let blocks = |bytes: Vec<u8>| Answer { kind: BLOCKS, bytes };
        match self {
            Resource::Run => index::about(run).map(json),
            Resource::State => index::state(run).map(json),
            Resource::Frames(first) => index::frames(run, *first).map(json),
            Resource::Series(from) => index::series(run, *from).map(|bytes| Answer { kind: CSV, bytes }),
            Resource::Surface => ground::surface(run).map(blocks),
            Resource::Bodies(at) => frame::bodies(run, *at).map(blocks),
            Resource::Shapes(at) => frame::shapes(run, *at).map(|(_, bytes)| blocks(bytes)),
            Resource::Values(at, quantity) => frame::values(run, *at, quantity).map(blocks),
            Resource::Contacts(at) => frame::contacts(run, *at).map(blocks),
            Resource::Aggregates(at) => frame::aggregates(run, *at).map(blocks),
            Resource::Walls(at) => ground::plates(run, *at).map(json),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_not_of_a_page_are_refused() {
        let at = At { frame: 12, inertial: true };
        assert_eq!(Resource::parse("inertial/frame/12/values/speed").unwrap(), Resource::Values(at, Quantity::Speed));
        assert_eq!(Resource::parse("series/0").unwrap(), Resource::Series(0));
        for wrong in [
            "",
            "/",
            "run/..",
            "../run",
            "frame/../bodies",
            "frame/-1/bodies",
            "frame/1/values/../../x",
            "runs",
            "frames/",
        ] {
            assert!(Resource::parse(wrong).is_err(), "{wrong}");
        }
    }
}
