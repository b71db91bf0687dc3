//! Reads through the imported interface `cluster`.

use imagestream_import_mode::{ClusterReader, ReadError, ResourceRef};

use crate::bindings::cluster::{ClusterError, get_resource};

/// The cluster that the host stands for.
pub(crate) struct ImportedCluster;

impl ClusterReader for ImportedCluster {
    fn get_resource(&self, resource: &ResourceRef<'_>) -> Result<String, ReadError> {
        let field_masks: Vec<_> = resource
            .field_masks
            .iter()
            .map(ToString::to_string)
            .collect();
        get_resource(
            resource.api_version,
            resource.kind,
            resource.namespace,
            resource.name,
            &field_masks,
        )
        .map_err(|error| match error {
            ClusterError::Refused(text) | ClusterError::Unavailable(text) => {
                ReadError::Failed(text)
            }
        })?
        .ok_or(ReadError::NotFound)
    }
}
