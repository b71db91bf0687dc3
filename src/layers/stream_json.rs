//! From the JSON of an ImageStream to the part that is kept.

use serde::de::MapAccess;
use serde_json::value::RawValue;

use super::head::HeadMeta;
use super::json::{Fields, List, Object, Text, flag, reason};
use super::stream::{ImageStream, TagEvent, TagHistory, TagReference};
use super::version::ResourceVersion;
use crate::import_mode::ImportMode;

/// Reads an object that is taken for an ImageStream; the error is the fault with its path.
pub(super) fn read(text: &str) -> Result<ImageStream, String> {
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
