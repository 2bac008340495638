//! Whether a saved state is one that a run leaves: what steers dispatches and loops of the device is compared with the
//! scenario and with itself, since a file whose checksums fit may come from anywhere.

use super::capacity::Capacity;
use super::prepare::{Prepared, args_over};
use crate::base::error::Result;
use crate::engine::saved::{array, misfit, value, values};
use crate::geometry::narrow::manifold::POINTS;
use crate::gpu::buffer_table::{Counts, Life, TABLE};
use crate::gpu::constants::COLOURS;
use crate::gpu::elements::body::BodyView;
use crate::gpu::elements::control::Control;
use crate::gpu::elements::facet::Listed;
use crate::gpu::elements::wall::WallState;

/// Named arrays of a checkpoint, and the lengths that they should have.
pub(super) struct Saved<'a> {
    state: &'a [(String, Vec<u8>)],
    prepared: &'a Prepared,
    capacity: Capacity,
    counts: Counts,
}

impl<'a> Saved<'a> {
    /// Reads the arrays of a checkpoint, whose buffers have `capacity`.
    pub(super) fn new(state: &'a [(String, Vec<u8>)], prepared: &'a Prepared, capacity: Capacity) -> Saved<'a> {
        Saved { state, prepared, capacity, counts: prepared.counts_with(&capacity) }
    }

    /// Refuses what would not run as a run does. Nothing is allocated for it before.
    pub(super) fn check(&self) -> Result<()> {
        self.sizes()?;
        let control = self.control()?;
        let pairs = control.pair_count;
        self.args("pair_args", pairs, "pairs")?;
        self.pairs(pairs)?;
        self.contacts()?;
        self.surface(control.listed_count)?;
        self.wide()?;
        self.constants()
    }

    /// The words of an array.
    fn words(&self, name: &str) -> Result<Vec<u32>> {
        values(self.state, name, None)
    }

    fn sizes(&self) -> Result<()> {
        let candidates = self.counts.of("pair") + self.counts.of("part_wall");
        let rigid = self.prepared.rigid.params.contact_capacity > 0;
        // as `roomy` makes room, from more contacts than there can be
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
            let (found, wanted) = (array(self.state, spec.name)?.len() as u64, spec.bytes(&self.counts));
            if found != wanted {
                return Err(misfit(spec.name, &format!("{found} bytes, not {wanted}")));
            }
        }
        Ok(())
    }

    /// The control words, if nothing in them contradicts the capacities.
    fn control(&self) -> Result<Control> {
        let Capacity { pairs, contacts, .. } = self.capacity;
        let found: Control = value(self.state, "control")?;
        let between = [found.overflow, found.solver, found.crowded, found.wide_found] == [0; 4];
        let sound = [found.fault_body, found.fault_contact] == [0; 2];
        if !between || !sound || found.pair_count > pairs || found.contact_count > contacts {
            return Err(misfit(
                "control",
                "it counts more than there is room for, stands within a step, or has failed",
            ));
        }
        if found.colour_first.iter().chain(&found.colour_size).any(|n| *n > contacts) {
            return Err(misfit("control", "it counts more contacts by colour than there is room for"));
        }
        Ok(found)
    }

    /// Arguments of dispatches over so many items.
    fn args(&self, name: &str, items: u32, what: &str) -> Result<()> {
        match array(self.state, name)? == bytemuck::bytes_of(&args_over(items)) {
            true => Ok(()),
            false => Err(misfit(name, &format!("its workgroups are not those over {items} {what}"))),
        }
    }

    /// Entries of a list of facets near bodies.
    fn listed(&self, name: &str) -> Result<Vec<Listed>> {
        values(self.state, name, None)
    }

    /// Refuses rows whose facets do not follow each other from the entry behind the `head` rows that there is room for, or
    /// are not those of a row's body.
    fn facets_of(&self, name: &str, list: &[Listed], rows: usize, head: usize) -> Result<()> {
        let (bodies, facets) = (self.counts.of("body") as u32, self.counts.of("facet") as u32);
        let begin = list.first().is_none_or(|row| rows == 0 || row.at as usize == head);
        if !begin || list[..=rows].windows(2).any(|w| w[0].at > w[1].at) || list[rows].at as usize > list.len() {
            return Err(misfit(name, "its indices do not rise within it"));
        }
        for row in list[..=rows].windows(2) {
            let mut near = list[row[0].at as usize..row[1].at as usize].iter();
            if row[0].body >= bodies || near.any(|n| n.body != row[0].body || n.at >= facets) {
                return Err(misfit(
                    name,
                    &format!("it names another body than {}, or a facet beyond {facets}", row[0].body),
                ));
            }
        }
        Ok(())
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

    /// Bodies at the ground, in their order, and the facets near them.
    fn surface(&self, ground: u32) -> Result<()> {
        let bodies = self.counts.of_feature("surface", "body") as usize;
        if bodies == 0 {
            return Ok(());
        }
        self.rising("surface_offset", usize::MAX, self.capacity.facets.into())?;
        let (list, rows) = (self.listed("surface_list")?, ground as usize);
        if rows > bodies {
            return Err(misfit("control", &format!("it counts {ground} bodies at the ground, of {bodies}")));
        }
        if list[..rows].windows(2).any(|w| w[0].body >= w[1].body) {
            return Err(misfit("surface_list", "its rows are not in the order of the bodies"));
        }
        self.facets_of("surface_list", &list, rows, bodies + 1)?;
        self.args("ground_args", ground, "bodies at the ground")?;
        self.args("facet_args", list[rows].at.saturating_sub(bodies as u32 + 1), "facets")
    }

    /// Every wide body has a row.
    fn wide(&self) -> Result<()> {
        let wide = self.prepared.wide(self.capacity.wide_radius);
        if wide.is_empty() {
            return Ok(());
        }
        let list = self.listed("wide_list")?;
        if !wide.iter().zip(&list).all(|(own, row)| *own == row.body) {
            return Err(misfit("wide_list", "it names other bodies"));
        }
        self.facets_of("wide_list", &list, wide.len(), wide.len() + 1)
    }

    /// Radii, masses and materials do not change in a run, nor what a wall is.
    fn constants(&self) -> Result<()> {
        // `pod_collect_to_vec` takes an empty array too, which is shorter than one element.
        let view: Vec<BodyView> = bytemuck::pod_collect_to_vec(array(self.state, "body_view")?);
        // bits, so that no other zero passes for one
        let what = |v: &BodyView| [v.radius.to_bits(), v.inverse_mass.to_bits(), v.material_and_tail & 0xff];
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
