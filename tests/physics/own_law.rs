//! A contact law of the user's own: the linear law as a file is the linear law, on the GPU and in f64.

use crate::common::*;
use breccia::engine::Engine;
use breccia::engine::gpu::soft_sphere::SoftSphere;
use breccia::engine::reference::soft_sphere::ReferenceEngine;
use breccia::gpu::pipeline::link::Sources;
use breccia::model::body::Bodies;
use breccia::model::scenario::*;
use breccia::physics::laws::contact::{ContactState, Springs, Twin};
use breccia::physics::laws::linear_spring_dashpot::SpringDashpot;
use breccia::physics::laws::own::interpret::call;
use breccia::physics::laws::own::law::read;
use breccia::physics::laws::own::value::Value;
use breccia::physics::laws::registry::of;
use glam::DVec3;
use rand::{RngExt, SeedableRng};
use std::path::Path;

const LINEAR: &str = include_str!("../../wgsl/laws/linear_spring_dashpot.wgsl");

/// Members of the shader's struct: as they are called there and as keys, with their units.
const MEMBERS: [(&str, &str, &str); 11] = [
    ("stiffness_normal", "stiffness_normal_n_m", "N/m"),
    ("stiffness_sliding", "stiffness_sliding_n_m", "N/m"),
    ("damping_normal", "damping_normal_kg05_s", "kg^0.5/s"),
    ("damping_sliding", "damping_sliding_kg05_s", "kg^0.5/s"),
    ("friction_sliding", "friction_sliding", "1"),
    ("friction_rolling", "friction_rolling", "1"),
    ("friction_twisting", "friction_twisting", "1"),
    ("shape_parameter", "shape_parameter", "1"),
    ("rolling_printed", "rolling_printed", "1"),
    ("cohesion", "cohesion_pa", "Pa"),
    ("normal_floor", "normal_floor_n", "N"),
];

/// The shader of the linear law as a user would write it.
fn linear() -> String {
    let mut text = LINEAR.to_owned();
    let mut header = String::new();
    for (member, key, unit) in MEMBERS {
        let whole = regex::Regex::new(&format!(r"(law\.|\n    ){member}\b")).expect("pattern");
        text = whole.replace_all(&text, format!("${{1}}{key}")).into_owned();
        header += &format!("//! key {key} [{unit}] any mean \"as in the linear law\"\n");
    }
    header + &text
}

/// A material with the constants that the linear law makes of one.
fn constants(law: &SpringDashpot) -> Material {
    let values = [
        law.stiffness_normal,
        law.stiffness_sliding,
        law.damping_normal,
        law.damping_sliding,
        law.friction.sliding,
        law.friction.rolling,
        law.friction.twisting,
        law.friction.shape_parameter,
        0.0, // rolling_rate = "objective"
        law.adhesion_pa,
        -1e30,
    ];
    let rock = Material::new("rock", 3350.0);
    MEMBERS.iter().zip(values).fold(rock, |rock, ((_, key, _), value)| rock.with(key, value))
}

fn own(folder: &Path) -> LawName {
    let path = folder.join("linear.wgsl");
    std::fs::write(&path, linear()).expect("written");
    read(&path).unwrap_or_else(|faults| panic!("{faults:?}"))
}

/// Twenty rough, sticky spheres that fly together, and a floor; by the linear law and by the same as a file.
fn both(folder: &Path) -> [(Scenario, Bodies); 2] {
    let (mut s, mut b) = cluster();
    b.velocity_m_s.iter_mut().for_each(|v| v.z -= 0.2);
    s.gravity.push(GravitySource::Uniform { acceleration_m_s2: DVec3::new(0.0, 0.0, -0.05) });
    s.walls = vec![wall(DVec3::ZERO)];
    s.walls[0].point_m.z = -0.29;
    let law = SpringDashpot::between(&s.materials[0], &s.materials[0]);
    let mut other = s.clone();
    other.run.contact_law = own(folder);
    other.materials = vec![constants(&law)];
    [(s, b.clone()), (other, b)]
}

