//! Admission requests in the form in which policy-server hands them to a policy.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

/// One admission request, ready to be evaluated.
#[derive(Clone, Debug)]
pub struct Request {
    text: String,
    value: Value,
}

/// Why some bytes are no admission request.
#[derive(Debug)]
pub enum RequestError {
    /// The bytes are not JSON.
    NotJson(serde_json::Error),
    /// An `AdmissionReview` that holds no request.
    NoRequest,
    /// JSON, but policy-server would answer 422: a field is missing, repeated or of another type.
    DoesNotFit(serde_json::Error),
}

impl fmt::Display for RequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotJson(error) => write!(f, "not JSON: {error}"),
            Self::NoRequest => f.write_str("the `AdmissionReview` has no `request`"),
            Self::DoesNotFit(error) => write!(f, "not an `AdmissionRequest`: {error}"),
        }
    }
}

impl std::error::Error for RequestError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::NotJson(error) | Self::DoesNotFit(error) => Some(error),
            Self::NoRequest => None,
        }
    }
}

impl Request {
    /// Reads an `AdmissionReview`, or the bare `AdmissionRequest` inside one.
    ///
    /// As policy-server does, this drops null and unknown fields of the request itself, keeps all of
    /// `object`, `oldObject` and `options`, and sorts the keys.
    ///
    /// # Errors
    ///
    /// What policy-server refuses before a policy runs.
    pub fn from_json(json: &[u8]) -> Result<Self, RequestError> {
        let envelope: Envelope<'_> = serde_json::from_slice(json).map_err(RequestError::NotJson)?;
        match (envelope.request, envelope.kind) {
            (Some(request), _) => Self::typed(request.get().as_bytes()),
            (None, Some(kind)) if kind.get() == "\"AdmissionReview\"" => {
                Err(RequestError::NoRequest)
            }
            (None, _) => Self::typed(json),
        }
    }

    fn typed(json: &[u8]) -> Result<Self, RequestError> {
        let request: AdmissionRequest =
            serde_json::from_slice(json).map_err(RequestError::DoesNotFit)?;
        let value = serde_json::to_value(request).map_err(RequestError::DoesNotFit)?;
        Ok(Self::from_value(value))
    }

    /// Takes any JSON as the request, byte for byte: what a policy gets from a host that does not
    /// know the type `AdmissionRequest`.
    ///
    /// # Errors
    ///
    /// [`RequestError::NotJson`].
    pub fn raw(json: &str) -> Result<Self, RequestError> {
        let value = serde_json::from_str(json).map_err(RequestError::NotJson)?;
        Ok(Self {
            text: json.to_owned(),
            value,
        })
    }

    fn from_value(value: Value) -> Self {
        Self {
            text: value.to_string(),
            value,
        }
    }

    /// The same request about another object, for asking again with the policy's own answer.
    #[must_use]
    pub fn with_object(&self, object: Value) -> Self {
        let mut value = self.value.clone();
        if let Some(request) = value.as_object_mut() {
            request.insert("object".to_owned(), object);
        }
        Self::from_value(value)
    }

    /// The request as the policy sees it, as text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Namespace and name of the stream that an `ImageStreamImport` writes to.
    pub(crate) fn import_stream(&self) -> Option<(&str, &str)> {
        let text = |pointer: &str| self.value.pointer(pointer).and_then(Value::as_str);
        let first = |pointers: [&str; 2]| {
            let mut texts = pointers.into_iter().filter_map(text);
            texts.find(|text| !text.is_empty())
        };
        let is_import = text("/kind/kind") == Some("ImageStreamImport");
        let namespace = first(["/namespace", "/object/metadata/namespace"]);
        let name = first(["/name", "/object/metadata/name"]);
        namespace.zip(name).filter(|_| is_import)
    }

    /// The request as the policy sees it.
    #[must_use]
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// `uid`, which the response repeats; empty if there is none.
    #[must_use]
    pub fn uid(&self) -> &str {
        self.value
            .get("uid")
            .and_then(Value::as_str)
            .unwrap_or_default()
    }

    /// `object`; none on DELETE.
    #[must_use]
    pub fn object(&self) -> Option<&Value> {
        self.value.get("object")
    }

