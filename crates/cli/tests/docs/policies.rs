//! The policies agree with the metadata, with each other, and with the code.

use std::collections::BTreeSet;

use imagestream_import_mode::cluster::{CLUSTER_VERSION, IMAGE_CONFIG, image_stream};
use serde_json::json;

use crate::manifests::{AUDIT_FILE, POLICY_FILE, SETTINGS_ONLY};
use crate::support::{read, yaml, yaml_file};

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
