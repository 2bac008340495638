//! Puts a pass and the modules it imports into one WGSL text, keeping a map back to file and line.
//!
//! The syntax is the subset `import package::shared::wide::{add64, sub64};` of WESL. Names are not mangled: every
//! module appears once, in order of first use, in one flat name space.

use super::perturb::Perturb;
use crate::base::error::{Error, Result};
use crate::base::reader::nearest;
use include_dir::{Dir, include_dir};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

static EMBEDDED: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/wgsl");

/// Where shader files come from.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    /// read from this directory instead of the embedded files
    pub directory: Option<PathBuf>,
    /// arithmetic as wrong as the specification allows, in all shaders
    pub perturb: Option<Perturb>,
}

impl Sources {
    /// Text of `<name>.wgsl`.
    pub fn load(&self, name: &str) -> Option<String> {
        match &self.directory {
            Some(dir) => crate::base::input::read_text(&dir.join(format!("{name}.wgsl"))).ok(),
            None => EMBEDDED.get_file(format!("{name}.wgsl"))?.contents_utf8().map(str::to_owned),
        }
    }

    /// Where `<name>.wgsl` is, for messages.
    pub fn path(&self, name: &str) -> String {
        match &self.directory {
            Some(dir) => dir.join(format!("{name}.wgsl")).display().to_string(),
            None => format!("wgsl/{name}.wgsl"),
        }
    }

    /// Names of all shader files, `shared/wide` for one in a sub-directory, sorted.
    pub fn names(&self) -> Vec<String> {
        let mut names = match &self.directory {
            Some(dir) => on_disk(dir, ""),
            None => embedded(&EMBEDDED),
        };
        names.sort();
        names
    }

    /// Stems of all pass files (those not in a sub-directory), sorted.
    pub fn passes(&self) -> Vec<String> {
        self.names().into_iter().filter(|name| !name.contains('/')).collect()
    }
}

fn embedded(dir: &Dir<'_>) -> Vec<String> {
    let files = dir.files().filter_map(|f| Some(f.path().to_str()?.strip_suffix(".wgsl")?.replace('\\', "/")));
    files.chain(dir.dirs().flat_map(embedded)).collect()
}

fn on_disk(dir: &Path, prefix: &str) -> Vec<String> {
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
    let names = entries.flat_map(|entry| {
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.path().is_dir() {
            return on_disk(&entry.path(), &format!("{prefix}{name}/"));
        }
        name.strip_suffix(".wgsl").map(|stem| format!("{prefix}{stem}")).into_iter().collect()
    });
    names.collect()
}

/// A linked shader text.
#[derive(Debug, Clone)]
pub struct Linked {
    /// WGSL without imports
    pub text: String,
    /// file and line of every line of `text`
    pub lines: Vec<(String, u32)>,
}

/// Links the pass `stem`; `modules` says what `package::<name>` means for chosen names (a force law, say).
pub fn link(stem: &str, sources: &Sources, modules: &BTreeMap<String, String>) -> Result<Linked> {
    let mut linker = Linker { sources, modules, out: Linked { text: String::new(), lines: vec![] }, seen: vec![] };
    linker.add(stem, "the pipeline")?;
    Ok(linker.out)
}

struct Linker<'a> {
    sources: &'a Sources,
    modules: &'a BTreeMap<String, String>,
    out: Linked,
    seen: Vec<String>,
}

impl Linker<'_> {
    fn add(&mut self, name: &str, wanted_by: &str) -> Result<String> {
        let source = self.sources.load(name).ok_or_else(|| {
            let (path, names) = (self.sources.path(name), self.sources.names());
            let way_out = nearest(name, names.iter().map(String::as_str));
            Error::Usage(format!("{path}: no such shader file, wanted by {wanted_by}; {way_out}"))
        })?;
        if self.seen.iter().any(|s| s == name) {
            return Ok(source);
        }
        self.seen.push(name.to_owned());
        let mut body = vec![];
        for (index, line) in source.lines().enumerate() {
            let number = index as u32 + 1;
            match line.strip_prefix("import ") {
                Some(rest) => self.import(name, number, rest)?,
                None => body.push((number, line)),
            }
        }
        for (number, line) in body {
            self.out.text.push_str(line);
            self.out.text.push('\n');
            self.out.lines.push((self.sources.path(name), number));
        }
        Ok(source)
    }

    fn import(&mut self, file: &str, line: u32, rest: &str) -> Result<()> {
        let at = format!("{}:{line}", self.sources.path(file));
        let fault = |what: &str| Error::Usage(format!("{at}: {what}; write `import package::shared::name::{{a, b}};`"));
        let rest = rest.trim().strip_suffix(';').ok_or_else(|| fault("the import lacks its semicolon"))?;
        let path = rest.strip_prefix("package::").ok_or_else(|| fault("imports start with `package::`"))?;
        let (module, names) = path.split_once("::{").ok_or_else(|| fault("the import names nothing"))?;
        let names = names.strip_suffix('}').ok_or_else(|| fault("the list of names is not closed"))?;
        let module = self.modules.get(module).cloned().unwrap_or_else(|| module.replace("::", "/"));
        let source = self.add(&module, &at)?;
        for name in names.split(',').map(str::trim).filter(|n| !n.is_empty()) {
            let known: Vec<&str> = source.lines().filter_map(declared).collect();
            if !known.contains(&name) {
                let (path, way_out) = (self.sources.path(&module), nearest(name, known.into_iter()));
                return Err(Error::Usage(format!("{at}: {path} declares no `{name}`; {way_out}")));
            }
        }
        Ok(())
    }
}

/// The name that a line at the outermost level declares.
fn declared(line: &str) -> Option<&str> {
    let rest = ["fn ", "struct ", "const ", "alias ", "override ", "var<private> "]
        .iter()
        .find_map(|kind| line.strip_prefix(kind))?;
    rest.split(|c: char| !c.is_alphanumeric() && c != '_').next()
}
