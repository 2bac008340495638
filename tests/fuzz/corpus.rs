//! Valid files to start from.

use breccia::geometry::mesh::{Mesh, write};
use breccia::scenario::bundled::built_in;
use breccia::scenario::bundled::built_in_campaigns;
use breccia::scenario::made;
use std::path::Path;

/// Built-in scenarios, and some with what they lack.
pub fn scenarios() -> Vec<String> {
    let more = r#"
format = 1
[run]
method = "contact_dynamics"
duration_s = 10
time_step_s = 0.1
[contact_dynamics]
solver = "jacobi"
[[material]]
name = "rock"
density_kg_m3 = "2.3 g/cm^3"
restitution_normal = 0.1
friction_sliding = 0.5
cohesion_force_n = 1.0
cohesion_range_m = 0.01
[[bodies]]
generator = "list"
shape = { kind = "clump", parts = [{ kind = "box", size_m = [1, 1, 1] }, { kind = "box", size_m = [1, 1, 1], position_m = [1, 0, 0] }] }
body = [{ position_m = [0, 0, 5], turn_deg = [10, 0, 0] }]
[[bodies]]
generator = "sphere"
count = 20
container_radius_m = 4
radius_m = { classes_m = [0.4, 0.5], share = "number" }
shape = { kind = "regular", solid = "cube" }
offset_m = [20, 0, 9]
[[bodies]]
generator = "sphere"
count = 5
container_radius_m = 4
radius_m = { min_m = 0.2, mean_m = 0.3, max_m = 0.5 }
shape = { kind = "regular", solid = "cube" }
offset_m = [-20, 0, 9]
[[wall]]
name = "press"
kind = "plate"
point_m = [0, 0, -5]
normal = [0, 0, 1]
servo_force_n = 5
servo_mass_kg = 1e4
[[wall]]
name = "pen"
kind = "box"
min_m = [-50, -50, -50]
max_m = [50, 50, 50]
[[region]]
name = "low"
min_m = [-1, -1, -1]
max_m = [1, 1, 1]
[[gravity]]
kind = "uniform"
acceleration_m_s2 = [0, 0, -1e-3]
[expect.low_bodies_final]
value = 1
tolerance = 1
source = "none"
"#;
    let filled = r#"
format = 1
[run]
duration_s = 1
[[material]]
name = "rock"
density_kg_m3 = 2000
stiffness_normal_n_m = 1e4
restitution_normal = 0.5
friction_sliding = 0.5
[[material]]
name = "core"
density_kg_m3 = 3000
stiffness_normal_n_m = 1e4
restitution_normal = 0.5
friction_sliding = 0.5
[[bodies]]
generator = "container"
material = "rock"
container = { kind = "top", equatorial_radius_m = 5, polar_radius_m = 4, ridge_exponent = 1.5, faces = 80 }
packing = 0.4
radius_m = { classes_m = [0.8, 1.0], share = "mass", parts = [1, 2] }
layers = [{ fraction = 0.5, material = "core", packing = 0.3, radius_m = 0.5 }]
boulders = [{ position_m = [3, 0, 0], radius_m = 0.6, material = "core" }]
random_boulders = { count = 1, radius_m = 0.7 }
[[bodies]]
generator = "container"
material = "rock"
container = { kind = "cylinder", radius_m = 3, height_m = 6, centre_m = [20, 0, 0], turn_deg = [0, 30, 0] }
packing = 0.3
radius_m = 0.7
"#;
    let more = [more, filled].map(str::to_owned);
    built_in().iter().map(|b| b.text.to_owned()).chain(more).collect()
}

pub fn campaigns() -> Vec<String> {
    let more = r#"
format = 1
scenario = "accretion_small"
timing = true
[[together]]
name = "law"
labels = ["flat", "steep"]
"bodies.0.radius_m" = [{ min_m = 0.8, max_m = 1.0 }, { min_m = 0.5, mean_m = 0.55, max_m = 0.9 }]
[analysis]
parts = ["shape", "aggregates"]
alpha_m = ["auto", "4 m", 6]
at_s = [0, "10 min"]
[[plot]]
x = ["shape.balls.1.alpha_m", "shape.balls.2.alpha_m"]
y = ["shape.balls.1.porosity", "shape.balls.2.porosity"]
names = ["small", "large"]
[[plot]]
x = "law"
y = ["timing.gravity_share", "aggregates.at_600s.count"]
"#;
    built_in_campaigns().iter().map(|(_, text)| (*text).to_owned()).chain([more.to_owned()]).collect()
}

