//! Imports, whose streams and modes are read from the cluster.

use super::{CLUSTER_VERSION, IMAGE_CONFIG, MULTI, Replies, STREAM, fill, payload, stream, tag};

/// An import as `oc` sends it.
pub(super) fn import_of(images: &str, settings: &str) -> String {
    let object = format!(
        r#"{{"metadata":{{}},"spec":{{"images":[{images}],"import":true}},"status":{{}}}}"#
    );
    payload("CREATE", "ImageStreamImport", &object, "", settings)
}

pub(super) fn image(index: usize) -> String {
    format!(
        r#"{{"from":{{"kind":"DockerImage","name":"quay.io/example/app:{index}"}},"importPolicy":{{"importMode":"Legacy"}},"to":{{"name":"tag-{index}"}}}}"#
    )
}

pub(super) fn import(size: usize) -> (String, Replies) {
    let payload = import_of(&fill(size - 512, image), MULTI);
    (payload, Replies::default())
}

pub(super) fn import_into(size: usize) -> (String, Replies) {
    let tags = fill(size - 512, |index| tag(index, "PreserveOriginal"));
    let payload = import_of(&image(1), MULTI);
    (payload, Replies(vec![(STREAM, Ok(stream("", &tags)))]))
}

pub(super) fn stream_reply(size: usize) -> (String, Replies) {
    let reply = format!(r#"{{"metadata":{{}},"x":"{}"}}"#, "x".repeat(size));
    let payload = import_of(&image(1), MULTI);
    (payload, Replies(vec![(STREAM, Ok(reply))]))
}

pub(super) fn asking(replies: Vec<(&'static str, Result<String, String>)>) -> (String, Replies) {
    let object = stream("", &tag(1, "Legacy"));
    let payload = payload("CREATE", "ImageStream", &object, "", "{}");
    (payload, Replies(replies))
}

pub(super) fn image_reply(size: usize) -> (String, Replies) {
    let registries = fill(size, |index| format!(r#""registry-{index}.example.com""#));
    let reply = format!(
        r#"{{"spec":{{"allowedRegistries":[{registries}],"imageStreamImportMode":"PreserveOriginal"}}}}"#
    );
    asking(vec![(IMAGE_CONFIG, Ok(reply))])
}

pub(super) fn conditions(size: usize) -> (String, Replies) {
    let accepted = r#"{"message":"Payload loaded","status":"True","type":"ReleaseAccepted"}"#;
    let conditions = fill(size, |_| accepted.to_owned());
    let reply = format!(r#"{{"status":{{"conditions":[{conditions}]}}}}"#);
    asking(vec![(CLUSTER_VERSION, Ok(reply))])
}

pub(super) fn architectures(size: usize) -> (String, Replies) {
    let empty = r#"architecture=\"\" "#.repeat(size / 18);
    let reply = format!(
        r#"{{"status":{{"conditions":[{{"message":"{empty}architecture=\"Multi\"","status":"True","type":"ReleaseAccepted"}}]}}}}"#
    );
    asking(vec![(CLUSTER_VERSION, Ok(reply))])
}

pub(super) fn error_text(size: usize) -> (String, Replies) {
    asking(vec![(IMAGE_CONFIG, Err("x".repeat(size)))])
}
