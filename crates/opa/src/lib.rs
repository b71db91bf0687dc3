//! The policy as an OPA policy: the core behind OPA's WebAssembly ABI 1.3.
//!
//! ```text
//!  host's memory:  stack │ statics │ data (text) │ input (text) │ what Rust allocates │ result
//!                                  └ heap base   └ heap pointer, which hosts read, set and write at
//! ```
//!
//! A "value" of the ABI is JSON text here: nothing is parsed before an evaluation, and an evaluation
//! reads only what the decision needs. The entrypoint is `policy/main`; input is an AdmissionReview
//! or `{"request": …}`; settings are the root of `data`; objects of the cluster are under
//! `data.kubernetes`, as Kubewarden hands them to OPA policies. The result is
//! `[{"result": {"response": …}}]` with an `AdmissionResponse`, whatever the input: this module
//! never aborts on data.
//!
//! On targets other than WebAssembly the crate is empty but for its tests. `make opa` adds the globals that name the ABI version.

#[cfg(target_family = "wasm")]
mod abi;
#[cfg(any(test, target_family = "wasm"))]
mod data;
#[cfg(target_family = "wasm")]
mod heap;
#[cfg(any(test, target_family = "wasm"))]
mod path;
#[cfg(any(test, target_family = "wasm"))]
mod policy;
#[cfg(any(test, target_family = "wasm"))]
mod response;
