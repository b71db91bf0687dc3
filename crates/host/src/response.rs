//! From a policy's answer to the `AdmissionResponse`, as policy-server computes it.

use std::collections::BTreeMap;
use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// `admission.k8s.io/v1` `AdmissionResponse`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AdmissionResponse {
    /// The request's.
    pub uid: String,
    /// Whether the API server goes on.
    pub allowed: bool,
    /// Present with [`patch`](Self::patch).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub patch_type: Option<PatchType>,
    /// A JSON Patch (RFC 6902), base64; absent if nothing changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub patch: Option<String>,
    /// Why the request was refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<Status>,
    /// For the API server's audit log.
    pub audit_annotations: Option<BTreeMap<String, String>>,
    /// Lines for the user.
    pub warnings: Option<Vec<String>>,
}

/// The only kind of patch there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub enum PatchType {
    /// RFC 6902.
    #[serde(rename = "JSONPatch")]
    JsonPatch,
}

/// The part of `meta/v1` `Status` that a policy can set.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Status {
    /// The text that the user sees.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// An HTTP status code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<u16>,
}

/// Why a patch cannot be applied.
#[derive(Debug)]
pub enum PatchError {
    /// `patch` is not the base64 of a JSON Patch.
    Unreadable(String),
    /// An operation does not fit the object.
    DoesNotApply(json_patch::PatchError),
}

impl fmt::Display for PatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(why) => write!(f, "unreadable patch: {why}"),
            Self::DoesNotApply(error) => write!(f, "the patch does not apply: {error}"),
        }
    }
}

impl std::error::Error for PatchError {}

impl AdmissionResponse {
    /// A refusal in the form of policy-server.
    pub(crate) fn reject(uid: &str, message: String, code: u16) -> Self {
        Self {
            uid: uid.to_owned(),
            status: Some(Status {
                message: Some(message),
                code: Some(code),
            }),
            ..Self::default()
        }
    }

    pub(crate) fn internal_error(uid: &str, message: &str) -> Self {
        Self::reject(uid, format!("internal server error: {message}"), 500)
    }

    /// What policy-server makes of a policy's answer (`from_policy_validation_response`).
    pub(crate) fn from_answer(uid: &str, object: Option<&Value>, answer: &PolicyAnswer) -> Self {
        let patch = match (&answer.mutated_object, object) {
            (None, _) => None,
            (Some(_), None) => {
                return Self {
                    uid: uid.to_owned(),
                    status: Some(Status {
                        message: Some(OBJECT_IS_NULL.to_owned()),
                        code: None,
                    }),
                    ..Self::default()
                };
            }
            (Some(mutated), Some(object)) => {
                let patch = json_patch::diff(object, mutated);
                (!patch.0.is_empty()).then(|| patch.to_string())
            }
        };
        let status = Status {
            message: answer.message.clone(),
            code: answer.code,
        };
        Self {
            uid: uid.to_owned(),
            allowed: answer.accepted,
            patch_type: patch.as_ref().map(|_| PatchType::JsonPatch),
            patch: patch.map(|patch| STANDARD.encode(patch)),
            status: (status != Status::default()).then_some(status),
            audit_annotations: answer.audit_annotations.clone(),
            warnings: answer.warnings.clone(),
        }
    }

    pub(crate) fn set_patch(&mut self, patch: &str) {
        self.patch_type = Some(PatchType::JsonPatch);
        self.patch = Some(STANDARD.encode(patch));
    }

    /// The JSON Patch as text; none if nothing changes.
    ///
    /// # Errors
    ///
    /// [`PatchError::Unreadable`].
    pub fn json_patch(&self) -> Result<Option<String>, PatchError> {
        let Some(patch) = &self.patch else {
            return Ok(None);
        };
        let bytes = STANDARD
            .decode(patch)
            .map_err(|error| PatchError::Unreadable(error.to_string()))?;
        String::from_utf8(bytes)
            .map(Some)
            .map_err(|error| PatchError::Unreadable(error.to_string()))
    }

    /// The object as the API server goes on with it.
    ///
    /// # Errors
    ///
    /// If the patch is unreadable or does not fit the object.
    pub fn apply(&self, object: &Value) -> Result<Value, PatchError> {
        let mut object = object.clone();
        if let Some(patch) = self.json_patch()? {
            let patch: json_patch::Patch = serde_json::from_str(&patch)
                .map_err(|error| PatchError::Unreadable(error.to_string()))?;
            json_patch::patch(&mut object, &patch).map_err(PatchError::DoesNotApply)?;
        }
        Ok(object)
    }

    /// The text of the refusal, if there is one.
    #[must_use]
    pub fn message(&self) -> Option<&str> {
        self.status.as_ref()?.message.as_deref()
    }

    /// The `AdmissionReview` that a webhook answers with.
    #[must_use]
    pub fn to_review(&self) -> Value {
        serde_json::json!({
            "apiVersion": "admission.k8s.io/v1",
            "kind": "AdmissionReview",
            "response": self,
        })
    }
}

const OBJECT_IS_NULL: &str = "Incoming object is null, which happens only with DELETE operations, but the policy is attempting a mutation. This is not allowed";

/// What `validate` answers (`ValidationResponse` of the policy SDK); unknown keys are ignored.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct PolicyAnswer {
    pub accepted: bool,
    pub message: Option<String>,
    pub code: Option<u16>,
    pub mutated_object: Option<Value>,
    pub audit_annotations: Option<BTreeMap<String, String>>,
    pub warnings: Option<Vec<String>>,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn answer(json: Value) -> PolicyAnswer {
        serde_json::from_value(json).unwrap()
    }

    #[test]
    fn a_changed_object_becomes_a_patch() {
        let object = json!({"a": [1, 2]});
        let mutated = json!({"a": [1, 3]});
        let answer = answer(json!({"accepted": true, "mutated_object": mutated, "extra": 1}));
        let response = AdmissionResponse::from_answer("u", Some(&object), &answer);
        assert_eq!(
            response.json_patch().unwrap().unwrap(),
            r#"[{"op":"replace","path":"/a/1","value":3}]"#
        );
        assert_eq!(response.apply(&object).unwrap(), mutated);
        assert_eq!(
            serde_json::to_value(&response).unwrap(),
            json!({
                "uid": "u", "allowed": true, "patchType": "JSONPatch", "patch": response.patch,
                "auditAnnotations": null, "warnings": null,
            })
        );
    }

    #[test]
    fn an_equal_object_is_no_patch() {
        let object = json!({"a": 1});
        let answer = answer(json!({"accepted": true, "mutated_object": {"a": 1}}));
        let response = AdmissionResponse::from_answer("u", Some(&object), &answer);
        assert_eq!((response.patch, response.patch_type), (None, None));
    }

    #[test]
    fn a_deletion_cannot_be_mutated() {
        let answer = answer(json!({"accepted": true, "mutated_object": {}}));
        let response = AdmissionResponse::from_answer("u", None, &answer);
        assert!(!response.allowed);
        assert_eq!(response.message(), Some(OBJECT_IS_NULL));
    }
}
