//! Applied files and owned fields, by which an author decides.

use serde_json::Value;

use super::{Replies, count, create, fill, stream, tag};

/// Few tags whose author may have applied `text`.
pub(super) fn applied(text: &str) -> (String, Replies) {
    let text = Value::from(text);
    let metadata =
        format!(r#""annotations":{{"kubectl.kubernetes.io/last-applied-configuration":{text}}}"#);
    create(&stream(&metadata, &count(20, |index| tag(index, "Legacy"))))
}

pub(super) fn last_applied_tags(size: usize) -> (String, Replies) {
    // The quotes of the text are escaped once more.
    let applied_tag = |index: usize| format!(r#"{{"name":"other-{index}"}}"#);
    applied(&stream("", &fill(size * 3 / 4 - 8192, applied_tag)))
}

pub(super) fn last_applied_same(size: usize) -> (String, Replies) {
    applied(&stream(
        "",
        &fill(size * 3 / 4 - 8192, |_| r#"{"name":"same"}"#.to_owned()),
    ))
}

pub(super) fn last_applied_in_it(size: usize) -> (String, Replies) {
    let inner = Value::from(r#"\"#.repeat(size / 4 - 4096));
    applied(&format!(
        r#"{{"metadata":{{"annotations":{{"kubectl.kubernetes.io/last-applied-configuration":{inner}}}}}}}"#
    ))
}

pub(super) fn last_applied_brackets(size: usize) -> (String, Replies) {
    applied(&"[".repeat(size - 8192))
}

pub(super) fn last_applied_cut(size: usize) -> (String, Replies) {
    let text = stream(
        "",
        &fill(size * 3 / 4 - 8192, |_| r#"{"name":"n"}"#.to_owned()),
    );
    applied(&text[..text.len() - 3])
}

pub(super) fn last_applied_escapes(size: usize) -> (String, Replies) {
    applied(&"\u{1}".repeat((size - 8192) / 6))
}

pub(super) fn managed(entries: &str) -> (String, Replies) {
    let metadata = format!(r#""managedFields":[{entries}]"#);
    create(&stream(&metadata, &count(20, |index| tag(index, "Legacy"))))
}

pub(super) fn owned(name: &str) -> String {
    format!(r#""k:{{\"name\":\"{name}\"}}":{{".":{{}},"f:from":{{}},"f:name":{{}}}}"#)
}

pub(super) fn managed_fields(entries: usize) -> (String, Replies) {
    managed(&count(entries, |index| {
        let tag = owned(&format!("t{index}"));
        format!(
            r#"{{"apiVersion":"image.openshift.io/v1","fieldsType":"FieldsV1","fieldsV1":{{"f:spec":{{"f:tags":{{{tag}}}}}}},"manager":"m{index}","operation":"Apply"}}"#
        )
    }))
}

pub(super) fn managed_keys(size: usize) -> (String, Replies) {
    let tags = fill(size - 8192, |index| owned(&format!("t{index}")));
    managed(&format!(
        r#"{{"fieldsV1":{{"f:spec":{{"f:tags":{{{tags}}}}}}},"operation":"Apply"}}"#
    ))
}

pub(super) fn managed_no_names(size: usize) -> (String, Replies) {
    let key = |index: usize| match index % 3 {
        0 => format!(r#""k:{}":{{"f:a":{{}}}}"#, "[".repeat(200)),
        1 => format!(
            r#""k:{{\"name\":[{}]}}":{{"f:a":{{}}}}"#,
            count(50, |n| n.to_string())
        ),
        _ => format!(r#""k:{{\"name\":\"a\",\"x\":{index}}}":{{"f:a":{{}}}}"#),
    };
    let tags = fill(size - 8192, key);
    managed(&format!(
        r#"{{"fieldsV1":{{"f:spec":{{"f:tags":{{{tags}}}}}}},"operation":"Apply"}}"#
    ))
}
