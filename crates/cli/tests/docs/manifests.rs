//! The manifests: read with Kubewarden's own types and nothing lost, within its limits, and taken by the module.

use std::collections::BTreeSet;

use imagestream_import_mode_host::Door as _;
use imagestream_import_mode_manifests::{AdmissionPolicy, ClusterAdmissionPolicy, PolicyServer};
use k8s_openapi::api::core::v1::ServiceAccount;
use k8s_openapi::api::networking::v1::NetworkPolicy;
use k8s_openapi::api::rbac::v1::{ClusterRole, ClusterRoleBinding};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::support::{POLICY, files, project, read, yaml, yaml_file};

/// The policy.
pub const POLICY_FILE: &str = "examples/openshift/policy/policy.yaml";

/// The audit beside it.
pub const AUDIT_FILE: &str = "examples/openshift/audit/policy.yaml";

/// The variants that read nothing.
pub const SETTINGS_ONLY: [&str; 2] = [
    "examples/openshift/without-cluster-access/cluster-policy.yaml",
    "examples/openshift/without-cluster-access/namespaced-policy.yaml",
];

/// A Kustomization, as far as ours go.
#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Kustomization {
    api_version: String,
    kind: String,
    resources: Vec<String>,
    #[serde(default)]
    patches: Vec<Patch>,
}

/// One patch.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Patch {
    target: Target,
    patch: String,
}

/// What a patch is for.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Target {
    kind: String,
    name: String,
}

/// A report of Kubewarden's audit scanner (openreports.io), as far as the sample shows it.
#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Report {
    pub api_version: String,
    pub kind: String,
    pub metadata: k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta,
    pub scope: k8s_openapi::api::core::v1::ObjectReference,
    pub summary: std::collections::BTreeMap<String, u32>,
    pub results: Vec<ReportResult>,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReportResult {
    pub source: String,
    pub policy: String,
    pub category: String,
    pub severity: String,
    pub result: String,
    pub scored: bool,
    pub message: String,
    pub properties: std::collections::BTreeMap<String, String>,
}

/// Reads a document of `place` as a `T`, and nothing of it is lost.
pub fn round_trip<T: DeserializeOwned + Serialize>(place: &str, document: &Value) -> T {
    imagestream_import_mode_manifests::round_trip(document)
        .unwrap_or_else(|error| panic!("{place}: {error}"))
}

/// Checks one manifest, whatever its kind.
pub fn check_manifest(place: &str, document: &Value) {
    match document["kind"].as_str().unwrap() {
        "ClusterAdmissionPolicy" => {
            round_trip::<ClusterAdmissionPolicy>(place, document);
            check_policy(place, document);
        }
        "AdmissionPolicy" => {
            round_trip::<AdmissionPolicy>(place, document);
            check_policy(place, document);
        }
        "PolicyServer" => {
            let server: PolicyServer = round_trip(place, document);
            assert_eq!(server.api_version, "policies.kubewarden.io/v1", "{place}");
            assert!(
                server.spec.replicas > 1,
                "{place}: a drained node must not stop it"
            );
        }
        "ClusterRole" => {
            round_trip::<ClusterRole>(place, document);
        }
        "ClusterRoleBinding" => {
            round_trip::<ClusterRoleBinding>(place, document);
        }
        "ServiceAccount" => {
            round_trip::<ServiceAccount>(place, document);
        }
        "NetworkPolicy" => {
            round_trip::<NetworkPolicy>(place, document);
        }
        "Kustomization" => {
            round_trip::<Kustomization>(place, document);
        }
        "Report" => {
            round_trip::<Report>(place, document);
        }
        "ImageStream" => {
            let tags = document["spec"]["tags"].as_array().unwrap();
            assert!(
                tags.iter().all(|tag| tag["from"]["name"].is_string()),
                "{place}"
            );
        }
        kind => panic!("{place}: no check for {kind}"),
    }
}

