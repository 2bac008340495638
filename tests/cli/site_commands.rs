//! Every command that the site shows is one that the program takes, and does what the page says that it does.

#[path = "site_commands/pages.rs"]
mod pages;
#[path = "site_commands/rules.rs"]
mod rules;
#[path = "site_commands/typed.rs"]
mod typed;
#[path = "site_commands/world.rs"]
mod world;

use pages::{Command, commands, of_page, root, words};
use rules::{BLOCKS, How, NAMED, OTHERS, PLACEHOLDERS, decides};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::Stdio;
use std::sync::Mutex;
use world::{furnished, program, world};

/// Options by which a campaign runs nothing.
const RUN_NOTHING: [&str; 4] = ["--list", "--dry-run", "--show", "--slurm"];

/// Words with what stands for their placeholders, and these placeholders.
fn filled(arguments: &[String]) -> (Vec<String>, Vec<&'static str>) {
    let mut used = vec![];
    let first = arguments.first().map_or("", String::as_str);
    let mut fill = |word: &str| {
        let here = PLACEHOLDERS.iter().find(|(name, _)| name.split_once(' ') == Some((first, word)));
        let found = here.or_else(|| PLACEHOLDERS.iter().find(|(name, _)| *name == word));
        used.extend(found.map(|(name, _)| *name));
        found.map_or_else(|| word.to_owned(), |(_, value)| (*value).to_owned())
    };
    let whole = |word: &String| match word.rsplit_once('=') {
        Some((key, value)) => format!("{key}={}", fill(value)),
        None => fill(word),
    };
    (arguments.iter().filter(|w| !w.starts_with('[')).map(whole).collect(), used)
}

/// A word of capitals that nothing has filled.
fn left_open(arguments: &[String]) -> Option<&String> {
    let open = |word: &str| word.len() > 1 && word.chars().all(|c| c.is_ascii_uppercase() || c == '_');
    arguments.iter().find(|word| open(word.rsplit(['=', '/']).next().unwrap_or(word)))
}

/// The words with more of them, unless an option among these is there already.
fn with(arguments: &[String], more: &[&str]) -> Vec<String> {
    let mut all = arguments.to_vec();
    let mut k = 0;
    while k < more.len() {
        let end = (k + 1..more.len()).find(|at| more[*at].starts_with("--")).unwrap_or(more.len());
        if !arguments.iter().any(|word| word == more[k]) {
            all.extend(more[k..end].iter().map(|word| (*word).to_owned()));
        }
        k = end;
    }
    all
}

/// A run as `breccia check` takes it: its scenario and what it sets.
fn checked(arguments: &[String]) -> Vec<String> {
    let sets = arguments.windows(2).filter(|pair| pair[0] == "--set").flatten();
    ["check".to_owned(), arguments[1].clone()]
        .into_iter()
        .chain(sets.cloned())
        .chain(["--no-time".to_owned()])
        .collect()
}

/// A run that ends after 20 steps, elsewhere.
fn begun(arguments: &[String]) -> Vec<String> {
    let (mut kept, mut k) = (vec![], 0);
    while k < arguments.len() {
        if ["--out", "--stop-at-step"].contains(&arguments[k].as_str()) {
            k += 2;
        } else {
            kept.push(arguments[k].clone());
            k += 1;
        }
    }
    with(&kept, &["--stop-at-step", "20", "--overwrite", "--out", "runs/short"])
}

/// What to run for a command, and the exit code that must come.
fn stands_for(command: &Command, arguments: &[String], how: How) -> Option<(Vec<String>, i32)> {
    match how {
        How::Begins => Some((begun(arguments), 75)),
        How::Runs(more, code) => Some((with(arguments, more), code)),
        How::Instead(line, code) => Some((words(line), code)),
        How::Listed => {
            let runs = arguments.len() > 1 && !arguments.iter().any(|word| RUN_NOTHING.contains(&word.as_str()));
            Some((with(arguments, if runs { &["--list"] } else { &[] }), 0))
        }
        How::Checked => Some((checked(arguments), 0)),
        How::Drawn => {
            let draws = arguments[0] == "render" || arguments.iter().any(|word| word == "--picture");
            Some((with(arguments, if draws { &["--size", "100"] } else { &[] }), 0))
        }
        How::Serves | How::Parsed | How::Others => None,
    }
    .filter(|_| command.arguments().is_some())
}

