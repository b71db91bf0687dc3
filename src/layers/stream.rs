//! What is kept of an ImageStream.

use serde::de::MapAccess;
use serde::{Deserialize, Deserializer, de};
use serde_json::value::RawValue;

use super::error::{ObjectError, ObjectKind};
use super::head::{Head, HeadMeta};
use super::json::{Fields, List, Object, Text, flag, reason};
use super::version::ResourceVersion;
use crate::import_mode::ImportMode;

/// An ImageStream: its metadata as text, what its tags want, and what was imported or pushed.
#[derive(Clone, Debug)]
pub struct ImageStream {
    metadata: Box<RawValue>,
    namespace: String,
    name: String,
    resource_version: ResourceVersion,
    tags: Vec<TagReference>,
    history: Vec<TagHistory>,
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
            None => read(text).map_err(fault),
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

fn read(text: &str) -> Result<ImageStream, String> {
    let Object(json) =
        serde_json::from_str::<Object<StreamJson>>(text).map_err(|error| reason(&error))?;
    let metadata = json.metadata.ok_or("metadata.name is missing")?;
    let Object(meta) = serde_json::from_str::<Object<HeadMeta>>(metadata.get())
        .map_err(|error| format!("metadata.{}", reason(&error)))?;
    Ok(ImageStream {
        metadata: metadata.to_owned(),
        namespace: meta.namespace.0.into_owned(),
        name: meta.name.filled().ok_or("metadata.name is missing")?,
        resource_version: ResourceVersion::new(&meta.resource_version.0),
        tags: json
            .spec
            .0
            .0
            .0
            .into_iter()
            .map(TagReference::from)
            .collect(),
        history: json
            .status
            .0
            .0
            .0
            .into_iter()
            .map(TagHistory::from)
            .collect(),
    })
}

#[derive(Default)]
struct StreamJson<'a> {
    metadata: Option<&'a RawValue>,
    spec: Object<Tags<TagJson<'a>>>,
    status: Object<Tags<HistoryJson<'a>>>,
}

impl<'de> Fields<'de> for StreamJson<'de> {
    fn field<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<bool, A::Error> {
        match key {
            "metadata" => self.metadata = map.next_value()?,
            "spec" => self.spec = map.next_value()?,
            "status" => self.status = map.next_value()?,
            _ => return Ok(false),
        }
        Ok(true)
    }
}

/// An object with a list `tags`.
struct Tags<T>(List<T>);

impl<T> Default for Tags<T> {
    fn default() -> Self {
        Self(List::default())
    }
}

impl<'de, T: Fields<'de>> Fields<'de> for Tags<T> {
    fn field<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<bool, A::Error> {
        match key {
            "tags" => self.0 = map.next_value()?,
            _ => return Ok(false),
        }
        Ok(true)
    }
}

#[derive(Default)]
struct TagJson<'a> {
    name: Text<'a>,
    from: Object<FromJson<'a>>,
    reference: bool,
    policy: Object<PolicyJson<'a>>,
    annotations: Object<AnnotationsJson<'a>>,
    generation: Option<i64>,
}

impl<'de> Fields<'de> for TagJson<'de> {
    fn field<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<bool, A::Error> {
        match key {
            "name" => self.name = map.next_value()?,
            "from" => self.from = map.next_value()?,
            "reference" => self.reference = flag(map)?,
            "importPolicy" => self.policy = map.next_value()?,
            "annotations" => self.annotations = map.next_value()?,
            "generation" => self.generation = map.next_value()?,
            _ => return Ok(false),
        }
        Ok(true)
    }
}

impl From<TagJson<'_>> for TagReference {
    fn from(json: TagJson<'_>) -> Self {
        Self {
            name: json.name.0.into_owned(),
            from_kind: json.from.0.kind.0.into_owned(),
            from_name: json.from.0.name.0.into_owned(),
            reference: json.reference,
            mode: ImportMode::from_api(&json.policy.0.mode.0),
            prefer_os: json.annotations.0.os.0.into_owned(),
            prefer_architecture: json.annotations.0.architecture.0.into_owned(),
            generation: json.generation,
        }
    }
}

#[derive(Default)]
struct FromJson<'a> {
    kind: Text<'a>,
    name: Text<'a>,
}

impl<'de> Fields<'de> for FromJson<'de> {
    fn field<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<bool, A::Error> {
        match key {
            "kind" => self.kind = map.next_value()?,
            "name" => self.name = map.next_value()?,
            _ => return Ok(false),
        }
        Ok(true)
    }
}

#[derive(Default)]
struct PolicyJson<'a> {
    mode: Text<'a>,
}

impl<'de> Fields<'de> for PolicyJson<'de> {
    fn field<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<bool, A::Error> {
        match key {
            "importMode" => self.mode = map.next_value()?,
            _ => return Ok(false),
        }
        Ok(true)
    }
}

#[derive(Default)]
struct AnnotationsJson<'a> {
    os: Text<'a>,
    architecture: Text<'a>,
}

impl<'de> Fields<'de> for AnnotationsJson<'de> {
    fn field<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<bool, A::Error> {
        match key {
            "importer.image.openshift.io/prefer-os" => self.os = map.next_value()?,
            "importer.image.openshift.io/prefer-arch" => self.architecture = map.next_value()?,
            _ => return Ok(false),
        }
        Ok(true)
    }
}

#[derive(Default)]
struct HistoryJson<'a> {
    tag: Text<'a>,
    items: List<EventJson<'a>>,
}

impl<'de> Fields<'de> for HistoryJson<'de> {
    fn field<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<bool, A::Error> {
        match key {
            "tag" => self.tag = map.next_value()?,
            "items" => self.items = map.next_value()?,
            _ => return Ok(false),
        }
        Ok(true)
    }
}

impl From<HistoryJson<'_>> for TagHistory {
    fn from(json: HistoryJson<'_>) -> Self {
        Self {
            tag: json.tag.0.into_owned(),
            events: json.items.0.into_iter().map(TagEvent::from).collect(),
        }
    }
}

#[derive(Default)]
struct EventJson<'a> {
    image: Text<'a>,
    generation: Option<i64>,
}

impl<'de> Fields<'de> for EventJson<'de> {
    fn field<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<bool, A::Error> {
        match key {
            "image" => self.image = map.next_value()?,
            "generation" => self.generation = map.next_value()?,
            _ => return Ok(false),
        }
        Ok(true)
    }
}

impl From<EventJson<'_>> for TagEvent {
    fn from(json: EventJson<'_>) -> Self {
        Self {
            image: json.image.0.into_owned(),
            generation: json.generation.unwrap_or_default(),
        }
    }
}
