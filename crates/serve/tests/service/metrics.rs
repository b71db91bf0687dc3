//! What Prometheus sees.

use std::collections::BTreeSet;
use std::time::Duration;

use crate::double::client::{image, reviews, serve_with, stream};
use crate::double::{ApiServer, Kind};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_metric_is_told_with_its_meaning() {
    let api = ApiServer::start().await;
    let mut bad = image("b", &[]);
    bad["dockerImageMetadata"]["Id"] = "".into();
    api.state.put(Kind::Image, image("a", &[("layer", 1)]));
    api.state.put(Kind::Image, bad);
    api.state
        .put(Kind::ImageStream, stream("team", "app", &["a"]));
    api.state.issue("good", "puller");
    api.state.allow("puller", "team", "*");
    let (_service, reader) = serve_with(&api, reviews(Duration::from_secs(60))).await;
    let reader = reader.with("good");
    let before = reader.get("/metrics").await;
    assert_eq!(
        before.headers["content-type"],
        "application/openmetrics-text; version=1.0.0; charset=utf-8"
    );
    reader.until_synced().await;
    for _ in 0..3 {
        assert_eq!(reader.layers("team", "app").await.code, 200);
    }
    reader.layers("team", "unknown").await;
    api.state.cut_watches();
    while !reader.get("/metrics").await.text.contains("Broken") {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    for (name, expected) in [
        ("images", 2.0),
        ("streams", 1.0),
        ("image_problems", 1.0),
        ("cached_answers_total", 2.0),
        ("answer_build_seconds_count", 1.0),
        (r#"request_seconds_count{code="200"}"#, 3.0),
        (r#"request_seconds_count{code="404"}"#, 1.0),
        (r#"reviews_total{review="token",outcome="known"}"#, 1.0),
        (r#"reviews_total{review="access",outcome="allowed"}"#, 2.0),
        (
            r#"watch_restarts_total{resource="images",reason="Broken"}"#,
            1.0,
        ),
        (r#"lists_total{resource="images"}"#, 1.0),
        (r#"lists_total{resource="imagestreams"}"#, 1.0),
        (r#"failed_lists_total{resource="images"}"#, 0.0),
        (r#"unusable_objects_total{resource="images"}"#, 0.0),
    ] {
        assert_eq!(
            reader.metric(&format!("imagestream_layers_{name}")).await,
            expected,
            "{name}"
        );
    }
    for resource in ["images", "imagestreams"] {
        let lag = format!(r#"imagestream_layers_lag_seconds{{resource="{resource}"}}"#);
        assert!((0.0..10.0).contains(&reader.metric(&lag).await));
    }
    let text = reader.get("/metrics").await.text;
    let names: BTreeSet<&str> = text
        .lines()
        .filter_map(|line| {
            line.strip_prefix("# HELP imagestream_layers_")?
                .split(' ')
                .next()
        })
        .collect();
    let documented = include_str!("../../../../docs/serve.md");
    for name in &names {
        let name = format!("`imagestream_layers_{name}");
        assert!(documented.contains(&name), "{name} is not in docs/serve.md");
    }
    assert_eq!(names.len(), 12, "{names:?}");
}
