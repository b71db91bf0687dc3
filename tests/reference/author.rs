//! §4: has the author decided?

use serde_json::{Map, Value};

use super::Mode;
use super::settings::Overwrite;
use super::slots::{Kind, Slot, get, mode_of, non_empty, of, same_name};

/// What the object proves about the author of a slot's Legacy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Proof {
    /// The author wrote it.
    pub wrote: bool,
    /// The author did not.
    pub did_not: bool,
}

/// Who wrote the slot as it stands, by its keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Form {
    /// As openshift-apiserver writes it.
    Server,
    /// A manifest, or a schemaless CRD.
    HandWritten,
}

/// The table. `None`: the mode is foreign, the slot is left.
pub fn is_open(kind: Kind, object: &Value, slot: &Slot<'_>, overwrite: Overwrite) -> Option<bool> {
    match (overwrite, mode_of(slot.value)) {
        (_, Mode::Foreign | Mode::Mixed) => None,
        (Overwrite::Always, _) => Some(true),
        (_, Mode::Unset) => Some(true),
        (_, Mode::PreserveOriginal) => Some(false),
        (Overwrite::IfUnset, Mode::Legacy) => Some(false),
        (Overwrite::UnlessExplicit, Mode::Legacy) => {
            let proof = proof(kind, object, slot);
            Some(if proof.wrote {
                false
            } else if proof.did_not {
                true
            } else {
                form(kind, object, slot) == Form::Server
            })
        }
    }
}

/// No proof either way: the form decides.
pub fn form(kind: Kind, object: &Value, slot: &Slot<'_>) -> Form {
    let server = match kind {
        Kind::ImageStreamImport => object.get("status").is_some_and(Value::is_object),
        _ => slot.value.contains_key("annotations") && slot.value.contains_key("generation"),
    };
    if server {
        Form::Server
    } else {
        Form::HandWritten
    }
}

/// All the proof there is.
pub fn proof(kind: Kind, object: &Value, slot: &Slot<'_>) -> Proof {
    let mut proof = Proof::default();
    if prefers_a_platform(get(slot.value, "annotations")) {
        proof.wrote = true;
    }
    let metadata = object.get("metadata").unwrap_or(&Value::Null);
    let annotations = metadata.get("annotations").unwrap_or(&Value::Null);
    if kind == Kind::ImageStreamTag && prefers_a_platform(annotations) {
        proof.wrote = true;
    }
    if kind != Kind::ImageStreamImport {
        last_applied(kind, annotations, slot, &mut proof);
        apply_entries(kind, metadata, slot, &mut proof);
    }
    proof
}

/// An annotation that only Legacy honours.
fn prefers_a_platform(annotations: &Value) -> bool {
    ["prefer-arch", "prefer-os"]
        .iter()
        .map(|name| annotations.get(format!("importer.image.openshift.io/{name}")))
        .any(|value| non_empty(value).is_some())
}

/// What the file that was last applied says about the slot.
fn last_applied(kind: Kind, annotations: &Value, slot: &Slot<'_>, proof: &mut Proof) {
    let text = annotations.get("kubectl.kubernetes.io/last-applied-configuration");
    let Some(text) = text.and_then(Value::as_str) else {
        return;
    };
    let Ok(applied) = serde_json::from_str::<Value>(text) else {
        return;
    };
    for applied in of(kind, &applied) {
        let name = get(slot.value, "name");
        if kind == Kind::ImageStream && !same_name(get(applied.value, "name"), name) {
            continue;
        }
        match mode_of(applied.value) {
            Mode::Legacy => proof.wrote = true,
            Mode::Unset => proof.did_not = true,
            Mode::PreserveOriginal | Mode::Foreign | Mode::Mixed => {}
        }
    }
}

/// What the entries of server-side apply own. `Update` entries prove nothing.
fn apply_entries(kind: Kind, metadata: &Value, slot: &Slot<'_>, proof: &mut Proof) {
    let entries = metadata.get("managedFields").and_then(Value::as_array);
    for entry in entries.into_iter().flatten() {
        if entry.get("operation") != Some(&Value::from("Apply")) {
            continue;
        }
        let fields = entry.get("fieldsV1").unwrap_or(&Value::Null);
        for set in slot_sets(kind, fields, slot) {
            match owned(set) {
                Some(true) => proof.wrote = true,
                Some(false) => proof.did_not = true,
                None => {}
            }
        }
    }
}

/// The field sets of an entry that stand for the slot.
fn slot_sets<'a>(kind: Kind, fields: &'a Value, slot: &Slot<'_>) -> Vec<&'a Value> {
    match kind {
        Kind::ImageStream => {
            let tags = fields.pointer("/f:spec/f:tags").and_then(Value::as_object);
            tags.into_iter()
                .flatten()
                .filter(|(key, _)| is_key_of(key, get(slot.value, "name")))
                .map(|(_, set)| set)
                .collect()
        }
        Kind::ImageStreamTag => fields.get("f:tag").into_iter().collect(),
        Kind::ImageTag => fields.get("f:spec").into_iter().collect(),
        Kind::ImageStreamImport => Vec::new(),
    }
}

/// Whether a key is `k:` and an object with just this name.
fn is_key_of(key: &str, name: &Value) -> bool {
    let Some(text) = key.strip_prefix("k:") else {
        return false;
    };
    let Ok(key) = serde_json::from_str::<Map<String, Value>>(text) else {
        return false;
    };
    key.len() == 1 && key.get("name").is_some_and(|key| same_name(key, name))
}

/// Whether the field set of a slot owns the mode; `None`: no evidence.
fn owned(set: &Value) -> Option<bool> {
    let set = set.as_object()?;
    match set.get("f:importPolicy") {
        // An empty set is no evidence.
        None => (!set.is_empty()).then_some(false),
        Some(policy) => {
            let policy = policy.as_object()?;
            if policy.is_empty() {
                return None;
            }
            Some(policy.contains_key("f:importMode"))
        }
    }
}
