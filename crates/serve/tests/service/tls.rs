//! TLS.

use std::path::PathBuf;
use std::sync::Arc;

use axum::body::Bytes;
use axum::http::Request;
use http_body_util::{BodyExt as _, Empty};
use hyper_util::client::legacy::Client;
use hyper_util::rt::TokioExecutor;
use imagestream_import_mode_serve::{Config, Service, TlsFiles};
use rustls::pki_types::CertificateDer;

use crate::double::client::{config, kube_client, path, stream};
use crate::double::{ApiServer, Kind};

/// A folder that is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("layers-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let file = self.0.join(name);
        std::fs::write(&file, text).unwrap();
        file
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn answers_come_over_tls() {
    let api = ApiServer::start().await;
    api.state.put(Kind::ImageStream, stream("team", "app", &[]));
    let folder = Folder::new("tls");
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let tls = TlsFiles {
        certificate: folder.write("tls.crt", &made.cert.pem()),
        key: folder.write("tls.key", &made.signing_key.serialize_pem()),
    };
    let config = Config {
        tls: Some(tls),
        ..config()
    };
    let service = Service::start(config, kube_client(api.address))
        .await
        .unwrap();

    let client = client(made.cert.der().clone());
    let url = format!(
        "https://localhost:{}{}",
        service.address().port(),
        path("team", "app")
    );
    for _ in 0..1_000 {
        let request = Request::get(&url).body(Empty::<Bytes>::new()).unwrap();
        let response = client.request(request).await.unwrap();
        let code = response.status();
        let body = response.into_body().collect().await.unwrap().to_bytes();
        if code == 200 {
            let body: serde_json::Value = serde_json::from_slice(&body).unwrap();
            assert_eq!(body["kind"], "ImageStreamLayers");
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    panic!("never synced");
}

fn client(
    trusted: CertificateDer<'static>,
) -> Client<
    hyper_rustls::HttpsConnector<hyper_util::client::legacy::connect::HttpConnector>,
    Empty<Bytes>,
> {
    let mut roots = rustls::RootCertStore::empty();
    roots.add(trusted).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let tls = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let connector = hyper_rustls::HttpsConnectorBuilder::new()
        .with_tls_config(tls)
        .https_only()
        .enable_http1()
        .build();
    Client::builder(TokioExecutor::new()).build(connector)
}

#[tokio::test]
async fn unusable_files_are_named() {
    let api = ApiServer::start().await;
    let folder = Folder::new("no-tls");
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let certificate = folder.write("tls.crt", &made.cert.pem());
    let wrong = folder.write("wrong.key", "no key");
    for (key, named) in [
        (folder.0.join("absent.key"), "absent.key"),
        (wrong, "tls.crt"),
    ] {
        let config = Config {
            tls: Some(TlsFiles {
                certificate: certificate.clone(),
                key,
            }),
            ..config()
        };
        let error = Service::start(config, kube_client(api.address))
            .await
            .unwrap_err()
            .to_string();
        let start = format!("certificate or key `{}`: ", folder.0.join(named).display());
        assert!(error.starts_with(&start), "{error}");
    }
}
