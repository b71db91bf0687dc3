//! Typed objects: the top of a document, and the items of a List.

use imagestream_import_mode::ResourceKind;
use imagestream_import_mode::admission::GROUP;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::document::{Document, line_at, misfit};
use super::error::{InputError, unusable};
use super::place::Place;

/// The top of a document.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Head<'a> {
    #[serde(borrow)]
    api_version: Option<&'a RawValue>,
    /// `kind`, a text or the object of a request.
    #[serde(borrow)]
    pub kind: Option<&'a RawValue>,
    #[serde(borrow)]
    metadata: Option<&'a RawValue>,
    #[serde(borrow)]
    items: Option<Vec<&'a RawValue>>,
    /// The request of an AdmissionReview.
    #[serde(borrow)]
    pub request: Option<&'a RawValue>,
    /// `operation` of an AdmissionRequest.
    #[serde(borrow)]
    pub operation: Option<&'a RawValue>,
}

/// The names in an object's metadata.
#[derive(Default)]
pub struct Metadata {
    /// `metadata.name`.
    pub name: String,
    /// `metadata.namespace`.
    pub namespace: String,
    /// `metadata.uid`.
    pub uid: String,
    /// `metadata.resourceVersion`.
    pub resource_version: String,
}

/// A typed object, its names read.
pub struct Object<'a> {
    /// Where it stands.
    pub place: &'a Place,
    /// Whether lines of `json` are lines of the file.
    pub verbatim: bool,
    /// Its text.
    pub json: &'a str,
    /// `apiVersion`.
    pub api_version: String,
    /// `kind`.
    pub kind: String,
    /// Its names.
    pub metadata: Metadata,
}

impl Object<'_> {
    /// Which of the four kinds it is.
    pub fn resource_kind(&self) -> Option<ResourceKind> {
        let (group, _) = self.api_version.split_once('/')?;
        let kind = ResourceKind::ALL
            .into_iter()
            .find(|kind| kind.as_str() == self.kind);
        kind.filter(|_| group == GROUP)
    }

    /// Kind and name for people.
    pub fn title(&self) -> String {
        let name = full_name(&self.metadata.namespace, &self.metadata.name);
        if name.is_empty() {
            self.kind.clone()
        } else {
            format!("{} {name}", self.kind)
        }
    }
}

/// `namespace/name`, as far as there are such.
pub fn full_name(namespace: &str, name: &str) -> String {
    if namespace.is_empty() {
        name.to_owned()
    } else {
        format!("{namespace}/{name}")
    }
}

/// The objects of a document that is no request: itself, or the items of a List.
pub fn objects<T>(
    document: &Document,
    mut each: impl FnMut(Object<'_>) -> Result<T, InputError>,
) -> Result<Vec<T>, InputError> {
    let (place, json) = (&document.place, document.json.as_str());
    let head = head(place, document.verbatim, json)?;
    let kind = text(head.kind).unwrap_or_default();
    let Some((listed, items)) = kind.strip_suffix("List").zip(head.items) else {
        return Ok(vec![each(object(place, document.verbatim, json, "", "")?)?]);
    };
    let api_version = text(head.api_version).unwrap_or_default();
    let mut results = Vec::new();
    for (index, item) in items.into_iter().enumerate() {
        let place = within(document, &format!("items[{index}]"), item);
        let typed = object(&place, document.verbatim, item.get(), &api_version, listed)?;
        let text;
        let typed = if self::head(&place, document.verbatim, item.get())?
            .kind
            .is_some()
        {
            typed
        } else {
            // Items of a typed list come without their own type.
            let rest = item.get().trim_start_matches('{');
            let comma = if rest.trim_start().starts_with('}') {
                ""
            } else {
                ","
            };
            text = format!(r#"{{"apiVersion":"{api_version}","kind":"{listed}"{comma}{rest}"#);
            Object {
                json: &text,
                ..typed
            }
        };
        results.push(each(typed)?);
    }
    Ok(results)
}

/// Reads the top of a document.
pub fn head<'a>(place: &Place, verbatim: bool, json: &'a str) -> Result<Head<'a>, InputError> {
    if !json.trim_start().starts_with('{') {
        return Err(unusable(
            place,
            "must be an object: an AdmissionReview, a manifest or a List",
        ));
    }
    serde_json::from_str(json).map_err(|error| misfit(place, verbatim, &error))
}

/// Reads type and names; what the object does not say of its type is taken from its list.
fn object<'a>(
    place: &'a Place,
    verbatim: bool,
    json: &'a str,
    api_version: &str,
    kind: &str,
) -> Result<Object<'a>, InputError> {
    let head = head(place, verbatim, json)?;
    let required = |value: Option<&RawValue>, inherited: &str, key: &str| {
        match value {
        None if !inherited.is_empty() => Ok(inherited.to_owned()),
        value => text(value).ok_or_else(|| {
            unusable(
                &place.below(key),
                "must be a text; only AdmissionReviews, AdmissionRequests, manifests and Lists are understood",
            )
        }),
    }
    };
    let metadata = match head.metadata {
        None => Metadata::default(),
        Some(metadata) => read_metadata(place, metadata)?,
    };
    Ok(Object {
        place,
        verbatim,
        json,
        api_version: required(head.api_version, api_version, "apiVersion")?,
        kind: required(head.kind, kind, "kind")?,
        metadata,
    })
}

fn read_metadata(place: &Place, metadata: &RawValue) -> Result<Metadata, InputError> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Names<'a> {
        #[serde(borrow)]
        name: Option<&'a RawValue>,
        #[serde(borrow)]
        namespace: Option<&'a RawValue>,
        #[serde(borrow)]
        uid: Option<&'a RawValue>,
        #[serde(borrow)]
        resource_version: Option<&'a RawValue>,
    }
    let place = place.below("metadata");
    let names: Names<'_> = serde_json::from_str(metadata.get())
        .map_err(|_| unusable(&place, "must be an object with `name`"))?;
    let read = |key: &str, value: Option<&RawValue>| match value {
        None => Ok(String::new()),
        value => text(value).ok_or_else(|| unusable(&place.below(key), "must be a text; quote it")),
    };
    Ok(Metadata {
        name: read("name", names.name)?,
        namespace: read("namespace", names.namespace)?,
        uid: read("uid", names.uid)?,
        resource_version: read("resourceVersion", names.resource_version)?,
    })
}

/// A text, if the value is one.
pub fn text(value: Option<&RawValue>) -> Option<String> {
    serde_json::from_str(value?.get()).ok()
}

/// The place of a part of a document.
pub fn within(document: &Document, path: &str, part: &RawValue) -> Place {
    let place = document.place.below(path);
    if document.verbatim {
        let offset = part.get().as_ptr().addr() - document.json.as_ptr().addr();
        place.down(line_at(&document.json, offset) - 1)
    } else {
        place
    }
}
