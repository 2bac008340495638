//! Every host struct that a shader reads has the offsets that naga gives the WGSL one.

use breccia::base::units::Units;
use breccia::engine::gpu::limits;
use breccia::engine::gpu::parts::asteroid_field::SLICE_MAX;
use breccia::gpu::blocks::gravity::tree::TURNS_MAX;
use breccia::gpu::buffer_table::{WIDE_LANES, WIDE_RUN};
use breccia::gpu::element::Scalar;
use breccia::gpu::elements::LAYOUTS;
use breccia::gpu::layout::{AsteroidParams, DynamicsParams, GravityParams, Params, control};
use breccia::gpu::pipeline::file::soft_modules;
use breccia::gpu::pipeline::link::{Sources, link};
use breccia::gpu::pipeline::plan::GATES;
use breccia::gpu::pipeline::reflect::load;
use breccia::physics::laws;
use std::collections::BTreeMap;
use std::mem::offset_of;

/// A linked file as naga has it, and the sizes of its types.
fn parsed(file: &str) -> (naga::Module, naga::proc::Layouter) {
    let modules = soft_modules("laws/linear_spring_dashpot");
    let linked = link(file, &Sources::default(), &modules).expect("links");
    let module = naga::front::wgsl::parse_str(&linked.text).unwrap_or_else(|e| panic!("{file}: {e}"));
    let mut layouter = naga::proc::Layouter::default();
    layouter.update(module.to_ctx()).expect("sizes");
    (module, layouter)
}

/// What a type is made of; `Struct` where its members differ, or are described by themselves.
fn scalar_of(module: &naga::Module, ty: naga::Handle<naga::Type>) -> Scalar {
    use naga::TypeInner as T;
    match &module.types[ty].inner {
        T::Scalar(s) | T::Atomic(s) | T::Vector { scalar: s, .. } | T::Matrix { scalar: s, .. } => match s.kind {
            naga::ScalarKind::Uint => Scalar::Uint,
            naga::ScalarKind::Sint => Scalar::Sint,
            _ => Scalar::Float,
        },
        T::Array { base, .. } => scalar_of(module, *base),
        T::Struct { members, .. } => {
            let mut kinds = members.iter().map(|m| scalar_of(module, m.ty));
            let first = kinds.next().unwrap_or(Scalar::Struct);
            if kinds.all(|k| k == first) { first } else { Scalar::Struct }
        }
        _ => Scalar::Struct,
    }
}

/// Names, offsets, sizes and kinds of members but padding, and the size, as naga has them and as the host does.
#[test]
fn elements_match() {
    type Row = (String, usize, usize);
    for of_file in LAYOUTS {
        let (module, layouter) = parsed(of_file[0].file);
        for layout in *of_file {
            let at = format!("{} of wgsl/{}.wgsl", layout.name, layout.file);
            let found = module.types.iter().find(|(_, t)| t.name.as_deref() == Some(layout.name));
            let (_, ty) = found.unwrap_or_else(|| panic!("{at} does not exist"));
            let naga::TypeInner::Struct { members, span } = &ty.inner else { panic!("{at} is not a struct") };
            let named = |m: &&naga::StructMember| !m.name.as_deref().unwrap_or("pad").starts_with("pad");
            let wgsl: Vec<Row> = members
                .iter()
                .filter(named)
                .map(|m| (m.name.clone().unwrap_or_default(), m.offset as usize, layouter[m.ty].size as usize))
                .collect();
            let own = layout.members.iter().filter(|m| !m.name.starts_with("pad"));
            let host: Vec<Row> = own.clone().map(|m| (m.name.to_owned(), m.offset, m.size)).collect();
            assert_eq!(host, wgsl, "{at}");
            assert_eq!(layout.size, *span as usize, "size of {at}");
            for (m, own) in members.iter().filter(named).zip(own) {
                let here = scalar_of(&module, m.ty);
                assert!(own.scalar == Scalar::Struct || own.scalar == here, "{at}: {} is {here:?}", own.name);
            }
        }
    }
}

fn offsets(pass: &str, name: &str) -> (BTreeMap<String, u32>, u32) {
    let modules = soft_modules("laws/linear_spring_dashpot");
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
            slot_count,
            part_count,
            surface_law,
            surface_capacity,
            wide_radius,
            wide_count,
            wide_capacity,
            wide_runs,
            surface_material,
            frame_interval,
            reaction_slots,
            impulse_bits,
            torque_bits
        ]
    );
    same!(
        "sum_direct",
        GravityParams,
        "GravityParams",
        [
            gravity_constant,
            predict_steps,
            body_count,
            central_gm,
            central_low,
            central_high,
            accuracy,
            opening_angle,
            central_radius
        ]
    );
    same!(
        "sum_faces",
        AsteroidParams,
        "AsteroidParams",
        [pull, per_length, strictness, round_square, face_count, node_count, slice_faces, slice_count]
    );
    same!(
        "move_bodies",
        DynamicsParams,
        "DynamicsParams",
        [
            back_x,
            back_shift,
            back_y,
            back_z,
            back_rest,
            rotation,
            tolerance,
            recovery,
            recovery_max,
            velocity_floor,
            momentum,
            iterations_max,
            stop_on_budget,
            candidate_count,
            contact_capacity,
            earlier,
            anchor_max,
            alert,
            reach_max,
            momentum_first,
            look_every,
            colour_capacity
        ]
    );
}

