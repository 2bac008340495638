import package::state::pair::{PairMemory};

// What a pair of soft spheres keeps when the list of neighbours is made anew: what its law remembers, and the overlap of
// the last step, without which the law could not say what its springs hold.
alias PairHistory = PairMemory;
