//! An allocator that limits what one input may allocate.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Maximum memory held at any time while one input runs, in bytes.
pub const LIMIT: usize = 256 << 20;

static HELD: AtomicUsize = AtomicUsize::new(0);
static BASE: AtomicUsize = AtomicUsize::new(0);
static IS_EXCEEDED: AtomicBool = AtomicBool::new(false);

/// The system's allocator with a count of the bytes held by all threads. An allocation above
/// [`LIMIT`] ends the process: an allocator must not unwind.
pub struct LimitedAllocator;

/// Resets the count for the next input.
pub fn begin_input() {
    BASE.store(HELD.load(Ordering::Relaxed), Ordering::Relaxed);
}

fn count(size: usize) {
    let held = HELD.fetch_add(size, Ordering::Relaxed) + size;
    let excess = held.saturating_sub(BASE.load(Ordering::Relaxed));
    // Printing also allocates.
    if excess > LIMIT && !IS_EXCEEDED.swap(true, Ordering::Relaxed) {
        eprintln!("an input holds more than {} MiB", LIMIT >> 20);
        std::process::abort();
    }
}

// SAFETY: every call is passed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for LimitedAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: the caller keeps the contract of `alloc`, which is the same.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: the caller keeps the contract of `alloc_zeroed`, which is the same.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `dealloc`, which is the same.
        unsafe { System.dealloc(pointer, layout) }
    }
}
