import package::state::body::{BodyView};
import package::state::pair::{Pair, PairMemory};

// What a contact reads of its pair and of the two bodies, and what it keeps from step to step.
var<storage, read> pair_body: array<Pair>;
var<storage, read> body_view: array<BodyView>;
var<storage, read_write> pair_history: array<PairMemory>;

fn pair_of(p: u32) -> Pair {
    return pair_body[p];
}

// But for where the body was when the list was made, and what follows: software devices leave that out.
fn view_of(b: u32) -> BodyView {
    return body_view[b];
}

fn history_of(p: u32) -> PairMemory {
    return pair_history[p];
}

fn keep_history(p: u32, memory: PairMemory) {
    pair_history[p] = memory;
}