/// Members and size of a struct.
fn members(file: &str, name: &str) -> (Vec<(String, u32)>, u32) {
    let (module, _) = parsed(file);
    let (_, ty) = module.types.iter().find(|(_, t)| t.name.as_deref() == Some(name)).expect("struct");
    let naga::TypeInner::Struct { members, span } = &ty.inner else { panic!("{name} is not a struct") };
    (members.iter().map(|m| (m.name.clone().unwrap_or_default(), m.offset)).collect(), *span)
}

/// Passes that change elements with atomics see the same members.
#[test]
fn atomic_twins_match() {
    assert_eq!(members("state/control_atomic", "ControlAtomic"), members("state/control", "Control"));
    assert_eq!(members("state/body", "BodyLeaderAtomic"), members("state/body", "BodyLeader"));
}

/// `const NAME: u32 = VALUEu;` of a shader file.
fn constants(file: &str) -> BTreeMap<String, u32> {
    let text = Sources::default().load(&Sources::default().file_of(file)).expect("shader");
    let line = |line: &str| {
        let (name, rest) = line.strip_prefix("const ")?.split_once(": u32 = ")?;
        Some((name.to_owned(), rest.split_once("u;")?.0.parse().ok()?))
    };
    text.lines().filter_map(line).collect()
}

#[test]
fn faults_match() {
    use control::*;
    let words = constants("state/control");
    let faults = [
        ("NON_FINITE", NON_FINITE),
        ("OVERSPEED", OVERSPEED),
        ("OVERLAP", OVERLAP),
        ("RANGE", RANGE),
        ("TREE", TREE),
        ("BUDGET", BUDGET),
        ("SURFACE", SURFACE),
        ("CROWD", CROWD),
        ("LISTED", LISTED),
        ("CORNERS", CORNERS),
        ("TURN", TURN),
        ("PLATE", PLATE),
    ];
    for (name, fault) in faults {
        assert_eq!(words.get(&format!("FAULT_{name}")), Some(&fault.0), "FAULT_{name}");
        assert!(FAULTS.contains(&fault), "{name} is never told");
    }
    let bits = words.keys().filter(|k| k.starts_with("FAULT_"));
    assert_eq!([bits.count(), FAULTS.len()], [faults.len(); 2]);
}

/// Sizes that host and shaders each state.
#[test]
fn limits_match() {
    let of = |file: &str, name: &str| constants(file).get(name).map(|n| u64::from(*n));
    for (file, name, own) in [
        ("neighbours/incidence", "WALLS_MAX", limits::WALLS_MAX as u64),
        ("sum_direct", "DIRECT_MAX", limits::DIRECT_MAX as u64),
        ("sum_faces", "SLICE_MAX", u64::from(SLICE_MAX)),
        ("math/turns", "TURNS_MAX", u64::from(TURNS_MAX)),
        ("find_wide_facets", "RUN", WIDE_RUN),
        ("apply_wide_surface", "LANES", WIDE_LANES),
    ] {
        assert_eq!(of(file, name), Some(own), "{name} of {file}");
    }
    // what the words of faults say
    let told = |fault: control::Fault, numbers: [u64; 1]| {
        for number in numbers {
            let (thousands, rest) = (number / 1000, number % 1000);
            let number = match thousands {
                0..1000 => format!("{thousands},{rest:03}"),
                _ => format!("{},{:03},{rest:03}", thousands / 1000, thousands % 1000),
            };
            assert!(fault.1.contains(&number), "{number}: {}", fault.1);
        }
    };
    told(control::CROWD, [of("neighbours/incidence", "NEIGHBOURS_MAX").expect("a constant")]);
    told(control::PLATE, [of("neighbours/incidence", "PLATE_CONTACTS_MAX").expect("a constant")]);
    let share = of("apply_wide_surface", "SHARE_MAX").expect("a constant");
    told(control::LISTED, [WIDE_LANES * share]);
}

#[test]
fn gates_and_rows_match() {
    let gates = constants("neighbours/gates");
    for (name, bit) in GATES {
        assert_eq!(gates.get(&format!("GATE_{}", name.to_uppercase())), Some(&bit), "{name}");
    }
    assert_eq!(gates.keys().filter(|k| k.starts_with("GATE_")).count(), GATES.len());
}

/// The shader of every law declares the constants that the host writes, by name and in order.
#[test]
fn constants_of_laws_are_those_of_their_shaders() {
    let units = Units::new(1.0, 1.0, 1.0);
    for law in laws::all() {
        let shader = load("apply_contacts", &Sources::default(), &soft_modules(&law.module())).expect("compiles");
        let members = shader.members_of("Law").expect("a struct `Law`");
        for pair in law.tried() {
            let written: Vec<&str> = pair.row(&units).iter().map(|(name, _)| *name).collect();
            assert_eq!(members, written, "{}", law.name());
        }
        let binding = shader.bindings.iter().find(|b| b.name == "contact_law").expect("bound");
        assert_eq!(binding.stride as usize, 4 * members.len(), "{}", law.name());
    }
}
