//! `--kubeconfig` and `--context` against an API server in this process.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::thread;

use insta::assert_snapshot;
use serde_json::json;

use crate::support::{run, scratch};

/// An API server with the two objects of a Multi cluster; answers each request on its own thread.
fn api_server() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            thread::spawn(move || {
                let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
                while let Some(Ok(request)) = lines.next() {
                    while lines
                        .next()
                        .is_some_and(|line| line.is_ok_and(|line| !line.is_empty()))
                    {
                    }
                    let (code, body) = answer(request.split(' ').nth(1).unwrap_or_default());
                    let length = body.len();
                    let head = format!(
                        "HTTP/1.1 {code} -\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n"
                    );
                    if write!(&stream, "{head}{body}").is_err() {
                        break;
                    }
                }
            });
        }
    });
    format!("http://{address}")
}

fn answer(path: &str) -> (u16, String) {
    let status = |code: u16, reason: &str, message: &str| {
        let status = json!({
            "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
            "reason": reason, "message": message, "code": code,
        });
        (code, status.to_string())
    };
    let resource = |name: &str, kind: &str, namespaced: bool| json!({"name": name, "singularName": "", "namespaced": namespaced, "kind": kind, "verbs": ["get"]});
    let list = |group: &str, resources: serde_json::Value| {
        let list = json!({"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": group, "resources": resources});
        (200, list.to_string())
    };
    match path {
        "/apis/config.openshift.io/v1" => list(
            "config.openshift.io/v1",
            json!([
                resource("clusterversions", "ClusterVersion", false),
                resource("images", "Image", false)
            ]),
        ),
        "/apis/image.openshift.io/v1" => list(
            "image.openshift.io/v1",
            json!([resource("imagestreams", "ImageStream", true)]),
        ),
        "/apis/config.openshift.io/v1/clusterversions/version" => (
            200,
            json!({"kind": "ClusterVersion", "status": {"desired": {"architecture": "Multi"}}})
                .to_string(),
        ),
        "/apis/image.openshift.io/v1/namespaces/demo/imagestreams/imported" => status(
            403,
            "Forbidden",
            "imagestreams.image.openshift.io \"imported\" is forbidden: User \"x\" cannot get resource",
        ),
        _ => status(404, "NotFound", "not found"),
    }
}

fn kubeconfig(name: &str) -> String {
    let server = api_server();
    let file = scratch("live").join(name);
    let config = json!({
        "apiVersion": "v1", "kind": "Config", "current-context": "nowhere",
        "clusters": [{"name": "here", "cluster": {"server": server}}, {"name": "nowhere", "cluster": {"server": "http://127.0.0.1:1"}}],
        "users": [{"name": "me", "user": {"token": "t"}}],
        "contexts": [
            {"name": "here", "context": {"cluster": "here", "user": "me"}},
            {"name": "nowhere", "context": {"cluster": "nowhere", "user": "me"}},
        ],
    });
    std::fs::write(&file, config.to_string()).unwrap();
    file.display().to_string()
}

#[test]
fn the_cluster_is_read_live() {
    let config = kubeconfig("read");
    assert_snapshot!(run(&[
        "explain",
        "examples/reviews/oc-create.json",
        "examples/reviews/oc-import-image.json",
        "--kubeconfig",
        &config,
        "--context",
        "here",
    ]));
}

#[test]
fn a_cluster_that_does_not_answer_is_a_failed_read() {
    let config = kubeconfig("nowhere");
    for command in ["explain", "run"] {
        let args = [
            command,
            "examples/reviews/oc-tag.json",
            "examples/reviews/oc-create.json",
            "--kubeconfig",
            &config,
        ];
        let text = run(&args);
        assert!(text.starts_with("exit status 0\n"), "{text}");
        assert!(text.contains("payload-unknown"), "{text}");
        assert!(text.contains("Connection refused"), "{text}");
        // `run` says it once, whatever many requests.
        let notes = text.matches("note: cannot read config.openshift.io/v1/Image/cluster: ");
        assert_eq!(notes.count(), usize::from(command == "run"), "{text}");
    }
}

#[test]
fn an_unknown_context_is_bad_input() {
    let config = kubeconfig("context");
    let args = [
        "run",
        "examples/reviews/oc-tag.json",
        "--kubeconfig",
        &config,
        "--context",
        "there",
    ];
    assert_snapshot!(run(&args));
}
