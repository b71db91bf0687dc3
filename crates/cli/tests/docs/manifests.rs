//! The manifests: read with Kubewarden's own types and nothing lost, within its limits, taken by the
//! module, and decided with as the documentation says.

use std::collections::BTreeSet;
use std::sync::Arc;

use imagestream_import_mode::cluster::{CLUSTER_VERSION, IMAGE_CONFIG, image_stream};
use imagestream_import_mode_host::{Cluster, Door as _, Evaluation, NoCluster, Request};
use imagestream_import_mode_manifests::{AdmissionPolicy, ClusterAdmissionPolicy, PolicyServer};
use k8s_openapi::api::core::v1::ServiceAccount;
use k8s_openapi::api::networking::v1::NetworkPolicy;
use k8s_openapi::api::rbac::v1::{ClusterRole, ClusterRoleBinding};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::support::{POLICY, example_cluster, files, project, read, yaml, yaml_file};

const POLICY_FILE: &str = "examples/openshift/policy/policy.yaml";
const AUDIT_FILE: &str = "examples/openshift/audit/policy.yaml";
const SETTINGS_ONLY: [&str; 2] = [
    "examples/openshift/without-cluster-access/cluster-policy.yaml",
    "examples/openshift/without-cluster-access/namespaced-policy.yaml",
];

/// A Kustomization, as far as ours go.
#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Kustomization {
    api_version: String,
    kind: String,
    resources: Vec<String>,
    #[serde(default)]
    patches: Vec<Patch>,
}

/// One patch.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Patch {
    target: Target,
    patch: String,
}

/// What a patch is for.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Target {
    kind: String,
    name: String,
}

/// A report of Kubewarden's audit scanner (openreports.io), as far as the sample shows it.
#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Report {
    api_version: String,
    kind: String,
    metadata: k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta,
    scope: k8s_openapi::api::core::v1::ObjectReference,
    summary: std::collections::BTreeMap<String, u32>,
    results: Vec<ReportResult>,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ReportResult {
    source: String,
    policy: String,
    category: String,
    severity: String,
    result: String,
    scored: bool,
    message: String,
    properties: std::collections::BTreeMap<String, String>,
}

/// Reads a document of `place` as a `T`, and nothing of it is lost.
fn round_trip<T: DeserializeOwned + Serialize>(place: &str, document: &Value) -> T {
    imagestream_import_mode_manifests::round_trip(document)
        .unwrap_or_else(|error| panic!("{place}: {error}"))
}

/// Checks one manifest, whatever its kind.
pub fn check_manifest(place: &str, document: &Value) {
    match document["kind"].as_str().unwrap() {
        "ClusterAdmissionPolicy" => {
            round_trip::<ClusterAdmissionPolicy>(place, document);
            check_policy(place, document);
        }
        "AdmissionPolicy" => {
            round_trip::<AdmissionPolicy>(place, document);
            check_policy(place, document);
        }
        "PolicyServer" => {
            let server: PolicyServer = round_trip(place, document);
            assert_eq!(server.api_version, "policies.kubewarden.io/v1", "{place}");
            assert!(
                server.spec.replicas > 1,
                "{place}: a drained node must not stop it"
            );
        }
        "ClusterRole" => {
            round_trip::<ClusterRole>(place, document);
        }
        "ClusterRoleBinding" => {
            round_trip::<ClusterRoleBinding>(place, document);
        }
        "ServiceAccount" => {
            round_trip::<ServiceAccount>(place, document);
        }
        "NetworkPolicy" => {
            round_trip::<NetworkPolicy>(place, document);
        }
        "Kustomization" => {
            round_trip::<Kustomization>(place, document);
        }
        "Report" => {
            round_trip::<Report>(place, document);
        }
        "ImageStream" => {
            let tags = document["spec"]["tags"].as_array().unwrap();
            assert!(
                tags.iter().all(|tag| tag["from"]["name"].is_string()),
                "{place}"
            );
        }
        kind => panic!("{place}: no check for {kind}"),
    }
}

