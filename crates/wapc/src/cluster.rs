//! Reads through Kubewarden's host capabilities.

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
    let mut payload = String::new();
    for (before, text) in [
        (r#"{"api_version":"#, Some(resource.api_version)),
        (r#","kind":"#, Some(resource.kind)),
        (r#","name":"#, Some(resource.name)),
        (r#","namespace":"#, resource.namespace),
    ] {
        if let Some(text) = text {
            payload.push_str(before);
            payload.push_str(&json_string(text));
        }
    }
    payload.push_str(r#","disable_cache":"#);
    payload.push_str(if resource.disable_cache {
        "true"
    } else {
        "false"
    });
    let mut before = r#","field_masks":["#;
    for mask in resource.field_masks {
        payload.push_str(before);
        payload.push_str(&json_string(mask));
        before = ",";
    }
    if !resource.field_masks.is_empty() {
        payload.push(']');
    }
    payload.push('}');
    payload
}
