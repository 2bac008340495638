//! `cargo bench`: what `breccia bench --json` prints, at the size given by BRECCIA_BENCH_BODIES (default 10000).

use breccia::bench::Part;
use breccia::bench::measure::run;
use breccia::gpu::device::Gpu;

fn main() {
    let bodies = std::env::var("BRECCIA_BENCH_BODIES").ok().and_then(|n| n.parse().ok()).unwrap_or(10_000);
    let report = run(&|| Gpu::open(None), &[bodies], &Part::ALL, &mut |_, _| ()).expect("a GPU; see `breccia doctor`");
    println!("{}", serde_json::to_string_pretty(&report).expect("json"));
}
