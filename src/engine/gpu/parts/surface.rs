//! The surface of an asteroid on the GPU: boxes and facets in integers, and its contacts read back.

use super::law::LawPart;
use super::{Fill, Part};
use crate::base::error::Result;
use crate::base::fixed_point::{in_q30, vector};
use crate::base::readable::{number, quantity};
use crate::base::units::{POSITION_BITS, Units};
use crate::engine::gpu::limits::faster;
use crate::engine::gpu::scales::{MOTION_MAX, REACH_MAX};
use crate::engine::gpu::words::split;
use crate::geometry::box_tree::Node;
use crate::geometry::facet_tree::FacetTree;
use crate::gpu::buffer_table::Counts;
use crate::gpu::constants::FACES;
use crate::gpu::elements::facet::{SurfaceFace, SurfaceNode};
use crate::gpu::elements::{self, in_f64};
use crate::gpu::layout::Params;
use crate::gpu::pipeline::file;
use crate::model::scenario::Scenario;
use crate::model::scenario::SurfaceLaw;
use crate::physics::frame::Frame;
use crate::physics::laws::contact::ContactResult;
use crate::physics::surface::footprint::SLOTS;
use crate::physics::surface::ground::Ground;
use crate::physics::surface::touch::SurfaceTouch;
use glam::DVec3;

/// Binary digits of a box's coordinates below L: those of the high words of positions.
const BOX_BITS: i32 = 6;

/// Contents of `surface_node` and `surface_face`.
#[derive(Debug, Clone)]
pub struct SurfaceTables {
    /// boxes of faces
    pub nodes: Vec<SurfaceNode>,
    /// faces
    pub faces: Vec<SurfaceFace>,
}

/// Refuses a surface that the grains are too small for, or that turns too fast (rad/s) for the step: what a grain has against
/// it in addition to its motion in inertial space.
pub(crate) fn refuse(scenario: &Scenario, ground: &Ground, units: &Units, turn: f64) -> Result<()> {
    let reach = ground.reach_m / units.length_m;
    if turn * units.time_s * reach > f64::from(MOTION_MAX) {
        let [speed, step] =
            [(turn * ground.reach_m, "m/s"), (units.time_s, "s")].map(|(value, unit)| quantity(value, unit));
        let what = format!("the surface turns at {speed}, too fast for a step of {step}");
        let remedy = format!("turn it slower; or {}", faster(scenario));
        return Err(scenario.fault("asteroid", what, remedy).into());
    }
    if reach < REACH_MAX {
        return Ok(());
    }
    let [reach, most] = [reach, REACH_MAX].map(number);
    let what = format!(
        "its farthest vertex is {reach} cells of the largest grain from the mass centre, more than the {most} of the GPU engine"
    );
    Err(scenario.fault("asteroid.shape", what, "take larger grains, or --engine reference").into())
}

impl SurfaceTables {
    /// A run without a surface has one box that holds nothing, since an array of a shader has one element at least.
    pub fn none() -> SurfaceTables {
        SurfaceTables { nodes: vec![SurfaceNode { next: 1, ..SurfaceNode::default() }], faces: vec![] }
    }

    /// The tables of a surface in code units.
    pub fn new(tree: &FacetTree, units: &Units) -> SurfaceTables {
        let scale = f64::from(BOX_BITS).exp2() / units.length_m;
        let word = |v: DVec3, round: fn(f64) -> f64| v.to_array().map(|x| round(x * scale) as i32);
        let node = |n: &Node| {
            let (low, high) = (word(n.low, f64::floor), word(n.high, f64::ceil));
            SurfaceNode { low, next: n.skip, high, faces: 8 * n.first + n.count }
        };
        SurfaceTables {
            nodes: tree.boxes.nodes.iter().map(node).collect(),
            faces: tree.corners_m.iter().map(|c| surface_face(c, units)).collect(),
        }
    }
}

