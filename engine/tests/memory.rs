//! Memory of the tables of each game.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::Arc;

use assay_engine::{CompiledRuleset, Tables, Visitor, dispatch, dispatch_general};
use assay_rules::GameDef;
use assay_rules::def::BUILTIN_NAMES;

/// The system allocator, counting the bytes that each thread has allocated and not freed. Other
/// threads of the test harness allocate at any time.
struct Counting;

thread_local! {
    static IN_USE: Cell<usize> = const { Cell::new(0) };
}

fn in_use() -> usize {
    IN_USE.with(Cell::get)
}

fn count(update: impl FnOnce(usize) -> usize) {
    // A thread that is ending no longer has a counter.
    let _ = IN_USE.try_with(|in_use| in_use.set(update(in_use.get())));
}

// SAFETY: all calls are forwarded to the system allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(|bytes| bytes.wrapping_add(layout.size()));
        // SAFETY: forwarded under the caller's guarantees.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(|bytes| bytes.wrapping_sub(layout.size()));
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
        let before = in_use();
        let again = Tables::<R>::new(tables.game());
        let size = in_use().wrapping_sub(before);
        drop(again);
        assert_eq!(in_use(), before, "all of it is freed");
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
