//! What colours without a scale mean: clusters, materials, the most strained bodies.

use super::colour;
use super::lettering::Item;
use super::scene::{Frame, HAZE, Quantity};
use super::text::{Anchor, width};
use crate::analysis::strain::TOP_PERCENT;
use glam::DVec2;
use image::Rgba;
use std::collections::BTreeMap;

/// Most rows: more clusters are one row.
const ROWS_MAX: usize = 9;

/// A colour and its meaning.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// sRGB
    pub colour: [f64; 3],
    /// size of the disc over that of the others
    pub size: f64,
    /// meaning
    pub text: String,
}

impl Entry {
    fn new(colour: [f64; 3], text: String) -> Entry {
        Entry { colour, size: 1.0, text }
    }
}

/// The rows of a frame's legend; none of a quantity with a scale, and of ids. `materials`: their names, in order.
pub fn entries(frame: &Frame, quantity: &Quantity, materials: &[String]) -> Vec<Entry> {
    match quantity {
        Quantity::Cluster => clusters(frame, "rank"),
        Quantity::Track => clusters(frame, "track"),
        Quantity::Material => {
            let name = |(k, name): (usize, &String)| Entry::new(colour::label(k as u32), name.clone());
            materials.iter().enumerate().map(name).collect()
        }
        Quantity::Strain => vec![
            Entry::new(colour::STRAINED, format!("most strained {TOP_PERCENT} %")),
            Entry { size: HAZE, ..Entry::new(colour::PLAIN, others()) },
        ],
        _ => vec![],
    }
}

fn others() -> String {
    format!("others, at {HAZE} of size")
}

/// Clusters by their number with their shares of mass, in the order of the numbers, and what is free.
fn clusters(frame: &Frame, word: &str) -> Vec<Entry> {
    let total = frame.bodies.total_mass_kg();
    let mut shares: BTreeMap<i64, f64> = BTreeMap::new();
    for (label, mass) in frame.values.iter().zip(&frame.bodies.mass_kg) {
        *shares.entry((*label as i64).max(-1)).or_default() += 100.0 * mass / total;
    }
    let free = shares.remove(&-1);
    let (shown, more) = if shares.len() > ROWS_MAX { (ROWS_MAX - 1, true) } else { (shares.len(), false) };
    let row = |(label, share): (&i64, &f64)| {
        Entry::new(colour::label(*label as u32), format!("{word} {label}: {share:.1} %"))
    };
    let mut rows: Vec<Entry> = shares.iter().take(shown).map(row).collect();
    if more {
        rows.push(Entry::new(
            [1.0; 3],
            format!("{} more: {:.1} %", shares.len() - shown, shares.values().skip(shown).sum::<f64>()),
        ));
    }
    rows.extend(free.map(|share| Entry::new(colour::FREE, format!("free: {share:.1} %"))));
    rows
}

/// Columns beside a picture for the legend of any frame of a run, 0 if there is none.
pub fn panel_width(quantity: &Quantity, materials: &[String], letters: u32) -> u32 {
    let longest = match quantity {
        Quantity::Cluster => width("rank 000: 100.0 %", letters),
        Quantity::Track => width("track 0000: 100.0 %", letters),
        Quantity::Strain => width(&others(), letters),
        Quantity::Material => materials.iter().map(|name| width(name, letters)).max().unwrap_or(0),
        _ => return 0,
    };
    (longest + letters * 3).next_multiple_of(2)
}

/// The legend at the columns from `left` on, from a fifth of the height down. Rows that do not fit are counted in the last one.
pub fn items(entries: &[Entry], left: u32, height: u32, letters: u32, ink: Rgba<u8>) -> Vec<Item> {
    let (size, top, spacing) = (f64::from(letters), f64::from(height) / 5.0, 1.7 * f64::from(letters));
    let fit = ((f64::from(height) - top) / spacing).max(1.0) as usize;
    let mut entries = entries.to_vec();
    if entries.len() > fit {
        let more = entries.len() - (fit - 1);
        entries.truncate(fit - 1);
        entries.push(Entry::new([1.0; 3], format!("{more} more")));
    }
    let row = |(k, entry): (usize, &Entry)| {
        let y = top + spacing * k as f64;
        let [r, g, b] = colour::bytes(entry.colour);
        let at = DVec2::new(f64::from(left) + 0.7 * size, y);
        let disc = Item::Stroke { ends: [at; 2], width: 1.1 * size * entry.size, ink: Rgba([r, g, b, 255]) };
        [disc, Item::text(&entry.text, at + DVec2::new(size, 0.0), Anchor::Left, letters, ink)]
    };
    entries.iter().enumerate().flat_map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::body::Bodies;

    #[test]
    fn clusters_are_told_with_their_share_of_mass() {
        let mass_kg = vec![6.0, 1.0, 2.0, 1.0];
        let bodies = Bodies { mass_kg, ..Bodies::default() };
        let values = vec![0.0, 0.0, 1.0, -1.0];
        let frame = Frame { bodies, time_s: 0.0, values, wall_travel_m: vec![], pose: None, inertial: false };
        let told = |rows: Vec<Entry>| rows.into_iter().map(|r| r.text).collect::<Vec<_>>();
        assert_eq!(
            told(entries(&frame, &Quantity::Cluster, &[])),
            ["rank 0: 70.0 %", "rank 1: 20.0 %", "free: 10.0 %"]
        );
        let bodies = Bodies { mass_kg: vec![1.0; 20], ..Bodies::default() };
        let values = (0..20).map(f64::from).collect();
        let many = entries(&Frame { bodies, values, ..frame }, &Quantity::Track, &[]);
        assert_eq!((many.len(), many[8].text.as_str()), (9, "12 more: 60.0 %"));
    }

    #[test]
    fn rows_that_do_not_fit_are_counted() {
        let told = |count: u32, height: u32| {
            let rows: Vec<Entry> = (0..count).map(|k| Entry::new(colour::label(k), format!("m{k}"))).collect();
            let texts = items(&rows, 0, height, 10, Rgba([0; 4])).into_iter().filter_map(|item| match item {
                Item::Text { text, at, .. } => Some((text, at.y)),
                _ => None,
            });
            texts.collect::<Vec<_>>()
        };
        // 80 % of 200 hold nine rows of 17
        assert_eq!(told(9, 200).last().unwrap().0, "m8");
        let many = told(30, 200);
        assert_eq!((many.len(), many[8].0.as_str()), (9, "22 more"));
        assert!(many.iter().all(|(_, y)| *y < 200.0));
    }
}
