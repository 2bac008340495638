import package::state::manifold::{PairImpulses};

// What a pair of contact dynamics keeps when the list of neighbours is made anew: impulses, which need nothing else.
alias PairHistory = PairImpulses;

fn history_aside(p: u32, history: PairHistory) -> PairHistory {
    return history;
}

fn overlap_aside(aside: PairHistory) -> f32 {
    return 0.0;
}

fn history_carried(aside: PairHistory) -> PairHistory {
    return aside;
}
