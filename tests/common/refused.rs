//! Wrong scenarios: each names file and line, names the remedy, and would end with exit code 2.

use breccia::scenario::parse::parse;

/// Of a good scenario, what to replace, with what, the line that is named (0: none), what the message holds.
pub fn refused(good: &str, bad: &[(&str, &str, usize, &[&str])]) {
    let mut wrong = vec![];
    for (from, to, line, texts) in bad {
        assert!(good.contains(from), "{from}");
        let text = good.replacen(from, to, 1);
        let Err(error) = parse(&text, "bad.toml", &[]) else { panic!("`{to}` in place of `{from}` was accepted") };
        assert_eq!(error.exit_code(), 2);
        let message = error.to_string();
        assert!(message.contains("bad.toml"), "{message}");
        if *line > 0 {
            assert!(message.contains(&format!("bad.toml:{line}:")), "line {line} is not named: {message}");
        }
        let lacking: Vec<_> = texts.iter().filter(|t| !message.contains(**t)).collect();
        if !lacking.is_empty() {
            wrong.push(format!("{lacking:?} is not in: {message}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
