//! Versions of Mesa's software Vulkan, lavapipe.

/// The first version known not to take three times as long as it could (docs/method/performance.md).
const FAST: u32 = 23;

/// What to do about lavapipe of an old Mesa. `driver` is the driver's name and version, such as `llvmpipe Mesa 22.3.6 (LLVM
/// 15.0.6)`. `None` for newer ones and for other drivers.
pub fn advice(driver: &str) -> Option<String> {
    let version = driver.strip_prefix("llvmpipe Mesa ")?.split_whitespace().next()?;
    let major: u32 = version.split('.').next()?.parse().ok()?;
    (major < FAST).then(|| {
        format!(
            "Mesa {version} takes about three times as long as Mesa 25: see \"Software Vulkan\" in docs/user/install.md"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::advice;

    #[test]
    fn old_ones_are_told() {
        let text = advice("llvmpipe Mesa 22.3.6 (LLVM 15.0.6)").expect("advice");
        assert!(text.starts_with("Mesa 22.3.6 takes"), "{text}");
        for driver in
            ["llvmpipe Mesa 25.0.7-2~bpo12+1 (LLVM 15.0.6)", "llvmpipe", "radv Mesa 22.3.6", "llvmpipe Mesa git", ""]
        {
            assert_eq!(advice(driver), None, "{driver}");
        }
    }
}
