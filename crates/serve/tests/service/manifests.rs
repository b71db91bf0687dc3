//! The manifests of `examples/layers-service`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{CommandFactory as _, FromArgMatches as _, Parser};
use imagestream_import_mode_serve::{Config, ServeArgs};
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{Namespace, Probe, Service, ServiceAccount};
use k8s_openapi::api::rbac::v1::{ClusterRole, ClusterRoleBinding, RoleBinding};
use k8s_openapi::serde::de::DeserializeOwned;
use serde_json::Value;

use crate::double::client::{image, reviews, serve_with, stream};
use crate::double::{ApiServer, Kind};

const NAME: &str = "imagestream-layers";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/layers-service")
}

/// All documents of all files by file and kind.
fn documents() -> BTreeMap<(String, String), Value> {
    let mut documents = BTreeMap::new();
    for entry in fs::read_dir(folder()).unwrap() {
        let file = entry.unwrap().path();
        if file
            .extension()
            .is_some_and(|extension| extension == "yaml")
        {
            let text = fs::read_to_string(&file).unwrap();
            let name = file.file_name().unwrap().to_str().unwrap().to_owned();
            for document in serde_saphyr::from_multiple::<Value>(&text).unwrap() {
                let kind = document["kind"].as_str().unwrap().to_owned();
                assert!(documents.insert((name.clone(), kind), document).is_none());
            }
        }
    }
    documents
}

/// The document as its type; what the type does not know is a mistake.
fn typed<T: DeserializeOwned + serde::Serialize>(file: &str, kind: &str) -> T {
    let document = &documents()[&(file.to_owned(), kind.to_owned())];
    let typed: T = serde_json::from_value(document.clone()).unwrap();
    assert_eq!(
        serde_json::to_value(&typed).unwrap(),
        *document,
        "{file}: {kind}"
    );
    typed
}

