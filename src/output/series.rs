//! The time series: CSV with units in the header, one flushed row at a time, exact round trip of every number.

use crate::error::{Error, Result};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// An open series.
pub struct Series {
    path: PathBuf,
    file: File,
}

/// Columns and rows of a series file.
pub type Rows = (Vec<String>, Vec<Vec<f64>>);

impl Series {
    /// Starts a new file with a header.
    pub fn create(path: &Path, columns: &[String]) -> Result<Series> {
        let mut file = File::create(path).map_err(|e| Error::io(path, e))?;
        writeln!(file, "{}", columns.join(",")).map_err(|e| Error::io(path, e))?;
        Ok(Series { path: path.to_owned(), file })
    }

    /// Goes on after the first `count` rows of these columns: later ones are cut off.
    pub fn resume(path: &Path, columns: &[String], count: usize) -> Result<(Series, Vec<Vec<f64>>)> {
        let (found, mut rows) = read(path)?;
        let damaged = |what: String| Error::Data(format!("{}: {what}; restore the file, or run again", path.display()));
        if found != columns {
            return Err(damaged("the header is not that of this scenario's series".into()));
        }
        if rows.len() < count {
            return Err(damaged(format!("{} rows, the checkpoint was taken after {count}", rows.len())));
        }
        rows.truncate(count);
        let mut text = columns.join(",") + "\n";
        rows.iter().for_each(|r| text += &line(r));
        super::write_atomic(path, text.as_bytes())?;
        let file = OpenOptions::new().append(true).open(path).map_err(|e| Error::io(path, e))?;
        Ok((Series { path: path.to_owned(), file }, rows))
    }

    /// Appends a row.
    pub fn push(&mut self, row: &[f64]) -> Result<()> {
        let write = self.file.write_all(line(row).as_bytes()).and_then(|()| self.file.flush());
        write.map_err(|e| Error::io(&self.path, e))
    }
}

fn line(row: &[f64]) -> String {
    row.iter().map(|v| number(*v)).collect::<Vec<_>>().join(",") + "\n"
}

/// The shortest text that reads back to the same bits.
pub fn number(v: f64) -> String {
    if v.fract() == 0.0 && v.abs() < 1e15 { format!("{v}") } else { format!("{v:e}") }
}

/// Reads a series; a last line without its newline is not counted.
pub fn read(path: &Path) -> Result<Rows> {
    let text = std::fs::read_to_string(path).map_err(|e| Error::io(path, e))?;
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
