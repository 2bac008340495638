//! A sheet of panels: squares side by side and below each other, with a caption above each and one colour scale.

use super::colour_scale::ColourScale;
use super::figure::{Background, colour_bar, length_bar, panel_width};
use super::lettering;
use super::text::{Anchor, LEAST, fitting, mix, width, write};
use image::imageops::replace;
use image::{Rgba, RgbaImage};

/// One panel.
pub struct Panel {
    /// above it, in parts between which a line may end
    pub caption: Vec<String>,
    /// as wide as high, and as large as all others
    pub square: RgbaImage,
    /// width of the field that it shows in perspective (m), if it has a bar of length
    pub width_m: Option<f64>,
}

/// All panels.
pub struct Sheet {
    /// above them; may be empty
    pub title: String,
    /// panels next to each other
    pub columns: usize,
    /// across, then down
    pub panels: Vec<Panel>,
    /// of the colours of all panels
    pub scale: Option<ColourScale>,
}

/// Height of the letters over the side of a panel.
const LETTERS: f64 = 0.06;
/// Colour bars are no higher than this (sides of a panel).
const BAR: f64 = 1.5;

impl Sheet {
    /// The whole sheet, on white.
    pub fn draw(&self) -> RgbaImage {
        let side = self.panels.first().map_or(0, |p| p.square.width());
        let letters = ((LETTERS * f64::from(side)) as u32).max(LEAST);
        let (ground, ink) = (Background::White.ground(), Background::White.ink());
        let captions: Vec<&[String]> = self.panels.iter().map(|p| &p.caption[..]).collect();
        let captions = in_lines(&captions, side, letters);
        let [gap, rise] = [letters / 2, letters * 5 / 4];
        let head = rise * captions.iter().map(Vec::len).max().unwrap_or(0) as u32 + letters / 4;
        let top = if self.title.is_empty() { gap } else { gap + letters * 2 };
        let (across, down) = (self.columns as u32, self.panels.len().div_ceil(self.columns.max(1)) as u32);
        let bar = self.scale.as_ref().map(|scale| self::bar(scale, down * (head + side), side, letters));
        let right = gap + across * (side + gap);
        let whole = [right + bar.as_ref().map_or(0, RgbaImage::width), top + down * (head + side + gap)];
        let mut sheet = RgbaImage::from_pixel(whole[0], whole[1], ground);
        fitted(&mut sheet, &self.title, [gap, gap + letters * 3 / 4], right - 2 * gap, letters * 5 / 4);
        for (k, (panel, caption)) in self.panels.iter().zip(&captions).enumerate() {
            let (column, row) = (k as u32 % across, k as u32 / across);
            let [x, y] = [gap + column * (side + gap), top + row * (head + side + gap)];
            for (n, text) in caption.iter().enumerate() {
                fitted(&mut sheet, text, [x, y + rise * n as u32 + letters / 2], side, letters);
            }
            let mut square = panel.square.clone();
            if let Some(width_m) = panel.width_m {
                lettering::draw(&mut square, &length_bar(width_m, false, side, letters, ink));
            }
            frame(&mut square, mix(ground, ink, 0.25));
            replace(&mut sheet, &square, i64::from(x), i64::from(y + head));
        }
        if let Some(bar) = &bar {
            replace(&mut sheet, bar, i64::from(right), i64::from(top + head));
        }
        sheet
    }
}

/// Captions in lines that end behind the same parts in all panels, no wider than `most` as far as a part alone is not.
fn in_lines(captions: &[&[String]], most: u32, letters: u32) -> Vec<Vec<String>> {
    let mut lines: Vec<Vec<String>> = vec![vec![]; captions.len()];
    for k in 0..captions.iter().map(|c| c.len()).max().unwrap_or(0) {
        let part = |n: usize| captions[n].get(k).cloned().unwrap_or_default();
        let joined =
            |last: &String, part: String| if part.is_empty() { last.clone() } else { format!("{last}, {part}") };
        let longer = |n: usize| lines[n].last().map(|last| joined(last, part(n)));
        let longer: Option<Vec<String>> = (0..captions.len()).map(longer).collect();
        match longer.filter(|texts| texts.iter().all(|text| width(text, letters) <= most)) {
            Some(texts) => lines.iter_mut().zip(texts).for_each(|(of, text)| {
                of.pop();
                of.push(text);
            }),
            None => (0..captions.len()).for_each(|n| lines[n].push(part(n))),
        }
    }
    lines
}

/// Writes a text with its left end and its middle height at a position, smaller if it would be wider than `most`.
fn fitted(sheet: &mut RgbaImage, text: &str, at: [u32; 2], most: u32, letters: u32) {
    let letters = fitting(text, most, letters);
    write(sheet, text, (i64::from(at[0]), i64::from(at[1])), Anchor::Left, letters, Background::White.ink());
}

/// The colour bar by itself.
fn bar(scale: &ColourScale, height: u32, side: u32, letters: u32) -> RgbaImage {
    let height = height.min((BAR * f64::from(side)) as u32);
    let left = letters / 2;
    let mut bar = RgbaImage::from_pixel(left + panel_width(scale, letters), height, Background::White.ground());
    lettering::draw(&mut bar, &colour_bar(scale, left, height, letters, Background::White.ink()));
    bar
}

/// A thin line around a square.
fn frame(square: &mut RgbaImage, ink: Rgba<u8>) {
    let last = square.width() - 1;
    for k in 0..=last {
        [(k, 0), (k, last), (0, k), (last, k)].into_iter().for_each(|(x, y)| square.put_pixel(x, y, ink));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RED: Rgba<u8> = Rgba([200, 0, 0, 255]);

    fn sheet(panels: usize, columns: usize, caption: &[&str]) -> Sheet {
        let panel = || Panel {
            caption: caption.iter().map(|part| (*part).to_owned()).collect(),
            square: RgbaImage::from_pixel(200, 200, RED),
            width_m: None,
        };
        Sheet { title: String::new(), columns, panels: (0..panels).map(|_| panel()).collect(), scale: None }
    }

    #[test]
    fn panels_lie_side_by_side_without_overlap() {
        let drawn = sheet(6, 3, &["1 min"]).draw();
        let red = drawn.pixels().filter(|p| **p == RED).count();
        // each without its thin frame
        assert_eq!(red, 6 * 198 * 198);
        assert!(drawn.width() > 600 && drawn.width() < 650 && drawn.height() > 400 && drawn.height() < 480);
    }

    #[test]
    fn captions_break_between_parts_and_have_room() {
        let parts = |label: &str| [label, "410 min", "from +z"].map(str::to_owned);
        let (wide, thin) = (parts("1000 N"), parts("1 N"));
        let broken = |most: u32| in_lines(&[&wide, &thin], most, 12);
        assert_eq!(broken(1000), [["1000 N, 410 min, from +z"], ["1 N, 410 min, from +z"]]);
        assert_eq!(broken(120), [["1000 N, 410 min", "from +z"], ["1 N, 410 min", "from +z"]]);
        assert_eq!(broken(10), [wide.clone(), thin.clone()]);
        assert_eq!(in_lines(&[], 10, 12), [[""; 0]; 0]);
        let [one, three] = [sheet(1, 1, &["1 min"]), sheet(1, 1, &["a caption", "of parts that", "need three lines"])];
        assert!(three.draw().height() > one.draw().height());
    }
}
