//! Hosts that run the policy as Kubewarden does, with a cluster of one's choice behind them.
//!
//! ```text
//!  AdmissionReview ──► Request ──► Door ──► Evaluation ──► AdmissionResponse, the reads, the log
//!                                  │  ▲
//!            CoreDoor (no wasm) ───┤  └── Cluster: scripted objects, or none
//!            WapcPolicy (policy.wasm)
//!            ComponentPolicy (imagestream-import-mode.component.wasm)
//!            OpaPolicy (imagestream-import-mode.opa.wasm; given its objects before)
//! ```
//!
//! A [`Door`] is one way into the policy: [`CoreDoor`] calls the library, [`WapcPolicy`] runs a waPC
//! module in wasmtime with the crates, the limits and the texts of Kubewarden's policy-server.
//! [`MeteredPolicy`] runs the same module in a plain wasmtime host that counts fuel and memory.
//! [`cases`] runs files of requests and expected decisions through any door; [`component_index`] is the
//! component's index of layers.
//!
//! What it does not do: serve HTTP, pull modules, or grant capabilities.

mod calls;
pub mod cases;
mod cluster;
mod component;
pub mod component_index;
mod component_policy;
mod core_door;
mod detect;
mod door;
mod engine;
mod mask;
mod metered;
mod mode;
mod objects;
mod opa_policy;
mod request;
mod response;
mod wapc_policy;

pub use calls::{HostCalls, Read};
pub use cluster::{Cluster, ClusterError, NoCluster, ScriptedCluster};
pub use component_policy::ComponentPolicy;
pub use core_door::CoreDoor;
pub use detect::{ModuleKind, open};
pub use door::{Door, Evaluation, HostError, SettingsValidation};
pub use engine::GuestError;
pub use metered::{Metered, MeteredPolicy};
pub use objects::ObjectsError;
pub use opa_policy::{OpaInstance, OpaPolicy};
pub use request::{Request, RequestError};
pub use response::{AdmissionResponse, PatchError, PatchType, Status};
pub use wapc_policy::{GuestCall, WapcPolicy};
