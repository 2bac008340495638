//! Bodies that fill a container at random, to a wanted packing, in layers, with boulders among them.

use super::entry::{Entry, Group};
use crate::base::error::Result;
use crate::base::quantity::Dimension as D;
use crate::base::reader::Table;
use crate::base::reader::key::{Default, Key};
use crate::model::generator::{Generate, Generator, SourcePath, Take};
use crate::model::scenario::{Scenario, Sizes};
use crate::scenario::common::{COUNT, material_index};
use crate::scenario::packing::order::{Boulder, Layer, Order, Scatter};
use crate::scenario::packing::pile::{At, PACKINGS, fill};
use crate::scenario::sizes::{RADIUS, sizes};
use crate::scenario::vessel::{self, Vessel, vessel};
use rand_pcg::Pcg64Mcg;
use serde::Serialize;

pub(super) const ENTRY: Entry = Entry::new(
    "container",
    "fills a sphere, ellipsoid, top, box, cylinder or mesh at random to a wanted packing, in layers if there are any",
    &[
        Key::table("container", vessel::KEYS)
            .required()
            .says("the container; all bodies lie wholly in it")
            .eg("{ kind = \"sphere\", radius_m = 250 }"),
        PACKING.required(),
        RADIUS,
        Key::tables("layers", LAYER)
            .says("layers inside, the innermost first; what is said beside it holds for the rest of the container")
            .eg("[{ fraction = 0.5, material = \"core\" }]"),
        Key::tables("boulders", BOULDER)
            .says("spheres at positions of their own, among the other bodies")
            .eg("[{ position_m = [0, 0, 40], radius_m = 60 }]"),
        Key::table("random_boulders", SCATTER)
            .says("spheres at random positions, among the other bodies")
            .eg("{ count = 5, radius_m = 40 }"),
    ],
    read,
);

/// Most layers: each has a surface of its own.
const LAYERS_MAX: usize = 20;

const PACKING: Key = Key::within("packing", D::Pure, *PACKINGS.start(), *PACKINGS.end())
    .says("share of the volume that bodies fill, boulders included; held to 1 %")
    .eg("0.6");
const OWN_MATERIAL: Key =
    Key::text("material").without("that of the group").says("name of the material").eg("\"core\"");

const LAYER: &[Key] = &[
    Key::within("fraction", D::Pure, 0.01, 0.99)
        .without("see container")
        .says("the layer ends where the container, made so many times its size about its mass centre, would end")
        .eg("0.5"),
    Key::table("container", vessel::KEYS)
        .without("see fraction")
        .says("the layer ends at this surface, which lies in the container")
        .eg("{ kind = \"sphere\", radius_m = 100 }"),
    OWN_MATERIAL,
    PACKING.without("that of the group"),
    Key { default: Default::Says("those of the group"), ..RADIUS },
];

const BOULDER: &[Key] = &[
    Key::vector("position_m", D::Length)
        .required()
        .says("centre, in the coordinates of the container")
        .eg("[0, 0, 40]"),
    Key::positive("radius_m", D::Length).required().says("radius").eg("60"),
    OWN_MATERIAL,
];

const SCATTER: &[Key] = &[COUNT, RADIUS, OWN_MATERIAL];

/// Its values.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "generator", rename = "container")]
struct Container {
    #[serde(flatten)]
    order: Order,
}

fn read(t: &Table, group: &Group) -> Generator {
    let (packing, radius) = (t.value("packing"), sizes(t));
    let layers: Vec<Layer> = t.tables("layers").iter().map(|l| layer(l, group, packing, &radius)).collect();
    if layers.len() > LAYERS_MAX {
        t.fault("layers", format!("{} layers are more than {LAYERS_MAX}", layers.len()), "join some");
    }
    let order = Order {
        container: vessel(&t.table("container"), group.folder, group.seed),
        layers,
        boulders: t.tables("boulders").iter().map(|b| boulder(b, group)).collect(),
        random_boulders: t.table_if("random_boulders").map(|b| scatter(&b, group)),
        packing,
        radius,
    };
    Generator::new(Container { order })
}

