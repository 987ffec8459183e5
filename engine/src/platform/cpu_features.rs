//! CPU features of the build and of this processor.
//!
//! Move generation counts, scans and extracts bits constantly, and networks are vector arithmetic:
//! the instructions of x86-64-v3 (AVX2, BMI, LZCNT, POPCNT) double the speed. The build selects
//! them (`.cargo/config.toml`); only slow implementations of PEXT are detected and avoided at run
//! time.

use thiserror::Error;

/// The program was compiled for instructions that this processor lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "this program was built for processors with AVX2 and BMI2 (x86-64-v3), which this processor lacks; \
     build it with RUSTFLAGS=\"-C target-cpu=x86-64\""
)]
pub struct UnsupportedProcessor;

/// Checks that this processor has the instructions that the program was compiled for. Call it first
/// in `main`.
///
/// # Errors
/// If the processor is too old.
pub fn check_processor() -> Result<(), UnsupportedProcessor> {
    if cfg!(all(target_feature = "avx2", target_feature = "bmi2")) && !processor_has_x86_64_v3() {
        Err(UnsupportedProcessor)
    } else {
        Ok(())
    }
}

/// Returns true if this processor has the instructions of x86-64-v3, for which the program need not
/// have been compiled.
///
/// Queries CPUID, because `is_x86_feature_detected!` assumes the features that the program was
/// compiled for.
#[cfg(target_arch = "x86_64")]
pub fn processor_has_x86_64_v3() -> bool {
    use std::arch::x86_64::{__cpuid, __cpuid_count};
    const AVX2: u32 = 1 << 5;
    const BMI2: u32 = 1 << 8;
    __cpuid(0).eax >= 7 && __cpuid_count(7, 0).ebx & (AVX2 | BMI2) == AVX2 | BMI2
}

/// Returns false: this is another kind of processor.
#[cfg(not(target_arch = "x86_64"))]
pub fn processor_has_x86_64_v3() -> bool {
    false
}

/// Returns true if PEXT and PDEP are available and faster than the alternatives.
///
/// AMD processors before Zen 3 (family 0x19) execute them in microcode, at about 20 cycles per set
/// bit of the mask. Miri has no CPUID and takes the portable path, as do programs with the
/// environment variable `ASSAY_NO_PEXT`, for tests and timings.
#[cfg(all(target_arch = "x86_64", target_feature = "bmi2", not(miri)))]
pub(crate) fn has_fast_pext() -> bool {
    use std::arch::x86_64::__cpuid;
    let vendor = __cpuid(0);
    let name = [vendor.ebx, vendor.edx, vendor.ecx].map(u32::to_le_bytes);
    let version = __cpuid(1).eax;
    let (base, extended) = (version >> 8 & 0xf, version >> 20 & 0xff);
    let family = if base == 0xf { base + extended } else { base };
    let is_slow = matches!(name.as_flattened(), b"AuthenticAMD" | b"HygonGenuine") && family < 0x19;
    !is_slow && std::env::var_os("ASSAY_NO_PEXT").is_none()
}

/// Returns false: the program was compiled without PEXT.
#[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2", not(miri))))]
pub(crate) fn has_fast_pext() -> bool {
    false
}

#[cfg(test)]
mod tests {
    #[test]
    fn this_processor_runs_the_tests() {
        assert_eq!(super::check_processor(), Ok(()));
    }
}
