//! Settings, and payloads that are none of ours.

use super::{Replies, fill, payload, stream, tag};

pub(super) fn with_settings(settings: &str) -> (String, Replies) {
    let object = stream("", &tag(1, "Legacy"));
    let payload = payload("CREATE", "ImageStream", &object, "", settings);
    (payload, Replies::default())
}

pub(super) fn exempt_users(size: usize) -> (String, Replies) {
    let users = fill(size - 1024, |index| format!(r#""user-{index}""#));
    with_settings(&format!(
        r#"{{"exemptUsers":[{users}],"payloadArchitecture":"Multi"}}"#
    ))
}

pub(super) fn unknown_settings(size: usize) -> String {
    format!(
        "{{{}}}",
        fill(size, |index| format!(r#""overwrit{index}":{index}"#))
    )
}

pub(super) fn unknown_settings_in_request(size: usize) -> (String, Replies) {
    with_settings(&unknown_settings(size))
}

pub(super) fn brackets(size: usize) -> (String, Replies) {
    ("[".repeat(size), Replies::default())
}

pub(super) fn endless_string(size: usize) -> (String, Replies) {
    (format!("\"{}", r"\\".repeat(size / 2)), Replies::default())
}

pub(super) fn another_kind(size: usize) -> (String, Replies) {
    let object = format!(r#"{{"data":{{"x":"{}"}}}}"#, "x".repeat(size - 512));
    let payload = payload("CREATE", "ConfigMap", &object, "", "{}");
    (payload, Replies::default())
}
