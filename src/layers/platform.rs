//! Platforms of images and of the entries of manifest lists.

use std::fmt;

use serde::{Serialize, Serializer};

/// An operating system and architecture, as a manifest list states them; a part that is not stated is
/// empty.
///
/// The own platform of an image is only its architecture: the `DockerImage` in its metadata has no field
/// for the operating system (openshift/api, `image/docker10/dockertypes.go`).
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Platform {
    /// Such as `linux`.
    pub os: String,
    /// Such as `arm64`.
    pub architecture: String,
    /// Such as `v8`.
    pub variant: String,
}

impl fmt::Display for Platform {
    /// `linux/arm64/v8`, with what is stated.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for part in [&self.os, &self.architecture, &self.variant] {
            if !part.is_empty() {
                write!(f, "{separator}{part}")?;
                separator = "/";
            }
        }
        Ok(())
    }
}

impl Serialize for Platform {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
