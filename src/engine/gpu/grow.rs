//! Growth of what is too small for a step: buffers are made anew with their contents, and passes bound again.

use super::capacity::{Capacity, roomy};
use super::core::{Core, create_scratch, plan_named, slots};
use super::prepare::Prepared;
use crate::base::error::{Error, Result};
use crate::gpu::buffer_table::TABLE;
use crate::gpu::constants::{
    COLOURS, OVERFLOW_COLOURS, OVERFLOW_CONTACTS, OVERFLOW_CROWDED, OVERFLOW_FACETS, OVERFLOW_PAIRS, OVERFLOW_WIDE,
    OVERFLOW_WIDE_FACETS, SOLVER_FOUND_AGAIN,
};
use crate::gpu::pipeline::run::Pipeline;
use crate::model::scenario::ContactSolver;

impl Core {
    /// What there is room for.
    pub(super) fn capacity(&self) -> Capacity {
        let Prepared { params, rigid, .. } = &self.prepared;
        Capacity {
            pairs: params.pair_capacity,
            contacts: rigid.params.contact_capacity,
            colours: rigid.params.colour_capacity,
            facets: params.surface_capacity,
            crowded: u32::from(self.prepared.counts.has("crowded")),
            wide_radius: params.wide_radius,
            wide_facets: params.wide_capacity,
        }
    }

    /// More room for pairs, contacts, colours or facets: new buffers with the old contents; the pass that failed runs again.
    pub(super) fn grow(&mut self) -> Result<()> {
        let mut capacity = self.capacity();
        match self.control.overflow {
            OVERFLOW_PAIRS => capacity = self.with_room(self.control.pair_wanted, |c, n| c.pairs = n),
            OVERFLOW_CONTACTS => capacity = self.with_room(self.control.contact_wanted, |c, n| c.contacts = n),
            OVERFLOW_FACETS => capacity = self.with_room(self.control.facet_wanted, |c, n| c.facets = n),
            OVERFLOW_CROWDED => capacity.crowded = 1,
            OVERFLOW_WIDE_FACETS => capacity = self.with_room(self.control.wide_wanted, |c, n| c.wide_facets = n),
            OVERFLOW_WIDE => capacity.wide_radius = f32::from_bits(!self.control.wide_found),
            OVERFLOW_COLOURS => capacity.colours = self.colours_wanted()?,
            other => return Err(Error::Numerical(format!("the device lacks something unknown ({other})"))),
        }
        tracing::info!("room for {capacity:?}");
        self.set_capacity(capacity)?;
        (self.control.overflow, self.control.crowded, self.control.wide_found) = (0, 0, 0);
        self.buffers.write(&self.gpu, "control", &[self.control])
    }

    /// Capacities with room for so many, and for half as many more as far as the device binds such buffers.
    fn with_room(&self, wanted: u32, set: impl Fn(&mut Capacity, u32)) -> Capacity {
        let of = |count: u32| {
            let mut capacity = self.capacity();
            set(&mut capacity, count);
            capacity
        };
        let fits = |capacity: &Capacity| {
            let counts = self.prepared.counts_with(capacity);
            let mut there = TABLE.iter().filter(|spec| self.buffers.contains(spec.name));
            there.all(|spec| self.gpu.room(spec.name, spec.bytes(&counts)).is_ok())
        };
        let more = [roomy(wanted), wanted.saturating_add(wanted / 8), wanted];
        more.map(of).into_iter().find(fits).unwrap_or_else(|| of(wanted))
    }

    /// Remakes every buffer whose length depends on the capacities, keeping contents, and binds again.
    pub(super) fn set_capacity(&mut self, capacity: Capacity) -> Result<()> {
        let old = self.prepared.counts.clone();
        let p = &mut self.prepared;
        p.counts = p.counts_with(&capacity);
        p.params.pair_capacity = capacity.pairs;
        p.params.surface_capacity = capacity.facets;
        let wide = p.set_wide(capacity.wide_radius, capacity.wide_facets);
        if capacity.contacts > 0 {
            p.rigid.params.contact_capacity = capacity.contacts;
            p.rigid.params.candidate_count = p.counts.of("candidate") as u32;
        }
        if let Some(settings) = self.typed.contact_dynamics() {
            p.set_colours(capacity.colours, settings);
        }
        for spec in TABLE.iter().filter(|s| s.bytes(&old) != s.bytes(&self.prepared.counts)) {
            if !self.buffers.contains(spec.name) {
                continue;
            }
            let before = self.buffers.get(spec.name)?.clone();
            self.buffers.create(&self.gpu, spec.name, spec.room(&self.prepared.counts), false)?;
            let after = self.buffers.get(spec.name)?;
            self.gpu.submit(|e| e.copy_buffer_to_buffer(&before, 0, after, 0, before.size().min(after.size())));
        }
        self.buffers.write(&self.gpu, "wide_list", &wide)?;
        let storage = self.gpu.limits.max_storage_buffers_per_shader_stage;
        self.plan = plan_named(self.names.step, &self.prepared, storage, &self.sources)?;
        create_scratch(&self.gpu, &mut self.buffers, &self.plan)?;
        // Longer scans have more passes.
        self.prepared.params.slot_count = self.plan.slots.len() as u32;
        self.buffers.write(&self.gpu, "work_slot", &slots(&self.plan))?;
        self.buffers.write_uniform(&self.gpu, "params", &self.prepared.params)?;
        self.buffers.write_uniform(&self.gpu, "dynamics", &self.prepared.rigid.params)?;
        self.pipeline = Pipeline::build(&self.gpu, &self.plan, &self.buffers, &mut self.compiled)?;
        Ok(())
    }

    /// Colours to record sweeps for, after a step that could not go on. Too many for Gauss-Seidel: the run goes on with
    /// Jacobi, with a message, if the choice was left to it; otherwise it ends.
    fn colours_wanted(&mut self) -> Result<u32> {
        let wanted = self.control.colour_wanted;
        if wanted <= COLOURS {
            return Ok(wanted);
        }
        let what = format!("step {}: a body has more contacts than {} colours", self.step(), COLOURS);
        if self.typed.contact_dynamics().is_some_and(|c| c.solver == ContactSolver::Auto) {
            tracing::warn!("{what}; Jacobi iterations from here on");
            self.control.solver = SOLVER_FOUND_AGAIN;
            return Ok(0);
        }
        let way_out = "contact_dynamics.solver = \"jacobi\" or \"auto\" takes any";
        Err(Error::Numerical(format!("{what}; {way_out}")))
    }
}
