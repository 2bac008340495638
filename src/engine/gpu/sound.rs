//! Whether a saved state is one that a run leaves: what steers dispatches and loops of the device is compared with the
//! scenario and with itself, since a file whose checksums fit may come from anywhere.

use super::capacity::Capacity;
use super::prepare::Prepared;
use crate::base::error::{Error, Result};
use crate::geometry::narrow::manifold::POINTS;
use crate::gpu::buffer_table::{Counts, Life, TABLE};
use crate::gpu::constants::COLOURS;
use crate::gpu::elements::body::BodyView;
use crate::gpu::elements::control::Control;
use crate::gpu::elements::wall::WallState;
use crate::gpu::elements::work::PairArgs;

/// Named arrays of a checkpoint, and the lengths that they should have.
pub(super) struct Saved<'a> {
    state: &'a [(String, Vec<u8>)],
    prepared: &'a Prepared,
    capacity: Capacity,
    counts: Counts,
}

/// An array that is not as a run leaves it.
pub(super) fn misfit(name: &str, what: &str) -> Error {
    Error::Data(format!(
        "the checkpoint's `{name}` does not fit this scenario: {what}; take another checkpoint of the run, or run again"
    ))
}

/// The bytes of an array of a checkpoint.
pub(super) fn array<'a>(state: &'a [(String, Vec<u8>)], name: &str) -> Result<&'a [u8]> {
    let found = state.iter().find(|(n, _)| n == name).map(|(_, bytes)| bytes.as_slice());
    found.ok_or_else(|| {
        Error::Data(format!("the checkpoint lacks `{name}`; it was written by another engine or version"))
    })
}

