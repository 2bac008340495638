import package::state::pair::{PairResult, SideLoad};

var<storage, read> pair_result: array<PairResult>;

fn vector(words: array<f32, 3>) -> vec3<f32> {
    return vec3<f32>(words[0], words[1], words[2]);
}

// `side`: twice the pair, and one of its second body. 0 of pairs that do not touch.
fn side_load(side: u32) -> SideLoad {
    let pair = side >> 1u;
    let second = side & 1u;
    let on_i = vector(pair_result[pair].force);
    return SideLoad(select(on_i, -on_i, second == 1u), vector(pair_result[pair].torque[second]));
}
