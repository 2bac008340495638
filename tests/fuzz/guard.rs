//! What an input may take: no panic, no hang, no memory beyond its size.
#![allow(unsafe_code, reason = "an allocator that counts")]

use crate::busy::busy;
use std::alloc::{GlobalAlloc, Layout, System};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Longest time for one input: as issue 15 states.
pub const TIME_MAX: Duration = Duration::from_secs(5);
/// Memory that any input may take (bytes): tables of names, a picture of the worst small mesh, ten thousand bodies.
pub const MEMORY_FLOOR: usize = 16 << 20;
/// Memory for each byte of the input beyond that.
pub const MEMORY_PER_BYTE: usize = 10;
/// An input that has not ended by now never will: the process ends, and names the input.
const HANG: Duration = Duration::from_secs(300);

static NOW: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

/// The system's allocator, counted.
pub struct Counting;

fn more(size: usize) {
    PEAK.fetch_max(NOW.fetch_add(size, Relaxed) + size, Relaxed);
}

// SAFETY: all calls are handed on to the system's allocator as they come; counting touches atomics alone.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        more(layout.size());
        // SAFETY: the caller keeps the contract, which is that of the system's allocator.
        unsafe { System.alloc(layout) }
    }
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        more(layout.size());
        // SAFETY: the caller keeps the contract, which is that of the system's allocator.
        unsafe { System.alloc_zeroed(layout) }
    }
    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller keeps the contract, which is that of the system's allocator.
        unsafe { System.dealloc(at, layout) }
    }
    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if size > layout.size() {
            more(size - layout.size());
        } else {
            NOW.fetch_sub(layout.size() - size, Relaxed);
        }
        // SAFETY: the caller keeps the contract, which is that of the system's allocator.
        unsafe { System.realloc(at, layout, size) }
    }
}

/// Counts are of the whole process: one input at a time.
static ALONE: Mutex<()> = Mutex::new(());

/// What the present input is, and since when.
static PRESENT: LazyLock<Mutex<Option<(Instant, String)>>> = LazyLock::new(|| {
    std::thread::spawn(watch);
    Mutex::new(None)
});

fn hold<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn watch() {
    loop {
        std::thread::sleep(Duration::from_millis(500));
        if let Some((since, what)) = &*hold(&PRESENT)
            && since.elapsed() > HANG
        {
            eprintln!("hangs: {what}");
            std::process::abort();
        }
    }
}

/// The most that inputs of a kind took.
#[derive(Debug, Default, Clone, Copy)]
pub struct Most {
    pub inputs: usize,
    pub accepted: usize,
    pub seconds: f64,
    /// (bytes)
    pub memory: usize,
}

/// Runs `work`, which returns whether the input was accepted, on an input of `size` bytes; `Err`: what it did wrong.
pub fn within(most: &mut Most, what: &str, size: usize, work: impl FnOnce() -> bool) -> Result<(), String> {
    let _alone = hold(&ALONE);
    *hold(&PRESENT) = Some((Instant::now(), what.to_owned()));
    let (begun, before) = (busy(), NOW.load(Relaxed));
    PEAK.store(before, Relaxed);
    let ended = catch_unwind(AssertUnwindSafe(work));
    let took = busy().saturating_sub(begun);
    let memory = PEAK.load(Relaxed).saturating_sub(before);
    *hold(&PRESENT) = None;
    most.inputs += 1;
    most.seconds = most.seconds.max(took.as_secs_f64());
    most.memory = most.memory.max(memory);
    let accepted = ended.map_err(|_| "panics".to_owned())?;
    most.accepted += usize::from(accepted);
    if took > TIME_MAX {
        return Err(format!("takes {took:?}"));
    }
    let room = MEMORY_FLOOR + MEMORY_PER_BYTE * size;
    if memory > room {
        Err(format!("takes {memory} bytes of memory; {room} for {size} bytes of input"))
    } else {
        Ok(())
    }
}
