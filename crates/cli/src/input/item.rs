//! What a document holds: requests, manifests, Lists of manifests, or something else.

use imagestream_import_mode::ResourceKind;
use imagestream_import_mode::admission::GROUP;
use imagestream_import_mode_host::{Request, RequestError};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::document::{Document, blame, line_at};
use super::error::InputError;
use super::place::Place;
use super::wrap::Wrapping;

/// One thing from the input.
#[derive(Debug)]
pub enum Item {
    /// To be decided.
    Subject(Box<Subject>),
    /// Not one of the four kinds.
    PassedOver(PassedOver),
}

/// Something that the policy would never be asked about.
#[derive(Debug)]
pub struct PassedOver {
    /// Where it stands.
    pub place: Place,
    /// Kind and name.
    pub what: String,
    /// Its JSON text.
    pub object: String,
}

/// One admission request.
#[derive(Debug)]
pub struct Subject {
    /// Where it stands.
    pub place: Place,
    /// How the input held it.
    pub origin: Origin,
    /// Kind, as the request says.
    pub kind: String,
    /// `namespace/name`, as far as there are such.
    pub name: String,
    /// CREATE, UPDATE and so on.
    pub operation: String,
    /// Who asks; empty for manifests.
    pub user: String,
    /// The AdmissionRequest as JSON text.
    pub json: String,
    /// The same as Kubewarden hands it to the policy.
    pub request: Request,
    /// Text of its `object`.
    pub object: Option<String>,
}

/// How the input held a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// As an AdmissionReview or AdmissionRequest.
    Request,
    /// As a manifest.
    Manifest,
    /// As an object that a server has stored.
    Stored,
}

/// The top of a document.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Head<'a> {
    #[serde(borrow)]
    api_version: Option<&'a RawValue>,
    #[serde(borrow)]
    kind: Option<&'a RawValue>,
    #[serde(borrow)]
    metadata: Option<&'a RawValue>,
    #[serde(borrow)]
    items: Option<Vec<&'a RawValue>>,
    #[serde(borrow)]
    request: Option<&'a RawValue>,
    #[serde(borrow)]
    operation: Option<&'a RawValue>,
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

/// Everything in a document.
pub fn items(document: &Document, wrapping: &Wrapping) -> Result<Vec<Item>, InputError> {
    let (place, json) = (&document.place, document.json.as_str());
    let head = head(place, document.verbatim, json)?;
    if let Some(request) = head.request {
        let place = within(document, "request", request);
        let mut subject = subject(&place, document.verbatim, Origin::Request, request.get())?;
        // Errors name the request, everything else the review.
        subject.place = document.place.clone();
        return Ok(vec![Item::Subject(Box::new(subject))]);
    }
    let kind = text(head.kind);
    if kind.as_deref() == Some("AdmissionReview") {
        return Err(unusable(
            place,
            "the AdmissionReview has no `request`; capture it as the API server sends it",
        ));
    }
    // In a request the kind is an object; some manifests have an `operation` too.
    if head.operation.is_some() && kind.is_none() {
        let subject = subject(place, document.verbatim, Origin::Request, json)?;
        return Ok(vec![Item::Subject(Box::new(subject))]);
    }
    objects(document, |object| wrapping.wrap(&object))
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

fn head<'a>(place: &Place, verbatim: bool, json: &'a str) -> Result<Head<'a>, InputError> {
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

/// An AdmissionRequest as a subject.
pub fn subject(
    place: &Place,
    verbatim: bool,
    origin: Origin,
    json: &str,
) -> Result<Subject, InputError> {
    #[derive(Deserialize)]
    struct Object<'a> {
        #[serde(borrow)]
        object: Option<&'a RawValue>,
    }
    let request = Request::from_json(json.as_bytes()).map_err(|error| match error {
        RequestError::NotJson(error) | RequestError::DoesNotFit(error) => {
            let (place, message) = blame(place, verbatim, &error);
            unusable(
                &place,
                &format!("not an AdmissionRequest: {message}; policy-server would answer 422"),
            )
        }
        RequestError::NoRequest => unusable(place, "the AdmissionReview has no `request`"),
    })?;
    let object: Object<'_> =
        serde_json::from_str(json).map_err(|error| misfit(place, verbatim, &error))?;
    let field = |pointer: &str| {
        let value = request.value().pointer(pointer);
        let text = value.and_then(serde_json::Value::as_str);
        text.unwrap_or_default().to_owned()
    };
    let or_metadata = |key: &str| {
        let own = field(&format!("/{key}"));
        if own.is_empty() {
            field(&format!("/object/metadata/{key}"))
        } else {
            own
        }
    };
    Ok(Subject {
        place: place.clone(),
        origin,
        kind: field("/kind/kind"),
        name: full_name(&or_metadata("namespace"), &or_metadata("name")),
        operation: field("/operation"),
        user: field("/userInfo/username"),
        json: json.to_owned(),
        object: object.object.map(|object| object.get().to_owned()),
        request,
    })
}

/// A text, if the value is one.
fn text(value: Option<&RawValue>) -> Option<String> {
    serde_json::from_str(value?.get()).ok()
}

/// The place of a part of a document.
fn within(document: &Document, path: &str, part: &RawValue) -> Place {
    let place = document.place.below(path);
    if document.verbatim {
        let offset = part.get().as_ptr().addr() - document.json.as_ptr().addr();
        place.down(line_at(&document.json, offset) - 1)
    } else {
        place
    }
}

fn misfit(place: &Place, verbatim: bool, error: &serde_json::Error) -> InputError {
    let (place, message) = blame(place, verbatim, error);
    unusable(&place, &message)
}

pub(super) fn unusable(place: &Place, message: &str) -> InputError {
    InputError::Unusable {
        place: place.clone(),
        message: message.to_owned(),
    }
}
