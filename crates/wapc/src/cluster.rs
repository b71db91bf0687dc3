//! Reads through Kubewarden's host capabilities.

use std::fmt::Write as _;

use imagestream_import_mode::decision::json_string;
use imagestream_import_mode::{ClusterReader, ReadError, ResourceRef};
use wapc_guest::host_call;

/// The cluster of the policy-server that runs this module.
pub(crate) struct HostCluster;

impl ClusterReader for HostCluster {
    fn get_resource(&self, resource: &ResourceRef<'_>) -> Result<String, ReadError> {
        let payload = payload(resource);
        let reply = host_call(
            "kubewarden",
            "kubernetes",
            "get_resource",
            payload.as_bytes(),
        )
        .map_err(|error| ReadError::from_host_text(&error.to_string()))?;
        String::from_utf8(reply).map_err(|error| ReadError::Failed(error.to_string()))
    }
}

/// `GetResourceRequest` of the SDK, whose feature for it would bring all Kubernetes types along.
fn payload(resource: &ResourceRef<'_>) -> String {
    let mut payload = format!(
        r#"{{"api_version":{},"kind":{},"name":{}"#,
        json_string(resource.api_version),
        json_string(resource.kind),
        json_string(resource.name)
    );
    if let Some(namespace) = resource.namespace {
        let _ = write!(payload, r#","namespace":{}"#, json_string(namespace));
    }
    let masks: Vec<_> = resource
        .field_masks
        .iter()
        .map(|mask| json_string(mask))
        .collect();
    let _ = write!(
        payload,
        r#","disable_cache":{},"field_masks":[{}]}}"#,
        resource.disable_cache,
        masks.join(",")
    );
    payload
}
