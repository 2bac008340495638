//! What is written over and beside a picture: words, bars and strokes, as pixels or as vectors.

use super::brush::line;
use super::pdf::pdf;
use super::text::{Anchor, write};
use crate::base::disk;
use crate::base::error::{Error, Result};
use crate::base::fault::Fault;
use base64::prelude::{BASE64_STANDARD, Engine};
use glam::DVec2;
use image::{ImageFormat, Rgba, RgbaImage};
use std::fmt::Write;
use std::io::Cursor;
use std::path::Path;

/// Height of vector letters over that of the bitmap font's cell, so that both look alike.
pub(super) const VECTOR: f64 = 0.82;

/// A piece of lettering; positions and sizes in pixels from the upper left.
#[derive(Debug, Clone)]
pub enum Item {
    /// words with their vertical middle at a position
    Text {
        /// the words
        text: String,
        /// their position
        at: DVec2,
        /// which end of them is there
        anchor: Anchor,
        /// of the letters
        height: u32,
        /// colour
        ink: Rgba<u8>,
    },
    /// a box from its upper left corner to its lower right one
    Box {
        /// upper left corner
        low: [u32; 2],
        /// lower right corner, outside
        high: [u32; 2],
        /// colour
        ink: Rgba<u8>,
    },
    /// a stroke with round ends; a disc if these are one point
    Stroke {
        /// middles of the round ends
        ends: [DVec2; 2],
        /// of the stroke
        width: f64,
        /// colour
        ink: Rgba<u8>,
    },
}

impl Item {
    /// Words.
    pub fn text(text: impl Into<String>, at: DVec2, anchor: Anchor, height: u32, ink: Rgba<u8>) -> Item {
        Item::Text { text: text.into(), at, anchor, height, ink }
    }

    /// The same farther right and down.
    pub fn moved(self, by: [u32; 2]) -> Item {
        let shift = DVec2::new(f64::from(by[0]), f64::from(by[1]));
        let corner = |c: [u32; 2]| [c[0] + by[0], c[1] + by[1]];
        match self {
            Item::Text { text, at, anchor, height, ink } => Item::Text { text, at: at + shift, anchor, height, ink },
            Item::Box { low, high, ink } => Item::Box { low: corner(low), high: corner(high), ink },
            Item::Stroke { ends, width, ink } => Item::Stroke { ends: ends.map(|p| p + shift), width, ink },
        }
    }

    fn draw(&self, picture: &mut RgbaImage) {
        match self {
            Item::Text { text, at, anchor, height, ink } => {
                write(picture, text, (at.x.round() as i64, at.y.round() as i64), *anchor, *height, *ink);
            }
            Item::Box { low, high, ink } => {
                for y in low[1]..high[1].min(picture.height()) {
                    for x in low[0]..high[0].min(picture.width()) {
                        picture.put_pixel(x, y, *ink);
                    }
                }
            }
            Item::Stroke { ends, width, ink } => line(picture, *ends, *width, *ink),
        }
    }

    fn svg(&self) -> String {
        let colour = |c: &Rgba<u8>| format!("#{:02x}{:02x}{:02x}", c[0], c[1], c[2]);
        match self {
            Item::Text { text, at, anchor, height, ink } => {
                let size = VECTOR * f64::from(*height);
                let anchor = match anchor {
                    Anchor::Left => "start",
                    Anchor::Middle => "middle",
                    Anchor::Right => "end",
                };
                // a third of the size below the middle is where the letters stand
                let (x, y) = (at.x, at.y + 0.35 * size);
                format!(
                    "<text x=\"{x:.2}\" y=\"{y:.2}\" font-size=\"{size:.2}\" text-anchor=\"{anchor}\" fill=\"{}\">{}</text>",
                    colour(ink),
                    escaped(text)
                )
            }
            Item::Box { low, high, ink } => {
                let [width, height] = [high[0] - low[0], high[1] - low[1]];
                format!(
                    "<rect x=\"{}\" y=\"{}\" width=\"{width}\" height=\"{height}\" fill=\"{}\"/>",
                    low[0],
                    low[1],
                    colour(ink)
                )
            }
            Item::Stroke { ends: [a, b], width, ink } if a == b => {
                format!(
                    "<circle cx=\"{:.2}\" cy=\"{:.2}\" r=\"{:.2}\" fill=\"{}\"/>",
                    a.x,
                    a.y,
                    0.5 * width,
                    colour(ink)
                )
            }
            Item::Stroke { ends: [a, b], width, ink } => format!(
                "<line x1=\"{:.2}\" y1=\"{:.2}\" x2=\"{:.2}\" y2=\"{:.2}\" stroke-width=\"{width:.2}\" \
                 stroke-linecap=\"round\" stroke=\"{}\"/>",
                a.x,
                a.y,
                b.x,
                b.y,
                colour(ink)
            ),
        }
    }
}

