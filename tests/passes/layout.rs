//! Every host struct that a shader reads has the offsets that naga gives the WGSL one.

use breccia::base::units::Units;
use breccia::geometry::narrow::manifold;
use breccia::gpu::constants::{
    CROWD_MAX, NEIGHBOURS_MAX, PLATE_CONTACTS_MAX, SHARED, SLOTS, Shared, WIDE_LANES, WIDE_SHARE_MAX,
};
use breccia::gpu::element::Scalar;
use breccia::gpu::elements::LAYOUTS;
use breccia::gpu::layout::{AsteroidParams, DynamicsParams, GravityParams, Params, View, control};
use breccia::gpu::pipeline::file::soft_modules;
use breccia::gpu::pipeline::link::{Sources, link};
use breccia::gpu::pipeline::plan::GATES;
use breccia::gpu::pipeline::reflect::load;
use breccia::gpu::uniform::{self, Uniform};
use breccia::physics::gravity::face_walk;
use breccia::physics::laws::{hysteretic, registry};
use breccia::physics::surface::{facet, footprint};
use encase::UniformBuffer;
use std::collections::BTreeMap;

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

/// A block made of words 1, 2, 3 ... has in each member the words that naga has there, and writes them back there.
fn block_matches<T: Uniform>(file: &str) {
    let at = format!("{} of {file}", T::NAME);
    let (module, layouter) = parsed(file);
    let found = module.types.iter().find(|(_, t)| t.name.as_deref() == Some(T::NAME));
    let (_, ty) = found.unwrap_or_else(|| panic!("{at} does not exist"));
    let naga::TypeInner::Struct { members, span } = &ty.inner else { panic!("{at} is not a struct") };
    assert_eq!(uniform::size::<T>(), *span, "size of {at}");
    let words: Vec<u32> = (1..=*span / 4).collect();
    let block: T = UniformBuffer::new(bytemuck::cast_slice::<u32, u8>(&words)).create().expect("a block");
    let whole: Vec<u32> = bytemuck::pod_collect_to_vec(&uniform::bytes(&block));
    let own = block.members();
    let wgsl: Vec<&str> = members.iter().filter_map(|m| m.name.as_deref()).collect();
    assert_eq!(own.iter().map(|m| m.0).collect::<Vec<_>>(), wgsl, "{at}");
    for ((name, bytes), member) in own.iter().zip(members) {
        assert_eq!(bytes.len(), layouter[member.ty].size as usize, "size of {name} of {at}");
        let first = member.offset as usize / 4;
        let here: Vec<u32> = bytemuck::pod_collect_to_vec(bytes);
        assert!(here.iter().any(|word| *word > 0), "{name} of {at}");
        for (k, word) in here.iter().enumerate() {
            // padding within a member is written as zeros
            assert!([0, words[first + k]].contains(word), "{name} of {at}: word {k}");
            assert_eq!(*word, whole[first + k], "{name} of {at}: word {k} is written elsewhere");
        }
    }
}

#[test]
fn blocks_match() {
    block_matches::<Params>("state/params");
    block_matches::<DynamicsParams>("contact_dynamics/dynamics");
    block_matches::<GravityParams>("state/gravity");
    block_matches::<AsteroidParams>("state/face");
    block_matches::<View>("state/view");
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

/// Constants of a file and its imports that are numbers.
fn constants(file: &str) -> BTreeMap<String, f64> {
    let (module, _) = parsed(file);
    let value = |constant: &naga::Constant| match module.global_expressions[constant.init] {
        naga::Expression::Literal(naga::Literal::U32(v)) => Some(f64::from(v)),
        naga::Expression::Literal(naga::Literal::I32(v)) => Some(f64::from(v)),
        naga::Expression::Literal(naga::Literal::F32(v)) => Some(f64::from(v)),
        _ => None,
    };
    module.constants.iter().filter_map(|(_, c)| Some((c.name.clone()?, value(c)?))).collect()
}

#[test]
fn shared_constants_match() {
    for Shared { file, name, value } in SHARED {
        assert_eq!(constants(file).get(*name), Some(value), "{name} of wgsl/{file}.wgsl");
    }
    // bits of words are all in the table, and every file that declares a name of the table is the one it names
    let sources = Sources::default();
    for file in sources.names() {
        let text = sources.load(&file).expect("shader");
        let names = text.lines().filter_map(|l| l.strip_prefix("const ")?.split_once(':')).map(|(name, _)| name);
        for name in names {
            let known = SHARED.iter().find(|s| s.name == name);
            assert!(known.is_none_or(|s| s.file == file), "{name} of {file} has the name of another constant");
            let bit = ["GATE_", "FAULT_", "REQUEST_"].iter().any(|start| name.starts_with(start));
            assert!(!bit || known.is_some(), "{name} of {file} is not in the table");
        }
    }
    assert_eq!(SLOTS as usize, footprint::SLOTS, "contacts with a surface in f64 and on the GPU");
}

/// What the references in f64 state for themselves, as the passes do.
#[test]
fn references_state_what_passes_do() {
    let twins = [
        ("contact_dynamics/facing", "AWAY", manifold::AWAY),
        ("contact_dynamics/shape", "SLOPE", manifold::SLOPE),
        ("gravity/faces", "REMOTE_FROM", face_walk::REMOTE_FROM),
        ("gravity/multipole", "REACH_MAX", face_walk::REACH_MAX),
        ("laws/hysteretic", "STOP", hysteretic::STOP),
        ("surface/area_weighted/sums", "WHOLE", footprint::WHOLE),
        ("surface/circle", "FADE", facet::FADE),
        ("surface/closest_feature/left", "SLACK", footprint::SLACK),
    ];
    for (file, name, value) in twins {
        assert_eq!(constants(file).get(name), Some(&f64::from(value as f32)), "{name} of wgsl/{file}.wgsl");
    }
}

/// Every bit of faults has its words, and every gate its bit.
#[test]
fn bits_have_meanings() {
    let bits = |start: &str| -> Vec<u32> {
        SHARED.iter().filter(|s| s.name.starts_with(start)).map(|s| s.value as u32).collect()
    };
    let mut faults: Vec<u32> = control::FAULTS.iter().map(|f| f.0).collect();
    faults.sort_unstable();
    assert_eq!(faults, bits("FAULT_"));
    assert_eq!(GATES.iter().map(|g| g.1).collect::<Vec<_>>(), bits("GATE_"));
    for (name, bit) in GATES {
        let name = format!("GATE_{}", name.to_uppercase());
        assert!(SHARED.iter().any(|s| s.name == name && s.value == f64::from(bit)), "{name}");
    }
}

/// What faults say of sizes.
#[test]
fn faults_state_the_limits() {
    let says = |fault: control::Fault, number: u64| {
        let digits = number.to_string();
        let grouped: Vec<&str> =
            digits.as_bytes().rchunks(3).rev().map(|c| str::from_utf8(c).expect("digits")).collect();
        assert!(fault.1.contains(&grouped.join(",")), "{number}: {}", fault.1);
    };
    says(control::CROWD, NEIGHBOURS_MAX as u64);
    says(control::CROWD, CROWD_MAX.into());
    says(control::PLATE, PLATE_CONTACTS_MAX.into());
    says(control::LISTED, WIDE_LANES * WIDE_SHARE_MAX);
}

/// The shader of every law declares the constants that the host writes, by name and in order.
#[test]
fn constants_of_laws_are_those_of_their_shaders() {
    let units = Units::new(1.0, 1.0, 1.0);
    for law in registry::all() {
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
