//! What is answered instead of layers.

use std::sync::atomic::Ordering;

use serde_json::json;

use crate::captured::status;
use crate::double::client::{config, path, serve, stream};
use crate::double::{ApiServer, Kind};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn before_the_first_lists_the_recorded_500_asks_to_come_again() {
    let api = ApiServer::start().await;
    api.state.put(Kind::ImageStream, stream("team", "app", &[]));
    api.state.switches.page_delay.store(500, Ordering::Relaxed);
    let (_service, reader) = serve(&api, config()).await;
    // An unknown stream too: nobody can know yet.
    for name in ["app", "unknown"] {
        let answer = reader.layers("team", name).await;
        assert_eq!(answer.code, 500);
        assert_eq!(answer.text, status("layers-not-synced"));
        assert_eq!(answer.headers["retry-after"], "2");
        assert_eq!(answer.headers["cache-control"], "no-store");
        assert_eq!(answer.headers["content-type"], "application/json");
    }
    let ready = reader.get("/readyz").await;
    assert_eq!(ready.code, 503);
    assert_eq!(
        ready.text,
        "waiting for the first list of images, imagestreams\n"
    );
    assert_eq!(reader.get("/healthz").await.text, "ok\n");
    reader
        .until("team", "app", |answer| answer.code == 200)
        .await;
    assert_eq!(reader.get("/readyz").await.text, "ok\n");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unknown_stream_is_the_recorded_404() {
    let api = ApiServer::start().await;
    api.state.put(Kind::ImageStream, stream("team", "app", &[]));
    let (_service, reader) = serve(&api, config()).await;
    reader.until_synced().await;
    let answer = reader.layers("team", "unknown").await;
    assert_eq!((answer.code, answer.text), (404, status("layers-unknown")));
    assert!(!answer.headers.contains_key("retry-after"));
    for (namespace, name, told) in [
        ("other", "app", "app"),
        ("team", "app%2f", "app/"),
        ("team", "%2fapp", "/app"),
        ("team%2fapp", "x", "x"),
        ("team", "app%00", "app\0"),
        ("team", "%22", "\""),
    ] {
        let answer = reader.layers(namespace, name).await;
        assert_eq!(answer.code, 404);
        assert_eq!(
            answer.json()["message"],
            format!("imagestreams.image.openshift.io \"{told}\" not found")
        );
    }
    assert_eq!(reader.layers("team", "ap%70").await.code, 200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn other_paths_and_methods_are_statuses_too() {
    let api = ApiServer::start().await;
    let (_service, reader) = serve(&api, config()).await;
    let no_resource = json!({
        "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
        "message": "the server could not find the requested resource", "reason": "NotFound", "code": 404
    });
    for unknown in [
        "/",
        "/apis/image.openshift.io/v1/images",
        "/apis/image.openshift.io/v1/namespaces/team/imagestreams/app",
        "/apis/image.openshift.io/v1/namespaces/team/imagestreams/%ff/layers",
        "/apis/image.openshift.io/v1/namespaces//imagestreams/app/layers",
    ] {
        let answer = reader.get(unknown).await;
        assert_eq!(
            (answer.code, answer.json()),
            (404, no_resource.clone()),
            "{unknown}"
        );
    }
    for method in ["POST", "PUT", "PATCH", "DELETE"] {
        let answer = reader.send(method, &path("team", "app")).await.unwrap();
        assert_eq!(answer.code, 405, "{method}");
        assert_eq!(answer.json()["reason"], "MethodNotAllowed");
    }
}
