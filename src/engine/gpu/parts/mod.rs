//! Features that only some scenarios have: each file makes the buffers of its feature and reads them back.

pub mod asteroid_field;
pub mod face_rows;
pub mod law;
pub(crate) mod polyhedra;
pub mod surface;
pub(crate) mod walls;
