//! Which slots are new, and what they get.

use std::collections::HashSet;

use kubewarden_policy_sdk::request::KubernetesAdmissionRequest;
use serde_json::{Value, json};

const PRESERVE_ORIGINAL: &str = "PreserveOriginal";

/// Edits the object; whether anything changed.
pub(crate) fn apply(request: &mut KubernetesAdmissionRequest) -> bool {
    if request.kind.group != "image.openshift.io" {
        return false;
    }
    let (object, old) = (&mut request.object, &request.old_object);
    match (request.kind.kind.as_str(), request.operation.as_str()) {
        ("ImageStream", "CREATE" | "UPDATE") => set_list(object, "/spec/tags", &names(old)),
        ("ImageStreamTag", "CREATE" | "UPDATE") => set_one(object, old, "/tag"),
        ("ImageTag", "CREATE" | "UPDATE") => set_one(object, old, "/spec"),
        ("ImageStreamImport", "CREATE") => {
            let repository = set_one(object, &Value::Null, "/spec/repository");
            set_list(object, "/spec/images", &HashSet::new()) || repository
        }
        _ => false,
    }
}

/// The names of the tags that the stream had.
fn names(old: &Value) -> HashSet<&str> {
    let tags = old.pointer("/spec/tags").and_then(Value::as_array);
    tags.into_iter()
        .flatten()
        .filter_map(|tag| tag.get("name")?.as_str())
        .collect()
}

fn set_list(object: &mut Value, pointer: &str, existing: &HashSet<&str>) -> bool {
    let slots = object.pointer_mut(pointer).and_then(Value::as_array_mut);
    let mut changed = false;
    for slot in slots.into_iter().flatten() {
        let name = slot.get("name").and_then(Value::as_str);
        if !name.is_some_and(|name| existing.contains(name)) {
            changed |= set(slot);
        }
    }
    changed
}

fn set_one(object: &mut Value, old: &Value, pointer: &str) -> bool {
    let is_new = !old.pointer(pointer).is_some_and(Value::is_object);
    let slot = object.pointer_mut(pointer);
    slot.filter(|_| is_new).is_some_and(set)
}

#[expect(
    clippy::indexing_slicing,
    reason = "indexing an object adds what is missing"
)]
fn set(slot: &mut Value) -> bool {
    if !slot.is_object() {
        return false;
    }
    if slot.pointer("/importPolicy/importMode") == Some(&json!(PRESERVE_ORIGINAL)) {
        return false;
    }
    slot["importPolicy"]["importMode"] = json!(PRESERVE_ORIGINAL);
    true
}
