//! The WIT is the component's documentation: nothing in it is left without a text.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking, in its helpers too"
)]

use std::path::Path;

use wit_parser::{Docs, Resolve, TypeDefKind};

/// The names of everything that has no text.
struct Undocumented(Vec<String>);

impl Undocumented {
    fn check(&mut self, what: &str, docs: &Docs) {
        if docs
            .contents
            .as_deref()
            .unwrap_or_default()
            .trim()
            .is_empty()
        {
            self.0.push(what.to_owned());
        }
    }
}

#[test]
fn every_item_of_the_wit_is_documented() {
    let mut resolve = Resolve::default();
    let wit = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../wit");
    let (package, _) = resolve.push_dir(&wit).unwrap();
    let package = &resolve.packages[package];
    assert_eq!(
        package.name.to_string(),
        "imagestream-import-mode:policy@0.1.0"
    );

    let mut undocumented = Undocumented(Vec::new());
    undocumented.check("package", &package.docs);
    for (name, world) in &package.worlds {
        undocumented.check(name, &resolve.worlds[*world].docs);
    }
    for (name, interface) in &package.interfaces {
        let interface = &resolve.interfaces[*interface];
        undocumented.check(name, &interface.docs);
        for (function, item) in &interface.functions {
            undocumented.check(&format!("{name}.{function}"), &item.docs);
        }
        for (type_name, id) in &interface.types {
            let item = &resolve.types[*id];
            let path = format!("{name}.{type_name}");
            undocumented.check(&path, &item.docs);
            let parts: Vec<(&String, &Docs)> = match &item.kind {
                TypeDefKind::Record(record) => record
                    .fields
                    .iter()
                    .map(|part| (&part.name, &part.docs))
                    .collect(),
                TypeDefKind::Variant(variant) => variant
                    .cases
                    .iter()
                    .map(|part| (&part.name, &part.docs))
                    .collect(),
                TypeDefKind::Enum(list) => list
                    .cases
                    .iter()
                    .map(|part| (&part.name, &part.docs))
                    .collect(),
                TypeDefKind::Resource | TypeDefKind::Type(_) => Vec::new(),
                other => panic!("a {} that this test does not know: {path}", other.as_str()),
            };
            for (part, docs) in parts {
                undocumented.check(&format!("{path}.{part}"), docs);
            }
        }
    }
    assert_eq!(undocumented.0, Vec::<String>::new());
}
