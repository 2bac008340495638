//! Colours of contacts: no two of a body have the same, those of the step before are kept, no chance is in them; and the
//! lists by colour that sweeps go through.

use super::cloud::random;
use super::dynamics_gates::{UNTOUCHED, arguments, fill_slots, gate};
use super::dynamics_solve::Start;
use super::dynamics_split::crowded;
use super::dynamics_system::{SPARE, System};
use super::harness::{Harness, filled};
use super::invariants::Sound;
use super::{Check, Family, Tally};
use crate::base::error::Result;
use crate::gpu::constants::{COLOURS, OVERFLOW_COLOURS, SOLVER_COLOURS, SOLVER_ITERATES};
use crate::gpu::elements::body::BodyLeader;
use crate::gpu::elements::contact::{BodyColours, ColourEntry, ContactBody, ContactScale};
use crate::gpu::elements::control::Control;
use crate::gpu::elements::work::WorkArgs;
use crate::gpu::layout::DynamicsParams;
use rand::RngExt;

/// The family.
pub const FAMILY: Family = Family {
    name: "dynamics_colours",
    compares: "Colours of contacts: no body has two contacts of one colour, colours persist, and lists are complete.",
    bounds: "Colours are integers and must be equal.",
    checks: CHECKS,
};

/// The checks of this family.
const CHECKS: &[Check] = &[
    Check::exact(&["claim_colours"], "colours that a body's contacts keep", claim_colours),
    Check::exact(
        &["colour_contacts"],
        "proper, first that fits, kept, whatever the rounds of a recording",
        colour_contacts,
    ),
    Check::exact(&["colour_contacts"], "more contacts of a body than colours", too_many),
    Check::exact(&["count_colours"], "contacts of every colour", count_colours),
    Check::exact(&["judge_colours"], "indices in the list, gates, too few recorded, rounds left", judge_colours),
    Check::exact(&["list_colours"], "every contact once, under its colour", list_colours),
];

/// A name of a feature, whose bits colouring must not touch.
const NAME: u32 = 0x4012_3456;

fn colour_of(word: u32) -> u32 {
    word >> 23 & 63
}

fn bit(colour: u32) -> u64 {
    if colour == 0 { 0 } else { 1 << (colour - 1) }
}

/// `contact_body` with these colours, and some behind the last.
pub fn coloured(system: &System, colours: &[u32]) -> Vec<ContactBody> {
    let of = |(c, colour): (usize, &u32)| {
        let [i, j] = system.contacts[c].bodies.map(|b| b as u32);
        ContactBody { i, j, candidate: c as u32, feature: NAME | colour << 23 }
    };
    let mut contacts: Vec<_> = colours.iter().enumerate().map(of).collect();
    let behind = ContactBody { feature: NAME | 7 << 23, ..ContactBody::default() };
    contacts.resize(contacts.len() + SPARE, behind);
    contacts
}

/// Colours in use at every body.
fn used(system: &System, colours: &[u32]) -> Vec<u64> {
    let mut used = vec![0; system.inertia.len()];
    for (contact, colour) in system.contacts.iter().zip(colours) {
        contact.bodies.iter().for_each(|b| used[*b] |= bit(*colour));
    }
    used.truncate(system.bodies);
    used
}

fn masks_of(used: &[u64]) -> Vec<BodyColours> {
    used.iter().map(|u| BodyColours { used: [*u as u32, (u >> 32) as u32] }).collect()
}

/// Colours 0 to 63 at random.
fn any_colours(count: usize) -> Vec<u32> {
    let mut random = random(11);
    (0..count).map(|_| random.random_range(0..=COLOURS)).collect()
}

/// A proper colouring of some of the contacts, one in `every`, by the first colour that fits.
pub fn some_colours(system: &System, every: usize) -> Vec<u32> {
    let mut taken = vec![0u64; system.inertia.len()];
    let mut colours = vec![0; system.contacts.len()];
    for (c, contact) in system.contacts.iter().enumerate().filter(|(c, _)| c % every == 0) {
        let moving: Vec<usize> = contact.bodies.into_iter().filter(|b| *b < system.bodies).collect();
        let all = moving.iter().fold(0, |all, b| all | taken[*b]);
        colours[c] = all.trailing_ones() + 1;
        moving.iter().for_each(|b| taken[*b] |= bit(colours[c]));
    }
    colours
}

