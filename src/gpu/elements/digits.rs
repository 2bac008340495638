//! What a radix sort knows of digits.

crate::element! {
    "state/digits";

    /// Numbers of four digits that follow one another.
    struct Digits {
        /// of the first to the fourth
        four: [u32; 4],
    }
}
