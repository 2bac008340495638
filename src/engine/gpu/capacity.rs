//! What of a run on a GPU grows and adds up besides its buffers.

/// Energies [M L2/T2] that were taken out of the slots of contacts so far. Slots are f32: left to grow over a long run,
/// they would lose what a step adds. Counts of 32 bits likewise.
#[derive(Debug, Clone, Copy, Default, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(super) struct Drained {
    /// normal, sliding, rolling, twisting
    pub dissipated: [f64; 4],
    pub wall_work: f64,
    /// steps solved and their iterations, of contact dynamics, since the last row
    pub solved: [u64; 2],
}

/// What a run's buffers have room for: it grows with need, and comes back with a checkpoint.
#[derive(Debug, Clone, Copy, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(super) struct Capacity {
    /// in the neighbour list
    pub pairs: u32,
    /// of a step; 0: soft spheres
    pub contacts: u32,
    /// that sweeps are recorded for; 0: Jacobi
    pub colours: u32,
    /// in the lists of facets near bodies
    pub facets: u32,
    /// 1: neighbours are sorted as entries of all bodies
    pub crowded: u32,
    /// smallest radius of a wide body [L]
    pub wide_radius: f32,
    /// in the lists of facets near wide bodies
    pub wide_facets: u32,
}

/// Room that is made for so many: half as much again, so that a run grows rarely.
pub(super) fn roomy(wanted: u32) -> u32 {
    wanted.saturating_add(wanted / 2).saturating_add(64)
}

impl Drained {
    /// Adds what a slot holds.
    pub(super) fn add(&mut self, energy: [f32; 4]) {
        self.dissipated.iter_mut().zip(energy).for_each(|(sum, part)| *sum += f64::from(part));
    }
}
