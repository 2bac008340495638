//! Spheres that fill a container at random: [`order`] says what is wanted, [`pile`] draws the spheres, [`relax`] moves them
//! until none overlaps, [`wall`] is a surface that they keep away from.

pub(super) mod boulders;
pub(super) mod order;
pub(super) mod pile;
mod relax;
mod wall;
