//! What openshift-apiserver makes of a manifest before webhooks see it.
//!
//! It decodes the body, fills in defaults and prints its Go types again: keys without `omitempty`
//! appear, tags are sorted by name with duplicates collapsed, a status is dropped. Fields that the
//! API does not know stay here; the server would drop or refuse them.

use imagestream_import_mode::{ImportMode, ResourceKind};
use serde_json::{Map, Value, json};

/// The object as the server would send it; `stored` keeps what only a create wipes.
pub fn serve(
    json: &str,
    kind: ResourceKind,
    namespace: &str,
    mode: ImportMode,
    stored: bool,
) -> Result<String, String> {
    let mut object: Map<String, Value> =
        serde_json::from_str(json).map_err(|error| format!("must be an object: {error}"))?;
    serve_metadata(&mut object, namespace, stored)?;
    match kind {
        ResourceKind::ImageStream => {
            let spec = child(&mut object, "spec")?;
            default(spec, "lookupPolicy", || json!({"local": false}));
            serve_tags(spec, mode)?;
            let status = child(&mut object, "status")?;
            if !stored {
                status.clear();
            }
            default(status, "dockerImageRepository", || json!(""));
        }
        ResourceKind::ImageStreamImport => {
            let spec = child(&mut object, "spec")?;
            default(spec, "import", || json!(false));
            if let Some(Value::Object(repository)) = spec.get_mut("repository") {
                serve_import(repository, mode)?;
            }
            if let Some(Value::Array(images)) = spec.get_mut("images") {
                for image in images.iter_mut().filter_map(Value::as_object_mut) {
                    serve_import(image, mode)?;
                    fill_to(image);
                }
            }
            spec.retain(|key, value| key == "import" || !value.is_null());
            object.insert("status".to_owned(), json!({}));
        }
        ResourceKind::ImageStreamTag => {
            match object.get_mut("tag") {
                Some(Value::Object(tag)) => serve_tag(tag, mode)?,
                _ => drop(object.insert("tag".to_owned(), Value::Null)),
            }
            default(&mut object, "generation", || json!(0));
            default(&mut object, "lookupPolicy", || json!({"local": false}));
            default(&mut object, "image", empty_image);
        }
        ResourceKind::ImageTag => {
            match object.get_mut("spec") {
                Some(Value::Object(tag)) => serve_tag(tag, mode)?,
                _ => drop(object.insert("spec".to_owned(), Value::Null)),
            }
            default(&mut object, "status", || Value::Null);
            default(&mut object, "image", || Value::Null);
        }
    }
    Ok(Value::Object(object).to_string())
}

fn serve_metadata(
    object: &mut Map<String, Value>,
    namespace: &str,
    stored: bool,
) -> Result<(), String> {
    let metadata = child(object, "metadata")?;
    if !namespace.is_empty() {
        metadata.insert("namespace".to_owned(), namespace.into());
    }
    if !stored {
        for wiped in ["uid", "creationTimestamp", "deletionTimestamp", "selfLink"] {
            metadata.remove(wiped);
        }
    }
    Ok(())
}

/// Tags are a map inside the server: sorted, and the last of equal names wins.
fn serve_tags(spec: &mut Map<String, Value>, mode: ImportMode) -> Result<(), String> {
    let Some(Value::Array(tags)) = spec.remove("tags") else {
        return Ok(());
    };
    let mut by_name = std::collections::BTreeMap::new();
    for mut tag in tags {
        if let Value::Object(tag) = &mut tag {
            serve_tag(tag, mode)?;
        }
        let name = tag.get("name").and_then(Value::as_str).unwrap_or_default();
        by_name.insert(name.to_owned(), tag);
    }
    if !by_name.is_empty() {
        spec.insert("tags".to_owned(), by_name.into_values().collect());
    }
    Ok(())
}

fn serve_tag(tag: &mut Map<String, Value>, mode: ImportMode) -> Result<(), String> {
    default(tag, "name", || json!(""));
    default(tag, "annotations", || Value::Null);
    default(tag, "generation", || Value::Null);
    serve_import(tag, mode)
}

fn serve_import(slot: &mut Map<String, Value>, mode: ImportMode) -> Result<(), String> {
    let policy = child(slot, "importPolicy")?;
    default(policy, "importMode", || json!(mode.as_str()));
    for flag in ["insecure", "scheduled"] {
        if policy.get(flag) == Some(&Value::Bool(false)) {
            policy.remove(flag);
        }
    }
    let reference = child(slot, "referencePolicy")?;
    default(reference, "type", || json!("Source"));
    Ok(())
}

/// `to` is filled from the tag part of the source.
fn fill_to(image: &mut Map<String, Value>) {
    if image.get("to").is_some_and(|to| !to.is_null()) {
        return;
    }
    let from = image
        .get("from")
        .and_then(|from| from.get("name")?.as_str());
    let last = from.filter(|from| !from.contains('@'));
    let last = last.and_then(|from| from.rsplit('/').next());
    match last.and_then(|last| last.split_once(':')) {
        Some((_, tag)) if !tag.is_empty() => {
            let to = json!({"name": tag});
            image.insert("to".to_owned(), to);
        }
        _ => drop(image.remove("to")),
    }
}

/// What the Go type `Image` prints when it is empty.
fn empty_image() -> Value {
    json!({
        "metadata": {},
        "dockerImageMetadata": {
            "kind": "DockerImage", "apiVersion": "image.openshift.io/1.0",
            "Id": "", "Created": null, "ContainerConfig": {},
        },
        "dockerImageMetadataVersion": "1.0",
    })
}

/// The object at `key`, made if there is none.
fn child<'a>(
    parent: &'a mut Map<String, Value>,
    key: &str,
) -> Result<&'a mut Map<String, Value>, String> {
    let value = parent.entry(key).or_insert(Value::Null);
    if value.is_null() {
        *value = Value::Object(Map::new());
    }
    value.as_object_mut().ok_or_else(|| {
        format!("`{key}` must be an object; the API server would refuse the request")
    })
}

/// Fills an absent, null or empty value.
fn default(parent: &mut Map<String, Value>, key: &str, value: impl FnOnce() -> Value) {
    let unset = parent
        .get(key)
        .is_none_or(|value| value.is_null() || value.as_str() == Some(""));
    if unset {
        parent.insert(key.to_owned(), value());
    }
}
