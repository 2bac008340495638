//! Symbols and error bars of plots.

use super::plots::{Area, FINE, Failure};
use plotters::prelude::*;

/// A symbol.
#[derive(Debug, Clone, Copy)]
pub struct Mark {
    /// circle, square, triangle, diamond, triangle on its tip, and again
    pub symbol: usize,
    /// of its inside
    pub colour: RGBColor,
}

/// Half the size of a symbol (pixels).
const SIZE: i32 = 5;

/// Draws a symbol at a position in fine pixels.
pub fn mark(root: &Area, (x, y): (i32, i32), m: Mark) -> Result<(), Failure> {
    let s = SIZE * FINE;
    let corners: &[(i32, i32)] = match m.symbol % 5 {
        0 => {
            root.draw(&Circle::new((x, y), s, m.colour.filled()))?;
            return Ok(());
        }
        1 => &[(-s, -s), (s, -s), (s, s), (-s, s)],
        2 => &[(-s, s), (s, s), (0, -s)],
        3 => &[(-s, 0), (0, -s), (s, 0), (0, s)],
        _ => &[(-s, -s), (s, -s), (0, s)],
    };
    let moved: Vec<(i32, i32)> = corners.iter().map(|c| (x + c.0, y + c.1)).collect();
    root.draw(&Polygon::new(moved, m.colour.filled()))?;
    Ok(())
}

/// Draws an error bar between two positions in fine pixels.
pub fn whisker(root: &Area, [low, high]: [(i32, i32); 2], colour: RGBColor) -> Result<(), Failure> {
    let style = colour.stroke_width(3 * FINE as u32 / 2);
    root.draw(&PathElement::new([low, high], style))?;
    for (x, y) in [low, high] {
        root.draw(&PathElement::new([(x - 4 * FINE, y), (x + 4 * FINE, y)], style))?;
    }
    Ok(())
}
