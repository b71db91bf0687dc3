//! What is kept of an ImageStream.

use serde::{Deserialize, Deserializer, de};
use serde_json::value::RawValue;

use super::error::{ObjectError, ObjectKind};
use super::head::Head;
use super::stream_json;
use super::version::ResourceVersion;
use crate::import_mode::ImportMode;

/// An ImageStream: its metadata as text, what its tags want, and what was imported or pushed.
#[derive(Clone, Debug)]
pub struct ImageStream {
    pub(super) metadata: Box<RawValue>,
    pub(super) namespace: String,
    pub(super) name: String,
    pub(super) resource_version: ResourceVersion,
    pub(super) tags: Vec<TagReference>,
    pub(super) history: Vec<TagHistory>,
}

/// One entry of `spec.tags`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TagReference {
    /// The tag.
    pub name: String,
    /// `from.kind`, empty if the tag has no source.
    pub from_kind: String,
    /// `from.name`, empty if the tag has no source.
    pub from_name: String,
    /// The tag only passes the reference on: nothing is imported.
    pub reference: bool,
    /// `importPolicy.importMode`; none if it is empty or unknown, which the API server cannot store.
    pub mode: Option<ImportMode>,
    /// The annotation `importer.image.openshift.io/prefer-os`, empty if unset.
    pub prefer_os: String,
    /// The annotation `importer.image.openshift.io/prefer-arch`, empty if unset.
    pub prefer_architecture: String,
    /// `generation`: of the stream when the tag was changed last; 0 asks for an import.
    pub generation: Option<i64>,
}

/// One entry of `status.tags`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TagHistory {
    /// The tag.
    pub tag: String,
    /// What it pointed to, the newest first.
    pub events: Vec<TagEvent>,
}

/// One entry of `status.tags[].items`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TagEvent {
    /// The name of the Image; empty for a tag with `reference: true`.
    pub image: String,
    /// The generation of the tag that caused it.
    pub generation: i64,
}

impl ImageStream {
    /// Reads one ImageStream as the API writes it, alone or as an item of a list.
    ///
    /// # Errors
    ///
    /// The text is not JSON, is another kind, has no name, or a field that is kept has the wrong type.
    pub fn from_json(text: &str) -> Result<Self, ObjectError> {
        let head = Head::read(text).unwrap_or_default();
        let fault = |reason: String| ObjectError::new(ObjectKind::ImageStream, head.name(), reason);
        match head.mismatch(ObjectKind::ImageStream.as_str()) {
            Some(reason) => Err(fault(reason)),
            None => stream_json::read(text).map_err(fault),
        }
    }

    /// `metadata` as it was received, byte by byte.
    #[must_use]
    pub fn metadata(&self) -> &RawValue {
        &self.metadata
    }

    /// `metadata.namespace`, empty if the object has none.
    #[must_use]
    pub fn namespace(&self) -> &str {
        &self.namespace
    }

    /// `metadata.name`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// `namespace/name`, or the name alone.
    pub(super) fn full_name(&self) -> String {
        if self.namespace.is_empty() {
            return self.name.clone();
        }
        format!("{}/{}", self.namespace, self.name)
    }

    /// `metadata.resourceVersion`.
    #[must_use]
    pub fn resource_version(&self) -> &ResourceVersion {
        &self.resource_version
    }

    /// `spec.tags`: what the user wants.
    #[must_use]
    pub fn tags(&self) -> &[TagReference] {
        &self.tags
    }

    /// `status.tags`: what was imported or pushed.
    #[must_use]
    pub fn history(&self) -> &[TagHistory] {
        &self.history
    }

    /// The names of all images in the history, in its order; repeated ones come again.
    pub fn images(&self) -> impl Iterator<Item = &str> {
        self.history
            .iter()
            .flat_map(|tag| &tag.events)
            .map(|event| event.image.as_str())
            .filter(|image| !image.is_empty())
    }
}

impl<'de> Deserialize<'de> for ImageStream {
    /// Needs `serde_json`, as [`RawValue`] does, and no buffering in between (`flatten`, untagged enums).
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Box::<RawValue>::deserialize(deserializer)?;
        Self::from_json(text.get()).map_err(de::Error::custom)
    }
}
