//! Work shared out over the cores of this machine.

/// Cores that this process may use.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, |n| n.get())
}

/// `of` each item, in order; a core takes 64 or more, since starting it takes a while.
pub fn on_all_cores<T: Sync, U: Send>(items: &[T], of: impl Fn(&T) -> U + Sync) -> Vec<U> {
    on_all_cores_from(items, 64, of)
}

/// The same of items of which a core takes `least` or more.
pub fn on_all_cores_from<T: Sync, U: Send>(items: &[T], least: usize, of: impl Fn(&T) -> U + Sync) -> Vec<U> {
    let (of, share) = (&of, items.len().div_ceil(cores()).max(least));
    std::thread::scope(|scope| {
        let run = |chunk| scope.spawn(move || Iterator::map(<[T]>::iter(chunk), of).collect::<Vec<U>>());
        let runs: Vec<_> = items.chunks(share).map(run).collect();
        runs.into_iter().flat_map(|r| r.join().unwrap_or_else(|e| std::panic::resume_unwind(e))).collect()
    })
}
