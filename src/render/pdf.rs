//! A picture with its lettering as a page of PDF: the picture as it is, words and lines as vectors in the font Helvetica.

use super::lettering::{Item, Lettered, VECTOR};
use super::text::Anchor;
use crate::base::error::{Error, Result};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use glam::DVec2;
use image::{Rgba, RgbaImage};
use pdf_writer::types::LineCapStyle;
use pdf_writer::writers::ImageXObject;
use pdf_writer::{Content, Filter, Finish, Name, Pdf, Rect, Ref, Str};
use std::io::Write;

/// Pixels of a picture lie in points of a page, 96 to the inch as in SVG.
const POINT: f64 = 72.0 / 96.0;
/// Widths of the letters from the space to the tilde (thousandths of the size), from the metrics that Adobe publishes.
const ASCII: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
    556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833,
    722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556,
    556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334,
    260, 334, 584,
];
/// Letters beyond these, with their code in the encoding of Windows and their width.
const MORE: [(char, u8, u16); 11] = [
    ('\u{2013}', 0x96, 556),
    ('°', 0xb0, 400),
    ('±', 0xb1, 584),
    ('²', 0xb2, 333),
    ('³', 0xb3, 333),
    ('µ', 0xb5, 556),
    ('μ', 0xb5, 556),
    ('·', 0xb7, 278),
    ('×', 0xd7, 584),
    ('é', 0xe9, 556),
    ('ö', 0xf6, 556),
];

/// Code of a letter and its width; `None` if the font lacks it.
fn letter(c: char) -> Option<(u8, u16)> {
    match c {
        ' '..='~' => Some((c as u8, ASCII[c as usize - 0x20])),
        _ => MORE.iter().find(|(known, ..)| *known == c).map(|(_, code, width)| (*code, *width)),
    }
}

/// Codes of a text and its width in sizes.
fn encoded(text: &str) -> Result<(Vec<u8>, f64)> {
    let letters = text.chars().map(|c| {
        letter(c).ok_or_else(|| {
            Error::Usage(format!(
                "the letter `{c}` in \"{text}\" is not in the fonts of every PDF reader; take --format svg"
            ))
        })
    });
    let letters: Vec<(u8, u16)> = letters.collect::<Result<_>>()?;
    let width: u32 = letters.iter().map(|(_, width)| u32::from(*width)).sum();
    Ok((letters.into_iter().map(|(code, _)| code).collect(), f64::from(width) / 1000.0))
}

/// Bytes in the compression of PDF.
fn deflated(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut packed = ZlibEncoder::new(vec![], Compression::default());
    packed.write_all(bytes).and_then(|()| packed.finish()).map_err(|e| Error::Data(format!("picture: {e}")))
}

fn channel(value: u8) -> f32 {
    f32::from(value) / 255.0
}

/// Draws the lettering; y goes up on a page.
struct Page {
    content: Content,
    height: f64,
}

impl Page {
    fn at(&self, p: DVec2) -> [f32; 2] {
        [(POINT * p.x) as f32, (POINT * (self.height - p.y)) as f32]
    }

    fn fill(&mut self, ink: &Rgba<u8>) {
        self.content.set_fill_rgb(channel(ink[0]), channel(ink[1]), channel(ink[2]));
    }

    fn draw(&mut self, item: &Item) -> Result<()> {
        match item {
            Item::Text { text, at, anchor, height, ink } => self.text(text, *at, *anchor, *height, ink)?,
            Item::Box { low, high, ink } => {
                self.fill(ink);
                let corner = DVec2::new(f64::from(low[0]), f64::from(high[1]));
                let ([x, y], size) = (self.at(corner), [0, 1].map(|k| (POINT * f64::from(high[k] - low[k])) as f32));
                self.content.rect(x, y, size[0], size[1]).fill_nonzero();
            }
            Item::Stroke { ends, width, ink } => {
                let ([ax, ay], [bx, by]) = (self.at(ends[0]), self.at(ends[1]));
                self.content
                    .set_stroke_rgb(channel(ink[0]), channel(ink[1]), channel(ink[2]))
                    .set_line_width((POINT * width) as f32)
                    .set_line_cap(LineCapStyle::RoundCap)
                    .move_to(ax, ay)
                    .line_to(bx, by)
                    .stroke();
            }
        }
        Ok(())
    }

