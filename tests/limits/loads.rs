//! Requests that are as large or as hostile as a webhook's caller can make them.
//!
//! Every load grows with `size`: twice the size is twice the bytes. The full size is the largest
//! body that policy-server takes, unless the load says otherwise.

use std::sync::Arc;

use imagestream_import_mode_host::{Cluster, ClusterError, Read};
use serde_json::Value;

/// The largest body of policy-server.
pub const BODY: usize = 2 << 20;

/// The largest settings: an administrator writes them, into one object with those of every policy.
const SETTINGS: usize = 64 << 10;

/// What a row of the table measures.
pub struct Load {
    /// What is large or hostile about it.
    pub name: &'static str,
    /// The guest function.
    pub operation: &'static str,
    /// The full size, in the unit of the load.
    pub size: usize,
    /// The payload and the cluster at a size.
    pub build: fn(usize) -> (String, Replies),
    /// How the answer to the full size begins.
    pub answer: &'static str,
}

/// A cluster of reply texts, by `apiVersion/Kind[/namespace]/name`.
#[derive(Clone, Debug, Default)]
pub struct Replies(Vec<(&'static str, Result<String, String>)>);

impl Replies {
    /// The cluster as a host's.
    pub fn cluster(self) -> Arc<dyn Cluster> {
        Arc::new(self)
    }
}

impl Cluster for Replies {
    fn get_resource(&self, _: &Read) -> Result<Value, ClusterError> {
        Err(ClusterError::NotFound)
    }

    fn reply(&self, read: &Read) -> Result<Vec<u8>, ClusterError> {
        let key = read.to_string();
        let reply = self.0.iter().find(|(name, _)| *name == key);
        match reply {
            Some((_, Ok(text))) => Ok(text.clone().into_bytes()),
            Some((_, Err(text))) => Err(ClusterError::Failed(text.clone())),
            None => Err(ClusterError::NotFound),
        }
    }
}

const IMAGE_CONFIG: &str = "config.openshift.io/v1/Image/cluster";
const CLUSTER_VERSION: &str = "config.openshift.io/v1/ClusterVersion/version";
const STREAM: &str = "image.openshift.io/v1/ImageStream/ns/s";

const MUTATED: &str = r#"{"accepted":true,"audit_annotations":{"import-mode":"#;
const ACCEPTED: &str = r#"{"accepted":true}"#;
const WARNED: &str = r#"{"accepted":true,"warnings":["#;
const REFUSED: &str = r#"{"accepted":false,"message":"#;

/// Every load.
pub const LOADS: &[Load] = &[
    validate("2 MiB stream, each tag set", BODY, new_stream, MUTATED),
    validate("2 MiB of object and old object", BODY, update, MUTATED),
    validate("100,000 tags, each set", 100_000, bare_tags, MUTATED),
    validate("50,000 tags, all kept", 50_000, kept_tags, WARNED),
    validate(
        "100,000 elements that are no tags",
        100_000,
        no_tags,
        ACCEPTED,
    ),
    validate("2 MiB of 120 nesting levels", BODY, nested, MUTATED),
    validate(
        "2 MiB of arrays 120 deep as tag names",
        BODY,
        nested_names,
        MUTATED,
    ),
    validate("tag names of many keys", BODY, object_names, MUTATED),
    validate("tag names of escapes", BODY, escaped_names, MUTATED),
    validate(
        "tag names that differ at the end",
        BODY,
        long_names,
        MUTATED,
    ),
    validate("one tag name of 1 MiB", BODY / 2, one_long_name, MUTATED),
    validate("64 KiB annotations on each tag", BODY, annotations, MUTATED),
    validate("2 MiB of status", BODY, status, MUTATED),
    validate("repeated keys", BODY, repeated_keys, MUTATED),
    validate(
        "last-applied: its own tags",
        BODY,
        last_applied_tags,
        MUTATED,
    ),
    validate(
        "last-applied: one tag, repeated",
        BODY,
        last_applied_same,
        MUTATED,
    ),
    validate(
        "last-applied: last-applied in it",
        BODY,
        last_applied_in_it,
        MUTATED,
    ),
    validate(
        "last-applied: only brackets",
        BODY,
        last_applied_brackets,
        MUTATED,
    ),
    validate("last-applied: cut off", BODY, last_applied_cut, MUTATED),
    validate(
        "last-applied: only escapes",
        BODY,
        last_applied_escapes,
        MUTATED,
    ),
    validate(
        "managedFields of 10,000 entries",
        10_000,
        managed_fields,
        MUTATED,
    ),
    validate(
        "managedFields: one entry of many tags",
        BODY,
        managed_keys,
        MUTATED,
    ),
    validate(
        "managedFields: keys that are no names",
        BODY,
        managed_no_names,
        MUTATED,
    ),
    validate("import of many images", BODY, import, MUTATED),
    validate("import into a stream of 2 MiB", BODY, import_into, MUTATED),
    validate(
        "stream reply of 8 MiB, no tags",
        8 << 20,
        stream_reply,
        MUTATED,
    ),
    validate("image config reply of 8 MiB", 8 << 20, image_reply, MUTATED),
    validate(
        "cluster version of many conditions",
        BODY,
        conditions,
        ACCEPTED,
    ),
    validate(
        "architecture, many times and empty",
        BODY,
        architectures,
        MUTATED,
    ),
    validate("error text of 1 MiB", 1 << 20, error_text, WARNED),
    validate("many exempt users", BODY, exempt_users, MUTATED),
    validate(
        "many unknown settings",
        SETTINGS,
        unknown_settings_in_request,
        WARNED,
    ),
    validate("not JSON: only brackets", BODY, brackets, REFUSED),
    validate(
        "not JSON: a string without an end",
        BODY,
        endless_string,
        REFUSED,
    ),
    validate(
        "not ours: 2 MiB of another kind",
        BODY,
        another_kind,
        ACCEPTED,
    ),
    Load {
        name: "settings: many unknown keys",
        operation: "validate_settings",
        size: SETTINGS,
        build: |size| (unknown_settings(size), Replies::default()),
        answer: r#"{"valid":false,"message":"#,
    },
];

const fn validate(
    name: &'static str,
    size: usize,
    build: fn(usize) -> (String, Replies),
    answer: &'static str,
) -> Load {
    let operation = "validate";
    Load {
        name,
        operation,
        size,
        build,
        answer,
    }
}

const MULTI: &str = r#"{"payloadArchitecture":"Multi"}"#;

fn payload(operation: &str, kind: &str, object: &str, rest: &str, settings: &str) -> String {
    format!(
        r#"{{"request":{{"kind":{{"group":"image.openshift.io","kind":"{kind}","version":"v1"}},"name":"s","namespace":"ns","object":{object},"operation":"{operation}"{rest},"uid":"u","userInfo":{{}}}},"settings":{settings}}}"#
    )
}

fn create(object: &str) -> (String, Replies) {
    let payload = payload("CREATE", "ImageStream", object, "", MULTI);
    (payload, Replies::default())
}

/// `parts` until they fill `size` bytes, with commas.
fn fill(size: usize, part: impl Fn(usize) -> String) -> String {
    let mut text = String::with_capacity(size + 1024);
    for index in 0.. {
        let next = part(index);
        if !text.is_empty() && text.len() + next.len() >= size {
            break;
        }
        if !text.is_empty() {
            text.push(',');
        }
        text.push_str(&next);
    }
    text
}

fn count(number: usize, part: impl Fn(usize) -> String) -> String {
    let parts: Vec<_> = (0..number).map(part).collect();
    parts.join(",")
}

/// A tag as the server writes it.
fn tag(index: usize, mode: &str) -> String {
    format!(
        r#"{{"annotations":null,"from":{{"kind":"DockerImage","name":"quay.io/example/app:{index}"}},"generation":2,"importPolicy":{{"importMode":"{mode}"}},"name":"tag-{index}","referencePolicy":{{"type":"Source"}}}}"#
    )
}

/// A new tag in the server's form whose name is `name`, a JSON value.
fn named(name: &str) -> String {
    format!(
        r#"{{"annotations":null,"generation":null,"importPolicy":{{"importMode":"Legacy"}},"name":{name}}}"#
    )
}

fn stream(metadata: &str, tags: &str) -> String {
    format!(r#"{{"metadata":{{{metadata}}},"spec":{{"tags":[{tags}]}}}}"#)
}

fn new_stream(size: usize) -> (String, Replies) {
    create(&stream("", &fill(size - 512, |index| tag(index, "Legacy"))))
}

fn update(size: usize) -> (String, Replies) {
    let object = stream("", &fill(size / 2 - 512, |index| tag(index, "Legacy")));
    let old = object.replace("Legacy", "PreserveOriginal");
    let rest = format!(r#","oldObject":{old}"#);
    let payload = payload("UPDATE", "ImageStream", &object, &rest, MULTI);
    (payload, Replies::default())
}

fn bare_tags(tags: usize) -> (String, Replies) {
    create(&stream(
        "",
        &count(tags, |index| format!(r#"{{"name":"{index}"}}"#)),
    ))
}

fn kept_tags(tags: usize) -> (String, Replies) {
    let tag = r#"{"importPolicy":{"importMode":"Legacy"}}"#;
    create(&stream("", &count(tags, |_| tag.to_owned())))
}

fn no_tags(elements: usize) -> (String, Replies) {
    create(&stream("", &count(elements, |_| "[[]]".to_owned())))
}

fn deep(levels: usize, inside: &str) -> String {
    format!("{}{inside}{}", "[".repeat(levels), "]".repeat(levels))
}

fn nested(size: usize) -> (String, Replies) {
    let extra = fill(size - 1024, |_| deep(115, "0"));
    create(&format!(
        r#"{{"spec":{{"tags":[{}],"x":[{extra}]}}}}"#,
        tag(0, "Legacy")
    ))
}

fn nested_names(size: usize) -> (String, Replies) {
    let wide = fill(size - 1024, |index| format!(r#""\u0061{index}""#));
    create(&stream("", &named(&deep(110, &wide))))
}

fn object_names(size: usize) -> (String, Replies) {
    let name = |index| {
        format!(
            r#"{{{}}}"#,
            count(200, |key| format!(r#""k{key}":{index}"#))
        )
    };
    create(&stream("", &fill(size - 512, |index| named(&name(index)))))
}

fn escaped_names(size: usize) -> (String, Replies) {
    let name = |index| format!(r#""{}{index}""#, r"\u0061".repeat(400));
    create(&stream("", &fill(size - 512, |index| named(&name(index)))))
}

fn long_names(size: usize) -> (String, Replies) {
    let name = |index| format!(r#""{}{index}""#, "x".repeat(1000));
    create(&stream("", &fill(size - 512, |index| named(&name(index)))))
}

fn one_long_name(size: usize) -> (String, Replies) {
    create(&stream(
        "",
        &named(&format!(r#""{}""#, "\u{e9}".repeat(size / 2))),
    ))
}

fn annotations(size: usize) -> (String, Replies) {
    let annotated = |index: usize| {
        let text = r#"{\"a\": 1}\n"#.repeat((64 << 10) / 11);
        tag(index, "Legacy").replace(
            r#""annotations":null"#,
            &format!(r#""annotations":{{"a":"{text}","b":""}}"#),
        )
    };
    create(&stream("", &fill(size - 512, annotated)))
}

fn status(size: usize) -> (String, Replies) {
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

fn repeated_keys(size: usize) -> (String, Replies) {
    let again = |name: &str, value: &str| fill(size / 4, |_| format!(r#""{name}":{value}"#));
    let policy = again("importPolicy", r#"{"importMode":"Legacy"}"#);
    let mode = again("importMode", r#""Legacy""#);
    let tag = format!(
        r#"{{"annotations":null,"generation":0,{policy},"importPolicy":{{{mode}}},"name":"a"}}"#
    );
    let spec = again("spec", r#"{"tags":[{"name":"b"}]}"#);
    create(&format!(r#"{{{spec},"spec":{{"tags":[{tag}]}}}}"#))
}

/// Few tags whose author may have applied `text`.
fn applied(text: &str) -> (String, Replies) {
    let text = Value::from(text);
    let metadata =
        format!(r#""annotations":{{"kubectl.kubernetes.io/last-applied-configuration":{text}}}"#);
    create(&stream(&metadata, &count(20, |index| tag(index, "Legacy"))))
}

fn last_applied_tags(size: usize) -> (String, Replies) {
    // The quotes of the text are escaped once more.
    let applied_tag = |index: usize| format!(r#"{{"name":"other-{index}"}}"#);
    applied(&stream("", &fill(size * 3 / 4 - 8192, applied_tag)))
}

fn last_applied_same(size: usize) -> (String, Replies) {
    applied(&stream(
        "",
        &fill(size * 3 / 4 - 8192, |_| r#"{"name":"same"}"#.to_owned()),
    ))
}

fn last_applied_in_it(size: usize) -> (String, Replies) {
    let inner = Value::from(r#"\"#.repeat(size / 4 - 4096));
    applied(&format!(
        r#"{{"metadata":{{"annotations":{{"kubectl.kubernetes.io/last-applied-configuration":{inner}}}}}}}"#
    ))
}

fn last_applied_brackets(size: usize) -> (String, Replies) {
    applied(&"[".repeat(size - 8192))
}

fn last_applied_cut(size: usize) -> (String, Replies) {
    let text = stream(
        "",
        &fill(size * 3 / 4 - 8192, |_| r#"{"name":"n"}"#.to_owned()),
    );
    applied(&text[..text.len() - 3])
}

fn last_applied_escapes(size: usize) -> (String, Replies) {
    applied(&"\u{1}".repeat((size - 8192) / 6))
}

fn managed(entries: &str) -> (String, Replies) {
    let metadata = format!(r#""managedFields":[{entries}]"#);
    create(&stream(&metadata, &count(20, |index| tag(index, "Legacy"))))
}

fn owned(name: &str) -> String {
    format!(r#""k:{{\"name\":\"{name}\"}}":{{".":{{}},"f:from":{{}},"f:name":{{}}}}"#)
}

fn managed_fields(entries: usize) -> (String, Replies) {
    managed(&count(entries, |index| {
        let tag = owned(&format!("t{index}"));
        format!(
            r#"{{"apiVersion":"image.openshift.io/v1","fieldsType":"FieldsV1","fieldsV1":{{"f:spec":{{"f:tags":{{{tag}}}}}}},"manager":"m{index}","operation":"Apply"}}"#
        )
    }))
}

fn managed_keys(size: usize) -> (String, Replies) {
    let tags = fill(size - 8192, |index| owned(&format!("t{index}")));
    managed(&format!(
        r#"{{"fieldsV1":{{"f:spec":{{"f:tags":{{{tags}}}}}}},"operation":"Apply"}}"#
    ))
}

fn managed_no_names(size: usize) -> (String, Replies) {
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

/// An import as `oc` sends it.
fn import_of(images: &str, settings: &str) -> String {
    let object = format!(
        r#"{{"metadata":{{}},"spec":{{"images":[{images}],"import":true}},"status":{{}}}}"#
    );
    payload("CREATE", "ImageStreamImport", &object, "", settings)
}

fn image(index: usize) -> String {
    format!(
        r#"{{"from":{{"kind":"DockerImage","name":"quay.io/example/app:{index}"}},"importPolicy":{{"importMode":"Legacy"}},"to":{{"name":"tag-{index}"}}}}"#
    )
}

fn import(size: usize) -> (String, Replies) {
    let payload = import_of(&fill(size - 512, image), MULTI);
    (payload, Replies::default())
}

fn import_into(size: usize) -> (String, Replies) {
    let tags = fill(size - 512, |index| tag(index, "PreserveOriginal"));
    let payload = import_of(&image(1), MULTI);
    (payload, Replies(vec![(STREAM, Ok(stream("", &tags)))]))
}

fn stream_reply(size: usize) -> (String, Replies) {
    let reply = format!(r#"{{"metadata":{{}},"x":"{}"}}"#, "x".repeat(size));
    let payload = import_of(&image(1), MULTI);
    (payload, Replies(vec![(STREAM, Ok(reply))]))
}

fn asking(replies: Vec<(&'static str, Result<String, String>)>) -> (String, Replies) {
    let object = stream("", &tag(1, "Legacy"));
    let payload = payload("CREATE", "ImageStream", &object, "", "{}");
    (payload, Replies(replies))
}

fn image_reply(size: usize) -> (String, Replies) {
    let registries = fill(size, |index| format!(r#""registry-{index}.example.com""#));
    let reply = format!(
        r#"{{"spec":{{"allowedRegistries":[{registries}],"imageStreamImportMode":"PreserveOriginal"}}}}"#
    );
    asking(vec![(IMAGE_CONFIG, Ok(reply))])
}

fn conditions(size: usize) -> (String, Replies) {
    let accepted = r#"{"message":"Payload loaded","status":"True","type":"ReleaseAccepted"}"#;
    let conditions = fill(size, |_| accepted.to_owned());
    let reply = format!(r#"{{"status":{{"conditions":[{conditions}]}}}}"#);
    asking(vec![(CLUSTER_VERSION, Ok(reply))])
}

fn architectures(size: usize) -> (String, Replies) {
    let empty = r#"architecture=\"\" "#.repeat(size / 18);
    let reply = format!(
        r#"{{"status":{{"conditions":[{{"message":"{empty}architecture=\"Multi\"","status":"True","type":"ReleaseAccepted"}}]}}}}"#
    );
    asking(vec![(CLUSTER_VERSION, Ok(reply))])
}

fn error_text(size: usize) -> (String, Replies) {
    asking(vec![(IMAGE_CONFIG, Err("x".repeat(size)))])
}

fn with_settings(settings: &str) -> (String, Replies) {
    let object = stream("", &tag(1, "Legacy"));
    let payload = payload("CREATE", "ImageStream", &object, "", settings);
    (payload, Replies::default())
}

fn exempt_users(size: usize) -> (String, Replies) {
    let users = fill(size - 1024, |index| format!(r#""user-{index}""#));
    with_settings(&format!(
        r#"{{"exemptUsers":[{users}],"payloadArchitecture":"Multi"}}"#
    ))
}

fn unknown_settings(size: usize) -> String {
    format!(
        "{{{}}}",
        fill(size, |index| format!(r#""overwrit{index}":{index}"#))
    )
}

fn unknown_settings_in_request(size: usize) -> (String, Replies) {
    with_settings(&unknown_settings(size))
}

fn brackets(size: usize) -> (String, Replies) {
    ("[".repeat(size), Replies::default())
}

fn endless_string(size: usize) -> (String, Replies) {
    (format!("\"{}", r"\\".repeat(size / 2)), Replies::default())
}

fn another_kind(size: usize) -> (String, Replies) {
    let object = format!(r#"{{"data":{{"x":"{}"}}}}"#, "x".repeat(size - 512));
    let payload = payload("CREATE", "ConfigMap", &object, "", "{}");
    (payload, Replies::default())
}
