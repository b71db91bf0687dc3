//! `Status` objects of the errors that come before there is anything to tell about layers.

use serde::Serialize;

/// A `Status` of the API, its fields in the API's order.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Status {
    kind: &'static str,
    api_version: &'static str,
    metadata: Metadata,
    status: &'static str,
    message: String,
    reason: &'static str,
    #[serde(skip_serializing_if = "Details::is_empty")]
    details: Details,
    code: u16,
}

#[derive(Debug, Serialize)]
struct Metadata {}

#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Details {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    group: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    retry_after_seconds: Option<u32>,
}

impl Details {
    fn is_empty(&self) -> bool {
        self.name.is_none() && self.retry_after_seconds.is_none()
    }
}

impl Status {
    fn new(code: u16, reason: &'static str, message: impl Into<String>) -> Self {
        Self {
            kind: "Status",
            api_version: "v1",
            metadata: Metadata {},
            status: "Failure",
            message: message.into(),
            reason,
            details: Details::default(),
            code,
        }
    }

    /// No token, or one that the cluster does not know (any more).
    pub(crate) fn unauthorized() -> Self {
        Self::new(401, "Unauthorized", "Unauthorized")
    }

    /// The cluster knows who asks, and that they must not.
    pub(crate) fn forbidden(user: &str, namespace: &str, name: &str, reason: &str) -> Self {
        let mut message = format!(
            "imagestreams.image.openshift.io \"{name}\" is forbidden: User \"{user}\" cannot get resource \
             \"imagestreams/layers\" in API group \"image.openshift.io\" in the namespace \"{namespace}\""
        );
        if !reason.is_empty() {
            message.push_str(": ");
            message.push_str(reason);
        }
        Self {
            details: Details {
                name: Some(name.to_owned()),
                group: Some("image.openshift.io"),
                kind: Some("imagestreams"),
                retry_after_seconds: None,
            },
            ..Self::new(403, "Forbidden", message)
        }
    }

    /// Nobody can say now whether they may.
    pub(crate) fn unavailable(retry_after_seconds: u32) -> Self {
        Self {
            details: Details {
                retry_after_seconds: Some(retry_after_seconds),
                ..Details::default()
            },
            ..Self::new(
                503,
                "ServiceUnavailable",
                "the request cannot be authorised at the moment, please try again",
            )
        }
    }

    /// A path that is not the subresource.
    pub(crate) fn no_resource() -> Self {
        Self::new(
            404,
            "NotFound",
            "the server could not find the requested resource",
        )
    }

    /// The subresource can only be read.
    pub(crate) fn method_not_allowed() -> Self {
        Self::new(
            405,
            "MethodNotAllowed",
            "the server does not allow this method on the requested resource",
        )
    }

    /// The service itself fails.
    pub(crate) fn internal() -> Self {
        Self::new(500, "InternalError", "Internal error occurred")
    }

    pub(crate) fn code(&self) -> u16 {
        self.code
    }

    pub(crate) fn retry_after_seconds(&self) -> Option<u32> {
        self.details.retry_after_seconds
    }
}
