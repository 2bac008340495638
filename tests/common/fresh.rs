//! Files that are generated from tables of the code and checked in: a test regenerates the text, compares it with the
//! file, rewrites a stale file and fails, so that the next run passes and `git diff` shows what changed.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Fails if the file at `path` (relative to the repository) does not hold `text`, after writing it there.
pub fn fresh(path: &str, text: &str) {
    if let Err(why) = refresh(&absolute(path), text) {
        panic!("{path}: {why}");
    }
}

/// Fails if `text` is not what is between `<!-- name:begin -->` and `<!-- name:end -->` in the file at `path`,
/// after writing it there. The rest of the file is left as it is.
pub fn between(path: &str, name: &str, text: &str) {
    // Tests run at once, and several of them may rewrite one file.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _held = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let file = absolute(path);
    let old = std::fs::read_to_string(&file).unwrap_or_else(|e| panic!("{path}: {e}"));
    let new = replaced(&old, name, text).unwrap_or_else(|why| panic!("{path}: {why}"));
    fresh(path, &new);
}

fn absolute(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Compares, and writes where the two differ. Line ends of another system do not count.
fn refresh(file: &Path, text: &str) -> Result<(), String> {
    match std::fs::read_to_string(file) {
        Ok(old) if old.replace("\r\n", "\n") == text => return Ok(()),
        Ok(_) => {}
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => {}
        Err(e) => return Err(e.to_string()),
    }
    std::fs::write(file, text).map_err(|e| e.to_string())?;
    Err("was stale; this test has rewritten it: look at the change and commit it".into())
}

/// `old` with `text` between the two markers of `name`, each on a line of its own.
fn replaced(old: &str, name: &str, text: &str) -> Result<String, String> {
    let old = old.replace("\r\n", "\n");
    let [begin, end] = ["begin", "end"].map(|which| format!("<!-- {name}:{which} -->"));
    let after = old.find(&begin).map(|at| at + begin.len()).ok_or_else(|| format!("has no line `{begin}`"))?;
    let until = old[after..].find(&end).map(|at| after + at).ok_or_else(|| format!("has no line `{end}`"))?;
    Ok(format!("{}\n\n{}\n\n{}", &old[..after], text.trim_matches('\n'), &old[until..]))
}

#[test]
fn a_stale_file_is_rewritten_and_reported() {
    let folder = tempfile::tempdir().expect("folder");
    let file = folder.path().join("table.md");
    assert!(refresh(&file, "one\n").is_err(), "a missing file is stale");
    assert!(refresh(&file, "one\n").is_ok());
    assert!(refresh(&file, "two\n").is_err());
    assert_eq!(std::fs::read_to_string(&file).expect("file"), "two\n");
}

#[test]
fn only_the_text_between_the_markers_changes() {
    let old = "head\n<!-- keys:begin -->\nold\n<!-- keys:end -->\ntail\n";
    let new = replaced(old, "keys", "new\n").expect("markers");
    assert_eq!(new, "head\n<!-- keys:begin -->\n\nnew\n\n<!-- keys:end -->\ntail\n");
    assert_eq!(replaced(&new, "keys", "new").as_deref(), Ok(new.as_str()), "a second time changes nothing");
    assert!(replaced(old, "columns", "new").is_err());
}
