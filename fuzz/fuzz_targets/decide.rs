#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| imagestream_import_mode_fuzz::decide(input));
