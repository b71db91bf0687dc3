//! Watches: what changes, and what becomes of a watch.

use std::sync::atomic::Ordering;
use std::time::Duration;

use serde_json::json;

use crate::double::client::{Reader, config, image, serve, stream};
use crate::double::{ApiServer, Kind};
use imagestream_import_mode_serve::Service;

/// A stream of the images `a` and `b`, of which only `a` exists.
async fn started() -> (ApiServer, Service, Reader) {
    let api = ApiServer::start().await;
    api.state.put(Kind::Image, image("a", &[("layer-a", 1)]));
    api.state
        .put(Kind::ImageStream, stream("team", "app", &["a", "b"]));
    let (service, reader) = serve(&api, config()).await;
    reader.until_synced().await;
    (api, service, reader)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_image_that_comes_late_replaces_the_missing_one_children_included() {
    let (api, _service, reader) = started().await;
    let answer = reader.layers("team", "app").await.json();
    let missing = json!({"imageMissing": true, "layers": null, "config": null});
    assert_eq!(answer["images"]["b"], missing);
    assert_eq!(answer["blobs"].get("b"), None);

    let mut list = image("b", &[]);
    list["dockerImageMetadata"] = json!({});
    list["dockerImageManifestMediaType"] = "application/vnd.oci.image.index.v1+json".into();
    list["dockerImageManifests"] =
        json!([{"digest": "child", "os": "linux", "architecture": "arm64"}]);
    api.state.put(Kind::Image, list);
    let answer = reader
        .until("team", "app", |answer| answer.has("b"))
        .await
        .json();
    assert_eq!(answer["images"]["b"]["manifests"], json!(["child"]));
    assert_eq!(answer["images"]["child"], missing);

    api.state
        .put(Kind::Image, image("child", &[("layer-c", 7)]));
    let answer = reader
        .until("team", "app", |answer| answer.has("child"))
        .await
        .json();
    assert_eq!(answer["images"]["child"]["layers"], json!(["layer-c"]));
    assert_eq!(answer["blobs"]["layer-c"]["size"], 7);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_kind_of_event_is_followed() {
    let (api, _service, reader) = started().await;
    // ADDED and MODIFIED.
    api.state.put(Kind::Image, image("b", &[("layer-b", 1)]));
    reader.until("team", "app", |answer| answer.has("b")).await;
    api.state.put(Kind::Image, image("b", &[("layer-b2", 2)]));
    reader
        .until("team", "app", |answer| {
            answer.json()["images"]["b"]["layers"] == json!(["layer-b2"])
        })
        .await;
    api.state
        .put(Kind::ImageStream, stream("team", "app", &["b"]));
    reader
        .until("team", "app", |answer| {
            answer.json()["images"].get("a").is_none()
        })
        .await;
    api.state
        .put(Kind::ImageStream, stream("team", "other", &["a"]));
    reader
        .until("team", "other", |answer| answer.code == 200)
        .await;
    // DELETED.
    api.state.delete(Kind::Image, "b");
    reader
        .until("team", "app", |answer| answer.is_missing("b"))
        .await;
    api.state.delete(Kind::ImageStream, "team/app");
    reader
        .until("team", "app", |answer| answer.code == 404)
        .await;
    // All of it without another list.
    assert_eq!(api.state.counters.lists.load(Ordering::Relaxed), 2);
    assert_eq!(api.state.counters.watches.load(Ordering::Relaxed), 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_is_built_again_only_for_what_is_in_it() {
    let (api, _service, reader) = started().await;
    let built = "imagestream_layers_answer_build_seconds_count";
    let ask = async || {
        let answer = reader.layers("team", "app").await;
        assert_eq!(answer.code, 200);
        reader.metric(built).await
    };
    assert_eq!(ask().await, 1.0);
    // A stranger, and the lists all over again.
    api.state.put(Kind::Image, image("stranger", &[("x", 1)]));
    api.state
        .put(Kind::ImageStream, stream("team", "other", &["stranger"]));
    reader
        .until("team", "other", |answer| {
            answer.code == 200 && answer.has("stranger")
        })
        .await;
    let before = reader.metric(built).await;
    assert_eq!(ask().await, before);
    api.state.forget_history();
    api.state.cut_watches();
    while api.state.counters.lists.load(Ordering::Relaxed) < 4 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    api.state
        .put(Kind::ImageStream, stream("team", "last", &[]));
    reader
        .until("team", "last", |answer| answer.code == 200)
        .await;
    let before = reader.metric(built).await;
    assert_eq!(ask().await, before);

    api.state.put(Kind::Image, image("b", &[]));
    reader.until("team", "app", |answer| answer.has("b")).await;
    assert_eq!(reader.metric(built).await, before + 1.0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_watch_that_tells_nothing_is_followed_by_another() {
    let api = ApiServer::start().await;
    api.state
        .put(Kind::ImageStream, stream("team", "app", &["a"]));
    let mut config = config();
    config.feed.silence = Duration::from_millis(300);
    let (_service, reader) = serve(&api, config).await;
    reader.until_synced().await;
    api.state.mute_watches();
    api.state.put(Kind::Image, image("a", &[]));
    reader.until("team", "app", |answer| answer.has("a")).await;
    assert_eq!(api.state.counters.lists.load(Ordering::Relaxed), 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn dropped_connections_resume_where_they_broke() {
    let (api, _service, reader) = started().await;
    for round in 1..=4 {
        api.state.cut_watches();
        let name = format!("late-{round}");
        api.state.put(Kind::Image, image(&name, &[]));
        api.state
            .put(Kind::ImageStream, stream("team", "app", &[&name]));
        reader
            .until("team", "app", |answer| {
                answer.code == 200 && answer.has(&name)
            })
            .await;
    }
    assert_eq!(api.state.counters.lists.load(Ordering::Relaxed), 2);
    let broken = r#"imagestream_layers_watch_restarts_total{resource="images",reason="Broken"}"#;
    assert_eq!(reader.metric(broken).await, 4.0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_watch_whose_time_is_up_is_followed_by_the_next() {
    let (api, _service, reader) = started().await;
    api.state.end_watches();
    api.state.put(Kind::Image, image("b", &[]));
    reader.until("team", "app", |answer| answer.has("b")).await;
    assert_eq!(api.state.counters.lists.load(Ordering::Relaxed), 2);
}

/// What happened meanwhile is lost, so that only a list tells.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_expired_version_is_listed_again() {
    for over_http in [false, true] {
        let (api, _service, reader) = started().await;
        api.state
            .switches
            .gone_as_http
            .store(over_http, Ordering::Relaxed);
        api.state.switches.page_delay.store(300, Ordering::Relaxed);
        api.state.delete(Kind::Image, "a");
        reader
            .until("team", "app", |answer| answer.is_missing("a"))
            .await;
        api.state.put(Kind::Image, image("b", &[("layer-b", 1)]));
        api.state.forget_history();
        api.state.cut_watches();
        // The old content is served while the list takes its time.
        tokio::time::sleep(Duration::from_millis(100)).await;
        assert_eq!(reader.layers("team", "app").await.code, 200);
        assert_eq!(reader.get("/readyz").await.code, 200);
        reader
            .until("team", "app", |answer| {
                answer.has("b") && answer.is_missing("a")
            })
            .await;
        let expired =
            r#"imagestream_layers_watch_restarts_total{resource="images",reason="Expired"}"#;
        assert_eq!(reader.metric(expired).await, 1.0);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bookmark_saves_a_list() {
    let (api, _service, reader) = started().await;
    // Streams change and images do not: only bookmarks move the version of the images' watch.
    api.state
        .put(Kind::ImageStream, stream("team", "app", &["a"]));
    reader
        .until("team", "app", |answer| {
            answer.json()["images"].get("b").is_none()
        })
        .await;
    api.state.forget_history();
    tokio::time::sleep(Duration::from_millis(200)).await;
    api.state.send_bookmarks();
    for resource in ["images", "imagestreams"] {
        let lag = format!(r#"imagestream_layers_lag_seconds{{resource="{resource}"}}"#);
        while reader.metric(&lag).await > 0.15 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
    let lists = api.state.counters.lists.load(Ordering::Relaxed);
    api.state.cut_watches();
    api.state.put(Kind::Image, image("a", &[("layer-a2", 1)]));
    reader
        .until("team", "app", |answer| {
            answer.json()["images"]["a"]["layers"] == json!(["layer-a2"])
        })
        .await;
    assert_eq!(api.state.counters.lists.load(Ordering::Relaxed), lists);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_api_server_that_is_away_leaves_the_answers() {
    let (api, _service, reader) = started().await;
    let expected = reader.layers("team", "app").await.text;
    drop(api);
    tokio::time::sleep(Duration::from_millis(200)).await;
    let answer = reader.layers("team", "app").await;
    assert_eq!((answer.code, answer.text), (200, expected));
    assert_eq!(reader.get("/readyz").await.code, 200);
}
