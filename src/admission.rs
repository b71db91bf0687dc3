//! A borrowed view of an AdmissionRequest, and which requests are ours to decide.

mod kind;
mod view;

use std::borrow::Cow;
use std::fmt;
use std::mem::take;

pub use self::kind::{GROUP, ResourceKind};
use self::view::{ObjectView, RequestView};
use crate::json::{Cursor, Json};
use crate::settings::Settings;
use crate::slot::{Slot, TagName};

/// HTTP status code of a rejection whose request cannot be understood.
pub const BAD_REQUEST: u16 = 400;

/// Why a request cannot be understood; the message names the place and quotes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestError {
    /// The payload is not JSON in UTF-8; where it stops being so.
    NotJson {
        /// Line, from 1; 0 where the bytes are not UTF-8.
        line: usize,
        /// Column in bytes, from 1; the byte offset where the bytes are not UTF-8.
        column: usize,
    },
    /// The value at this path must be an object.
    NotAnObject(&'static str),
    /// The value at this path must be a string.
    NotAString(&'static str),
}

impl fmt::Display for RequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("cannot understand the admission request: ")?;
        match self {
            Self::NotJson { line: 0, column } => {
                write!(f, "the payload is not UTF-8 at byte {column}")
            }
            Self::NotJson { line, column } => {
                write!(f, "the payload is not JSON at line {line}, column {column}")
            }
            Self::NotAnObject(path) => write!(f, "`{path}` must be an object"),
            Self::NotAString(path) => write!(f, "`{path}` must be a string"),
        }
    }
}

impl std::error::Error for RequestError {}

/// What Kubewarden hands to a policy: `{"request": …, "settings": …}`.
#[derive(Clone, Debug)]
pub(crate) struct Payload<'a> {
    pub(crate) request: AdmissionRequest<'a>,
    pub(crate) settings: Option<Json<'a>>,
}

impl<'a> Payload<'a> {
    pub(crate) fn parse(payload: &'a [u8]) -> Result<Self, RequestError> {
        let mut cursor = Cursor::new(payload);
        let mut request = None;
        let mut settings = None;
        cursor.object(|key, cursor| match key {
            b"request" => request = Some(RequestView::read(cursor)),
            b"settings" => settings = cursor.value(),
            _ => {}
        });
        finish(cursor, payload)?;
        Ok(Self {
            request: AdmissionRequest::understood(request.unwrap_or_default())?,
            settings,
        })
    }
}

fn finish(cursor: Cursor<'_>, document: &[u8]) -> Result<(), RequestError> {
    cursor.finish().map_err(|error| {
        let text = match std::str::from_utf8(document) {
            Ok(text) => text,
            Err(error) => {
                return RequestError::NotJson {
                    line: 0,
                    column: error.valid_up_to(),
                };
            }
        };
        let before = text.get(..error.offset).unwrap_or(text);
        let (line, last) = match before.rsplit_once('\n') {
            Some((lines, last)) => (lines.matches('\n').count() + 2, last),
            None => (1, before),
        };
        RequestError::NotJson {
            line,
            column: last.len() + 1,
        }
    })
}

/// An AdmissionRequest that can be understood.
#[derive(Clone, Debug)]
pub struct AdmissionRequest<'a> {
    operation: Json<'a>,
    view: RequestView<'a>,
}

impl<'a> AdmissionRequest<'a> {
    fn understood(view: RequestView<'a>) -> Result<Self, RequestError> {
        if !view.whole.is_some_and(Json::is_object) {
            return Err(RequestError::NotAnObject("request"));
        }
        if !view.kind.is_some_and(Json::is_object) {
            return Err(RequestError::NotAnObject("request.kind"));
        }
        let operation = view.operation.filter(|operation| operation.is_string());
        Ok(Self {
            operation: operation.ok_or(RequestError::NotAString("request.operation"))?,
            view,
        })
    }

    /// Reads a bare AdmissionRequest.
    ///
    /// # Errors
    ///
    /// Text that is not JSON, a `kind` that is not an object, an `operation` that is not a string.
    pub fn parse(request: &'a [u8]) -> Result<Self, RequestError> {
        let mut cursor = Cursor::new(request);
        let view = RequestView::read(&mut cursor);
        finish(cursor, request)?;
        Self::understood(view)
    }

    /// Reads the request of an AdmissionReview, or of anything else that is `{"request": …}`.
    ///
    /// # Errors
    ///
    /// As [`AdmissionRequest::parse`]; also without a `request`.
    pub fn parse_review(review: &'a [u8]) -> Result<Self, RequestError> {
        Payload::parse(review).map(|payload| payload.request)
    }

    /// The kind of the request if it is one of the four; the plural is not looked at, audit
    /// requests put the kind there.
    #[must_use]
    pub fn kind(&self) -> Option<ResourceKind> {
        self.view.resource_kind
    }

