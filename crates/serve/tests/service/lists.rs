//! Lists: pages, delays, failures.

use std::sync::atomic::Ordering;
use std::time::Duration;

use serde_json::json;

use crate::double::client::{config, image, serve, stream};
use crate::double::{ApiServer, Kind};

async fn with_images(count: usize) -> ApiServer {
    let api = ApiServer::start().await;
    let names: Vec<String> = (0..count).map(|number| format!("image-{number}")).collect();
    for name in &names {
        api.state.put(Kind::Image, image(name, &[("layer", 1)]));
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    api.state
        .put(Kind::ImageStream, stream("team", "app", &names));
    api
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_pages_of_a_list_count() {
    let api = with_images(8).await;
    let (_service, reader) = serve(&api, config()).await;
    reader.until_synced().await;
    let answer = reader.layers("team", "app").await.json();
    for number in 0..8 {
        assert_eq!(
            answer["images"][format!("image-{number}")]["imageMissing"],
            false
        );
    }
    // Three pages of images, one of streams.
    assert_eq!(api.state.counters.pages.load(Ordering::Relaxed), 4);
    assert_eq!(api.state.counters.lists.load(Ordering::Relaxed), 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_continue_token_that_expires_starts_the_list_over_with_larger_pages() {
    let api = with_images(8).await;
    api.state
        .switches
        .expired_tokens
        .store(1, Ordering::Relaxed);
    let (_service, reader) = serve(&api, config()).await;
    reader
        .until("team", "app", |answer| answer.code == 200)
        .await;
    assert!(reader.layers("team", "app").await.has("image-7"));
    // Page and refused page of 3, one page of 12 images, one of streams.
    assert_eq!(api.state.counters.pages.load(Ordering::Relaxed), 4);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_that_takes_too_long_is_asked_for_again() {
    let api = with_images(2).await;
    api.state
        .switches
        .page_delay
        .store(3_000, Ordering::Relaxed);
    let mut config = config();
    config.feed.list_timeout = Duration::from_millis(100);
    let (_service, reader) = serve(&api, config).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(reader.layers("team", "app").await.code, 500);
    api.state.switches.page_delay.store(0, Ordering::Relaxed);
    reader
        .until("team", "app", |answer| answer.has("image-1"))
        .await;
    assert!(
        reader
            .metric(r#"imagestream_layers_failed_lists_total{resource="images"}"#)
            .await
            >= 1.0
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn refused_lists_are_tried_again() {
    for code in [401, 403, 404, 429, 500, 503] {
        let api = with_images(1).await;
        api.state
            .switches
            .list_failure
            .store(code, Ordering::Relaxed);
        let (_service, reader) = serve(&api, config()).await;
        tokio::time::sleep(Duration::from_millis(50)).await;
        assert_eq!(reader.layers("team", "app").await.code, 500, "{code}");
        api.state.switches.list_failure.store(0, Ordering::Relaxed);
        reader
            .until("team", "app", |answer| answer.has("image-0"))
            .await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_object_that_cannot_be_read_is_left_out_alone() {
    let api = with_images(2).await;
    let mut bad = image("image-0", &[("layer", 1)]);
    bad["dockerImageLayers"][0]["size"] = json!(-1);
    api.state.put(Kind::Image, bad.clone());
    let (_service, reader) = serve(&api, config()).await;
    reader.until_synced().await;
    let answer = reader.layers("team", "app").await;
    assert!(answer.is_missing("image-0") && answer.has("image-1"));
    let unusable = r#"imagestream_layers_unusable_objects_total{resource="images"}"#;
    assert_eq!(reader.metric(unusable).await, 1.0);

    // Mended, and broken again, while it is watched: the old state is no answer.
    api.state
        .put(Kind::Image, image("image-0", &[("layer", 1)]));
    reader
        .until("team", "app", |answer| answer.has("image-0"))
        .await;
    api.state.put(Kind::Image, bad);
    reader
        .until("team", "app", |answer| answer.is_missing("image-0"))
        .await;
    assert_eq!(reader.metric(unusable).await, 2.0);
}
