//! Draws the pictures of a campaign: finds the frames of their panels, and lets [`crate::render`] draw these.

use super::model::{Campaign, Picture, Shows};
use super::paths::run_of;
use super::shots::Shot;
use super::status::{Status, look};
use crate::analysis::velocity::Plane;
use crate::base::disk::write_atomic;
use crate::base::error::{Error, Result};
use crate::base::fault::Fault;
use crate::base::json;
use crate::gpu::choice::Wish;
use crate::gpu::device::Gpu;
use crate::gpu::pipeline::link::Sources;
use crate::model::stored::names::PLOTS;
use crate::record::files::recorded::Recorded;
use crate::render::asteroid::Asteroid;
use crate::render::camera::{Camera, Field};
use crate::render::colour_scale::{ColourScale, Spread};
use crate::render::figure::{Background, Style, square};
use crate::render::flow::Flow;
use crate::render::picture::Painter;
use crate::render::scene::{Frame, Quantity};
use crate::render::sheet::{Panel, Sheet};
use glam::DVec3;
use image::{ImageFormat, RgbaImage};
use serde::Serialize;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io::Cursor;
use std::path::{Path, PathBuf};

/// What became of a picture.
#[derive(Debug, Serialize)]
pub struct Outcome {
    /// of the picture
    pub name: String,
    /// the picture, and what its panels are
    #[serde(serialize_with = "json::as_texts")]
    pub files: Vec<PathBuf>,
    /// a case that is not done yet, or of which only its row is kept
    pub waits_for: Option<String>,
    /// why it could not be drawn
    pub error: Option<String>,
}

/// Draws all pictures into the folder plots/ of a campaign on the adapter that is wished for. One that cannot be drawn does
/// not stop the others.
pub fn draw_all(campaign: &Campaign, directory: &Path, wish: &Wish) -> Vec<Outcome> {
    let waits = |p: &Picture| {
        let mut cases = p.cases.iter().map(|(_, case)| &campaign.cases[*case]);
        cases.find(|case| look(&run_of(directory, case)).status != Status::Done).map(|case| case.name.clone())
    };
    let waiting: Vec<Option<String>> = campaign.pictures.iter().map(waits).collect();
    let ready = |(p, waits): (&Picture, &Option<String>)| waits.is_none() && matches!(p.shows, Shows::Bodies(_));
    // Velocity fields are drawn without a device.
    let gpu = campaign.pictures.iter().zip(&waiting).any(ready).then(|| Gpu::open_as(wish, wgpu::Features::empty()));
    let mut painter = match &gpu {
        Some(Ok(gpu)) => Painter::new(gpu, Sources::default()).map_err(|e| e.to_string()),
        Some(Err(e)) => Err(e.to_string()),
        None => Err(String::new()),
    };
    let mut outcome = |(p, waits_for): (&Picture, Option<String>)| {
        let mut outcome = Outcome { name: p.name.clone(), files: vec![], waits_for, error: None };
        if outcome.waits_for.is_none() {
            match p.draw(campaign, directory, &mut painter) {
                Ok(files) => outcome.files.extend(files),
                Err(e) => outcome.error = Some(e.to_string()),
            }
        }
        outcome
    };
    campaign.pictures.iter().zip(waiting).map(&mut outcome).collect()
}

/// What draws bodies, or why there is no device for it.
type Brush<'a> = std::result::Result<Painter<'a>, String>;

impl Picture {
    /// Draws the sheet and writes it, with a file of what its panels are.
    fn draw(&self, campaign: &Campaign, directory: &Path, brush: &mut Brush) -> Result<[PathBuf; 2]> {
        let shots = self.shots(campaign, directory)?;
        let (squares, widths_m, scale) = match (&self.shows, brush) {
            (Shows::Velocity(planes), _) => self.flows(&shots, planes)?,
            (Shows::Bodies(quantity), Ok(painter)) => self.bodies(&shots, campaign, directory, quantity, painter)?,
            (Shows::Bodies(_), Err(text)) => return Err(Error::NoAdapter(text.clone())),
        };
        let (columns, _) = self.arranged();
        let begins = |k: usize| k == 0 || shots[k].group != shots[k - 1].group;
        let panels = squares.into_iter().enumerate().map(|(k, square)| Panel {
            caption: shots[k].caption.clone(),
            square,
            width_m: begins(k).then_some(widths_m[k]),
        });
        let sheet = Sheet { title: self.title.clone(), columns, panels: panels.collect(), scale };
        self.write(&sheet.draw(), &shots, columns, directory)
    }

