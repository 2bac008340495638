//! Puts a pass and the modules it imports into one WGSL text, keeping a map back to file and line.
//!
//! The syntax is the subset `import package::math::wide::{add64, sub64};` of WESL. Names are not mangled: every
//! module appears once, in order of first use, in one flat name space.

use super::perturb::Perturb;
use crate::base::error::Result;
use crate::base::fault::Fault;
use crate::base::reader::nearest;
use crate::gpu::device::Gpu;
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
    /// path and text of one file more, which imports name by its path
    pub own: Option<(String, String)>,
    /// loops and divisions are checked as the shaders run, of the program's own shaders too
    pub checked: bool,
    /// modules with a form for software devices, `<module>_on_cpu`, are taken in that form
    pub cpu_forms: bool,
}

impl Sources {
    /// Text of `<name>.wgsl`.
    pub fn load(&self, name: &str) -> Option<String> {
        if let Some((_, text)) = self.own.as_ref().filter(|own| own.0 == name) {
            return Some(text.clone());
        }
        match &self.directory {
            Some(dir) => crate::base::input::read_text(&dir.join(format!("{name}.wgsl"))).ok(),
            None => EMBEDDED.get_file(format!("{name}.wgsl"))?.contents_utf8().map(str::to_owned),
        }
    }

    /// These sources as a device reads them best; shaders with wrong arithmetic keep to the core of WGSL.
    pub fn on(&self, gpu: &Gpu) -> Sources {
        Sources { cpu_forms: gpu.cpu_forms && self.perturb.is_none(), ..self.clone() }
    }

    /// True of a pass that is the program's own text, as its tests have read it; anyone may have written the others.
    pub fn trusts(&self, linked: &Linked) -> bool {
        let foreign = self.own.as_ref().is_some_and(|own| linked.lines.iter().any(|line| line.0 == own.0));
        !self.checked && self.directory.is_none() && self.perturb.is_none() && !foreign
    }

    /// Where `<name>.wgsl` is, for messages.
    pub fn path(&self, name: &str) -> String {
        match &self.directory {
            _ if self.own.as_ref().is_some_and(|own| own.0 == name) => name.to_owned(),
            Some(dir) => dir.join(format!("{name}.wgsl")).display().to_string(),
            None => format!("wgsl/{name}.wgsl"),
        }
    }

    /// Names of all shader files, `math/wide` for one in a sub-directory, sorted.
    pub fn names(&self) -> Vec<String> {
        let mut names = match &self.directory {
            Some(dir) => on_disk(dir, ""),
            None => embedded(&EMBEDDED),
        };
        names.sort();
        names
    }

    /// Stems of all files that hold an entry point, sorted.
    pub fn passes(&self) -> Vec<String> {
        let is_pass =
            |name: &String| self.load(name).is_some_and(|text| text.lines().any(|l| l.starts_with("@compute")));
        let mut stems: Vec<String> = self.names().into_iter().filter(is_pass).map(|n| stem_of(&n).to_owned()).collect();
        stems.sort();
        stems
    }

    /// The file of the pass `stem`, in whatever folder it lies; `stem` itself if there is none.
    pub fn file_of(&self, stem: &str) -> String {
        self.names().into_iter().find(|name| stem_of(name) == stem).unwrap_or_else(|| stem.to_owned())
    }
}

fn stem_of(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
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
    let mut linker = Linker { sources, modules, seen: vec![], lines: vec![], buffers: vec![] };
    linker.add(&sources.file_of(stem), "the pipeline")?;
    Ok(linker.finish())
}

/// A declaration of a buffer: everything but its number.
struct Buffer {
    space: String,
    name: String,
    kind: String,
    at: String,
}

struct Line {
    /// what stands there, or the buffer that is declared there
    text: std::result::Result<String, usize>,
    file: String,
    number: u32,
}

struct Linker<'a> {
    sources: &'a Sources,
    modules: &'a BTreeMap<String, String>,
    seen: Vec<String>,
    lines: Vec<Line>,
    buffers: Vec<Buffer>,
}

