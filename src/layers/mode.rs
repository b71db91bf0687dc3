//! The import modes, as the API spells them.

use serde::{Serialize, Serializer};

/// What an import stores for an image that several platforms share.
///
/// Upstream: `ImportModeType` in `image/v1/types.go` of openshift/api.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ImportMode {
    /// One platform of the image is kept, the manifest list is dropped.
    Legacy,
    /// The manifest list and every platform in it are kept.
    PreserveOriginal,
}

impl ImportMode {
    /// The mode as the API spells it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Legacy => "Legacy",
            Self::PreserveOriginal => "PreserveOriginal",
        }
    }

    /// The mode of exactly this spelling.
    #[must_use]
    pub fn from_api(text: &str) -> Option<Self> {
        [Self::Legacy, Self::PreserveOriginal]
            .into_iter()
            .find(|mode| mode.as_str() == text)
    }
}

impl Serialize for ImportMode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
