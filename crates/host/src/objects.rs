//! A scripted cluster from files of objects, as `oc get -o json` writes them.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::cluster::ScriptedCluster;

/// Why a folder or file is no set of objects.
#[derive(Debug)]
pub enum ObjectsError {
    /// A file or folder cannot be read.
    Unreadable {
        /// The file or folder.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// A file is not JSON.
    NotJson {
        /// The file.
        path: PathBuf,
        /// Where it stops being JSON.
        source: serde_json::Error,
    },
    /// Something in a file has no `apiVersion`, `kind` or `metadata.name`.
    NoObject {
        /// The file.
        path: PathBuf,
        /// The first field that is missing.
        missing: &'static str,
    },
    /// Two files, or one, hold the same object twice.
    Twice {
        /// The second file.
        path: PathBuf,
        /// `apiVersion/Kind[/namespace]/name`.
        key: String,
    },
    /// A folder or a list without a single object.
    Empty {
        /// The folder or file.
        path: PathBuf,
    },
}

impl fmt::Display for ObjectsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable { path, source } => {
                write!(f, "cannot read `{}`: {source}", path.display())
            }
            Self::NotJson { path, source } => {
                write!(f, "`{}` is not JSON: {source}", path.display())
            }
            Self::NoObject { path, missing } => {
                write!(
                    f,
                    "`{}` holds an object without `{missing}`",
                    path.display()
                )
            }
            Self::Twice { path, key } => {
                write!(f, "`{}` holds `{key}` a second time", path.display())
            }
            Self::Empty { path } => write!(f, "`{}` holds no objects", path.display()),
        }
    }
}

impl std::error::Error for ObjectsError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Unreadable { source, .. } => Some(source),
            Self::NotJson { source, .. } => Some(source),
            Self::NoObject { .. } | Self::Twice { .. } | Self::Empty { .. } => None,
        }
    }
}

impl ScriptedCluster {
    /// Reads a file of one object or one List, or every `*.json` of a folder.
    ///
    /// # Errors
    ///
    /// At the first file that cannot be used; an object that occurs twice is one too.
    pub fn from_path(path: &Path) -> Result<Self, ObjectsError> {
        let mut cluster = Self::default();
        cluster.add_path(path)?;
        Ok(cluster)
    }

    /// Adds the objects of one more file or folder.
    ///
    /// # Errors
    ///
    /// As [`ScriptedCluster::from_path`].
    pub fn add_path(&mut self, path: &Path) -> Result<(), ObjectsError> {
        let before = self.len();
        if path.is_dir() {
            for file in json_files(path).map_err(|source| unreadable(path, source))? {
                self.add_file(&file)?;
            }
        } else {
            self.add_file(path)?;
        }
        if self.len() == before {
            return Err(ObjectsError::Empty {
                path: path.to_owned(),
            });
        }
        Ok(())
    }

    fn add_file(&mut self, path: &Path) -> Result<(), ObjectsError> {
        let text = fs::read(path).map_err(|source| unreadable(path, source))?;
        let value: Value =
            serde_json::from_slice(&text).map_err(|source| ObjectsError::NotJson {
                path: path.to_owned(),
                source,
            })?;
        let list_kind = value
            .get("kind")
            .and_then(Value::as_str)
            .and_then(|kind| kind.strip_suffix("List"))
            .map(str::to_owned);
        let api_version = value.get("apiVersion").cloned();
        match (list_kind, value) {
            (Some(kind), Value::Object(mut list)) => {
                let items = match list.remove("items") {
                    Some(Value::Array(items)) => items,
                    _ => Vec::new(),
                };
                // Items of a typed list may come without their own type.
                for mut item in items {
                    if let Some(item) = item.as_object_mut().filter(|_| !kind.is_empty()) {
                        if let Some(api_version) = &api_version {
                            item.entry("apiVersion").or_insert(api_version.clone());
                        }
                        item.entry("kind").or_insert(kind.clone().into());
                    }
                    self.add_object(path, item)?;
                }
                Ok(())
            }
            (_, object) => self.add_object(path, object),
        }
    }