/// A face, from the corners as rounded to 2^-38 L.
pub fn surface_face(corners_m: &[DVec3; 3], units: &Units) -> SurfaceFace {
    let positions = corners_m.map(|c| c.to_array().map(|x| units.position(x)));
    let corner = positions.map(|p| vector([0, 1, 2].map(|a| p[a] - positions[0][a]), POSITION_BITS));
    let normal = corner[1].cross(corner[2]).normalize();
    let along = [0, 1, 2].map(|k| (corner[(k + 1) % 3] - corner[k]).normalize());
    let inward = along.map(|u| in_q30(normal.cross(u).to_array()));
    let cot = [0, 1, 2].map(|k| {
        let (next, last) = (along[k], -along[(k + 2) % 3]);
        (next.dot(last) / next.cross(last).length()) as f32
    });
    let q = in_q30(normal.to_array());
    let rest = normal - vector(q.map(i64::from), 30);
    let offset = (0..3).map(|a| i128::from(positions[0][a] - positions[1][a]) * i128::from(inward[1][a])).sum::<i128>();
    let [over_low, over_high] = split(((offset + (1 << 29)) >> 30) as i64);
    let words = positions[0].map(split);
    SurfaceFace {
        corner_low: words.map(|w| w[0]),
        over_low,
        corner_high: words.map(|w| w[1]),
        over_high,
        normal: q,
        cotangent_x: cot[0],
        rest: rest.as_vec3().to_array(),
        cotangent_y: cot[1],
        inward_x: inward[0],
        cotangent_z: cot[2],
        inward_y: inward[1],
        inward_z: inward[2],
        ..SurfaceFace::default()
    }
}

/// Facets by the buffer that holds them.
fn windows(faces: &[SurfaceFace]) -> [&[SurfaceFace]; 3] {
    let (first, rest) = faces.split_at(faces.len().min(FACES as usize));
    let (second, third) = rest.split_at(rest.len().min(FACES as usize));
    [first, second, third]
}

/// The modules of shaders that say which contacts a body has by this law.
pub(crate) fn footprint(law: SurfaceLaw) -> &'static str {
    match law {
        SurfaceLaw::AreaWeighted => file::AREA_WEIGHTED,
        SurfaceLaw::ClosestFeature => file::CLOSEST_FEATURE,
    }
}

/// The surface of a run, if it has one.
pub struct SurfacePart {
    tables: SurfaceTables,
    /// in f64
    pub ground: Option<Ground>,
}

/// Makes room for boxes and faces, and for the lists of facets near bodies.
pub(crate) fn counts(ground: Option<&Ground>, counts: Counts) -> Counts {
    let Some(ground) = ground else { return counts };
    let list = (2 * counts.of("body")).max(64);
    counts.with_surface(ground.tree.boxes.nodes.len() as u64, ground.facets.len() as u64, list)
}

impl SurfacePart {
    /// Of a run with these units; refuses what the GPU cannot hold.
    pub(crate) fn new(scenario: &Scenario, ground: Option<Ground>, units: &Units) -> Result<SurfacePart> {
        let Some(ground) = ground else { return Ok(SurfacePart { tables: SurfaceTables::none(), ground }) };
        refuse(scenario, &ground, units, Frame::of(scenario).rotation_rad_s(scenario).length())?;
        Ok(SurfacePart { tables: SurfaceTables::new(&ground.tree, units), ground: Some(ground) })
    }

    /// Says what it is in the uniform; `list`: room for facets in the lists of bodies.
    pub(crate) fn set_params(&self, params: &mut Params, list: u64) {
        let Some(ground) = &self.ground else { return };
        params.has_surface = 1;
        params.surface_material = ground.material as u32;
        params.surface_capacity = list as u32;
    }
}

impl Part for SurfacePart {
    fn fill(&self, to: &Fill) -> Result<()> {
        to.write("surface_node", &self.tables.nodes)?;
        let names = ["surface_face", "surface_face_second", "surface_face_third"];
        let all = names.into_iter().zip(windows(&self.tables.faces));
        all.filter(|(_, faces)| !faces.is_empty()).try_for_each(|(name, faces)| to.write(name, faces))
    }
}

/// Contacts of the last step in SI, by number of the body.
pub(crate) fn touches(
    law: &LawPart,
    order: &[u32],
    units: &Units,
    found: &[elements::facet::SurfaceTouch],
) -> Vec<SurfaceTouch> {
    let mut list = vec![];
    for (c, r) in found.iter().enumerate().filter(|(_, r)| r.weight > 0.0) {
        list.push(SurfaceTouch {
            i: order[c / SLOTS],
            slot: (c % SLOTS) as u32,
            normal: in_f64(r.normal).normalize(),
            overlap: f64::from(r.overlap) * units.length_m,
            weight: r.weight.into(),
            depth: 0.0, // guarded on the device
            result: ContactResult {
                force: in_f64(r.force) / units.force(),
                torque_i: in_f64(r.torque) / units.energy(),
                springs: law.springs(r.first, r.second).in_si(units),
                ..ContactResult::default()
            },
        });
    }
    list.sort_by_key(|t| (t.i, t.slot));
    list
}
