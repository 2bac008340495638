import package::state::pair::{PairMemory, PairResult};

// What a pair of soft spheres keeps when the list of neighbours is made anew: what its law remembers, and the overlap of
// the last step, without which the law could not say what its springs hold.
alias PairHistory = PairMemory;

var<storage, read> pair_result: array<PairResult>;

// The history of pair p as it is put aside: in the place of the flag the overlap, negative, where there is one.
fn history_aside(p: u32, history: PairHistory) -> PairHistory {
    let overlap = abs(pair_result[p].overlap);
    return PairHistory(history.first, history.second, select(history.touching, -overlap, overlap > 0.0));
}

// That overlap.
fn overlap_aside(aside: PairHistory) -> f32 {
    return max(-aside.touching, 0.0);
}

// The history as it was.
fn history_carried(aside: PairHistory) -> PairHistory {
    return PairHistory(aside.first, aside.second, select(aside.touching, 1.0, aside.touching < 0.0));
}
