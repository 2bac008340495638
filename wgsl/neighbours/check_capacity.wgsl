import package::state::params::{Params};
import package::state::control::{Control, OVERFLOW_PAIRS, OVERFLOW_FACETS, OVERFLOW_CROWDED, OVERFLOW_WIDE_FACETS, OVERFLOW_WIDE};

// Compares what the new list needs with what the buffers hold. Too small: nothing has been touched yet, the rest of
// the rebuild does nothing, the host grows the buffers and the rebuild runs again.
var<uniform> params: Params;
var<storage, read_write> control: Control;
var<storage, read> incident_offset: array<u32>;
var<storage, read> surface_offset: array<u32>;
var<storage, read> wide_offset: array<u32>;

@compute @workgroup_size(1)
fn check_capacity() {
    let incidences = incident_offset[params.part_count];
    let wanted = incidences / 2u + (incidences & 1u);
    control.pair_wanted = wanted;
    let facets = surface_offset[select(0u, params.body_count, params.has_surface > 0u)];
    control.facet_wanted = facets;
    let wide = wide_offset[params.wide_runs];
    control.wide_wanted = wide;
    var short = select(0u, OVERFLOW_FACETS, params.has_surface > 0u && facets > params.surface_capacity);
    short = select(short, OVERFLOW_WIDE_FACETS, (params.wide_count > 0u) & (wide > params.wide_capacity));
    short = select(short, OVERFLOW_WIDE, control.wide_found != 0u);
    short = select(short, OVERFLOW_PAIRS, wanted > params.pair_capacity);
    control.overflow = select(short, OVERFLOW_CROWDED, control.crowded != 0u);
}
