//! Lists, and the paths of everything.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};

use super::{Double, Kind, reviews, status, wait, watch};

type Parameters = HashMap<String, String>;

pub fn router(state: Arc<Double>) -> Router {
    Router::new()
        .route("/apis/image.openshift.io/v1/images", get(images))
        .route("/apis/image.openshift.io/v1/imagestreams", get(streams))
        .route(
            "/apis/authentication.k8s.io/v1/tokenreviews",
            post(reviews::token),
        )
        .route(
            "/apis/authorization.k8s.io/v1/subjectaccessreviews",
            post(reviews::access),
        )
        .with_state(state)
}

async fn images(state: State<Arc<Double>>, query: Query<Parameters>) -> Response {
    collection(state.0, Kind::Image, query.0).await
}

async fn streams(state: State<Arc<Double>>, query: Query<Parameters>) -> Response {
    collection(state.0, Kind::ImageStream, query.0).await
}

async fn collection(double: Arc<Double>, kind: Kind, parameters: Parameters) -> Response {
    if parameters.get("watch").map(String::as_str) == Some("true") {
        double.called("watch", "image.openshift.io", kind.resource());
        double.counters.watches.fetch_add(1, Ordering::Relaxed);
        return watch::watch(double, kind, &parameters);
    }
    double.called("list", "image.openshift.io", kind.resource());
    list(&double, kind, &parameters).await
}

async fn list(double: &Double, kind: Kind, parameters: &Parameters) -> Response {
    static TOKENS: AtomicU64 = AtomicU64::new(1);
    let switches = &double.switches;
    double.counters.pages.fetch_add(1, Ordering::Relaxed);
    wait(&switches.page_delay).await;
    let failure = switches.list_failure.load(Ordering::Relaxed) as u16;
    if failure != 0 {
        return refuse(failure, "Refused", "the list is refused");
    }
    let limit: usize = parameters["limit"].parse().unwrap();
    let place = parameters.get("continue").map(|token| {
        let (token, start) = token.split_once('/').expect("one of our tokens");
        (
            token.parse::<u64>().unwrap(),
            start.parse::<usize>().unwrap(),
        )
    });
    if place.is_none() {
        double.counters.lists.fetch_add(1, Ordering::Relaxed);
    } else if switches
        .expired_tokens
        .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
            left.checked_sub(1)
        })
        .is_ok()
    {
        return refuse(410, "Expired", "the provided continue parameter is too old");
    }
    let mut store = double.store();
    let (token, start) = place.unwrap_or_else(|| (TOKENS.fetch_add(1, Ordering::Relaxed), 0));
    let snapshot = store.snapshot(kind, place.map(|(token, _)| token)).unwrap();
    let end = snapshot.objects.len().min(start + limit);
    let more = end < snapshot.objects.len();
    let mut text = format!(
        r#"{{"kind":"{}List","apiVersion":"image.openshift.io/v1","metadata":{{"resourceVersion":"{}""#,
        kind.as_str(),
        snapshot.version
    );
    if more {
        let rest = snapshot.objects.len() - end;
        write!(
            text,
            r#","continue":"{token}/{end}","remainingItemCount":{rest}"#
        )
        .unwrap();
        store.keep(token, snapshot.clone());
    } else {
        store.release(token);
    }
    drop(store);
    text.push_str(r#"},"items":["#);
    text.push_str(&snapshot.objects[start..end].join(","));
    text.push_str("]}\n");
    ([("content-type", "application/json")], text).into_response()
}

pub fn refuse(code: u16, reason: &str, message: &str) -> Response {
    let body = Json(status(code, reason, message));
    (StatusCode::from_u16(code).unwrap(), body).into_response()
}
