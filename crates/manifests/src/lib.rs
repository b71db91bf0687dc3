//! The types that manifests are read with, strictly, and a check that nothing in a file is lost.
//!
//! Policies have Kubewarden's own types (`kubewarden-policy-sdk`), which refuse unknown keys under
//! `spec` only; what else they drop, [`fn@round_trip`] finds. For a `PolicyServer` the SDK has no type.

mod policy_server;
mod round_trip;

pub use k8s_openapi;
pub use kubewarden_policy_sdk::crd::policies::admission_policy::AdmissionPolicy;
pub use kubewarden_policy_sdk::crd::policies::cluster_admission_policy::ClusterAdmissionPolicy;
pub use policy_server::{PolicyServer, PolicyServerSpec};
pub use round_trip::{Misfit, round_trip};
