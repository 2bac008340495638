//! Scan and radix sort on the device against the host, at the sizes where such code breaks.

mod common;
use breccia::blocks::radix_sort::{Key, radix_sort};
use breccia::blocks::scan::exclusive_scan;
use breccia::gpu::Gpu;
use breccia::reference::harness::Harness;
use common::gpu;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

const SIZES: [usize; 12] = [0, 1, 2, 63, 64, 65, 1000, 1023, 1024, 1025, 4097, 100_000];

fn scan(gpu: &Gpu, values: &[u32]) {
    let mut h = Harness::new(gpu);
    let n = values.len();
    h.fill("values", values).expect("fill");
    h.zeros("scanned", 4 * (n + 1)).expect("zeros");
    h.run_block(&exclusive_scan("values", "scanned", n as u32, "scan")).expect("scan");
    let got: Vec<u32> = h.read("scanned").expect("read");
    let mut sum = 0u32;
    for (k, v) in values.iter().enumerate() {
        assert_eq!(got[k], sum, "n {n}, place {k}");
        sum = sum.wrapping_add(*v);
    }
    assert_eq!(got[n], sum, "total of {n}");
}

#[test]
fn scan_equals_the_host() {
    let gpu = gpu();
    let mut rng = Pcg64Mcg::seed_from_u64(1);
    for n in SIZES.into_iter().chain([2_000_000]) {
        scan(&gpu, &(0..n).map(|_| rng.random_range(0..9)).collect::<Vec<_>>());
    }
}

fn sort(gpu: &Gpu, keys: &[u64], key: Key, bits: u32) {
    let mut h = Harness::new(gpu);
    let n = keys.len();
    let words: Vec<u32> = match key {
        Key::Bits32 => keys.iter().map(|k| *k as u32).collect(),
        Key::Bits64 => keys.iter().flat_map(|k| [*k as u32, (*k >> 32) as u32]).collect(),
    };
    h.fill("keys", &words).expect("fill");
    h.fill("payload", &(0..n as u32).collect::<Vec<_>>()).expect("fill");
    h.run_block(&radix_sort("keys", "payload", n as u32, key, bits, "sort")).expect("sort");
    let payload: Vec<u32> = h.read("payload").expect("read");
    let mut expected: Vec<u32> = (0..n as u32).collect();
    expected.sort_by_key(|k| keys[*k as usize]); // stable
    assert_eq!(payload, expected, "n {n}, {key:?}");
    let sorted: Vec<u32> = h.read("keys").expect("read");
    let width = sorted.len() / n.max(1);
    for (place, k) in expected.iter().enumerate() {
        assert_eq!(sorted[place * width..(place + 1) * width], words[*k as usize * width..(*k as usize + 1) * width]);
    }
}

#[test]
fn sort_is_right_and_stable() {
    let gpu = gpu();
    let mut rng = Pcg64Mcg::seed_from_u64(2);
    for n in SIZES {
        sort(&gpu, &(0..n).map(|_| rng.random::<u32>().into()).collect::<Vec<u64>>(), Key::Bits32, 32);
        sort(&gpu, &(0..n).map(|_| rng.random()).collect::<Vec<u64>>(), Key::Bits64, 64);
        // Few different keys: only a stable sort keeps the payload in order.
        sort(&gpu, &(0..n).map(|_| rng.random_range(0..5)).collect::<Vec<u64>>(), Key::Bits32, 8);
        sort(&gpu, &vec![7; n], Key::Bits64, 64);
    }
}

/// 67 million values need more workgroups than one dimension holds. Slow on software devices.
#[test]
#[ignore = "nightly: 67 million values"]
fn scan_beyond_65535_workgroups() {
    scan(&gpu(), &vec![1; 65_536 * 1024 + 3]);
}