    fn add_object(&mut self, path: &Path, object: Value) -> Result<(), ObjectsError> {
        let field = |pointer: &str| object.pointer(pointer).and_then(Value::as_str);
        let required = |pointer: &str, missing: &'static str| {
            field(pointer).ok_or_else(|| ObjectsError::NoObject {
                path: path.to_owned(),
                missing,
            })
        };
        let mut key = format!(
            "{}/{}/",
            required("/apiVersion", "apiVersion")?,
            required("/kind", "kind")?
        );
        if let Some(namespace) = field("/metadata/namespace") {
            key.push_str(namespace);
            key.push('/');
        }
        key.push_str(required("/metadata/name", "metadata.name")?);
        if self.insert(key.clone(), object) {
            Ok(())
        } else {
            Err(ObjectsError::Twice {
                path: path.to_owned(),
                key,
            })
        }
    }
}

fn unreadable(path: &Path, source: std::io::Error) -> ObjectsError {
    ObjectsError::Unreadable {
        path: path.to_owned(),
        source,
    }
}

/// The `*.json` files of a folder, by name.
pub(crate) fn json_files(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path
            .extension()
            .is_some_and(|extension| extension == "json")
        {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// A file of its own, gone when dropped.
    struct File(PathBuf);

    impl File {
        fn new(text: &str) -> Self {
            static NUMBER: AtomicUsize = AtomicUsize::new(0);
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let name = format!("objects-{}-{number}.json", std::process::id());
            let path = std::env::temp_dir().join(name);
            fs::write(&path, text).unwrap();
            Self(path)
        }
    }

    impl Drop for File {
        fn drop(&mut self) {
            let _ = fs::remove_file(&self.0);
        }
    }

    #[track_caller]
    fn keys(text: &str, expected: &[&str]) {
        let file = File::new(text);
        let cluster = ScriptedCluster::from_path(&file.0).unwrap();
        assert_eq!(cluster.keys().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn objects_and_both_sorts_of_lists_are_read() {
        keys(
            r#"{"apiVersion": "a/v1", "kind": "Image", "metadata": {"name": "cluster"}}"#,
            &["a/v1/Image/cluster"],
        );
        keys(
            r#"{"apiVersion": "v1", "kind": "List", "items": [
                {"apiVersion": "i/v1", "kind": "ImageStream", "metadata": {"namespace": "n", "name": "b"}}
            ]}"#,
            &["i/v1/ImageStream/n/b"],
        );
        keys(
            r#"{"apiVersion": "i/v1", "kind": "ImageStreamList", "items": [
                {"metadata": {"namespace": "n", "name": "b"}}
            ]}"#,
            &["i/v1/ImageStream/n/b"],
        );
    }

    #[track_caller]
    fn refused(text: &str, message: &str) {
        let file = File::new(text);
        let error = ScriptedCluster::from_path(&file.0).unwrap_err();
        let path = format!("`{}`", file.0.display());
        assert_eq!(error.to_string().replace(&path, "FILE"), message);
    }

    #[test]
    fn what_is_no_object_is_named() {
        refused(
            "{",
            "FILE is not JSON: EOF while parsing an object at line 1 column 1",
        );
        refused("[]", "FILE holds an object without `apiVersion`");
        refused(
            r#"{"apiVersion": "v1", "kind": "K", "metadata": {}}"#,
            "FILE holds an object without `metadata.name`",
        );
        refused(
            r#"{"apiVersion": "v1", "kind": "KList", "items": [
                {"metadata": {"name": "a"}}, {"metadata": {"name": "a"}}
            ]}"#,
            "FILE holds `v1/K/a` a second time",
        );
        refused(r#"{"kind": "List", "items": []}"#, "FILE holds no objects");
    }
}
