//! The `AdmissionReview`s of a real API server, on a cluster of many architectures.

use std::path::PathBuf;
use std::sync::Arc;

use imagestream_import_mode_host::{
    Cluster, Door, Evaluation, NoCluster, Request, ScriptedCluster,
};
use serde_json::{Value, json};

use crate::support::{ACCEPTS_EVERYTHING, POLICY, project};

fn reviews() -> Vec<(String, Request)> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(project("tests/data/captured/reviews"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    let review = |path: PathBuf| {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let request = Request::from_json(&std::fs::read(path).unwrap());
        let request = request.unwrap_or_else(|error| panic!("{name}: {error}"));
        (name, request)
    };
    paths.into_iter().map(review).collect()
}

fn multi_cluster() -> Arc<dyn Cluster> {
    let mut cluster = ScriptedCluster::default();
    for file in [
        "clusterversion-multi-spec-unset",
        "image-config-multi-spec-unset",
    ] {
        let path = format!("tests/data/captured/cluster-state/{file}.json");
        cluster.add_path(&project(&path)).unwrap();
    }
    Arc::new(cluster)
}

fn evaluate(door: &dyn Door, request: &Request) -> Evaluation {
    door.evaluate(request, &json!({}), multi_cluster()).unwrap()
}

/// The object with every mode blanked, to compare the rest.
fn without_modes(mut object: Value) -> Value {
    fn blank(value: &mut Value) {
        match value {
            Value::Object(fields) => {
                fields.remove("importMode");
                fields.values_mut().for_each(blank);
            }
            Value::Array(items) => items.iter_mut().for_each(blank),
            _ => {}
        }
    }
    blank(&mut object);
    object
}

#[test]
fn every_review_is_allowed_and_at_most_its_modes_change() {
    let mut changed = 0;
    for (name, request) in reviews() {
        let response = evaluate(&*POLICY, &request).response;
        assert!(response.allowed, "{name}: {:?}", response.message());
        assert_eq!(response.uid, request.uid(), "{name}");
        let Some(object) = request.object() else {
            assert_eq!(response.patch, None, "{name}");
            continue;
        };
        let result = response.apply(object).unwrap();
        assert_eq!(
            without_modes(result.clone()),
            without_modes(object.clone()),
            "{name}"
        );
        changed += usize::from(response.patch.is_some());
        let again = evaluate(&*POLICY, &request.with_object(result)).response;
        assert_eq!((again.allowed, again.patch), (true, None), "{name}");
    }
    assert!(changed > 20, "only {changed} reviews were changed");
}

#[test]
fn a_module_that_accepts_everything_changes_no_review() {
    for (name, request) in reviews() {
        let evaluation = evaluate(&*ACCEPTS_EVERYTHING, &request);
        let response = evaluation.response;
        assert_eq!((response.allowed, response.patch), (true, None), "{name}");
        assert_eq!(response.warnings, None, "{name}");
        assert!(evaluation.calls.reads.is_empty(), "{name}");
    }
}

#[test]
fn without_a_cluster_people_are_told_and_nothing_changes() {
    let path =
        project("tests/data/captured/reviews/imagestream-create-oc-create-f-mode-absent.json");
    let request = Request::from_json(&std::fs::read(path).unwrap()).unwrap();
    let evaluation = POLICY
        .evaluate(&request, &json!({}), Arc::new(NoCluster))
        .unwrap();
    let response = evaluation.response;
    assert_eq!((response.allowed, response.patch), (true, None));
    let warnings = response.warnings.unwrap();
    assert!(warnings[0].starts_with("payload-unknown: "), "{warnings:?}");
    let [log] = evaluation.calls.log.as_slice() else {
        panic!("one log line: {:?}", evaluation.calls.log);
    };
    assert!(
        log.contains("kube::Client was not initialized properly"),
        "{log}"
    );
}
