//! Much memory, all zero, for tables that are looked up at random.
//!
//! It comes orthogonal from the system, so that a page costs nothing before it is used, and in huge pages where the system has
//! them: with small ones nearly every look-up in a large table misses the processor's list of pages as well as its caches.

use std::io;
use std::sync::atomic::AtomicU64;

use memmap2::MmapMut;

/// Words that threads share.
#[derive(Debug)]
pub(crate) struct HugePages {
    map: MmapMut,
}

impl HugePages {
    /// That many words, all zero.
    ///
    /// # Errors
    /// When the system has not so much memory.
    pub(crate) fn zeroed(words: usize) -> io::Result<HugePages> {
        let bytes = words
            .checked_mul(size_of::<AtomicU64>())
            .ok_or(io::ErrorKind::OutOfMemory)?;
        let map = MmapMut::map_anon(bytes)?;
        // A wish, which not every system grants; everything works without.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Ok(HugePages { map })
    }

    /// The words.
    #[inline(always)]
    pub(crate) fn words(&self) -> &[AtomicU64] {
        let bytes: &[u8] = &self.map;
        // SAFETY: the mapping is aligned to pages, lives as long as the slice and is reached in no other way; any bits are an
        // atomic integer, and those may be changed behind a shared reference.
        unsafe { std::slice::from_raw_parts(bytes.as_ptr().cast(), bytes.len() / size_of::<AtomicU64>()) }
    }
}

/// Asks the processor to bring a word near, where it can be asked.
#[inline(always)]
pub(crate) fn prefetch(word: &AtomicU64) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: every x86-64 processor has the instruction, and it does nothing to memory.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(word).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = word;
}
