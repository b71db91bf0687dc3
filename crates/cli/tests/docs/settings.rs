//! Rancher's form and the pages have every setting, and every value of it.

use std::collections::BTreeSet;

use imagestream_import_mode::settings::KEYS;
use serde_json::{Value, json};

use crate::manifests::check_settings;
use crate::support::{read, yaml_file};

#[test]
fn every_setting_is_asked_once() {
    let questions = yaml_file("questions-ui.yml");
    let questions = questions["questions"].as_array().unwrap();
    let asked: Vec<_> = questions
        .iter()
        .map(|question| question["variable"].as_str().unwrap())
        .collect();
    assert_eq!(asked, KEYS);
    let mut defaults = serde_json::Map::new();
    for question in questions {
        let variable = question["variable"].as_str().unwrap();
        defaults.insert(variable.to_owned(), question["default"].clone());
        assert!(
            !question["description"].as_str().unwrap().is_empty(),
            "{variable}"
        );
        for option in question
            .get("options")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            check_settings(variable, &json!({ variable: option }));
        }
    }
    // What the form sends when nothing is touched.
    check_settings("the defaults", &Value::Object(defaults));
}

/// The schema's values are the form's, so that none is forgotten.
#[test]
fn every_value_can_be_chosen() {
    let schema: Value = serde_json::from_str(&read("crates/cli/src/settings.schema.json")).unwrap();
    for question in yaml_file("questions-ui.yml")["questions"]
        .as_array()
        .unwrap()
    {
        let Some(options) = question.get("options") else {
            continue;
        };
        let variable = question["variable"].as_str().unwrap();
        let offered: BTreeSet<_> = options
            .as_array()
            .unwrap()
            .iter()
            .filter_map(Value::as_str)
            .filter(|text| !text.is_empty())
            .collect();
        let legal = schema["properties"][variable].to_string();
        for value in &offered {
            assert!(
                legal.contains(&format!("\"{value}\"")),
                "{variable}: {value}"
            );
        }
        let named = read("docs/settings.md");
        let row = named
            .lines()
            .find(|line| line.starts_with(&format!("| [`{variable}`]")))
            .unwrap();
        let documented = row.split('|').nth(2).unwrap();
        let documented: BTreeSet<_> = documented.split('`').skip(1).step_by(2).collect();
        assert_eq!(offered, documented, "{variable}");
    }
}

#[test]
fn every_setting_is_documented_in_order() {
    for page in ["README.md", "docs/settings.md"] {
        let text = read(page);
        let rows = text
            .lines()
            .filter_map(|line| line.strip_prefix("| `").or(line.strip_prefix("| [`")));
        let named: Vec<_> = rows
            .filter_map(|row| row.split('`').next())
            .filter(|key| KEYS.contains(key))
            .collect();
        assert_eq!(named, KEYS, "{page}");
    }
}
