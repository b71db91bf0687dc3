//! `annotate`: the section is the one that `kwctl annotate` writes, and no other byte moves.

use std::collections::BTreeSet;

use imagestream_import_mode::ResourceKind;
use insta::assert_snapshot;
use serde_json::{Value, json};
use wasmparser::{Parser, Payload};

use crate::support::{MODULE, program, scratch, transcript};

fn annotate(folder: &str, module: &str, metadata: &str) -> (String, std::path::PathBuf) {
    let output = scratch(folder).join("annotated.wasm");
    let _ = std::fs::remove_file(&output);
    let to = output.display().to_string();
    let args = ["annotate", module, "--metadata", metadata, "--output", &to];
    (transcript(&program(&args).output().unwrap()), output)
}

fn sections(module: &[u8]) -> Vec<String> {
    let payloads = Parser::new(0).parse_all(module);
    payloads
        .filter_map(|payload| match payload.unwrap() {
            Payload::CustomSection(section) if section.name() == "io.kubewarden.metadata" => {
                Some(String::from_utf8(section.data().to_vec()).unwrap())
            }
            _ => None,
        })
        .collect()
}

#[test]
fn the_module_gets_one_section_and_stays_the_same() {
    let module = MODULE.display().to_string();
    let (text, output) = annotate("annotate", &module, "policy-metadata.yml");
    assert_eq!(
        text,
        "exit status 0\n--- stderr\nwrote SCRATCH/annotate/annotated.wasm\n"
    );
    let (bare, annotated) = (
        std::fs::read(&*MODULE).unwrap(),
        std::fs::read(output).unwrap(),
    );
    assert_eq!(annotated[..bare.len()], bare);
    let sections = sections(&annotated);
    assert_eq!(sections.len(), 1);
    assert_snapshot!(sections[0]);
}

#[test]
fn metadata_version_and_kinds_are_those_of_the_code() {
    let module = MODULE.display().to_string();
    let (_, output) = annotate("annotate-kinds", &module, "policy-metadata.yml");
    let section = sections(&std::fs::read(output).unwrap()).remove(0);
    let metadata: Value = serde_json::from_str(&section).unwrap();
    let annotations = &metadata["annotations"];
    assert_eq!(
        annotations["io.kubewarden.policy.version"],
        env!("CARGO_PKG_VERSION")
    );
    assert_eq!(
        annotations["io.kubewarden.policy.source"],
        env!("CARGO_PKG_REPOSITORY")
    );
    assert_eq!(
        annotations["io.kubewarden.policy.url"],
        env!("CARGO_PKG_REPOSITORY")
    );
    assert_eq!(
        annotations["io.kubewarden.policy.license"],
        env!("CARGO_PKG_LICENSE")
    );
    let kinds: BTreeSet<_> = ResourceKind::ALL.iter().map(|kind| kind.as_str()).collect();
    let listed = annotations["io.artifacthub.resources"].as_str().unwrap();
    assert_eq!(listed.split(", ").collect::<BTreeSet<_>>(), kinds);
    let rules = |operation: &str| -> BTreeSet<String> {
        let rules = metadata["rules"].as_array().unwrap().iter();
        rules
            .filter(|rule| {
                rule["operations"]
                    .as_array()
                    .unwrap()
                    .contains(&json!(operation))
            })
            .inspect(|rule| assert_eq!(rule["apiGroups"], json!(["image.openshift.io"])))
            .flat_map(|rule| rule["resources"].as_array().unwrap())
            .map(|resource| resource.as_str().unwrap().to_owned())
            .collect()
    };
    let plurals: BTreeSet<_> = ResourceKind::ALL
        .iter()
        .map(|kind| kind.plural().to_owned())
        .collect();
    assert_eq!(rules("CREATE"), plurals);
    let mut updated = plurals;
    updated.remove(ResourceKind::ImageStreamImport.plural());
    assert_eq!(rules("UPDATE"), updated);
    assert_eq!(rules("DELETE"), BTreeSet::new());
    let read: BTreeSet<_> = metadata["contextAwareResources"]
        .as_array()
        .unwrap()
        .iter()
        .map(|resource| {
            let text = |key: &str| resource[key].as_str().unwrap().to_owned();
            (text("apiVersion"), text("kind"))
        })
        .collect();
    let stream = imagestream_import_mode::cluster::image_stream("n", "s");
    let expected = [
        imagestream_import_mode::cluster::IMAGE_CONFIG,
        imagestream_import_mode::cluster::CLUSTER_VERSION,
        stream,
    ];
    assert_eq!(
        read,
        expected
            .iter()
            .map(|read| (read.api_version.to_owned(), read.kind.to_owned()))
            .collect()
    );
}

#[test]
fn an_annotated_module_is_not_annotated_again() {
    let module = MODULE.display().to_string();
    let (_, output) = annotate("annotate-once", &module, "policy-metadata.yml");
    let again = output.with_file_name("again.wasm");
    std::fs::rename(&output, &again).unwrap();
    let (text, output) = annotate(
        "annotate-once",
        &again.display().to_string(),
        "policy-metadata.yml",
    );
    assert_eq!(
        text,
        "exit status 2\n--- stderr\nerror: `SCRATCH/annotate-once/again.wasm` carries metadata already, and readers take the first; annotate the module as it was built\n"
    );
    assert!(!output.exists());
}

#[test]
fn bad_metadata_is_refused_with_its_line() {
    let module = MODULE.display().to_string();
    let file = scratch("annotate-bad").join("metadata.yml");
    let path = file.display().to_string();
    for metadata in [
        "rules: []\nmutating: true\n",
        "rules: [{apiGroups: [a], apiVersions: [v1], resources: [], operations: [CREATE]}]\nmutating: true\n",
        "rules: []\nmutating: true\nmutatin: true\n",
        "rules: []\n",
        "protocolVersion: v1\nrules: []\nmutating: true\n",
    ] {
        std::fs::write(&file, metadata).unwrap();
        let (text, _) = annotate("annotate-bad", &module, &path);
        assert_snapshot!(text);
    }
}

#[test]
fn what_is_no_module_is_refused_on_one_line() {
    let (text, _) = annotate("annotate-text", "Cargo.toml", "policy-metadata.yml");
    assert_eq!(
        text,
        "exit status 2\n--- stderr\nerror: `Cargo.toml` is not a waPC module: it does not begin as WebAssembly does; `make policy` builds one\n"
    );
}
