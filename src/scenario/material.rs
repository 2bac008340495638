//! Reads `[[material]]`: which keys a material takes is up to the contact law, or to contact dynamics.

use crate::base::quantity::Dimension as D;
use crate::base::reader::Table;
use crate::base::reader::key::{Default, Key, Kind, Word};
use crate::model::scenario::{LawFile, LawName, Material, Method};
use crate::physics::laws;
use crate::physics::laws::keys::{COHESION_FORCE, COHESION_RANGE, FRICTION_SLIDING, Keyed, RESTITUTION_NORMAL};
use crate::physics::laws::registry;
use crate::physics::laws::registry::LAWS;

/// Keys of `[[material]]`.
pub(super) const KEYS: &[Key] = &[
    Key::name("name").without("material").says("name of the material").eg("\"rock\""),
    Key::positive("density_kg_m3", D::Density).required().says("density of the solid").eg("\"2.3 g/cm^3\""),
    Key::branch("law", &BRANCHES),
];

/// The keys of every contact law, and behind them those of contact dynamics.
const BRANCHES: [Word; LAWS.len() + 1] = branches();

const fn branches() -> [Word; LAWS.len() + 1] {
    let mut list = [RIGID; LAWS.len() + 1];
    let mut k = 0;
    while k < LAWS.len() {
        list[k] = LAWS[k].branch;
        k += 1;
    }
    list
}

const RIGID: Word = Word::with(
    "run.method = \"contact_dynamics\"",
    "rigid bodies",
    &[RESTITUTION_NORMAL, FRICTION_SLIDING, COHESION_FORCE, COHESION_RANGE],
);

/// The keys that a material takes in a run by this method and law.
pub(crate) fn taken(method: &Method, law: &LawName) -> &'static [Key] {
    match (method, law) {
        (Method::ContactDynamics(_), _) => RIGID.keys,
        (Method::SoftSphere, LawName::BuiltIn(name)) => registry::entry(name).map_or(&[], |entry| entry.branch.keys),
        (Method::SoftSphere, LawName::File(file)) => laws::own::law::of(file).map_or(&[], |law| law.keys()),
    }
}

/// True if a run of some method or law takes this key.
pub(crate) fn is_key(name: &str) -> bool {
    BRANCHES.iter().flat_map(|branch| branch.keys).any(|key| key.name == name)
}

/// A `[[material]]` table.
pub(super) fn material(t: &Table, method: &Method, law: Option<&LawName>) -> Material {
    let mut m = Material::new(&t.name_in_list("name").unwrap_or_else(|| "material".into()), t.value("density_kg_m3"));
    match (method, law) {
        // a law with faults: nobody knows its keys
        (_, None) => return m,
        (Method::ContactDynamics(_), _) => rigid(t, &mut m),
        (Method::SoftSphere, Some(LawName::BuiltIn(name))) => soft(t, name, &mut m),
        (Method::SoftSphere, Some(LawName::File(file))) => own(t, file, &mut m),
    }
    t.close();
    m
}

/// Keys of a law of the user's own.
fn own(t: &Table, file: &LawFile, m: &mut Material) {
    let Some(law) = laws::own::law::of(file) else { return };
    t.declare(&file.path, law.keys());
    law.keys().iter().for_each(|key| read(t, key, m));
}

fn soft(t: &Table, law: &str, m: &mut Material) {
    let Some(entry) = registry::entry(law) else { return };
    t.branch("law", entry.branch.word);
    entry.branch.keys.iter().for_each(|key| read(t, key, m));
    entry.law.complete(m);
    for laws::Wrong { key, what, remedy } in entry.law.faults(m, &|key| t.has(key)) {
        t.fault(key, what, remedy);
    }
}

/// Rigid bodies have no stiffness.
fn rigid(t: &Table, m: &mut Material) {
    t.branch("law", RIGID.word);
    RIGID.keys.iter().for_each(|key| read(t, key, m));
    if COHESION_RANGE.of(m) > 0.0 && COHESION_FORCE.of(m) == 0.0 {
        let remedy = "add cohesion_force_n, or remove this key";
        t.fault("cohesion_range_m", "has no effect without cohesion_force_n", remedy);
    }
}

/// Reads a key into the material, if it is there or has a default.
fn read(t: &Table, key: &Key, m: &mut Material) {
    match (key.kind, key.default) {
        (Kind::Choice(_), _) => m.set(key.name, t.choice(key.name)),
        (_, Default::Required | Default::Number(_)) => m.set(key.name, t.value(key.name)),
        _ => t.value_if(key.name).into_iter().for_each(|value| m.set(key.name, value)),
    }
}
