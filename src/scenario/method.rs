//! Reads how contacts are computed: `run.method`, `[contact_dynamics]`; and `[spin_up]`.

use super::common::word;
use crate::base::quantity::Dimension as D;
use crate::base::reader::Table;
use crate::base::reader::key::{Key, Word};
use crate::model::scenario::*;
use crate::physics::laws::own::law::{self, PREFIX};
use crate::physics::laws::registry;
use crate::physics::laws::registry::LAWS;
use std::path::Path;

/// Words of `run.method`.
pub(super) const METHODS: &[Word] = &[
    word("soft_sphere", "elastic contacts, many small steps"),
    word("contact_dynamics", "rigid bodies, impulses over few large steps"),
];

/// Words of `run.contact_law`.
pub(super) const LAW_WORDS: [Word; LAWS.len()] = law_words();

const fn law_words() -> [Word; LAWS.len()] {
    let mut list = [LAWS[0].word; LAWS.len()];
    let mut k = 0;
    while k < LAWS.len() {
        list[k] = LAWS[k].word;
        k += 1;
    }
    list
}

/// Keys of `[contact_dynamics]`.
pub(super) const CONTACT_DYNAMICS: &[Key] = &[
    Key::within("theta", D::Pure, 0.5, 1.0).or(0.5).says("theta of the time stepping").eg("0.5"),
    Key::choice(
        "solver",
        &[
            word("auto", "the faster one for this many bodies on such a device"),
            word("jacobi", "projected Jacobi with momentum"),
            word("gauss_seidel", "projected Gauss-Seidel, colour by colour"),
            word("gauss_seidel_one_group", "the same, all iterations by one workgroup, for few bodies on a GPU"),
        ],
    )
    .or_word("auto")
    .says("iterations that solve the contacts of a step")
    .eg("\"jacobi\""),
    Key::within("tolerance", D::Pure, 1e-6, 0.1).or(1e-3).says("residual at which a step is solved").eg("1e-4"),
    Key::count("iterations_max", 8, 100_000).or_count(800).says("largest number of iterations of a step").eg("2000"),
    Key::choice(
        "on_budget",
        &[
            word("warn", "the step is counted in the series, and the run goes on; it says so once they are 1 %"),
            word("stop", "the run ends"),
        ],
    )
    .or_word("warn")
    .says("what happens when a step needs more iterations")
    .eg("\"stop\""),
    Key::within("recovery", D::Pure, 0.0, 1.0).or(0.2).says("share of an overlap that a step takes back").eg("0.2"),
    Key::positive("recovery_speed_m_s", D::Speed)
        .without("any")
        .says("largest speed at which overlaps are taken back; for bodies that overlap at the start")
        .eg("\"1 cm/s\""),
    Key::not_negative("cohesion_from_s", D::Time)
        .or(0.0)
        .says("cohesion acts in steps that begin then or later, so that a pile may settle without it")
        .eg("\"10 min\""),
    Key::count("judge_every", 1, 1_000_000)
        .without("never")
        .says("every so many rows of the series, f64 judges how well the last step was solved")
        .eg("10"),
    Key::positive("speed_max_m_s", D::Speed)
        .without("twice the fastest speed expected from the start")
        .says("speed that no body will exceed; the GPU engine needs it in advance")
        .eg("10"),
];

/// Keys of `[spin_up]`.
pub(super) const SPIN_UP: &[Key] = &[
    Key::not_negative("start_s", D::Time).or(0.0).says("instant of the first rotation").eg("\"1 h\""),
    Key::vector("initial_rad_s", D::AngularSpeed).or_zero().says("rotation that is added first").eg("[0, 0, 1e-4]"),
    Key::vector("increment_rad_s", D::AngularSpeed)
        .required()
        .says("rotation that is added after every interval")
        .eg("[0, 0, 1e-5]"),
    Key::positive("interval_s", D::Time).required().says("time from one rotation to the next").eg("\"10 min\""),
    Key::positive("end_s", D::Time)
        .without("the end of the run")
        .says("from then on no rotation is added")
        .eg("\"8 h\""),
    Key::choice(
        "bodies",
        &[
            word("all", "all bodies, about their common mass centre, those too that have come off"),
            word("largest_aggregate", "those of the heaviest aggregate at that instant, about its mass centre"),
        ],
    )
    .or_word("all")
    .says("what turns")
    .eg("\"largest_aggregate\""),
];

/// The method of `run`, with its own table.
pub(super) fn method(root: &Table, run: &Table) -> Method {
    if run.choice("method") == "soft_sphere" {
        if root.is_table("contact_dynamics") {
            let remedy = "remove it, or choose that method";
            root.fault("contact_dynamics", "belongs to run.method = \"contact_dynamics\"", remedy);
        }
        return Method::SoftSphere;
    }
    let t = root.table("contact_dynamics");
    let settings = ContactDynamics {
        theta: t.value("theta"),
        solver: match t.choice("solver") {
            "jacobi" => ContactSolver::Jacobi,
            "gauss_seidel" => ContactSolver::GaussSeidel,
            "gauss_seidel_one_group" => ContactSolver::GaussSeidelOneGroup,
            _ => ContactSolver::Auto,
        },
        tolerance: t.value("tolerance"),
        iterations_max: t.count("iterations_max") as u32,
        on_budget: if t.choice("on_budget") == "warn" { OnBudget::Warn } else { OnBudget::Stop },
        recovery: t.value("recovery"),
        recovery_speed_m_s: t.value_if("recovery_speed_m_s"),
        cohesion_from_s: t.value("cohesion_from_s"),
        judge_every: t.count_if("judge_every").map(|n| n as u32),
        speed_max_m_s: t.value_if("speed_max_m_s"),
    };
    t.close();
    Method::ContactDynamics(settings)
}

/// `run.contact_law`, which soft spheres alone have; `None`: an unknown word or a file that is no law, which is a fault. `folder`: where its
/// path counts from; `kept`: the file to read in place of the one that is named.
pub(super) fn soft_law(run: &Table, method: &Method, folder: &Path, kept: Option<&Path>) -> Option<LawName> {
    if method.contact_dynamics().is_some() && run.has("contact_law") {
        run.fault("contact_law", "belongs to method = \"soft_sphere\"; contact dynamics has one law", "remove it");
    }
    let typed = run.text_if("contact_law");
    let Some(path) = typed.as_deref().and_then(|typed| typed.strip_prefix(PREFIX)) else {
        let law = registry::entry(run.choice("contact_law")).map_or(LAWS[0].law, |entry| entry.law);
        return (!run.is_unknown("contact_law") && !run.is_unknown("method")).then(|| law.choice());
    };
    if path.trim().is_empty() {
        run.fault("contact_law", "names no file", "write \"file:my_law.wgsl\", for example");
        return None;
    }
    match law::read(&kept.map_or_else(|| folder.join(path), Path::to_owned)) {
        Ok(name) => Some(name),
        Err(faults) => {
            faults.into_iter().for_each(|fault| run.fault_of_file("contact_law", fault));
            None
        }
    }
}

/// `[spin_up]`, if it is there.
pub(super) fn spin_up(root: &Table) -> Option<SpinUp> {
    let t = root.table_if("spin_up")?;
    let spin = SpinUp {
        start_s: t.value("start_s"),
        initial_rad_s: t.vector("initial_rad_s"),
        increment_rad_s: t.vector("increment_rad_s"),
        interval_s: t.value("interval_s"),
        end_s: t.value_if("end_s"),
        bodies: if t.choice("bodies") == "all" { Spun::All } else { Spun::LargestAggregate },
    };
    t.close();
    Some(spin)
}
