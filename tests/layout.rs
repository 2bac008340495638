//! Every host struct that a shader reads has the offsets that naga gives the WGSL one.

use breccia::pipeline::link::Sources;
use breccia::pipeline::reflect::load;
use breccia::reference::checks::gravity::Source;
use breccia::reference::checks::trees::{BranchRow, MomentRow};
use breccia::solver::layout::{GravityParams, LawRow, Params};
use std::collections::BTreeMap;
use std::mem::offset_of;

fn offsets(pass: &str, name: &str) -> (BTreeMap<String, u32>, u32) {
    let modules = BTreeMap::from([("law".to_owned(), "laws/linear_spring_dashpot".to_owned())]);
    let shader = load(pass, &Sources::default(), &modules).expect("compiles");
    let (_, ty) = shader.module.types.iter().find(|(_, t)| t.name.as_deref() == Some(name)).expect("struct");
    let naga::TypeInner::Struct { members, span } = &ty.inner else { panic!("{name} is no struct") };
    (members.iter().map(|m| (m.name.clone().unwrap_or_default(), m.offset)).collect(), *span)
}

macro_rules! same {
    ($pass:literal, $host:ty, $name:literal, [$($field:ident),*]) => {
        let (wgsl, size) = offsets($pass, $name);
        assert_eq!(size as usize, size_of::<$host>(), "size of {}", $name);
        $(assert_eq!(wgsl[stringify!($field)] as usize, offset_of!($host, $field), "{}.{}", $name, stringify!($field));)*
        let shown = [$(stringify!($field)),*];
        for field in wgsl.keys().filter(|k| !k.starts_with("pad")) {
            assert!(shown.contains(&field.as_str()), "{}.{field} is not compared", $name);
        }
    };
}

#[test]
fn host_structs_match() {
    same!(
        "integrate_bodies",
        Params,
        "Params",
        [
            uniform_gravity,
            skin_half,
            body_count,
            wall_count,
            material_count,
            pair_capacity,
            hash_mask,
            level_count,
            overlap_max,
            motion_max,
            level_cell,
            level_radius,
            gravity_every,
            slot_count
        ]
    );
    same!(
        "apply_contacts",
        LawRow,
        "ContactLaw",
        [
            stiffness_normal,
            stiffness_sliding,
            damping_normal,
            damping_sliding,
            friction_sliding,
            friction_rolling,
            friction_twisting,
            shape_parameter,
            cohesion,
            normal_floor
        ]
    );
    same!(
        "sum_direct",
        GravityParams,
        "GravityParams",
        [gravity_constant, predict_steps, body_count, central_gm, central_low, central_high, accuracy, opening_angle]
    );
}

#[test]
fn rows_of_the_checks_match() {
    same!("sort_sources", Source, "Source", [place, mass, rest]);
    same!("sum_blocks", MomentRow, "Moments", [centre, mass, diagonal, rest, cross, low, high]);
    same!("gather_nodes", BranchRow, "Branch", [centre, mass, down, next, rest, count, diagonal, reach, cross, size]);
}
