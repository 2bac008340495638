//! Pictures of quantities on a shape, for the commands that measure them.

use super::common::Device;
use super::render::numbers;
use breccia::base::error::Result;
use breccia::base::fault::Fault;
use breccia::render::camera::Camera;
use breccia::render::figure::Background;
use breccia::render::map::{Map, draw};
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
    #[command(flatten)]
    device: Device,
}

impl Args {
    /// Draws maps into `folder`, if it is wanted: file name without its end, and map.
    pub(super) fn draw(&self, maps: &[(String, Map)], folder: &Path) -> Result<Vec<PathBuf>> {
        if !self.picture {
            return Ok(vec![]);
        }
        let from = numbers("--view", &self.view)?;
        let views = [Camera::from_direction(from)?, Camera::from_direction(-from)?];
        let gpu = self.device.open()?;
        let mut painter = Painter::new(&gpu, self.device.sources())?;
        let mut files = vec![];
        for (name, map) in maps {
            let file = folder.join(format!("{name}.png"));
            let picture = draw(&mut painter, map, &views, self.size, Background::White)?;
            picture.save(&file).map_err(|e| Fault::new(e.to_string()).path(&file).data())?;
            files.push(file);
        }
        Ok(files)
    }
}
