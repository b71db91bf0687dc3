//! The policy's settings from a file and from the command line.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::Args;
use serde_json::{Map, Value};

use crate::input::{Document, InputError};
use crate::report::shown;
use crate::settings_schema;

/// Where settings come from; later ones win.
#[derive(Args, Debug)]
pub struct SettingsArgs {
    /// Settings in YAML or JSON, or a ClusterAdmissionPolicy that holds some
    #[arg(long, value_name = "FILE")]
    settings: Option<PathBuf>,

    /// One setting, as in `overwrite=Always` or `exemptUsers=alice,bob`; may be repeated
    #[arg(long = "set", value_name = "KEY=VALUE")]
    set: Vec<Assignment>,
}

/// One `key=value`.
#[derive(Clone, Debug, PartialEq)]
struct Assignment {
    key: String,
    value: Value,
}

impl FromStr for Assignment {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (key, value) = text
            .split_once('=')
            .ok_or_else(|| format!("`{text}` has no `=`; write KEY=VALUE"))?;
        let value = if settings_schema::is_list(key) {
            let elements = value.split(',').map(str::trim);
            let elements = elements.filter(|element| !element.is_empty());
            elements.map(Value::from).collect()
        } else {
            match value {
                "true" => Value::Bool(true),
                "false" => Value::Bool(false),
                text => text.into(),
            }
        };
        Ok(Self {
            key: key.to_owned(),
            value,
        })
    }
}

impl SettingsArgs {
    /// The settings as one object, unchecked.
    ///
    /// # Errors
    ///
    /// If the file cannot be used.
    pub fn read(&self) -> Result<Value, InputError> {
        let settings = self.settings.as_deref().map(read_file).transpose()?;
        match settings {
            // Whatever is no object, the module refuses.
            Some(settings) if self.set.is_empty() || !settings.is_object() => Ok(settings),
            settings => {
                let mut merged = match settings {
                    Some(Value::Object(settings)) => settings,
                    _ => Map::new(),
                };
                for Assignment { key, value } in self.set.iter().cloned() {
                    merged.insert(key, value);
                }
                Ok(Value::Object(merged))
            }
        }
    }
}

/// The settings in a file, or in the `spec.settings` of a policy resource; none are `{}`.
///
/// # Errors
///
/// A file that cannot be read, holds several documents, or a resource of another kind.
pub fn read_file(path: &Path) -> Result<Value, InputError> {
    let documents = match Document::read(path) {
        Err(InputError::Empty { .. }) => Vec::new(),
        documents => documents?,
    };
    if let Some(second) = documents.get(1) {
        return Err(InputError::Unusable {
            place: second.place.clone(),
            message: "a second document; settings are one".to_owned(),
        });
    }
    let Some(document) = documents.first() else {
        return Ok(Value::Object(Map::new()));
    };
    let value: Value = serde_json::from_str(&document.json).map_err(|error| {
        let (place, message) = document.blame(&error);
        InputError::Unusable { place, message }
    })?;
    let kind = value.get("kind").and_then(Value::as_str);
    let settings = match kind {
        Some("AdmissionPolicy" | "ClusterAdmissionPolicy") => {
            value.pointer("/spec/settings").cloned().unwrap_or_default()
        }
        Some(other) if value.get("apiVersion").is_some() => {
            return Err(InputError::Unusable {
                place: document.place.clone(),
                message: format!(
                    "`{}` holds no settings; name a ClusterAdmissionPolicy, an AdmissionPolicy or a file with settings alone",
                    shown(other)
                ),
            });
        }
        _ => value,
    };
    Ok(match settings {
        Value::Null => Value::Object(Map::new()),
        settings => settings,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn assigns(text: &str, key: &str, value: Value) {
        let expected = Assignment {
            key: key.to_owned(),
            value,
        };
        assert_eq!(text.parse(), Ok(expected));
    }

    #[test]
    fn values_have_the_type_of_their_key() {
        assigns("clusterContext=false", "clusterContext", json!(false));
        assigns("overwrite=Always", "overwrite", json!("Always"));
        assigns("exemptUsers=a, b", "exemptUsers", json!(["a", "b"]));
        assigns("exemptNamespaces=true", "exemptNamespaces", json!(["true"]));
        assigns("exemptUsers=", "exemptUsers", json!([]));
        assigns("a=b=c", "a", json!("b=c"));
    }

    #[test]
    fn an_assignment_has_an_equals_sign() {
        assert_eq!(
            "overwrite".parse::<Assignment>(),
            Err("`overwrite` has no `=`; write KEY=VALUE".to_owned())
        );
    }
}