impl<'a> Saved<'a> {
    /// Reads the arrays of a checkpoint, whose buffers have `capacity`.
    pub(super) fn new(state: &'a [(String, Vec<u8>)], prepared: &'a Prepared, capacity: Capacity) -> Saved<'a> {
        let mut counts = prepared.counts.clone();
        counts.set_pair(capacity.pairs.into());
        counts.set_facet_list(capacity.facets.into());
        if capacity.contacts > 0 {
            counts.set_contact(capacity.contacts.into());
        }
        if capacity.crowded > 0 {
            counts.set_crowded();
        }
        counts.set_wide(prepared.wide(capacity.wide_radius).len() as u64, capacity.wide_facets.into());
        Saved { state, prepared, capacity, counts }
    }

    /// Refuses what would not run as a run does. Nothing is allocated for it before.
    pub(super) fn check(&self) -> Result<()> {
        self.sizes()?;
        let control = self.control()?;
        let pairs = control.pair_count;
        if array(self.state, "pair_args")? != bytemuck::bytes_of(&pair_args(pairs)) {
            return Err(misfit("pair_args", &format!("its workgroups are not those over {pairs} pairs")));
        }
        self.pairs(pairs)?;
        self.contacts()?;
        self.surface()?;
        self.wide()?;
        self.constants()
    }

    /// The words of an array.
    fn words(&self, name: &str) -> Result<Vec<u32>> {
        let bytes = array(self.state, name)?;
        Ok(bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect())
    }

    fn sizes(&self) -> Result<()> {
        let candidates = self.counts.of("pair") + self.counts.of("part_wall");
        let rigid = self.prepared.rigid.params.contact_capacity > 0;
        // as `Core::grow` makes room, from more contacts than there can be
        let most = if rigid { 2 * POINTS * candidates + 64 } else { 0 };
        let Capacity { contacts, colours, crowded, wide_radius, .. } = self.capacity;
        if crowded > 1 || wide_radius.is_nan() || wide_radius < 0.0 {
            return Err(misfit("capacity", &format!("neighbours by {crowded}, wide bodies from {wide_radius} L on")));
        }
        if u64::from(contacts) > most || colours > COLOURS || (rigid && contacts == 0) {
            let what = format!("room for {contacts} contacts of {candidates} pairs, {colours} colours");
            return Err(misfit("capacity", &what));
        }
        for spec in TABLE.iter().filter(|s| s.life == Life::State) {
            let (found, wanted) = (4 * self.words(spec.name)?.len() as u64, spec.bytes(&self.counts));
            if found != wanted {
                return Err(misfit(spec.name, &format!("{found} bytes, not {wanted}")));
            }
        }
        Ok(())
    }

    /// The control words, if nothing in them contradicts the capacities.
    fn control(&self) -> Result<Control> {
        let Capacity { pairs, contacts, .. } = self.capacity;
        let found: Control = bytemuck::pod_read_unaligned(array(self.state, "control")?);
        let between = [found.overflow, found.solver, found.crowded, found.wide_found] == [0; 4];
        if !between || found.pair_count > pairs || found.contact_count > contacts {
            return Err(misfit("control", "it counts more than there is room for, or stands within a step"));
        }
        if found.colour_first.iter().chain(&found.colour_size).any(|n| *n > contacts) {
            return Err(misfit("control", "it counts more contacts by colour than there is room for"));
        }
        Ok(found)
    }

    /// Indices that rise, the first `count` words of an array: none is above `most`. The last of them.
    fn rising(&self, name: &str, count: usize, most: u64) -> Result<u32> {
        let mut list = self.words(name)?;
        list.truncate(count);
        let last = list.last().copied().unwrap_or(0);
        if list.windows(2).any(|w| w[0] > w[1]) || u64::from(last) > most {
            return Err(misfit(name, &format!("its indices do not rise to {most} at most")));
        }
        Ok(last)
    }

    /// Indices of the contacts of bodies; those of walls follow and are not counted.
    fn contacts(&self) -> Result<()> {
        let (name, most) = ("body_contact_offset", 2 * u64::from(self.capacity.contacts));
        self.rising(name, self.counts.of("body") as usize + 1, most)?;
        if self.words(name)?.iter().any(|index| u64::from(*index) > most) {
            return Err(misfit(name, &format!("it names an index beyond {most}")));
        }
        Ok(())
    }

    fn pairs(&self, pairs: u32) -> Result<()> {
        let parts = self.counts.of("part") as u32;
        if self.rising("pair_offset", usize::MAX, self.capacity.pairs.into())? != pairs {
            return Err(misfit("pair_offset", &format!("it does not end at {pairs} pairs")));
        }
        let body = self.words("pair_body")?;
        if body[..2 * pairs as usize].iter().any(|b| *b >= parts) {
            return Err(misfit("pair_body", &format!("it names a body beyond {parts}")));
        }
        let incident = self.rising("incident_offset", usize::MAX, 2 * u64::from(self.capacity.pairs))? as usize;
        let named = self.words("incident_pair")?;
        if named[..incident].iter().any(|p| p >> 1 >= pairs) {
            return Err(misfit("incident_pair", &format!("it names a pair beyond {pairs}")));
        }
        Ok(())
    }

    fn surface(&self) -> Result<()> {
        let bodies = self.counts.of_feature("surface", "body") as usize;
        if bodies == 0 {
            return Ok(());
        }
        let facets = self.counts.of("facet") as u32;
        self.rising("surface_offset", usize::MAX, self.capacity.facets.into())?;
        let most = bodies as u64 + 1 + u64::from(self.capacity.facets);
        let end = self.rising("surface_list", bodies + 1, most)? as usize;
        let list = self.words("surface_list")?;
        let named = list.get(bodies + 1..end).unwrap_or_default();
        if named.iter().any(|f| *f >= facets) {
            return Err(misfit("surface_list", &format!("it names a facet beyond {facets}")));
        }
        Ok(())
    }

    /// A wide body and the index of its first facet follow each other; the facets follow the last index.
    fn wide(&self) -> Result<()> {
        let wide = self.prepared.wide(self.capacity.wide_radius);
        if wide.is_empty() {
            return Ok(());
        }
        let (list, head) = (self.words("wide_list")?, 2 * wide.len() + 2);
        let indices: Vec<u32> = list[..head].iter().skip(1).step_by(2).copied().collect();
        let bodies = wide.iter().zip(list.iter().step_by(2)).all(|(own, found)| own == found);
        let end = indices[wide.len()] as usize;
        if !bodies || indices.windows(2).any(|w| w[0] > w[1]) || end > list.len() {
            return Err(misfit("wide_list", "it names other bodies, or its indices do not rise"));
        }
        let facets = self.counts.of("facet") as u32;
        if list.get(head..end).unwrap_or_default().iter().any(|f| *f >= facets) {
            return Err(misfit("wide_list", &format!("it names a facet beyond {facets}")));
        }
        Ok(())
    }

    /// Radii, masses and materials do not change in a run, nor what a wall is.
    fn constants(&self) -> Result<()> {
        let view: Vec<BodyView> = bytemuck::pod_collect_to_vec(array(self.state, "body_view")?);
        // bits, so that no other zero passes for one
        let what = |v: &BodyView| [v.radius.to_bits(), v.inverse_mass.to_bits(), v.material];
        if !view.iter().zip(&self.prepared.view).all(|(found, own)| what(found) == what(own)) {
            return Err(misfit("body_view", "radii, masses or materials are not those of the scenario's bodies"));
        }
        let walls: Vec<WallState> = bytemuck::pod_collect_to_vec(array(self.state, "wall_plane")?);
        let mut of_walls = walls.iter().zip(&self.prepared.walls.planes);
        let what = |w: &WallState| [w.material, w.end, w.is_block, w.turns];
        let same = |(found, own): (&WallState, &WallState)| what(found) == what(own);
        if !of_walls.all(same) {
            return Err(misfit("wall_plane", "materials, ends or kinds of walls are not those of the scenario's"));
        }
        Ok(())
    }
}

/// As `wgsl/neighbours/swap_offsets.wgsl` writes them.
fn pair_args(pairs: u32) -> PairArgs {
    let groups = pairs.div_ceil(64).max(1);
    let x = groups.min(65_535);
    PairArgs { x, y: groups.div_ceil(x), z: 1, pad: 0 }
}
