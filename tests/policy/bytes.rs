//! Any bytes at all: the module never traps, always gives an answer that a host can decode, and
//! agrees with the library.

mod any_json;

use std::sync::{Arc, LazyLock};

use imagestream_import_mode_host::cases::{self, Case};
use imagestream_import_mode_host::{CoreDoor, Door, Request, ScriptedCluster, WapcPolicy};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use self::any_json::{any_json, replace_nth};
use crate::support::{POLICY, project};

/// The payloads of the cases.
static PAYLOADS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let mut payloads = Vec::new();
    for path in cases::files(&project("tests/cases/admission")).unwrap() {
        let case = Case::read(&path).unwrap();
        let request = case.request().unwrap();
        for expected in case.expect.iter().take(2) {
            payloads.push(String::from_utf8(request.payload(&expected.settings)).unwrap());
        }
    }
    payloads
});

fn answer(policy: &WapcPolicy, operation: &str, payload: &[u8]) -> Value {
    let cluster = Arc::new(ScriptedCluster::default());
    let call = policy.call(operation, payload, cluster).unwrap();
    assert!(call.calls.log.len() <= 1, "{:?}", call.calls.log);
    assert_eq!(call.calls.others, Vec::<String>::new());
    let bytes = call
        .answer
        .unwrap_or_else(|error| panic!("{error}\non {}", String::from_utf8_lossy(payload)));
    // JSON in any case; for what a host can read itself, also JSON that it can read.
    let _: &RawValue = serde_json::from_slice(&bytes).expect("the answer is JSON");
    match serde_json::from_slice(&bytes) {
        Ok(answer) => answer,
        Err(error) if serde_json::from_slice::<Value>(payload).is_ok() => {
            panic!("{error}\non {}", String::from_utf8_lossy(payload))
        }
        // Lone surrogates and numbers beyond f64: no host passes them on, and the object keeps them.
        Err(_) => json!({"accepted": true, "valid": true}),
    }
}

/// The answer fits the host's type, and is that of the library.
fn validate(payload: &[u8]) -> Value {
    let answer = answer(&POLICY, "validate", payload);
    let accepted = answer["accepted"].as_bool().expect("accepted is a bool");
    for warning in answer["warnings"].as_array().into_iter().flatten() {
        let warning = warning.as_str().expect("a warning is a string");
        assert!(warning.chars().count() <= 120, "{warning:?}");
        assert!(!warning.chars().any(char::is_control), "{warning:?}");
    }
    for annotation in answer["audit_annotations"]
        .as_object()
        .into_iter()
        .flatten()
    {
        assert!(annotation.1.is_string(), "{annotation:?}");
    }
    if accepted {
        assert!(answer.get("message").is_none(), "{answer}");
    } else {
        let message = answer["message"].as_str().expect("a rejection has a text");
        assert!(!message.is_empty());
        let code = answer["code"].as_u64().expect("a rejection has a code");
        assert!((400..=599).contains(&code), "{code}");
        assert!(answer.get("mutated_object").is_none(), "{answer}");
    }
    let core = imagestream_import_mode::evaluate(payload, &NothingThere);
    assert_eq!(core.allowed(), accepted);
    answer
}

struct NothingThere;

impl imagestream_import_mode::ClusterReader for NothingThere {
    fn get_resource(
        &self,
        _: &imagestream_import_mode::ResourceRef<'_>,
    ) -> Result<String, imagestream_import_mode::ReadError> {
        Err(imagestream_import_mode::ReadError::NotFound)
    }
}

fn validate_settings(settings: &[u8]) {
    let answer = answer(&POLICY, "validate_settings", settings);
    let valid = answer["valid"].as_bool().expect("valid is a bool");
    assert_eq!(valid, answer.get("message").is_none(), "{answer}");
    assert_eq!(valid, CoreDoor.validate_settings(settings).valid);
}

