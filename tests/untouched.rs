//! No byte of an object changes but the modes: the expected text is built beside the input.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot read its own input should stop"
)]

use imagestream_import_mode::{ClusterReader, Decision, Outcome, ReadError, ResourceRef, evaluate};
use proptest::prelude::*;

/// The settings state the mode, so nothing is read.
struct NoCluster;

impl ClusterReader for NoCluster {
    fn get_resource(&self, resource: &ResourceRef<'_>) -> Result<String, ReadError> {
        panic!("unexpected read of {resource}");
    }
}

fn decide(payload: &str) -> Decision<'_> {
    evaluate(payload.as_bytes(), &NoCluster)
}

fn payload(object: &str) -> String {
    format!(
        r#"{{"settings":{{"payloadArchitecture":"Multi"}},"request":{{"object":{object},
        "operation":"CREATE","uid":"1","kind":{{"kind":"ImageStream","group":"image.openshift.io"}}}}}}"#
    )
}

#[track_caller]
fn becomes(object: &str, expected: &str) {
    let payload = payload(object);
    let decision = decide(&payload);
    let Outcome::Mutate(mutation) = &decision.outcome else {
        panic!("no change: {decision:?}");
    };
    assert_eq!(mutation.mutated_object(), expected);
    let patched = json_patch_applied(object, &mutation.json_patch());
    assert_eq!(
        patched,
        serde_json::from_str::<serde_json::Value>(expected).unwrap()
    );
}

/// The patch in the hands of a reader that knows only `add` of a member.
fn json_patch_applied(object: &str, patch: &str) -> serde_json::Value {
    let mut object: serde_json::Value = serde_json::from_str(object).unwrap();
    let patch: Vec<serde_json::Map<String, serde_json::Value>> =
        serde_json::from_str(patch).unwrap();
    for operation in patch {
        assert_eq!(operation["op"], "add");
        let path = operation["path"].as_str().unwrap();
        let (parent, key) = path.rsplit_once('/').unwrap();
        let parent = object.pointer_mut(parent).unwrap().as_object_mut().unwrap();
        parent.insert(key.to_owned(), operation["value"].clone());
    }
    object
}

