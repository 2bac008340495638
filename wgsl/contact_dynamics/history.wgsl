import package::state::manifold::{PairImpulses};

// What a pair of contact dynamics keeps when the list of neighbours is made anew: impulses, which need nothing else.
alias PairHistory = PairImpulses;
