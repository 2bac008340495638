//! `breccia bench`: whole steps and single passes on a dense packing with full friction history, beside the copy
//! bandwidth of the same device.

use breccia::bench::{Report, run as measure};
use breccia::error::Result;
use breccia::gpu::{Gpu, describe};

/// Measure steps and passes on this device
#[derive(clap::Args)]
pub struct Args {
    /// Numbers of bodies
    #[arg(long, value_delimiter = ',', default_values_t = [10_000usize, 100_000])]
    bodies: Vec<usize>,
    /// Adapter: index, or part of its name
    #[arg(long)]
    gpu: Option<String>,
    /// Machine-readable
    #[arg(long)]
    json: bool,
}

/// `breccia bench`.
pub fn run(args: Args) -> Result<u8> {
    let mut reports: Vec<Report> = vec![];
    for &n in &args.bodies {
        let gpu = Gpu::open(args.gpu.as_deref())?;
        let device = describe(&gpu.info);
        let report = measure(gpu, n)?;
        if !args.json {
            println!("{device}: {} bodies, {} pairs, copy {:.1} GB/s", report.bodies, report.pairs, report.copy_gb_s);
            println!(
                "  step          {:10.1} us  {:.3e} particle-steps/s",
                1e6 * report.step_s,
                n as f64 / report.step_s
            );
            for pass in &report.passes {
                println!("  {:<20} {:10.1} us  x {:.2} a step", pass.name, 1e6 * pass.seconds, pass.per_step);
            }
        }
        reports.push(report);
    }
    if args.json {
        println!("{}", serde_json::json!({ "reports": reports }));
    }
    Ok(0)
}
