//! Streams of many tags, of odd tags, and of much else.

use super::{MULTI, Replies, count, create, fill, named, payload, stream, tag};

pub(super) fn new_stream(size: usize) -> (String, Replies) {
    create(&stream("", &fill(size - 512, |index| tag(index, "Legacy"))))
}

pub(super) fn update(size: usize) -> (String, Replies) {
    let object = stream("", &fill(size / 2 - 512, |index| tag(index, "Legacy")));
    let old = object.replace("Legacy", "PreserveOriginal");
    let rest = format!(r#","oldObject":{old}"#);
    let payload = payload("UPDATE", "ImageStream", &object, &rest, MULTI);
    (payload, Replies::default())
}

pub(super) fn bare_tags(tags: usize) -> (String, Replies) {
    create(&stream(
        "",
        &count(tags, |index| format!(r#"{{"name":"{index}"}}"#)),
    ))
}

pub(super) fn kept_tags(tags: usize) -> (String, Replies) {
    let tag = r#"{"importPolicy":{"importMode":"Legacy"}}"#;
    create(&stream("", &count(tags, |_| tag.to_owned())))
}

pub(super) fn no_tags(elements: usize) -> (String, Replies) {
    create(&stream("", &count(elements, |_| "[[]]".to_owned())))
}

pub(super) fn deep(levels: usize, inside: &str) -> String {
    format!("{}{inside}{}", "[".repeat(levels), "]".repeat(levels))
}

pub(super) fn nested(size: usize) -> (String, Replies) {
    let extra = fill(size - 1024, |_| deep(115, "0"));
    create(&format!(
        r#"{{"spec":{{"tags":[{}],"x":[{extra}]}}}}"#,
        tag(0, "Legacy")
    ))
}

pub(super) fn nested_names(size: usize) -> (String, Replies) {
    let wide = fill(size - 1024, |index| format!(r#""\u0061{index}""#));
    create(&stream("", &named(&deep(110, &wide))))
}

pub(super) fn object_names(size: usize) -> (String, Replies) {
    let name = |index| {
        format!(
            r#"{{{}}}"#,
            count(200, |key| format!(r#""k{key}":{index}"#))
        )
    };
    create(&stream("", &fill(size - 512, |index| named(&name(index)))))
}

pub(super) fn escaped_names(size: usize) -> (String, Replies) {
    let name = |index| format!(r#""{}{index}""#, r"\u0061".repeat(400));
    create(&stream("", &fill(size - 512, |index| named(&name(index)))))
}

pub(super) fn long_names(size: usize) -> (String, Replies) {
    let name = |index| format!(r#""{}{index}""#, "x".repeat(1000));
    create(&stream("", &fill(size - 512, |index| named(&name(index)))))
}

pub(super) fn one_long_name(size: usize) -> (String, Replies) {
    create(&stream(
        "",
        &named(&format!(r#""{}""#, "\u{e9}".repeat(size / 2))),
    ))
}

pub(super) fn annotations(size: usize) -> (String, Replies) {
    let annotated = |index: usize| {
        let text = r#"{\"a\": 1}\n"#.repeat((64 << 10) / 11);
        tag(index, "Legacy").replace(
            r#""annotations":null"#,
            &format!(r#""annotations":{{"a":"{text}","b":""}}"#),
        )
    };
    create(&stream("", &fill(size - 512, annotated)))
}

pub(super) fn status(size: usize) -> (String, Replies) {
    let digest = "0123456789abcdef".repeat(4);
    let event = |index: usize| {
        format!(
            r#"{{"created":"2026-01-01T00:00:00Z","dockerImageReference":"quay.io/a@sha256:{digest}","generation":{index},"image":"sha256:{digest}"}}"#
        )
    };
    create(&format!(
        r#"{{"spec":{{"tags":[{}]}},"status":{{"tags":[{{"items":[{}],"tag":"tag-0"}}]}}}}"#,
        tag(0, "Legacy"),
        fill(size - 1024, event)
    ))
}

pub(super) fn repeated_keys(size: usize) -> (String, Replies) {
    let again = |name: &str, value: &str| fill(size / 4, |_| format!(r#""{name}":{value}"#));
    let policy = again("importPolicy", r#"{"importMode":"Legacy"}"#);
    let mode = again("importMode", r#""Legacy""#);
    let tag = format!(
        r#"{{"annotations":null,"generation":0,{policy},"importPolicy":{{{mode}}},"name":"a"}}"#
    );
    let spec = again("spec", r#"{"tags":[{"name":"b"}]}"#);
    create(&format!(r#"{{{spec},"spec":{{"tags":[{tag}]}}}}"#))
}
