//! Random requests, settings and clusters; the same seed gives the same case.
//!
//! Most cases are in scope and interesting, the rest are odd: each part is first
//! made as it usually is, with oddities of its own, and at the end a few cases
//! get a random value somewhere. Names come from a small pool for each case, so
//! that the tags of the object, of the old object, of the stream and of the
//! evidence meet.
//!
//! Everything is built as a [`Value`], so the texts have no repeated keys and no
//! numbers that only their spelling tells apart.

use serde_json::{Map, Value, json};

use super::cluster::{Script, not_found};
use super::scope::BUILT_IN_USERS;
use super::slots::{self, Kind};

/// One case, like a file of the cases.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// The AdmissionRequest.
    pub request: Value,
    /// The settings.
    pub settings: Value,
    /// What the host answers; see [`super::cluster::scripted`].
    pub cluster: Script,
}

/// The case of a seed.
pub fn generate(seed: u64) -> Case {
    let mut rng = Rng::new(seed);
    let kind = *rng.pick(&KINDS);
    let names = names(&mut rng);
    let mut settings = settings(&mut rng);
    let mut request = request(&mut rng, kind, &names);
    let mut cluster = cluster(&mut rng, &request, &names);

    if rng.chance(25) {
        level(&mut rng, kind, &mut request, &mut settings, &mut cluster);
    }
    if rng.chance(10) {
        leave_scope(&mut rng, &mut request, &mut settings);
    }
    if rng.chance(10) {
        for _ in 0..=rng.below(2) {
            spoil(&mut rng, &mut request);
        }
    }
    if rng.chance(5) {
        for reply in cluster.values_mut() {
            spoil(&mut rng, reply);
        }
    }
    if rng.chance(2) {
        spoil(&mut rng, &mut settings);
    }
    Case {
        request,
        settings,
        cluster,
    }
}

const KINDS: [Kind; 9] = [
    Kind::ImageStream,
    Kind::ImageStream,
    Kind::ImageStream,
    Kind::ImageStreamImport,
    Kind::ImageStreamImport,
    Kind::ImageStreamImport,
    Kind::ImageStreamTag,
    Kind::ImageStreamTag,
    Kind::ImageTag,
];

/// A small generator (splitmix64).
pub struct Rng(u64);

