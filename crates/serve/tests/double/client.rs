//! A service in front of the double, and who asks it.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::http::{HeaderMap, Request};
use http_body_util::{BodyExt as _, Empty};
use hyper_util::client::legacy::Client as HttpClient;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use imagestream_import_mode_serve::{Authorization, Config, FeedOptions, Service};
use kube::Client;
use serde_json::{Value, json};

use super::ApiServer;

/// A configuration for tests: short pauses, every loopback port.
pub fn config() -> Config {
    Config {
        listen: SocketAddr::from(([127, 0, 0, 1], 0)),
        tls: None,
        plain_http: false,
        authorization: Authorization::None,
        feed: FeedOptions {
            page_size: 3,
            list_timeout: Duration::from_secs(10),
            watch: Duration::from_secs(30),
            silence: Duration::from_secs(30),
            backoff: (Duration::from_millis(5), Duration::from_millis(50)),
        },
        answer_cache: 16 << 20,
        shutdown_delay: Duration::ZERO,
        drain: Duration::from_secs(5),
    }
}

pub fn reviews(cache: Duration) -> Authorization {
    Authorization::Reviews {
        audiences: Vec::new(),
        cache,
        timeout: Duration::from_secs(5),
    }
}

pub fn kube_client(address: SocketAddr) -> Client {
    let uri = format!("http://{address}").parse().unwrap();
    let config = kube::Config::new(uri);
    Client::try_from(config).unwrap()
}

pub async fn serve(api: &ApiServer, config: Config) -> (Service, Reader) {
    let service = Service::start(config, kube_client(api.address))
        .await
        .unwrap();
    let reader = Reader::new(service.address());
    (service, reader)
}

/// A service that lets nobody in without `authorization`.
pub async fn serve_with(api: &ApiServer, authorization: Authorization) -> (Service, Reader) {
    let config = Config {
        authorization,
        ..config()
    };
    serve(api, config).await
}

/// Someone who asks; copies share the connections.
#[derive(Clone)]
pub struct Reader {
    base: String,
    token: Option<String>,
    client: HttpClient<HttpConnector, Empty<Bytes>>,
}

#[derive(Debug)]
pub struct Answer {
    pub code: u16,
    pub headers: HeaderMap,
    pub text: String,
}

impl Reader {
    pub fn new(address: SocketAddr) -> Self {
        Self {
            base: format!("http://{address}"),
            token: None,
            client: HttpClient::builder(TokioExecutor::new()).build_http(),
        }
    }

    pub fn with(&self, token: &str) -> Self {
        Self {
            token: Some(token.to_owned()),
            ..self.clone()
        }
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.try_get(path).await.unwrap()
    }

    /// None if the connection fails.
    pub async fn try_get(&self, path: &str) -> Option<Answer> {
        self.send("GET", path).await
    }

    pub async fn send(&self, method: &str, path: &str) -> Option<Answer> {
        let url = format!("{}{path}", self.base);
        let mut request = Request::builder().method(method).uri(url);
        if let Some(token) = &self.token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        let request = request.body(Empty::new()).unwrap();
        let response = self.client.request(request).await.ok()?;
        let (code, headers) = (response.status().as_u16(), response.headers().clone());
        let body = response.into_body().collect().await.ok()?.to_bytes();
        Some(Answer {
            code,
            headers,
            text: String::from_utf8(body.to_vec()).unwrap(),
        })
    }

    pub async fn layers(&self, namespace: &str, name: &str) -> Answer {
        self.get(&path(namespace, name)).await
    }

    /// Waits for an answer that satisfies `wanted`; ten seconds are more than it ever takes.
    #[track_caller]
    pub fn until(
        &self,
        namespace: &str,
        name: &str,
        wanted: impl Fn(&Answer) -> bool,
    ) -> impl Future<Output = Answer> {
        let caller = std::panic::Location::caller();
        let (reader, path) = (self.clone(), path(namespace, name));
        async move {
            let started = Instant::now();
            loop {
                let answer = reader.get(&path).await;
                if wanted(&answer) {
                    return answer;
                }
                assert!(
                    started.elapsed() < Duration::from_secs(10),
                    "{caller}: {answer:?}"
                );
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        }
    }

    pub async fn until_synced(&self) {
        let started = Instant::now();
        while self.get("/readyz").await.code != 200 {
            assert!(started.elapsed() < Duration::from_secs(10));
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// The value of a metric, labels included in its name.
    pub async fn metric(&self, name: &str) -> f64 {
        let text = self.get("/metrics").await.text;
        let line = text
            .lines()
            .find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        line.unwrap_or_else(|| panic!("no {name} in\n{text}"))
            .parse()
            .unwrap()
    }
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {}", self.text))
    }

    pub fn is_missing(&self, image: &str) -> bool {
        self.json()["images"][image]["imageMissing"] == true
    }

    pub fn has(&self, image: &str) -> bool {
        self.json()["images"][image]["imageMissing"] == false
    }
}

pub fn path(namespace: &str, name: &str) -> String {
    format!("/apis/image.openshift.io/v1/namespaces/{namespace}/imagestreams/{name}/layers")
}

pub fn image(name: &str, layers: &[(&str, u64)]) -> Value {
    let layers: Vec<Value> = layers
        .iter()
        .map(|(name, size)| {
            json!({"name": name, "size": size, "mediaType": "application/vnd.docker.image.rootfs.diff.tar.gzip"})
        })
        .collect();
    json!({
        "metadata": {"name": name},
        "dockerImageMetadata": {"kind": "DockerImage", "apiVersion": "image.openshift.io/1.0", "Id": format!("config-of-{name}")},
        "dockerImageManifestMediaType": "application/vnd.oci.image.manifest.v1+json",
        "dockerImageLayers": layers
    })
}

pub fn stream(namespace: &str, name: &str, images: &[&str]) -> Value {
    let items: Vec<Value> = images.iter().map(|image| json!({"image": image})).collect();
    json!({
        "metadata": {"namespace": namespace, "name": name, "annotations": {"keep": "me"}},
        "status": {"tags": [{"tag": "latest", "items": items}]}
    })
}

/// A kubeconfig that leads to the double.
pub fn kubeconfig(address: SocketAddr) -> String {
    json!({
        "apiVersion": "v1", "kind": "Config", "current-context": "double",
        "clusters": [{"name": "double", "cluster": {"server": format!("http://{address}")}}],
        "users": [{"name": "double", "user": {}}],
        "contexts": [{"name": "double", "context": {"cluster": "double", "user": "double"}}]
    })
    .to_string()
}
