//! The JSON Schema of the settings.

/// The schema, for editors and for forms.
pub const SCHEMA: &str = include_str!("settings.schema.json");

/// The keys whose value is a list.
const LISTS: [&str; 2] = ["exemptUsers", "exemptNamespaces"];

/// Whether the value of `key` is a list of texts.
pub fn is_list(key: &str) -> bool {
    LISTS.contains(&key)
}

#[cfg(test)]
mod tests {
    use imagestream_import_mode::Settings;
    use imagestream_import_mode::settings::KEYS;
    use serde_json::{Value, json};

    use super::*;

    /// Values of every kind, legal for some key or nearly so.
    fn values() -> Vec<Value> {
        vec![
            json!(null),
            json!(""),
            json!(" "),
            json!(true),
            json!(false),
            json!("true"),
            json!("false"),
            json!(0),
            json!(1),
            json!(1.5),
            json!([]),
            json!(["a"]),
            json!(["a", ""]),
            json!([1]),
            json!([null]),
            json!(["a", ["b"]]),
            json!({}),
            json!({"a": "b"}),
            json!("Multi"),
            json!("multi"),
            json!("MULTI"),
            json!("Multi "),
            json!("amd64"),
            json!("AMD64"),
            json!("arm64"),
            json!("ppc64le"),
            json!("s390x"),
            json!("x86_64"),
            json!("Legacy"),
            json!("legacy"),
            json!("PreserveOriginal"),
            json!("preserveOriginal"),
            json!("UnlessExplicit"),
            json!("IfUnset"),
            json!("Always"),
            json!("always"),
            json!("Mutate"),
            json!("Report"),
            json!("Accept"),
            json!("Reject"),
        ]
    }

    fn schema() -> Value {
        serde_json::from_str(SCHEMA).unwrap()
    }

    /// Validates with the keywords that the schema uses; another one is a mistake.
    fn is_valid(root: &Value, schema: &Value, value: &Value) -> bool {
        let valid = |schema: &Value, value: &Value| is_valid(root, schema, value);
        let is_one_of = |schemas: &Value| {
            let schemas = schemas.as_array().unwrap();
            schemas.iter().any(|schema| valid(schema, value))
        };
        let schema = schema.as_object().unwrap();
        schema
            .iter()
            .all(|(keyword, argument)| match keyword.as_str() {
                "$schema" | "$defs" | "title" | "description" | "default" | "then" => true,
                "$ref" => {
                    let pointer = argument.as_str().unwrap().strip_prefix('#').unwrap();
                    valid(root.pointer(pointer).unwrap(), value)
                }
                "type" => match argument.as_str().unwrap() {
                    "object" => value.is_object(),
                    "array" => value.is_array(),
                    "string" => value.is_string(),
                    other => panic!("type {other}"),
                },
                "enum" => argument.as_array().unwrap().contains(value),
                "const" => argument == value,
                "anyOf" => is_one_of(argument),
                "not" => !valid(argument, value),
                "items" => value
                    .as_array()
                    .is_none_or(|items| items.iter().all(|item| valid(argument, item))),
                "pattern" => {
                    assert_eq!(argument, "^[Mm][Uu][Ll][Tt][Ii]$");
                    value
                        .as_str()
                        .is_none_or(|text| text.eq_ignore_ascii_case("multi"))
                }
                "required" => value.as_object().is_none_or(|object| {
                    let keys = argument.as_array().unwrap();
                    keys.iter()
                        .all(|key| object.contains_key(key.as_str().unwrap()))
                }),
                "properties" => value.as_object().is_none_or(|object| {
                    object.iter().all(|(key, value)| {
                        argument.get(key).is_none_or(|schema| valid(schema, value))
                    })
                }),
                "additionalProperties" => {
                    assert_eq!(argument, false);
                    let known = schema["properties"].as_object().unwrap();
                    value
                        .as_object()
                        .is_none_or(|object| object.keys().all(|key| known.contains_key(key)))
                }
                "if" => !valid(argument, value) || valid(&schema["then"], value),
                other => panic!("keyword {other}"),
            })
    }

    #[track_caller]
    fn agree(schema: &Value, settings: &Value) {
        let parsed = Settings::parse(settings.to_string().as_bytes());
        assert_eq!(
            is_valid(schema, schema, settings),
            parsed.is_ok(),
            "{settings}: the code says {parsed:?}"
        );
    }

    #[test]
    fn schema_and_code_take_the_same_settings() {
        let schema = schema();
        let keys = KEYS.iter().copied();
        for key in keys.chain(["importMode", "Overwrite", "exemptuser", ""]) {
            for value in values() {
                agree(&schema, &json!({key: value}));
                agree(&schema, &json!({key: value, "clusterContext": false}));
                agree(
                    &schema,
                    &json!({key: value, "clusterContext": false, "payloadArchitecture": "Multi"}),
                );
                agree(
                    &schema,
                    &json!({key: value, "clusterContext": false, "imageStreamImportMode": "Legacy"}),
                );
            }
        }
        for whole in [json!([]), json!("a"), json!(1), json!(true), json!({})] {
            agree(&schema, &whole);
        }
    }

    #[test]
    fn the_schema_lists_the_keys_in_the_order_of_the_code() {
        // Text order, because a `serde_json::Map` sorts.
        let positions: Vec<_> = KEYS
            .iter()
            .map(|key| SCHEMA.find(&format!("\"{key}\": {{")).unwrap())
            .collect();
        assert!(positions.is_sorted());
        let properties = schema()["properties"].as_object().unwrap().len();
        assert_eq!(properties, KEYS.len());
    }

    #[test]
    fn lists_are_the_lists_of_the_schema() {
        for key in KEYS {
            let is_names = schema()["properties"][key]["$ref"] == "#/$defs/names";
            assert_eq!(is_list(key), is_names, "{key}");
        }
    }
}
