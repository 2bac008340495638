//! What a shell is offered when the tab key is pressed.

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
