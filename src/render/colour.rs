//! Colours for numbers and labels. Maps and labels stay apart for readers who do not tell red from green.

use crate::base::error::{Error, Result};

/// Colours at even steps, sRGB. Between them the colour is linear, which is within 11 of 255 of the full tables.
type Anchors = [[u8; 3]; 17];

/// S. van der Walt and N. Smith, 2015, CC0.
const VIRIDIS: Anchors = [
    [68, 1, 84],
    [72, 24, 106],
    [71, 45, 123],
    [66, 64, 134],
    [59, 82, 139],
    [51, 99, 141],
    [44, 114, 142],
    [38, 130, 142],
    [33, 145, 140],
    [31, 160, 136],
    [40, 174, 128],
    [63, 188, 115],
    [94, 201, 98],
    [132, 212, 75],
    [173, 220, 48],
    [216, 226, 25],
    [253, 231, 37],
];

/// J. Nuñez, C. Anderton and R. Renslow, PLOS ONE 13, e0199239 (2018), CC BY: nearly the same for all eyes.
const CIVIDIS: Anchors = [
    [0, 34, 78],
    [0, 46, 106],
    [26, 56, 111],
    [50, 67, 109],
    [67, 78, 108],
    [83, 90, 109],
    [97, 101, 111],
    [111, 112, 115],
    [125, 124, 120],
    [140, 136, 120],
    [155, 148, 118],
    [171, 160, 114],
    [188, 174, 108],
    [205, 187, 99],
    [222, 201, 88],
    [240, 216, 70],
    [254, 232, 56],
];

/// F. Crameri, Scientific colour maps, doi 10.5281/zenodo.1243862, MIT.
const BATLOW: Anchors = [
    [1, 25, 89],
    [13, 49, 93],
    [17, 67, 96],
    [23, 82, 98],
    [34, 96, 97],
    [53, 106, 89],
    [77, 115, 77],
    [103, 123, 62],
    [130, 130, 49],
    [161, 138, 43],
    [192, 144, 54],
    [221, 149, 77],
    [242, 157, 109],
    [252, 169, 147],
    [253, 180, 182],
    [252, 192, 216],
    [250, 204, 250],
];

/// F. Crameri, the same: two arms from a pale middle, for values about zero.
const VIK: Anchors = [
    [0, 18, 97],
    [2, 43, 113],
    [3, 68, 129],
    [12, 94, 146],
    [48, 125, 166],
    [97, 158, 189],
    [148, 190, 210],
    [198, 219, 230],
    [236, 229, 224],
    [233, 202, 184],
    [219, 170, 141],
    [207, 140, 102],
    [194, 112, 65],
    [178, 81, 29],
    [145, 45, 6],
    [115, 20, 6],
    [89, 0, 8],
];

/// A map from numbers to colours. All but `vik` grow lighter all the way, so that they also hold in grey.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ColourMap {
    /// dark purple over green to yellow
    #[default]
    Viridis,
    /// dark blue over grey to yellow
    Cividis,
    /// dark blue over green and ochre to pink
    Batlow,
    /// blue over white to brown
    Vik,
    /// black to white
    Grey,
}

impl ColourMap {
    /// All of them, with their names on the command line.
    pub const NAMES: [(&'static str, ColourMap); 5] = [
        ("viridis", ColourMap::Viridis),
        ("cividis", ColourMap::Cividis),
        ("batlow", ColourMap::Batlow),
        ("vik", ColourMap::Vik),
        ("grey", ColourMap::Grey),
    ];

    /// The map of that name.
    pub fn parse(name: &str) -> Result<ColourMap> {
        let found = ColourMap::NAMES.iter().find(|(n, _)| *n == name).map(|(_, map)| *map);
        let known = || ColourMap::NAMES.map(|(n, _)| n).join(", ");
        found.ok_or_else(|| Error::Usage(format!("--colormap {name}: unknown map; choose one of: {}", known())))
    }

    /// Colour of a value in [0, 1], values outside taken at the ends, sRGB in [0, 1]. NaN is grey.
    pub fn colour(self, value: f64) -> [f64; 3] {
        if value.is_nan() {
            return [0.5; 3];
        }
        let value = value.clamp(0.0, 1.0);
        let anchors = match self {
            ColourMap::Viridis => &VIRIDIS,
            ColourMap::Cividis => &CIVIDIS,
            ColourMap::Batlow => &BATLOW,
            ColourMap::Vik => &VIK,
            ColourMap::Grey => return [value; 3],
        };
        let position = value * (anchors.len() - 1) as f64;
        let first = (position as usize).min(anchors.len() - 2);
        let part = position - first as f64;
        std::array::from_fn(|c| {
            let [a, b] = [anchors[first][c], anchors[first + 1][c]].map(f64::from);
            (a + part * (b - a)) / 255.0
        })
    }
}

/// Bytes of a colour, sRGB.
pub fn bytes(srgb: [f64; 3]) -> [u8; 3] {
    srgb.map(|c| (255.0 * c).round() as u8)
}

/// Colours for labels that mean no quantity, which a deuteranope and a protanope tell apart too (M. Okabe and K. Ito, 2002),
/// sRGB.
const LABELS: [[u8; 3]; 7] =
    [[0, 114, 178], [230, 159, 0], [86, 180, 233], [213, 94, 0], [0, 158, 115], [204, 121, 167], [240, 228, 66]];

/// A colour for a label. From the eighth on they are those of the first seven, darker, then lighter, and again.
pub fn label(number: u32) -> [f64; 3] {
    let (k, round) = (number as usize % LABELS.len(), number as usize / LABELS.len() % 3);
    LABELS[k].map(|c| {
        let c = f64::from(c) / 255.0;
        match round {
            0 => c,
            1 => 0.55 * c,
            _ => 0.5 + 0.5 * c,
        }
    })
}

/// Regolith: the colour of bodies that show no quantity.
pub const PLAIN: [f64; 3] = [0.74, 0.70, 0.65];

/// Bodies that belong to no cluster.
pub const FREE: [f64; 3] = [0.35; 3];

/// The most strained bodies.
pub const STRAINED: [f64; 3] = [0.78, 0.10, 0.06];

/// sRGB to the square root of linear light, packed for the shader.
pub fn tint(srgb: [f64; 3]) -> u32 {
    shaded(srgb, 255)
}

/// The same for a map: light and shade count a quarter, so that its colours are those of its scale.
pub fn map_tint(srgb: [f64; 3]) -> u32 {
    shaded(srgb, 64)
}

fn shaded(srgb: [f64; 3], counts: u8) -> u32 {
    let [r, g, b] = srgb.map(|c| (linear(c).sqrt() * 255.0).round().clamp(0.0, 255.0) as u8);
    u32::from_le_bytes([r, g, b, counts])
}

/// Linear light of a channel of sRGB.
fn linear(c: f64) -> f64 {
    if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
}

#[cfg(test)]
mod tests {
    use super::super::{chains, plots};
    use super::*;
    use glam::{DMat3, DVec3};