/// Small surfaces in each format: name of a file, and what it holds.
pub fn meshes(folder: &Path) -> Vec<(&'static str, Vec<u8>)> {
    let words = ["kind=ellipsoid", "semi_axes_m=[3, 2, 1]", "faces=80"].map(str::to_owned);
    let mesh = made::from_words(&words).expect("keys").make("body").expect("a body");
    let mut list: Vec<(&'static str, Vec<u8>)> = vec![];
    for name in ["a.obj", "a.ply", "a.stl"] {
        let path = folder.join(name);
        write::write(&path, &mesh.vertices_m, &mesh.faces, "test", true).expect("writes");
        list.push((name, std::fs::read(&path).expect("reads")));
    }
    list.push(("b.ply", text_ply(&mesh)));
    list.push(("b.stl", text_stl(&mesh)));
    list.push(("b.obj", b"o one\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\no two\nv 5 0 0\nv 6 0 0\nv 5 1 0\nv 5 0 1\nf -4 -2 -3\nf 5 6 8\nf 6/1 7/2/3 8//1\nf 7 5 8\n".to_vec()));
    let vertex = |k: usize| format!("{} {} {}", mesh.vertices_m[k].x, mesh.vertices_m[k].y, mesh.vertices_m[k].z);
    let rows = |numbered: bool| {
        let own = |k: usize| if numbered { format!("{} ", k + 1) } else { String::new() };
        let vertices: String = (0..mesh.vertices_m.len()).map(|k| format!("{}{}\n", own(k), vertex(k))).collect();
        let plate = |(k, f): (usize, &[u32])| format!("{}{} {} {}\n", own(k), f[0] + 1, f[1] + 1, f[2] + 1);
        [vertices, mesh.faces.iter().enumerate().map(plate).collect::<String>()]
    };
    let [vertices, plates] = rows(false);
    list.push(("a.plate", format!("{} {}\n{vertices}{plates}", mesh.vertices_m.len(), mesh.faces.len()).into_bytes()));
    let [vertices, plates] = rows(true);
    list.push(("a.tab", format!("{}\n{vertices}{}\n{plates}", mesh.vertices_m.len(), mesh.faces.len()).into_bytes()));
    list.push(("a.icq", icq(2)));
    list
}

fn text_ply(mesh: &Mesh) -> Vec<u8> {
    let mut text = format!(
        "ply\nformat ascii 1.0\ncomment test\nelement vertex {}\nproperty double x\nproperty double y\nproperty double z\nelement face {}\nproperty list uchar int vertex_indices\nend_header\n",
        mesh.vertices_m.len(),
        mesh.faces.len()
    );
    mesh.vertices_m.iter().for_each(|v| text += &format!("{} {} {}\n", v.x, v.y, v.z));
    mesh.faces.iter().for_each(|f| text += &format!("3 {} {} {}\n", f[0], f[1], f[2]));
    text.into_bytes()
}

fn text_stl(mesh: &Mesh) -> Vec<u8> {
    let mut text = String::from("solid test\n");
    for face in mesh.faces.iter() {
        text += "facet normal 0 0 0\nouter loop\n";
        for v in face.iter().map(|c| mesh.vertices_m[*c as usize]) {
            text += &format!("vertex {:e} {:e} {:e}\n", v.x, v.y, v.z);
        }
        text += "endloop\nendfacet\n";
    }
    (text + "endsolid test\n").into_bytes()
}

/// A cube as implicitly connected quadrilaterals.
fn icq(q: i32) -> Vec<u8> {
    let mut text = format!("{q}\n");
    let axes: [[i32; 3]; 6] = [[0, 1, 2], [0, 1, 2], [1, 2, 0], [1, 2, 0], [2, 0, 1], [2, 0, 1]];
    for (side, [u, v, w]) in axes.into_iter().map(|a| a.map(|k| k as usize)).enumerate() {
        for (j, i) in (0..=q).flat_map(|j| (0..=q).map(move |i| (j, i))) {
            let mut p = [0; 3];
            (p[u], p[v], p[w]) = (2 * i - q, 2 * j - q, if side % 2 == 0 { q } else { -q });
            text += &format!("{} {} {}\n", p[0], p[1], p[2]);
        }
    }
    text.into_bytes()
}
