import package::state::pair::{SideLoad};
import package::math::doublet::{low_f32, high_f32};

// `side_load` two words at a time.
var<storage, read> pair_result: array<u64>;

// Three words from `word` on.
fn vector_at(word: u32) -> vec3<f32> {
    let a = pair_result[word >> 1u];
    let b = pair_result[(word >> 1u) + 1u];
    let even = vec3<f32>(low_f32(a), high_f32(a), low_f32(b));
    return select(even, vec3<f32>(even.yz, high_f32(b)), (word & 1u) == 1u);
}

// `side`: twice the pair, and one of its second body. 0 of pairs that do not touch.
fn side_load(side: u32) -> SideLoad {
    let second = side & 1u;
    let start = 9u * (side >> 1u);
    let on_i = vector_at(start);
    return SideLoad(select(on_i, -on_i, second == 1u), vector_at(start + 3u + 3u * second));
}
