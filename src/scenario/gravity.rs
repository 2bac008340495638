//! Reads `[[gravity]]`.

use super::common::word;
use crate::base::quantity::Dimension as D;
use crate::base::reader::Table;
use crate::base::reader::key::{Key, Word};
use crate::model::gravity::TREE_ACCURACY;
use crate::model::scenario::{FaceSum, GravitySource, NO_ASTEROID, Scenario, SelfGravityMethod};
use crate::physics::gravity::face_tree;

/// Keys of `[[gravity]]`.
pub(super) const KEYS: &[Key] = &[Key::choice("kind", KINDS).says("the source").eg("\"self\"")];

const KINDS: &[Word] = &[
    Word::with(
        "self",
        "the attraction of the bodies among each other",
        &[
            Key::choice("method", SELF_METHODS).or_word("auto").says("how it is summed").eg("\"tree\""),
            Key::within("accuracy", D::Pure, 1e-6, 0.1)
                .or(TREE_ACCURACY)
                .says(
                    "error of a node that the tree accepts, relative to the acceleration; for method = \"tree\" alone",
                )
                .eg("1e-3"),
            Key::within("opening_angle", D::Pure, 0.1, 1.0)
                .says("size over distance up to which the tree takes a node whole; instead of accuracy")
                .eg("0.5"),
            UPDATE_EVERY,
        ],
    ),
    Word::with(
        "uniform",
        "the same acceleration everywhere",
        &[Key::vector("acceleration_m_s2", D::Acceleration).required().says("the acceleration").eg("[0, 0, -9.8]")],
    ),
    Word::with(
        "central",
        "the field of a point mass",
        &[
            Key::positive("gm_m3_s2", D::Gm).required().says("gravitational constant times the mass").eg("4.89"),
            POSITION,
        ],
    ),
    Word::with(
        "uniform_sphere",
        "the field of a homogeneous sphere, inside and outside",
        &[
            Key::positive("density_kg_m3", D::Density).required().says("density of the sphere").eg("\"1.2 g/cm^3\""),
            Key::positive("radius_m", D::Length).required().says("radius of the sphere").eg("\"250 m\""),
            POSITION,
        ],
    ),
    Word::with(
        "rotating_frame",
        "centrifugal and Coriolis acceleration of axes that turn with a body",
        &[Key::vector("rotation_rad_s", D::AngularSpeed).required().says("rotation of the axes").eg("[0, 0, 4e-4]")],
    ),
    Word::with(
        "asteroid",
        "the field of the polyhedron of [asteroid]",
        &[
            Key::choice("method", FACE_METHODS).or_word("auto").says("how the faces are summed").eg("\"exact\""),
            Key::within("accuracy", D::Pure, 1e-6, 1e-2)
                .or(face_tree::ACCURACY)
                .says("error of a node that the tree accepts; for method = \"tree\" alone")
                .eg("4e-5"),
            UPDATE_EVERY,
        ],
    ),
];

const SELF_METHODS: &[Word] = &[
    word("auto", "the direct sum for few bodies, the tree for many"),
    word("direct", "every pair"),
    word("tree", "a tree of the bodies"),
];

const FACE_METHODS: &[Word] = &[
    word("auto", "the exact sum below 1,000 faces, the tree above"),
    word("exact", "every face"),
    word("tree", "a tree of the faces"),
];

const UPDATE_EVERY: Key = Key::count("update_every", 1, 1_000_000)
    .without("50; 1 with contact dynamics")
    .says("steps from one evaluation to the next; the same for the bodies and the asteroid")
    .eg("50");

const POSITION: Key = Key::vector("position_m", D::Length).or_zero().says("centre of the source").eg("[0, 0, -1000]");

/// One source.
pub(super) fn gravity(t: &Table) -> GravitySource {
    let source = match t.choice("kind") {
        "uniform" => GravitySource::Uniform { acceleration_m_s2: t.vector("acceleration_m_s2") },
        "uniform_sphere" => GravitySource::UniformSphere {
            density_kg_m3: t.value("density_kg_m3"),
            radius_m: t.value("radius_m"),
            position_m: t.vector("position_m"),
        },
        "rotating_frame" => GravitySource::RotatingFrame { rotation_rad_s: t.vector("rotation_rad_s") },
        "central" => GravitySource::Central { gm_m3_s2: t.value("gm_m3_s2"), position_m: t.vector("position_m") },
        "asteroid" => GravitySource::Asteroid { sum: face_sum(t), update_every: update_every(t) },
        _ => GravitySource::SelfGravity { method: self_gravity(t), update_every: update_every(t) },
    };
    t.close();
    source
}

fn update_every(t: &Table) -> Option<u32> {
    t.count_if("update_every").map(|every| every as u32)
}

/// Refuses a key of the tree where another method was chosen.
fn of_tree(t: &Table, key: &str) {
    t.fault(key, "belongs to method = \"tree\"", "remove it, or choose the tree");
}

fn face_sum(t: &Table) -> FaceSum {
    match (t.choice("method"), t.has("accuracy")) {
        ("tree", _) => FaceSum::Tree { accuracy: t.value("accuracy") },
        (_, true) => {
            of_tree(t, "accuracy");
            FaceSum::Auto
        }
        ("exact", false) => FaceSum::Exact,
        _ => FaceSum::Auto,
    }
}

fn self_gravity(t: &Table) -> SelfGravityMethod {
    let method = t.choice("method");
    let given: Vec<&str> = ["accuracy", "opening_angle"].into_iter().filter(|key| t.has(key)).collect();
    match method {
        "tree" if given.len() == 2 => {
            t.fault("opening_angle", "conflicts with accuracy", "remove one of the two: a tree opens by one criterion");
            SelfGravityMethod::Auto
        }
        "tree" => match t.value_if("opening_angle") {
            Some(opening_angle) => SelfGravityMethod::TreeGeometric { opening_angle },
            None => SelfGravityMethod::TreeRelative { accuracy: t.value("accuracy") },
        },
        other => {
            given.iter().for_each(|key| of_tree(t, key));
            if other == "direct" { SelfGravityMethod::Direct } else { SelfGravityMethod::Auto }
        }
    }
}

/// Faults of the sources together.
pub(super) fn consistent(root: &Table, scenario: &Scenario) {
    let count = |one: &str| scenario.gravity.iter().filter(|g| g.kind() == one).count();
    for kind in ["self", "rotating_frame", "asteroid"].into_iter().filter(|k| count(k) > 1) {
        root.fault("gravity", format!("kind = \"{kind}\" is given twice"), "remove one of the two");
    }
    if scenario.asteroid.is_none() && scenario.gravity.iter().any(|g| matches!(g, GravitySource::Asteroid { .. })) {
        let [what, remedy] = NO_ASTEROID;
        root.fault("gravity", what, remedy);
    }
    if let [one, other, ..] = scenario.typed_holds()[..]
        && one != other
    {
        let what = format!("update_every is {one} and {other}, but all these sources are evaluated together");
        root.fault("gravity", what, "make the two equal, or type one of them alone");
    }
}