#[test]
fn the_linear_law_as_a_file_gives_the_same_bytes() {
    let folder = tempfile::tempdir().expect("folder");
    let [(s, b), (own, c)] = both(folder.path());
    let dt = breccia::physics::time_step::time_step(&s, &b).dt_s;
    let gpu = |s: &Scenario, b: &Bodies| SoftSphere::new(gpu(), s, b, dt, Sources::default()).expect("engine");
    let (mut built_in, mut file) = (gpu(&s, &b), gpu(&own, &c));
    let mut met = [0; 2];
    for k in 0..10 {
        built_in.run_to(150 * k).expect("steps");
        file.run_to(150 * k).expect("steps");
        let [a, c] = [&mut built_in, &mut file].map(|e| e.snapshot().expect("snapshot"));
        assert_eq!(a.bodies.position_m, c.bodies.position_m, "step {}", a.step);
        assert_eq!(a.bodies.velocity_m_s, c.bodies.velocity_m_s, "step {}", a.step);
        assert_eq!(a.bodies.spin_rad_s, c.bodies.spin_rad_s, "step {}", a.step);
        assert_eq!(a.dissipated.sliding_j, c.dissipated.sliding_j, "step {}", a.step);
        assert_eq!((a.contacts.len(), a.wall_contacts.len()), (c.contacts.len(), c.wall_contacts.len()));
        met = [met[0] + a.contacts.len(), met[1] + a.wall_contacts.len()];
        // energies in f64: of the built-in twin, and of the shader run on the CPU
        let elastic = |s: &breccia::model::snapshot::Snapshot| {
            let pairs: f64 = s.contacts.iter().map(|c| c.elastic_j).sum();
            pairs + s.wall_contacts.iter().map(|c| c.elastic_j).sum::<f64>()
        };
        assert!((elastic(&a) - elastic(&c)).abs() <= 1e-9 * elastic(&a).abs(), "{} {}", elastic(&a), elastic(&c));
    }
    assert!(met[0] > 10 && met[1] > 3, "{met:?} contacts");
}

#[test]
fn the_reference_engine_takes_the_law_of_a_file() {
    let folder = tempfile::tempdir().expect("folder");
    let [(s, b), (own, c)] = both(folder.path());
    let dt = breccia::physics::time_step::time_step(&s, &b).dt_s;
    let reference = |s: &Scenario, b: &Bodies| ReferenceEngine::new(s, b, dt).expect("engine");
    let (mut built_in, mut file) = (reference(&s, &b), reference(&own, &c));
    built_in.run_to(600).expect("steps");
    file.run_to(600).expect("steps");
    let lost = |d: breccia::model::snapshot::Dissipated| d.normal_j + d.sliding_j + d.rolling_j + d.twisting_j;
    let [a, c] = [&mut built_in, &mut file].map(|e| e.snapshot().expect("snapshot"));
    assert!(a.contacts.len() + a.wall_contacts.len() > 2 && lost(a.dissipated) > 0.0);
    // literals of a shader are rounded to f32, and no sum is in the same order
    for k in 0..b.len() {
        let off = a.bodies.position_m[k].distance(c.bodies.position_m[k]);
        assert!(off < 1e-9 * R, "body {k} is off by {off} m");
    }
    assert!((lost(a.dissipated) / lost(c.dissipated) - 1.0).abs() < 1e-6);
}

/// Contact by contact, anything from rest to gross sliding, in SI at a step that is not 1.
#[test]
fn the_shader_run_in_f64_is_the_law_in_f64() {
    let folder = tempfile::tempdir().expect("folder");
    let name = own(folder.path());
    let rough = rough(NormalTension::Kept);
    let law = SpringDashpot::between(&rough, &rough);
    let material = constants(&law);
    let dt = 3e-4;
    let file = of(&name).between(&material, &material).twin(dt);
    let mut rng = rand_pcg::Pcg64Mcg::seed_from_u64(4);
    let mut any = move || DVec3::from_array([0; 3].map(|_| rng.random_range(-1.0..1.0)));
    for k in 0..300 {
        let overlap = 1e-4 * (1.5 + any().x);
        let springs =
            Springs { sliding: 1e-6 * any(), rolling: 1e-5 * any(), twisting: 1e-5 * any().x, ..Springs::default() };
        let vigour = 10f64.powi(-(k % 5));
        let s = ContactState {
            normal: any().normalize(),
            overlap,
            before: overlap,
            velocity: 0.05 * vigour * any(),
            spin_i: vigour * any(),
            spin_j: vigour * any(),
            arm_i: file.arm(0.1, 0.07, 0.17 - overlap),
            arm_j: 0.17 - overlap - file.arm(0.1, 0.07, 0.17 - overlap),
            mass: 7.0,
            radius: 0.1 * 0.07 / 0.17,
            springs,
        };
        assert!((s.arm_i - law.arm(0.1, 0.07, 0.17 - overlap)).abs() < 1e-15);
        let (a, b) = (law.force(&s, dt), file.force(&s, dt));
        let force = a.force.length();
        assert!(a.force.distance(b.force) < 1e-9 * force, "{} {}", a.force, b.force);
        assert!(
            a.torque_i.distance(b.torque_i) < 1e-9 * force * 0.1
                && a.torque_j.distance(b.torque_j) < 1e-9 * force * 0.1
        );
        assert!(a.springs.sliding.distance(b.springs.sliding) < 1e-15, "{:?} {:?}", a.springs, b.springs);
        for (x, y) in a.dissipated.iter().zip(b.dissipated) {
            assert!(
                (x - y).abs() < 1e-9 * force * (s.velocity.length() + vigour) * dt,
                "{:?} {:?}",
                a.dissipated,
                b.dissipated
            );
        }
        let [x, y] = [&law as &dyn Twin, &*file].map(|l| l.energy(s.radius, s.overlap, s.before, &springs));
        assert!((x - y).abs() < 1e-9 * x.abs() + 1e-18, "{x} {y}");
    }
}

