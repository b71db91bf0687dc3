//! Reads through Kubewarden's host capabilities.

use imagestream_import_mode::{ClusterReader, JsonObject, ReadError, ResourceRef};
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
    let payload = JsonObject::default()
        .string("api_version", resource.api_version)
        .string("kind", resource.kind)
        .string("name", resource.name)
        .boolean("disable_cache", resource.disable_cache)
        .strings("field_masks", resource.field_masks.iter().copied());
    match resource.namespace {
        Some(namespace) => payload.string("namespace", namespace),
        None => payload,
    }
    .into_text()
}