/// Settings must be taken by the module.
pub fn check_settings(place: &str, settings: &Value) {
    let validation = POLICY.validate_settings(settings.to_string().as_bytes());
    assert!(validation.valid, "{place}: {:?}", validation.message);
}

/// What Kubewarden refuses or drops without its types saying so.
fn check_policy(place: &str, document: &Value) {
    let spec = &document["spec"];
    let seconds = |key: &str| spec.get(key).map(|value| value.as_u64().unwrap());
    let timeout = seconds("timeoutSeconds").unwrap_or_else(|| panic!("{place}: no timeoutSeconds"));
    assert!((2..=30).contains(&timeout), "{place}: {timeout}");
    if let Some(evaluation) = seconds("timeoutEvalSeconds") {
        assert!((2..=timeout).contains(&evaluation), "{place}: {evaluation}");
    }
    assert!(
        timeout < 13,
        "{place}: openshift-apiserver allows 13 seconds for all webhooks"
    );
    assert_eq!(spec["failurePolicy"], "Ignore", "{place}");
    for selector in ["namespaceSelector", "objectSelector"] {
        let labels = spec.pointer(&format!("/{selector}/matchLabels"));
        assert_eq!(labels, None, "{place}: the controller drops matchLabels");
    }
    assert_eq!(spec["module"], module_address(), "{place}");
    check_settings(place, spec.get("settings").unwrap_or(&json!({})));
}

/// Where the metadata says that this version is published.
fn module_address() -> String {
    let metadata = yaml_file("policy-metadata.yml");
    let address = metadata["annotations"]["io.kubewarden.policy.ociUrl"]
        .as_str()
        .unwrap();
    format!("registry://{address}:v{}", env!("CARGO_PKG_VERSION"))
}

#[test]
fn every_manifest_survives_kubewardens_types() {
    let mut kinds = BTreeSet::new();
    for file in files("examples/openshift", &["yaml"]) {
        for document in yaml(&read(&file)) {
            check_manifest(&file, &document);
            kinds.insert(document["kind"].as_str().unwrap().to_owned());
        }
    }
    let expected = [
        "AdmissionPolicy",
        "ClusterAdmissionPolicy",
        "ClusterRole",
        "ClusterRoleBinding",
        "Kustomization",
        "PolicyServer",
        "ServiceAccount",
    ];
    assert_eq!(kinds, expected.map(str::to_owned).into());
}

#[test]
fn what_is_lost_or_misspelt_is_found() {
    let mut policy = yaml_file(POLICY_FILE);
    policy["metadata"]["lables"] = json!({});
    let refused =
        std::panic::catch_unwind(|| round_trip::<ClusterAdmissionPolicy>("typo", &policy));
    assert!(refused.is_err(), "a key that is lost");
    let mut policy = yaml_file(POLICY_FILE);
    policy["spec"]["timeoutSeconds"] = json!(31);
    let refused = std::panic::catch_unwind(|| check_policy("timeout", &policy));
    assert!(refused.is_err(), "a timeout out of range");
}

#[test]
fn kustomizations_name_files_that_exist() {
    for file in files("examples/openshift", &["yaml"])
        .iter()
        .filter(|file| file.ends_with("/kustomization.yaml"))
    {
        let folder = project(file.strip_suffix("kustomization.yaml").unwrap());
        let kustomization: Kustomization = round_trip(file, &yaml_file(file));
        for resource in &kustomization.resources {
            let path = folder.join(resource);
            let is_kustomization = path.join("kustomization.yaml").is_file();
            assert!(path.is_file() || is_kustomization, "{file}: {resource}");
            // kustomize refuses a root inside which it already is.
            assert!(
                !folder
                    .canonicalize()
                    .unwrap()
                    .starts_with(path.canonicalize().unwrap()),
                "{file}: {resource}"
            );
        }
        for patch in &kustomization.patches {
            assert!(!yaml(&patch.patch).is_empty(), "{file}");
        }
    }
}