/// Every kind of statement and expression that a law may use, with what it gives.
const CODE: &str = r"
const TABLE = array<f32, 3>(1.0, 2.0, 4.0);
struct Pair { a: vec2<f32>, n: i32 }
fn twice(x: f32) -> f32 { return 2.0 * x; }
fn turns(n: i32) -> f32 {
    var sum = 0.0;
    for (var k = 0; k < n; k++) {
        if (k == 2) { continue; }
        if (k > 5) { break; }
        sum += f32(k);
    }
    loop { sum += 0.5; if (sum > 20.0) { break; } continuing { sum += 1.0; break if sum > 15.0; } }
    return sum;
}
fn choose(k: u32) -> f32 {
    switch k {
        case 0u: { return 10.0; }
        case 1u, 2u: { return TABLE[k]; }
        default: { }
    }
    return -1.0;
}
fn members() -> f32 {
    var list = array<vec3<f32>, 2>();
    list[1].y = 3.0;
    list[1] += vec3<f32>(1.0);
    var pair = Pair(list[1].yz, 2);
    pair.a.x *= 2.0;
    let high = select(vec2<f32>(0.0), pair.a, pair.a > vec2<f32>(1.5));
    return dot(high, vec2<f32>(1.0)) + f32(pair.n % 2) + f32(any(pair.a > vec2<f32>(7.0)));
}
fn built_in() -> f32 {
    let v = normalize(vec3<f32>(3.0, 0.0, 4.0));
    let c = cross(vec3<f32>(1.0, 0.0, 0.0), v);
    return clamp(mix(1.0, 3.0, 0.25), 0.0, 9.0) + length(c) + pow(2.0, 3.0) + twice(abs(-1.5)) + sign(-2.0) + fract(2.25);
}
fn endless() -> f32 { var x = 0.0; loop { x += 1.0; if (x < 0.0) { break; } } return x; }
";

#[test]
fn shaders_run_on_the_cpu_as_wgsl_has_it() {
    let module = naga::front::wgsl::parse_str(CODE).expect("parses");
    let run = |name: &str, arguments: Vec<Value>| {
        let (handle, _) = module.functions.iter().find(|(_, f)| f.name.as_deref() == Some(name)).expect("function");
        call(&module, handle, arguments).and_then(|v| v.number())
    };
    // 0 + 1 + 3 + 4 + 5 = 13, then halves and ones by turns: 13.5, 14.5, 15, 16
    assert_eq!(run("turns", vec![Value::Signed(99)]), Some(16.0));
    // 0 and ten times one and a half, which is not above 15, and once more
    assert_eq!(run("turns", vec![Value::Signed(0)]), Some(16.5));
    assert_eq!([0, 1, 2, 7].map(|k| run("choose", vec![Value::Unsigned(k)])), [10.0, 2.0, 4.0, -1.0].map(Some));
    // (4, 1) and twice the first: (8, 1), of which 8 is above 1.5 and above 7
    assert_eq!(run("members", vec![]), Some(9.0));
    // naga computes some of the constants itself, in f32
    let sum = 1.5 + 0.8 + 8.0 + 3.0 - 1.0 + 0.25;
    assert!((run("built_in", vec![]).expect("a number") - sum).abs() < 1e-6);
    assert_eq!(run("endless", vec![]), None);
}
