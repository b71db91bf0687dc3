//! `PolicyServer` of policies.kubewarden.io/v1 (kubewarden/adm-controller
//! `api/policies/v1/policyserver_types.go`); the fields that Kubewarden 1.33 has.

use std::collections::BTreeMap;

use k8s_openapi::api::core::v1::{Affinity, EnvVar, Toleration};
use k8s_openapi::apimachinery::pkg::api::resource::Quantity;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
use serde::{Deserialize, Serialize};

/// A server that evaluates policies.
#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PolicyServer {
    /// `policies.kubewarden.io/v1`.
    pub api_version: String,
    /// `PolicyServer`.
    pub kind: String,
    /// Its name.
    pub metadata: ObjectMeta,
    /// What is wanted.
    pub spec: PolicyServerSpec,
}

/// What is wanted of a server.
#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(missing_docs, reason = "the fields are documented upstream")]
pub struct PolicyServerSpec {
    pub image: String,
    pub replicas: u32,
    pub min_available: Option<IntOrString>,
    pub max_unavailable: Option<IntOrString>,
    pub annotations: Option<BTreeMap<String, String>>,
    pub labels: Option<BTreeMap<String, String>>,
    pub env: Option<Vec<EnvVar>>,
    pub service_account_name: Option<String>,
    pub image_pull_secret: Option<String>,
    pub insecure_sources: Option<Vec<String>>,
    pub source_authorities: Option<BTreeMap<String, Vec<String>>>,
    pub verification_config: Option<String>,
    pub affinity: Option<Affinity>,
    pub limits: Option<BTreeMap<String, Quantity>>,
    pub requests: Option<BTreeMap<String, Quantity>>,
    pub tolerations: Option<Vec<Toleration>>,
    pub priority_class_name: Option<String>,
    pub namespaced_policies_capabilities: Option<Vec<String>>,
}
