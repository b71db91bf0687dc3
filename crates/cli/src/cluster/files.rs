//! A cluster from files of objects.

use std::path::{Path, PathBuf};

use imagestream_import_mode_host::ScriptedCluster;
use serde_json::Value;

use crate::input::{Document, InputError, Place, objects};

/// Reads a file, or every JSON and YAML file of a folder.
///
/// # Errors
///
/// At the first file that cannot be used, and at an object that occurs twice.
pub fn read(path: &Path) -> Result<ScriptedCluster, InputError> {
    let mut cluster = ScriptedCluster::default();
    let files = if path.is_dir() {
        files_in(path).map_err(|source| InputError::Unreadable {
            file: path.display().to_string(),
            source,
        })?
    } else {
        vec![path.to_owned()]
    };
    for file in files {
        let documents = match Document::read(&file) {
            Err(InputError::Empty { .. }) => Vec::new(),
            documents => documents?,
        };
        for document in documents {
            objects(&document, |object| {
                let names = &object.metadata;
                let mut key = format!("{}/{}/", object.api_version, object.kind);
                if !names.namespace.is_empty() {
                    key.push_str(&names.namespace);
                    key.push('/');
                }
                key.push_str(&names.name);
                let value: Value = serde_json::from_str(object.json)
                    .map_err(|error| unusable(object.place, error.to_string()))?;
                if cluster.insert(key.clone(), value) {
                    Ok(())
                } else {
                    let message = format!("`{key}` a second time; keep one of them");
                    Err(unusable(object.place, message))
                }
            })?;
        }
    }
    if cluster.is_empty() {
        return Err(InputError::NoObject {
            file: path.display().to_string(),
        });
    }
    Ok(cluster)
}

fn unusable(place: &Place, message: String) -> InputError {
    InputError::Unusable {
        place: place.clone(),
        message,
    }
}

/// The JSON and YAML files of a folder, by name.
fn files_in(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let extension = path.extension().and_then(|extension| extension.to_str());
        if matches!(extension, Some("json" | "yaml" | "yml")) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
