//! Hosts that run the policy as Kubewarden does, with a cluster of one's choice behind them.
//!
//! ```text
//!  AdmissionReview ──► Request ──► Door ──► Evaluation ──► AdmissionResponse, the reads, the log
//!                                  │  ▲
//!            CoreDoor (no wasm) ───┤  └── Cluster: scripted objects, or none
//!            WapcPolicy (policy.wasm)
//! ```
//!
//! A [`Door`] is one way into the policy: [`CoreDoor`] calls the library, [`WapcPolicy`] runs a waPC
//! module in wasmtime with the crates, the limits and the texts of Kubewarden's policy-server.
//! [`cases`] runs files of requests and expected decisions through any door.
//!
//! What it does not do: serve HTTP, pull modules, or grant capabilities.

mod calls;
pub mod cases;
mod cluster;
mod core_door;
mod door;
mod mask;
mod objects;
mod request;
mod response;
mod wapc_policy;

pub use calls::{HostCalls, Read};
pub use cluster::{Cluster, ClusterError, NoCluster, ScriptedCluster};
pub use core_door::CoreDoor;
pub use door::{Door, Evaluation, HostError, SettingsValidation};
pub use objects::ObjectsError;
pub use request::{Request, RequestError};
pub use response::{AdmissionResponse, PatchError, PatchType, Status};
pub use wapc_policy::{GuestCall, GuestError, WapcPolicy};
