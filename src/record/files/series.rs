//! The time series: CSV with units in the header, one flushed row at a time, exact round trip of every number.

use crate::base::disk::write_atomic;
use crate::base::error::{Error, Result};
use crate::base::fault::Fault;
use crate::base::input;
use crate::base::sha256::{hexadecimal, sha256};
use sha2::{Digest, Sha256};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// File of the series in a run directory.
pub const FILE: &str = "series.csv";

/// An open series.
pub struct Series {
    path: PathBuf,
    file: File,
    /// of all that was written
    sum: Sha256,
}

/// Columns and rows of a series file.
pub type Rows = (Vec<String>, Vec<Vec<f64>>);

impl Series {
    /// Starts a new file with a header.
    pub fn create(path: &Path, columns: &[String]) -> Result<Series> {
        let file = File::create(path).map_err(|e| Error::io(path, e))?;
        let mut series = Series { path: path.to_owned(), file, sum: Sha256::new() };
        series.write(columns.join(",") + "\n")?;
        Ok(series)
    }

    /// Goes on after the first `count` rows of these columns: later ones are cut off.
    pub fn resume(path: &Path, columns: &[String], count: usize) -> Result<(Series, Vec<Vec<f64>>)> {
        let text = head(path, count)?;
        let (found, rows) = parse(path, &text)?;
        let damaged = |what: String| Fault::new(what).remedy("restore the file, or run again").path(path).data();
        if found != columns {
            return Err(damaged("the header is not that of this scenario's series".into()));
        }
        if rows.len() < count {
            return Err(damaged(format!("has {} rows, but the checkpoint counts {count}", rows.len())));
        }
        write_atomic(path, text.as_bytes())?;
        let file = OpenOptions::new().append(true).open(path).map_err(|e| Error::io(path, e))?;
        Ok((Series { path: path.to_owned(), file, sum: Sha256::new_with_prefix(&text) }, rows))
    }

    /// Appends a row.
    pub fn push(&mut self, row: &[f64]) -> Result<()> {
        self.write(line(row))
    }

    fn write(&mut self, text: String) -> Result<()> {
        self.sum.update(&text);
        let write = self.file.write_all(text.as_bytes()).and_then(|()| self.file.flush());
        write.map_err(|e| Error::io(&self.path, e))
    }

    /// Has all rows on the disk; the sha-256 of header and rows.
    pub fn secure(&mut self) -> Result<String> {
        self.file.sync_all().map_err(|e| Error::io(&self.path, e))?;
        Ok(hexadecimal(&self.sum.clone().finalize()))
    }
}

fn line(row: &[f64]) -> String {
    row.iter().map(|v| number(*v)).collect::<Vec<_>>().join(",") + "\n"
}

/// The shortest text that reads back to the same bits.
pub fn number(v: f64) -> String {
    if v.fract() == 0.0 && v.abs() < 1e15 { format!("{v}") } else { format!("{v:e}") }
}

/// Header and the first `count` rows as they are in the file, or as many as there are. What follows may be damaged, as
/// a power cut leaves it.
fn head(path: &Path, count: usize) -> Result<String> {
    let bytes = input::read(path)?;
    let end = bytes.iter().enumerate().filter(|(_, b)| **b == b'\n').nth(count);
    let end = end.map_or(bytes.len(), |(at, _)| at + 1);
    let damaged = |_| Fault::new("its rows are not text").path(path).data();
    std::str::from_utf8(&bytes[..end]).map(str::to_owned).map_err(damaged)
}

/// The fault of a series whose header and first `count` rows do not have this sha-256.
pub fn fault(path: &Path, count: usize, sum: &str) -> Option<String> {
    let text = match head(path, count) {
        Ok(text) => text,
        Err(e) => return Some(e.to_string()),
    };
    let rows = text.matches('\n').count().saturating_sub(1);
    if rows < count {
        return Some(format!("{}: has {rows} rows, but the checkpoint counts {count}", path.display()));
    }
    let damaged = || format!("{}: the first {count} rows are damaged: their checksum differs", path.display());
    (sha256(text.as_bytes()) != sum).then(damaged)
}

/// Reads a series; a last line without its newline is not counted.
pub fn read(path: &Path) -> Result<Rows> {
    parse(path, &input::read_data_text(path)?)
}

fn parse(path: &Path, text: &str) -> Result<Rows> {
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let mut lines = whole.lines();
    let columns: Vec<String> = lines.next().unwrap_or("").split(',').map(str::to_owned).collect();
    let parse = |(k, l): (usize, &str)| {
        let row: std::result::Result<Vec<f64>, _> = l.split(',').map(str::parse).collect();
        row.ok()
            .filter(|r| r.len() == columns.len())
            .ok_or_else(|| Error::Data(format!("{}:{}: not {} numbers", path.display(), k + 2, columns.len())))
    };
    let rows = lines.enumerate().map(parse).collect::<Result<_>>()?;
    Ok((columns, rows))
}