    fn text(&mut self, text: &str, at: DVec2, anchor: Anchor, height: u32, ink: &Rgba<u8>) -> Result<()> {
        let size = VECTOR * f64::from(height);
        let (codes, width) = encoded(text)?;
        let back = match anchor {
            Anchor::Left => 0.0,
            Anchor::Middle => 0.5,
            Anchor::Right => 1.0,
        };
        let [x, y] = self.at(at + size * DVec2::new(-back * width, 0.35));
        self.fill(ink);
        self.content
            .begin_text()
            .set_font(Name(b"F"), (POINT * size) as f32)
            .next_line(x, y)
            .show(Str(&codes))
            .end_text();
        Ok(())
    }
}

/// An image of the picture's size, a byte a channel, deflated.
fn measured<'a, 'b>(object: &'b mut ImageXObject<'a>, picture: &RgbaImage) -> &'b mut ImageXObject<'a> {
    object.width(picture.width() as i32).height(picture.height() as i32).bits_per_component(8);
    object.filter(Filter::FlateDecode);
    object
}

/// The file.
pub(super) fn pdf(lettered: &Lettered) -> Result<Vec<u8>> {
    let [catalog, pages, page, font, image, mask, content] = [1, 2, 3, 4, 5, 6, 7].map(Ref::new);
    let picture = &lettered.picture;
    let [width, height] = [picture.width(), picture.height()];
    let size = [width, height].map(|side| (POINT * f64::from(side)) as f32);
    let mut drawn = Page { content: Content::new(), height: f64::from(height) };
    drawn.content.save_state().transform([size[0], 0.0, 0.0, size[1], 0.0, 0.0]).x_object(Name(b"P")).restore_state();
    lettered.items.iter().try_for_each(|item| drawn.draw(item))?;

    let mut pdf = Pdf::new();
    pdf.catalog(catalog).pages(pages);
    pdf.pages(pages).kids([page]).count(1);
    let mut sheet = pdf.page(page);
    sheet.media_box(Rect::new(0.0, 0.0, size[0], size[1])).parent(pages).contents(content);
    let mut resources = sheet.resources();
    resources.fonts().pair(Name(b"F"), font);
    resources.x_objects().pair(Name(b"P"), image);
    resources.finish();
    sheet.finish();
    pdf.type1_font(font).base_font(Name(b"Helvetica")).encoding_predefined(Name(b"WinAnsiEncoding"));

    let colours: Vec<u8> = picture.pixels().flat_map(|p| [p[0], p[1], p[2]]).collect();
    let cover: Vec<u8> = picture.pixels().map(|p| p[3]).collect();
    let (colours, packed) = (deflated(&colours)?, deflated(&cover)?);
    let see_through = cover.iter().any(|c| *c < 255);
    let mut object = pdf.image_xobject(image, &colours);
    measured(&mut object, picture).color_space().device_rgb();
    if see_through {
        object.s_mask(mask);
    }
    object.finish();
    if see_through {
        let mut object = pdf.image_xobject(mask, &packed);
        measured(&mut object, picture).color_space().device_gray();
    }
    pdf.stream(content, &drawn.content.finish());
    Ok(pdf.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_the_size_of_the_picture_and_its_words_as_text() {
        let ink = Rgba([0, 0, 255, 255]);
        let items = vec![
            Item::text("speed [m/s]", DVec2::new(80.0, 20.0), Anchor::Right, 20, ink),
            Item::Box { low: [10, 20], high: [40, 30], ink },
            Item::Stroke { ends: [DVec2::new(70.0, 50.0); 2], width: 20.0, ink },
        ];
        let picture = RgbaImage::from_pixel(160, 80, Rgba([255, 0, 0, 128]));
        let file = pdf(&Lettered { picture, items }).unwrap();
        let text = String::from_utf8_lossy(&file);
        assert!(file.starts_with(b"%PDF-"));
        for piece in ["/MediaBox [0 0 120 60]", "/Helvetica", "(speed [m/s])", "7.5 37.5 22.5 7.5 re", "/SMask 6 0 R"] {
            assert!(text.contains(piece), "lacks {piece}: {text}");
        }
    }

    #[test]
    fn letters_that_the_font_lacks_are_refused() {
        let items = vec![Item::text("\u{8db3}", DVec2::ZERO, Anchor::Left, 20, Rgba([0; 4]))];
        let error = pdf(&Lettered { picture: RgbaImage::new(8, 8), items }).unwrap_err();
        assert!(error.to_string().contains("--format svg"), "{error}");
    }

    /// Known widths: digits are all alike, and an m is three times an i and a half.
    #[test]
    fn texts_have_the_width_of_their_letters() {
        assert_eq!(encoded("0123456789").unwrap().1, 5.56);
        assert_eq!(encoded("mi~").unwrap(), (b"mi~".to_vec(), 1.639));
        assert_eq!(encoded("1 µm").unwrap().0, [b'1', b' ', 0xb5, b'm']);
    }
}
