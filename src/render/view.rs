//! What the passes of a picture take of its camera and its scene.

use super::camera::{Camera, PATCH};
use super::scene::Scene;
use crate::gpu::elements::in_f64;
use crate::gpu::elements::picture::{PixelPatch, Plane};
use crate::gpu::layout::View;

/// Loop turns of a patch at most, pixels times faces: half of the 65,535 at which software Vulkan ends every loop.
const TURNS: u32 = 32_768;

impl Camera {
    /// The camera as shaders take it; `patches`: numbers of patches of bodies and of facets.
    pub fn view(&self, scene: &Scene, size: u32, patches: [usize; 2]) -> View {
        let grain = scene.grain;
        View {
            right: self.right.as_vec3(),
            half_width: self.half_width as f32,
            up: self.up.as_vec3(),
            perspective: if self.perspective { 1.0 } else { 0.0 },
            forward: self.forward.as_vec3(),
            grain: grain as f32,
            eye: self.eye.as_vec3(),
            blur: (0.12 * grain) as f32,
            size,
            patch_count: patches[0] as u32,
            facet_patch_count: patches[1] as u32,
            body_count: scene.spheres.len() as u32,
        }
    }

    /// The planes of the scene's parts with their normals in view coordinates.
    pub fn planes(&self, scene: &Scene) -> Vec<Plane> {
        let turned = |plane: &Plane| {
            let normal = in_f64(plane.normal);
            let normal = [self.right.dot(normal), self.up.dot(normal), self.forward.dot(normal)].map(|v| v as f32);
            Plane { normal, ..*plane }
        };
        scene.planes.iter().map(turned).collect()
    }

    /// Patches that cover every body's box on a picture of `size` pixels a side.
    pub fn patches(&self, scene: &Scene, size: u32) -> Vec<PixelPatch> {
        let mut list = vec![];
        for (body, sphere) in scene.spheres.iter().enumerate() {
            if let Some([x, y]) = self.pixel_box(sphere, size) {
                let side = (TURNS / (scene.faces[body].count + 1)).isqrt().clamp(1, PATCH);
                for top in (y.0..y.1).step_by(side as usize) {
                    for left in (x.0..x.1).step_by(side as usize) {
                        let (width, height) = (side.min(x.1 - left), side.min(y.1 - top));
                        list.push(PixelPatch::new(body as u32, [left, top], [width, height]));
                    }
                }
            }
        }
        list
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

    #[test]
    fn patches_tile_a_near_body_without_overlap_and_stay_small() {
        let camera = Camera::from_direction(DVec3::new(0.0, -1.0, 0.0)).unwrap();
        let scene = Scene::of_spheres(vec![[0.0, 0.0, 0.0, 1.0]], vec![0], 1.0);
        let patches = camera.patches(&scene, 500);
        let mut covered = vec![0u8; 500 * 500];
        for patch in patches {
            let [columns, rows] = patch.covered();
            assert!(columns.len() <= PATCH as usize && rows.len() <= PATCH as usize);
            for y in rows {
                columns.clone().for_each(|x| covered[(y * 500 + x) as usize] += 1);
            }
        }
        assert!(covered.iter().all(|c| *c <= 1), "a pixel lies in two patches");
        // A fitted unit sphere fills 1/MARGIN of the width (its silhouette a little less): box area above 85 %.
        assert!(covered.iter().filter(|c| **c == 1).count() > 500 * 500 * 85 / 100);
    }
}
