//! The surface of an asteroid on the GPU: boxes and facets in integers, and its contacts read back.

use super::law::LawPart;
use crate::base::error::{Error, Result};
use crate::base::units::{POSITION_BITS, Units};
use crate::engine::gpu::scales::MOTION_MAX;
use crate::engine::gpu::words::split;
use crate::geometry::box_tree::Node;
use crate::geometry::face_tree::FaceTree;
use crate::gpu::layout::Params;
use crate::model::scenario::SurfaceLaw;
use crate::physics::laws::contact::ContactResult;
use crate::physics::surface::footprint::SLOTS;
use crate::physics::surface::ground::Ground;
use crate::physics::surface::touch::SurfaceTouch;
use glam::DVec3;

/// Binary digits of a box's coordinates below L: those of the high words of positions.
const BOX_BITS: i32 = 6;
/// Farthest vertex from the origin (L): as far as bodies may start, so that differences of box coordinates are words.
const REACH_MAX: f64 = 8.0e6;
/// Rows of a contact in `surface_touch`.
pub const TOUCH_ROWS: usize = 6;

/// Contents of `surface_node` and `surface_face`.
#[derive(Debug, Clone, Default)]
pub struct SurfaceTables {
    /// two rows a box
    pub nodes: Vec<[i32; 4]>,
    /// seven rows a facet
    pub faces: Vec<[u32; 4]>,
}

/// Refuses a surface that the grains are too small for, or that turns too fast (rad/s) for the step: what a grain has against
/// it beside its motion in inertial space.
pub(crate) fn refuse(name: &str, ground: &Ground, units: &Units, turn: f64) -> Result<()> {
    let reach = ground.reach_m / units.length_m;
    if turn * units.time_s * reach > f64::from(MOTION_MAX) {
        let speed = turn * ground.reach_m;
        return Err(Error::Usage(format!(
            "{name}: asteroid: its surface turns at {speed} m/s, too far in one step of {} s; turn it slower, raise `speed_max_m_s` or lower `run.time_step_s`",
            units.time_s
        )));
    }
    if reach < REACH_MAX {
        return Ok(());
    }
    Err(Error::Usage(format!(
        "{name}: asteroid.shape: its farthest vertex lies {reach:.3e} cells of the largest grain from the mass centre; the GPU engine takes {REACH_MAX}: take larger grains, or --engine reference"
    )))
}

impl SurfaceTables {
    /// The tables of a surface in code units.
    pub fn new(tree: &FaceTree, units: &Units) -> SurfaceTables {
        let scale = f64::from(BOX_BITS).exp2() / units.length_m;
        let word = |v: DVec3, round: fn(f64) -> f64| v.to_array().map(|x| round(x * scale) as i32);
        let node = |n: &Node| {
            let (low, high) = (word(n.low, f64::floor), word(n.high, f64::ceil));
            let facets = (8 * n.first + n.count) as i32;
            [[low[0], low[1], low[2], n.skip as i32], [high[0], high[1], high[2], facets]]
        };
        SurfaceTables {
            nodes: tree.boxes.nodes.iter().flat_map(node).collect(),
            faces: tree.corners_m.iter().flat_map(|c| face_rows(c, units)).collect(),
        }
    }
}

/// Nearest multiples of 2^-30.
fn q30(v: DVec3) -> [i32; 3] {
    v.to_array().map(|x| (x * 1_073_741_824.0).round() as i32)
}

/// Rows of a facet, as `wgsl/surface/facet.wgsl` names them; all from the corners as rounded to 2^-38 L.
pub fn face_rows(corners_m: &[DVec3; 3], units: &Units) -> [[u32; 4]; 7] {
    let places = corners_m.map(|c| c.to_array().map(|x| units.position(x)));
    let unit = (-f64::from(POSITION_BITS)).exp2();
    let corner = [0, 1, 2].map(|k| DVec3::from_array([0, 1, 2].map(|a| (places[k][a] - places[0][a]) as f64 * unit)));
    let normal = corner[1].cross(corner[2]).normalize();
    let along = [0, 1, 2].map(|k| (corner[(k + 1) % 3] - corner[k]).normalize());
    let inward = along.map(|u| q30(normal.cross(u)));
    let cot = [0, 1, 2].map(|k| {
        let (next, last) = (along[k], -along[(k + 2) % 3]);
        (next.dot(last) / next.cross(last).length()) as f32
    });
    let q = q30(normal);
    let rest = normal - DVec3::from_array(q.map(f64::from)) * (-30f64).exp2();
    let offset = (0..3).map(|a| i128::from(places[0][a] - places[1][a]) * i128::from(inward[1][a])).sum::<i128>();
    let [offset_low, offset_high] = split(((offset + (1 << 29)) >> 30) as i64);
    let words = places[0].map(split);
    let bits = |v: [i32; 3], last: u32| [v[0] as u32, v[1] as u32, v[2] as u32, last];
    let rest = rest.as_vec3().to_array().map(|x| x.to_bits() as i32);
    [
        [words[0][0], words[1][0], words[2][0], offset_low],
        [words[0][1], words[1][1], words[2][1], offset_high],
        bits(q, cot[0].to_bits()),
        bits(rest, cot[1].to_bits()),
        bits(inward[0], cot[2].to_bits()),
        bits(inward[1], 0),
        bits(inward[2], 0),
    ]
}

/// What the uniform says of it.
pub(crate) fn set_params(params: &mut Params, ground: &Ground, list: u32) {
    params.surface_law = match ground.law {
        SurfaceLaw::AreaWeighted => 1,
        SurfaceLaw::ClosestFeature => 2,
    };
    params.surface_material = ground.material as u32;
    params.surface_capacity = list;
}

/// The surface in f64: for snapshots.
pub(crate) struct Measured {
    pub ground: Ground,
}

fn vec3(row: &[f32; 4]) -> DVec3 {
    DVec3::new(row[0].into(), row[1].into(), row[2].into())
}

/// Contacts of the last step in SI, by number of the body.
pub(crate) fn touches(law: &LawPart, order: &[u32], units: &Units, rows: &[[f32; 4]]) -> Vec<SurfaceTouch> {
    let mut list = vec![];
    for (c, r) in rows.chunks(TOUCH_ROWS).enumerate().filter(|(_, r)| r[1][3] > 0.0) {
        list.push(SurfaceTouch {
            i: order[c / SLOTS],
            slot: (c % SLOTS) as u32,
            normal: vec3(&r[2]).normalize(),
            overlap: f64::from(r[2][3]) * units.length_m,
            weight: r[1][3].into(),
            depth: 0.0, // guarded on the device
            result: ContactResult {
                force: vec3(&r[3]) / units.force(),
                torque_i: vec3(&r[4]) / units.energy(),
                springs: law.springs([r[0], r[1]]).in_si(units),
                ..ContactResult::default()
            },
        });
    }
    list.sort_by_key(|t| (t.i, t.slot));
    list
}
