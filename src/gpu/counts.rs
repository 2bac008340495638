//! Named counts: how many of everything a run has, which lengths of buffers and dispatches are made of. Conditions are
//! [features](super::features), not counts.

use super::constants::{FACES, SLOTS_MAX, WIDE_LANES, WIDE_RUN};
use super::features::Features;
use crate::base::error::Result;
use crate::base::fault::Fault;
use std::collections::BTreeMap;

/// Invocations that share the contacts of a wall that answers to force; the workgroup of `wgsl/walls/push_plates.wgsl`.
const PLATE_LANES: u64 = 64;

/// Counts that a run may have none of, where a pipeline may still go over them.
const POSSIBLE: [&str; 14] = [
    "candidate",
    "colour",
    "contact",
    "face",
    "face_node",
    "face_partial",
    "face_sum",
    "facet",
    "frame_leg",
    "reaction",
    "wide",
    "wide_lane",
    "wide_list",
    "wide_run",
];

/// Named counts, what `over` in a pipeline may say, and features, what `for` may say.
#[derive(Debug, Clone, Default)]
pub struct Counts {
    map: BTreeMap<&'static str, u64>,
    features: Features,
}

impl Counts {
    /// Counts of a run: bodies, walls, materials, pair capacity, hash cells, gated dispatches.
    pub fn new(body: u64, wall: u64, material: u64, pair: u64, hash: u64) -> Counts {
        let mut map = BTreeMap::from(POSSIBLE.map(|name| (name, 0)));
        map.extend([
            ("one", 1),
            ("body", body),
            ("part", body),
            ("wall", wall),
            ("law", (material * material).max(1)),
            ("pair", pair.max(1)),
            ("hash", hash),
            ("room", (8 * body).max(64).next_power_of_two()),
            ("hash_bits", u64::from(hash.max(2).ilog2())),
            ("slot", SLOTS_MAX),
            ("law_constant", 16),
        ]);
        let mut counts = Counts { map, features: Features::default() };
        counts.derive();
        counts
    }

    /// True if the run has the feature.
    pub fn has(&self, feature: &str) -> bool {
        self.features.has(feature)
    }

    /// What the run has.
    pub fn features(&self) -> &Features {
        &self.features
    }

    /// Makes room for a contact law of `constant` constants.
    pub fn with_law(mut self, constant: u64) -> Counts {
        self.map.insert("law_constant", constant);
        self
    }

    /// Adds the buffers of a gravity tree over all bodies.
    pub fn with_tree(mut self) -> Counts {
        self.features.set("gravity_tree", true);
        self
    }

    /// Adds the field of an asteroid of `face` faces: walked by a tree of `node` nodes, or summed in `slice` slices.
    pub fn with_faces(mut self, face: u64, node: u64, slice: u64) -> Counts {
        let body = self.of("body");
        self.features.set("asteroid_field", true);
        self.features.set("asteroid_tree", node > 0);
        self.map.extend([("face", face), ("face_node", node)]);
        self.map.extend([("face_sum", 64 * body.div_ceil(64) * slice), ("face_partial", body * slice.max(1))]);
        self
    }

    /// Adds soft spheres in a turning frame, which is known for `leg` intervals and whose reaction on an asteroid is kept for
    /// `reaction` steps.
    pub fn with_frame(mut self, leg: u64, reaction: u64) -> Counts {
        self.features.set("turning_frame", true);
        self.map.extend([("frame_leg", leg), ("reaction", reaction.max(1))]);
        self
    }

    /// Adds the turning frame of contact dynamics.
    pub fn with_turning_axes(mut self) -> Counts {
        self.features.set("turning_frame", true);
        self
    }

    /// Adds contact dynamics, with capacity for `contact` contacts.
    pub fn with_contacts(mut self, contact: u64) -> Counts {
        self.features.set("contact_dynamics", true);
        self.map.insert("contact", contact);
        self
    }

    /// Adds polyhedra, whose `part` convex parts take `shape_data` rows.
    pub fn with_polyhedra(mut self, part: u64, shape_data: u64) -> Counts {
        self.features.set("polyhedra", true);
        self.map.extend([("shape_data", shape_data), ("part", part)]);
        self.derive();
        self
    }

    /// Neighbours are sorted as entries of all bodies together, not by the body that has them.
    pub fn set_crowded(&mut self) {
        self.features.set("crowded", true);
    }

    /// Facets of `wide` bodies are shared out over invocations; their lists have room for `list` facets, for one at least.
    pub fn set_wide(&mut self, wide: u64, list: u64) {
        let runs = self.of("surface_node").div_ceil(WIDE_RUN);
        self.map.extend([("wide", wide), ("wide_lane", WIDE_LANES * wide), ("wide_run", wide * runs)]);
        self.map.insert("wide_list", if wide > 0 { list.max(1) } else { list });
    }

    /// Adds walls of which some answer to force: a plate a wall, a workgroup each where its contacts are summed.
    pub fn with_plates(mut self) -> Counts {
        self.features.set("plates", true);
        self
    }

    /// Adds a surface of `facet` facets in `node` boxes, with capacity for `list` facets in the lists of bodies.
    pub fn with_surface(mut self, node: u64, facet: u64, list: u64) -> Counts {
        self.features.set("surface", true);
        self.features.set("second_window", facet > FACES);
        self.features.set("third_window", facet > 2 * FACES);
        self.map.extend([("surface_node", node), ("facet", facet)]);
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
    }

    /// Room for sweeps over `colour` colours of contacts; with none, iterations are Jacobi's.
    pub fn set_colour(&mut self, colour: u64) {
        self.features.set("sweeps", colour > 0);
        self.map.insert("colour", colour);
    }

    /// One workgroup makes all iterations of a step.
    pub fn set_one_group(&mut self, on: bool) {
        self.features.set("one_group", on);
    }

    /// Changes the pair capacity.
    pub fn set_pair(&mut self, pair: u64) {
        self.map.insert("pair", pair.max(1));
        self.derive();
    }

    /// Counts that follow from bodies, parts, walls and pairs.
    fn derive(&mut self) {
        let [body, part, wall, pair] = ["body", "part", "wall", "pair"].map(|name| self.of(name));
        let bits = u64::from(u64::BITS - part.leading_zeros());
        self.map.extend([
            ("part_next", part + 1),
            ("part_wall", part * wall),
            ("follower", part - body),
            ("body_all", body + wall),
            ("candidate", pair + part * wall),
            ("entry", 2 * pair),
            ("entry_bits", 2 * bits),
            ("plate_lane", PLATE_LANES * wall),
        ]);
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
        Counts { map, features: Features::default() }
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

    /// All names.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.map.keys().copied()
    }

    /// The count of that name, 0 if there is none.
    pub fn of(&self, name: &str) -> u64 {
        self.get(name).unwrap_or(0)
    }

    /// The count of that name in a run that has the feature, else 0.
    pub fn of_feature(&self, feature: &str, name: &str) -> u64 {
        if self.has(feature) { self.of(name) } else { 0 }
    }
}