/// The rule for a command that a text names and no rule knows.
fn named(arguments: &[String]) -> How {
    let has_name = arguments.get(1).is_some_and(|word| !word.starts_with('-'));
    match arguments.first().map(String::as_str) {
        Some("run" | "check") if has_name => How::Checked,
        Some("sweep") if has_name => How::Listed,
        _ => How::Parsed,
    }
}

/// The program reads the words as those of a real call, up to the question for help. A text may name an option without its
/// value: then the value is all that the program lacks.
fn parsed(folder: &Path, arguments: &[String]) -> Result<(), String> {
    let help = "--help".to_owned();
    let (code, said) = program(folder, &[arguments, &[help]].concat());
    let last = arguments.last().filter(|word| word.starts_with("--"));
    let bare = code == 2 && last.is_some_and(|option| said.contains(&format!("a value is required for '{option} ")));
    if code == 0 || bare { Ok(()) } else { Err(format!("exit code {code}\n{said}")) }
}

/// The page of a run comes to its address.
fn serves(folder: &Path, arguments: &[String]) -> Result<(), String> {
    let port = arguments.iter().position(|word| word == "--port");
    let kept: Vec<_> = (0..arguments.len()).filter(|k| port.is_none_or(|p| *k != p && *k != p + 1)).collect();
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("breccia"));
    command.current_dir(folder).args(kept.into_iter().map(|k| &arguments[k]));
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("starts");
    let lines = BufReader::new(child.stdout.take().expect("piped")).lines().map_while(Result::ok);
    let found = lines.take(9).any(|line| line.contains("http://127.0.0.1:"));
    let _ = child.kill();
    let _ = child.wait();
    if found { Ok(()) } else { Err("it prints no address".into()) }
}

/// `cargo test` names a test program that exists, and modules of it.
fn names_tests(words: &[String]) -> Result<(), String> {
    let Some(at) = words.iter().position(|word| word == "--test") else { return Ok(()) };
    let folder = root().join("tests").join(words.get(at + 1).ok_or("--test has no name")?);
    if !folder.join("main.rs").exists() {
        return Err(format!("{} is not a test program", folder.display()));
    }
    for filter in words[at + 2..].iter().filter(|word| !word.starts_with('-')) {
        let (module, test) = filter.split_once("::").unwrap_or((filter, ""));
        let text =
            std::fs::read_to_string(folder.join(format!("{module}.rs"))).map_err(|e| format!("{filter}: {e}"))?;
        if !text.contains(&format!("fn {test}")) {
            return Err(format!("{filter}: there is no such test"));
        }
    }
    Ok(())
}

/// Tries one command; `Ok(true)` if the program did its work for it, `Ok(false)` if only its words were read.
fn tried(folder: &Path, command: &Command) -> Result<bool, String> {
    let rule = decides(command).map(|(list, at)| &list[at]);
    let Some(typed) = command.arguments() else {
        let script = &command.words[0];
        if script.starts_with("./") || script.starts_with(".ci/") {
            return if root().join(script).exists() { Ok(false) } else { Err("there is no such script".into()) };
        }
        return if script == "cargo" { names_tests(&command.words).map(|()| false) } else { Ok(false) };
    };
    let (arguments, _) = filled(typed);
    let how = rule.map_or_else(|| named(&arguments), |rule| rule.how);
    if matches!(how, How::Others) {
        return Ok(false);
    }
    parsed(folder, &arguments)?;
    if matches!(how, How::Serves) {
        return serves(folder, &arguments).map(|()| true);
    }
    let Some((words, code)) = stands_for(command, &arguments, how) else { return Ok(false) };
    let (found, said) = program(folder, &words);
    if found == code {
        Ok(true)
    } else {
        Err(format!("breccia {}: exit code {found}, not {code}\n{said}", words.join(" ")))
    }
}

/// Commands of each page with blocks, in their order, and then those that texts name. One that was named before is left out.
fn sequences() -> Vec<Vec<Command>> {
    let (mut pages, mut seen): (BTreeMap<String, Vec<Command>>, _) = (BTreeMap::new(), BTreeSet::new());
    for command in commands() {
        if command.in_block || seen.insert(command.text.clone()) {
            let page = if command.in_block { command.page.clone() } else { "texts".into() };
            pages.entry(page).or_default().push(command);
        }
    }
    pages.into_values().collect()
}