    fn write(&self, sheet: &RgbaImage, shots: &[Shot], columns: usize, directory: &Path) -> Result<[PathBuf; 2]> {
        let folder = directory.join(PLOTS);
        std::fs::create_dir_all(&folder).map_err(|e| Error::io(&folder, e))?;
        let [picture, panels] = ["png", "json"].map(|kind| folder.join(format!("{}.{kind}", self.name)));
        let mut bytes = Cursor::new(vec![]);
        sheet.write_to(&mut bytes, ImageFormat::Png).map_err(|e| Fault::new(e.to_string()).path(&picture).data())?;
        write_atomic(&picture, bytes.get_ref())?;
        json::write(&panels, &serde_json::json!({ "title": self.title, "columns": columns, "panels": shots }))?;
        Ok([picture, panels])
    }
}

/// Squares, the widths of their fields (m), and the scale of their colours.
type Drawn = (Vec<RgbaImage>, Vec<f64>, Option<ColourScale>);

impl Picture {
    fn bodies(
        &self,
        shots: &[Shot],
        campaign: &Campaign,
        directory: &Path,
        quantity: &Quantity,
        painter: &mut Painter,
    ) -> Result<Drawn> {
        let (mut frames, mut asteroids) = (BTreeMap::new(), BTreeMap::new());
        for shot in shots {
            if let Entry::Vacant(place) = frames.entry(&shot.path) {
                place.insert(Frame::read(&shot.path, quantity, false)?);
            }
            if let Entry::Vacant(place) = asteroids.entry(shot.case) {
                place.insert(Asteroid::of_run(&run_of(directory, &campaign.cases[shot.case]), false)?);
            }
        }
        let of = |shot: &Shot| (&frames[&shot.path], asteroids[&shot.case].as_ref(), self.views[shot.view_index].1);
        let mut fields = vec![];
        for shot in shots {
            let (frame, asteroid, view) = of(shot);
            if !view.fits(asteroid) {
                let what = format!("\"{}\" is a close-up of an asteroid, and case {} has none", shot.view, shot.name);
                return Err(Fault::new(what).remedy("give three numbers").key("views").into());
            }
            fields.push(view.field(frame, asteroid)?);
        }
        let spreads: Vec<Spread> = frames.values().filter_map(|frame| Spread::of(&frame.values)).collect();
        let scale = ColourScale::over(quantity, &spreads);
        let (mut squares, mut widths_m) = (vec![], vec![]);
        let usual = Camera::from_direction(DVec3::Z)?.width();
        for (shot, field) in shots.iter().zip(self.shared(&fields, shots, usual)) {
            let (frame, asteroid, view) = of(shot);
            let style = Style {
                asteroid: asteroid.cloned(),
                ..Style::plain(quantity.clone(), scale.clone(), field, view.camera(frame, field, asteroid)?, self.size)
            };
            squares.push(square(painter, frame, &style)?);
            widths_m.push(style.width_m());
        }
        Ok((squares, widths_m, scale))
    }

    fn flows(&self, shots: &[Shot], planes: &[Plane]) -> Result<Drawn> {
        let (mut instants, mut fields) = (vec![], vec![]);
        for shot in shots {
            let instant = Recorded::read(&shot.path)?.instant;
            let bodies = &instant.bodies;
            fields.push(Field::around(&bodies.position_m, &bodies.radius_m, &bodies.mass_kg)?);
            instants.push(instant);
        }
        let (mut flows, mut widths_m) = (vec![], vec![]);
        for ((shot, instant), field) in shots.iter().zip(&instants).zip(self.shared(&fields, shots, 2.0)) {
            flows.push(Flow::of(instant, planes[shot.view_index], field)?);
            widths_m.push(2.0 * field.radius_m);
        }
        let spreads: Vec<Spread> = flows.iter().filter_map(|flow| Spread::of(&flow.speeds())).collect();
        let scale = ColourScale::over(&Quantity::Speed, &spreads);
        let square = |flow: &Flow| scale.as_ref().map(|scale| flow.square(self.size, scale, Background::White));
        Ok((flows.iter().filter_map(square).collect(), widths_m, scale))
    }

    /// The fields of panels: each about its own bodies, those of one group equally wide. A panel is `width` radii of its
    /// field wide.
    fn shared(&self, fields: &[Field], shots: &[Shot], width: f64) -> Vec<Field> {
        let widest = |group: usize| {
            let of = fields.iter().zip(shots).filter(|(_, shot)| shot.group == group);
            of.map(|(field, _)| field.radius_m).fold(0.0, f64::max)
        };
        let radius_m = |shot: &Shot| self.width_m.map_or_else(|| widest(shot.group), |width_m| width_m / width);
        fields.iter().zip(shots).map(|(field, shot)| Field { radius_m: radius_m(shot), ..*field }).collect()
    }
}
