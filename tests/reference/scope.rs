//! §1: which requests are decided at all.

use serde_json::{Map, Value};

use super::settings::Settings;
use super::slots::{Kind, get, non_empty};

/// The accounts that are always exempt (§7).
pub const BUILT_IN_USERS: [&str; 3] = [
    "system:serviceaccount:openshift-cluster-version:default",
    "system:serviceaccount:openshift-cluster-version:cluster-version-operator",
    "system:serviceaccount:openshift-infra:image-import-controller",
];

/// The request, if it can be understood: `request` and `request.kind` are
/// objects and `request.operation` is a string.
pub fn understood(request: &Value) -> Option<&Map<String, Value>> {
    let request = request.as_object()?;
    let kind = request.get("kind")?.is_object();
    let operation = request.get("operation")?.is_string();
    (kind && operation).then_some(request)
}

/// The kind, if the request is in scope, else why not.
pub fn in_scope(request: &Map<String, Value>, settings: &Settings) -> Result<Kind, &'static str> {
    let kind = get(request, "kind");
    if kind.get("group") != Some(&Value::from("image.openshift.io")) {
        return Err("other group");
    }
    let kind = match kind.get("kind").and_then(Value::as_str) {
        Some("ImageStream") => Kind::ImageStream,
        Some("ImageStreamImport") => Kind::ImageStreamImport,
        Some("ImageStreamTag") => Kind::ImageStreamTag,
        Some("ImageTag") => Kind::ImageTag,
        _ => return Err("other kind"),
    };

    if !is_unset(get(request, "subResource")) {
        return Err("subresource");
    }

    let operation = get(request, "operation").as_str();
    let matches = match kind {
        Kind::ImageStreamImport => operation == Some("CREATE"),
        _ => operation == Some("CREATE") || operation == Some("UPDATE"),
    };
    if !matches {
        return Err("other operation");
    }

    let object = get(request, "object");
    if !object.is_object() {
        return Err("no object");
    }
    let deleted = object.pointer("/metadata/deletionTimestamp");
    if !deleted.is_none_or(is_unset) {
        return Err("being deleted");
    }

    if let Some(user) = get(request, "userInfo")
        .get("username")
        .and_then(Value::as_str)
    {
        if BUILT_IN_USERS.contains(&user) {
            return Err("built-in user");
        }
        if settings.exempt_users.iter().any(|exempt| exempt == user) {
            return Err("exempt user");
        }
    }
    if let Some(namespace) = namespace(request)
        && settings
            .exempt_namespaces
            .iter()
            .any(|exempt| exempt == namespace)
    {
        return Err("exempt namespace");
    }

    if kind == Kind::ImageStreamImport && object.pointer("/spec/import") != Some(&Value::Bool(true))
    {
        return Err("look-up only");
    }
    Ok(kind)
}

/// The namespace is the request's, else the metadata's.
pub fn namespace(request: &Map<String, Value>) -> Option<&str> {
    from_request_or_metadata(request, "namespace")
}

/// The same for the name (§2).
pub fn name(request: &Map<String, Value>) -> Option<&str> {
    from_request_or_metadata(request, "name")
}

fn from_request_or_metadata<'a>(request: &'a Map<String, Value>, key: &str) -> Option<&'a str> {
    let metadata = get(request, "object").get("metadata");
    non_empty(request.get(key))
        .or_else(|| non_empty(metadata.and_then(|metadata| metadata.get(key))))
}

/// Null or `""` (or absent, which [`get`] gives as null).
fn is_unset(value: &Value) -> bool {
    value.is_null() || value == ""
}
