//! The running service: its feeds, its port and its end.

use std::convert::Infallible;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use axum_server::accept::NoDelayAcceptor;
use axum_server::tls_rustls::RustlsConfig;
use axum_server::{Handle, Server};
use kube::Client;
use tokio::task::JoinHandle;

use crate::answers::Answers;
use crate::auth::Authorizer;
use crate::cluster::{Cluster, ImageSink, StreamSink};
use crate::config::{Authorization, Config};
use crate::error::ServeError;
use crate::feed::{Feed, Resource};
use crate::health::Health;
use crate::http::{self, Door};
use crate::metrics::Metrics;
use crate::tls;

/// How long a new connection may stay silent.
const FIRST_REQUEST: Duration = Duration::from_secs(10);

/// How long a connection may wait for its next request.
const NEXT_REQUEST: Duration = Duration::from_secs(90);

/// A service that answers requests until it is stopped.
///
/// Dropping it ends the feeds and closes the port at once.
#[derive(Debug)]
pub struct Service {
    address: SocketAddr,
    handle: Handle<SocketAddr>,
    port: Task<std::io::Result<()>>,
    images: Task<Infallible>,
    streams: Task<Infallible>,
    certificate: Option<Task<()>>,
    ending: Ending,
}

/// How the service ends.
struct Ending {
    health: Health,
    delay: Duration,
    drain: Duration,
}

impl std::fmt::Debug for Ending {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ending")
            .field("delay", &self.delay)
            .field("drain", &self.drain)
            .finish_non_exhaustive()
    }
}

impl Service {
    /// Listens, and begins to read the cluster.
    ///
    /// Answers come from the start; until the first complete lists they are errors to be retried.
    ///
    /// # Errors
    ///
    /// The settings contradict each other, the certificate cannot be used, the address is taken.
    pub async fn start(config: Config, client: Client) -> Result<Self, ServeError> {
        config.check()?;
        let certificate = match &config.tls {
            Some(files) => Some((files.clone(), tls::load(files).await?)),
            None => None,
        };
        let in_use = |source| ServeError::Listen {
            address: config.listen,
            source,
        };
        let listener = TcpListener::bind(config.listen).map_err(in_use)?;
        let address = listener.local_addr().map_err(in_use)?;
        announce(&config, address);

        let metrics = Metrics::new();
        let cluster = Arc::new(Cluster::default());
        let health = Health::new(Arc::clone(&cluster));
        let door = Door {
            answers: Answers::new(Arc::clone(&cluster), config.answer_cache, metrics.clone()),
            authorizer: Authorizer::new(client.clone(), &config.authorization, metrics.clone()),
            cluster: Arc::clone(&cluster),
            health: health.clone(),
            metrics: metrics.clone(),
        };
        let handle = Handle::new();
        let tls = certificate.as_ref().map(|(_, tls)| tls.clone());
        let port = serve(listener, tls, handle.clone(), door).map_err(in_use)?;
        let images = Feed::new(
            client.clone(),
            ImageSink(Arc::clone(&cluster)),
            config.feed,
            metrics.feed(Resource::Images),
        );
        let streams = Feed::new(
            client,
            StreamSink(cluster),
            config.feed,
            metrics.feed(Resource::ImageStreams),
        );
        Ok(Self {
            address,
            handle,
            port,
            images: Task::spawn(images.run()),
            streams: Task::spawn(streams.run()),
            certificate: certificate.map(|(files, tls)| Task::spawn(tls::follow(files, tls))),
            ending: Ending {
                health,
                delay: config.shutdown_delay,
                drain: config.drain,
            },
        })
    }

    /// Where the service listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Waits until a part of the service ends by itself, which none should.
    pub async fn failed(&mut self) -> ServeError {
        tokio::select! {
            _ = &mut self.port.0 => ServeError::Ended("server"),
            _ = &mut self.images.0 => ServeError::Ended("feed of images"),
            _ = &mut self.streams.0 => ServeError::Ended("feed of image streams"),
        }
    }

    /// Ends the service: first it calls itself unready, then it takes no new connections, and last it
    /// closes those whose requests do not finish in time. Returns whether all finished.
    pub async fn stop(mut self) -> bool {
        self.ending.health.end();
        tracing::info!("shutting down");
        tokio::time::sleep(self.ending.delay).await;
        self.handle.graceful_shutdown(Some(self.ending.drain));
        let started = tokio::time::Instant::now();
        // The server cuts what is left when the time is up.
        let _ = (&mut self.port.0).await;
        drop(self.certificate.take());
        let drained = started.elapsed() < self.ending.drain;
        if drained {
            tracing::info!("all requests finished");
        } else {
            tracing::warn!("cut the requests that did not finish in time");
        }
        drained
    }
}

/// A task that ends with its owner.
#[derive(Debug)]
struct Task<T>(JoinHandle<T>);

impl<T: Send + 'static> Task<T> {
    fn spawn(future: impl Future<Output = T> + Send + 'static) -> Self {
        Self(tokio::spawn(future))
    }
}

impl<T> Drop for Task<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}

fn serve(
    listener: TcpListener,
    tls: Option<RustlsConfig>,
    handle: Handle<SocketAddr>,
    door: Door,
) -> std::io::Result<Task<std::io::Result<()>>> {
    let app = http::router(door).into_make_service();
    // Without it the last packet of an answer waits for the reader's delayed acknowledgement, 40 ms.
    let prompt = NoDelayAcceptor::new();
    Ok(match tls {
        Some(tls) => {
            let server = axum_server::from_tcp_rustls(listener, tls)?;
            let server = limit(server.map(|acceptor| acceptor.acceptor(prompt)));
            Task::spawn(server.handle(handle).serve(app))
        }
        None => {
            let server = limit(axum_server::from_tcp(listener)?.acceptor(prompt));
            Task::spawn(server.handle(handle).serve(app))
        }
    })
}

/// Closes connections that do not come to the point.
fn limit<A>(mut server: Server<SocketAddr, A>) -> Server<SocketAddr, A> {
    server
        .http_builder()
        .http1()
        .header_read_timeout(NEXT_REQUEST);
    server.first_request_timeout(FIRST_REQUEST)
}

fn announce(config: &Config, address: SocketAddr) {
    let scheme = if config.tls.is_some() {
        "https"
    } else {
        "http"
    };
    tracing::info!(%address, scheme, "listening");
    match &config.authorization {
        Authorization::None => tracing::warn!(
            "authorisation is off: everyone who reaches this loopback address sees all layers"
        ),
        Authorization::Reviews { .. } if config.tls.is_none() => {
            tracing::warn!("TLS is off: tokens can be read on the way");
        }
        Authorization::Reviews { .. } => {}
    }
}
