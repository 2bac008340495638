//! The radix tree made on the device equals the integer reference node by node.

use breccia::gpu::Gpu;
use breccia::reference::harness::Harness;
use breccia::reference::lbvh::{Child, Lbvh, morton63};

/// Keys as the shader gives them, in the order of the bodies, and the nodes over the sorted keys.
fn on_device(gpu: &Gpu, bodies: &[[u32; 3]]) -> (Vec<u64>, Vec<[u32; 4]>) {
    let n = bodies.len();
    let run = |keys: Option<&[u64]>| {
        let mut bench = Harness::new(gpu);
        let place: Vec<[u32; 8]> = bodies.iter().map(|p| [p[0], p[1], p[2], 0, 0, 0, 0, 0]).collect();
        let words: Vec<[u32; 2]> = keys.unwrap_or(&[]).iter().map(|k| [*k as u32, (*k >> 32) as u32]).collect();
        bench.uniform("lbvh_params", &[n as u32, 0, 0, 0]).unwrap();
        bench.fill("tree_position", &place).unwrap();
        bench.zeros("tree_index", n * 4).unwrap();
        bench.zeros("tree_node", n * 16).unwrap();
        bench.zeros("tree_rope", n * 4).unwrap();
        match keys {
            Some(_) => bench.fill("tree_key", &words).unwrap(),
            None => bench.zeros("tree_key", n * 8).unwrap(),
        }
        bench.run(if keys.is_some() { "lbvh_link" } else { "lbvh_keys" }, n.div_ceil(64) as u32).unwrap();
        (bench.read::<[u32; 2]>("tree_key").unwrap(), bench.read::<[u32; 4]>("tree_node").unwrap())
    };
    let keys: Vec<u64> = run(None).0.iter().map(|k| u64::from(k[0]) | u64::from(k[1]) << 32).collect();
    let mut sorted = keys.clone();
    sorted.sort_unstable();
    let nodes = run(Some(&sorted)).1;
    (keys, nodes)
}

#[test]
fn device_tree_equals_the_reference() {
    let gpu = Gpu::open(None).unwrap();
    let mut seed = 11_u64;
    let mut random = || {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) as u32
    };
    for n in [2, 3, 64, 65, 1000] {
        let uniform: Vec<[u32; 3]> = (0..n).map(|_| [random(), random(), random()]).collect();
        let mut far: Vec<[u32; 3]> = uniform.iter().map(|p| p.map(|c| c >> 17)).collect();
        far[0] = [(1 << 31) - 1; 3];
        for bodies in [uniform, far, vec![[9; 3]; n]] {
            let tree = Lbvh::build(&bodies);
            let (keys, nodes) = on_device(&gpu, &bodies);
            assert!(keys.iter().zip(&bodies).all(|(k, p)| *k == morton63(p.map(|c| c >> 10))), "keys, n = {n}");
            for (i, node) in tree.nodes.iter().enumerate() {
                let code = node.children.map(|c| match c {
                    Child::Leaf(l) => l as u32 | 1 << 31,
                    Child::Node(k) => k as u32,
                });
                assert_eq!(nodes[i], [code[0], code[1], node.first as u32, node.last as u32], "node {i} of {n}");
            }
        }
    }
}
