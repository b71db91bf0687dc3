//! The metadata that Kubewarden reads from a module.
//!
//! Fields, their order and what is left out follow `policy_metadata.rs` of
//! kubewarden/adm-controller, so that the JSON is the same as `kwctl annotate` writes.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

/// Name of the custom section.
pub const SECTION: &str = "io.kubewarden.metadata";

/// What the file `policy-metadata.yml` holds, and the protocol version beside it.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Metadata {
    /// Asked from the module, not written in the file.
    #[serde(default, skip_deserializing)]
    pub protocol_version: Option<String>,
    /// Which requests reach the policy.
    pub rules: Vec<Rule>,
    /// Title, version, author and so on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub annotations: Option<BTreeMap<String, String>>,
    /// Whether the policy changes objects.
    pub mutating: bool,
    /// Whether the audit scanner asks the policy about stored objects.
    #[serde(default = "yes")]
    pub background_audit: bool,
    /// The runtime.
    #[serde(default)]
    pub execution_mode: ExecutionMode,
    /// What the policy is asked about.
    #[serde(default)]
    pub policy_type: PolicyType,
    /// The kinds that the policy reads.
    #[serde(default)]
    pub context_aware_resources: BTreeSet<ContextAwareResource>,
    /// The host calls that the policy makes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host_capabilities: Option<BTreeSet<String>>,
    /// The oldest Kubewarden that the policy works with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minimum_kubewarden_version: Option<String>,
}

/// One webhook rule.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Rule {
    /// Groups.
    pub api_groups: Vec<String>,
    /// Versions.
    pub api_versions: Vec<String>,
    /// Plural resource names.
    pub resources: Vec<String>,
    /// Operations.
    pub operations: Vec<Operation>,
}

/// What is done to an object.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Operation {
    /// A new object.
    Create,
    /// A stored object.
    Update,
    /// The end of an object.
    Delete,
    /// A connection through a subresource.
    Connect,
    /// All of them.
    #[serde(rename = "*")]
    All,
}

/// The runtime of a policy.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub enum ExecutionMode {
    /// waPC; `annotate` packs no other.
    #[default]
    #[serde(rename = "kubewarden-wapc")]
    KubewardenWapc,
}

/// What a policy is asked about.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PolicyType {
    /// Admission requests; `annotate` packs no other.
    #[default]
    Kubernetes,
}

/// A kind that a policy reads.
#[derive(Clone, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ContextAwareResource {
    /// Group and version.
    pub api_version: String,
    /// Singular kind.
    pub kind: String,
}

const fn yes() -> bool {
    true
}

impl Metadata {
    /// The first list of a rule that is empty, as a path; Kubewarden refuses such rules.
    pub fn empty_list(&self) -> Option<String> {
        if self.rules.is_empty() {
            return Some("rules".to_owned());
        }
        self.rules.iter().enumerate().find_map(|(index, rule)| {
            let lists = [
                ("apiGroups", rule.api_groups.is_empty()),
                ("apiVersions", rule.api_versions.is_empty()),
                ("resources", rule.resources.is_empty()),
                ("operations", rule.operations.is_empty()),
            ];
            let (name, _) = lists.into_iter().find(|(_, is_empty)| *is_empty)?;
            Some(format!("rules[{index}].{name}"))
        })
    }
}
