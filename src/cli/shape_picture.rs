//! Pictures of quantities on a shape, for the commands that measure them.

use super::common::Device;
use super::render::{numbers, range};
use breccia::base::disk;
use breccia::base::error::Result;
use breccia::render::camera::Camera;
use breccia::render::colour::ColourMap;
use breccia::render::colour_scale::{ColourScale, Spread};
use breccia::render::graticule::Step;
use breccia::render::lettering::Format;
use breccia::render::map::{Map, View, draw};
use breccia::render::picture::Painter;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
#[group(skip)]
pub(super) struct Args {
    /// Draw the shape in the colours of the quantity, from both sides
    #[arg(long)]
    picture: bool,
    /// Height of the picture (pixels)
    #[arg(long, default_value_t = 600, requires = "picture")]
    size: u32,
    /// Direction from the shape to the eye; the second picture is from the other side
    #[arg(long, default_value = "1,-2,0.9", allow_hyphen_values = true, value_name = "X,Y,Z", requires = "picture")]
    view: String,
    /// Ends of the colour scale, as in 0:40 [default: of slopes from 0 to what 98 % of the faces do not exceed]
    #[arg(long, value_name = "LOW:HIGH", allow_hyphen_values = true, requires = "picture")]
    range: Option<String>,
    /// Colours of the scale: viridis, cividis, batlow, grey, vik
    #[arg(long, default_value = "viridis", visible_alias = "colourmap", value_name = "MAP", requires = "picture")]
    colormap: String,
    /// Circles of latitude and longitude every so many degrees; 0: none
    #[arg(long, value_name = "DEG", default_value_t = 30, requires = "picture")]
    graticule: u32,
    /// Kind of the picture: png; or svg or pdf, with words and scale as vectors
    #[arg(long, value_enum, default_value = "png", requires = "picture")]
    format: Format,
    #[command(flatten)]
    device: Device,
}

/// Removes pictures of earlier calls, whose names begin so: they would show other numbers than the files beside them.
pub(super) fn clear(begin: &str, folder: &Path) -> Result<()> {
    let of_call = |path: &PathBuf| {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let rest = name.strip_prefix(begin).filter(|rest| rest.chars().all(|c| c.is_ascii_digit()));
        rest.is_some() && path.extension().is_some_and(|end| ["png", "svg", "pdf"].iter().any(|known| end == *known))
    };
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    files.filter(of_call).try_for_each(|path| disk::remove(&path))
}

impl Args {
    /// Draws maps into `folder`, if it is wanted: file name without its end, and map.
    pub(super) fn draw(&self, maps: Vec<(String, Map)>, folder: &Path) -> Result<Vec<PathBuf>> {
        if !self.picture {
            return Ok(vec![]);
        }
        let from = numbers("--view", &self.view)?;
        let cameras = vec![Camera::from_direction(from)?, Camera::from_direction(-from)?];
        let view = View { cameras, side: self.size, graticule: Step::parse("--graticule", self.graticule)? };
        let (colours, range) = (ColourMap::parse(&self.colormap)?, self.range.as_deref().map(range).transpose()?);
        let gpu = self.device.open()?;
        let mut painter = Painter::new(&gpu, self.device.sources())?;
        let mut files = vec![];
        for (name, mut map) in maps {
            if let Some(range) = range {
                let all = Spread::of(map.values).map_or(range, |s| [s.low, s.high]);
                map.scale = ColourScale::fixed(&map.scale.title, "", range, all);
            }
            map.scale.map = colours;
            let file = folder.join(format!("{name}.{}", self.format.ending()));
            draw(&mut painter, &map, &view)?.save(&file)?;
            files.push(file);
        }
        Ok(files)
    }
}
