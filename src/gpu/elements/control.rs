//! Counters and flags of a run, in one buffer that the host reads between submissions.

crate::element! {
    "state/control";

    /// Counters and flags of a run.
    struct Control {
        /// steps done
        step: u32,
        /// steps wanted
        step_target: u32,
        /// work asked for; 1: a new neighbour list
        request: u32,
        /// 0: the step does not run, 1: it does, 2: it is the first
        phase: u32,
        /// faults of contacts, bits of `gpu::layout::control`
        fault_contact: u32,
        /// faults of bodies
        fault_body: u32,
        /// smallest body concerned
        fault_index: u32,
        /// pairs in the list
        pair_count: u32,
        /// pairs that the last rebuild needed
        pair_wanted: u32,
        /// rebuilds so far
        rebuilds: u32,
        /// step at which gravity is due
        gravity_next: u32,
        /// what the step lacks, `OVERFLOW_` of [`constants`](crate::gpu::constants); 0: nothing
        overflow: u32,
        /// where a step of contact dynamics is, `SOLVER_` of [`constants`](crate::gpu::constants)
        solver: u32,
        /// contacts of the step
        contact_count: u32,
        /// contacts that the step needs room for
        contact_wanted: u32,
        /// always 0: keeps a compiler from pasting a uniform's value into loop bounds
        zero: u32,
        /// iterations of this step so far
        iteration: u32,
        /// bits of the residual last measured
        residual: u32,
        /// steps solved since the host last took these counts, as the following
        solved_steps: u32,
        /// iterations in all
        solved_iterations: u32,
        /// of the worst step
        iterations_worst: u32,
        /// bits of the worst residual
        residual_worst: u32,
        /// steps over their budget
        budget_hits: u32,
        /// rounds of colouring before this recording
        colour_round: u32,
        /// rounds done
        colour_done: u32,
        /// the last round after which a contact had no colour
        colour_left: u32,
        /// 1 if a contact found all colours taken
        colour_short: u32,
        /// the highest colour in use; 64 where 63 were not enough
        colour_wanted: u32,
        /// facets that the last rebuild needed
        facet_wanted: u32,
        /// element of `frame_row` of this step
        frame_row: u32,
        /// element of `frame_reaction` of this step
        reaction_slot: u32,
        /// 1 if a body has more neighbours than one invocation sorts
        crowded: u32,
        /// index in `colour_list` of the first contact of a colour
        colour_first: [u32; 64],
        /// contacts of every colour
        colour_size: [u32; 64],
        /// complement of the bits of the smallest radius that meets too many facets for one invocation
        wide_found: u32,
        /// facets of wide bodies that the last rebuild needed
        wide_wanted: u32,
        /// bodies that the surface of an asteroid may act on until the next list; of polyhedra, pairs within reach in this step
        listed_count: u32,
        /// pairs of polyhedra whose spheres come near in this step
        near_count: u32,
        /// what a step adds to fractions before it drops them (2^-32)
        rounding: u32,
    }
}
