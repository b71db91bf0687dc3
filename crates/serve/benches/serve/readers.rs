//! Who asks.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::http::Request;
use http_body_util::{BodyExt as _, Empty};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;

use crate::double::client::path;
use crate::service::Process;

#[derive(Clone)]
pub struct Readers {
    base: String,
    client: Client<hyper_rustls::HttpsConnector<HttpConnector>, Empty<Bytes>>,
}

impl Readers {
    pub fn new(process: &Process) -> Self {
        let mut roots = rustls::RootCertStore::empty();
        roots
            .add(process.certificate.clone())
            .expect("a certificate");
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let tls = rustls::ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("versions")
            .with_root_certificates(roots)
            .with_no_client_auth();
        let connector = hyper_rustls::HttpsConnectorBuilder::new()
            .with_tls_config(tls)
            .https_only()
            .enable_http1()
            .build();
        Self {
            base: format!("https://localhost:{}", process.address.port()),
            client: Client::builder(TokioExecutor::new()).build(connector),
        }
    }

    async fn get(&self, path: &str) -> (u16, usize) {
        let request = Request::get(format!("{}{path}", self.base))
            .header("authorization", "Bearer good")
            .body(Empty::new())
            .expect("a request");
        let response = self.client.request(request).await.expect("an answer");
        let code = response.status().as_u16();
        let body = response.into_body().collect().await.expect("a body");
        (code, body.to_bytes().len())
    }

    pub async fn until_ready(&self) {
        while self.get("/readyz").await.0 != 200 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// Bytes of the answer for the stream of so many images.
    pub async fn size(&self, images: usize) -> usize {
        self.layers(images).await
    }

    async fn layers(&self, images: usize) -> usize {
        let (code, size) = self.get(&path("team", &format!("app-{images}"))).await;
        assert_eq!(code, 200, "the stream exists");
        size
    }

    /// Times of answers, one request after the other, in order of length.
    pub async fn times(&self, images: usize, length: Duration) -> Vec<Duration> {
        let started = Instant::now();
        let mut times = Vec::new();
        while started.elapsed() < length || times.len() < 100 {
            let asked = Instant::now();
            self.layers(images).await;
            times.push(asked.elapsed());
        }
        times.sort_unstable();
        times
    }

    /// Answers on so many connections at the same time, and how long that took.
    pub async fn many(
        &self,
        images: usize,
        connections: usize,
        length: Duration,
    ) -> (f64, Duration) {
        let started = Instant::now();
        let mut tasks = tokio::task::JoinSet::new();
        for _ in 0..connections {
            let readers = self.clone();
            tasks.spawn(async move {
                let mut answers = 0_u32;
                while started.elapsed() < length {
                    readers.layers(images).await;
                    answers += 1;
                }
                answers
            });
        }
        let answers: u32 = tasks.join_all().await.iter().sum();
        (f64::from(answers), started.elapsed())
    }
}
