//! The commands that the pages of the site show: in blocks of a shell, and between back-quotes in the text.

use std::path::Path;

/// A command of a page, as it is typed.
#[derive(Clone, Debug)]
pub struct Command {
    pub page: String,
    pub line: usize,
    /// Words joined by one blank, without quotes and comment.
    pub text: String,
    pub words: Vec<String>,
    /// It is a line of a block, so the commands of its page run in their order; else it is named in the text.
    pub in_block: bool,
}

impl Command {
    fn new(page: &str, line: usize, words: Vec<String>, in_block: bool) -> Self {
        Self { page: page.to_owned(), line, text: words.join(" "), words, in_block }
    }

    pub fn place(&self) -> String {
        format!("{}:{}: {}", self.page, self.line, self.text)
    }

    /// What the program gets: the words after its name, also where a container starts it.
    pub fn arguments(&self) -> Option<&[String]> {
        let first = self.words.first()?;
        let wrapped =
            ["docker", "apptainer"].contains(&first.as_str()) && self.words.get(1).is_some_and(|w| w == "run");
        let name = |word: &String| ["breccia", "target/release/breccia", "breccia.sif"].contains(&word.as_str());
        let at = self.words.iter().position(name).filter(|at| *at == 0 || wrapped)?;
        Some(&self.words[at + 1..])
    }
}

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

pub fn page(name: &str) -> String {
    std::fs::read_to_string(root().join(name)).unwrap_or_else(|e| panic!("{name}: {e}")).replace("\r\n", "\n")
}

/// Pages of the site in its order, and the two at the root.
pub fn pages() -> Vec<String> {
    let summary = page("docs/SUMMARY.md");
    let links = summary.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    ["README.md".into(), "CONTRIBUTING.md".into()].into_iter().chain(links.map(|l| format!("docs/{l}"))).collect()
}

pub fn commands() -> Vec<Command> {
    pages().iter().flat_map(|name| of_page(name, &page(name))).collect()
}

/// The blocks of a page: first line, language, lines.
pub fn blocks(text: &str) -> Vec<(usize, &str, Vec<&str>)> {
    let (mut found, mut open) = (Vec::<(usize, &str, Vec<&str>)>::new(), false);
    for (k, line) in text.lines().enumerate() {
        match line.trim_start().strip_prefix("```") {
            Some(_) if open => open = false,
            Some(language) => {
                found.push((k + 2, language.trim(), vec![]));
                open = true;
            }
            None if open => found.last_mut().expect("open").2.push(line),
            None => {}
        }
    }
    assert!(!open, "a block of code has no end");
    found
}

pub fn of_page(name: &str, text: &str) -> Vec<Command> {
    let mut found = vec![];
    for (line, language, lines) in blocks(text) {
        let prompted = lines.iter().any(|l| l.starts_with("$ "));
        assert!(
            language == "console" || !prompted,
            "{name}:{line}: a block with `$` must say that it is of the language console"
        );
        assert!(
            language != "bash" && language != "shell",
            "{name}:{line}: call the language of this block sh, as all pages do"
        );
        if language != "sh" && language != "console" {
            let shown = lines.iter().find(|l| l.trim_start().starts_with("breccia ") && !l.contains('='));
            assert!(
                shown.is_none(),
                "{name}:{line}: `{}` is a command in a block that is not of a shell",
                shown.unwrap()
            );
            continue;
        }
        let mut joined = String::new();
        for (k, shown) in lines.iter().enumerate() {
            let shown = match (language, shown.strip_prefix("$ ")) {
                ("console", None) if joined.is_empty() => continue,
                (_, rest) => rest.unwrap_or(shown),
            };
            joined.push_str(shown);
            if joined.ends_with('\\') {
                joined.pop();
                continue;
            }
            let words = words(&std::mem::take(&mut joined));
            if !words.is_empty() {
                found.push(Command::new(name, line + k, words, true));
            }
        }
    }
    found.extend(quoted(name, text));
    found
}

/// Commands between back-quotes in the text of a page.
fn quoted(name: &str, text: &str) -> Vec<Command> {
    let mut inside = false;
    let prose: Vec<&str> = text
        .lines()
        .map(|line| {
            let fence = line.trim_start().starts_with("```");
            let shown = !inside && !fence;
            inside ^= fence;
            if shown { line } else { "" }
        })
        .collect();
    let prose = prose.join("\n");
    let pieces: Vec<&str> = prose.split('`').collect();
    assert!(pieces.len() % 2 == 1, "{name}: a back-quote has no partner");
    let (mut found, mut line) = (vec![], 1);
    for (k, piece) in pieces.iter().enumerate() {
        const STARTS: [&str; 6] = ["breccia ", "target/release/breccia ", "./", ".ci/", "cargo ", "docker "];
        if k % 2 == 1 && STARTS.iter().any(|start| piece.starts_with(start)) {
            found.push(Command::new(name, line, words(&piece.replace('\n', " ")), false));
        }
        line += piece.matches('\n').count();
    }
    found
}

/// Words as a shell parts them: quotes keep blanks, a `#` after a blank begins a comment.
pub fn words(line: &str) -> Vec<String> {
    let (mut found, mut word, mut quote, mut any) = (vec![], String::new(), None, false);
    for c in line.chars() {
        match (quote, c) {
            (Some(q), c) if c == q => quote = None,
            (Some(_), c) => word.push(c),
            (None, '\'' | '"') => (quote, any) = (Some(c), true),
            (None, '#') if word.is_empty() && !any => break,
            (None, c) if c.is_whitespace() => {
                if any || !word.is_empty() {
                    found.push(std::mem::take(&mut word));
                }
                any = false;
            }
            (None, c) => word.push(c),
        }
    }
    assert!(quote.is_none(), "a quote has no end: {line}");
    if any || !word.is_empty() {
        found.push(word);
    }
    found
}
