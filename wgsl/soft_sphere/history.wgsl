import package::state::pair::{PairMemory};

// What a pair of soft spheres keeps when the list of neighbours is made anew.
alias PairHistory = PairMemory;