    /// CIE L*a*b* of linear light, white D65.
    fn lab(light: DVec3) -> DVec3 {
        let rows = DMat3::from_cols(
            DVec3::new(0.412_456, 0.212_673, 0.019_334),
            DVec3::new(0.357_576, 0.715_152, 0.119_192),
            DVec3::new(0.180_438, 0.072_175, 0.950_304),
        );
        let f = |t: f64| if t > 216.0 / 24389.0 { t.cbrt() } else { (24389.0 / 27.0 * t + 16.0) / 116.0 };
        let xyz = rows * light / DVec3::new(0.950_47, 1.0, 1.088_83);
        let [x, y, z] = xyz.to_array().map(f);
        DVec3::new(116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z))
    }

    /// What a deuteranope and a protanope see (Viénot, Brettel and Mollon 1999), from linear light to linear light.
    fn eyes() -> [DMat3; 3] {
        let eye = |a: f64, b: f64, c: f64| DMat3::from_cols_array(&[a, a, -c, b, b, c, 0.0, 0.0, 1.0]);
        [DMat3::IDENTITY, eye(0.292_75, 0.707_25, 0.022_34), eye(0.112_38, 0.887_62, -0.004_01)]
    }

    fn seen(eye: DMat3, srgb: [f64; 3]) -> DVec3 {
        lab((eye * DVec3::from_array(srgb.map(linear))).clamp(DVec3::ZERO, DVec3::ONE))
    }

    #[test]
    fn maps_grow_lighter_all_the_way_for_all_eyes() {
        for (name, map) in ColourMap::NAMES.into_iter().filter(|(_, map)| *map != ColourMap::Vik) {
            for eye in eyes() {
                let steps: Vec<f64> = (0..=64).map(|k| seen(eye, map.colour(f64::from(k) / 64.0)).x).collect();
                // red and pink of the upper end of batlow are nearly as light as each other to a protanope
                let slack = if map == ColourMap::Batlow { -0.3 } else { 0.0 };
                assert!(steps.windows(2).all(|p| p[1] - p[0] > slack), "{name}: lightness falls: {steps:?}");
                assert!(steps[64] - steps[0] > 60.0, "{name}: {steps:?}");
            }
            assert_eq!(map.colour(-1.0), map.colour(0.0));
            assert_eq!(map.colour(f64::NAN), [0.5; 3]);
        }
        let arm = |part: f64| seen(DMat3::IDENTITY, ColourMap::Vik.colour(part)).x;
        assert!(arm(0.5) > arm(0.25) && arm(0.25) > arm(0.0) && arm(0.5) > arm(0.75) && arm(0.75) > arm(1.0));
    }

    /// Every set of colours of which a picture or plot shows several. Two colours 2.3 apart are just told apart side by side;
    /// spheres in light and shadow need several times that.
    #[test]
    fn colours_of_a_set_differ_for_all_eyes() {
        let of = |bytes: [u8; 3]| bytes.map(|c| f64::from(c) / 255.0);
        let forces = [chains::PUSH, chains::PULL].map(|c| of([c[0], c[1], c[2]]));
        let sets = [
            ("labels", (0..LABELS.len() as u32).map(label).chain([FREE]).collect::<Vec<_>>()),
            ("lines of plots", plots::COLOURS.iter().map(|c| of([c.0, c.1, c.2])).collect()),
            ("forces", forces.to_vec()),
            ("forces of the page", [[204, 64, 13], [0, 114, 178]].map(of).to_vec()),
            ("strain", vec![STRAINED, PLAIN]),
            ("arms of vik", [0.0, 0.25, 0.5, 0.75, 1.0].map(|part| ColourMap::Vik.colour(part)).to_vec()),
        ];
        for ((name, kinds), eye) in sets.iter().flat_map(|set| eyes().map(|eye| (set, eye))) {
            for (k, a) in kinds.iter().enumerate() {
                for b in &kinds[..k] {
                    let apart = seen(eye, *a).distance(seen(eye, *b));
                    assert!(apart > 15.0, "{name}: {a:?} and {b:?} are {apart} apart");
                }
            }
        }
        let all: std::collections::BTreeSet<[u8; 3]> = (0..21).map(|k| bytes(label(k))).collect();
        assert_eq!(all.len(), 21);
    }
}