    /// The payload of `validate`: `{"request": …, "settings": …}`.
    #[must_use]
    pub fn payload(&self, settings: &Value) -> Vec<u8> {
        format!(r#"{{"request":{},"settings":{settings}}}"#, self.text).into_bytes()
    }
}

#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow)]
    kind: Option<&'a RawValue>,
    #[serde(borrow)]
    request: Option<&'a RawValue>,
}

/// The fields that policy-server knows (`crates/policy-evaluator/src/admission_request.rs` of
/// kubewarden/adm-controller).
#[derive(Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
struct AdmissionRequest {
    uid: String,
    kind: GroupVersionKind,
    resource: GroupVersionResource,
    #[serde(skip_serializing_if = "Option::is_none")]
    sub_resource: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    request_kind: Option<GroupVersionKind>,
    #[serde(skip_serializing_if = "Option::is_none")]
    request_resource: Option<GroupVersionResource>,
    #[serde(skip_serializing_if = "Option::is_none")]
    request_sub_resource: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    namespace: Option<String>,
    operation: String,
    user_info: UserInfo,
    #[serde(skip_serializing_if = "Option::is_none")]
    object: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    old_object: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dry_run: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    options: Option<Value>,
}

#[derive(Deserialize, Serialize)]
struct GroupVersionKind {
    group: String,
    version: String,
    kind: String,
}

#[derive(Deserialize, Serialize)]
struct GroupVersionResource {
    group: String,
    version: String,
    resource: String,
}

/// `authentication.k8s.io/v1` `UserInfo`.
#[derive(Deserialize, Serialize)]
struct UserInfo {
    #[serde(skip_serializing_if = "Option::is_none")]
    username: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    uid: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    groups: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    extra: Option<BTreeMap<String, Vec<String>>>,
}

#[cfg(test)]
mod tests {
    use super::*;

    const REQUEST: &str = r#"{
        "uid": "u", "operation": "CREATE", "userInfo": {"username": "dev", "colour": "red"},
        "kind": {"group": "g", "version": "v1", "kind": "K"},
        "resource": {"group": "g", "version": "v1", "resource": "ks"},
        "name": null, "object": {"z": 1, "a": null}, "oldObject": null, "colour": "red"
    }"#;

    #[test]
    fn null_and_unknown_fields_are_dropped_and_keys_sorted() {
        let request = Request::from_json(REQUEST.as_bytes()).unwrap();
        let payload = request.payload(&serde_json::json!({"b": 1, "a": 2}));
        assert_eq!(
            String::from_utf8(payload).unwrap(),
            r#"{"request":{"kind":{"group":"g","kind":"K","version":"v1"},"object":{"a":null,"z":1},"operation":"CREATE","resource":{"group":"g","resource":"ks","version":"v1"},"uid":"u","userInfo":{"username":"dev"}},"settings":{"a":2,"b":1}}"#
        );
    }

    #[test]
    fn a_review_and_its_request_are_the_same() {
        let review = format!(r#"{{"kind": "AdmissionReview", "request": {REQUEST}}}"#);
        let of_review = Request::from_json(review.as_bytes()).unwrap();
        let bare = Request::from_json(REQUEST.as_bytes()).unwrap();
        assert_eq!(of_review.value(), bare.value());
    }

    #[track_caller]
    fn refused(json: &str, message: &str) {
        let error = Request::from_json(json.as_bytes()).unwrap_err();
        assert_eq!(error.to_string(), message);
    }

    #[test]
    fn what_policy_server_refuses_is_refused() {
        refused(
            "{",
            "not JSON: EOF while parsing an object at line 1 column 1",
        );
        refused(
            r#"{"kind": "AdmissionReview", "response": {}}"#,
            "the `AdmissionReview` has no `request`",
        );
        refused(
            "{\"uid\": \"a\", \"uid\": \"b\"}",
            "not an `AdmissionRequest`: duplicate field `uid` at line 1 column 18",
        );
        refused(
            &REQUEST.replace("\"uid\": \"u\", ", ""),
            "not an `AdmissionRequest`: missing field `uid` at line 6 column 5",
        );
    }
}
