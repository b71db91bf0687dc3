//! The four checks.

use std::collections::BTreeMap;

use imagestream_import_mode::{
    AdmissionRequest, Decision, ImportMode, Mutation, Outcome, RequestError, Settings, evaluate,
};
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::Answers;

/// A decision about any payload in any cluster is sound, and deciding its result sets nothing more.
pub fn decide(input: &[u8]) {
    let cluster = Answers::of(input);
    let decision = evaluate(cluster.payload, &cluster);
    sound(&decision);
    // Each object is read at most once, the stream first, the ClusterVersion last.
    let reads = cluster.take_reads();
    assert!(reads.is_sorted_by(|a, b| a < b), "{reads:?}");
    if let Outcome::Mutate(mutation) = &decision.outcome {
        let result = mutation.mutated_object();
        if let Some(payload) = with_object(cluster.payload, &result) {
            let again = evaluate(payload.as_bytes(), &cluster);
            assert!(again.allowed(), "{payload}");
            assert_eq!(again.edits().len(), 0, "{payload}");
        }
    }
}

fn sound(decision: &Decision<'_>) {
    let kinds: Vec<_> = decision
        .warnings
        .iter()
        .map(|warning| warning.kind)
        .collect();
    assert!(kinds.is_sorted_by(|a, b| a < b), "{kinds:?}");
    for warning in &decision.warnings {
        let line = warning.line();
        assert!(line.starts_with(warning.kind.as_str()), "{line:?}");
        printable(line, 120);
    }
    if let Some(log) = &decision.log {
        printable(log, 1_000);
    }
    for (key, value) in &decision.audit_annotations {
        printable(key, 100);
        printable(value, 500);
    }
    match &decision.outcome {
        Outcome::Accept => assert_eq!(decision.audit_annotations, []),
        Outcome::Mutate(mutation) => {
            assert_ne!(mutation.edits().len(), 0);
            assert_eq!(decision.audit_annotations.len(), 3);
        }
        Outcome::Reject(rejection) => {
            assert!(matches!(rejection.code, 400 | 403));
            printable(&rejection.message, 1_500);
            assert_eq!(decision.warnings, []);
            assert_eq!(decision.audit_annotations, []);
        }
    }
}

fn printable(line: &str, longest: usize) {
    assert!(!line.is_empty());
    assert!(line.chars().count() <= longest, "{line:?}");
    assert!(!line.chars().any(char::is_control), "{line:?}");
}

/// The payload with another object, every other text as it is; none if `serde_json` cannot read it.
fn with_object(payload: &[u8], object: &str) -> Option<String> {
    type Members = BTreeMap<String, Box<RawValue>>;
    let mut payload: Members = serde_json::from_slice(payload).ok()?;
    let mut request: Members = serde_json::from_str(payload.get("request")?.get()).ok()?;
    let raw = |text: &str| RawValue::from_string(text.to_owned()).ok();
    request.insert("object".to_owned(), raw(object)?);
    payload.insert(
        "request".to_owned(),
        raw(&serde_json::to_string(&request).ok()?)?,
    );
    serde_json::to_string(&payload).ok()
}

/// Settings are taken or refused with a text, and a decision is of the same opinion.
pub fn settings(input: &[u8]) {
    let parsed = Settings::parse(input);
    if let Err(error) = &parsed {
        assert!(!error.faults().is_empty());
        let text = error.to_string();
        assert!(text.starts_with("invalid settings: "), "{text}");
        for fault in error.faults() {
            assert!(text.contains(&fault.message), "{text}");
            assert!(!fault.message.chars().any(char::is_control), "{fault}");
        }
    }
    if !is_json(input) {
        let text = parsed.unwrap_err().to_string();
        assert_eq!(text, "invalid settings: the settings are not valid JSON");
        return;
    }
    let payload = [
        br#"{"request":{"kind":{},"operation":"CREATE"},"settings":"#,
        input,
        b"}",
    ]
    .concat();
    let decision = evaluate(&payload, &Answers::default());
    assert!(decision.allowed());
    assert_eq!(decision.warnings.len(), usize::from(parsed.is_err()));
    assert_eq!(decision.log.is_some(), parsed.is_err());
}

/// Edits change what they say and nothing else, as text and as a JSON Patch. The input is an object;
/// its first byte chooses the kind and the mode.
pub fn splice(input: &[u8]) {
    let Some((choice, object)) = input.split_first() else {
        return;
    };
    let Ok(text) = std::str::from_utf8(object) else {
        return;
    };
    // Repeated keys at the top would end the request: only whole values are objects of a request.
    let Ok(before) = serde_json::from_str::<Value>(text) else {
        return;
    };
    let kinds = [
        "ImageStream",
        "ImageStreamImport",
        "ImageStreamTag",
        "ImageTag",
    ];
    let kind = kinds[usize::from(choice % 4)];
    let mode = ["PreserveOriginal", "Legacy"][usize::from(choice / 4 % 2)];
    let payload = format!(
        r#"{{"request":{{"kind":{{"group":"image.openshift.io","kind":"{kind}"}},"operation":"CREATE","object":{text}}},"settings":{{"overwrite":"Always","clusterContext":false,"imageStreamImportMode":"{mode}"}}}}"#
    );
    let decision = evaluate(payload.as_bytes(), &Answers::default());
    sound(&decision);
    if let Outcome::Mutate(mutation) = &decision.outcome {
        let after = edited(&before, mutation);
        let mutated = mutation.mutated_object();
        let read: Value = serde_json::from_str(&mutated).expect("the answer is JSON");
        assert_eq!(read, after, "{mutated}");
        assert_eq!(patched(before, &mutation.json_patch()), after);
        // One place at a time: what stands before the first edit and behind the last is as it was.
        if let [_] = mutation.edits() {
            let same = text.trim_matches([' ', '\n', '\r', '\t']);
            let front = same.bytes().zip(mutated.bytes());
            let front = front.take_while(|(old, new)| old == new).count();
            let back = same.bytes().rev().zip(mutated.bytes().rev());
            let back = back.take_while(|(old, new)| old == new).count();
            let changed = same.get(front..same.len().saturating_sub(back).max(front));
            let changed = changed.unwrap_or_default();
            assert!(
                !changed.contains([',', '{', '[']),
                "{changed:?} of {same:?}"
            );
        }
    }
}

