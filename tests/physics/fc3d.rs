//! Reads friction problems in the text format of Siconos: dimension, number of contacts, storage, matrix, q, mu. They are
//! next to the repository (`../shared/data/fc3d`) and no part of it: `common::shapes` says how the tests are run.

use crate::block_matrix::BlockMatrix;
use glam::{DMat3, DVec3};
use std::path::PathBuf;

/// The folder of the problems, next to that of the crate.
fn folder() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/data/fc3d"))
}

/// The problem `name`, or what is wrong with its file.
pub fn read(name: &str) -> Result<BlockMatrix, String> {
    let path = folder().join(name);
    let text = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    problem(&mut Words(text.split_whitespace())).map_err(|e| format!("{}: {e}", path.display()))
}

struct Words<'a>(std::str::SplitWhitespace<'a>);

impl Words<'_> {
    fn next<T: std::str::FromStr>(&mut self, what: &str) -> Result<T, String> {
        let word = self.0.next().ok_or(format!("ends before {what}"))?;
        word.parse().map_err(|_| format!("`{word}` is no {what}"))
    }

    fn list<T: std::str::FromStr>(&mut self, count: usize, what: &str) -> Result<Vec<T>, String> {
        (0..count).map(|_| self.next(what)).collect()
    }
}

fn problem(words: &mut Words) -> Result<BlockMatrix, String> {
    let dimension: usize = words.next("dimension")?;
    let count: usize = words.next("number of contacts")?;
    let storage: usize = words.next("storage")?;
    if dimension != 3 {
        return Err(format!("dimension {dimension}: only 3 is read"));
    }
    let rows = match storage {
        0 => dense(words, count)?,
        1 => sparse(words, count)?,
        _ => return Err(format!("storage {storage}: only 0 (dense) and 1 (sparse blocks) are read")),
    };
    let q: Vec<f64> = words.list(3 * count, "q")?;
    let friction = words.list(count, "mu")?;
    let free = q.chunks_exact(3).map(DVec3::from_slice).collect();
    BlockMatrix::new(rows, free, friction).map_err(|e| e.to_string())
}

type Rows = Vec<Vec<(usize, DMat3)>>;

/// Shape twice, then column by column; blocks of zeros are left out.
fn dense(words: &mut Words, count: usize) -> Result<Rows, String> {
    let n = 3 * count;
    let shape: Vec<usize> = words.list(4, "rows or columns")?;
    if shape.iter().any(|k| *k != n) {
        return Err(format!("a matrix of {shape:?} for {count} contacts"));
    }
    let all: Vec<f64> = words.list(n * n, "matrix entry")?;
    let block = |row: usize, column: usize| {
        let at = |k: usize| DVec3::from_slice(&all[(3 * column + k) * n + 3 * row..]);
        DMat3::from_cols(at(0), at(1), at(2))
    };
    let row = |r: usize| (0..count).map(|c| (c, block(r, c))).filter(|(_, b)| *b != DMat3::ZERO).collect();
    Ok((0..count).map(row).collect())
}

/// Blocks row by row: sizes, row starts (index 1), columns (index 2), then each block with its number, column by
/// column.
fn sparse(words: &mut Words, count: usize) -> Result<Rows, String> {
    let [_, _, blocks, rows, columns] = [0; 5].map(|_| words.next::<usize>("size"));
    let (blocks, rows, columns) = (blocks?, rows?, columns?);
    if (rows, columns) != (count, count) {
        return Err(format!("{rows} x {columns} blocks for {count} contacts"));
    }
    for what in ["rows", "columns"] {
        let ends: Vec<usize> = words.list(count, what)?;
        if !ends.iter().enumerate().all(|(k, end)| *end == 3 * (k + 1)) {
            return Err(format!("block {what} must end at 3, 6, 9, ..."));
        }
    }
    let filled: usize = words.next("length of index 1")?;
    let listed: usize = words.next("length of index 2")?;
    if (filled, listed) != (count + 1, blocks) {
        return Err(format!("index lengths {filled}, {listed} for {count} contacts and {blocks} blocks"));
    }
    let starts: Vec<usize> = words.list(filled, "row start")?;
    let columns: Vec<usize> = words.list(listed, "column")?;
    let mut list = vec![];
    for (k, column) in columns.into_iter().enumerate() {
        if words.next::<usize>("block number")? != k {
            return Err(format!("block {k} is not where it should be"));
        }
        let entries: Vec<f64> = words.list(9, "block entry")?;
        let entries: [f64; 9] = entries.try_into().map_err(|_| "a block has 9 entries")?;
        list.push((column, DMat3::from_cols_array(&entries)));
    }
    let range = |r: usize| list.get(starts[r]..starts[r + 1]).map(<[_]>::to_vec);
    (0..count).map(|r| range(r).ok_or(format!("row {r} has no blocks"))).collect()
}
