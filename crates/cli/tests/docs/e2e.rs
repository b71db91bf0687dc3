//! What `make e2e` compares `kwctl` with: our own host's answers to the same requests and sessions.
//!
//! `DOCS=overwrite cargo test …` writes the expected answers.

use std::fs;
use std::sync::Arc;

use imagestream_import_mode_host::{Door as _, Request};
use serde_json::{Value, json};

use crate::support::{POLICY, example_cluster, files, project, read, yaml};

fn names() -> Vec<String> {
    let files = files("examples/reviews", &["json"]);
    let name = |file: String| {
        let file = file.strip_prefix("examples/reviews/").unwrap().to_owned();
        file.strip_suffix(".json").unwrap().to_owned()
    };
    files.into_iter().map(name).collect()
}

/// The questions of a session, as `kwctl` reads them: a YAML text with the kind of call as its tag.
fn questions(session: &str) -> Vec<Value> {
    let exchanges = yaml(&read(session)).remove(0);
    let question = |exchange: &Value| {
        let text = exchange["request"].as_str().unwrap();
        let body = text
            .strip_prefix("!KubernetesGetResource\n")
            .expect("the only call that is made");
        yaml(body).remove(0)
    };
    exchanges.as_array().unwrap().iter().map(question).collect()
}

#[test]
fn sessions_and_expected_answers_are_those_of_our_host() {
    let overwrite = std::env::var("DOCS").is_ok_and(|value| value == "overwrite");
    for name in names() {
        let request =
            Request::from_json(read(&format!("examples/reviews/{name}.json")).as_bytes()).unwrap();
        let evaluation = POLICY
            .evaluate(&request, &json!({}), Arc::new(example_cluster()))
            .unwrap();
        let asked: Vec<_> = evaluation
            .calls
            .reads
            .iter()
            .map(|read| {
                json!({
                    "api_version": read.api_version,
                    "kind": read.kind,
                    "name": read.name,
                    "namespace": read.namespace,
                    "disable_cache": read.disable_cache,
                    "field_masks": read.field_masks,
                })
            })
            .collect();
        assert_eq!(
            questions(&format!("tests/e2e/sessions/{name}.yml")),
            asked,
            "{name}"
        );
        let response = &evaluation.response;
        let patch = response
            .json_patch()
            .unwrap()
            .unwrap_or_else(|| "[]".to_owned());
        let answer = json!({
            "allowed": response.allowed,
            "message": response.message(),
            "patch": serde_json::from_str::<Value>(&patch).unwrap(),
            "warnings": response.warnings.clone().unwrap_or_default(),
            "auditAnnotations": response.audit_annotations.clone().unwrap_or_default(),
        });
        let file = format!("tests/e2e/expected/{name}.json");
        if overwrite {
            let text = serde_json::to_string_pretty(&answer).unwrap();
            fs::write(project(&file), format!("{text}\n")).unwrap();
        }
        let expected: Value = serde_json::from_str(&read(&file)).unwrap();
        assert_eq!(answer, expected, "{name}");
    }
}
