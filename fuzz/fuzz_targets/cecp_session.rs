#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| assay_fuzz::targets::cecp_session::target(data));
