//! Scenarios and campaigns that come with the program.

use include_dir::{Dir, include_dir};

static BUILT_IN: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/scenarios");

/// A scenario that comes with the program.
pub struct BuiltIn {
    /// name that commands take
    pub name: String,
    /// its title
    pub title: String,
    /// the file
    pub text: &'static str,
}

/// All built-in scenarios, by name.
pub fn built_in() -> Vec<BuiltIn> {
    let read = |f: &'static include_dir::File| {
        let name = f.path().file_stem()?.to_str()?.to_owned();
        let text = f.contents_utf8()?;
        let title = text.lines().find_map(|l| l.strip_prefix("title = "))?.trim_matches('"').to_owned();
        Some(BuiltIn { name, title, text })
    };
    let mut list: Vec<BuiltIn> = BUILT_IN.files().filter_map(read).collect();
    list.sort_by(|a, b| a.name.cmp(&b.name));
    list
}

/// Name and text of all built-in campaigns, by name: they have a folder of their own, since they are not scenarios, and those
/// that follow the figures of a paper have one inside it.
pub fn built_in_campaigns() -> Vec<(String, &'static str)> {
    let read = |f: &'static include_dir::File| Some((f.path().file_stem()?.to_str()?.to_owned(), f.contents_utf8()?));
    let folders = ["campaigns", "campaigns/papers"].map(|name| BUILT_IN.get_dir(name));
    let mut list: Vec<_> = folders.into_iter().flatten().flat_map(Dir::files).filter_map(read).collect();
    list.sort();
    list
}
