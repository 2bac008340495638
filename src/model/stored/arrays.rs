//! Arrays on disk, each described once: the files, their documentation in docs/user/output.md and the readers' names come
//! from tables of [`Array`].

use crate::base::error::{Error, Result};
use glam::DVec3;
use npyz::WriterBuilder;
use std::path::Path;

/// An array that is made from a `T` and saved as one .npy file.
pub struct Array<T: 'static> {
    /// name of the file without its ending
    pub name: &'static str,
    /// what the rows are, as the documentation writes their number
    pub rows: &'static str,
    /// numbers in a row; a row of one number has no dimension of its own
    pub width: usize,
    /// unit; empty for counts, indices and directions
    pub unit: &'static str,
    /// what it holds
    pub meaning: &'static str,
    /// makes its numbers
    pub numbers: Numbers<T>,
    /// when it is written, in words; empty if always
    pub when: &'static str,
    /// true if it is written
    pub written: fn(&T) -> bool,
}

/// The function that makes the numbers, by their type.
pub enum Numbers<T> {
    /// float64
    F64(fn(&T) -> Vec<f64>),
    /// float32
    F32(fn(&T) -> Vec<f32>),
    /// uint32
    U32(fn(&T) -> Vec<u32>),
}
use Numbers::{F32, F64, U32};

impl<T> Array<T> {
    /// An array that is always written.
    pub const fn new(
        name: &'static str,
        (rows, width): (&'static str, usize),
        unit: &'static str,
        meaning: &'static str,
        numbers: Numbers<T>,
    ) -> Array<T> {
        Array { name, rows, width, unit, meaning, numbers, when: "", written: |_| true }
    }

    /// The same, written only under a condition; `when` is the condition in words.
    pub const fn when(self, when: &'static str, written: fn(&T) -> bool) -> Array<T> {
        Array { when, written, ..self }
    }

    /// Shape as the documentation writes it.
    pub fn shape(&self) -> String {
        if self.width == 1 { format!("({})", self.rows) } else { format!("({}, {})", self.rows, self.width) }
    }

    /// Name of the numbers' type in numpy.
    pub const fn kind(&self) -> &'static str {
        match self.numbers {
            F64(_) => "float64",
            F32(_) => "float32",
            U32(_) => "uint32",
        }
    }

    fn save(&self, folder: &Path, of: &T) -> Result<()> {
        match self.numbers {
            F64(f) => self.save_numbers(folder, f(of)),
            F32(f) => self.save_numbers(folder, f(of)),
            U32(f) => self.save_numbers(folder, f(of)),
        }
    }

    fn save_numbers<N: npyz::AutoSerialize>(&self, folder: &Path, numbers: Vec<N>) -> Result<()> {
        let (rows, width) = ((numbers.len() / self.width) as u64, self.width as u64);
        let shape = [rows, width];
        save(folder, self.name, if width == 1 { &shape[..1] } else { &shape }, numbers)
    }
}

/// Saves all arrays of a table that are to be written.
pub fn save_all<T>(folder: &Path, of: &T, table: &[Array<T>]) -> Result<()> {
    table.iter().filter(|a| (a.written)(of)).try_for_each(|a| a.save(folder, of))
}

/// Writes `folder`/`name`.npy.
pub fn save<N: npyz::AutoSerialize>(folder: &Path, name: &str, shape: &[u64], data: Vec<N>) -> Result<()> {
    let path = folder.join(format!("{name}.npy"));
    npy(shape, data).and_then(|bytes| std::fs::write(&path, bytes)).map_err(|e| Error::io(path, e))
}

/// What an .npy file holds.
pub fn npy<N: npyz::AutoSerialize>(shape: &[u64], data: Vec<N>) -> std::io::Result<Vec<u8>> {
    let mut bytes = vec![];
    let mut writer = npyz::WriteOptions::new().default_dtype().shape(shape).writer(&mut bytes).begin_nd()?;
    writer.extend(data)?;
    writer.finish()?;
    Ok(bytes)
}

/// Coordinates one after another, for rows of three.
pub fn flat<'a>(vectors: impl IntoIterator<Item = &'a DVec3>) -> Vec<f64> {
    vectors.into_iter().flat_map(|p| p.to_array()).collect()
}