/// Settings must be taken by the module.
pub fn check_settings(place: &str, settings: &Value) {
    let validation = POLICY.validate_settings(settings.to_string().as_bytes());
    assert!(validation.valid, "{place}: {:?}", validation.message);
}

/// What Kubewarden refuses or drops without its types saying so.
fn check_policy(place: &str, document: &Value) {
    let spec = &document["spec"];
    let seconds = |key: &str| spec.get(key).map(|value| value.as_u64().unwrap());
    let timeout = seconds("timeoutSeconds").unwrap_or_else(|| panic!("{place}: no timeoutSeconds"));
    assert!((2..=30).contains(&timeout), "{place}: {timeout}");
    if let Some(evaluation) = seconds("timeoutEvalSeconds") {
        assert!((2..=timeout).contains(&evaluation), "{place}: {evaluation}");
    }
    assert!(
        timeout < 13,
        "{place}: openshift-apiserver allows 13 seconds for all webhooks"
    );
    assert_eq!(spec["failurePolicy"], "Ignore", "{place}");
    for selector in ["namespaceSelector", "objectSelector"] {
        let labels = spec.pointer(&format!("/{selector}/matchLabels"));
        assert_eq!(labels, None, "{place}: the controller drops matchLabels");
    }
    assert_eq!(spec["module"], module_address(), "{place}");
    check_settings(place, spec.get("settings").unwrap_or(&json!({})));
}

/// Where the metadata says that this version is published.
fn module_address() -> String {
    let metadata = yaml_file("policy-metadata.yml");
    let address = metadata["annotations"]["io.kubewarden.policy.ociUrl"]
        .as_str()
        .unwrap();
    format!("registry://{address}:v{}", env!("CARGO_PKG_VERSION"))
}

#[test]
fn every_manifest_survives_kubewardens_types() {
    let mut kinds = BTreeSet::new();
    for file in files("examples/openshift", &["yaml"]) {
        for document in yaml(&read(&file)) {
            check_manifest(&file, &document);
            kinds.insert(document["kind"].as_str().unwrap().to_owned());
        }
    }
    let expected = [
        "AdmissionPolicy",
        "ClusterAdmissionPolicy",
        "ClusterRole",
        "ClusterRoleBinding",
        "Kustomization",
        "PolicyServer",
        "ServiceAccount",
    ];
    assert_eq!(kinds, expected.map(str::to_owned).into());
}

#[test]
fn what_is_lost_or_misspelt_is_found() {
    let mut policy = yaml_file(POLICY_FILE);
    policy["metadata"]["lables"] = json!({});
    let refused =
        std::panic::catch_unwind(|| round_trip::<ClusterAdmissionPolicy>("typo", &policy));
    assert!(refused.is_err(), "a key that is lost");
    let mut policy = yaml_file(POLICY_FILE);
    policy["spec"]["timeoutSeconds"] = json!(31);
    let refused = std::panic::catch_unwind(|| check_policy("timeout", &policy));
    assert!(refused.is_err(), "a timeout out of range");
}

#[test]
fn the_policies_agree_with_the_metadata() {
    let policy = yaml_file(POLICY_FILE);
    let metadata = yaml_file("policy-metadata.yml");
    let spec = &policy["spec"];
    for key in [
        "rules",
        "mutating",
        "backgroundAudit",
        "contextAwareResources",
    ] {
        assert_eq!(
            spec[key], metadata[key],
            "{key} differs from policy-metadata.yml"
        );
    }
    assert_eq!(
        (&spec["mode"], &spec["timeoutSeconds"]),
        (&json!("protect"), &json!(5))
    );
    for file in SETTINGS_ONLY {
        let variant = yaml_file(file);
        let spec = &variant["spec"];
        assert_eq!(spec["rules"], metadata["rules"], "{file}");
        assert_eq!(
            (&spec["mutating"], &spec["backgroundAudit"]),
            (&json!(true), &json!(false)),
            "{file}"
        );
        assert_eq!(spec.get("contextAwareResources"), None, "{file}");
        assert_eq!(
            spec["settings"],
            json!({"clusterContext": false, "payloadArchitecture": "Multi"}),
            "{file}"
        );
    }
    let audit = &yaml_file(AUDIT_FILE)["spec"];
    assert_eq!(
        (&audit["mutating"], &audit["backgroundAudit"]),
        (&json!(false), &json!(true))
    );
    assert_eq!(
        (&audit["mode"], &audit["settings"]["action"]),
        (&json!("monitor"), &json!("Report"))
    );
    assert_eq!(
        audit["contextAwareResources"],
        metadata["contextAwareResources"]
    );
    let resources: Vec<_> = audit["rules"]
        .as_array()
        .unwrap()
        .iter()
        .map(|rule| &rule["resources"])
        .collect();
    assert_eq!(resources, [&json!(["imagestreams"])]);
}

