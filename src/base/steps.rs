//! Steps of a time.

/// Steps of `dt_s` until a time is reached (s). A time typed as a whole number of steps is that many, whatever the quotient
/// rounds to.
pub fn steps_until(time_s: f64, dt_s: f64) -> u64 {
    (time_s / dt_s * (1.0 - 1e-12)).ceil() as u64
}

#[cfg(test)]
mod tests {
    use super::steps_until;

    #[test]
    fn a_quotient_that_rounds_up_is_no_step_more() {
        let [time_s, dt_s] = [16.1, 0.002];
        assert!(time_s / dt_s > 8050.0);
        assert_eq!([time_s, 16.1001, 0.0].map(|t| steps_until(t, dt_s)), [8050, 8051, 0]);
        assert_eq!(steps_until(1e9 + 0.01, 1.0), 1_000_000_001);
    }
}
