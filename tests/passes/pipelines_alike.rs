//! Stages that two pipelines write down, since each file shows the whole of a step: they are the same passes in the same order.

use breccia::gpu::pipeline::file::{Step, load};

fn stage(pipeline: &str, name: &str) -> Vec<Step> {
    let file = load(pipeline).expect("a pipeline");
    file.stage.into_iter().find(|stage| stage.name == name).unwrap_or_else(|| panic!("{pipeline} has no {name}")).steps
}

fn text(steps: &[Step]) -> Vec<String> {
    steps.iter().map(|step| format!("{step:?}")).collect()
}

#[test]
fn both_methods_evaluate_gravity_alike() {
    let [soft, rigid] = ["soft_sphere", "contact_dynamics"].map(|pipeline| text(&stage(pipeline, "gravity")));
    assert_eq!(soft, rigid);
}

/// Asteroids and lone bodies are of soft spheres alone, and histories of contacts have another length.
#[test]
fn both_methods_search_neighbours_alike() {
    let of_soft = |step: &Step| {
        let names = [&step.pass, &step.over, &step.block].into_iter().flatten();
        let features = step.features.iter().any(|f| ["surface", "second_window", "third_window"].contains(&f.as_str()));
        features || names.into_iter().any(|name| name.contains("wide") || name.contains("room"))
    };
    let without = |mut step: Step| {
        step.constants = step.constants.filter(|_| step.pass.as_deref() != Some("carry_history"));
        step
    };
    let common = |pipeline: &str| -> Vec<Step> {
        stage(pipeline, "neighbours").into_iter().filter(|step| !of_soft(step)).map(without).collect()
    };
    let [soft, rigid] = ["soft_sphere", "contact_dynamics"].map(|pipeline| text(&common(pipeline)));
    assert!(rigid.len() > 20, "{}", rigid.len());
    assert_eq!(soft, rigid);
}

/// The field of a row is that of the bodies as they are, or as they are shown.
#[test]
fn both_methods_measure_gravity_alike() {
    let shown = |mut step: Step| {
        step.bind.retain(|_, buffer| buffer != "body_shown");
        step
    };
    let measure = |pipeline: &str| text(&stage(pipeline, "measure").into_iter().map(shown).collect::<Vec<_>>());
    assert_eq!(measure("measure_field"), measure("measure_dynamics"));
}
