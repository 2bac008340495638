//! Which program this is.

use std::sync::LazyLock;

/// Version, and the commit if `BRECCIA_COMMIT` had it when the program was built: `0.2.0 (5c585e7)`.
pub fn version() -> &'static str {
    static TEXT: LazyLock<String> = LazyLock::new(|| {
        let commit = option_env!("BRECCIA_COMMIT").map_or(String::new(), |commit| format!(" ({commit})"));
        env!("CARGO_PKG_VERSION").to_owned() + &commit
    });
    &TEXT
}