/// Fills what colouring needs, with bodies' words from `claim_colours`.
fn claim(h: &mut Harness, system: &System, colours: &[u32]) -> Result<()> {
    system.fill(h)?;
    h.fill("contact_body", &coloured(system, colours))?;
    h.fill("body_colours", &vec![BodyColours { used: [9; 2] }; system.bodies + SPARE])?;
    h.fill("body_leader", &vec![filled::<BodyLeader>(9); system.bodies + SPARE])?;
    h.fill("colour_count", &[9u32; 65])?;
    h.run("claim_colours", system.body_groups())
}

fn claim_colours(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for system in crowded() {
        t.case(&system.name);
        let colours = any_colours(system.contacts.len());
        claim(h, &system, &colours)?;
        let mut masks = masks_of(&used(&system, &colours));
        masks.resize(masks.len() + SPARE, BodyColours { used: [9; 2] });
        t.equal("colours of body", &h.read("body_colours")?, &masks);
        let leaders = [vec![BodyLeader::default(); system.bodies], vec![filled(9); SPARE]].concat();
        t.equal("proposals of body", &h.read("body_leader")?, &leaders);
        t.equal("count of colour", &h.read::<u32>("colour_count")?, &[vec![0; 64], vec![9]].concat());
    }
    Ok(())
}

/// Rounds of colouring, `recorded` at a time, until no contact is left; gives the colours.
fn colour(h: &mut Harness, system: &System, recorded: u32) -> Result<Vec<u32>> {
    let mut words = system.words();
    while words.colour_round < 60 {
        h.fill("control", &[words])?;
        for k in 0..recorded {
            h.run_with("colour_contacts", system.groups(), "pass_constants", [k, 0, 0, 0])?;
        }
        words = h.read_one("control")?;
        let (done, left, short) = (words.colour_done, words.colour_left, words.colour_short);
        // Without contacts no round is counted.
        if left < done || short == 1 || done == 0 {
            break;
        }
        words.colour_round = done;
    }
    let contacts: Vec<ContactBody> = h.read("contact_body")?;
    Ok(contacts.iter().map(|c| colour_of(c.feature)).take(system.contacts.len()).collect())
}

/// Every contact has a colour, no two of a body the same, and none lower was free for one that has taken its own.
fn is_proper(system: &System, kept: &[u32], colours: &[u32]) -> Sound {
    let mut seen = vec![0u64; system.bodies];
    for (c, (contact, colour)) in system.contacts.iter().zip(colours).enumerate() {
        if !(1..=COLOURS).contains(colour) {
            return Err(format!("contact {c} has the colour {colour}"));
        }
        for b in contact.bodies.into_iter().filter(|b| *b < system.bodies) {
            if seen[b] & bit(*colour) != 0 {
                return Err(format!("body {b} has two contacts of colour {colour}, {c} is one"));
            }
            seen[b] |= bit(*colour);
        }
    }
    for (c, (contact, colour)) in system.contacts.iter().zip(colours).enumerate() {
        let around = contact.bodies.into_iter().filter(|b| *b < system.bodies).fold(0, |all, b| all | seen[b]);
        if kept[c] == 0 && (around.trailing_ones() + 1) < *colour {
            return Err(format!("contact {c} has the colour {colour}, and {} is free", around.trailing_ones() + 1));
        }
    }
    Ok(())
}

