//! Requests to the API server whose bodies are read piece by piece.

use std::fmt;

use axum::body::Bytes;
use axum::http::{Request, header};
use http_body_util::BodyExt as _;
use kube::Client;
use kube::client::Body;

use crate::feed::Status;

/// Bytes of an error's body that are looked at.
const LONGEST_STATUS: usize = 1 << 16;

/// Why a request failed.
#[derive(Debug)]
pub(crate) enum ClientError {
    /// The request could not be sent or its answer not be received.
    Transport(String),
    /// The API server refused.
    Status(Status),
    /// It took too long.
    Timeout,
    /// What came is not what the API says.
    Malformed(String),
}

impl ClientError {
    /// The HTTP status code, if the API server answered.
    pub(crate) fn code(&self) -> Option<u16> {
        match self {
            Self::Status(status) => Some(status.code),
            _ => None,
        }
    }

    pub(crate) fn is_expired(&self) -> bool {
        matches!(self, Self::Status(status) if status.is_expired())
    }

    pub(crate) fn transport(error: &dyn std::error::Error) -> Self {
        Self::Transport(with_causes(error))
    }
}

impl fmt::Display for ClientError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Transport(message) => f.write_str(message),
            Self::Status(status) if status.message.is_empty() => {
                write!(f, "the API server answered {}", status.code)
            }
            Self::Status(status) => {
                write!(
                    f,
                    "the API server answered {}: {}",
                    status.code, status.message
                )
            }
            Self::Timeout => f.write_str("the API server took too long"),
            Self::Malformed(message) => write!(f, "the answer cannot be read: {message}"),
        }
    }
}

/// A GET request; query values are made of characters that need no escape, but for `token`.
pub(crate) fn get(path: &str, query: &[(&str, &str)]) -> Result<Request<Body>, ClientError> {
    let mut uri = path.to_owned();
    for (place, (key, value)) in query.iter().enumerate() {
        uri.push(if place == 0 { '?' } else { '&' });
        uri.push_str(key);
        uri.push('=');
        escape(value, &mut uri);
    }
    Request::get(uri)
        .header(header::ACCEPT, "application/json")
        .body(Body::empty())
        .map_err(|error| ClientError::transport(&error))
}

/// Sends a request and returns the body of a successful answer, unread.
pub(crate) async fn send(client: &Client, request: Request<Body>) -> Result<Body, ClientError> {
    let response = client
        .send(request)
        .await
        .map_err(|error| ClientError::transport(&error))?;
    let code = response.status();
    let body = response.into_body();
    if code.is_success() {
        return Ok(body);
    }
    let text = http_body_util::Limited::new(body, LONGEST_STATUS)
        .collect()
        .await;
    let text = text.map(|text| text.to_bytes()).unwrap_or_default();
    let status: Status = serde_json::from_slice(&text).unwrap_or_default();
    Err(ClientError::Status(Status {
        code: code.as_u16(),
        ..status
    }))
}

/// Reads a whole body.
pub(crate) async fn collect(body: Body) -> Result<Bytes, ClientError> {
    let collected = body.collect().await;
    collected
        .map(|collected| collected.to_bytes())
        .map_err(|error| ClientError::transport(&error))
}

/// Percent-encodes everything but unreserved characters.
fn escape(value: &str, out: &mut String) {
    use fmt::Write as _;
    for byte in value.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(out, "%{byte:02X}");
        }
    }
}

/// The message of an error and of all its causes that say something new.
fn with_causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let message = error.to_string();
        if !text.contains(&message) {
            text.push_str(": ");
            text.push_str(&message);
        }
        cause = error.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn query_values_are_escaped() {
        let request = get("/x", &[("limit", "5"), ("continue", "a+b/c=d&e")]).unwrap();
        assert_eq!(request.uri(), "/x?limit=5&continue=a%2Bb%2Fc%3Dd%26e");
    }
}
