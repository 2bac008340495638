import package::state::facet::{FacetMeeting};
import package::surface::circle::{facet_share};
import package::surface::facet::{Facet, facet_feature};

// What a body of this radius meets at a facet.
fn meeting(f: Facet, radius: f32) -> FacetMeeting {
    let overlap = facet_feature(f, radius).overlap;
    var share = -1.0;
    if (f.above < radius && overlap > 0.0) {
        share = facet_share(f, radius);
    }
    return FacetMeeting(f.normal, overlap, f.above, share);
}
