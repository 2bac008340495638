//! Imports of a tree of Rust files, read from their tokens: `use` trees and paths in the code, `super` and names of imported
//! modules resolved.

use std::collections::BTreeMap;

/// A path from one file to another.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Import {
    /// with the import, below `src`
    pub file: String,
    /// of the import
    pub line: usize,
    /// as it is written
    pub path: String,
    /// that the path leads to, below `src`
    pub target: String,
}

/// A word, `::`, or any other character of code, and its line.
type Token = (usize, String);

/// Module of a file, as segments from the root of the crate.
fn module(file: &str) -> Vec<String> {
    let mut segments: Vec<String> = file.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
    if segments.last().is_some_and(|s| ["mod", "lib", "main"].contains(&s.as_str())) {
        segments.pop();
    }
    segments
}

/// End of the comment, string or character literal that starts at `at`, if one does.
fn skipped(text: &[char], at: usize) -> Option<usize> {
    let starts = |at: usize, what: &str| what.chars().enumerate().all(|(k, c)| text.get(at + k) == Some(&c));
    let find = |from: usize, what: &str| (from..text.len()).find(|k| starts(*k, what)).unwrap_or(text.len());
    if starts(at, "//") {
        return Some(find(at, "\n"));
    }
    if starts(at, "/*") {
        return Some(find(at + 2, "*/") + 2);
    }
    let inside_word = at > 0 && (text[at - 1].is_alphanumeric() || text[at - 1] == '_');
    let prefix = if inside_word { 0 } else { (at..text.len()).take_while(|k| "br".contains(text[*k])).count().min(2) };
    let hashes = (at + prefix..text.len()).take_while(|k| text[*k] == '#').count();
    let raw = text[at..at + prefix].contains(&'r');
    if (raw || hashes == 0) && text.get(at + prefix + hashes) == Some(&'"') {
        let open = at + prefix + hashes + 1;
        if raw {
            let close = format!("\"{}", "#".repeat(hashes));
            return Some(find(open, &close) + close.len());
        }
        let mut k = open;
        while k < text.len() && text[k] != '"' {
            k += if text[k] == '\\' { 2 } else { 1 };
        }
        return Some(k + 1);
    }
    // A character, not a lifetime.
    if text[at] == '\'' {
        let close = if text.get(at + 1) == Some(&'\\') { find(at + 3, "'") } else { at + 2 };
        return (text.get(close) == Some(&'\'')).then_some(close + 1);
    }
    None
}

fn tokens(text: &str) -> Vec<Token> {
    let text: Vec<char> = text.chars().collect();
    let word = |c: &char| c.is_alphanumeric() || *c == '_';
    let (mut list, mut at, mut line) = (vec![], 0, 1);
    while at < text.len() {
        let end = match skipped(&text, at) {
            Some(end) => end.min(text.len()),
            None if word(&text[at]) => {
                let end = at + text[at..].iter().take_while(|c| word(c)).count();
                list.push((line, text[at..end].iter().collect()));
                end
            }
            None if text[at] == ':' && text.get(at + 1) == Some(&':') => {
                list.push((line, "::".into()));
                at + 2
            }
            None => {
                if !text[at].is_whitespace() {
                    list.push((line, text[at].to_string()));
                }
                at + 1
            }
        };
        line += text[at..end].iter().filter(|c| **c == '\n').count();
        at = end;
    }
    list
}

/// Paths of a `use` tree whose first token is at `at`, with the name that each gets; then the index behind the tree.
fn tree(tokens: &[Token], mut at: usize, prefix: &[String], found: &mut Vec<(usize, Vec<String>, String)>) -> usize {
    let mut path = prefix.to_vec();
    let mut line = 0;
    while let Some((here, token)) = tokens.get(at) {
        match token.as_str() {
            "{" => {
                at += 1;
                while tokens.get(at).is_some_and(|t| t.1 != "}") {
                    at = tree(tokens, at, &path, found);
                    at += usize::from(tokens.get(at).is_some_and(|t| t.1 == ","));
                }
                return at + 1;
            }
            "," | "}" | ";" => break,
            "as" => {
                found.push((line, path, tokens[at + 1].1.clone()));
                return at + 2;
            }
            "::" => at += 1,
            segment => {
                if segment != "self" || path.is_empty() {
                    path.push(segment.into());
                }
                line = *here;
                at += 1;
            }
        }
    }
    let name = path.last().cloned().unwrap_or_default();
    found.push((line, path, name));
    at
}

/// A path of a file: line, modules of the file around it, segments; of a `use` also the name that it gives.
struct Written {
    line: usize,
    inside: Vec<String>,
    segments: Vec<String>,
    name: Option<String>,
}