fn material(t: &Table, group: &Group) -> Option<usize> {
    t.has("material").then(|| material_index(t, group.materials))
}

fn layer(t: &Table, group: &Group, packing: f64, radius: &Sizes) -> Layer {
    match (t.has("fraction"), t.is_table("container")) {
        (true, true) => t.fault("container", "conflicts with fraction", "remove one of the two"),
        (false, false) => t.fault("fraction", "is missing", "add `fraction = 0.5`, or a container, for example"),
        _ => {}
    }
    let layer = Layer {
        fraction: t.has("fraction").then(|| t.value("fraction")),
        container: t.table_if("container").map(|c| vessel(&c, group.folder, group.seed)),
        material: material(t, group),
        packing: if t.has("packing") { t.value("packing") } else { packing },
        radius: if t.has("radius_m") { sizes(t) } else { radius.clone() },
    };
    t.close();
    layer
}

fn boulder(t: &Table, group: &Group) -> Boulder {
    let boulder =
        Boulder { position_m: t.vector("position_m"), radius_m: t.value("radius_m"), material: material(t, group) };
    t.close();
    boulder
}

fn scatter(t: &Table, group: &Group) -> Scatter {
    let scatter = Scatter { count: t.count("count") as usize, radius: sizes(t), material: material(t, group) };
    t.close();
    scatter
}

/// About how many bodies fill a container of this volume, by the sizes and packings of its layers.
fn grains(order: &Order, container_m3: f64) -> f64 {
    let of = |packing: f64, m3: f64, radius: &Sizes| packing * m3.max(0.0) / radius.mean_m3();
    let (mut inside_m3, mut count) = (0.0, 0.0);
    for layer in &order.layers {
        let own = || layer.container.as_ref().and_then(Vessel::about_m3);
        let end_m3 = layer.fraction.map(|f| f.powi(3) * container_m3).or_else(own).unwrap_or(inside_m3);
        count += of(layer.packing, end_m3 - inside_m3, &layer.radius);
        inside_m3 = f64::max(inside_m3, end_m3);
    }
    count + of(order.packing, container_m3 - inside_m3, &order.radius)
}

impl Generate for Container {
    /// An estimate; a container or a layer whose surface is in a file counts as empty.
    fn count(&self) -> usize {
        let order = &self.order;
        let grains = order.container.about_m3().map_or(0.0, |volume| grains(order, volume));
        let boulders = order.boulders.len() + order.random_boulders.as_ref().map_or(0, |s| s.count);
        boulders.saturating_add(grains as usize)
    }

    fn places_at_random(&self) -> bool {
        true
    }

    fn sources(&mut self) -> Vec<SourcePath<'_>> {
        let of = |key: String, path| SourcePath { key, path, run: false };
        let own = self.order.container.path().map(|path| of("container.path".into(), path));
        let layers = self.order.layers.iter_mut().enumerate();
        let theirs = layers.filter_map(|(k, layer)| {
            layer.container.as_mut()?.path().map(|path| of(format!("layers.{k}.container.path"), path))
        });
        own.into_iter().chain(theirs).collect()
    }

    fn container_m3(&self, scenario: &Scenario, group: usize) -> Result<Option<f64>> {
        Ok(Some(self.order.container.surface(&At { scenario, group }.name("container"))?.volume_m3))
    }

    fn place(&self, scenario: &Scenario, group: usize, rng: &mut Pcg64Mcg, to: &mut dyn Take) -> Result<()> {
        let bodies = fill(&self.order, &At { scenario, group }, rng)?;
        to.reserve(bodies.len());
        bodies.into_iter().for_each(|body| to.take(body));
        Ok(())
    }
}