#[test]
fn every_command_of_the_site_works() {
    let (world, pages) = (world(), Mutex::new(sequences()));
    let (faults, counts) = (Mutex::new(vec![]), Mutex::new([0; 2]));
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(4);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(page) = { pages.lock().expect("pages").pop() } {
                    let words = page.iter().flat_map(|c| filled(c.arguments().unwrap_or_default()).0);
                    let folder = furnished(world.path(), &words.collect::<Vec<_>>().join(" "));
                    for command in page {
                        let start = std::time::Instant::now();
                        match tried(folder.path(), &command) {
                            Ok(ran) => counts.lock().expect("counts")[usize::from(ran)] += 1,
                            Err(why) => faults.lock().expect("faults").push(format!("{}\n  {why}", command.place())),
                        }
                        println!("{:6.2} s  {}", start.elapsed().as_secs_f64(), command.place());
                    }
                }
            });
        }
    });
    let (faults, [read, ran]) = (faults.into_inner().expect("faults"), counts.into_inner().expect("counts"));
    println!("{ran} commands did their work, {read} were read");
    assert!(faults.is_empty(), "{} commands of the site fail:\n{}", faults.len(), faults.join("\n"));
    assert!(
        ran > 100 && read > 60,
        "only {ran} commands ran, and {read} were read: they are not found as they should be"
    );
}

#[test]
fn every_command_has_a_rule_and_every_rule_a_command() {
    let (mut used, mut faults) = (BTreeSet::new(), vec![]);
    for command in commands() {
        if let Some((list, at)) = decides(&command) {
            used.insert((list.as_ptr() as usize, at));
        } else if command.in_block {
            faults.push(format!("{}: no rule says what to do with it", command.place()));
        }
        let (arguments, placeholders) = filled(command.arguments().unwrap_or_default());
        used.extend(
            placeholders.iter().map(|name| (0, PLACEHOLDERS.iter().position(|(n, _)| n == name).expect("of it"))),
        );
        if let Some(word) = left_open(&arguments) {
            faults.push(format!("{}: {word} stands for something that no list of placeholders has", command.place()));
        }
    }
    for (list, name) in [(BLOCKS, "BLOCKS"), (OTHERS, "OTHERS"), (NAMED, "NAMED")] {
        let unused = list.iter().enumerate().filter(|(at, _)| !used.contains(&(list.as_ptr() as usize, *at)));
        faults.extend(unused.map(|(_, r)| format!("{name}: `{}` of `{}` fits no command: {}", r.start, r.page, r.why)));
    }
    let unused = PLACEHOLDERS.iter().enumerate().filter(|(at, _)| !used.contains(&(0, *at)));
    faults.extend(unused.map(|(_, (name, _))| format!("PLACEHOLDERS: no command has {name}")));
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn commands_are_found_as_a_reader_finds_them() {
    let page = "Take `breccia run\nx` and `word`.\n\n```sh\nbreccia run a --set 'b=\"1 h\"' \\\n  --out c   # comment\n\n```\n\
                ```console\n$ docker run -v \"$PWD:/d\" \\\n  breccia check d\n...\nbreccia is not typed here\n```\n";
    let found = of_page("page.md", page);
    let texts: Vec<_> = found.iter().map(|c| (c.line, c.text.as_str(), c.in_block)).collect();
    assert_eq!(texts[0], (6, "breccia run a --set b=\"1 h\" --out c", true));
    assert_eq!(found[0].arguments().expect("of the program").len(), 6);
    assert_eq!(found[1].arguments().expect("of the program"), ["check", "d"]);
    assert_eq!(texts[2], (1, "breccia run x", false));
    assert_eq!(texts.len(), 3);
}

#[test]
fn commands_that_do_not_work_are_noticed() {
    let folder = tempfile::tempdir().expect("folder");
    let fails = |line: &str| {
        let found = of_page("page.md", &format!("```sh\n{line}\n```\n")).pop().expect("a command");
        tried(folder.path(), &found).err().unwrap_or_else(|| panic!("`{line}` is taken"))
    };
    assert!(fails("breccia run bounce --no-such-option").contains("--no-such-option"));
    assert!(fails("breccia check bounce --set material.rock.fricton=1").contains("friction"));
    assert!(fails("breccia check bonce").contains("bounce"));
    assert!(fails("breccia render runs/nothing").contains("runs/nothing"));
    assert!(fails("breccia view runs/nothing").contains("no address"));
    assert!(fails(".ci/no_such_script").contains("no such script"));
    assert!(fails("cargo test --test physics no_such_module::").contains("no_such_module"));
}