#[test]
fn platform_namespaces_are_left_out_everywhere_alike() {
    let policy = yaml_file(POLICY_FILE);
    let selector = &policy["spec"]["namespaceSelector"];
    let left_out = selector["matchExpressions"][0]["values"]
        .as_array()
        .unwrap();
    assert!(left_out.contains(&json!("openshift")) && left_out.contains(&json!("kube-system")));
    for file in [AUDIT_FILE, SETTINGS_ONLY[0]] {
        assert_eq!(
            &yaml_file(file)["spec"]["namespaceSelector"],
            selector,
            "{file}"
        );
    }
    let label = &policy["spec"]["objectSelector"];
    for file in [AUDIT_FILE, SETTINGS_ONLY[0], SETTINGS_ONLY[1]] {
        assert_eq!(&yaml_file(file)["spec"]["objectSelector"], label, "{file}");
    }
    let key = label["matchExpressions"][0]["key"].as_str().unwrap();
    assert!(
        read("docs/opt-outs.md").contains(key),
        "docs/opt-outs.md does not name {key}"
    );
}

/// The rights are the reads of the code, no more.
#[test]
fn the_role_grants_what_the_policy_reads() {
    let documents = yaml(&read("examples/openshift/policy/rbac.yaml"));
    let mut granted = BTreeSet::new();
    for rule in documents[0]["rules"].as_array().unwrap() {
        assert_eq!(rule["verbs"], json!(["get"]));
        let names = rule.get("resourceNames").cloned().unwrap_or(json!([""]));
        for name in names.as_array().unwrap() {
            for resource in rule["resources"].as_array().unwrap() {
                let group = rule["apiGroups"][0].as_str().unwrap().to_owned();
                granted.insert((
                    group,
                    resource.as_str().unwrap().to_owned(),
                    name.as_str().unwrap().to_owned(),
                ));
            }
        }
    }
    let stream = image_stream("any", "any");
    let reads = [
        (CLUSTER_VERSION, "version"),
        (IMAGE_CONFIG, "cluster"),
        (stream, ""),
    ];
    let expected = reads.map(|(read, name)| {
        let group = read.api_version.split('/').next().unwrap().to_owned();
        (
            group,
            format!("{}s", read.kind.to_lowercase()),
            name.to_owned(),
        )
    });
    assert_eq!(granted, expected.into());
    let role = &documents[0]["metadata"]["name"];
    assert_eq!(&documents[1]["roleRef"]["name"], role);
}

#[test]
fn kustomizations_name_files_that_exist() {
    for file in files("examples/openshift", &["yaml"])
        .iter()
        .filter(|file| file.ends_with("/kustomization.yaml"))
    {
        let folder = project(file.strip_suffix("kustomization.yaml").unwrap());
        let kustomization: Kustomization = round_trip(file, &yaml_file(file));
        for resource in &kustomization.resources {
            let path = folder.join(resource);
            let is_kustomization = path.join("kustomization.yaml").is_file();
            assert!(path.is_file() || is_kustomization, "{file}: {resource}");
            // kustomize refuses a root inside which it already is.
            assert!(
                !folder
                    .canonicalize()
                    .unwrap()
                    .starts_with(path.canonicalize().unwrap()),
                "{file}: {resource}"
            );
        }
        for patch in &kustomization.patches {
            assert!(!yaml(&patch.patch).is_empty(), "{file}");
        }
    }
}

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
