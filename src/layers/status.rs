//! What the subresource answers when there is no `ImageStreamLayers` (reference 5.4).

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

/// Why a stream's layers cannot be told; its JSON is the `Status` of openshift-apiserver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LayersStatus {
    /// The index has not synced yet. Comes before the look-up of the stream, even an unknown one.
    NotSynced,
    /// No stream of this name exists.
    NotFound {
        /// The stream's name.
        name: String,
    },
}

impl LayersStatus {
    /// The HTTP status code.
    #[must_use]
    pub fn code(&self) -> u16 {
        match self {
            Self::NotSynced => 500,
            Self::NotFound { .. } => 404,
        }
    }

    /// Seconds for the header `Retry-After`; clients repeat such a request by themselves.
    #[must_use]
    pub fn retry_after_seconds(&self) -> Option<u32> {
        match self {
            Self::NotSynced => Some(2),
            Self::NotFound { .. } => None,
        }
    }
}

impl Serialize for LayersStatus {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (message, reason, name) = match self {
            Self::NotSynced => (
                "The get operation against imagestreams.image.openshift.io could not be completed at \
                 this time, please try again."
                    .to_owned(),
                "ServerTimeout",
                "get",
            ),
            Self::NotFound { name } => (
                format!("imagestreams.image.openshift.io \"{name}\" not found"),
                "NotFound",
                name.as_str(),
            ),
        };
        let mut status = serializer.serialize_struct("Status", 8)?;
        status.serialize_field("kind", "Status")?;
        status.serialize_field("apiVersion", "v1")?;
        status.serialize_field("metadata", &Empty {})?;
        status.serialize_field("status", "Failure")?;
        status.serialize_field("message", &message)?;
        status.serialize_field("reason", reason)?;
        status.serialize_field(
            "details",
            &Details {
                name,
                group: "image.openshift.io",
                kind: "imagestreams",
                retry_after_seconds: self.retry_after_seconds(),
            },
        )?;
        status.serialize_field("code", &self.code())?;
        status.end()
    }
}

#[derive(Serialize)]
struct Empty {}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Details<'a> {
    name: &'a str,
    group: &'static str,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    retry_after_seconds: Option<u32>,
}
