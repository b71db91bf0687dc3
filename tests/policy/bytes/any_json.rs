//! Any JSON.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::Value;

/// A tree of the words that the policy reads, and others.
pub fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "[ -~\u{0}-\u{1f}\u{80}-\u{ffff}]{0,8}".prop_map(Value::from),
        select(vec![
            "Legacy",
            "PreserveOriginal",
            "",
            "CREATE",
            "UPDATE",
            "ImageStream",
            "DockerImage",
            "image.openshift.io",
            "Multi",
            "Always",
        ])
        .prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        let keys = select(vec![
            "request",
            "settings",
            "kind",
            "object",
            "oldObject",
            "spec",
            "tags",
            "tag",
            "name",
            "importPolicy",
            "importMode",
            "metadata",
            "annotations",
            "managedFields",
            "images",
            "overwrite",
            "action",
            "exemptUsers",
            "payloadArchitecture",
            "colour",
        ]);
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            vec((keys, inner), 0..5).prop_map(|members| {
                members
                    .into_iter()
                    .map(|(key, value)| (key.to_owned(), value))
                    .collect()
            }),
        ]
    })
}

/// Puts `new` in the place of the `n`th value of the tree.
pub fn replace_nth(value: &mut Value, n: &mut usize, new: &Value) -> bool {
    if *n == 0 {
        *value = new.clone();
        return true;
    }
    *n -= 1;
    match value {
        Value::Object(fields) => fields.values_mut().any(|v| replace_nth(v, n, new)),
        Value::Array(items) => items.iter_mut().any(|v| replace_nth(v, n, new)),
        _ => false,
    }
}