#[test]
fn nothing_but_the_known_documents_is_there() {
    let found = documents();
    let found: Vec<(&str, &str)> = found
        .keys()
        .map(|(file, kind)| (&**file, &**kind))
        .collect();
    assert_eq!(
        found,
        [
            ("deployment.yaml", "Deployment"),
            ("namespace.yaml", "Namespace"),
            ("puller.yaml", "RoleBinding"),
            ("puller.yaml", "ServiceAccount"),
            ("rbac.yaml", "ClusterRole"),
            ("rbac.yaml", "ClusterRoleBinding"),
            ("rbac.yaml", "ServiceAccount"),
            ("service.yaml", "Service"),
        ]
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_rules_are_exactly_what_the_service_calls() {
    let api = ApiServer::start().await;
    api.state.put(Kind::Image, image("a", &[]));
    api.state
        .put(Kind::ImageStream, stream("team", "app", &["a"]));
    api.state.issue("good", "puller");
    api.state.allow("puller", "team", "app");
    let (_service, reader) = serve_with(&api, reviews(Duration::from_secs(10))).await;
    reader.until_synced().await;
    assert_eq!(reader.with("good").layers("team", "app").await.code, 200);
    api.state.put(Kind::Image, image("a", &[("layer", 1)]));
    api.state
        .put(Kind::ImageStream, stream("team", "app", &["a", "b"]));
    let reader = reader.with("good");
    reader
        .until("team", "app", |answer| answer.is_missing("b"))
        .await;

    let role: ClusterRole = typed("rbac.yaml", "ClusterRole");
    let mut granted = BTreeSet::new();
    for rule in role.rules.unwrap() {
        assert_eq!((rule.non_resource_urls, rule.resource_names), (None, None));
        for group in rule.api_groups.unwrap() {
            for resource in rule.resources.clone().unwrap() {
                for verb in &rule.verbs {
                    granted.insert((verb.clone(), group.clone(), resource.clone()));
                }
            }
        }
    }
    assert_eq!(granted, api.state.calls());
}

#[test]
fn names_fit_together() {
    let account: ServiceAccount = typed("rbac.yaml", "ServiceAccount");
    let role: ClusterRole = typed("rbac.yaml", "ClusterRole");
    let binding: ClusterRoleBinding = typed("rbac.yaml", "ClusterRoleBinding");
    let deployment: Deployment = typed("deployment.yaml", "Deployment");
    let service: Service = typed("service.yaml", "Service");
    let namespace: Namespace = typed("namespace.yaml", "Namespace");
    for metadata in [
        &account.metadata,
        &role.metadata,
        &binding.metadata,
        &deployment.metadata,
        &service.metadata,
        &namespace.metadata,
    ] {
        assert_eq!(metadata.name.as_deref(), Some(NAME));
    }
    for metadata in [&account.metadata, &deployment.metadata, &service.metadata] {
        assert_eq!(metadata.namespace.as_deref(), Some(NAME));
    }
    assert_eq!(binding.role_ref.name, NAME);
    assert_eq!(binding.role_ref.kind, "ClusterRole");
    let subject = &binding.subjects.unwrap()[0];
    assert_eq!(
        (subject.kind.as_str(), subject.name.as_str()),
        ("ServiceAccount", NAME)
    );
    assert_eq!(subject.namespace.as_deref(), Some(NAME));

    let spec = deployment.spec.unwrap();
    let labels = spec.template.metadata.unwrap().labels;
    assert_eq!(spec.selector.match_labels, labels);
    let service_spec = service.spec.unwrap();
    assert_eq!(service_spec.selector, labels);
    let pod = spec.template.spec.unwrap();
    assert_eq!(pod.service_account_name.as_deref(), Some(NAME));
    let secret = &service.metadata.annotations.unwrap()["service.beta.openshift.io/serving-cert-secret-name"];
    let volume = pod.volumes.as_ref().unwrap()[0].secret.as_ref().unwrap();
    assert_eq!(volume.secret_name.as_ref(), Some(secret));

    let puller: RoleBinding = typed("puller.yaml", "RoleBinding");
    let reader: ServiceAccount = typed("puller.yaml", "ServiceAccount");
    assert_eq!(
        puller.subjects.unwrap()[0].name,
        reader.metadata.name.unwrap()
    );
    assert_eq!(puller.role_ref.name, "system:image-puller");
}

#[derive(Parser)]
struct Serve {
    #[command(flatten)]
    args: ServeArgs,
}

/// What the command line makes of the variables of the deployment.
fn configuration(variables: &BTreeMap<String, String>) -> Config {
    let mut arguments = vec!["serve".to_owned()];
    for argument in Serve::command().get_arguments() {
        let variable = argument.get_env().and_then(|name| name.to_str());
        if let Some(value) = variable.and_then(|name| variables.get(name)) {
            arguments.push(format!("--{}={value}", argument.get_long().unwrap()));
        }
    }
    assert_eq!(
        arguments.len(),
        variables.len() + 1,
        "a variable that `serve` does not know"
    );
    let matches = Serve::command().get_matches_from(arguments);
    Config::from_args(&Serve::from_arg_matches(&matches).unwrap().args).unwrap()
}

#[test]
fn the_deployment_runs_what_the_service_understands() {
    let deployment: Deployment = typed("deployment.yaml", "Deployment");
    let pod = deployment.spec.unwrap().template.spec.unwrap();
    let container = &pod.containers[0];
    assert_eq!(container.args.as_deref(), Some(&["serve".to_owned()][..]));
    let variables = container.env.as_ref().unwrap().iter();
    let variables = variables
        .map(|variable| (variable.name.clone(), variable.value.clone().unwrap()))
        .collect();
    let config = configuration(&variables);
    let port = &container.ports.as_ref().unwrap()[0];
    assert_eq!(i32::from(config.listen.port()), port.container_port);
    assert!(config.listen.ip().is_unspecified());
    let mount = &container.volume_mounts.as_ref().unwrap()[0];
    let tls = config.tls.unwrap();
    assert_eq!(
        tls.certificate,
        Path::new(&mount.mount_path).join("tls.crt")
    );
    assert_eq!(tls.key, Path::new(&mount.mount_path).join("tls.key"));
    let ending = config.shutdown_delay + config.drain;
    let grace = Duration::from_secs(pod.termination_grace_period_seconds.unwrap() as u64);
    assert!(ending < grace, "{ending:?} of {grace:?}");

    let path = |probe: &Option<Probe>| {
        let get = probe.as_ref().unwrap().http_get.as_ref().unwrap();
        assert_eq!(get.scheme.as_deref(), Some("HTTPS"));
        get.path.clone().unwrap()
    };
    assert_eq!(path(&container.readiness_probe), "/readyz");
    assert_eq!(path(&container.liveness_probe), "/healthz");
}

#[test]
fn the_container_runs_the_tool_as_nobody() {
    let text = fs::read_to_string(folder().join("Containerfile")).unwrap();
    let toolchain = fs::read_to_string(folder().join("../../rust-toolchain.toml")).unwrap();
    let channel = toolchain.split('"').nth(1).unwrap();
    for line in [
        &format!("FROM docker.io/library/rust:{channel}-slim-trixie AS build"),
        "RUN cargo build --locked --profile native --package imagestream-import-mode-cli",
        "USER 65532:65532",
        "EXPOSE 8443",
        r#"ENTRYPOINT ["/usr/local/bin/imagestream-import-mode"]"#,
        r#"CMD ["serve"]"#,
    ] {
        assert!(text.lines().any(|found| found == line), "{line}");
    }
}
