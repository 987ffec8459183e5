//! Zeroed memory in huge pages, for large hash tables.
//!
//! The memory is mapped directly from the operating system, so that a page costs nothing before its
//! first use. With normal pages, nearly every probe of a large table would miss the TLB as well as
//! the caches. Where nothing can be mapped, as in a browser, it is ordinary memory.

use std::io;
use std::sync::atomic::AtomicU64;

#[cfg(any(unix, windows))]
use memmap2::{MmapOptions, MmapRaw};

/// An array of atomic words.
#[derive(Debug)]
pub(crate) struct HugePages {
    #[cfg(any(unix, windows))]
    map: MmapRaw,
    #[cfg(not(any(unix, windows)))]
    words: Vec<AtomicU64>,
}

#[cfg(any(unix, windows))]
impl HugePages {
    /// Allocates an array of `words` words, all zero.
    ///
    /// # Errors
    /// If the memory cannot be allocated.
    pub(crate) fn zeroed(words: usize) -> io::Result<HugePages> {
        let bytes = words.checked_mul(size_of::<AtomicU64>()).ok_or(io::ErrorKind::OutOfMemory)?;
        let map = MmapRaw::from(MmapOptions::new().len(bytes).map_anon()?);
        // Best effort: the kernel may ignore the hint.
        #[cfg(all(target_os = "linux", not(miri)))]
        let _ = map.advise(memmap2::Advice::HugePage);
        Ok(HugePages { map })
    }

    #[inline(always)]
    pub(crate) fn words(&self) -> &[AtomicU64] {
        // SAFETY: the mapping is aligned to pages, lives as long as the slice and is accessed only
        // through it; any bit pattern is a valid atomic integer. The pointer comes from the mapping
        // itself: one from a `&[u8]` would not allow writes.
        unsafe { std::slice::from_raw_parts(self.map.as_ptr().cast(), self.map.len() / size_of::<AtomicU64>()) }
    }
}

#[cfg(not(any(unix, windows)))]
impl HugePages {
    pub(crate) fn zeroed(length: usize) -> io::Result<HugePages> {
        let mut words = Vec::new();
        words.try_reserve_exact(length).map_err(|_| io::ErrorKind::OutOfMemory)?;
        words.resize_with(length, || AtomicU64::new(0));
        Ok(HugePages { words })
    }

    #[inline(always)]
    pub(crate) fn words(&self) -> &[AtomicU64] {
        &self.words
    }
}

/// Prefetches a word into the caches, on processors that support it.
#[inline(always)]
pub(crate) fn prefetch(word: &AtomicU64) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: every x86-64 processor has the instruction, and it does not access memory.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(word).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = word;
}
