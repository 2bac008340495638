//! Values that take long to find and that not every reader wants.

use std::ops::Deref;
use std::sync::{Arc, LazyLock};

type Find = Box<dyn FnOnce() -> Vec<f64> + Send>;

/// Values that are found when they are first read, on the thread that reads them; copies share them.
#[derive(Clone)]
pub struct Deferred(Arc<LazyLock<Vec<f64>, Find>>);

impl Deferred {
    /// The values that `find` gives.
    pub fn new(find: impl FnOnce() -> Vec<f64> + Send + 'static) -> Deferred {
        Deferred(Arc::new(LazyLock::new(Box::new(find))))
    }
}

impl Deref for Deferred {
    type Target = [f64];

    fn deref(&self) -> &[f64] {
        &self.0
    }
}

impl Default for Deferred {
    /// No values.
    fn default() -> Deferred {
        Deferred::new(Vec::new)
    }
}

impl std::fmt::Debug for Deferred {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn values_are_found_once_and_when_they_are_read() {
        let calls = Arc::new(AtomicUsize::new(0));
        let counted = calls.clone();
        let values = Deferred::new(move || vec![counted.fetch_add(1, Ordering::SeqCst) as f64, 2.0]);
        let copy = values.clone();
        assert_eq!(calls.load(Ordering::SeqCst), 0);
        assert_eq!((&values[..], &copy[..]), (&[0.0, 2.0][..], &[0.0, 2.0][..]));
        assert_eq!(calls.load(Ordering::SeqCst), 1);
        assert!(Deferred::default().is_empty());
    }
}
