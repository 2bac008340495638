import package::state::facet::{FacetMeeting};
import package::surface::facet::{Facet, facet_feature};

// What a body of this radius meets at a facet.
fn meeting(f: Facet, radius: f32) -> FacetMeeting {
    let m = facet_feature(f, radius);
    return FacetMeeting(m.towards, m.overlap, f.above, -1.0);
}
