import package::state::body::{BodyView};
import package::state::pair::{Pair, PairMemory};
import package::math::doublet::{low, high, low_f32, high_f32, doublet_f32};

// `contact_rows` two words at a time: software devices take as long for one of 64 bits as for one of 32.
struct ViewRow {
    motion: vec4<u64>, // position and radius, velocity and inverse mass
    spin: vec4<u64>,   // spin and material, where it was
}

struct HistoryRow {
    springs: vec4<u64>,
}

var<storage, read> pair_body: array<u64>;
var<storage, read> body_view: array<ViewRow>;
var<storage, read_write> pair_history: array<HistoryRow>;

fn pair_of(p: u32) -> Pair {
    let pair = pair_body[p];
    return Pair(low(pair), high(pair));
}

fn view_of(b: u32) -> BodyView {
    let m = body_view[b].motion;
    let s = body_view[b].spin.xy;
    var view: BodyView;
    view.position = vec3<u32>(low(m.x), high(m.x), low(m.y));
    view.radius = high_f32(m.y);
    view.velocity = vec3<u32>(low(m.z), high(m.z), low(m.w));
    view.inverse_mass = high_f32(m.w);
    view.spin = vec3<f32>(low_f32(s.x), high_f32(s.x), low_f32(s.y));
    view.material_and_tail = high(s.y);
    return view;
}

fn history_of(p: u32) -> PairMemory {
    let h = pair_history[p].springs;
    let first = vec4<f32>(low_f32(h.x), high_f32(h.x), low_f32(h.y), high_f32(h.y));
    return PairMemory(first, vec3<f32>(low_f32(h.z), high_f32(h.z), low_f32(h.w)), high_f32(h.w));
}

fn keep_history(p: u32, m: PairMemory) {
    pair_history[p].springs = vec4<u64>(
        doublet_f32(m.first.x, m.first.y),
        doublet_f32(m.first.z, m.first.w),
        doublet_f32(m.second.x, m.second.y),
        doublet_f32(m.second.z, m.overlap),
    );
}
