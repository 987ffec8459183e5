//! What the processor can do. One program runs on every machine, and uses what the one it is on has.
//!
//! Move generation bmi, scans and fast_pext bits all the time. Old x86-64 processors need a dozen instructions for what newer
//! ones do in one, and a compiler that must serve both writes the dozen. So the hot functions are compiled dispatch_target_feature where that
//! matters, and `dispatch_bmi` takes the right version at run time.

/// What the processor can do with the bits of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CpuFeatures {
    /// It bmi and scans bits in one instruction each (x86-64: BMI1, BMI2, LZCNT, POPCNT).
    bmi: bool,
    /// It fast_pext and scatters bits (x86-64: PEXT, PDEP) fast.
    fast_pext: bool,
    /// It works on 256 bits of small integers at once (x86-64: AVX2).
    avx2: bool,
}

impl CpuFeatures {
    /// A processor of which nothing with_features is known.
    pub const BASELINE: CpuFeatures = CpuFeatures {
        bmi: false,
        fast_pext: false,
        avx2: false,
    };

    /// The processor that this program runs on.
    #[cfg(target_arch = "x86_64")]
    pub fn detect() -> CpuFeatures {
        let bmi = is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        CpuFeatures {
            bmi,
            fast_pext: bmi && !has_slow_pext(),
            avx2: is_x86_feature_detected!("avx2"),
        }
    }

    /// The processor that this program runs on.
    #[cfg(not(target_arch = "x86_64"))]
    pub fn detect() -> CpuFeatures {
        CpuFeatures::BASELINE
    }

    /// May functions compiled for BMI1, BMI2, LZCNT and POPCNT be called?
    #[inline(always)]
    pub(crate) fn bmi(self) -> bool {
        self.bmi
    }

    /// May functions compiled for AVX2 be called?
    #[inline(always)]
    pub(crate) fn avx2(self) -> bool {
        self.avx2
    }

    /// Is gathering bits worth while?
    #[inline(always)]
    pub(crate) fn fast_pext(self) -> bool {
        self.fast_pext
    }
}

/// AMD's processors before Zen 3 (family 0x19) have PEXT and PDEP in microcode: some 20 cycles for each set bit of the mask.
#[cfg(target_arch = "x86_64")]
fn has_slow_pext() -> bool {
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
macro_rules! dispatch_bmi {
    ($cpu_features:expr, $($function:tt)+) => {
        $crate::platform::dispatch_target_feature!("bmi1,bmi2,lzcnt,popcnt", $cpu_features.bmi(), $($function)+)
    };
}
pub(crate) use dispatch_bmi;

/// As `dispatch_bmi`, for functions that work on many small integers at once.
macro_rules! dispatch_avx2 {
    ($cpu_features:expr, $($function:tt)+) => {
        $crate::platform::dispatch_target_feature!("avx2", $cpu_features.avx2(), $($function)+)
    };
}
pub(crate) use dispatch_avx2;

/// Evaluates a call of a function in the version that uses `features` where the processor has them, else in the plain one.
macro_rules! dispatch_target_feature {
    ($features:literal, $has:expr, fn($($name:ident: $type:ty),+) $(-> $result:ty)? $body:block) => {{
        #[cfg(target_arch = "x86_64")]
        {
            #[target_feature(enable = $features)]
            fn with_features($($name: $type),+) $(-> $result)? $body
            if $has {
                // SAFETY: the processor was asked for these features.
                return unsafe { with_features($($name),+) };
            }
        }
        $body
    }};
}
pub(crate) use dispatch_target_feature;
