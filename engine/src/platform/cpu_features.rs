//! CPU features, detected at run time.
//!
//! Move generation counts, scans and extracts bits constantly. Newer x86-64 processors do each in one instruction; those made
//! before 2013 need about a dozen, and so does code compiled for baseline x86-64. Most rulesets are therefore compiled for BMI
//! and POPCNT only (`require_bmi!`). Two general rulesets are also compiled for baseline processors (`dispatch_bmi!`) and play
//! every game there, more slowly.

/// CPU features that the engine has special code for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CpuFeatures {
    /// BMI1, BMI2, LZCNT and POPCNT.
    bmi: bool,
    /// PEXT and PDEP in hardware.
    fast_pext: bool,
    avx2: bool,
}

impl CpuFeatures {
    /// No optional features.
    pub const BASELINE: CpuFeatures = CpuFeatures {
        bmi: false,
        fast_pext: false,
        avx2: false,
    };

    /// Returns these features without hardware PEXT, as on processors where it is slow.
    #[must_use]
    pub fn without_fast_pext(self) -> CpuFeatures {
        CpuFeatures {
            fast_pext: false,
            ..self
        }
    }

    /// Returns true if code that is compiled for BMI1, BMI2, LZCNT and POPCNT on x86-64 can run.
    pub(crate) fn runs_bmi_code(self) -> bool {
        self.bmi || !cfg!(target_arch = "x86_64")
    }

    /// Detects the features of this processor.
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

    /// Detects the features of this processor.
    #[cfg(not(target_arch = "x86_64"))]
    pub fn detect() -> CpuFeatures {
        CpuFeatures::BASELINE
    }

    /// Returns true if functions compiled for BMI1, BMI2, LZCNT and POPCNT may be called.
    #[inline(always)]
    pub(crate) fn bmi(self) -> bool {
        self.bmi
    }

    /// Returns true if functions compiled for AVX2 may be called.
    #[inline(always)]
    pub(crate) fn avx2(self) -> bool {
        self.avx2
    }

    /// Returns true if PEXT and PDEP are available and faster than the alternatives.
    #[inline(always)]
    pub(crate) fn fast_pext(self) -> bool {
        self.fast_pext
    }
}

/// AMD processors before Zen 3 (family 0x19) execute PEXT and PDEP in microcode, at about 20 cycles per set bit of the mask.
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

/// Defines a function in place and calls it, in a version compiled for BMI and POPCNT if the processor has them.
///
/// Everything that the body calls must be inlined; otherwise it is compiled for baseline processors only.
macro_rules! dispatch_bmi {
    ($cpu_features:expr, $($function:tt)+) => {
        $crate::platform::dispatch_target_feature!("bmi1,bmi2,lzcnt,popcnt", $cpu_features.bmi(), $($function)+)
    };
}
pub(crate) use dispatch_bmi;

/// Like `dispatch_bmi!`, but only the version for BMI and POPCNT is compiled on x86-64.
///
/// The position's tables guarantee that the processor has these features: see `Tables::with_cpu_features`.
macro_rules! require_bmi {
    ($cpu_features:expr, fn($($name:ident: $type:ty),+) $(-> $result:ty)? $body:block) => {{
        #[cfg_attr(target_arch = "x86_64", target_feature(enable = "bmi1,bmi2,lzcnt,popcnt"))]
        fn with_bmi($($name: $type),+) $(-> $result)? $body
        debug_assert!($cpu_features.runs_bmi_code());
        // SAFETY: tables of this ruleset are built only for processors with these features.
        #[allow(unused_unsafe)]
        unsafe {
            with_bmi($($name),+)
        }
    }};
}
pub(crate) use require_bmi;

/// Like `dispatch_bmi!`, for AVX2.
macro_rules! dispatch_avx2 {
    ($cpu_features:expr, $($function:tt)+) => {
        $crate::platform::dispatch_target_feature!("avx2", $cpu_features.avx2(), $($function)+)
    };
}
pub(crate) use dispatch_avx2;

/// Defines a function in place and calls it, in a version compiled with `features` if `available`.
macro_rules! dispatch_target_feature {
    ($features:literal, $available:expr, fn($($name:ident: $type:ty),+) $(-> $result:ty)? $body:block) => {{
        #[cfg(target_arch = "x86_64")]
        {
            #[target_feature(enable = $features)]
            fn with_features($($name: $type),+) $(-> $result)? $body
            if $available {
                // SAFETY: the processor has these features.
                return unsafe { with_features($($name),+) };
            }
        }
        $body
    }};
}
pub(crate) use dispatch_target_feature;
