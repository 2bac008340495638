//! Momentum of the iterations, a part of the last change of an impulse that the next one repeats.

/// Long memory is what makes iterations few, and with much friction also what lets them run in circles: kept to the end, it
/// left one contact problem in thirty of a pile at mu 0.8 unsolved. So it fades, as slowly as those that go well allow.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Momentum {
    /// beta of the first iterations
    pub first: f64,
    /// how many these are
    pub iterations: u32,
}

impl Momentum {
    /// Plain iterations.
    pub const NONE: Momentum = Momentum { first: 0.0, iterations: 0 };
    /// Momentum of Jacobi iterations in a metric W <= D.
    pub const JACOBI: Momentum = Momentum { first: 0.9, iterations: 480 };
    /// Momentum of Gauss-Seidel, colour by colour.
    pub const GAUSS_SEIDEL: Momentum = Momentum { first: 0.85, iterations: 40 };

    /// beta of iteration `k`, counted from zero: falls as 1 / sqrt(k) after the first ones.
    pub fn at(&self, k: usize) -> f64 {
        self.first * (f64::from(self.iterations) / k.max(1) as f64).min(1.0).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stays_then_fades() {
        let momentum = Momentum { first: 0.8, iterations: 16 };
        assert_eq!([0, 16, 64, 256].map(|k| momentum.at(k)), [0.8, 0.8, 0.4, 0.2]);
        assert_eq!([0, 1, 9].map(|k| Momentum::NONE.at(k)), [0.0; 3]);
    }
}
