//! One line of a watch.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

/// What a watch reports; objects are JSON that nobody has read yet.
#[derive(Debug)]
pub(super) enum Event<'a> {
    /// ADDED or MODIFIED.
    Changed(&'a str),
    Deleted(&'a str),
    Bookmark(&'a str),
    /// ERROR, with the `Status` that it holds.
    Failed(Status),
    /// A type of event that this service does not know.
    Other,
}

/// The part of a `Status` that matters here.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Status {
    pub(crate) code: u16,
    pub(crate) reason: String,
    pub(crate) message: String,
}

impl Status {
    /// Whether the version that was asked for is too old.
    pub(crate) fn is_expired(&self) -> bool {
        self.code == 410 || matches!(self.reason.as_str(), "Expired" | "Gone")
    }
}

/// Which object, and which state of it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) namespace: String,
    pub(crate) name: String,
    pub(crate) version: String,
}

impl<'a> Event<'a> {
    pub(super) fn read(line: &'a [u8]) -> serde_json::Result<Self> {
        #[derive(Deserialize)]
        struct Json<'a> {
            #[serde(rename = "type", borrow)]
            kind: Cow<'a, str>,
            #[serde(borrow)]
            object: &'a RawValue,
        }

        let Json { kind, object } = serde_json::from_slice(line)?;
        let object = object.get();
        Ok(match &*kind {
            "ADDED" | "MODIFIED" => Self::Changed(object),
            "DELETED" => Self::Deleted(object),
            "BOOKMARK" => Self::Bookmark(object),
            "ERROR" => Self::Failed(serde_json::from_str(object)?),
            _ => Self::Other,
        })
    }
}

impl Head {
    pub(super) fn read(object: &str) -> serde_json::Result<Self> {
        #[derive(Deserialize)]
        struct Json {
            metadata: Metadata,
        }

        #[derive(Default, Deserialize)]
        #[serde(default, rename_all = "camelCase")]
        struct Metadata {
            namespace: String,
            name: String,
            resource_version: String,
        }

        let Json { metadata } = serde_json::from_str(object)?;
        Ok(Self {
            namespace: metadata.namespace,
            name: metadata.name,
            version: metadata.resource_version,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_may_come_in_any_order() {
        let line = br#"{"object":{"metadata":{"resourceVersion":"7","name":"a"},"kind":"Image"},"type":"DELETED"}"#;
        let Event::Deleted(object) = Event::read(line).unwrap() else {
            panic!("not a deletion");
        };
        let head = Head {
            name: "a".to_owned(),
            version: "7".to_owned(),
            ..Head::default()
        };
        assert_eq!(Head::read(object).unwrap(), head);
    }

    #[test]
    fn an_expired_version_is_told_by_code_or_reason() {
        for (object, expired) in [
            (
                r#"{"code":410,"message":"too old resource version: 1 (2)"}"#,
                true,
            ),
            (r#"{"reason":"Expired"}"#, true),
            (r#"{"reason":"Gone"}"#, true),
            (r#"{"code":500,"reason":"InternalError"}"#, false),
            ("{}", false),
        ] {
            let line = format!(r#"{{"type":"ERROR","object":{object}}}"#);
            let Event::Failed(status) = Event::read(line.as_bytes()).unwrap() else {
                panic!("not an error");
            };
            assert_eq!(status.is_expired(), expired, "{object}");
        }
    }
}