fn written(tokens: &[Token]) -> Vec<Written> {
    let mut list = vec![];
    let (mut depth, mut inside): (usize, Vec<(usize, String)>) = (0, vec![]);
    let mut at = 0;
    let is = |at: usize, what: &str| tokens.get(at).is_some_and(|t| t.1 == what);
    while at < tokens.len() {
        let (line, token) = (tokens[at].0, tokens[at].1.as_str());
        let around = |inside: &[(usize, String)]| inside.iter().map(|m| m.1.clone()).collect::<Vec<_>>();
        match token {
            "{" => depth += 1,
            "}" => {
                depth = depth.saturating_sub(1);
                inside.retain(|m| m.0 <= depth);
            }
            "mod" if is(at + 2, "{") => {
                inside.push((depth + 1, tokens[at + 1].1.clone()));
                at += 1;
            }
            // Not `use<...>` of a type.
            "use" if !is(at + 1, "<") => {
                let mut found = vec![];
                at = tree(tokens, at + 1, &[], &mut found);
                let one =
                    |(line, segments, name)| Written { line, inside: around(&inside), segments, name: Some(name) };
                list.extend(found.into_iter().map(one));
                continue;
            }
            _ if is(at + 1, "::") && !is(at.wrapping_sub(1), "::") => {
                let mut segments = vec![token.to_owned()];
                while is(at + 1, "::") && tokens.get(at + 2).is_some_and(|t| t.1.starts_with(char::is_alphabetic)) {
                    segments.push(tokens[at + 2].1.clone());
                    at += 2;
                }
                list.push(Written { line, inside: around(&inside), segments, name: None });
            }
            _ => {}
        }
        at += 1;
    }
    list
}

/// All files by their module, and files of exported macros by the name of the macro, which is at the root.
struct Tree {
    modules: BTreeMap<Vec<String>, String>,
}

impl Tree {
    fn new(files: &BTreeMap<String, Vec<Token>>) -> Tree {
        let mut modules: BTreeMap<_, _> =
            files.keys().filter(|f| *f != "main.rs").map(|f| (module(f), f.clone())).collect();
        for (file, tokens) in files {
            for w in tokens.windows(6).filter(|w| w[0].1 == "macro_export" && w[3].1 == "!") {
                modules.insert(vec![w[4].1.clone()], file.clone());
            }
        }
        Tree { modules }
    }

    /// The file that a path from the root leads to.
    fn file(&self, path: &[String]) -> Option<&String> {
        (0..=path.len()).rev().find_map(|n| self.modules.get(&path[..n]))
    }

    /// A path from the root, if it is one of this crate.
    fn resolved(&self, w: &Written, own: &[String], names: &BTreeMap<String, Vec<String>>) -> Option<Vec<String>> {
        let first = w.segments[0].as_str();
        let mut base = [own, &w.inside].concat();
        let rest = match first {
            "crate" | "breccia" => return Some(w.segments[1..].to_vec()),
            "super" | "self" => {
                let up = w.segments.iter().take_while(|s| *s == "super" || *s == "self").count();
                let levels = w.segments[..up].iter().filter(|s| *s == "super").count();
                base.truncate(base.len().saturating_sub(levels));
                &w.segments[up..]
            }
            _ if w.name.is_none() && names.contains_key(first) => {
                return Some([names[first].as_slice(), &w.segments[1..]].concat());
            }
            _ => {
                let child = [own, &w.segments[..1]].concat();
                self.modules.contains_key(&child).then_some(())?;
                base = own.to_vec();
                &w.segments[..]
            }
        };
        base.extend_from_slice(rest);
        Some(base)
    }
}

/// What the files of a tree import of one another; files by their path below `src`.
pub fn imports(files: &BTreeMap<String, String>) -> Vec<Import> {
    let tokens: BTreeMap<String, Vec<Token>> = files.iter().map(|(f, text)| (f.clone(), tokens(text))).collect();
    let tree = Tree::new(&tokens);
    let mut list = vec![];
    for (file, tokens) in &tokens {
        let own = module(file);
        let all = written(tokens);
        let mut names = BTreeMap::new();
        for w in all.iter().filter(|w| w.name.is_some()) {
            if let Some(path) = tree.resolved(w, &own, &BTreeMap::new()) {
                names.insert(w.name.clone().unwrap_or_default(), path);
            }
        }
        for w in &all {
            let target = tree.resolved(w, &own, &names).and_then(|path| tree.file(&path).cloned());
            if let Some(target) = target.filter(|t| t != file) {
                list.push(Import { file: file.clone(), line: w.line, path: w.segments.join("::"), target });
            }
        }
    }
    list.sort();
    list.dedup();
    list
}
