//! Manifests as the requests that would create or update them.

use imagestream_import_mode::admission::GROUP;
use imagestream_import_mode::{ImportMode, JsonObject, ResourceKind};

use super::error::{InputError, unusable};
use super::item::{Item, PassedOver};
use super::object::Object;
use super::old::OldObjects;
use super::served;
use super::subject::{Origin, subject};

/// The `uid` of requests that no API server has seen.
const UID: &str = "00000000-0000-0000-0000-000000000000";

/// What manifests become.
#[derive(Debug)]
pub struct Wrapping {
    /// What is stored already.
    pub old: OldObjects,
    /// The server's default mode, if its other additions are wanted too.
    pub served: Option<ImportMode>,
    /// Namespace of objects without one.
    pub namespace: Option<String>,
}

impl Wrapping {
    /// The request for an object, if its kind is one of the four.
    pub fn wrap(&self, object: &Object<'_>) -> Result<Item, InputError> {
        let Some(kind) = object.resource_kind() else {
            return Ok(Item::PassedOver(PassedOver {
                place: object.place.clone(),
                what: object.title(),
                object: object.json.to_owned(),
            }));
        };
        let names = &object.metadata;
        let namespace = match &self.namespace {
            Some(namespace) if names.namespace.is_empty() => namespace,
            _ => &names.namespace,
        };
        let old = self.old.find(kind, object);
        let (body, old) = match self.served {
            None => (object.json.to_owned(), old.map(str::to_owned)),
            Some(mode) => {
                let serve = |json: &str, stored: bool| {
                    served::serve(json, kind, namespace, mode, stored)
                        .map_err(|message| unusable(object.place, &message))
                };
                let old_body = old.map(|old| serve(old, true)).transpose()?;
                (serve(object.json, old.is_some())?, old_body)
            }
        };
        let json = request(kind, object, namespace, &body, old.as_deref());
        let is_stored = !names.uid.is_empty() && !names.resource_version.is_empty();
        let origin = if is_stored && old.is_none() {
            Origin::Stored
        } else {
            Origin::Manifest
        };
        // Lines are those of the file only where the text is.
        let verbatim = object.verbatim && self.served.is_none();
        let subject = subject(object.place, verbatim, origin, &json)?;
        Ok(Item::Subject(Box::new(subject)))
    }
}

fn request(
    kind: ResourceKind,
    object: &Object<'_>,
    namespace: &str,
    body: &str,
    old: Option<&str>,
) -> String {
    let version = object
        .api_version
        .split_once('/')
        .map_or("v1", |(_, version)| version);
    let group_version = || {
        JsonObject::default()
            .string("group", GROUP)
            .string("version", version)
    };
    let uid = match object.metadata.uid.as_str() {
        "" => UID,
        uid => uid,
    };
    let mut request = JsonObject::default()
        .string("uid", uid)
        .object("kind", group_version().string("kind", kind.as_str()))
        .object(
            "resource",
            group_version().string("resource", kind.plural()),
        );
    for (key, name) in [
        ("name", object.metadata.name.as_str()),
        ("namespace", namespace),
    ] {
        if !name.is_empty() {
            request = request.string(key, name);
        }
    }
    let operation = if old.is_some() { "UPDATE" } else { "CREATE" };
    request = request
        .string("operation", operation)
        .raw("userInfo", "{}")
        .raw("object", body);
    match old {
        Some(old) => request.raw("oldObject", old),
        None => request,
    }
    .into_text()
}