/// Any JSON value as text, odd numbers, escapes, repeated keys and white space included.
fn any_json() -> impl Strategy<Value = String> {
    let scalar = prop_oneof![
        Just("null".to_owned()),
        Just("true".to_owned()),
        "-?(0|[1-9][0-9]{0,30})(\\.[0-9]{1,20})?([eE][+-]?[0-9]{1,3})?",
        Just(r#""\ud83d\ude00\\\"\u0000{[}]""#.to_owned()),
        "\"[a-zA-Z0-9:/@{}\\[\\], é漢]{0,80}\"",
    ];
    scalar.prop_recursive(6, 40, 6, |inner| {
        let space = "[ \n\t\r]{0,2}";
        prop_oneof![
            (prop::collection::vec(inner.clone(), 0..6), space).prop_map(|(elements, space)| {
                format!("[{space}{}{space}]", elements.join(&format!("{space},")))
            }),
            (
                prop::collection::vec(("[a-c\\u00e9]{0,2}", inner), 0..6),
                space
            )
                .prop_map(|(members, space)| {
                    let members: Vec<_> = members
                        .iter()
                        .map(|(key, value)| format!("\"{key}\"{space}:{value}{space}"))
                        .collect();
                    format!("{{{space}{}}}", members.join(","))
                }),
        ]
    })
}

/// A tag before and after; the filler stands around the place that changes.
fn any_tag() -> impl Strategy<Value = (String, String)> {
    let forms = prop::sample::select(vec![
        (
            r#""importPolicy":{"importMode":"Legacy"}"#,
            r#""importPolicy":{"importMode":"PreserveOriginal"}"#,
        ),
        (
            r#""importPolicy":null"#,
            r#""importPolicy":{"importMode":"PreserveOriginal"}"#,
        ),
        (
            r#""importPolicy":{ }"#,
            r#""importPolicy":{"importMode":"PreserveOriginal" }"#,
        ),
        (
            r#""importPolicy" : {"insecure":true,"importmode":"Legacy"}"#,
            r#""importPolicy" : {"importMode":"PreserveOriginal","insecure":true,"importmode":"Legacy"}"#,
        ),
        (
            r#""importPolicy":{"importMode":null , "x":1e999}"#,
            r#""importPolicy":{"importMode":"PreserveOriginal" , "x":1e999}"#,
        ),
        (
            r#""importPolicy":{"importMode":"PreserveOriginal"},"import\u0050olicy":{"importMode":"PreserveOriginal","import\u004dode":"\u004cegacy"}"#,
            r#""importPolicy":{"importMode":"PreserveOriginal"},"import\u0050olicy":{"importMode":"PreserveOriginal","import\u004dode":"PreserveOriginal"}"#,
        ),
        (
            r#""importPolicy":7,"importPolicy":{"importMode":""}"#,
            r#""importPolicy":7,"importPolicy":{"importMode":"PreserveOriginal"}"#,
        ),
    ]);
    let with_policy = (any_json(), any_json(), forms).prop_map(|(before, after, (old, new))| {
        let tag = |policy: &str| {
            format!(r#"{{"x":{before},"annotations":null,{policy},"generation":0,"y":{after}}}"#)
        };
        (tag(old), tag(new))
    });
    let without = any_json().prop_map(|filler| {
        let rest = format!(r#""generation":null,"annotations":{{}},"importpolicy":{filler}}}"#);
        (
            format!("{{{rest}"),
            format!(r#"{{"importPolicy":{{"importMode":"PreserveOriginal"}},{rest}"#),
        )
    });
    let other = any_json()
        .prop_map(|value| format!(r#"[{value}]"#))
        .prop_map(|element| (element.clone(), element));
    prop_oneof![4 => with_policy, 1 => without, 1 => other]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn only_modes_change(
        tags in prop::collection::vec(any_tag(), 1..8),
        status in any_json(),
        odd in any_json(),
        space in "[ \n]{0,3}",
    ) {
        prop_assume!(tags.iter().any(|(old, new)| old != new));
        let object = |tags: Vec<&str>| {
            let tags = tags.join(",");
            format!(
                r#"{{"odd":{odd},{space}"spec":{{"tags":[]}},"spec":{{"odd":{odd},"tags":{space}[{tags}]{space}}},"status":{status}}}"#
            )
        };
        let old = object(tags.iter().map(|(old, _)| old.as_str()).collect());
        let new = object(tags.iter().map(|(_, new)| new.as_str()).collect());
        let payload = payload(&old);
        let decision = decide(&payload);
        let Outcome::Mutate(mutation) = &decision.outcome else {
            panic!("no change: {decision:?}");
        };
        prop_assert_eq!(mutation.mutated_object(), new);
    }
}

#[test]
fn a_tag_without_members_gets_a_policy() {
    becomes(
        r#"{"spec":{"tags":[{}, { },{"name":"a"}]}}"#,
        r#"{"spec":{"tags":[{"importPolicy":{"importMode":"PreserveOriginal"}}, {"importPolicy":{"importMode":"PreserveOriginal"} },{"importPolicy":{"importMode":"PreserveOriginal"},"name":"a"}]}}"#,
    );
}

#[test]
fn deep_nesting_and_two_mebibytes_pass_through() {
    let deep = format!("{}{}", "{\"a\":[".repeat(10_000), "]}".repeat(10_000));
    let long = format!("\"{}\"", "x".repeat(2 << 20));
    let object = |mode: &str| {
        format!(
            r#"{{"a":{deep},"spec":{{"b":{long},"tags":[{{"annotations":null,"generation":null,"importPolicy":{{"importMode":"{mode}"}}}}]}},"c":{deep}}}"#
        )
    };
    let payload = payload(&object("Legacy"));
    let decision = decide(&payload);
    let Outcome::Mutate(mutation) = &decision.outcome else {
        panic!("no change");
    };
    assert!(mutation.mutated_object() == object("PreserveOriginal"));
}

#[test]
fn a_patch_of_many_tags_names_each() {
    let tags: Vec<_> = (0..3)
        .map(|name| format!(r#"{{"name":{name},"importPolicy":{{}}}}"#))
        .collect();
    let object = format!(r#"{{"spec":{{"tags":[{}]}}}}"#, tags.join(","));
    let expected = object.replace("{}", r#"{"importMode":"PreserveOriginal"}"#);
    becomes(&object, &expected);
}

#[test]
fn the_last_kind_counts_wherever_the_object_stands() {
    let ours = r#""kind":{"group":"image.openshift.io","kind":"ImageStream"}"#;
    let other = r#""kind":{"group":"apps","kind":"Deployment"}"#;
    let object = r#""operation":"UPDATE","object":{"spec":{"tags":[{"name":"a"},{"name":"b"}]}},
        "oldObject":{"spec":{"tags":[{"name":"b"}]}}"#;
    let edited = |members: [&str; 3]| -> Vec<String> {
        let payload = format!(
            r#"{{"request":{{{}}},"settings":{{"payloadArchitecture":"Multi"}}}}"#,
            members.join(",")
        );
        let decision = decide(&payload);
        decision.edits().iter().map(|edit| edit.pointer()).collect()
    };
    let mode = ["/spec/tags/0/importPolicy/importMode"];
    assert_eq!(edited([ours, ours, object]), mode);
    assert_eq!(edited([object, ours, ours]), mode);
    assert_eq!(edited([other, object, ours]), mode);
    assert_eq!(edited([other, ours, object]), mode);
    let none: [&str; 0] = [];
    assert_eq!(edited([ours, object, other]), none);
    assert_eq!(edited([ours, other, object]), none);
    assert_eq!(edited([object, ours, other]), none);
}
