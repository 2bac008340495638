//! Pages of docs/papers: verdicts at a glance are counted rightly, and every figure there has its section.

use super::house::texts;
use std::path::Path;

/// Kinds of verdicts, as rows begin with them, with the words by which a page's sentence counts one and several.
const KINDS: [(&str, [&str; 2]); 5] = [
    ("agrees", ["agrees,", "agree,"]),
    ("agrees in part", ["agrees in part", "agree in part"]),
    ("differs", ["differs", "differ"]),
    ("open", ["is open", "are open"]),
    ("not applicable", ["has nothing to compare", "have nothing to compare"]),
];

/// Rows of a table "At a glance": figure, anchor, verdict.
fn rows(page: &str) -> Vec<(&str, &str, &str)> {
    fn row(line: &str) -> Option<(&str, &str, &str)> {
        let (link, verdict) = line.strip_prefix("| [")?.strip_suffix(" |")?.split_once(") | ")?;
        let (figure, anchor) = link.split_once("](#")?;
        Some((figure, anchor, verdict))
    }
    page.lines().filter_map(row).collect()
}

/// Pages with a table "At a glance": their name and their text.
fn pages() -> Vec<(String, String)> {
    let in_papers = |path: &Path| path.parent().is_some_and(|folder| folder.ends_with("docs/papers"));
    let compared = texts().into_iter().filter(|(path, text)| in_papers(path) && text.contains("\n## At a glance\n"));
    let pages: Vec<_> = compared.map(|(path, text)| (path.display().to_string(), text)).collect();
    assert!(pages.len() >= 4, "only {} pages", pages.len());
    pages
}

#[test]
fn verdicts_are_counted() {
    for (name, page) in pages() {
        let rows = rows(&page);
        let begin = page.split("\n## At a glance\n\n").nth(1).expect("pages have a table");
        let sentence = begin.split('|').next().unwrap().replace('\n', " ");
        assert!(sentence.starts_with(&format!("Of {} ", rows.len())), "{name} has {} verdicts: {sentence}", rows.len());
        for (kind, [one, several]) in KINDS {
            let count = rows.iter().filter(|(.., verdict)| verdict.split(':').next() == Some(kind)).count();
            let wanted = format!("{count} {}", if count == 1 { one } else { several });
            assert!(count == 0 || sentence.contains(&wanted), "{name} has {wanted}: {sentence}");
        }
    }
}

/// A figure that agrees, differs, is open or is not applicable says so at the head of its section too.
#[test]
fn verdicts_stand_in_their_sections() {
    for (name, page) in pages() {
        for (figure, anchor, verdict) in rows(&page) {
            let kind = verdict.split(':').next().unwrap();
            assert!(KINDS.iter().any(|(known, _)| *known == kind), "{name}: {figure}: {verdict}");
            let Some(section) = page.split(&format!("\n### {figure}\n")).nth(1) else {
                assert_eq!(anchor, "tables", "{name}: {figure} has no section");
                continue;
            };
            let Some(words) = section.split("\n#").next().unwrap().split("- Verdict: ").nth(1) else {
                assert_eq!(kind, "not applicable", "{name}: {figure} has no verdict");
                continue;
            };
            let first = words.split([' ', ',', ':', '.']).next().unwrap();
            let expected = kind.split(' ').next().unwrap();
            assert_eq!(first, expected, "{name}: {figure}: at a glance it says {kind}");
        }
    }
}
