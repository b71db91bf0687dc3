//! Media types that decide what an image references (reference 5.3).

/// A Docker image of schema 2; also what an image without a stored media type is taken for.
pub(super) const DOCKER_MANIFEST: &str = "application/vnd.docker.distribution.manifest.v2+json";
/// The configuration of a [`DOCKER_MANIFEST`].
pub(super) const DOCKER_CONFIG: &str = "application/vnd.docker.container.image.v1+json";
/// An OCI image.
pub(super) const OCI_MANIFEST: &str = "application/vnd.oci.image.manifest.v1+json";
/// The configuration of an [`OCI_MANIFEST`].
pub(super) const OCI_CONFIG: &str = "application/vnd.oci.image.config.v1+json";
const DOCKER_LIST: &str = "application/vnd.docker.distribution.manifest.list.v2+json";
const OCI_INDEX: &str = "application/vnd.oci.image.index.v1+json";

/// The media type of the configuration blob that an image of exactly this type has.
pub(super) fn config_of(manifest: Option<&str>) -> Option<&'static str> {
    match manifest? {
        DOCKER_MANIFEST => Some(DOCKER_CONFIG),
        OCI_MANIFEST => Some(OCI_CONFIG),
        _ => None,
    }
}

/// Whether an image of this type is a list of images.
pub(super) fn is_list(manifest: Option<&str>) -> bool {
    matches!(manifest, Some(DOCKER_LIST | OCI_INDEX))
}
