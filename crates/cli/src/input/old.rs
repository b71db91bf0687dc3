//! The stored objects that `--old` names.

use std::cell::Cell;
use std::path::Path;

use imagestream_import_mode::ResourceKind;

use super::document::Document;
use super::error::{InputError, unusable};
use super::object::{Object, objects};
use super::place::Place;

/// Stored objects by kind and name.
#[derive(Debug, Default)]
pub struct OldObjects {
    objects: Vec<OldObject>,
}

#[derive(Debug)]
struct OldObject {
    kind: ResourceKind,
    name: String,
    namespace: String,
    json: String,
    title: String,
    place: Place,
    used: Cell<bool>,
}

impl OldObjects {
    /// Reads a file of objects or Lists.
    ///
    /// # Errors
    ///
    /// If it cannot be read or holds something that is never updated.
    pub fn read(path: &Path) -> Result<Self, InputError> {
        let mut all = Self::default();
        for document in Document::read(path)? {
            all.objects.extend(objects(&document, |object| {
                let kind = object
                    .resource_kind()
                    .filter(|kind| *kind != ResourceKind::ImageStreamImport)
                    .ok_or_else(|| {
                        unusable(
                            object.place,
                            &format!(
                                "{} is never updated; --old takes ImageStreams, ImageStreamTags and ImageTags",
                                object.title()
                            ),
                        )
                    })?;
                Ok(OldObject {
                    kind,
                    name: object.metadata.name.clone(),
                    namespace: object.metadata.namespace.clone(),
                    json: object.json.to_owned(),
                    title: object.title(),
                    place: object.place.clone(),
                    used: Cell::new(false),
                })
            })?);
        }
        Ok(all)
    }

    /// The stored form of `object`; a namespace that either does not name is the other's.
    pub fn find(&self, kind: ResourceKind, object: &Object<'_>) -> Option<&str> {
        let namespace = &object.metadata.namespace;
        let old = self.objects.iter().find(|old| {
            old.kind == kind
                && old.name == object.metadata.name
                && (old.namespace == *namespace || old.namespace.is_empty() || namespace.is_empty())
        })?;
        old.used.set(true);
        Some(&old.json)
    }

    /// A stored object that no manifest updates is a mistake.
    ///
    /// # Errors
    ///
    /// Names the first such object.
    pub fn check_all_used(&self) -> Result<(), InputError> {
        match self.objects.iter().find(|old| !old.used.get()) {
            None => Ok(()),
            Some(old) => Err(unusable(
                &old.place,
                &format!(
                    "no manifest updates {}; give one of the same kind, namespace and name",
                    old.title
                ),
            )),
        }
    }
}
