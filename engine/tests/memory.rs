//! Memory of the tables of each game.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use assay_engine::CompiledRuleset;
use assay_engine::{Tables, Visitor, dispatch, dispatch_general};
use assay_rules::GameDef;
use assay_rules::def::BUILTIN_NAMES;

/// The system allocator, counting the bytes in use.
struct Counting;

static IN_USE: AtomicUsize = AtomicUsize::new(0);

// SAFETY: all calls are forwarded to the system allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        IN_USE.fetch_add(layout.size(), Ordering::Relaxed);
        // SAFETY: forwarded under the caller's guarantees.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        IN_USE.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: forwarded under the caller's guarantees.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Builds the tables once more and returns their size in bytes.
struct Size;

impl Visitor for Size {
    type Output = usize;

    fn visit<R: CompiledRuleset>(self, tables: Arc<Tables<R>>) -> usize {
        let before = IN_USE.load(Ordering::Relaxed);
        let again = Tables::<R>::new(tables.game());
        let size = IN_USE.load(Ordering::Relaxed) - before;
        drop(again);
        assert_eq!(IN_USE.load(Ordering::Relaxed), before, "all of it is given back");
        size
    }
}

#[test]
fn tables_need_at_most_four_mebibytes() {
    for name in BUILTIN_NAMES {
        let game = GameDef::builtin(name).unwrap();
        for size in [dispatch(&game, Size), dispatch_general(&game, Size)] {
            println!("{name}: {} KiB", size >> 10);
            assert!((1 << 14..=4 << 20).contains(&size), "{name}: {size} bytes");
        }
    }
}
