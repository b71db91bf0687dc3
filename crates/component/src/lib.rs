//! The policy as a WebAssembly component: the core behind the world of `wit/policy.wit`.
//!
//! Exports the interfaces `admission` and `layers`, imports the interface `cluster` and nothing else: no
//! WASI, so that any host can run it. This crate only translates between the core's types and the world's.
//! It builds a core module for wasm32-unknown-unknown; `make component` encodes it as a component.
//! On targets other than WebAssembly the crate is empty.

#[cfg(target_family = "wasm")]
mod admission;
#[cfg(target_family = "wasm")]
mod bindings;
#[cfg(target_family = "wasm")]
mod cluster;
#[cfg(target_family = "wasm")]
mod layers;
