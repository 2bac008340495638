//! What a shell is offered when the tab key is pressed, and manual pages.

use assert_cmd::Command;

/// Lines that the shell gets for the last of these words.
fn offered(words: &[&str]) -> Vec<String> {
    let mut command = Command::cargo_bin("breccia").expect("built");
    command.env("COMPLETE", "bash").env("_CLAP_COMPLETE_INDEX", (words.len()).to_string()).env("_CLAP_IFS", "\n");
    let output = command.arg("--").arg("breccia").args(words).assert().code(0).get_output().stdout.clone();
    String::from_utf8(output).expect("UTF-8").lines().map(str::to_owned).collect()
}

#[test]
fn keys_of_set_and_their_words_are_completed() {
    assert_eq!(offered(&["run", "accretion", "--set", "run.dur"]), ["run.duration_s="]);
    let methods = offered(&["run", "accretion", "--set", "run.method="]);
    assert!(methods.contains(&"run.method=contact_dynamics".to_owned()), "{methods:?}");
    assert_eq!(offered(&["check", "accretion", "--set", "bodies.0.generator=lat"]), ["bodies.0.generator=lattice"]);
    assert_eq!(offered(&["run", "accretion", "--set", "no.such"]), Vec::<String>::new());
}

#[test]
fn built_in_scenarios_are_completed() {
    assert!(offered(&["run", "accretion_sm"]).contains(&"accretion_small".to_owned()));
}

#[test]
fn every_command_has_a_manual_page() {
    let folder = tempfile::tempdir().expect("folder");
    let pages = folder.path().join("man1");
    Command::cargo_bin("breccia").expect("built").arg("man").arg(&pages).assert().code(0);
    let commands = offered(&[""]).into_iter().filter(|word| !word.starts_with('-') && word != "help");
    let mut count = 0;
    for command in commands {
        let page = std::fs::read_to_string(pages.join(format!("breccia-{command}.1"))).expect("page");
        assert!(page.contains(".SH SYNOPSIS") && page.contains(&format!("breccia\\-{command}")), "{page}");
        count += 1;
    }
    assert!(count > 20, "{count} commands");
    let file = folder.path().join("file");
    std::fs::write(&file, "").expect("written");
    Command::cargo_bin("breccia").expect("built").arg("man").arg(&file).assert().code(7);
}
