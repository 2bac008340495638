//! `cargo bench`: the measurements of `breccia bench` at the sizes given by BRECCIA_BENCH_BODIES (default 10000).

fn main() {
    let bodies = std::env::var("BRECCIA_BENCH_BODIES").ok().and_then(|n| n.parse().ok()).unwrap_or(10_000);
    let gpu = breccia::gpu::Gpu::open(None).expect("a GPU adapter; see `breccia doctor`");
    let report = breccia::bench::run(gpu, bodies).expect("bench");
    println!("{}", serde_json::to_string_pretty(&report).expect("json"));
}
