//! Requests that are as large or as hostile as a webhook's caller can make them.
//!
//! Every load grows with `size`: twice the size is twice the bytes. The full size is the largest
//! body that policy-server takes, unless the load says otherwise.

mod evidence;
mod others;
mod reads;
mod streams;

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
    validate(
        "2 MiB stream, each tag set",
        BODY,
        streams::new_stream,
        MUTATED,
    ),
    validate(
        "2 MiB of object and old object",
        BODY,
        streams::update,
        MUTATED,
    ),
    validate(
        "100,000 tags, each set",
        100_000,
        streams::bare_tags,
        MUTATED,
    ),
    validate("50,000 tags, all kept", 50_000, streams::kept_tags, WARNED),
    validate(
        "100,000 elements that are no tags",
        100_000,
        streams::no_tags,
        ACCEPTED,
    ),
    validate(
        "2 MiB of 120 nesting levels",
        BODY,
        streams::nested,
        MUTATED,
    ),
    validate(
        "2 MiB of arrays 120 deep as tag names",
        BODY,
        streams::nested_names,
        MUTATED,
    ),
    validate(
        "tag names of many keys",
        BODY,
        streams::object_names,
        MUTATED,
    ),
    validate(
        "tag names of escapes",
        BODY,
        streams::escaped_names,
        MUTATED,
    ),
    validate(
        "tag names that differ at the end",
        BODY,
        streams::long_names,
        MUTATED,
    ),
    validate(
        "one tag name of 1 MiB",
        BODY / 2,
        streams::one_long_name,
        MUTATED,
    ),
    validate(
        "64 KiB annotations on each tag",
        BODY,
        streams::annotations,
        MUTATED,
    ),
    validate("2 MiB of status", BODY, streams::status, MUTATED),
    validate("repeated keys", BODY, streams::repeated_keys, MUTATED),
    validate(
        "last-applied: its own tags",
        BODY,
        evidence::last_applied_tags,
        MUTATED,
    ),
    validate(
        "last-applied: one tag, repeated",
        BODY,
        evidence::last_applied_same,
        MUTATED,
    ),
    validate(
        "last-applied: last-applied in it",
        BODY,
        evidence::last_applied_in_it,
        MUTATED,
    ),
    validate(
        "last-applied: only brackets",
        BODY,
        evidence::last_applied_brackets,
        MUTATED,
    ),
    validate(
        "last-applied: cut off",
        BODY,
        evidence::last_applied_cut,
        MUTATED,
    ),
    validate(
        "last-applied: only escapes",
        BODY,
        evidence::last_applied_escapes,
        MUTATED,
    ),
    validate(
        "managedFields of 10,000 entries",
        10_000,
        evidence::managed_fields,
        MUTATED,
    ),
    validate(
        "managedFields: one entry of many tags",
        BODY,
        evidence::managed_keys,
        MUTATED,
    ),
    validate(
        "managedFields: keys that are no names",
        BODY,
        evidence::managed_no_names,
        MUTATED,
    ),
    validate("import of many images", BODY, reads::import, MUTATED),
    validate(
        "import into a stream of 2 MiB",
        BODY,
        reads::import_into,
        MUTATED,
    ),
    validate(
        "stream reply of 8 MiB, no tags",
        8 << 20,
        reads::stream_reply,
        MUTATED,
    ),
    validate(
        "image config reply of 8 MiB",
        8 << 20,
        reads::image_reply,
        MUTATED,
    ),
    validate(
        "cluster version of many conditions",
        BODY,
        reads::conditions,
        ACCEPTED,
    ),
    validate(
        "architecture, many times and empty",
        BODY,
        reads::architectures,
        MUTATED,
    ),
    validate("error text of 1 MiB", 1 << 20, reads::error_text, WARNED),
    validate("many exempt users", BODY, others::exempt_users, MUTATED),
    validate(
        "many unknown settings",
        SETTINGS,
        others::unknown_settings_in_request,
        WARNED,
    ),
    validate("not JSON: only brackets", BODY, others::brackets, REFUSED),
    validate(
        "not JSON: a string without an end",
        BODY,
        others::endless_string,
        REFUSED,
    ),
    validate(
        "not ours: 2 MiB of another kind",
        BODY,
        others::another_kind,
        ACCEPTED,
    ),
    Load {
        name: "settings: many unknown keys",
        operation: "validate_settings",
        size: SETTINGS,
        build: |size| (others::unknown_settings(size), Replies::default()),
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
