//! Arrays on disk, each described once: the files, their documentation in docs/user/output.md and the readers' names come
//! from tables of [`Array`].

use crate::base::error::{Error, Result};
use glam::DVec3;
use npyz::WriterBuilder;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

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
    /// in a frame of 32 bits its rows are less this, and its name ends in [`RELATIVE`]
    pub about: Option<fn(&T) -> DVec3>,
}

/// End of the name of an array whose rows are less an offset.
pub const RELATIVE: &str = "_relative";

/// Rows of an array that has one row a body.
const BODIES: &str = "n";

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
        Array { name, rows, width, unit, meaning, numbers, when: "", written: |_| true, about: None }
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

    /// The same; with 32 bits its rows are about this vector.
    pub const fn about(self, offset: fn(&T) -> DVec3) -> Array<T> {
        Array { about: Some(offset), ..self }
    }

    fn save(&self, to: &mut Saver, of: &T) -> Result<()> {
        match self.numbers {
            F64(f) if to.single => self.save_single(to, f(of), of),
            F64(f) => self.save_numbers(to, self.name, f(of)),
            F32(f) => self.save_numbers(to, self.name, f(of)),
            U32(f) => self.save_numbers(to, self.name, f(of)),
        }
    }

    fn save_single(&self, to: &mut Saver, numbers: Vec<f64>, of: &T) -> Result<()> {
        let Some(about) = self.about else {
            return self.save_numbers(to, self.name, numbers.iter().map(|v| *v as f32).collect());
        };
        let offset = about(of);
        to.offsets.insert(self.name, offset);
        let offset = offset.to_array();
        let relative = numbers.iter().zip(offset.iter().cycle()).map(|(v, o)| (v - o) as f32);
        self.save_numbers(to, &format!("{}{RELATIVE}", self.name), relative.collect())
    }

    fn save_numbers<N: npyz::AutoSerialize + Copy>(&self, to: &mut Saver, name: &str, numbers: Vec<N>) -> Result<()> {
        let numbers = match to.rows.filter(|_| self.rows == BODIES) {
            Some(rows) => rows.iter().flat_map(|k| &numbers[*k * self.width..][..self.width]).copied().collect(),
            None => numbers,
        };
        let (rows, width) = ((numbers.len() / self.width) as u64, self.width as u64);
        let shape = [rows, width];
        to.put(name, if width == 1 { &shape[..1] } else { &shape }, numbers)
    }
}

/// Where arrays go, and in which form.
pub struct Saver<'a> {
    target: Target<'a>,
    /// float64 becomes float32
    single: bool,
    /// of the arrays of bodies these rows alone
    rows: Option<&'a [usize]>,
    /// what was taken off the arrays that are about something
    pub offsets: BTreeMap<&'static str, DVec3>,
}

enum Target<'a> {
    Folder(&'a Path),
    Packed(PathBuf, Box<ZipWriter<BufWriter<File>>>),
}

/// Level of deflate. Level 1 makes numbers that cannot be compressed 6 % longer, level 2 never by more than 0.1 %; level 6 saves
/// nothing more on floating-point numbers.
const LEVEL: i64 = 2;

impl<'a> Saver<'a> {
    /// Files in a folder, as the program has the numbers.
    pub fn folder(folder: &'a Path) -> Saver<'a> {
        Saver { target: Target::Folder(folder), single: false, rows: None, offsets: BTreeMap::new() }
    }

    /// One compressed file.
    pub fn packed(path: &Path) -> Result<Saver<'a>> {
        let file = File::create(path).map_err(|e| Error::io(path, e))?;
        let writer = Box::new(ZipWriter::new(BufWriter::new(file)));
        Ok(Saver {
            target: Target::Packed(path.to_owned(), writer),
            single: false,
            rows: None,
            offsets: BTreeMap::new(),
        })
    }

    /// The same; `single`: float64 becomes float32. `rows`: of the arrays of bodies these alone.
    pub fn with(self, single: bool, rows: Option<&'a [usize]>) -> Saver<'a> {
        Saver { single, rows, ..self }
    }

    /// Saves all arrays of a table that are to be written and that `wanted` takes by their names.
    pub fn save_all<T>(&mut self, of: &T, table: &[Array<T>], wanted: impl Fn(&str) -> bool) -> Result<()> {
        table.iter().filter(|a| (a.written)(of) && wanted(a.name)).try_for_each(|a| a.save(self, of))
    }

    fn put<N: npyz::AutoSerialize>(&mut self, name: &str, shape: &[u64], data: Vec<N>) -> Result<()> {
        match &mut self.target {
            Target::Folder(folder) => save(folder, name, shape, data),
            Target::Packed(path, zip) => {
                // no date, so that equal frames are equal bytes
                let form = SimpleFileOptions::default()
                    .compression_method(CompressionMethod::Deflated)
                    .compression_level(Some(LEVEL))
                    .last_modified_time(zip::DateTime::default())
                    .large_file(data.len() * size_of::<N>() > 1 << 31);
                let put = zip.start_file(format!("{name}.npy"), form).map_err(std::io::Error::other);
                put.and_then(|()| npy(&mut **zip, shape, data)).map_err(|e| Error::io(&*path, e))
            }
        }
    }

    /// Ends the file.
    pub fn finish(self) -> Result<BTreeMap<&'static str, DVec3>> {
        if let Target::Packed(path, zip) = self.target {
            let end = zip.finish().map_err(std::io::Error::other).and_then(|mut file| file.flush());
            end.map_err(|e| Error::io(path, e))?;
        }
        Ok(self.offsets)
    }
}

/// Saves all arrays of a table that are to be written, as the program has them.
pub fn save_all<T>(folder: &Path, of: &T, table: &[Array<T>]) -> Result<()> {
    Saver::folder(folder).save_all(of, table, |_| true)
}

/// Writes `folder`/`name`.npy.
pub fn save<N: npyz::AutoSerialize>(folder: &Path, name: &str, shape: &[u64], data: Vec<N>) -> Result<()> {
    let path = folder.join(format!("{name}.npy"));
    let write = || -> std::io::Result<()> {
        let mut file = BufWriter::new(File::create(&path)?);
        npy(&mut file, shape, data)?;
        file.flush()
    };
    write().map_err(|e| Error::io(&path, e))
}

/// An .npy file in memory.
pub fn npy_bytes<N: npyz::AutoSerialize>(shape: &[u64], data: Vec<N>) -> std::io::Result<Vec<u8>> {
    let mut bytes = vec![];
    npy(&mut bytes, shape, data)?;
    Ok(bytes)
}

fn npy<N: npyz::AutoSerialize>(to: impl Write, shape: &[u64], data: Vec<N>) -> std::io::Result<()> {
    npy_in_parts(to, shape, std::iter::once(data))
}

/// Writes an .npy file whose numbers come a part at a time.
pub fn npy_in_parts<N: npyz::AutoSerialize>(
    to: impl Write,
    shape: &[u64],
    parts: impl Iterator<Item = Vec<N>>,
) -> std::io::Result<()> {
    let mut writer = npyz::WriteOptions::new().default_dtype().shape(shape).writer(to).begin_nd()?;
    for part in parts {
        writer.extend(part)?;
    }
    writer.finish()
}

/// Coordinates one after another, for rows of three.
pub fn flat<'a>(vectors: impl IntoIterator<Item = &'a DVec3>) -> Vec<f64> {
    vectors.into_iter().flat_map(|p| p.to_array()).collect()
}
