//! The requests that are measured, as policy-server hands them to a policy.
//!
//! `tests/gate.rs` of the project takes the same ones.

use imagestream_import_mode_host::{Request, RequestError, ScriptedCluster};
use serde_json::{Value, json};

/// The largest body that policy-server takes, in bytes.
const BODY: usize = 2 << 20;

/// History items per tag.
const HISTORY: usize = 5;

const OURS: &str = "image.openshift.io";

/// What every policy is given.
pub fn settings() -> Value {
    json!({"payloadArchitecture": "Multi"})
}

/// One measured request.
pub struct Input {
    /// As the tables name it.
    pub name: String,
    /// The request.
    pub request: Request,
    /// The bytes that a waPC policy is called with.
    pub payload: Vec<u8>,
    /// What a policy may read.
    pub cluster: ScriptedCluster,
}

impl Input {
    fn new(name: impl Into<String>, request: &Value) -> Result<Self, RequestError> {
        let request = Request::from_json(request.to_string().as_bytes())?;
        Ok(Self {
            name: name.into(),
            payload: request.payload(&settings()),
            request,
            cluster: ScriptedCluster::default(),
        })
    }
}

/// Every input, in the order of the tables.
///
/// # Errors
///
/// None, unless a request made here is none.
pub fn inputs() -> Result<Vec<Input>, RequestError> {
    let mut inputs = Vec::new();
    // 1,400 tags are the most whose history fits.
    for tags in [1, 10, 100, 1_000, 1_400] {
        inputs.push(create(&named(tags), tags, tags, "Legacy")?);
    }
    let fits = with_history_that_fits(5_000)?;
    inputs.push(fits);
    inputs.push(create("1 tag, compliant", 1, 1, "PreserveOriginal")?);
    inputs.push(create("100 tags, compliant", 100, 100, "PreserveOriginal")?);
    inputs.push(update("update, 100 tags, 1 new", 100, 99)?);
    inputs.push(update("update, 100 tags, none new", 100, 100)?);
    inputs.push(import("import, 10 images", 10)?);
    for tags in [1, 100, 1_000] {
        inputs.push(out_of_scope(tags)?);
    }
    Ok(inputs)
}

fn named(tags: usize) -> String {
    format!("{tags} {}", if tags == 1 { "tag" } else { "tags" })
}

fn create(name: &str, tags: usize, history: usize, mode: &str) -> Result<Input, RequestError> {
    let stream = stream((0..tags).map(|index| tag(index, mode)), history);
    let request = request("CREATE", OURS, "ImageStream", &stream, &Value::Null);
    Input::new(name, &request)
}

/// As many of the tags as fit have a history; the others are not imported yet.
fn with_history_that_fits(tags: usize) -> Result<Input, RequestError> {
    let size = |history| Ok(create("", tags, history, "Legacy")?.payload.len());
    let (without, one) = (size(0)?, size(1)?);
    let history = BODY.saturating_sub(without) / (one - without + 8);
    create(&named(tags), tags, history, "Legacy")
}

fn update(name: &str, tags: usize, known: usize) -> Result<Input, RequestError> {
    let mode = |index| {
        if index < known {
            "PreserveOriginal"
        } else {
            "Legacy"
        }
    };
    let object = stream((0..tags).map(|index| tag(index, mode(index))), known);
    let old = stream((0..known).map(|index| tag(index, mode(index))), known);
    let request = request("UPDATE", OURS, "ImageStream", &object, &old);
    Input::new(name, &request)
}

fn import(name: &str, images: usize) -> Result<Input, RequestError> {
    let images: Vec<_> = (0..images).map(image).collect();
    let object = json!({
        "apiVersion": "image.openshift.io/v1",
        "kind": "ImageStreamImport",
        "metadata": {"name": "app", "namespace": "demo", "creationTimestamp": null},
        "spec": {"import": true, "images": images},
        "status": {},
    });
    let request = request("CREATE", OURS, "ImageStreamImport", &object, &Value::Null);
    let mut input = Input::new(name, &request)?;
    // The stream has none of the tags.
    let key = "image.openshift.io/v1/ImageStream/demo/app".to_owned();
    input.cluster.insert(key, stream([].into_iter(), 0));
    Ok(input)
}

