//! Colours for numbers: the viridis map, equal steps of which look equal, also in grey and to the colour-blind.

/// Viridis (S. van der Walt and N. Smith, 2015, CC0) at ten even steps, sRGB.
const VIRIDIS: [[u8; 3]; 10] = [
    [68, 1, 84],
    [72, 40, 120],
    [62, 73, 137],
    [49, 104, 142],
    [38, 130, 142],
    [31, 158, 137],
    [53, 183, 121],
    [110, 206, 88],
    [181, 222, 43],
    [253, 231, 37],
];

/// Colour of a value in [0, 1], values outside taken at the ends, sRGB in [0, 1]. NaN is grey.
pub fn viridis(value: f64) -> [f64; 3] {
    if value.is_nan() {
        return [0.5; 3];
    }
    let position = value.clamp(0.0, 1.0) * (VIRIDIS.len() - 1) as f64;
    let first = (position as usize).min(VIRIDIS.len() - 2);
    let part = position - first as f64;
    std::array::from_fn(|c| {
        let [a, b] = [VIRIDIS[first][c], VIRIDIS[first + 1][c]].map(f64::from);
        (a + part * (b - a)) / 255.0
    })
}

/// A colour for a label that means no quantity: neighbouring numbers differ clearly.
pub fn label(number: u32) -> [f64; 3] {
    // Steps of the golden ratio never come near a hue used just before.
    let hue = (f64::from(number) * 0.618_033_988_749_895).fract();
    let wave = |shift: f64| 0.62 + 0.28 * (std::f64::consts::TAU * (hue + shift)).cos();
    [wave(0.0), wave(1.0 / 3.0), wave(2.0 / 3.0)]
}

/// Regolith: the colour of bodies that show no quantity.
pub const PLAIN: [f64; 3] = [0.74, 0.70, 0.65];

/// Bodies that belong to no cluster.
pub const FREE: [f64; 3] = [0.35; 3];

/// The most strained bodies.
pub const STRAINED: [f64; 3] = [0.78, 0.10, 0.06];

/// sRGB to the square root of linear light, packed for the shader.
pub fn tint(srgb: [f64; 3]) -> u32 {
    let bytes = srgb.map(|c| {
        let linear = if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) };
        (linear.sqrt() * 255.0).round().clamp(0.0, 255.0) as u8
    });
    u32::from_le_bytes([bytes[0], bytes[1], bytes[2], 255])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn viridis_grows_lighter_all_the_way() {
        let light = |v: f64| viridis(v).iter().zip([0.2126, 0.7152, 0.0722]).map(|(c, w)| c.powf(2.2) * w).sum::<f64>();
        let steps: Vec<f64> = (0..=100).map(|k| light(f64::from(k) / 100.0)).collect();
        assert!(steps.windows(2).all(|p| p[1] > p[0]), "luminance falls somewhere: {steps:?}");
        assert_eq!(viridis(-1.0), viridis(0.0));
        assert_eq!(viridis(f64::NAN), [0.5; 3]);
    }
}
