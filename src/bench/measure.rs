//! Measures the parts that are chosen, one after the other.

use super::{
    Device, Missing, Open, Part, Report, Row, Rows, clock, contacts, gravity, hash, polyhedron, regolith, sort, step,
};
use crate::base::error::{Error, Result};
use crate::base::version::version;
use crate::gpu::device::Gpu;
use crate::gpu::threads;

/// Measures `parts` at each of `sizes`. `missing` lists what does not fit the device; a broken device ends all
/// measurements.
pub fn run(open: &Open, sizes: &[usize], parts: &[Part], said: &mut dyn FnMut(&Device, &Row)) -> Result<Report> {
    let gpu = open()?;
    let mut report = Report { device: device(&gpu)?, rows: vec![], missing: vec![] };
    for &n in sizes {
        for part in parts {
            let result = fits(&gpu, n, *part).and_then(|()| match part {
                Part::Step => step::rows(open, n),
                Part::Sort => sort::rows(&gpu, n),
                Part::Gravity => gravity::rows(&gpu, n),
                Part::Tree => gravity::tree_row(&gpu, n),
                Part::Contacts => contacts::rows(open, n),
                Part::Polyhedron => polyhedron::rows(&gpu, n),
                Part::Hash => hash::rows(open, n),
                Part::Regolith => regolith::rows(open, n),
            });
            report.add(part.name(), n, result, said)?;
        }
    }
    Ok(report)
}

impl Report {
    fn add(&mut self, what: &str, n: usize, result: Result<Rows>, said: &mut dyn FnMut(&Device, &Row)) -> Result<()> {
        for row in result.unwrap_or_else(|e| vec![Err((what.to_owned(), e))]) {
            match row {
                Ok(row) => {
                    said(&self.device, &row);
                    self.rows.push(row);
                }
                Err((what, e)) if matches!(e.exit_code(), 2 | 5) => {
                    self.missing.push(Missing { what, count: n, why: e.to_string() });
                }
                Err((_, e)) => return Err(e),
            }
        }
        Ok(())
    }
}

/// Refuses sizes whose bodies or keys the device could not bind, before the host makes them.
fn fits(gpu: &Gpu, n: usize, part: Part) -> Result<()> {
    if n == 0 {
        return Err(Error::Usage("--bodies 0: there is nothing to measure; give at least 1".into()));
    }
    let (name, bytes) = if part == Part::Sort { ("cell_key", 4) } else { ("body_state", 64) };
    gpu.room(name, (n as u64).saturating_mul(bytes))
}

fn device(gpu: &Gpu) -> Result<Device> {
    let info = &gpu.info;
    Ok(Device {
        name: info.name.clone(),
        kind: format!("{:?}", info.device_type),
        backend: format!("{:?}", info.backend),
        driver: format!("{} {}", info.driver, info.driver_info).trim().to_owned(),
        threads: threads::taken(info),
        breccia: version(),
        clock: clock::name(gpu),
        copy_gb_s: clock::copy_bandwidth(gpu)?,
    })
}
