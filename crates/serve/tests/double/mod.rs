//! An API server in this process: list, watch and reviews over HTTP on loopback.
//!
//! It behaves as `kube-apiserver` does where the service could notice: pages show one state, watches
//! replay what came after a version, old versions are gone after a compaction. Tests make it slow, forgetful
//! or unreachable.

#![allow(dead_code, reason = "each test binary uses its part")]

pub mod client;
mod http;
mod reviews;
mod store;
mod watch;

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::watch as channel;

use store::Store;

/// The API server and the switches that disturb it.
pub struct ApiServer {
    pub address: SocketAddr,
    pub state: Arc<Double>,
    task: tokio::task::JoinHandle<()>,
}

impl Drop for ApiServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

#[derive(Default)]
pub struct Switches {
    /// Milliseconds before each page of a list.
    pub page_delay: AtomicU64,
    /// All lists fail with this code.
    pub list_failure: AtomicU64,
    /// The next continue tokens that are refused with 410.
    pub expired_tokens: AtomicUsize,
    /// Watches of compacted versions fail with HTTP 410 instead of an ERROR event.
    pub gone_as_http: AtomicBool,
    /// All reviews fail with 500.
    pub review_failure: AtomicBool,
    /// Milliseconds before each review.
    pub review_delay: AtomicU64,
}

#[derive(Default)]
pub struct Counters {
    pub lists: AtomicUsize,
    pub pages: AtomicUsize,
    pub watches: AtomicUsize,
    pub token_reviews: AtomicUsize,
    pub access_reviews: AtomicUsize,
}

/// What watches wait for.
#[derive(Clone, Copy, Default)]
struct Signals {
    version: u64,
    /// Watches that began before break off amid an event.
    cut: u64,
    /// Watches that began before end as if their time was up.
    end: u64,
    /// Each sends a bookmark.
    bookmark: u64,
    /// Watches that began before tell nothing any more, as if the network were gone.
    mute: u64,
}

pub struct Double {
    store: Mutex<Store>,
    signals: channel::Sender<Signals>,
    accounts: Mutex<reviews::Accounts>,
    /// Verb, group and resource of everything that was asked.
    calls: Mutex<BTreeSet<(String, String, String)>>,
    pub switches: Switches,
    pub counters: Counters,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Image,
    ImageStream,
}

impl ApiServer {
    pub async fn start() -> Self {
        let state = Arc::new(Double {
            store: Mutex::default(),
            signals: channel::Sender::new(Signals::default()),
            accounts: Mutex::default(),
            calls: Mutex::default(),
            switches: Switches::default(),
            counters: Counters::default(),
        });
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let app = http::router(Arc::clone(&state));
        let task = tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
        Self {
            address,
            state,
            task,
        }
    }
}

impl Double {
    /// Adds an object or replaces it; returns its version.
    pub fn put(&self, kind: Kind, object: Value) -> u64 {
        let version = self.store().put(kind, object);
        self.signals
            .send_modify(|signals| signals.version = version);
        version
    }

    pub fn delete(&self, kind: Kind, key: &str) -> u64 {
        let version = self.store().delete(kind, key);
        self.signals
            .send_modify(|signals| signals.version = version);
        version
    }

    /// Changes objects without any watch ever hearing of it, as when a watch was lost meanwhile.
    pub fn forget_history(&self) {
        self.store().compact();
    }

    pub fn cut_watches(&self) {
        self.signals.send_modify(|signals| signals.cut += 1);
    }

    pub fn end_watches(&self) {
        self.signals.send_modify(|signals| signals.end += 1);
    }

    pub fn mute_watches(&self) {
        self.signals.send_modify(|signals| signals.mute += 1);
    }

    pub fn send_bookmarks(&self) {
        self.signals.send_modify(|signals| signals.bookmark += 1);
    }

    pub fn calls(&self) -> BTreeSet<(String, String, String)> {
        self.calls.lock().unwrap().clone()
    }

    /// All objects as they are now.
    pub fn objects(&self, kind: Kind) -> Vec<String> {
        self.store().objects(kind)
    }

    fn store(&self) -> MutexGuard<'_, Store> {
        self.store.lock().unwrap()
    }

    fn called(&self, verb: &str, group: &str, resource: &str) {
        let call = (verb.to_owned(), group.to_owned(), resource.to_owned());
        self.calls.lock().unwrap().insert(call);
    }
}

impl Kind {
    fn as_str(self) -> &'static str {
        match self {
            Self::Image => "Image",
            Self::ImageStream => "ImageStream",
        }
    }

    fn resource(self) -> &'static str {
        match self {
            Self::Image => "images",
            Self::ImageStream => "imagestreams",
        }
    }
}

fn status(code: u16, reason: &str, message: &str) -> Value {
    json!({
        "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
        "message": message, "reason": reason, "code": code
    })
}

async fn wait(milliseconds: &AtomicU64) {
    let time = milliseconds.load(Ordering::Relaxed);
    if time > 0 {
        tokio::time::sleep(Duration::from_millis(time)).await;
    }
}