    /// `uid` of the request, which the answer repeats; empty if it has none.
    #[must_use]
    pub fn uid(&self) -> Cow<'a, str> {
        self.view.uid.and_then(Json::as_str).unwrap_or_default()
    }

    /// The request as one of ours to decide (semantics 1).
    pub(crate) fn in_scope(self, settings: &Settings) -> Result<ScopedRequest<'a>, OutOfScope> {
        let kind = self.kind().ok_or(OutOfScope::Kind)?;
        let request = self.view;
        let stored = match self.operation.as_str().as_deref() {
            Some("CREATE") => None,
            Some("UPDATE") if kind != ResourceKind::ImageStreamImport => request.old_object,
            _ => return Err(OutOfScope::Operation),
        };
        if is_set(request.sub_resource) {
            return Err(OutOfScope::SubResource);
        }
        let object = request.object.ok_or(OutOfScope::NoObject)?;
        let text = object.whole.filter(|object| object.is_object());
        let text = text.ok_or(OutOfScope::NoObject)?;
        if is_set(object.metadata.deletion_timestamp) {
            return Err(OutOfScope::BeingDeleted);
        }
        let imports = object.spec.import.is_some_and(Json::is_true);
        if kind == ResourceKind::ImageStreamImport && !imports {
            return Err(OutOfScope::LookUpOnly);
        }
        let user = request.user_info.and_then(|user| user.get("username"));
        let user = user.and_then(Json::as_str);
        if user.is_some_and(|user| settings.exempts_user(&user)) {
            return Err(OutOfScope::ExemptUser);
        }
        let namespace = first_name(request.namespace, object.metadata.namespace);
        let exempts = |namespace| settings.exempts_namespace(namespace);
        if namespace.as_deref().is_some_and(exempts) {
            return Err(OutOfScope::ExemptNamespace);
        }
        Ok(ScopedRequest {
            kind,
            name: first_name(request.name, object.metadata.name),
            namespace,
            text,
            object,
            stored,
        })
    }
}

/// Why a request is accepted untouched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutOfScope {
    /// Another group or kind.
    Kind,
    /// Neither CREATE nor UPDATE, or an UPDATE of an `ImageStreamImport`.
    Operation,
    /// A subresource.
    SubResource,
    /// The request has no object.
    NoObject,
    /// The object is being deleted.
    BeingDeleted,
    /// An `ImageStreamImport` that stores nothing: its caller needs the image's config.
    LookUpOnly,
    /// The user is exempt.
    ExemptUser,
    /// The namespace is exempt.
    ExemptNamespace,
}

/// A request that is ours to decide.
#[derive(Clone, Debug)]
pub(crate) struct ScopedRequest<'a> {
    pub(crate) kind: ResourceKind,
    pub(crate) name: Option<Cow<'a, str>>,
    pub(crate) namespace: Option<Cow<'a, str>>,
    /// The object as received.
    pub(crate) text: Json<'a>,
    pub(crate) object: Box<ObjectView<'a>>,
    /// The `oldObject` of an UPDATE.
    pub(crate) stored: Option<Box<ObjectView<'a>>>,
}

impl<'a> ScopedRequest<'a> {
    /// Takes the slots in the order of the object (semantics 2).
    pub(crate) fn take_slots(&mut self) -> Vec<Slot<'a>> {
        let spec = &mut self.object.spec;
        match self.kind {
            ResourceKind::ImageStream => take(&mut spec.tags),
            ResourceKind::ImageStreamImport => {
                let mut slots = take(&mut spec.images);
                let place = if spec.repository_last { slots.len() } else { 0 };
                slots.splice(place..place, spec.repository.take());
                slots
            }
            ResourceKind::ImageStreamTag => {
                let slot = self.object.tag.take();
                self.named(slot)
            }
            ResourceKind::ImageTag => {
                let slot = spec.slot();
                self.named(slot)
            }
        }
    }

    /// The slot of an object that is named `stream:tag`.
    fn named(&self, slot: Option<Slot<'a>>) -> Vec<Slot<'a>> {
        let name = self.name.as_deref().and_then(|name| name.split_once(':'));
        let tag = name.map(|(_, tag)| TagName::of_text(tag));
        slot.map(|slot| slot.named(tag)).into_iter().collect()
    }
}

fn first_name<'a>(request: Option<Json<'a>>, metadata: Option<Json<'a>>) -> Option<Cow<'a, str>> {
    [request, metadata]
        .into_iter()
        .flatten()
        .find_map(Json::as_non_empty_str)
}

fn is_set(value: Option<Json<'_>>) -> bool {
    value.is_some_and(|value| !value.is_unset())
}
