//! Puts a pass and the modules it imports into one WGSL text, keeping a map back to file and line.
//!
//! The syntax is the subset `import package::shared::wide::{add64, sub64};` of WESL. Names are not mangled: every
//! module appears once, in order of first use, in one flat name space.

use crate::error::{Error, Result};
use include_dir::{Dir, include_dir};
use std::collections::BTreeMap;
use std::path::PathBuf;

static EMBEDDED: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/wgsl");

/// Where shader files come from.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    /// read from this directory instead of the embedded files
    pub directory: Option<PathBuf>,
}

impl Sources {
    /// Text of `wgsl/<name>.wgsl`.
    pub fn load(&self, name: &str) -> Option<String> {
        let file = format!("{name}.wgsl");
        match &self.directory {
            Some(dir) => std::fs::read_to_string(dir.join(file)).ok(),
            None => EMBEDDED.get_file(file)?.contents_utf8().map(str::to_owned),
        }
    }

    /// Stems of all pass files (those not in a sub-directory), sorted.
    pub fn passes(&self) -> Vec<String> {
        let mut stems: Vec<String> =
            EMBEDDED.files().filter_map(|f| Some(f.path().file_stem()?.to_str()?.to_owned())).collect();
        stems.sort();
        stems
    }
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
        let source = self
            .sources
            .load(name)
            .ok_or_else(|| Error::Usage(format!("wgsl/{name}.wgsl: no such shader file, wanted by {wanted_by}")))?;
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
            self.out.lines.push((format!("wgsl/{name}.wgsl"), number));
        }
        Ok(source)
    }

    fn import(&mut self, file: &str, line: u32, rest: &str) -> Result<()> {
        let at = format!("wgsl/{file}.wgsl:{line}");
        let fault = |what: &str| Error::Usage(format!("{at}: {what}; write `import package::shared::name::{{a, b}};`"));
        let rest = rest.trim().strip_suffix(';').ok_or_else(|| fault("the import lacks its semicolon"))?;
        let path = rest.strip_prefix("package::").ok_or_else(|| fault("imports start with `package::`"))?;
        let (module, names) = path.split_once("::{").ok_or_else(|| fault("the import names nothing"))?;
        let names = names.strip_suffix('}').ok_or_else(|| fault("the list of names is not closed"))?;
        let module = self.modules.get(module).cloned().unwrap_or_else(|| module.replace("::", "/"));
        let source = self.add(&module, &at)?;
        for name in names.split(',').map(str::trim).filter(|n| !n.is_empty()) {
            let declared = ["fn ", "struct ", "const ", "alias ", "override "].iter().any(|kind| {
                source.lines().any(|l| {
                    l.strip_prefix(kind).is_some_and(|r| {
                        r.strip_prefix(name).is_some_and(|t| !t.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
                    })
                })
            });
            if !declared {
                return Err(Error::Usage(format!("{at}: wgsl/{module}.wgsl declares no `{name}`")));
            }
        }
        Ok(())
    }
}
