//! Text on pictures, from the bitmap font Noto Sans Mono, at any height.

use image::imageops::{FilterType, resize};
use image::{GrayImage, Luma, Rgba, RgbaImage};
use noto_sans_mono_bitmap::{FontWeight, RasterHeight, RasterizedChar, get_raster, get_raster_width};
use std::sync::Once;

const RASTER: RasterHeight = RasterHeight::Size32;
const WEIGHT: FontWeight = FontWeight::Regular;

/// Which point of the text is at the given position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    /// left end
    Left,
    /// middle
    Middle,
    /// right end
    Right,
}

/// Width of a text of this height (pixels).
pub fn width(text: &str, height: u32) -> u32 {
    let cell = get_raster_width(WEIGHT, RASTER) as u32;
    text.chars().count() as u32 * cell * height / RASTER.val() as u32
}

/// Least height of letters that can be read (pixels).
pub const LEAST: u32 = 10;

/// The height at most `height` with which a text is no wider than `most`, if it can be read then.
pub fn fitting(text: &str, most: u32, height: u32) -> u32 {
    let wide = width(text, height);
    if wide > most { (height * most / wide).max(LEAST) } else { height }
}

/// A letter, or a question mark for one that the font lacks, which is said once.
fn raster(letter: char, text: &str) -> Option<RasterizedChar> {
    static SAID: Once = Once::new();
    get_raster(letter, WEIGHT, RASTER).or_else(|| {
        SAID.call_once(|| {
            tracing::warn!(
                "PNG: the font of pictures lacks `{letter}` of \"{text}\", and ? stands for it; `breccia render --format svg` keeps all letters"
            );
        });
        get_raster('?', WEIGHT, RASTER)
    })
}

/// Coverage of every pixel of a text of this height.
fn mask(text: &str, height: u32) -> GrayImage {
    let cell = get_raster_width(WEIGHT, RASTER) as u32;
    let mut mask = GrayImage::new((text.chars().count() as u32 * cell).max(1), RASTER.val() as u32);
    for (index, letter) in text.chars().enumerate() {
        let Some(raster) = raster(letter, text) else { continue };
        for (y, row) in raster.rows().enumerate() {
            for (x, value) in row.iter().enumerate() {
                mask.put_pixel(index as u32 * cell + x as u32, y as u32, Luma([*value]));
            }
        }
    }
    resize(&mask, width(text, height).max(1), height, FilterType::CatmullRom)
}

/// Writes `text` with its vertical middle at `y`. What falls outside the picture is cut off.
pub fn write(picture: &mut RgbaImage, text: &str, at: (i64, i64), anchor: Anchor, height: u32, ink: Rgba<u8>) {
    let mask = mask(text, height);
    let back = match anchor {
        Anchor::Left => 0,
        Anchor::Middle => i64::from(mask.width()) / 2,
        Anchor::Right => i64::from(mask.width()),
    };
    let (left, top) = (at.0 - back, at.1 - i64::from(height) / 2);
    for (x, y, cover) in mask.enumerate_pixels() {
        let (Ok(px), Ok(py)) = (u32::try_from(left + i64::from(x)), u32::try_from(top + i64::from(y))) else {
            continue;
        };
        if let Some(pixel) = picture.get_pixel_mut_checked(px, py) {
            *pixel = mix(*pixel, ink, f64::from(cover[0]) / 255.0);
        }
    }
}

/// `over` on `under` with opacity `cover`; the result is opaque.
pub fn mix(under: Rgba<u8>, over: Rgba<u8>, cover: f64) -> Rgba<u8> {
    let channel = |c: usize| (f64::from(under[c]) * (1.0 - cover) + f64::from(over[c]) * cover).round() as u8;
    Rgba([channel(0), channel(1), channel(2), 255])
}
