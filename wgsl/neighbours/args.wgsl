import package::state::work::{PairArgs};
import package::math::dispatch::{GROUPS_MAX};

// Arguments of dispatches over so many items, 64 a group: one group at least, which `apply_contacts` opens the step with.
fn args_over(items: u32) -> PairArgs {
    let groups = max((items + 63u) / 64u, 1u);
    let x = min(groups, GROUPS_MAX);
    return PairArgs(x, (groups + x - 1u) / x, 1u);
}
