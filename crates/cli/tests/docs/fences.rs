//! YAML and JSON that is shown parses, and is what it says.

use imagestream_import_mode_host::cases::Case;
use serde_json::Value;

use crate::manifests::{check_manifest, check_settings};
use crate::support::{fences, pages, read, try_yaml};

#[test]
fn every_manifest_that_is_shown_parses() {
    let mut kinds = Vec::new();
    for page in pages() {
        for fence in fences(&read(&page))
            .0
            .iter()
            .filter(|fence| fence.info == "yaml")
        {
            let place = format!("{page}:{}", fence.line);
            let documents =
                try_yaml(&fence.body).unwrap_or_else(|error| panic!("{place}: {error}"));
            for document in documents {
                match document.get("kind").and_then(Value::as_str) {
                    Some(kind) => {
                        kinds.push(kind.to_owned());
                        check_manifest(&place, &document);
                    }
                    // Fields of Argo CD, rules of Prometheus.
                    None if document.get("ignoreDifferences").is_some() => {}
                    None if document.pointer("/0/alert").is_some() => {}
                    None => check_settings(&place, &document),
                }
            }
        }
    }
    kinds.sort();
    assert_eq!(
        kinds,
        [
            "ClusterAdmissionPolicy",
            "ImageStream",
            "NetworkPolicy",
            "Report"
        ]
    );
}

#[test]
fn the_case_that_is_shown_is_one() {
    let page = read("CONTRIBUTING.md");
    let shown: Vec<_> = fences(&page)
        .0
        .into_iter()
        .filter(|fence| fence.info == "json")
        .collect();
    let [case] = shown.as_slice() else {
        panic!("one case: {shown:?}");
    };
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("shown-case.json");
    std::fs::write(&file, &case.body).unwrap();
    let case = Case::read(&file).unwrap();
    let request = case.request().unwrap();
    let expectation = case.expect.first().unwrap();
    let settings = &expectation.settings;
    let cluster = std::sync::Arc::new(imagestream_import_mode_host::NoCluster);
    let evaluation = imagestream_import_mode_host::Door::evaluate(
        &*crate::support::POLICY,
        &request,
        settings,
        cluster,
    )
    .unwrap();
    let object = evaluation
        .response
        .apply(request.object().unwrap())
        .unwrap();
    assert!(evaluation.response.allowed);
    assert_eq!(expectation.modes.len(), 1);
    for (pointer, mode) in &expectation.modes {
        assert_eq!(object.pointer(pointer).unwrap(), mode.as_str());
    }
    assert_eq!(
        evaluation.response.warnings,
        Some(vec![]).filter(|list: &Vec<String>| !list.is_empty())
    );
}