/// `object` with each mode set in the slow and obvious way.
fn edited(object: &Value, mutation: &Mutation<'_>) -> Value {
    let mut object = object.clone();
    for edit in mutation.edits() {
        let slot = edit.slot.to_string();
        let slot = object.pointer_mut(&slot).expect("the slot is there");
        let policy = &mut slot["importPolicy"];
        if policy.is_null() {
            *policy = json!({});
        }
        policy["importMode"] = json!(edit.mode.as_str());
        assert_eq!(
            object.pointer(&edit.pointer()),
            Some(&json!(edit.mode.as_str()))
        );
    }
    object
}

fn patched(mut object: Value, patch: &str) -> Value {
    let patch: Vec<Value> = serde_json::from_str(patch).expect("the patch is JSON");
    for operation in patch {
        assert_eq!(operation["op"], "add");
        let path = operation["path"].as_str().expect("a path is a string");
        let (parent, key) = path.rsplit_once('/').expect("a path has a slash");
        object.pointer_mut(parent).expect("the parent is there")[key] = operation["value"].clone();
    }
    object
}

/// The core and `serde_json` agree on what is JSON, and on what an admission request says.
pub fn json(input: &[u8]) {
    let refused = Settings::parse(input).err();
    let refused = refused.is_some_and(|error| error.to_string().ends_with("are not valid JSON"));
    assert_eq!(refused, !is_json(input));
    let request = AdmissionRequest::parse(input);
    if refused {
        assert!(
            matches!(request, Err(RequestError::NotJson { .. })),
            "{request:?}"
        );
        return;
    }
    // Lone surrogates, numbers beyond f64 and nesting beyond 128 levels are JSON all the same.
    let Ok(value) = serde_json::from_slice::<Value>(input) else {
        return;
    };
    let expected = if !value.is_object() {
        Some(RequestError::NotAnObject("request"))
    } else if !value["kind"].is_object() {
        Some(RequestError::NotAnObject("request.kind"))
    } else if !value["operation"].is_string() {
        Some(RequestError::NotAString("request.operation"))
    } else {
        None
    };
    assert_eq!(request.as_ref().err().copied(), expected);
    if let Ok(request) = request {
        assert_eq!(request.uid(), value["uid"].as_str().unwrap_or_default());
        let kind = (value["kind"]["group"] == "image.openshift.io")
            .then(|| value["kind"]["kind"].as_str())
            .flatten();
        let known = request.kind().map(|kind| kind.as_str());
        let ours = [
            "ImageStream",
            "ImageStreamImport",
            "ImageStreamTag",
            "ImageTag",
        ];
        assert_eq!(known, kind.filter(|kind| ours.contains(kind)));
        modes(&value, input);
    }
}

/// New tags that have no mode yet are found where `serde_json` finds them.
fn modes(request: &Value, text: &[u8]) {
    let is_stream = request["kind"]["group"] == "image.openshift.io"
        && request["kind"]["kind"] == "ImageStream";
    let unset = |value: &Value| value.is_null() || *value == "";
    let in_scope = is_stream
        && request["operation"] == "CREATE"
        && unset(&request["subResource"])
        && unset(&request["object"]["metadata"]["deletionTimestamp"]);
    if !in_scope || request["userInfo"]["username"].is_string() {
        return;
    }
    let payload = [
        br#"{"request":"#,
        text,
        br#","settings":{"payloadArchitecture":"Multi","overwrite":"IfUnset"}}"#,
    ]
    .concat();
    let decision = evaluate(&payload, &Answers::default());
    let found: Vec<_> = decision.edits().iter().map(|edit| edit.pointer()).collect();
    let tags = request["object"]["spec"]["tags"].as_array();
    let expected: Vec<_> = tags
        .into_iter()
        .flatten()
        .enumerate()
        .filter(|(_, tag)| {
            let policy = &tag["importPolicy"];
            let no_policy = policy.is_null() || policy.is_object() && unset(&policy["importMode"]);
            tag.is_object() && no_policy
        })
        .map(|(index, _)| format!("/spec/tags/{index}/importPolicy/importMode"))
        .collect();
    assert_eq!(found, expected);
    assert!(
        decision
            .edits()
            .iter()
            .all(|edit| edit.mode == ImportMode::PreserveOriginal)
    );
}

fn is_json(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_ok_and(|text| serde_json::from_str::<IgnoredAny>(text).is_ok())
}