/// An object of the same size and shape, of a kind that is not ours.
fn out_of_scope(tags: usize) -> Result<Input, RequestError> {
    let object = stream((0..tags).map(|index| tag(index, "Legacy")), tags);
    let request = request("CREATE", "example.com", "Widget", &object, &Value::Null);
    Input::new(format!("out of scope, like {}", named(tags)), &request)
}

/// As the API server sends it; a null is dropped by the host.
fn request(operation: &str, group: &str, kind: &str, object: &Value, old: &Value) -> Value {
    let resource = format!("{}s", kind.to_ascii_lowercase());
    json!({
        "uid": "51b7d12f-9f63-4ba3-a973-b591f4e67c1a",
        "kind": {"group": group, "version": "v1", "kind": kind},
        "resource": {"group": group, "version": "v1", "resource": resource},
        "name": "app",
        "namespace": "demo",
        "operation": operation,
        "userInfo": {
            "username": "developer",
            "groups": ["system:authenticated:oauth", "system:authenticated"],
            "extra": {"scopes.authorization.openshift.io": ["user:full"]},
        },
        "object": object,
        "oldObject": old,
        "dryRun": false,
        "options": {"apiVersion": "meta.k8s.io/v1", "kind": "CreateOptions", "fieldManager": "oc"},
    })
}

fn stream(tags: impl Iterator<Item = Value>, history: usize) -> Value {
    let tags: Vec<_> = tags.collect();
    let histories: Vec<_> = (0..history).map(events).collect();
    json!({
        "apiVersion": "image.openshift.io/v1",
        "kind": "ImageStream",
        "metadata": {
            "name": "app",
            "namespace": "demo",
            "uid": "542d5147-15eb-4ca8-a437-e226e8e567a0",
            "resourceVersion": "12001",
            "creationTimestamp": "2026-01-01T00:00:00Z",
        },
        "spec": {"lookupPolicy": {"local": false}, "tags": tags},
        "status": {"dockerImageRepository": "registry.example.com/demo/app", "tags": histories},
    })
}

/// In the form that the API server gives every tag, so that nobody has decided.
fn tag(index: usize, mode: &str) -> Value {
    json!({
        "name": tag_name(index),
        "annotations": null,
        "from": {"kind": "DockerImage", "name": format!("quay.io/example/app:{}", tag_name(index))},
        "generation": 2,
        "importPolicy": {"importMode": mode},
        "referencePolicy": {"type": "Source"},
    })
}

fn image(index: usize) -> Value {
    json!({
        "from": {"kind": "DockerImage", "name": format!("quay.io/example/app:{}", tag_name(index))},
        "to": {"name": tag_name(index)},
        "importPolicy": {"importMode": "Legacy"},
        "referencePolicy": {"type": ""},
    })
}

fn tag_name(index: usize) -> String {
    format!("v1.{index}")
}

fn events(tag: usize) -> Value {
    let items: Vec<_> = (0..HISTORY).map(|age| event(tag, age)).collect();
    json!({"tag": tag_name(tag), "items": items})
}

fn event(tag: usize, age: usize) -> Value {
    // Digests do not repeat, as real ones do not: a number spread over 64 bits.
    let number = (tag * HISTORY + age + 1) as u64;
    let digest = format!("{:016x}", number.wrapping_mul(0x9e37_79b9_7f4a_7c15)).repeat(4);
    json!({
        "created": "2026-01-01T00:00:00Z",
        "dockerImageReference": format!("quay.io/example/app@sha256:{digest}"),
        "image": format!("sha256:{digest}"),
        "generation": 2,
    })
}
