//! The policies decide captured requests, and the audit's sample is the module's own answer.

use std::sync::Arc;

use imagestream_import_mode_host::{Cluster, Door as _, Evaluation, NoCluster, Request};
use serde_json::{Value, json};

use crate::manifests::{AUDIT_FILE, POLICY_FILE, Report, SETTINGS_ONLY, round_trip};
use crate::support::{POLICY, example_cluster, files, read, yaml, yaml_file};

fn reviews() -> Vec<(String, Request)> {
    let files = files("tests/data/captured/reviews", &["json"]);
    let read = |file: String| {
        let request = Request::from_json(read(&file).as_bytes()).unwrap();
        (file, request)
    };
    files.into_iter().map(read).collect()
}

/// Whether the API server would send the request to a policy with these rules.
fn matches(spec: &Value, file: &str) -> bool {
    let review: Value = serde_json::from_str(&read(file)).unwrap();
    let request = &review["request"];
    let subresource = request
        .get("subResource")
        .and_then(Value::as_str)
        .unwrap_or_default();
    spec["rules"].as_array().unwrap().iter().any(|rule| {
        let has = |list: &str, value: &Value| rule[list].as_array().unwrap().contains(value);
        has("apiGroups", &request["resource"]["group"])
            && has("apiVersions", &request["resource"]["version"])
            && has("resources", &request["resource"]["resource"])
            && has("operations", &request["operation"])
            && subresource.is_empty()
    })
}

fn evaluate(spec: &Value, request: &Request, cluster: Arc<dyn Cluster>) -> Evaluation {
    let settings = spec.get("settings").cloned().unwrap_or(json!({}));
    POLICY.evaluate(request, &settings, cluster).unwrap()
}

/// How many captured requests reach a policy, are changed by it, and are refused by it.
fn tally(file: &str, cluster: &Arc<dyn Cluster>) -> (usize, usize, usize) {
    let spec = &yaml_file(file)["spec"];
    let (mut reached, mut changed, mut refused) = (0, 0, 0);
    for (name, request) in reviews() {
        if !matches(spec, &name) {
            continue;
        }
        reached += 1;
        let evaluation = evaluate(spec, &request, Arc::clone(cluster));
        changed += usize::from(evaluation.response.patch.is_some());
        refused += usize::from(!evaluation.response.allowed);
        if spec.get("contextAwareResources").is_none() {
            assert!(
                evaluation.calls.reads.is_empty(),
                "{file} reads the cluster for {name}"
            );
        }
    }
    (reached, changed, refused)
}

#[test]
fn the_manifests_decide_captured_requests() {
    let multi: Arc<dyn Cluster> = Arc::new(example_cluster());
    let none: Arc<dyn Cluster> = Arc::new(NoCluster);
    let (reached, changed, refused) = tally(POLICY_FILE, &multi);
    assert!(
        reached > 60 && changed > 20,
        "{reached} reached, {changed} changed"
    );
    assert_eq!(refused, 0);
    for file in SETTINGS_ONLY {
        let (same, by_settings, refused) = tally(file, &none);
        assert_eq!((same, refused), (reached, 0), "{file}");
        assert!(by_settings > 20, "{file} changed {by_settings}");
    }
    let (reached, changed, refused) = tally(AUDIT_FILE, &multi);
    assert_eq!(changed, 0);
    assert!(
        reached > 10 && refused > 5,
        "{reached} reached, {refused} refused"
    );
}

/// The sample in the roll-out guide is the module's own answer to an audit of the example's stream.
#[test]
fn the_sample_report_says_what_the_module_says() {
    let stream: Value =
        serde_json::from_str(&read("examples/cluster/imagestream-imported.json")).unwrap();
    // As the audit scanner asks: the kind in place of the plural, and nobody asks.
    let request = json!({
        "uid": stream["metadata"]["uid"],
        "kind": {"group": "image.openshift.io", "version": "v1", "kind": "ImageStream"},
        "resource": {"group": "image.openshift.io", "version": "v1", "resource": "ImageStream"},
        "name": stream["metadata"]["name"],
        "namespace": stream["metadata"]["namespace"],
        "operation": "CREATE",
        "userInfo": {},
        "object": stream,
        "oldObject": null,
    });
    let request = Request::from_json(request.to_string().as_bytes()).unwrap();
    let audit = yaml_file(AUDIT_FILE);
    let evaluation = evaluate(&audit["spec"], &request, Arc::new(example_cluster()));
    assert!(!evaluation.response.allowed);
    let message = evaluation.response.message().unwrap();
    let page = read("docs/roll-out.md");
    let shown = crate::support::fences(&page).0;
    let reports: Vec<_> = shown
        .iter()
        .filter(|fence| fence.body.contains("kind: Report\n"))
        .collect();
    assert_eq!(reports.len(), 1);
    let report: Report = round_trip("docs/roll-out.md", &yaml(&reports[0].body)[0]);
    let result = &report.results[0];
    assert_eq!(result.message, message);
    assert_eq!(
        result.policy,
        format!(
            "clusterwide-{}",
            audit["metadata"]["name"].as_str().unwrap()
        )
    );
    assert_eq!(
        report.scope.name.unwrap(),
        stream["metadata"]["name"].as_str().unwrap()
    );
}
