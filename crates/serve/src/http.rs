//! The paths that are served.

use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use imagestream_import_mode::layers::LayersStatus;
use serde::Serialize;

use crate::answers::{Answers, NoAnswer};
use crate::auth::{Authorizer, Refusal};
use crate::cluster::Cluster;
use crate::health::Health;
use crate::metrics::Metrics;
use crate::status::Status;

/// Seconds after which to ask again when nobody can be authorised.
const RETRY_AUTHORIZATION: u32 = 2;

/// What the handlers need.
pub(crate) struct Door {
    pub(crate) cluster: Arc<Cluster>,
    pub(crate) answers: Answers,
    pub(crate) authorizer: Authorizer,
    pub(crate) health: Health,
    pub(crate) metrics: Metrics,
}

/// The routes of the service.
pub(crate) fn router(door: Door) -> Router {
    Router::new()
        .route(
            "/apis/image.openshift.io/v1/namespaces/{namespace}/imagestreams/{name}/layers",
            get(layers),
        )
        .route("/healthz", get(async || "ok\n"))
        .route("/readyz", get(ready))
        .route("/metrics", get(metrics))
        .fallback(async || status(&Status::no_resource()))
        .method_not_allowed_fallback(async || status(&Status::method_not_allowed()))
        .with_state(Arc::new(door))
}

async fn layers(
    State(door): State<Arc<Door>>,
    path: Result<Path<(String, String)>, PathRejection>,
    headers: HeaderMap,
) -> Response {
    let started = Instant::now();
    let response = match path {
        // An empty name would ask for the right to all streams.
        Ok(Path((namespace, name))) if namespace.is_empty() || name.is_empty() => {
            status(&Status::no_resource())
        }
        Ok(Path((namespace, name))) => door.layers(&headers, &namespace, &name).await,
        // No stream has a name that is no UTF-8.
        Err(_) => status(&Status::no_resource()),
    };
    door.metrics
        .answered(response.status().as_u16(), started.elapsed());
    response
}

impl Door {
    /// Who asks comes first: the rest is nobody else's business.
    async fn layers(&self, headers: &HeaderMap, namespace: &str, name: &str) -> Response {
        if let Err(refusal) = self.authorizer.authorize(headers, namespace, name).await {
            return status(&refused(&refusal, namespace, name));
        }
        match self.answers.answer(namespace, name).await {
            Ok(body) => json(StatusCode::OK, body.into()),
            Err(NoAnswer::Status(reason)) => layers_status(&reason),
            Err(NoAnswer::Failed(error)) => {
                tracing::error!(namespace, name, %error, "no answer");
                status(&Status::internal())
            }
        }
    }
}

async fn ready(State(door): State<Arc<Door>>) -> Response {
    match door.health.unready() {
        None => "ok\n".into_response(),
        Some(reason) => (StatusCode::SERVICE_UNAVAILABLE, reason + "\n").into_response(),
    }
}

async fn metrics(State(door): State<Arc<Door>>) -> Response {
    match door.metrics.encode(door.cluster.counts()) {
        Ok(text) => {
            let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
            ([(header::CONTENT_TYPE, kind)], text).into_response()
        }
        Err(_) => status(&Status::internal()),
    }
}

fn refused(refusal: &Refusal, namespace: &str, name: &str) -> Status {
    match refusal {
        Refusal::Unauthenticated => Status::unauthorized(),
        Refusal::Forbidden { user, reason } => Status::forbidden(user, namespace, name, reason),
        Refusal::Unavailable => Status::unavailable(RETRY_AUTHORIZATION),
    }
}

fn layers_status(reason: &LayersStatus) -> Response {
    error(reason.code(), reason.retry_after_seconds(), reason)
}

fn status(status: &Status) -> Response {
    error(status.code(), status.retry_after_seconds(), status)
}

fn error(code: u16, retry_after: Option<u32>, body: &impl Serialize) -> Response {
    let code = StatusCode::from_u16(code).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut text = serde_json::to_string(body).unwrap_or_default();
    text.push('\n');
    let mut response = json(code, text.into());
    if let Some(seconds) = retry_after {
        response
            .headers_mut()
            .insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    if code == StatusCode::UNAUTHORIZED {
        let scheme = HeaderValue::from_static("Bearer");
        response
            .headers_mut()
            .insert(header::WWW_AUTHENTICATE, scheme);
    }
    response
}

/// A JSON body that depends on who asks, and when.
fn json(code: StatusCode, body: axum::body::Body) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "application/json"),
        (header::CACHE_CONTROL, "no-store"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    (code, headers, body).into_response()
}
