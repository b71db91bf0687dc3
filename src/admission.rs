//! A borrowed view of an AdmissionRequest, and which requests are ours to decide.

use std::borrow::Cow;
use std::fmt;

use crate::json::Json;
use crate::settings::Settings;

/// Group of the four kinds.
pub const GROUP: &str = "image.openshift.io";

/// HTTP status code of a rejection whose request cannot be understood.
pub const BAD_REQUEST: u16 = 400;

/// The kinds whose tags carry a `TagImportPolicy` (openshift.md 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResourceKind {
    /// A stream with all its tags.
    ImageStream,
    /// A request to import images into a stream; it has no stored form.
    ImageStreamImport,
    /// One tag of a stream, with the image that it names.
    ImageStreamTag,
    /// One tag of a stream, spec and status apart.
    ImageTag,
}

impl ResourceKind {
    /// The four kinds.
    pub const ALL: [Self; 4] = [
        Self::ImageStream,
        Self::ImageStreamImport,
        Self::ImageStreamTag,
        Self::ImageTag,
    ];

    /// The kind as the API spells it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ImageStream => "ImageStream",
            Self::ImageStreamImport => "ImageStreamImport",
            Self::ImageStreamTag => "ImageStreamTag",
            Self::ImageTag => "ImageTag",
        }
    }

    /// The resource name that webhook rules use.
    #[must_use]
    pub const fn plural(self) -> &'static str {
        match self {
            Self::ImageStream => "imagestreams",
            Self::ImageStreamImport => "imagestreamimports",
            Self::ImageStreamTag => "imagestreamtags",
            Self::ImageTag => "imagetags",
        }
    }
}

/// The operations that write an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    Create,
    Update,
}

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
#[derive(Clone, Copy, Debug)]
pub(crate) struct Payload<'a> {
    pub(crate) request: AdmissionRequest<'a>,
    pub(crate) settings: Option<Json<'a>>,
}

impl<'a> Payload<'a> {
    pub(crate) fn parse(payload: &'a [u8]) -> Result<Self, RequestError> {
        let payload = parse_json(payload)?;
        let [request, settings] = payload.pick(["request", "settings"]);
        Ok(Self {
            request: AdmissionRequest::from_json(request)?,
            settings,
        })
    }
}

pub(crate) fn parse_json(bytes: &[u8]) -> Result<Json<'_>, RequestError> {
    let text = std::str::from_utf8(bytes).map_err(|error| RequestError::NotJson {
        line: 0,
        column: error.valid_up_to(),
    })?;
    Json::parse(text).map_err(|error| RequestError::NotJson {
        line: error.line(),
        column: error.column(),
    })
}

/// The parts of an AdmissionRequest that the decision reads.
#[derive(Clone, Copy, Debug)]
pub struct AdmissionRequest<'a> {
    kind: Json<'a>,
    operation: Json<'a>,
    sub_resource: Option<Json<'a>>,
    name: Option<Json<'a>>,
    namespace: Option<Json<'a>>,
    user_info: Option<Json<'a>>,
    object: Option<Json<'a>>,
    old_object: Option<Json<'a>>,
    uid: Option<Json<'a>>,
}

impl<'a> AdmissionRequest<'a> {
    /// Reads a bare AdmissionRequest.
    ///
    /// # Errors
    ///
    /// Text that is not JSON, a `kind` that is not an object, an `operation` that is not a string.
    pub fn parse(request: &'a [u8]) -> Result<Self, RequestError> {
        Self::from_json(Some(parse_json(request)?))
    }

    pub(crate) fn from_json(request: Option<Json<'a>>) -> Result<Self, RequestError> {
        let request = request
            .filter(|request| request.is_object())
            .ok_or(RequestError::NotAnObject("request"))?;
        let [
            kind,
            operation,
            sub_resource,
            name,
            namespace,
            user_info,
            object,
            old_object,
            uid,
        ] = request.pick([
            "kind",
            "operation",
            "subResource",
            "name",
            "namespace",
            "userInfo",
            "object",
            "oldObject",
            "uid",
        ]);
        Ok(Self {
            kind: kind
                .filter(|kind| kind.is_object())
                .ok_or(RequestError::NotAnObject("request.kind"))?,
            operation: operation
                .filter(|operation| operation.is_string())
                .ok_or(RequestError::NotAString("request.operation"))?,
            sub_resource,
            name,
            namespace,
            user_info,
            object,
            old_object,
            uid,
        })
    }

