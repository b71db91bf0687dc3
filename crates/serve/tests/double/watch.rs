//! Watches.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use tokio::sync::watch::Receiver;
use tokio::time::{Instant, timeout_at};

use super::http::refuse;
use super::{Double, Kind, Signals, status};

struct Watch {
    double: Arc<Double>,
    kind: Kind,
    version: u64,
    seen: Signals,
    signals: Receiver<Signals>,
    end: Instant,
    first: bool,
    over: Option<Option<io::Error>>,
}

pub fn watch(double: Arc<Double>, kind: Kind, parameters: &HashMap<String, String>) -> Response {
    let version: u64 = parameters["resourceVersion"].parse().unwrap();
    let seconds: u64 = parameters["timeoutSeconds"].parse().unwrap();
    assert_eq!(parameters["allowWatchBookmarks"], "true");
    if double.store().is_gone(version) && double.switches.gone_as_http.load(Ordering::Relaxed) {
        return refuse(410, "Expired", "too old resource version");
    }
    let mut signals = double.signals.subscribe();
    let seen = *signals.borrow_and_update();
    let watch = Watch {
        seen,
        signals,
        double,
        kind,
        version,
        end: Instant::now() + Duration::from_secs(seconds),
        first: true,
        over: None,
    };
    let body = stream::unfold(watch, |mut watch| async {
        let piece = watch.next().await?;
        Some((piece, watch))
    });
    let headers = [("content-type", "application/json")];
    (headers, Body::from_stream(body)).into_response()
}

impl Watch {
    async fn next(&mut self) -> Option<io::Result<Bytes>> {
        loop {
            if let Some(over) = self.over.take() {
                self.over = Some(None);
                return over.map(Err);
            }
            let now = *self.signals.borrow_and_update();
            if now.cut != self.seen.cut {
                self.over = Some(Some(io::Error::other("cut")));
                return Some(Ok(r#"{"type":"MODIFIED","obj"#.into()));
            }
            if now.end != self.seen.end {
                return None;
            }
            if now.mute != self.seen.mute {
                return std::future::pending().await;
            }
            if let Some(lines) = self.lines(now) {
                return Some(Ok(lines.into()));
            }
            if timeout_at(self.end, self.signals.changed()).await.is_err() {
                return None;
            }
        }
    }

    fn lines(&mut self, now: Signals) -> Option<String> {
        let store = self.double.store();
        let mut lines = String::new();
        // A compaction does no harm to a watch that has heard everything.
        let first = std::mem::replace(&mut self.first, false);
        if first && store.is_gone(self.version) || store.has_lost(self.kind, self.version) {
            let gone = status(410, "Expired", "too old resource version");
            self.over = Some(None);
            return Some(format!("{{\"type\":\"ERROR\",\"object\":{gone}}}\n"));
        }
        for record in store.since(self.kind, self.version) {
            let rest = &record.object[1..];
            writeln!(
                lines,
                r#"{{"type":"{}","object":{{"kind":"{}","apiVersion":"image.openshift.io/v1",{rest}}}"#,
                record.what,
                self.kind.as_str()
            )
            .unwrap();
            self.version = record.version;
        }
        if now.bookmark != self.seen.bookmark {
            self.seen.bookmark = now.bookmark;
            self.version = store.version();
            writeln!(
                lines,
                r#"{{"type":"BOOKMARK","object":{{"kind":"{}","apiVersion":"image.openshift.io/v1","metadata":{{"resourceVersion":"{}"}}}}}}"#,
                self.kind.as_str(),
                self.version
            )
            .unwrap();
        }
        (!lines.is_empty()).then_some(lines)
    }
}
