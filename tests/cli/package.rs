//! What others get: the crate holds all that its build needs, and nothing that only developers need.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// Files of the crate, by `cargo package --list`, which needs no network.
fn packaged() -> BTreeSet<String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["package", "--list", "--allow-dirty", "--offline", "--quiet"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8").lines().map(|line| line.replace('\\', "/")).collect()
}

/// Files below a folder of the repository with one of these ends.
fn below(folder: &str, ends: &[&str]) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut found, mut folders) = (vec![], vec![root.join(folder)]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| ends.iter().any(|end| e == *end)) {
                let name = path.strip_prefix(root).expect("below the root").to_string_lossy().replace('\\', "/");
                found.push(name);
            }
        }
    }
    found
}

#[test]
fn the_crate_holds_what_its_build_needs() {
    let packaged = packaged();
    let embedded =
        [("src", &["rs", "wgsl"][..]), ("wgsl", &["wgsl"]), ("pipelines", &["toml"]), ("scenarios", &["toml"])];
    for (folder, ends) in embedded {
        let needed = below(folder, ends);
        assert!(needed.len() > 3, "{folder} has {} files", needed.len());
        let missing: Vec<_> = needed.into_iter().filter(|file| !packaged.contains(file)).collect();
        assert!(missing.is_empty(), "`exclude` in Cargo.toml leaves out {missing:?}");
    }
    for file in ["Cargo.toml", "Cargo.lock", "README.md", "LICENSE-MIT", "LICENSE-APACHE", "docs/user/install.md"] {
        assert!(packaged.contains(file), "{file} is left out");
    }
}

#[test]
fn the_crate_leaves_out_what_only_developers_need() {
    const OURS: [&str; 6] = ["tests/", "docs/pictures/", "docs/papers/", "src/python/", ".github/", ".ci/"];
    let ours: Vec<_> = packaged().into_iter().filter(|file| OURS.iter().any(|o| file.starts_with(o))).collect();
    assert!(ours.is_empty(), "`exclude` in Cargo.toml does not know of {ours:?}");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    OURS.iter().for_each(|folder| assert!(root.join(folder).is_dir(), "{folder} has moved"));
}