impl Linker<'_> {
    fn add(&mut self, name: &str, wanted_by: &str) -> Result<String> {
        let source = self.sources.load(name).ok_or_else(|| {
            let (path, names) = (self.sources.path(name), self.sources.names());
            let remedy = nearest(name, names.iter().map(String::as_str));
            Fault::new(format!("there is no such shader file, which {wanted_by} imports")).remedy(remedy).file(path)
        })?;
        if self.seen.iter().any(|s| s == name) {
            return Ok(source);
        }
        self.seen.push(name.to_owned());
        let (imports, body): (Vec<_>, Vec<_>) =
            source.lines().zip(1..).partition(|(line, _)| line.starts_with("import "));
        for (line, number) in imports {
            self.import(name, number, line)?;
        }
        let file = self.sources.path(name);
        for (line, number) in body {
            let text = match buffer(line, format!("{file}:{number}")) {
                Some(buffer) => self.declare(buffer)?,
                None => Some(Ok(line.to_owned())),
            };
            self.lines.extend(text.map(|text| Line { text, file: file.clone(), number }));
        }
        Ok(source)
    }

    /// The index of a buffer among all, if this is its first declaration.
    fn declare(&mut self, new: Buffer) -> Result<Option<std::result::Result<String, usize>>> {
        let Some(old) = self.buffers.iter_mut().find(|b| b.name == new.name) else {
            self.buffers.push(new);
            return Ok(Some(Err(self.buffers.len() - 1)));
        };
        let shared = |space: &str| space.starts_with("storage");
        if old.kind != new.kind || shared(&old.space) != shared(&new.space) {
            let what = format!(
                "`{}` is declared as `var<{}> {}`, but {} declares it as `var<{}> {}`",
                new.name, new.space, new.kind, old.at, old.space, old.kind
            );
            return Err(Fault::new(what).remedy("declare it alike in both").file(new.at).into());
        }
        if new.space.contains("read_write") {
            old.space = new.space;
        }
        Ok(None)
    }

    fn finish(self) -> Linked {
        let mut linked = Linked { text: String::new(), lines: vec![] };
        for line in self.lines {
            let text = line.text.unwrap_or_else(|index| {
                let Buffer { space, name, kind, .. } = &self.buffers[index];
                format!("@group(0) @binding({index}) var<{space}> {name}: {kind};")
            });
            linked.text += &text;
            linked.text.push('\n');
            linked.lines.push((line.file, line.number));
        }
        linked
    }

    /// The file of a module: the pipeline may choose a module, or a folder of them, by name.
    fn module(&self, path: &str) -> String {
        let (first, rest) = path.split_once("::").map_or((path, None), |(first, rest)| (first, Some(rest)));
        let root = self.modules.get(first).map_or(first, String::as_str);
        rest.map_or(root.to_owned(), |rest| format!("{root}/{}", rest.replace("::", "/")))
    }

    fn import(&mut self, file: &str, line: u32, text: &str) -> Result<()> {
        let at = format!("{}:{line}", self.sources.path(file));
        let here = |fault: Fault| fault.file(self.sources.path(file)).line(line as usize);
        let fault = |what: &str| here(Fault::new(what).remedy("write `import package::folder::file::{a, b};`"));
        let rest = text.trim_start_matches("import ").trim();
        let rest = rest.strip_suffix(';').ok_or_else(|| fault("the import lacks its semicolon"))?;
        let path = rest.strip_prefix("package::").ok_or_else(|| fault("an import does not begin with `package::`"))?;
        let (module, names) = path.split_once("::{").ok_or_else(|| fault("the import names nothing"))?;
        let names = names.strip_suffix('}').ok_or_else(|| fault("the list of names is not closed"))?;
        let module = self.module(module);
        let on_cpu = format!("{module}_on_cpu");
        let module = if self.sources.cpu_forms && self.sources.load(&on_cpu).is_some() { on_cpu } else { module };
        let source = self.add(&module, &at)?;
        for name in names.split(',').map(str::trim).filter(|n| !n.is_empty()) {
            let known: Vec<&str> = source.lines().filter_map(declared).collect();
            if !known.contains(&name) {
                let what = format!("{} does not declare `{name}`", self.sources.path(&module));
                let fault = Fault::new(what).remedy(nearest(name, known.into_iter()));
                return Err(fault.file(self.sources.path(file)).line(line as usize).into());
            }
        }
        Ok(())
    }
}

/// The buffer that a line declares; a comment may follow it.
fn buffer(line: &str, at: String) -> Option<Buffer> {
    let rest = line.strip_prefix("var<")?;
    let (space, rest) = rest.split_once("> ")?;
    if !space.starts_with("storage") && space != "uniform" {
        return None;
    }
    let (name, kind) = rest.split_once(": ")?;
    let (kind, _) = kind.split_once(';')?;
    Some(Buffer { space: space.to_owned(), name: name.to_owned(), kind: kind.to_owned(), at })
}

/// The name that a line at the outermost level declares.
fn declared(line: &str) -> Option<&str> {
    let rest = ["fn ", "struct ", "const ", "alias ", "override ", "var<private> "]
        .iter()
        .find_map(|kind| line.strip_prefix(kind))?;
    rest.split(|c: char| !c.is_alphanumeric() && c != '_').next()
}
