//! GsN: Gauss-Seidel colour by colour. Contacts of a colour share no body that moves, so that they may run at once;
//! momentum and restart as in [`super::jacobi`]. Momentum asks for W_cc <= D_c: with the bare diagonal of blocks that
//! have couplings (boxes, random normals) it ran into cycles at E = 1e-2 where NSGS converged.

use super::jacobi::advance;
use super::solution::{Solution, Stop, iterate};
use super::splitting::own_metric;
use crate::physics::rigid::momentum::Momentum;
use crate::physics::rigid::problem::Problem;
use crate::physics::rigid::{Delassus, Law};
use glam::DVec3;

/// Sweeps over the colours, starting from the impulses `start` (N s). Bodies begin each sweep with the velocities of
/// the trial impulses y; a contact that has run leaves its new p there.
pub fn solve(problem: &Problem, start: &[DVec3], stop: &Stop) -> Solution {
    let diagonals = own_metric(problem);
    let colours = colours(problem);
    let laws: Vec<Law> = (0..problem.count()).map(|c| problem.law(c)).collect();
    let mut trial = start.to_vec();
    iterate(problem, start, stop, |k, impulses| {
        let mut bodies = problem.apply(&trial);
        for &c in colours.iter().flatten() {
            let (u, before) = (problem.velocity(&bodies, c), trial[c]);
            advance(&laws[c], diagonals[c], Momentum::GAUSS_SEIDEL.at(k), u, &mut impulses[c], &mut trial[c]);
            problem.add(&mut bodies, c, impulses[c] - before);
        }
    })
}

/// Contacts by colour (Jones and Plassmann 1993): round by round, a contact whose priority is the highest among its
/// neighbours without a colour takes the first colour that none of its neighbours has.
pub fn colours(problem: &Problem) -> Vec<Vec<usize>> {
    let neighbours = neighbours(problem);
    let priority = |c: usize| {
        let contact = &problem.contacts[c];
        (priority(contact.i as u32, contact.j as u32), c)
    };
    let mut colour: Vec<Option<usize>> = vec![None; neighbours.len()];
    let mut open: Vec<usize> = (0..neighbours.len()).collect();
    while !open.is_empty() {
        let leads = |c: &usize| neighbours[*c].iter().all(|d| colour[*d].is_some() || priority(*d) < priority(*c));
        let (leaders, rest): (Vec<usize>, Vec<usize>) = open.iter().partition(|c| leads(c));
        for &c in &leaders {
            let taken = |k: &usize| neighbours[c].iter().any(|d| colour[*d] == Some(*k));
            colour[c] = (0..).find(|k| !taken(k));
        }
        open = rest;
    }
    let mut groups = vec![];
    for (c, k) in colour.iter().enumerate() {
        let Some(k) = *k else { continue };
        groups.resize_with(groups.len().max(k + 1), Vec::new);
        groups[k].push(c);
    }
    groups
}

/// Other contacts of the bodies of each contact, walls left out: no impulse moves them.
fn neighbours(problem: &Problem) -> Vec<Vec<usize>> {
    let mut of_body = vec![vec![]; problem.bodies.len()];
    for (c, contact) in problem.contacts.iter().enumerate() {
        of_body[contact.i].push(c);
        of_body[contact.j].push(c);
    }
    let moved = |b: usize| if problem.bodies[b].is_fixed() { &[] } else { of_body[b].as_slice() };
    let around =
        |(c, ends): (usize, [usize; 2])| ends.iter().flat_map(|b| moved(*b)).copied().filter(|d| *d != c).collect();
    problem.contacts.iter().map(|c| [c.i, c.j]).enumerate().map(around).collect()
}

/// Hash of a pair of bodies: two rounds of the output function of PCG (O'Neill 2014) in 32 bits.
pub fn priority(i: u32, j: u32) -> u32 {
    let mix = |v: u32| {
        let state = v.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
        let word = ((state >> ((state >> 28) + 4)) ^ state).wrapping_mul(277_803_737);
        (word >> 22) ^ word
    };
    mix(i ^ mix(j))
}
