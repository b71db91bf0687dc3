//! §2: the slots of an object, their modes, and which of them exist.

use serde_json::{Map, Value};

use super::Mode;
use super::cluster::{Host, Read};
use super::scope;

/// The four kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(clippy::enum_variant_names, reason = "the API's own names")]
pub enum Kind {
    /// Slots `/spec/tags/N`.
    ImageStream,
    /// Slots `/spec/repository` and `/spec/images/N`.
    ImageStreamImport,
    /// Slot `/tag`.
    ImageStreamTag,
    /// Slot `/spec`.
    ImageTag,
}

/// One place that holds a TagImportPolicy.
#[derive(Clone, Debug)]
pub struct Slot<'a> {
    /// Where it is in the object.
    pub pointer: String,
    /// What is there: an object.
    pub value: &'a Map<String, Value>,
}

/// The slots of an object. What is not an object is no slot.
pub fn of(kind: Kind, object: &Value) -> Vec<Slot<'_>> {
    match kind {
        Kind::ImageStream => array("/spec/tags", object),
        Kind::ImageStreamImport => {
            let mut slots = single("/spec/repository", object);
            slots.extend(array("/spec/images", object));
            slots
        }
        Kind::ImageStreamTag => single("/tag", object),
        Kind::ImageTag => single("/spec", object),
    }
}

fn single<'a>(pointer: &str, object: &'a Value) -> Vec<Slot<'a>> {
    let value = object.pointer(pointer).and_then(Value::as_object);
    let slot = |value| Slot {
        pointer: pointer.to_owned(),
        value,
    };
    value.map(slot).into_iter().collect()
}

fn array<'a>(pointer: &str, object: &'a Value) -> Vec<Slot<'a>> {
    let Some(elements) = object.pointer(pointer).and_then(Value::as_array) else {
        return Vec::new();
    };
    let mut slots = Vec::new();
    for (position, element) in elements.iter().enumerate() {
        if let Some(value) = element.as_object() {
            let pointer = format!("{pointer}/{position}");
            slots.push(Slot { pointer, value });
        }
    }
    slots
}

/// The mode of a slot, or of a tag that is stored somewhere.
pub fn mode_of(slot: &Map<String, Value>) -> Mode {
    let policy = match get(slot, "importPolicy") {
        Value::Null => return Mode::Unset,
        Value::Object(policy) => policy,
        _ => return Mode::Foreign,
    };
    match get(policy, "importMode") {
        Value::Null => Mode::Unset,
        Value::String(text) if text.is_empty() => Mode::Unset,
        Value::String(text) => Mode::parse(text).unwrap_or(Mode::Foreign),
        _ => Mode::Foreign,
    }
}

/// Whether two tags have the same name: equal JSON values, an absent one is null.
pub fn same_name(one: &Value, other: &Value) -> bool {
    match (one, other) {
        // Numbers by their text.
        (Value::Number(one), Value::Number(other)) => one.to_string() == other.to_string(),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len()
                && one
                    .iter()
                    .zip(other)
                    .all(|(one, other)| same_name(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one
                    .iter()
                    .all(|(key, one)| other.get(key).is_some_and(|other| same_name(one, other)))
        }
        (one, other) => one == other,
    }
}

/// Today's mode of a slot that exists; `None`: it is new.
pub fn today(
    request: &Map<String, Value>,
    kind: Kind,
    slot: &Slot<'_>,
    lookup: &Lookup,
) -> Option<Mode> {
    if kind == Kind::ImageStreamImport {
        // Only a stream that was found makes an import slot existing.
        let Lookup::Found(stream) = lookup else {
            return None;
        };
        return if slot.pointer == "/spec/repository" {
            repository_mode(stream)
        } else {
            tag_mode(stream, &image_tag(slot.value)?)
        };
    }

    // On CREATE every slot is new.
    if get(request, "operation") != "UPDATE" {
        return None;
    }
    let old = get(request, "oldObject");
    match kind {
        Kind::ImageStream => tag_mode(old, get(slot.value, "name")),
        _ => of(kind, old).first().map(|slot| mode_of(slot.value)),
    }
}

/// The mode of a stream's tag of that name, the last one if it repeats.
fn tag_mode(stream: &Value, name: &Value) -> Option<Mode> {
    let tags = of(Kind::ImageStream, stream);
    let tag = tags
        .iter()
        .rev()
        .find(|tag| same_name(get(tag.value, "name"), name))?;
    Some(mode_of(tag.value))
}

/// The one mode that all tags of a stream have, else mixed; `None` without tags.
fn repository_mode(stream: &Value) -> Option<Mode> {
    let tags = of(Kind::ImageStream, stream);
    let first = mode_of(tags.first()?.value);
    if tags.iter().all(|tag| mode_of(tag.value) == first) {
        Some(first)
    } else {
        Some(Mode::Mixed)
    }
}

/// The tag that an image of an import is stored as, if any.
fn image_tag(image: &Map<String, Value>) -> Option<Value> {
    let to = get(image, "to").get("name").unwrap_or(&Value::Null);
    if !to.is_null() && to != "" {
        return Some(to.clone());
    }
    let from = get(image, "from").get("name")?.as_str()?;
    let before_digest = from.split('@').next()?;
    let last_part = before_digest.rsplit('/').next()?;
    let (_, tag) = last_part.split_once(':')?;
    (!tag.is_empty()).then(|| Value::from(tag))
}

/// What became of the look-up of an import's stream.
#[derive(Clone, Debug, PartialEq)]
pub enum Lookup {
    /// Not an import, no slot is open, or `clusterContext: false`.
    NotAsked,
    /// The stream.
    Found(Value),
    /// There is none.
    Missing,
    /// Refused, failed or impossible.
    Failed,
}

impl Lookup {
    /// For the coverage.
    pub fn name(&self) -> &'static str {
        match self {
            Lookup::NotAsked => "not asked",
            Lookup::Found(_) => "found",
            Lookup::Missing => "missing",
            Lookup::Failed => "failed",
        }
    }
}

/// Reads the stream of the same namespace and name.
pub fn look_up(request: &Map<String, Value>, host: &mut Host<'_>) -> Lookup {
    let (Some(namespace), Some(name)) = (scope::namespace(request), scope::name(request)) else {
        return Lookup::Failed;
    };
    match host.read(&format!(
        "image.openshift.io/v1/ImageStream/{namespace}/{name}"
    )) {
        Read::Found(stream) => Lookup::Found(stream),
        Read::Missing => Lookup::Missing,
        Read::Failed => Lookup::Failed,
    }
}

/// The value of a key; an absent one is null.
pub fn get<'a>(object: &'a Map<String, Value>, key: &str) -> &'a Value {
    object.get(key).unwrap_or(&Value::Null)
}

/// A string that is not empty.
pub fn non_empty(value: Option<&Value>) -> Option<&str> {
    value?.as_str().filter(|text| !text.is_empty())
}
