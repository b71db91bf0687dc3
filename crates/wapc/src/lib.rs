//! The Kubewarden policy: the core behind the waPC protocol.
//!
//! Three guest functions, registered by `wapc_init`: `validate`, `validate_settings` and
//! `protocol_version`. The object is never parsed into a tree here: the answer holds the received
//! text with the modes written in. On targets other than WebAssembly the crate is empty.

#[cfg(target_family = "wasm")]
mod cluster;
#[cfg(target_family = "wasm")]
mod guest;
