//! Nobody gets in without the right.

use std::sync::atomic::Ordering;
use std::time::Duration;

use imagestream_import_mode_serve::{Authorization, Config, ServeError, Service};
use serde_json::json;

use crate::double::client::{Reader, config, kube_client, reviews, serve_with, stream};
use crate::double::{ApiServer, Kind};

async fn started(cache: Duration) -> (ApiServer, Service, Reader) {
    let api = ApiServer::start().await;
    for (namespace, name) in [("team", "app"), ("team", "other"), ("secret", "app")] {
        api.state
            .put(Kind::ImageStream, stream(namespace, name, &[]));
    }
    api.state.issue("good", "puller");
    api.state.issue("idle", "nobody");
    api.state.allow("puller", "team", "app");
    let (service, reader) = serve_with(&api, reviews(cache)).await;
    reader.until_synced().await;
    (api, service, reader)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_a_known_token_with_the_right_gets_in() {
    let (_api, _service, reader) = started(Duration::from_secs(10)).await;
    let unauthorized = "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\",\
        \"message\":\"Unauthorized\",\"reason\":\"Unauthorized\",\"code\":401}\n";
    for reader in [reader.clone(), reader.with("bad"), reader.with("")] {
        let answer = reader.layers("team", "app").await;
        assert_eq!((answer.code, answer.text.as_str()), (401, unauthorized));
        assert_eq!(answer.headers["www-authenticate"], "Bearer");
    }
    assert_eq!(reader.with("good").layers("team", "app").await.code, 200);

    let answer = reader.with("idle").layers("team", "app").await;
    assert_eq!(answer.code, 403);
    assert_eq!(
        answer.text,
        "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\",\
        \"message\":\"imagestreams.image.openshift.io \\\"app\\\" is forbidden: User \\\"nobody\\\" cannot get \
        resource \\\"imagestreams/layers\\\" in API group \\\"image.openshift.io\\\" in the namespace \
        \\\"team\\\"\",\"reason\":\"Forbidden\",\"details\":{\"name\":\"app\",\"group\":\"image.openshift.io\",\
        \"kind\":\"imagestreams\"},\"code\":403}\n"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_right_holds_for_its_stream_only() {
    let (_api, _service, reader) = started(Duration::from_secs(10)).await;
    let reader = reader.with("good");
    assert_eq!(reader.layers("team", "app").await.code, 200);
    // Existing or not: it is not for this user to know.
    for (namespace, name) in [
        ("team", "other"),
        ("secret", "app"),
        ("team", "unknown"),
        ("team%2fapp", ""),
        ("team", "app%2fx"),
    ] {
        let code = reader.layers(namespace, name).await.code;
        let expected = if name.is_empty() { 404 } else { 403 };
        assert_eq!(code, expected, "{namespace}/{name}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn strangers_do_not_learn_whether_the_lists_are_complete() {
    let api = ApiServer::start().await;
    api.state
        .switches
        .page_delay
        .store(2_000, Ordering::Relaxed);
    api.state.issue("good", "puller");
    api.state.allow("puller", "team", "*");
    let (_service, reader) = serve_with(&api, reviews(Duration::from_secs(10))).await;
    assert_eq!(reader.layers("team", "app").await.code, 401);
    assert_eq!(reader.with("good").layers("secret", "app").await.code, 403);
    assert_eq!(reader.with("good").layers("team", "app").await.code, 500);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_expired_token_and_a_withdrawn_right_end_with_the_cache() {
    let cache = Duration::from_secs(1);
    let (api, _service, reader) = started(cache).await;
    api.state.issue("also", "puller");
    for token in ["good", "also"] {
        assert_eq!(reader.with(token).layers("team", "app").await.code, 200);
    }
    api.state.expire("good");
    tokio::time::sleep(cache + Duration::from_millis(100)).await;
    assert_eq!(reader.with("good").layers("team", "app").await.code, 401);
    assert_eq!(reader.with("also").layers("team", "app").await.code, 200);
    api.state.withdraw("puller", "team", "app");
    tokio::time::sleep(cache + Duration::from_millis(100)).await;
    assert_eq!(reader.with("also").layers("team", "app").await.code, 403);
    // A new right counts as soon as the refusal is forgotten.
    api.state.allow("puller", "team", "app");
    tokio::time::sleep(cache + Duration::from_millis(100)).await;
    assert_eq!(reader.with("also").layers("team", "app").await.code, 200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_review_that_fails_lets_nobody_in_and_is_not_remembered() {
    let (api, _service, reader) = started(Duration::from_secs(60)).await;
    let reader = reader.with("good");
    api.state
        .switches
        .review_failure
        .store(true, Ordering::Relaxed);
    let answer = reader.layers("team", "app").await;
    assert_eq!(answer.code, 503);
    assert_eq!(answer.headers["retry-after"], "2");
    assert_eq!(
        answer.json(),
        json!({
            "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
            "message": "the request cannot be authorised at the moment, please try again",
            "reason": "ServiceUnavailable", "details": {"retryAfterSeconds": 2}, "code": 503
        })
    );
    api.state
        .switches
        .review_failure
        .store(false, Ordering::Relaxed);
    assert_eq!(reader.layers("team", "app").await.code, 200);
    // What is known holds while the API server is away.
    api.state
        .switches
        .review_failure
        .store(true, Ordering::Relaxed);
    assert_eq!(reader.layers("team", "app").await.code, 200);
    assert_eq!(reader.layers("team", "other").await.code, 503);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_slow_review_is_given_up() {
    let api = ApiServer::start().await;
    api.state.issue("good", "puller");
    api.state.allow("puller", "team", "*");
    api.state
        .switches
        .review_delay
        .store(5_000, Ordering::Relaxed);
    let authorization = Authorization::Reviews {
        audiences: Vec::new(),
        cache: Duration::from_secs(10),
        timeout: Duration::from_millis(100),
    };
    let (_service, reader) = serve_with(&api, authorization).await;
    reader.until_synced().await;
    assert_eq!(reader.with("good").layers("team", "app").await.code, 503);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_requests_make_one_review() {
    let (api, _service, reader) = started(Duration::from_secs(60)).await;
    api.state
        .switches
        .review_delay
        .store(200, Ordering::Relaxed);
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..100 {
        let reader = reader.with("good");
        tasks.spawn(async move { reader.layers("team", "app").await.code });
    }
    assert_eq!(tasks.join_all().await, vec![200; 100]);
    assert_eq!(api.state.counters.token_reviews.load(Ordering::Relaxed), 1);
    assert_eq!(api.state.counters.access_reviews.load(Ordering::Relaxed), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_token_must_be_for_the_audience() {
    let api = ApiServer::start().await;
    api.state.put(Kind::ImageStream, stream("team", "app", &[]));
    api.state.issue("default", "puller");
    api.state
        .issue_for("ours", "puller", vec!["layers".to_owned()]);
    api.state.allow("puller", "team", "*");
    let authorization = Authorization::Reviews {
        audiences: vec!["layers".to_owned()],
        cache: Duration::from_secs(10),
        timeout: Duration::from_secs(5),
    };
    let (_service, reader) = serve_with(&api, authorization).await;
    reader.until_synced().await;
    assert_eq!(reader.with("default").layers("team", "app").await.code, 401);
    assert_eq!(reader.with("ours").layers("team", "app").await.code, 200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_authorisation_only_loopback_is_served() {
    let api = ApiServer::start().await;
    let open = Config {
        listen: "0.0.0.0:0".parse().unwrap(),
        ..config()
    };
    let error = Service::start(open, kube_client(api.address))
        .await
        .unwrap_err();
    assert!(matches!(error, ServeError::Config(_)));
    assert_eq!(
        error.to_string(),
        "without authorisation only loopback addresses can be served, not `0.0.0.0:0`"
    );
}