fn colour_contacts(h: &mut Harness, t: &mut Tally) -> Result<()> {
    let mut systems = crowded();
    systems.push(System::lattice(14, false, 0.0));
    for system in systems {
        for every in [usize::MAX, 3, 1] {
            let count = system.contacts.len();
            let mut kept = some_colours(&system, every);
            if every == usize::MAX {
                kept.fill(0);
            }
            t.case(format!("{}, one in {every} has a colour", system.name));
            claim(h, &system, &kept)?;
            let colours = colour(h, &system, 4)?;
            t.hold(is_proper(&system, &kept, &colours));
            let wanted: Vec<u32> = (0..count).map(|c| if kept[c] > 0 { kept[c] } else { colours[c] }).collect();
            t.equal("contact", &h.read::<ContactBody>("contact_body")?, &coloured(&system, &wanted));
            let masks: Vec<BodyColours> = h.read("body_colours")?;
            t.equal("colours of body", &masks[..system.bodies], &masks_of(&used(&system, &colours)));
            claim(h, &system, &kept)?;
            t.equal("colour with one round at a time", &colour(h, &system, 1)?, &colours);
        }
    }
    Ok(())
}

/// A star of `rays` bodies around another, and a floor.
fn star(rays: usize) -> System {
    let mut system = System::lattice(5, false, 0.0);
    let pattern = system.contacts[0].clone();
    system.contacts = (0..rays).map(|k| pattern.clone().between([0, k + 1])).collect();
    system.name = format!("{rays} contacts of a body");
    system
}

fn too_many(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for rays in [1, 40, 70] {
        let system = star(rays);
        t.case(&system.name);
        // With colours for 40 of them, so that a round each is left for 30.
        let mut kept: Vec<u32> = (1..=rays as u32).collect();
        kept[rays.min(40)..].fill(0);
        claim(h, &system, &kept)?;
        let colours = colour(h, &system, 3)?;
        let short = h.read_one::<Control>("control")?.colour_short;
        t.equal("short of colours", &[short], &[u32::from(rays > COLOURS as usize)]);
        let mut got: Vec<u32> = colours.into_iter().filter(|k| *k > 0).collect();
        got.sort_unstable();
        t.equal("colour", &got, &(1..=COLOURS.min(rays as u32)).collect::<Vec<_>>());
    }
    Ok(())
}

/// Contacts of every colour, by index.
fn sizes(colours: &[u32]) -> [u32; 64] {
    let mut sizes = [0; 64];
    colours.iter().filter(|k| **k > 0).for_each(|k| sizes[*k as usize - 1] += 1);
    sizes
}

fn count_colours(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for system in crowded() {
        t.case(&system.name);
        let colours = any_colours(system.contacts.len());
        system.fill(h)?;
        h.fill("contact_body", &coloured(&system, &colours))?;
        h.fill("colour_count", &[1u32; 64])?;
        h.run("count_colours", system.groups())?;
        t.equal("contacts of colour", &h.read::<u32>("colour_count")?, &sizes(&colours).map(|n| n + 1));
    }
    Ok(())
}

/// Where every colour begins.
fn firsts(sizes: &[u32; 64]) -> [u32; 64] {
    let mut firsts = [0; 64];
    (1..64).for_each(|k| firsts[k] = firsts[k - 1] + sizes[k - 1]);
    firsts
}

