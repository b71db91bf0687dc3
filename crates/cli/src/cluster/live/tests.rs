//! Reads against an HTTP double that speaks as much of the Kubernetes API as is needed.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::thread;

use serde_json::json;

use super::*;

/// What the double answers: path, HTTP status, body, and how long it takes.
type Answer = (&'static str, u16, String, Duration);

const AT_ONCE: Duration = Duration::ZERO;

fn serve(stream: TcpStream, answers: &[Answer]) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream.try_clone()?).lines();
    while let Some(Ok(request)) = lines.next() {
        let path = request.split(' ').nth(1).unwrap_or_default();
        let path = path.split('?').next().unwrap_or_default();
        for line in lines.by_ref() {
            if line?.is_empty() {
                break;
            }
        }
        let not_found = ("", 404, "404 page not found\n".to_owned(), AT_ONCE);
        let answer = answers.iter().find(|(known, ..)| *known == path);
        let (_, status, body, delay) = answer.unwrap_or(&not_found);
        thread::sleep(*delay);
        write!(
            &stream,
            "HTTP/1.1 {status} -\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        )?;
    }
    Ok(())
}

/// A cluster behind the double.
fn cluster(patience: Duration, answers: Vec<Answer>) -> LiveCluster {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let answers = answers.clone();
            thread::spawn(move || serve(stream, &answers));
        }
    });
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let config = Config::new(format!("http://{address}").parse().unwrap());
    LiveCluster::new(runtime, config, patience).unwrap()
}

fn discovery() -> Answer {
    let resource = |name: &str, kind: &str, namespaced: bool| json!({"name": name, "singularName": "", "namespaced": namespaced, "kind": kind, "verbs": ["get"]});
    let list = json!({
        "kind": "APIResourceList", "apiVersion": "v1", "groupVersion": "config.openshift.io/v1",
        "resources": [resource("clusterversions", "ClusterVersion", false), resource("images", "Image", false)],
    });
    (
        "/apis/config.openshift.io/v1",
        200,
        list.to_string(),
        AT_ONCE,
    )
}

fn status(code: u16, reason: &str, message: &str) -> String {
    json!({
        "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
        "message": message, "reason": reason, "code": code,
    })
    .to_string()
}

fn read(kind: &str) -> Read {
    Read {
        api_version: "config.openshift.io/v1".to_owned(),
        kind: kind.to_owned(),
        name: "cluster".to_owned(),
        namespace: None,
        disable_cache: false,
        field_masks: None,
    }
}

const IMAGE: &str = "/apis/config.openshift.io/v1/images/cluster";
const PATIENT: Duration = Duration::from_secs(30);

#[test]
fn an_object_is_read_whole() {
    let image = json!({"kind": "Image", "spec": {"imageStreamImportMode": "Legacy"}, "x": null});
    let answers = vec![discovery(), (IMAGE, 200, image.to_string(), AT_ONCE)];
    let cluster = cluster(PATIENT, answers);
    assert_eq!(cluster.get_resource(&read("Image")), Ok(image.clone()));
    assert_eq!(cluster.get_resource(&read("Image")), Ok(image));
}

#[test]
fn an_absent_object_is_not_found() {
    let text = status(
        404,
        "NotFound",
        "images.config.openshift.io \"cluster\" not found",
    );
    let cluster = cluster(PATIENT, vec![discovery(), (IMAGE, 404, text, AT_ONCE)]);
    assert_eq!(
        cluster.get_resource(&read("Image")),
        Err(ClusterError::NotFound)
    );
}

#[test]
fn a_refusal_is_a_failure_with_the_servers_words() {
    let text = status(
        403,
        "Forbidden",
        "images.config.openshift.io \"cluster\" is forbidden",
    );
    let cluster = cluster(PATIENT, vec![discovery(), (IMAGE, 403, text, AT_ONCE)]);
    assert_eq!(
        cluster.get_resource(&read("Image")),
        Err(ClusterError::Failed(
            "Callback evaluation failure: images.config.openshift.io \"cluster\" is forbidden (HTTP 403)"
                .to_owned()
        ))
    );
}

#[test]
fn a_missing_group_is_a_failure_not_an_absent_object() {
    let cluster = cluster(PATIENT, Vec::new());
    assert_eq!(
        cluster.get_resource(&read("Image")),
        Err(ClusterError::Failed(
            "Callback evaluation failure: error finding resource config.openshift.io/v1 / Image: 404 page not found (HTTP 404)"
                .to_owned()
        ))
    );
}

#[test]
fn a_missing_kind_is_a_failure_not_an_absent_object() {
    let cluster = cluster(PATIENT, vec![discovery()]);
    let Err(ClusterError::Failed(text)) = cluster.get_resource(&read("Network")) else {
        panic!("a missing kind is a failure");
    };
    let start =
        "Callback evaluation failure: error finding resource config.openshift.io/v1 / Network: ";
    assert!(text.starts_with(start), "{text}");
}

#[test]
fn a_slow_server_is_waited_for_but_not_forever() {
    let object = json!({"kind": "Image"});
    let slow = |delay| vec![discovery(), (IMAGE, 200, object.to_string(), delay)];
    let patient = cluster(PATIENT, slow(Duration::from_millis(300)));
    assert_eq!(patient.get_resource(&read("Image")), Ok(object.clone()));
    let hasty = cluster(Duration::from_millis(200), slow(Duration::from_secs(20)));
    assert_eq!(
        hasty.get_resource(&read("Image")),
        Err(ClusterError::Failed(
            "Callback evaluation failure: no answer within 0.2 seconds".to_owned()
        ))
    );
}

#[test]
fn nobody_at_the_address_is_a_failure() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let config = Config::new(format!("http://{address}").parse().unwrap());
    let cluster = LiveCluster::new(runtime, config, PATIENT).unwrap();
    let Err(ClusterError::Failed(text)) = cluster.get_resource(&read("Image")) else {
        panic!("no server is a failure");
    };
    assert!(text.contains("Connection refused"), "{text}");
}