    /// The kind of the request if it is one of the four; the plural is not looked at, audit
    /// requests put the kind there.
    #[must_use]
    pub fn kind(&self) -> Option<ResourceKind> {
        let [group, kind] = self.kind.pick(["group", "kind"]);
        let kind = kind?.as_str()?;
        let kind = ResourceKind::ALL
            .into_iter()
            .find(|known| known.as_str() == kind);
        kind.filter(|_| group.is_some_and(|group| group.is_str(GROUP)))
    }

    /// `uid` of the request, which the answer repeats; empty if it has none.
    #[must_use]
    pub fn uid(&self) -> Cow<'a, str> {
        self.uid.and_then(Json::as_str).unwrap_or_default()
    }

    /// The request as one of ours to decide (semantics 1).
    pub(crate) fn in_scope(&self, settings: &Settings) -> Result<ScopedRequest<'a>, OutOfScope> {
        let kind = self.kind().ok_or(OutOfScope::Kind)?;
        let operation = match self.operation.as_str().as_deref() {
            Some("CREATE") => Operation::Create,
            Some("UPDATE") if kind != ResourceKind::ImageStreamImport => Operation::Update,
            _ => return Err(OutOfScope::Operation),
        };
        if is_set(self.sub_resource) {
            return Err(OutOfScope::SubResource);
        }
        let object = self
            .object
            .filter(|object| object.is_object())
            .ok_or(OutOfScope::NoObject)?;
        let [metadata, spec, tag, status] = object.pick(["metadata", "spec", "tag", "status"]);
        let metadata = metadata.map_or_else(Metadata::default, Metadata::from_json);
        if is_set(metadata.deletion_timestamp) {
            return Err(OutOfScope::BeingDeleted);
        }
        let imports = spec.and_then(|spec| spec.get("import"));
        if kind == ResourceKind::ImageStreamImport && !imports.is_some_and(Json::is_true) {
            return Err(OutOfScope::LookUpOnly);
        }
        let user = self.user_info.and_then(|user| user.get("username"));
        let user = user.and_then(Json::as_str);
        if user.is_some_and(|user| settings.exempts_user(&user)) {
            return Err(OutOfScope::ExemptUser);
        }
        let namespace = first_name(self.namespace, metadata.namespace);
        let exempts = |namespace| settings.exempts_namespace(namespace);
        if namespace.as_deref().is_some_and(exempts) {
            return Err(OutOfScope::ExemptNamespace);
        }
        Ok(ScopedRequest {
            kind,
            name: first_name(self.name, metadata.name),
            namespace,
            object,
            annotations: metadata.annotations,
            managed_fields: metadata.managed_fields,
            spec,
            tag,
            status,
            old_object: self.old_object.filter(|_| operation == Operation::Update),
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

/// A request that is ours to decide, with the parts of its object.
#[derive(Clone, Debug)]
pub(crate) struct ScopedRequest<'a> {
    pub(crate) kind: ResourceKind,
    pub(crate) name: Option<Cow<'a, str>>,
    pub(crate) namespace: Option<Cow<'a, str>>,
    pub(crate) object: Json<'a>,
    pub(crate) annotations: Option<Json<'a>>,
    pub(crate) managed_fields: Option<Json<'a>>,
    pub(crate) spec: Option<Json<'a>>,
    pub(crate) tag: Option<Json<'a>>,
    pub(crate) status: Option<Json<'a>>,
    /// The stored object of an UPDATE.
    pub(crate) old_object: Option<Json<'a>>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Metadata<'a> {
    name: Option<Json<'a>>,
    namespace: Option<Json<'a>>,
    annotations: Option<Json<'a>>,
    managed_fields: Option<Json<'a>>,
    deletion_timestamp: Option<Json<'a>>,
}

impl<'a> Metadata<'a> {
    fn from_json(metadata: Json<'a>) -> Self {
        let [
            name,
            namespace,
            annotations,
            managed_fields,
            deletion_timestamp,
        ] = metadata.pick([
            "name",
            "namespace",
            "annotations",
            "managedFields",
            "deletionTimestamp",
        ]);
        Self {
            name,
            namespace,
            annotations,
            managed_fields,
            deletion_timestamp,
        }
    }
}

fn first_name<'a>(request: Option<Json<'a>>, metadata: Option<Json<'a>>) -> Option<Cow<'a, str>> {
    [request, metadata]
        .into_iter()
        .flatten()
        .find_map(Json::as_non_empty_str)
}

fn is_set(value: Option<Json<'_>>) -> bool {
    value.is_some_and(|value| !value.is_null() && !value.is_str(""))
}
