//! Shaders whose arithmetic is as wrong as Vulkan and WGSL allow: what passes `breccia verify` with these passes on any
//! driver that keeps the specification ("Precision and operation of SPIR-V instructions").
//!
//! The linked text gets functions that do the same with an error at the edge of what is allowed (`edge.wgsl`), and in
//! naga's module every division, root, sine and so on becomes a call of one, in the place of the expression: handles stay
//! as they are. Products that are added may be contracted likewise. The functions compute in f64, so that the error is
//! known whatever the driver's own is: the device needs [`FEATURES`].

mod module;
mod rewrite;
mod text;

use crate::base::error::{Error, Result};
use crate::gpu::device::Gpu;

/// What the device must have.
pub const FEATURES: wgpu::Features = wgpu::Features::SHADER_F64;

/// What [`Perturb::of`] takes: results err away from zero, towards it, or by the bits of the argument; of a sum the left, or
/// the right, product is not rounded; or sums and products are reordered as with fast math ([`super::reassociate`]).
pub const KINDS: [&str; 6] = ["up", "down", "scattered", "fused", "fused-right", "reassociated"];

/// Which way results err.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bend {
    Up,
    Down,
    Scattered,
}

/// Which product of a sum of two is contracted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fuse {
    Left,
    Right,
}

/// How all shaders are perturbed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Perturb {
    bend: Option<Bend>,
    fuse: Option<Fuse>,
    reorder: bool,
}

impl Perturb {
    /// Several kinds at once; `None` of none. Errors: an unknown kind, or two that exclude each other.
    pub fn of(kinds: &[String]) -> Result<Option<Perturb>> {
        let mut all = Perturb::default();
        for kind in kinds {
            let twice = match kind.as_str() {
                "up" => all.bend.replace(Bend::Up).is_some(),
                "down" => all.bend.replace(Bend::Down).is_some(),
                "scattered" => all.bend.replace(Bend::Scattered).is_some(),
                "fused" => all.fuse.replace(Fuse::Left).is_some(),
                "fused-right" => all.fuse.replace(Fuse::Right).is_some(),
                "reassociated" => std::mem::replace(&mut all.reorder, true),
                _ => {
                    return Err(Error::Usage(format!(
                        "--perturb: unknown kind `{kind}`; known kinds: {}",
                        KINDS.join(", ")
                    )));
                }
            };
            if twice {
                return Err(Error::Usage(
                    "--perturb: give at most one of up, down and scattered, and at most one of fused and fused-right, and reassociated once"
                        .into(),
                ));
            }
        }
        Ok((!kinds.is_empty()).then_some(all))
    }

    /// An error if the device cannot run perturbed shaders.
    pub fn check(gpu: &Gpu) -> Result<()> {
        if gpu.device.features().contains(FEATURES) {
            return Ok(());
        }
        let name = &gpu.info.name;
        Err(Error::Usage(format!(
            "--perturb computes in 64-bit floats, which {name} lacks; choose another adapter with --gpu (lavapipe has them)"
        )))
    }
}
