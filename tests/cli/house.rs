//! The house around the code: paths named in the texts exist, scripts parse, no machine paths.

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Files of the repository; the walk skips what git ignores, so that it works in a source archive too.
fn files() -> Vec<PathBuf> {
    fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            let (path, name) = (entry.path(), entry.file_name());
            if [".git", "target", "runs", ".gl"].iter().any(|skip| name == *skip) {
                continue;
            }
            if path.is_dir() { walk(&path, found) } else { found.push(path) }
        }
    }
    let mut found = Vec::new();
    walk(root(), &mut found);
    found.sort();
    assert!(found.len() > 20, "only {} files found", found.len());
    found
}

/// Text files only; pictures and other binary files are left out.
pub fn texts() -> Vec<(PathBuf, String)> {
    files().into_iter().filter_map(|p| Some((p.clone(), std::fs::read_to_string(p).ok()?))).collect()
}

/// Link targets and back-quoted words that look like paths of this repository.
fn named_paths(text: &str) -> Vec<String> {
    let links = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let links = links.filter(|l| !l.contains("://") && !l.starts_with('#')).map(|l| l.split('#').next().unwrap());
    const FOLDERS: [&str; 8] = ["src/", "wgsl/", "docs/", "tests/", "pipelines/", "scenarios/", "benches/", ".ci/"];
    let quoted = text.split('`').skip(1).step_by(2);
    let plain = |q: &&str| !q.contains(['*', '<', ' ', '\n', '{']) && FOLDERS.iter().any(|f| q.starts_with(f));
    links.chain(quoted.filter(plain)).map(str::to_owned).collect()
}

#[test]
fn paths_in_texts_exist() {
    let mut missing = Vec::new();
    let mut seen = 0;
    for (file, text) in texts().iter().filter(|(p, _)| p.extension().is_some_and(|e| e == "md")) {
        for name in named_paths(text) {
            seen += 1;
            if !file.parent().unwrap().join(&name).exists() && !root().join(&name).exists() {
                missing.push(format!("{}: {name}", file.display()));
            }
        }
    }
    assert!(seen > 5, "the search found {seen} paths: it does not look properly");
    assert!(missing.is_empty(), "named but missing:\n{}", missing.join("\n"));
}

#[test]
fn named_paths_finds_links_and_quotes() {
    let found = named_paths("[a](docs/x.md#part) `src/y.rs` `cargo test` [b](https://e.org) `src/*.rs`");
    assert_eq!(found, ["docs/x.md", "src/y.rs"]);
}

/// Files of code fit into what one reads at a time: CONTRIBUTING.md.
#[test]
fn files_are_below_500_lines() {
    let is_code = |path: &Path| path.extension().is_some_and(|e| e == "rs" || e == "wgsl");
    let lengths: Vec<_> =
        texts().into_iter().filter(|(p, _)| is_code(p)).map(|(p, text)| (text.lines().count(), p)).collect();
    let long: Vec<_> = lengths.iter().filter(|(lines, _)| *lines >= 500).collect();
    assert!(long.is_empty(), "cut these in two: {long:?}");
    assert!(lengths.len() > 500, "only {} files were read", lengths.len());
}

#[cfg(unix)]
#[test]
fn scripts_parse() {
    for (shell, script) in [
        ("sh", "try"),
        ("sh", "check"),
        ("sh", ".ci/setup.sh"),
        ("sh", ".ci/validate"),
        ("sh", "benches/peers/all"),
        ("bash", ".ci/run"),
        ("bash", ".ci/compile_budgets"),
        ("bash", ".ci/slurm"),
    ] {
        let status = Command::new(shell).arg("-n").arg(root().join(script)).status().unwrap();
        assert!(status.success(), "{shell} -n {script}");
    }
}

#[cfg(unix)]
#[test]
fn python_scripts_parse() {
    let is_python = |text: &str| text.starts_with("#!/usr/bin/env python3") || text.starts_with("\"\"\"");
    let scripts: Vec<_> = texts().into_iter().filter(|(_, text)| is_python(text)).map(|(path, _)| path).collect();
    assert!(scripts.len() > 5, "only {scripts:?}");
    let parse = "import ast, sys; [ast.parse(open(p, encoding='utf-8').read(), p) for p in sys.argv[1:]]";
    match Command::new("python3").args(["-c", parse]).args(&scripts).output() {
        Ok(output) => assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr)),
        Err(_) => println!("SKIPPED: there is no python3"),
    }
}

#[cfg(unix)]
#[test]
fn dry_runs_announce_the_job() {
    for (script, word) in [("try", "run spun_top"), ("check", "cargo test")] {
        let output = Command::new("sh").arg(root().join(script)).arg("--dry-run").output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{script}: {}", String::from_utf8_lossy(&output.stderr));
        assert!(text.contains(word), "{script} --dry-run does not say `{word}`:\n{text}");
    }
}

#[test]
fn no_machine_paths() {
    let needles = ["home", "root", "work", "Users"].map(|folder| format!("/{folder}/"));
    for (file, text) in &texts() {
        for needle in &needles {
            assert!(!text.contains(needle), "{} names {needle}", file.display());
        }
    }
}

/// Pages, by what they are for: none may be missing from the list of the site.
#[test]
fn every_page_is_in_the_book() {
    let summary = std::fs::read_to_string(root().join("docs/SUMMARY.md")).expect("docs/SUMMARY.md");
    let listed = named_paths(&summary);
    let docs = root().join("docs");
    let pages: Vec<_> = files().into_iter().filter(|p| p.starts_with(&docs)).collect();
    let pages = pages.iter().filter(|p| p.extension().is_some_and(|e| e == "md") && !p.ends_with("SUMMARY.md"));
    let names: Vec<_> = pages.map(|p| p.strip_prefix(&docs).unwrap().to_string_lossy().replace('\\', "/")).collect();
    assert!(names.len() > 60, "only {} pages found", names.len());
    let missing: Vec<_> = names.iter().filter(|name| !listed.contains(name)).collect();
    assert!(missing.is_empty(), "docs/SUMMARY.md does not list {missing:?}");
}

/// Every built-in scenario has its row in the gallery, and its times in the table from which that was written.
#[test]
fn every_scenario_is_in_the_gallery() {
    let page = std::fs::read_to_string(root().join("docs/user/gallery.md")).expect("the gallery");
    let table = std::fs::read_to_string(root().join("docs/user/gallery.csv")).expect("its table");
    let names: Vec<_> = std::fs::read_dir(root().join("scenarios"))
        .expect("scenarios")
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.strip_suffix(".toml").map(str::to_owned))
        .collect();
    assert!(names.len() > 30, "only {names:?}");
    let row = |name: &String| page.lines().any(|line| line.starts_with(&format!("| `{name}` |")));
    let timed = |name: &String| table.lines().any(|line| line.starts_with(&format!("{name},")));
    let missing: Vec<_> = names.iter().filter(|name| !row(name) || !timed(name)).collect();
    assert!(missing.is_empty(), "docs/user/gallery.md or gallery.csv lacks {missing:?}");
}

#[test]
fn citations_name_this_version() {
    let version = env!("CARGO_PKG_VERSION");
    for (file, line) in [
        ("CITATION.cff", format!("version: {version}\n")),
        ("docs/user/citing.md", format!("version = {{{version}}},\n")),
    ] {
        let text = std::fs::read_to_string(root().join(file)).expect(file);
        assert!(text.contains(&line), "{file} does not say {line}");
    }
}
