//! Work shared out over the cores of this machine.

/// Cores that this process may use.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, |n| n.get())
}

/// `of` each item, in order.
pub fn on_all_cores<T: Sync, U: Send>(items: &[T], of: impl Fn(&T) -> U + Sync) -> Vec<U> {
    let (of, share) = (&of, items.len().div_ceil(cores()).max(64));
    std::thread::scope(|scope| {
        let run = |chunk| scope.spawn(move || Iterator::map(<[T]>::iter(chunk), of).collect::<Vec<U>>());
        let runs: Vec<_> = items.chunks(share).map(run).collect();
        runs.into_iter().flat_map(|r| r.join().unwrap_or_else(|e| std::panic::resume_unwind(e))).collect()
    })
}
