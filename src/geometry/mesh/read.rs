//! Reads a surface from a file of any format, and asks whether it bounds one body.

use super::bent::bent;
use super::format::Format;
use super::{Mesh, audit, icq, obj, plate, ply, stl};
use crate::base::error::{Fault, Result};
use crate::base::input;
use crate::base::readable::number;
use crate::base::reader::LENGTH_MAX_M;
use glam::DVec3;
use std::path::Path;

impl Mesh {
    /// The surface in a file whose unit is `metres_per_unit`, which must bound one body; the format by name and content.
    pub fn read(path: &Path, metres_per_unit: f64) -> Result<Self> {
        Self::load(path, metres_per_unit, None)?.whole()
    }

    /// As [`Self::read`] from the text of an OBJ file; messages use `name`.
    pub fn parse(text: &str, name: &str, metres_per_unit: f64) -> Result<Self> {
        Self::of_bytes(text.as_bytes(), name, metres_per_unit, Some(Format::Obj))?.whole()
    }

    /// Reads a file as it is, whatever it bounds.
    pub fn load(path: &Path, metres_per_unit: f64, format: Option<Format>) -> Result<Self> {
        let bytes = input::read(path)?;
        Self::of_bytes(&bytes, &path.display().to_string(), metres_per_unit, format)
    }

    /// As [`Self::load`] from the contents of a file. Messages use `name`, which has the ending of the file's name.
    pub fn of_bytes(bytes: &[u8], name: &str, metres_per_unit: f64, format: Option<Format>) -> Result<Self> {
        if !(metres_per_unit.is_finite() && metres_per_unit > 0.0) {
            let what = format!("one unit of the file is {metres_per_unit} m");
            return Err(Fault::new(what).remedy("give a length above zero").file(name).into());
        }
        let mut mesh = Self { name: name.into(), ..Self::default() };
        let text = || String::from_utf8_lossy(bytes);
        match format.map_or_else(|| Format::guess(name, bytes), Ok)? {
            Format::Obj => obj::read(&text(), &mut mesh)?,
            Format::Ply => ply::read(bytes, &mut mesh)?,
            Format::Stl => stl::read(bytes, &mut mesh)?,
            Format::Plate => plate::read(&text(), &mut mesh)?,
            Format::Icq => icq::read(&text(), &mut mesh)?,
        }
        mesh.scale(metres_per_unit)?;
        mesh.bent = bent(&mesh);
        mesh.cut_concave();
        if mesh.faces.is_empty() {
            let what = format!("has {} vertices and no faces", mesh.vertices_m.len());
            return Err(mesh.fault(what).remedy("export the surface with its faces").data());
        }
        Ok(mesh)
    }

    /// The objects (`o` or `g` lines) of an OBJ file whose unit is `metres_per_unit`, each a body of its own.
    pub fn read_objects(path: &Path, metres_per_unit: f64) -> Result<Vec<Self>> {
        obj::objects(&Self::load(path, metres_per_unit, Some(Format::Obj))?, path)?
            .into_iter()
            .map(Self::whole)
            .collect()
    }

    /// Returns the mesh if it bounds one body, and otherwise its first defect. Crossings are not checked here but in
    /// [`super::crossing`].
    pub fn whole(self) -> Result<Self> {
        match audit::Audit::of(&self).defects.first() {
            Some(defect) => Err(defect.fault().data()),
            None => Ok(self),
        }
    }

    /// As [`Self::whole`], and checks that the surface does not cross itself.
    pub fn sound(self) -> Result<Self> {
        let audit = audit::Audit::of(&self).with_crossings(&self);
        match audit.defects.first() {
            Some(defect) => Err(defect.fault().data()),
            None => Ok(self),
        }
    }

    fn scale(&mut self, metres_per_unit: f64) -> Result<()> {
        self.vertices_m.iter_mut().for_each(|v| *v *= metres_per_unit);
        let far = |v: &DVec3| v.abs().max_element() > LENGTH_MAX_M;
        match self.vertices_m.iter().position(far) {
            None => Ok(()),
            Some(v) => {
                let what = format!("vertex {} is farther out than {} m", v + 1, number(LENGTH_MAX_M));
                let remedy = format!("check whether {} m is the unit of the file", number(metres_per_unit));
                Err(self.vertex_fault(v, what).remedy(remedy).data())
            }
        }
    }
}
