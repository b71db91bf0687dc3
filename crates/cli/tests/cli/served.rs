//! `--served` against what a real openshift-apiserver made of the same files.

use serde_json::Value;

use crate::support::{ACCEPTS_EVERYTHING, program, project};

/// A file, the review that it caused, and the server's default mode.
const CAPTURED: [(&str, &str, &str); 12] = [
    (
        "absent-created-absent",
        "imagestream-create-oc-create-f-mode-absent",
        "Legacy",
    ),
    (
        "absent-created-absent",
        "imagestream-create-oc-create-f-mode-absent-server-preserve",
        "PreserveOriginal",
    ),
    (
        "mixed-created-mixed",
        "imagestream-create-oc-create-f-mode-mixed",
        "Legacy",
    ),
    (
        "mixed-created-admin",
        "imagestream-create-oc-create-f-as-admin",
        "Legacy",
    ),
    (
        "mixed-created-dry",
        "imagestream-create-oc-create-f-dry-run-server",
        "Legacy",
    ),
    (
        "repo-created-repo",
        "imagestream-create-oc-create-f-docker-image-repository",
        "Legacy",
    ),
    (
        "duplicates-created-dup",
        "imagestream-create-oc-create-f-duplicate-tags",
        "Legacy",
    ),
    (
        "isi-isi-dry",
        "imagestreamimport-create-oc-create-f-isi-dry-run-server",
        "Legacy",
    ),
    (
        "isi-isi-raw",
        "imagestreamimport-create-oc-create-f-isi-server-preserve",
        "PreserveOriginal",
    ),
    (
        "isi-repo-isi-repo",
        "imagestreamimport-create-oc-create-f-isi-repository-server-preserve",
        "PreserveOriginal",
    ),
    (
        "itag-itagged-1.0",
        "imagetag-create-oc-create-f-imagetag-new-stream-server-preserve",
        "PreserveOriginal",
    ),
    (
        "itag-itagged-2.0",
        "imagetag-create-oc-create-f-imagetag-existing-stream",
        "Legacy",
    ),
];

/// The object after `run --served` with a module that changes nothing.
fn served(input: &str, mode: &str) -> Value {
    let module = ACCEPTS_EVERYTHING.display().to_string();
    let (file, served) = (
        format!("tests/data/captured/inputs/{input}.yaml"),
        format!("--served={mode}"),
    );
    let args = [
        "run", &file, &served, "-n", "demo", "-o", "json", "--module", &module,
    ];
    let output = program(&args).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{input}: {stderr}");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn manifests_become_what_a_real_server_sends() {
    for (input, review, mode) in CAPTURED {
        let review = project(&format!("tests/data/captured/reviews/{review}.json"));
        let review: Value = serde_json::from_slice(&std::fs::read(review).unwrap()).unwrap();
        let mut expected = review["request"]["object"].clone();
        // Nobody knows the fields' managers beforehand, and the API's fields are not known here.
        expected["metadata"]
            .as_object_mut()
            .unwrap()
            .remove("managedFields");
        let mut got = served(input, mode);
        if let Some(spec) = got["spec"].as_object_mut() {
            spec.remove("unknownField");
        }
        assert_eq!(got, expected, "{input}");
    }
}