/// Text inside of an element of XML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Draws all of them on a picture, in order.
pub fn draw(picture: &mut RgbaImage, items: &[Item]) {
    items.iter().for_each(|item| item.draw(picture));
}

/// Kind of a file with a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// pixels
    Png,
    /// pixels with words and scales as vectors, for browsers and editors
    Svg,
    /// the same as a page
    Pdf,
}

impl Format {
    /// Ending of its files.
    pub fn ending(self) -> &'static str {
        match self {
            Format::Png => "png",
            Format::Svg => "svg",
            Format::Pdf => "pdf",
        }
    }
}

/// A picture with lettering that is not drawn yet.
#[derive(Debug, Clone)]
pub struct Lettered {
    /// without words
    pub picture: RgbaImage,
    /// over it
    pub items: Vec<Item>,
}

impl Lettered {
    /// All of it in pixels.
    pub fn raster(mut self) -> RgbaImage {
        draw(&mut self.picture, &self.items);
        self.picture
    }

    /// SVG with the picture inside and the lettering as vectors, which can be edited and scaled.
    pub fn svg(&self) -> Result<String> {
        let mut png = Cursor::new(vec![]);
        self.picture.write_to(&mut png, ImageFormat::Png).map_err(|e| Error::Data(format!("picture: {e}")))?;
        let [width, height] = [self.picture.width(), self.picture.height()];
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\">\n\
             <image width=\"{width}\" height=\"{height}\" href=\"data:image/png;base64,{}\"/>\n",
            BASE64_STANDARD.encode(png.get_ref())
        );
        for item in &self.items {
            let _ = writeln!(text, "{}", item.svg()); // a string takes all
        }
        Ok(text + "</svg>\n")
    }

    /// Writes it as the ending of the file's name says: svg, pdf, or else PNG.
    pub fn save(self, file: &Path) -> Result<()> {
        let bytes = match file.extension().and_then(|kind| kind.to_str()) {
            Some("svg") => self.svg()?.into_bytes(),
            Some("pdf") => pdf(&self)?,
            _ => return self.raster().save(file).map_err(|e| Fault::new(e.to_string()).path(file).data()),
        };
        disk::write_new(file, &bytes, true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLACK: Rgba<u8> = Rgba([0, 0, 0, 255]);

    #[test]
    fn vectors_and_pixels_lie_in_the_same_place() {
        let items = vec![
            Item::Box { low: [10, 20], high: [40, 30], ink: BLACK }.moved([5, 0]),
            Item::Stroke { ends: [DVec2::new(70.0, 50.0); 2], width: 20.0, ink: BLACK },
            Item::text("a < b & c", DVec2::new(5.0, 70.0), Anchor::Left, 16, BLACK),
        ];
        let picture = RgbaImage::from_pixel(100, 80, Rgba([255; 4]));
        let lettered = Lettered { picture, items };
        let svg = lettered.svg().unwrap();
        for piece in [
            "<rect x=\"15\" y=\"20\" width=\"30\" height=\"10\" fill=\"#000000\"/>",
            "<circle cx=\"70.00\" cy=\"50.00\" r=\"10.00\"",
            "a &lt; b &amp; c</text>",
            "data:image/png;base64,iVBOR",
        ] {
            assert!(svg.contains(piece), "lacks {piece}: {svg}");
        }
        let raster = lettered.raster();
        assert_eq!((raster.get_pixel(15, 20), raster.get_pixel(44, 29)), (&BLACK, &BLACK));
        assert_eq!(raster.get_pixel(70, 50), &BLACK);
        assert_eq!(raster.get_pixel(14, 20), &Rgba([255; 4]));
        assert!((5..90).any(|x| raster.get_pixel(x, 70) != &Rgba([255; 4])), "no words");
    }
}
