//! What the processor can do. One program runs on every machine, and uses what the one it is on has.
//!
//! Move generation counts, scans and gathers bits all the time. Old x86-64 processors need a dozen instructions for what newer
//! ones do in one, and a compiler that must serve both writes the dozen. So the hot functions are compiled twice where that
//! matters, and `by_cpu_features` takes the right version at run time.

/// What the processor can do with the bits of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CpuFeatures {
    /// It counts and scans bits in one instruction each (x86-64: BMI1, BMI2, LZCNT, POPCNT).
    counts: bool,
    /// It gathers and scatters bits (x86-64: PEXT, PDEP) fast.
    gathers: bool,
    /// It works on 256 bits of small integers at once (x86-64: AVX2).
    wide: bool,
}

impl CpuFeatures {
    /// A processor of which nothing special is known.
    pub const PLAIN: CpuFeatures = CpuFeatures {
        counts: false,
        gathers: false,
        wide: false,
    };

    /// The processor that this program runs on.
    #[cfg(target_arch = "x86_64")]
    pub fn detect() -> CpuFeatures {
        let counts = is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        CpuFeatures {
            counts,
            gathers: counts && !gathers_slowly(),
            wide: is_x86_feature_detected!("avx2"),
        }
    }

    /// The processor that this program runs on.
    #[cfg(not(target_arch = "x86_64"))]
    pub fn detect() -> CpuFeatures {
        CpuFeatures::PLAIN
    }

    /// May functions compiled for BMI1, BMI2, LZCNT and POPCNT be called?
    #[inline(always)]
    pub(crate) fn counts(self) -> bool {
        self.counts
    }

    /// May functions compiled for AVX2 be called?
    #[inline(always)]
    pub(crate) fn is_wide(self) -> bool {
        self.wide
    }

    /// Is gathering bits worth while?
    #[inline(always)]
    pub(crate) fn gathers(self) -> bool {
        self.gathers
    }
}

/// AMD's processors before Zen 3 (family 0x19) have PEXT and PDEP in microcode: some 20 cycles for each set bit of the mask.
#[cfg(target_arch = "x86_64")]
fn gathers_slowly() -> bool {
    use std::arch::x86_64::__cpuid;
    let vendor = __cpuid(0);
    let name = [vendor.ebx, vendor.edx, vendor.ecx].map(u32::to_le_bytes);
    let version = __cpuid(1).eax;
    let (base, extended) = (version >> 8 & 0xf, version >> 20 & 0xff);
    let family = if base == 0xf { base + extended } else { base };
    matches!(name.as_flattened(), b"AuthenticAMD" | b"HygonGenuine") && family < 0x19
}

/// Evaluates a call of a function whose body is given, in the version made for processors that count bits or in the plain one.
///
/// Everything that the body calls must be inlined, else it is compiled for plain processors only.
macro_rules! by_cpu_features {
    ($processor:expr, $($function:tt)+) => {
        $crate::platform::twice!("bmi1,bmi2,lzcnt,popcnt", $processor.counts(), $($function)+)
    };
}
pub(crate) use by_cpu_features;

/// As `by_cpu_features`, for functions that work on many small integers at once.
macro_rules! by_width {
    ($processor:expr, $($function:tt)+) => {
        $crate::platform::twice!("avx2", $processor.is_wide(), $($function)+)
    };
}
pub(crate) use by_width;

/// Evaluates a call of a function in the version that uses `features` where the processor has them, else in the plain one.
macro_rules! twice {
    ($features:literal, $has:expr, fn($($name:ident: $type:ty),+) $(-> $result:ty)? $body:block) => {{
        #[cfg(target_arch = "x86_64")]
        {
            #[target_feature(enable = $features)]
            fn special($($name: $type),+) $(-> $result)? $body
            if $has {
                // SAFETY: the processor was asked for these features.
                return unsafe { special($($name),+) };
            }
        }
        $body
    }};
}
pub(crate) use twice;