fn judge_colours(h: &mut Harness, t: &mut Tally) -> Result<()> {
    // Phase, overflow before, rounds done and the last that left some, short, colours recorded.
    for (phase, overflow, done, left, short, room) in [
        (4, 0, 4, 3, 0, 12),
        (4, 0, 4, 0, 0, 30),
        (4, 0, 8, 8, 0, 12),
        (4, 0, 60, 60, 0, 12),
        (4, 0, 4, 4, 1, 12),
        (4, 0, 4, 2, 0, 11),
        (4, 3, 4, 2, 0, 12),
        (2, 0, 4, 2, 0, 12),
        (3, 0, 4, 4, 0, 12),
    ] {
        t.case(format!("phase {phase}, overflow {overflow}, {done} rounds, left {left}, short {short}, room {room}"));
        let mut count = [0u32; 64];
        (0..12).for_each(|k| count[k as usize] = 1000 - 70 * k);
        count[5] = 0;
        let mut words = Control {
            solver: phase,
            overflow,
            contact_count: 777,
            colour_round: 1,
            colour_done: done,
            colour_left: left,
            colour_short: short,
            colour_wanted: 5,
            ..Control::default()
        };
        let params = fill_slots(h)?;
        h.uniform("params", &params)?;
        h.uniform("dynamics", &DynamicsParams { colour_capacity: room, ..DynamicsParams::default() })?;
        h.fill("control", &[words])?;
        h.fill("colour_count", &count)?;
        h.run("judge_colours", 1)?;
        let (idle, all_taken) = (phase != SOLVER_COLOURS || overflow != 0, short == 1 || done == 60);
        let ready = !idle && left < done && !all_taken && room >= 12;
        if !idle {
            words.colour_size[..63].copy_from_slice(&count[..63]);
            words.colour_first[..63].copy_from_slice(&firsts(&count)[..63]);
            words.colour_wanted = if all_taken { 64 } else { 12 };
            words.overflow = if all_taken || (left < done && room < 12) { OVERFLOW_COLOURS } else { 0 };
            words.solver = if ready { SOLVER_ITERATES } else { SOLVER_COLOURS };
            words.colour_round = if left == done { done } else { 1 };
            let next = if ready { firsts(&count) } else { [0; 64] };
            t.equal("next index", &h.read::<u32>("colour_count")?[..63], &next[..63]);
        }
        t.equal("control", &h.read::<Control>("control")?, &[words]);
        let open = h.read::<WorkArgs>("work_args")?;
        let left_alone = vec![UNTOUCHED; open.len()];
        let gates = gate("list") | gate("iterate");
        t.equal("argument", &open, &if ready { arguments(gates, 777, words.colour_size[5])? } else { left_alone });
    }
    Ok(())
}

/// What follows the list.
const KEPT: ColourEntry =
    ColourEntry { contact: 9, i: 9, j: 9, moves: 9, scale: ContactScale { step: [9.0; 2], diagonal: [9.0; 2] } };

/// Fills control words and `colour_list` as `judge_colours` and `list_colours` leave them for these colours and scales.
pub fn list(h: &mut Harness, system: &System, colours: &[u32], scale: &[ContactScale]) -> Result<()> {
    let (sizes, mut words) = (sizes(colours), system.words());
    (words.colour_size, words.colour_first) = (sizes, firsts(&sizes));
    words.colour_wanted = colours.iter().copied().max().unwrap_or(0);
    system.fill(h)?;
    h.fill("contact_scale", scale)?;
    h.fill("control", &[words])?;
    h.fill("contact_body", &coloured(system, colours))?;
    h.fill("colour_count", &firsts(&sizes))?;
    h.fill("colour_list", &vec![KEPT; colours.len() + SPARE])?;
    h.run("list_colours", system.groups())
}

fn list_colours(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for system in crowded() {
        t.case(&system.name);
        let colours: Vec<u32> = any_colours(system.contacts.len()).iter().map(|k| (*k).max(1)).collect();
        let scale = Start::of(&system).scale;
        list(h, &system, &colours, &scale)?;
        let got: Vec<ColourEntry> = h.read("colour_list")?;
        let entry = |c: usize| {
            let [i, j] = system.contacts[c].bodies;
            let moves = u32::from(j < system.bodies);
            ColourEntry { contact: c as u32, i: i as u32, j: j as u32, moves, scale: scale[c] }
        };
        let mut order: Vec<usize> = (0..colours.len()).collect();
        order.sort_by_key(|c| (colours[*c], *c));
        let mut sorted = got[..colours.len()].to_vec();
        let of = |entry: &ColourEntry| colours.get(entry.contact as usize).copied().unwrap_or(0);
        t.hold(if sorted.is_sorted_by_key(of) { Ok(()) } else { Err("the list is not in order of colours".into()) });
        sorted.sort_by_key(|entry| (of(entry), entry.contact));
        t.equal("entry of contact", &sorted, &order.into_iter().map(entry).collect::<Vec<_>>());
        t.equal("behind the list", &got[colours.len()..], &[KEPT; SPARE]);
    }
    Ok(())
}