impl Rng {
    /// Starts from a seed.
    pub fn new(seed: u64) -> Self {
        Rng(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Less than `end`.
    pub fn below(&mut self, end: usize) -> usize {
        let end = u64::try_from(end).unwrap_or(u64::MAX).max(1);
        usize::try_from(self.next() % end).unwrap_or(0)
    }

    /// True in so many of a hundred cases.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

/// A value that is wrong nearly everywhere.
fn odd(rng: &mut Rng) -> Value {
    match rng.below(14) {
        0 => Value::Null,
        1 => json!(true),
        2 => json!(false),
        3 => json!(0),
        4 => json!(1),
        5 => json!(-1.5),
        6 => json!(""),
        7 => json!(" "),
        8 => json!("Legacy"),
        9 => json!("PreserveOriginal"),
        10 => json!([]),
        11 => json!({}),
        12 => json!([null, {}, "x"]),
        _ => json!({"name": "latest", "importMode": "Legacy"}),
    }
}

/// Sets a key, or now and then leaves it out or sets it to something odd.
fn put(rng: &mut Rng, object: &mut Map<String, Value>, key: &str, value: Value) {
    match rng.below(60) {
        0 => {}
        1 => {
            object.insert(key.to_owned(), odd(rng));
        }
        _ => {
            object.insert(key.to_owned(), value);
        }
    }
}

/// Replaces or removes something anywhere in a value.
fn spoil(rng: &mut Rng, value: &mut Value) {
    let mut node = value;
    loop {
        let size = match &*node {
            Value::Array(array) => array.len(),
            Value::Object(object) => object.len(),
            _ => 0,
        };
        if size == 0 || rng.chance(12) {
            *node = odd(rng);
            return;
        }
        let position = rng.below(size);
        match node {
            Value::Array(array) => {
                if rng.chance(8) {
                    array.remove(position);
                    return;
                }
                if rng.chance(8) {
                    let copy = array[position].clone();
                    array.push(copy);
                    return;
                }
                node = &mut array[position];
            }
            Value::Object(object) => {
                let key = object.keys().nth(position).cloned().unwrap_or_default();
                if rng.chance(8) {
                    object.remove(&key);
                    return;
                }
                node = &mut object[&key];
            }
            _ => return,
        }
    }
}

/// Tag names of one case; `None` is an absent one.
type Names = Vec<Option<Value>>;

fn names(rng: &mut Rng) -> Names {
    let mut names = Vec::new();
    if rng.chance(5) {
        // What is nearly the same name.
        names.extend([json!(1), json!(1.0), json!("1")].map(Some));
    }
    for _ in 0..=rng.below(4) {
        names.push(if rng.chance(75) {
            Some(json!(rng.pick(&["latest", "1", "2.0", "app", "v1-rc"])))
        } else {
            odd_name(rng)
        });
    }
    names
}

fn odd_name(rng: &mut Rng) -> Option<Value> {
    Some(match rng.below(18) {
        0 => return None,
        1 => Value::Null,
        2 => json!(""),
        3 => json!(1),
        4 => json!(1.0),
        5 => json!(-0.0),
        6 => json!(0),
        7 => json!(18_446_744_073_709_551_615_u64),
        8 => json!(true),
        9 => json!({"name": "1"}),
        10 => json!({"a": 1, "b": [2.0]}),
        11 => json!([1, "1"]),
        12 => json!("a\"b\\c"),
        13 => json!("a/b~1c~0"),
        14 => json!("1:2"),
        15 => json!("Latest"),
        16 => json!("\u{e9}\u{1f600}\n\u{0}"),
        _ => json!("long".repeat(60)),
    })
}

// The request.

fn request(rng: &mut Rng, kind: Kind, names: &Names) -> Value {
    let kind_name = format!("{kind:?}");
    let update = kind != Kind::ImageStreamImport && rng.chance(55);
    let mut request = Map::new();
    put(
        rng,
        &mut request,
        "uid",
        json!("7a3c1d2e-0000-4000-8000-000000000000"),
    );
    request.insert(
        "kind".to_owned(),
        json!({"group": "image.openshift.io", "version": "v1", "kind": kind_name}),
    );
    let resource = format!("{}s", kind_name.to_lowercase());
    put(
        rng,
        &mut request,
        "resource",
        json!({"group": "image.openshift.io", "version": "v1", "resource": resource}),
    );
    let operation = if update { "UPDATE" } else { "CREATE" };
    request.insert("operation".to_owned(), json!(operation));
    identity(rng, &mut request);
    let user_info = user(user_name(rng));
    put(rng, &mut request, "userInfo", user_info);
    if rng.chance(10) {
        request.insert("subResource".to_owned(), json!(""));
    }
    if rng.chance(3) {
        request.insert("requestSubResource".to_owned(), json!("status"));
    }
    if rng.chance(20) {
        request.insert("dryRun".to_owned(), json!(rng.chance(50)));
    }

    let object = object(rng, kind, names);
    let old = match rng.below(20) {
        0..=15 => old_object(rng, kind, names, &object),
        16 => object.clone(),
        17 => Value::Null,
        18 => odd(rng),
        _ => json!({"spec": odd(rng), "tag": odd(rng)}),
    };
    request.insert("object".to_owned(), object);
    if update && !rng.chance(3) || rng.chance(10) {
        request.insert("oldObject".to_owned(), old);
    }
    Value::Object(request)
}

fn user_name(rng: &mut Rng) -> Value {
    match rng.below(20) {
        0 => json!("bob"),
        1 => odd(rng),
        _ => json!("developer"),
    }
}

fn user(name: Value) -> Value {
    json!({"username": name, "groups": ["system:authenticated"]})
}

/// Name and namespace of the request.
fn identity(rng: &mut Rng, request: &mut Map<String, Value>) {
    for (key, value) in [("name", "app"), ("namespace", "demo")] {
        match rng.below(25) {
            0 | 1 => {}
            2 => {
                request.insert(key.to_owned(), json!(""));
            }
            3 => {
                request.insert(key.to_owned(), Value::Null);
            }
            4 => {
                request.insert(key.to_owned(), odd(rng));
            }
            5 => {
                request.insert(key.to_owned(), json!("other"));
            }
            _ => {
                request.insert(key.to_owned(), json!(value));
            }
        }
    }
}

/// The object of a request.
fn object(rng: &mut Rng, kind: Kind, names: &Names) -> Value {
    let mut object = Map::new();
    object.insert("apiVersion".to_owned(), json!("image.openshift.io/v1"));
    object.insert("kind".to_owned(), json!(format!("{kind:?}")));
    let metadata = metadata(rng, kind, names);
    put(rng, &mut object, "metadata", metadata);
    body(rng, kind, names, &mut object);
    if kind == Kind::ImageStreamImport && rng.chance(60) || rng.chance(30) {
        let status = match rng.below(8) {
            0 => odd(rng),
            1 => json!({"tags": [{"tag": "latest", "items": null}]}),
            _ => json!({}),
        };
        object.insert("status".to_owned(), status);
    }
    Value::Object(object)
}

/// The part of an object that holds its slots.
fn body(rng: &mut Rng, kind: Kind, names: &Names, object: &mut Map<String, Value>) {
    match kind {
        Kind::ImageStream => {
            let tags = tags(rng, names);
            let mut spec = Map::new();
            put(rng, &mut spec, "lookupPolicy", json!({"local": false}));
            put(rng, &mut spec, "tags", tags);
            put(rng, object, "spec", Value::Object(spec));
        }
        Kind::ImageStreamImport => {
            let mut spec = Map::new();
            spec.insert("import".to_owned(), json!(true));
            if rng.chance(35) {
                let name = rng.pick(names).clone();
                let repository = slot(rng, kind, &name);
                put(rng, &mut spec, "repository", repository);
            }
            if rng.chance(80) {
                let images = images(rng, names);
                put(rng, &mut spec, "images", images);
            }
            object.insert("spec".to_owned(), Value::Object(spec));
        }
        Kind::ImageStreamTag | Kind::ImageTag => {
            let name = rng.pick(names).clone();
            let slot = match rng.below(20) {
                0 => Value::Null,
                1 => json!({}),
                _ => slot(rng, kind, &name),
            };
            let key = if kind == Kind::ImageTag {
                "spec"
            } else {
                "tag"
            };
            put(rng, object, key, slot);
        }
    }
}

/// Tags, usually one of each name.
fn tags(rng: &mut Rng, names: &Names) -> Value {
    let mut tags = Vec::new();
    for name in names {
        let times = *rng.pick(&[0, 1, 1, 1, 1, 1, 2]);
        for _ in 0..times {
            tags.push(slot(rng, Kind::ImageStream, name));
        }
        if rng.chance(3) {
            tags.push(odd(rng));
        }
    }
    Value::Array(tags)
}

fn images(rng: &mut Rng, names: &Names) -> Value {
    let mut images = Vec::new();
    for _ in 0..rng.below(5) {
        let name = rng.pick(names).clone();
        let mut image = slot(rng, Kind::ImageStreamImport, &name);
        if let Value::Object(image) = &mut image {
            target(rng, image, &name);
        }
        images.push(image);
        if rng.chance(3) {
            images.push(odd(rng));
        }
    }
    Value::Array(images)
}

/// Where an image of an import is stored: `to`, or the tag in `from.name`.
fn target(rng: &mut Rng, image: &mut Map<String, Value>, name: &Option<Value>) {
    let to = match rng.below(12) {
        0..=4 => Some(json!({"name": name.clone().unwrap_or_default()})),
        5 => Some(json!({})),
        6 => Some(Value::Null),
        7 => Some(json!({"name": ""})),
        8 => Some(odd(rng)),
        9 => Some(json!({"name": odd(rng)})),
        _ => None,
    };
    if let Some(to) = to {
        image.insert("to".to_owned(), to);
    }
    let tag = match name {
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
        None => String::new(),
    };
    let from = match rng.below(18) {
        0..=6 => format!("quay.io/example/app:{tag}"),
        7 => format!("localhost:5000/app:{tag}"),
        8 => "localhost:5000/app".to_owned(),
        9 => format!("localhost:{tag}"),
        10 => format!("quay.io/app@sha256:{}", "0".repeat(64)),
        11 => format!("quay.io/app:{tag}@sha256:{}", "0".repeat(64)),
        12 => format!("quay.io/app:{tag}:2"),
        13 => format!("quay.io/app@x:{tag}/a:{tag}"),
        14 => "quay.io/app:".to_owned(),
        15 => format!("quay.io/app:{tag}@sha256:0@sha256:1"),
        16 => format!("quay.io/@/app:{tag}"),
        _ => (*rng.pick(&["", ":", "@", "/", "a:/b", "a:b/", ":1", "1"])).to_owned(),
    };
    let from = match rng.below(30) {
        0 => odd(rng),
        1 => json!({"kind": "DockerImage", "name": odd(rng)}),
        2 => json!({"kind": "ImageStreamTag", "name": from}),
        _ => json!({"kind": "DockerImage", "name": from}),
    };
    image.insert("from".to_owned(), from);
}

/// One slot, or one stored tag.
fn slot(rng: &mut Rng, kind: Kind, name: &Option<Value>) -> Value {
    if rng.chance(1) {
        return odd(rng);
    }
    let mut slot = Map::new();
    if let Some(name) = name {
        slot.insert("name".to_owned(), name.clone());
    }
    // As the server prints it, as a manifest has it, and something between.
    let (annotations, generation) = match rng.below(20) {
        0..=9 => (true, true),
        10..=16 => (false, false),
        17 => (true, false),
        _ => (false, true),
    };
    if annotations || rng.chance(4) {
        slot.insert("annotations".to_owned(), slot_annotations(rng));
    }
    if generation {
        let generation = match rng.below(5) {
            0 => json!(0),
            1 => json!(7),
            2 => odd(rng),
            _ => Value::Null,
        };
        slot.insert("generation".to_owned(), generation);
    }
    match rng.below(12) {
        0 => {}
        1 => {
            slot.insert("from".to_owned(), odd(rng));
        }
        2 | 3 => {
            slot.insert(
                "from".to_owned(),
                json!({"kind": "ImageStreamTag", "name": "base:1"}),
            );
        }
        4 => {
            slot.insert(
                "from".to_owned(),
                json!({"kind": odd(rng), "name": "quay.io/app:1"}),
            );
        }
        _ => {
            slot.insert(
                "from".to_owned(),
                json!({"kind": "DockerImage", "name": "quay.io/app:1"}),
            );
        }
    }
    match rng.below(20) {
        0 => {
            slot.insert("reference".to_owned(), json!(true));
        }
        1 => {
            slot.insert("reference".to_owned(), json!(false));
        }
        2 => {
            slot.insert("reference".to_owned(), json!("true"));
        }
        _ => {}
    }
    if rng.chance(3) {
        // Keys are case-sensitive.
        slot.insert(
            "importpolicy".to_owned(),
            json!({"importMode": "PreserveOriginal"}),
        );
    }
    if let Some(policy) = import_policy(rng) {
        slot.insert("importPolicy".to_owned(), policy);
    }
    if kind != Kind::ImageStreamImport || rng.chance(50) {
        put(rng, &mut slot, "referencePolicy", json!({"type": "Source"}));
    }
    Value::Object(slot)
}

/// The `importPolicy` of a slot, mostly Legacy, as the server fills it in.
fn import_policy(rng: &mut Rng) -> Option<Value> {
    let mode = match rng.below(100) {
        0..=41 => json!("Legacy"),
        42..=61 => json!("PreserveOriginal"),
        62..=65 => json!(""),
        66..=69 => Value::Null,
        70..=75 => return None,
        76..=78 => return Some(Value::Null),
        79..=82 => return Some(json!({})),
        83..=86 => return Some(odd(rng)),
        87..=89 => json!("preserveOriginal"),
        90..=91 => json!("ManifestList"),
        92 => json!("Legacy "),
        _ => odd(rng),
    };
    let mut policy = Map::new();
    policy.insert("importMode".to_owned(), mode);
    if rng.chance(3) {
        policy.insert("ImportMode".to_owned(), json!("PreserveOriginal"));
    }
    if rng.chance(20) {
        policy.insert("scheduled".to_owned(), json!(true));
    }
    Some(Value::Object(policy))
}

fn slot_annotations(rng: &mut Rng) -> Value {
    match rng.below(30) {
        0 => odd(rng),
        1..=4 => platform(rng),
        5..=6 => json!({}),
        7 => json!({"openshift.io/generated-by": "OpenShiftNewApp"}),
        8 => json!({"kubectl.kubernetes.io/last-applied-configuration": "{}"}),
        _ => Value::Null,
    }
}

/// The annotations that ask for one platform.
fn platform(rng: &mut Rng) -> Value {
    let name = *rng.pick(&[
        "importer.image.openshift.io/prefer-arch",
        "importer.image.openshift.io/prefer-arch",
        "importer.image.openshift.io/prefer-os",
        "importer.image.openshift.io/Prefer-Arch",
        "prefer-arch",
    ]);
    let value = match rng.below(6) {
        0 => json!(""),
        1 => odd(rng),
        _ => json!("arm64"),
    };
    json!({ name: value })
}

/// The old object: the same with other modes, and some tags less or more.
fn old_object(rng: &mut Rng, kind: Kind, names: &Names, object: &Value) -> Value {
    let mut old = Map::new();
    if let Some(metadata) = object.get("metadata") {
        old.insert("metadata".to_owned(), metadata.clone());
    }
    let gone = match kind {
        Kind::ImageStreamTag => "tag",
        _ => "spec",
    };
    if rng.chance(25) {
        old.insert(gone.to_owned(), Value::Null);
    } else {
        body(rng, kind, names, &mut old);
    }
    Value::Object(old)
}

// Metadata and the evidence in it.

fn metadata(rng: &mut Rng, kind: Kind, names: &Names) -> Value {
    let mut metadata = Map::new();
    put(rng, &mut metadata, "name", json!("app"));
    put(rng, &mut metadata, "namespace", json!("demo"));
    match rng.below(40) {
        0 => {
            metadata.insert("deletionTimestamp".to_owned(), json!(""));
        }
        1 => {
            metadata.insert("deletionTimestamp".to_owned(), Value::Null);
        }
        2 => {
            metadata.insert("creationTimestamp".to_owned(), Value::Null);
        }
        _ => {}
    }

    let mut annotations = Map::new();
    if rng.chance(40) {
        let key = "kubectl.kubernetes.io/last-applied-configuration".to_owned();
        annotations.insert(key, last_applied(rng, kind, names));
    }
    if rng.chance(12)
        && let Value::Object(platform) = platform(rng)
    {
        annotations.extend(platform);
    }
    if !annotations.is_empty() || rng.chance(20) {
        put(
            rng,
            &mut metadata,
            "annotations",
            Value::Object(annotations),
        );
    }
    if rng.chance(50) {
        let fields = managed_fields(rng, kind, names);
        put(rng, &mut metadata, "managedFields", fields);
    }
    Value::Object(metadata)
}

/// The text of the file that was last applied.
fn last_applied(rng: &mut Rng, kind: Kind, names: &Names) -> Value {
    let kind = if rng.chance(95) {
        kind
    } else {
        *rng.pick(&KINDS)
    };
    let mut applied = Map::new();
    applied.insert("kind".to_owned(), json!(format!("{kind:?}")));
    body(rng, kind, names, &mut applied);
    let text = Value::Object(applied).to_string();
    match rng.below(40) {
        0 => json!(text.get(1..).unwrap_or_default()),
        1 => json!(format!("{text} x")),
        2 => json!(format!(" {text}\n")),
        3 => json!(rng.pick(&["", "null", "[]", "\"Legacy\"", "1", "{", "nonsense"])),
        4 => json!(odd(rng).to_string()),
        5 => json!(Value::from(text).to_string()),
        6 => odd(rng),
        _ => json!(text),
    }
}

fn managed_fields(rng: &mut Rng, kind: Kind, names: &Names) -> Value {
    let mut entries = Vec::new();
    for _ in 0..=rng.below(2) {
        if rng.chance(3) {
            entries.push(odd(rng));
            continue;
        }
        let operation = match rng.below(12) {
            0..=7 => json!("Apply"),
            8..=9 => json!("Update"),
            10 => json!("apply"),
            _ => odd(rng),
        };
        let mut entry = Map::new();
        entry.insert("manager".to_owned(), json!("kubectl"));
        entry.insert("operation".to_owned(), operation);
        entry.insert("fieldsType".to_owned(), json!("FieldsV1"));
        let fields = fields(rng, kind, names);
        put(rng, &mut entry, "fieldsV1", fields);
        entries.push(Value::Object(entry));
    }
    Value::Array(entries)
}

fn fields(rng: &mut Rng, kind: Kind, names: &Names) -> Value {
    match kind {
        Kind::ImageStreamTag => {
            let set = field_set(rng);
            json!({"f:tag": set})
        }
        Kind::ImageTag => {
            let set = field_set(rng);
            json!({"f:spec": set})
        }
        Kind::ImageStreamImport => {
            let set = field_set(rng);
            json!({"f:spec": {"f:repository": set.clone(), "f:images": {}, "f:importPolicy": set}})
        }
        Kind::ImageStream => {
            let mut tags = Map::new();
            for name in names {
                if rng.chance(80) {
                    let key = field_key(rng, name);
                    tags.insert(key, field_set(rng));
                }
            }
            if rng.chance(20) {
                tags.insert(".".to_owned(), json!({}));
            }
            json!({"f:spec": {"f:tags": tags}})
        }
    }
}

/// The key of a tag in a set of fields.
fn field_key(rng: &mut Rng, name: &Option<Value>) -> String {
    let name = name.clone().unwrap_or_default();
    match rng.below(24) {
        0 => format!("k:{}", json!({"name": name, "x": 1})),
        1 => format!("k: {{ \"name\" : {name} }} "),
        2 => format!("v:{}", json!({"name": name})),
        3 => format!("k:{}", json!({"Name": name})),
        4 => format!("k:{name}"),
        5 => format!("k:{{\"name\":{name}"),
        6 => (*rng.pick(&["k:", "k:{}", "k:[]", "k:null", "i:0", "f:name", ""])).to_owned(),
        7 => format!("k:{}", json!({"name": odd(rng)})),
        8 => format!("k:{{\"n\\u0061me\":{name}}}"),
        _ => format!("k:{}", json!({"name": name})),
    }
}

/// The fields that an entry owns of a slot.
fn field_set(rng: &mut Rng) -> Value {
    let policy = match rng.below(20) {
        0 => json!({}),
        1 => json!({".": {}}),
        2 => json!({"f:insecure": {}, "f:scheduled": {}}),
        3 => json!({".": {}, "f:importMode": {}, "f:insecure": {}}),
        4 => odd(rng),
        5 => json!({"importMode": {}}),
        6 => json!({"f:importMode": odd(rng)}),
        7..=11 => json!({"f:importMode": {}}),
        12..=13 => return json!({}),
        14 => return json!({".": {}}),
        15 => return odd(rng),
        _ => return json!({".": {}, "f:from": {}, "f:name": {}}),
    };
    if rng.chance(50) {
        json!({"f:importPolicy": policy})
    } else {
        json!({".": {}, "f:name": {}, "f:importPolicy": policy})
    }
}

// The settings.

fn settings(rng: &mut Rng) -> Value {
    let mut settings = Map::new();
    let overwrite = *rng.pick(&[
        None,
        None,
        None,
        None,
        None,
        Some(""),
        Some("UnlessExplicit"),
        Some("IfUnset"),
        Some("IfUnset"),
        Some("IfUnset"),
        Some("IfUnset"),
        Some("Always"),
        Some("Always"),
        Some("Always"),
        Some("Always"),
        Some("Always"),
    ]);
    if let Some(overwrite) = overwrite {
        settings.insert("overwrite".to_owned(), json!(overwrite));
    }
    let mut has_mode = true;
    match rng.below(20) {
        0..=1 => {
            settings.insert("imageStreamImportMode".to_owned(), json!("Legacy"));
        }
        2..=3 => {
            settings.insert(
                "imageStreamImportMode".to_owned(),
                json!("PreserveOriginal"),
            );
        }
        4 => {
            let mode = *rng.pick(&["", "Legacy", "PreserveOriginal"]);
            settings.insert("imageStreamImportMode".to_owned(), json!(mode));
            settings.insert("payloadArchitecture".to_owned(), json!("arm64"));
        }
        5..=6 => {
            let multi = *rng.pick(&["Multi", "multi", "MULTI"]);
            settings.insert("payloadArchitecture".to_owned(), json!(multi));
        }
        7 => {
            let single = *rng.pick(&["amd64", "arm64", "ppc64le", "s390x"]);
            settings.insert("payloadArchitecture".to_owned(), json!(single));
        }
        8 => {
            settings.insert("payloadArchitecture".to_owned(), Value::Null);
            has_mode = false;
        }
        _ => has_mode = false,
    }
    match rng.below(20) {
        0..=2 => {
            settings.insert("action".to_owned(), json!("Report"));
        }
        3 => {
            settings.insert("action".to_owned(), json!("Mutate"));
        }
        _ => {}
    }
    match rng.below(20) {
        0 | 1 => {
            settings.insert("onUnknownPayload".to_owned(), json!("Reject"));
        }
        2 => {
            settings.insert("onUnknownPayload".to_owned(), json!("Accept"));
        }
        _ => {}
    }
    match rng.below(20) {
        0 if has_mode || rng.chance(10) => {
            settings.insert("clusterContext".to_owned(), json!(false));
        }
        1 => {
            settings.insert("clusterContext".to_owned(), json!(true));
        }
        _ => {}
    }
    if rng.chance(10) {
        settings.insert("exemptUsers".to_owned(), json!(["alice", "bob"]));
    }
    if rng.chance(10) {
        let namespaces = [json!(["openshift"]), json!([]), json!(["other"]), json!("")];
        let namespaces = rng.pick(&namespaces).clone();
        settings.insert("exemptNamespaces".to_owned(), namespaces);
    }
    if rng.chance(2) {
        invalid_setting(rng, &mut settings);
    }
    if settings.is_empty() && rng.chance(20) {
        return Value::Null;
    }
    Value::Object(settings)
}

fn invalid_setting(rng: &mut Rng, settings: &mut Map<String, Value>) {
    let (key, value) = match rng.below(10) {
        0 => ("overWrite", json!("Always")),
        1 => ("x", Value::Null),
        2 => ("overwrite", json!("always")),
        3 => ("payloadArchitecture", json!("AMD64")),
        4 => ("imageStreamImportMode", json!("legacy")),
        5 => ("action", json!("Audit")),
        6 => ("onUnknownPayload", json!(true)),
        7 => ("clusterContext", json!("false")),
        8 => ("exemptUsers", json!("bob")),
        _ => ("exemptNamespaces", json!([1])),
    };
    settings.insert(key.to_owned(), value);
}

// The cluster.

const IMAGE: &str = "config.openshift.io/v1/Image/cluster";
const VERSION: &str = "config.openshift.io/v1/ClusterVersion/version";

fn cluster(rng: &mut Rng, request: &Value, names: &Names) -> Script {
    let mut cluster = Script::new();
    if let Some(image) = image_config(rng) {
        cluster.insert(IMAGE.to_owned(), image);
    }
    if let Some(version) = cluster_version(rng) {
        cluster.insert(VERSION.to_owned(), version);
    }
    // Now and then the policy may read nothing at all.
    let refused = rng.chance(4);
    if refused {
        cluster.insert(IMAGE.to_owned(), failure(rng, IMAGE));
        cluster.insert(VERSION.to_owned(), failure(rng, VERSION));
    }
    if request.pointer("/kind/kind") == Some(&json!("ImageStreamImport")) || rng.chance(5) {
        // A stream under each name that may be asked for.
        for namespace in ["demo", "other", "Legacy", " "] {
            for name in ["app", "other", "Legacy"] {
                let key = format!("image.openshift.io/v1/ImageStream/{namespace}/{name}");
                if name == "Legacy" && namespace != "demo" || rng.chance(20) {
                    continue;
                }
                let stream = match rng.below(12) {
                    0 => failure(rng, &key),
                    _ if refused => failure(rng, &key),
                    _ => stream(rng, names),
                };
                cluster.insert(key, stream);
            }
        }
    }
    cluster
}

/// A stored stream; in some, all tags have the same mode.
fn stream(rng: &mut Rng, names: &Names) -> Value {
    let mut stream = Map::new();
    body(rng, Kind::ImageStream, names, &mut stream);
    let mut stream = Value::Object(stream);
    if rng.chance(45) {
        let policy = import_policy(rng);
        let tags = stream
            .pointer_mut("/spec/tags")
            .and_then(Value::as_array_mut);
        for tag in tags.into_iter().flatten() {
            let Some(tag) = tag.as_object_mut() else {
                continue;
            };
            match &policy {
                Some(policy) => tag.insert("importPolicy".to_owned(), policy.clone()),
                None => tag.remove("importPolicy"),
            };
        }
    }
    stream
}

fn image_config(rng: &mut Rng) -> Option<Value> {
    Some(match rng.below(40) {
        0..=3 => return None,
        4..=6 => failure(rng, IMAGE),
        7..=9 => json!({"spec": {"imageStreamImportMode": "Legacy"}}),
        10..=11 => json!({"spec": {"imageStreamImportMode": "PreserveOriginal"}}),
        12 => json!({
            "spec": {"imageStreamImportMode": "Legacy"},
            "status": {"imageStreamImportMode": "PreserveOriginal"},
        }),
        13..=17 => json!({
            "spec": {"imageStreamImportMode": ""},
            "status": {"imageStreamImportMode": "PreserveOriginal"},
        }),
        18 => json!({"status": {"imageStreamImportMode": "Legacy"}}),
        19 => json!({"status": {"imageStreamImportMode": odd(rng)}}),
        20 => json!({"spec": {"imageStreamImportMode": odd(rng)}}),
        21 => json!({"spec": {"imageStreamImportMode": "legacy"}}),
        22 => json!({"spec": odd(rng), "status": odd(rng)}),
        23 => json!({}),
        _ => json!({"metadata": {"name": "cluster"}, "spec": {}, "status": {}}),
    })
}

fn cluster_version(rng: &mut Rng) -> Option<Value> {
    let desired = match rng.below(40) {
        0..=2 => return None,
        3..=5 => return Some(failure(rng, VERSION)),
        6..=15 => json!({"architecture": "Multi", "version": "4.20.1"}),
        16 => json!({"architecture": "multi"}),
        17 => json!({"architecture": "amd64"}),
        18 => json!({"architecture": odd(rng)}),
        19 => odd(rng),
        20..=23 => json!({"architecture": "", "version": "4.20.1"}),
        _ => json!({"version": "4.20.1"}),
    };
    let conditions = match rng.below(10) {
        0 => odd(rng),
        1..=4 => json!([]),
        _ => {
            let conditions: Vec<Value> = (0..=rng.below(3)).map(|_| condition(rng)).collect();
            json!(conditions)
        }
    };
    Some(json!({"status": {"desired": desired, "conditions": conditions}}))
}

fn condition(rng: &mut Rng) -> Value {
    let kind = match rng.below(6) {
        0 => json!("Available"),
        1 => odd(rng),
        _ => json!("ReleaseAccepted"),
    };
    let status = match rng.below(8) {
        0 => json!("False"),
        1 => json!(true),
        _ => json!("True"),
    };
    let loaded = |architecture: &str| {
        format!("Payload loaded version=\"4.20.1\" image=\"quay.io/r@sha256:0\" {architecture}")
    };
    let message = match rng.below(14) {
        0..=3 => json!(loaded("architecture=\"Multi\"")),
        4..=5 => json!(loaded("architecture=\"amd64\"")),
        6 => json!(loaded("architecture=\"\"")),
        7 => json!(loaded("architecture=\"\" architecture=\"Multi\"")),
        8 => json!(loaded("architecture=Multi")),
        9 => json!(loaded("architecture=\"Multi")),
        10 => json!(loaded("architecture=\"multi\" architecture=\"Multi\"")),
        11 => json!("Architecture=\"Multi\""),
        12 => odd(rng),
        _ => json!("architecture=\" Multi\"and more \"\u{e9}\""),
    };
    json!({"type": kind, "status": status, "message": message})
}

/// A read that does not give the object: the host's texts, and odd replies.
fn failure(rng: &mut Rng, key: &str) -> Value {
    let evaluation = "Host error: Callback evaluation failure: ";
    let text = match rng.below(14) {
        0 => "Host error: Policy has not been granted access to Kubernetes \
              config.openshift.io/v1/Image resources. The violation has been reported."
            .to_owned(),
        1 => "Host error: Policy has not been granted access to the \
              'kubernetes/get_resource' host capability. The violation has been reported."
            .to_owned(),
        2 => not_found(key),
        3 => format!(
            "{}\n\nStack backtrace:\n   0: <unknown>\n   1: <unknown>",
            not_found(key)
        ),
        4 => format!("{evaluation}Cannot find resource {key}"),
        5 => format!(
            "{evaluation}error finding resource {key} / Image: ApiError: \"404 page not found\": \
             Failed to parse error data (ErrorResponse {{ status: \"404 Not Found\", code: 404 }})"
        ),
        6 => format!("{evaluation}ApiError: \"cluster\" is forbidden: User cannot get resource"),
        7 => format!("{evaluation}kube::Client was not initialized properly"),
        8 => "forbidden".to_owned(),
        9 => "images.config.openshift.io \"cluster\" not found".to_owned(),
        10 => String::new(),
        11 => format!("Cannot find {key} named 'cluster'"),
        _ => {
            return rng
                .pick(&[json!(null), json!([]), json!("x"), json!(1), json!(true)])
                .clone();
        }
    };
    json!({ "error": text })
}

// The tables.

/// Gives what the tables of sections 4 and 5 look at the same weight everywhere.
fn level(
    rng: &mut Rng,
    kind: Kind,
    request: &mut Value,
    settings: &mut Value,
    cluster: &mut Script,
) {
    let mut level = Map::new();
    let overwrite = *rng.pick(&["IfUnset", "UnlessExplicit", "Always"]);
    level.insert("overwrite".to_owned(), json!(overwrite));
    if rng.chance(15) {
        level.insert("action".to_owned(), json!("Report"));
    }
    match rng.below(4) {
        0 => {
            level.insert("imageStreamImportMode".to_owned(), json!("Legacy"));
        }
        1 => {
            level.insert("payloadArchitecture".to_owned(), json!("Multi"));
        }
        2 => {
            cluster.insert(IMAGE.to_owned(), json!({}));
            cluster.insert(VERSION.to_owned(), json!({"status": {"desired": {}}}));
        }
        _ => {
            cluster.insert(IMAGE.to_owned(), json!({}));
            cluster.remove(VERSION);
        }
    }
    *settings = Value::Object(level);

    if let Some(object) = request.get_mut("object") {
        level_modes(rng, kind, object, false);
    }
    match kind {
        Kind::ImageStreamImport => {
            for stream in cluster.values_mut() {
                let alike = rng.chance(60);
                level_modes(rng, Kind::ImageStream, stream, alike);
            }
        }
        _ => {
            if let Some(old) = request.get_mut("oldObject") {
                level_modes(rng, kind, old, false);
            }
        }
    }
}

/// Sets the mode of each slot, or the same one for all.
fn level_modes(rng: &mut Rng, kind: Kind, object: &mut Value, alike: bool) {
    let policies = [
        json!({}),
        json!({"importMode": "Legacy"}),
        json!({"importMode": "PreserveOriginal"}),
        json!({"importMode": "ManifestList"}),
    ];
    let one = alike.then(|| rng.pick(&policies).clone());
    let pointers: Vec<String> = slots::of(kind, object)
        .into_iter()
        .map(|slot| slot.pointer)
        .collect();
    for pointer in pointers {
        let policy = one.clone().unwrap_or_else(|| rng.pick(&policies).clone());
        set_in(object, &pointer, "importPolicy", policy);
    }
}

// Out of scope.

/// One thing that takes a request out of scope, or nearly.
fn leave_scope(rng: &mut Rng, request: &mut Value, settings: &mut Value) {
    match rng.below(21) {
        0 => request["kind"]["group"] = json!("apps.openshift.io"),
        1 => request["kind"]["group"] = odd(rng),
        2 => request["kind"]["kind"] = json!(rng.pick(&["Image", "imagestream", "imagestreams"])),
        3 => request["kind"]["kind"] = odd(rng),
        4 => request["kind"]["version"] = odd(rng),
        5 => request["subResource"] = json!("status"),
        6 => request["subResource"] = odd(rng),
        7 => request["operation"] = json!(rng.pick(&["DELETE", "CONNECT", "create", "UPDATE"])),
        8 => request["operation"] = odd(rng),
        9 => request["object"] = odd(rng),
        10 => {
            remove(request, "object");
        }
        11 => set_in(
            request,
            "/object/metadata",
            "deletionTimestamp",
            json!("2026-01-01T00:00:00Z"),
        ),
        12 => {
            let value = odd(rng);
            set_in(request, "/object/metadata", "deletionTimestamp", value);
        }
        13 => request["userInfo"] = user(json!(rng.pick(&BUILT_IN_USERS))),
        14 => {
            request["userInfo"] = user(json!(rng.pick(&["bob", "bobby"])));
            set_in(settings, "", "exemptUsers", json!(["bob"]));
        }
        15 => {
            let namespaces = [json!(["demo"]), json!(["dem", "demos"]), json!(["other"])];
            let namespaces = rng.pick(&namespaces).clone();
            set_in(settings, "", "exemptNamespaces", namespaces);
        }
        16 => set_in(request, "/object/spec", "import", json!(false)),
        17 => {
            let value = odd(rng);
            set_in(request, "/object/spec", "import", value);
        }
        18 => {
            let key = *rng.pick(&["kind", "operation"]);
            remove(request, key);
        }
        19 => request["kind"] = odd(rng),
        _ => *request = odd(rng),
    }
}

fn remove(value: &mut Value, key: &str) {
    if let Some(object) = value.as_object_mut() {
        object.remove(key);
    }
}

fn set_in(value: &mut Value, pointer: &str, key: &str, to: Value) {
    if let Some(Value::Object(object)) = value.pointer_mut(pointer) {
        object.insert(key.to_owned(), to);
    }
}
