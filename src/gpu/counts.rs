//! Named counts: how many of everything a run has, which lengths of buffers and dispatches are made of.

use crate::base::error::Result;
use crate::base::fault::Fault;
use std::collections::BTreeMap;

/// Boxes that an invocation looks at for a wide body; `RUN` in `wgsl/surface/find_wide_facets.wgsl`.
pub const WIDE_RUN: u64 = 256;

/// Invocations that share a wide body's facets; the workgroup of `wgsl/surface/apply_wide_surface.wgsl`.
pub const WIDE_LANES: u64 = 256;

/// Named counts: what `over` in a pipeline may say.
#[derive(Debug, Clone, Default)]
pub struct Counts {
    map: BTreeMap<&'static str, u64>,
}

impl Counts {
    /// Counts of a run: bodies, walls, materials, pair capacity, hash cells, gated dispatches.
    pub fn new(body: u64, wall: u64, material: u64, pair: u64, hash: u64) -> Counts {
        let map = BTreeMap::from([
            ("one", 1),
            ("body", body),
            ("part", body),
            ("part_next", body + 1),
            ("wall", wall),
            ("part_wall", body * wall),
            ("law", (material * material).max(1)),
            ("pair", pair.max(1)),
            ("hash", hash),
            ("room", (8 * body).max(64).next_power_of_two()),
            ("hash_bits", u64::from(hash.max(2).ilog2())),
            ("slot", 256),
            ("tree", 0),
            ("soft", 1),
            ("law_constant", 16),
            ("plate", 0),
            ("plate_lane", 0),
            ("face", 0),
            ("face_node", 0),
            ("face_sum", 0),
            ("face_walk", 0),
            ("face_target", 0),
            ("face_partial", 0),
            ("surface_body", 0),
            ("wide", 0),
            ("wide_lane", 0),
            ("wide_run", 0),
            ("plain", 1),
            ("crowded", 0),
            ("part_plain", body),
            ("part_crowded", 0),
            ("part_bound", 0),
            ("entry", 0),
            ("entry_bits", 0),
            ("body_plain", body),
            ("body_framed", 0),
            ("frame_leg", 0),
            ("body_turning", 0),
            ("shape_turning", 0),
            ("reaction", 0),
        ]);
        Counts { map }
    }

    /// Makes room for a contact law of `constant` constants.
    pub fn with_law(mut self, constant: u64) -> Counts {
        self.map.insert("law_constant", constant);
        self
    }

    /// Adds the buffers of a gravity tree over all bodies.
    pub fn with_tree(mut self) -> Counts {
        self.map.insert("tree", self.of("body"));
        self
    }

    /// Adds the field of an asteroid of `face` faces: walked by a tree of `node` nodes, or summed in `slice` slices.
    pub fn with_faces(mut self, face: u64, node: u64, slice: u64) -> Counts {
        let body = self.of("body");
        let walked = if node > 0 { body } else { 0 };
        self.map.extend([("face", face), ("face_node", node), ("face_walk", walked), ("face_target", body)]);
        self.map.extend([("face_sum", 64 * body.div_ceil(64) * slice), ("face_partial", body * slice.max(1))]);
        self
    }

    /// Adds soft spheres in a turning frame, which is known for `leg` intervals and whose reaction on an asteroid is kept for
    /// `reaction` steps.
    pub fn with_frame(mut self, leg: u64, reaction: u64) -> Counts {
        self.map.extend([
            ("body_plain", 0),
            ("body_framed", self.of("body")),
            ("frame_leg", leg),
            ("reaction", reaction),
        ]);
        self
    }

    /// Adds the turning frame of contact dynamics.
    pub fn with_turning_axes(mut self) -> Counts {
        self.map.extend([("body_plain", 0), ("body_turning", self.of("body"))]);
        self.derive();
        self
    }

    /// Adds contact dynamics, with capacity for `contact` contacts.
    pub fn with_contacts(mut self, contact: u64) -> Counts {
        self.map.extend([("soft", 0), ("contact", contact)]);
        self.map.insert("colour", 0);
        self.derive();
        self
    }

    /// Adds polyhedra, whose `part` convex parts take `shape_data` rows.
    pub fn with_polyhedra(mut self, part: u64, shape_data: u64) -> Counts {
        self.map.extend([("polyhedra", 1), ("shape_data", shape_data), ("part", part), ("part_next", part + 1)]);
        self.map.insert("part_wall", part * self.of("wall"));
        self.map.insert("part_plain", part);
        self.derive();
        self
    }

    /// Neighbours are sorted as entries of all bodies together, not by the body that has them.
    pub fn set_crowded(&mut self) {
        let part = self.of("part");
        let bits = u64::from(u64::BITS - part.leading_zeros());
        self.map.extend([("plain", 0), ("crowded", 1)]);
        self.map.extend([
            ("part_plain", 0),
            ("part_crowded", part),
            ("part_bound", part + 1),
            ("entry_bits", 2 * bits),
        ]);
        self.derive();
    }

