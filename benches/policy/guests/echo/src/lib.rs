//! What an answer with an object costs at least: the payload is the object, without a look at it.

#![cfg(target_family = "wasm")]

use wapc_guest::{CallResult, register_function};

/// Called by the host in every new instance.
#[expect(
    unsafe_code,
    reason = "waPC hosts find the function by its unmangled name"
)]
#[unsafe(no_mangle)]
pub extern "C" fn wapc_init() {
    register_function("validate", validate);
}

fn validate(payload: &[u8]) -> CallResult {
    Ok([br#"{"accepted":true,"mutated_object":"#, payload, b"}"].concat())
}