#[test]
fn odd_bytes_get_an_answer() {
    let deep = |n: usize| format!("{}{}", "[".repeat(n), "]".repeat(n));
    let request = |object: &str| {
        format!(
            r#"{{"settings":{{"payloadArchitecture":"Multi"}},"request":{{"operation":"CREATE","kind":{{"group":"image.openshift.io","version":"v1","kind":"ImageStream"}},"object":{object}}}}}"#
        )
    };
    let texts = [
        String::new(),
        " ".into(),
        "\u{feff}{}".into(),
        "{".into(),
        "{}}".into(),
        "nul".into(),
        "null".into(),
        "1e999999".into(),
        "\"\\ud800\"".into(),
        "\"\\udc00\\ud800\"".into(),
        "\"\u{0}\"".into(),
        deep(127),
        deep(128),
        deep(100_000),
        "[".repeat(100_000),
        r#"{"request":{},"request":[]}"#.into(),
        r#"{"requ\u0065st":{"operation":"CREATE","kind":{}}}"#.into(),
        request("null"),
        request(
            r#"{"spec":{"tags":[{"name":"a","importPolicy":{"importMode":"\u004cegacy"},"annotations":null,"generation":null}]}}"#,
        ),
        request(r#"{"spec":{"tags":[{"name":"\ud800","annotations":null,"generation":null}]}}"#),
        request(r#"{"spec":{"tags":[{"name":1e400,"annotations":null,"generation":null}]}}"#),
        request(r#"{"spec":{"tags":[{},{"name":{"a":[null]}},[],7,"x",null]}}"#),
        request(&format!(
            r#"{{"spec":{{"tags":[{{"name":"a","x":{}}}]}}}}"#,
            deep(100)
        )),
        request(&format!(r#"{{"spec":{{"tags":{}}}}}"#, deep(120))),
    ];
    for text in texts {
        validate(text.as_bytes());
        validate_settings(text.as_bytes());
    }
    for bytes in [&b"\xff"[..], b"{\"request\":\"\xc3\x28\"}", b"\0\0\0\0"] {
        validate(bytes);
        validate_settings(bytes);
    }
}

#[test]
fn characters_are_checked_wherever_they_stand() {
    for before in 0..33 {
        let name = format!("{}é日😀", "x".repeat(before));
        let payload =
            json!({"request": {"operation": "CREATE", "kind": {}, "object": {"a": name}}});
        let mut payload = payload.to_string().into_bytes();
        assert_eq!(validate(&payload), json!({"accepted": true}));
        let place = payload.iter().position(|byte| *byte == 0xc3).unwrap();
        payload[place + 1] = b'x';
        let message = format!(
            "cannot understand the admission request: the payload is not UTF-8 at byte {place}"
        );
        let expected = json!({"accepted": false, "message": message, "code": 400});
        assert_eq!(validate(&payload), expected);
    }
}

#[test]
fn an_object_of_two_mebibytes_is_decided() {
    let tags: Vec<_> = (0..11_000)
        .map(|n| {
            json!({
                "name": format!("tag-{n}"), "annotations": null, "generation": null,
                "from": {"kind": "DockerImage", "name": format!("quay.io/example/app:{n}")},
                "importPolicy": {"importMode": "Legacy"}, "referencePolicy": {"type": "Source"},
            })
        })
        .collect();
    let payload = json!({
        "settings": {"payloadArchitecture": "Multi"},
        "request": {
            "operation": "CREATE",
            "kind": {"group": "image.openshift.io", "version": "v1", "kind": "ImageStream"},
            "object": {"spec": {"tags": tags}},
        },
    })
    .to_string();
    assert!(payload.len() > 2 << 20, "{}", payload.len());
    let answer = validate(payload.as_bytes());
    let tags = answer["mutated_object"]["spec"]["tags"].as_array().unwrap();
    let preserved = |tag: &&Value| tag["importPolicy"]["importMode"] == "PreserveOriginal";
    assert_eq!(tags.iter().filter(preserved).count(), 11_000);
}

#[test]
fn hostile_tag_names_stay_within_short_lines() {
    let names = [
        "x".repeat(100_000),
        "\u{1f4a9}".repeat(500),
        "a\nb\r\nc\u{0}\u{7f}\u{85}\u{2028}".to_owned(),
        "\u{202e}\u{200b}, and 3 more".to_owned(),
        "\"\\".repeat(300),
        String::new(),
    ];
    for name in &names {
        warned(&vec![json!(name); 40]);
    }
    warned(&names.map(|name| json!(name)));
    warned(&[
        json!(1e300),
        json!([["x".repeat(5000)]]),
        json!({"a": "b"}),
        json!(null),
    ]);
}

/// New tags under an unknown cluster mode, and existing ones that would flip: both warn.
fn warned(names: &[Value]) {
    let tag = |name: &Value, mode: &str| json!({"name": name, "annotations": null, "generation": null, "importPolicy": {"importMode": mode}});
    let tags = |mode| names.iter().map(|name| tag(name, mode)).collect::<Vec<_>>();
    let request = |operation: &str, old: Value| {
        let text = json!({
            "uid": "u", "operation": operation, "userInfo": {},
            "kind": {"group": "image.openshift.io", "version": "v1", "kind": "ImageStream"},
            "resource": {"group": "image.openshift.io", "version": "v1", "resource": "imagestreams"},
            "object": {"spec": {"tags": tags("Legacy")}}, "oldObject": old,
        });
        Request::from_json(text.to_string().as_bytes()).unwrap()
    };
    for (request, kind) in [
        (request("CREATE", Value::Null), "payload-unknown: "),
        (
            request(
                "UPDATE",
                json!({"spec": {"tags": tags("PreserveOriginal")}}),
            ),
            "existing-kept: ",
        ),
    ] {
        let answer = validate(&request.payload(&json!({})));
        let warnings = answer["warnings"].as_array().expect("there is a warning");
        let of_kind = |line: &Value| line.as_str().unwrap().starts_with(kind);
        assert!(warnings.iter().any(of_kind), "{warnings:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_get_an_answer(bytes in vec(any::<u8>(), 0..200)) {
        validate(&bytes);
        validate_settings(&bytes);
    }

    #[test]
    fn any_json_gets_an_answer(value in any_json()) {
        let text = value.to_string();
        validate(text.as_bytes());
        validate_settings(text.as_bytes());
    }

    #[test]
    fn a_payload_with_another_value_somewhere_gets_an_answer(
        payload in any::<Index>(), place in any::<Index>(), value in any_json(),
    ) {
        let mut payload: Value = serde_json::from_str(payload.get(PAYLOADS.as_slice()).as_str()).unwrap();
        replace_nth(&mut payload, &mut place.index(120), &value);
        validate(payload.to_string().as_bytes());
    }

    #[test]
    fn a_payload_with_other_bytes_somewhere_gets_an_answer(
        payload in any::<Index>(), from in any::<Index>(), length in 0..40usize,
        bytes in prop_oneof![
            vec(any::<u8>(), 0..8),
            select(vec!["\"", "\\", "{", "}", "[", "]", ",", ":", "null", "\\u0000", "\\ud83d", "\"importMode\":", "1e5"])
                .prop_map(|token| token.as_bytes().to_vec()),
        ],
    ) {
        let mut payload = payload.get(PAYLOADS.as_slice()).clone().into_bytes();
        let from = from.index(payload.len());
        let to = payload.len().min(from + length);
        payload.splice(from..to, bytes);
        validate(&payload);
    }
}