    /// Facets of `wide` bodies are shared out over invocations; their lists have room for `list` facets.
    pub fn set_wide(&mut self, wide: u64, list: u64) {
        let runs = self.of("surface_node").div_ceil(WIDE_RUN);
        self.map.extend([("wide", wide), ("wide_lane", WIDE_LANES * wide), ("wide_run", wide * runs)]);
        self.map.insert("wide_list", list);
    }

    /// Adds walls of which some answer to force: a plate a wall, a workgroup each where its contacts are summed.
    pub fn with_plates(mut self) -> Counts {
        self.map.extend([("plate", self.of("wall")), ("plate_lane", 64 * self.of("wall"))]);
        self
    }

    /// Adds a surface of `facet` facets in `node` boxes, with capacity for `list` facets in the lists of bodies.
    pub fn with_surface(mut self, node: u64, facet: u64, list: u64) -> Counts {
        self.map.extend([("surface_body", self.of("body")), ("surface_node", node), ("facet", facet)]);
        self.set_facet_list(list);
        self
    }

    /// Changes the room for facets in lists.
    pub fn set_facet_list(&mut self, list: u64) {
        self.map.insert("facet_list", list);
    }

    /// Changes the contact capacity.
    pub fn set_contact(&mut self, contact: u64) {
        self.map.insert("contact", contact.max(1));
        self.derive();
    }

    /// Room for sweeps over `colour` colours of contacts; with none, iterations are Jacobi's.
    pub fn set_colour(&mut self, colour: u64) {
        self.map.insert("colour", colour);
        self.derive();
    }

    fn derive(&mut self) {
        if self.of("part_crowded") > 0 {
            self.map.insert("entry", 2 * self.of("pair"));
        }
        if self.map.contains_key("contact") {
            self.map.insert("candidate", self.of("pair") + self.of("part_wall"));
            self.map.insert("body_all", self.of("body") + self.of("wall"));
            let polyhedra = self.of("polyhedra");
            for (sphere, shape, all) in
                [("sphere_pair", "shape_pair", "pair"), ("sphere_wall", "shape_wall", "part_wall")]
            {
                self.map.insert(sphere, (1 - polyhedra) * self.of(all));
                self.map.insert(shape, polyhedra * self.of(all));
            }
            self.map.insert("shape_body", polyhedra * self.of("body"));
            self.map.insert("shape_turning", polyhedra * self.of("body_turning"));
            self.map.insert("shape_part", polyhedra * self.of("part"));
            self.map.insert("follower", self.of("part") - self.of("body"));
            let sweep = self.of("colour").min(1);
            self.map.insert("sweep", sweep);
            self.map.insert("jacobi_body", (1 - sweep) * self.of("body_all"));
            self.map.insert("sweep_body", sweep * self.of("body"));
            self.map.insert("jacobi_contact", (1 - sweep) * self.of("contact"));
            self.map.insert("sweep_contact", sweep * self.of("contact"));
        }
    }

    /// Counts of a picture: what its scene holds (bodies, planes of their faces, vertices, facets), patches of bodies and of
    /// facets on the picture and on the sun's picture, and the pixels a side of both and of the finished one. A run's
    /// counts have none of these, so that it holds no such buffers.
    pub fn of_picture(
        [body, plane, vertex, facet]: [u64; 4],
        [patch, facet_patch]: [u64; 2],
        [shadow_patch, shadow_facet_patch]: [u64; 2],
        sides: [u64; 3],
    ) -> Counts {
        let [sample, shadow, finished] = sides.map(|side| side * side);
        let map = BTreeMap::from([
            ("picture_body", body),
            ("picture_plane", plane),
            ("picture_vertex", vertex),
            ("picture_facet", facet),
            ("picture_patch", patch),
            ("picture_facet_patch", facet_patch),
            ("shadow_patch", shadow_patch),
            ("shadow_facet_patch", shadow_facet_patch),
            ("picture_sample", sample),
            ("shadow_sample", shadow),
            ("picture", finished),
        ]);
        Counts { map }
    }

    /// The count of that name.
    pub fn get(&self, name: &str) -> Option<u64> {
        self.map.get(name).copied()
    }

    /// The count of that name, which a pipeline wrote.
    pub fn known(&self, name: &str) -> Result<u64> {
        self.get(name).ok_or_else(|| {
            let known: Vec<_> = self.names().collect();
            Fault::new(format!("unknown count `{name}`")).remedy(format!("known counts: {}", known.join(", "))).into()
        })
    }

    /// Changes the pair capacity.
    pub fn set_pair(&mut self, pair: u64) {
        self.map.insert("pair", pair.max(1));
        self.derive();
    }

    /// All names.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.map.keys().copied()
    }

    /// The count of that name, 0 if there is none.
    pub fn of(&self, name: &str) -> u64 {
        self.get(name).unwrap_or(0)
    }
}
