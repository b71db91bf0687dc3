//! Lists and watches one resource, and keeps doing so.
//!
//! ```text
//!          ┌──────────────── expired (410), or nothing but failures ─────────────────┐
//!          v                                                                         │
//!  list, page by page ──complete──> watch from the list's version ──end, broken──> again from
//!          │  ^                                                                  the last version
//!          └──┘ failed: pause; the old content is served meanwhile
//! ```
//!
//! Not `kube_runtime::watcher`: it keeps the version of a list to itself, which the index needs to tell
//! late updates from new ones, and gives up a whole page for one object that cannot be read.

mod event;
mod lines;
mod list;
mod resource;
mod sink;
mod watch;

use std::convert::Infallible;
use std::sync::Arc;

use kube::Client;

pub(crate) use event::{Head, Status};
pub(crate) use resource::Resource;
pub(crate) use sink::Sink;

use crate::backoff::Backoff;
use crate::client::ClientError;
use crate::config::FeedOptions;
use crate::metrics::{FeedMetrics, Restart};
use list::Lister;
use watch::{Ending, Watch};

/// Watches that may fail in a row before the resource is listed again.
const FAILED_WATCHES: u32 = 5;

/// Keeps a sink up to date.
pub(crate) struct Feed<S> {
    client: Client,
    sink: Arc<S>,
    options: FeedOptions,
    metrics: FeedMetrics,
    backoff: Backoff,
}

impl<S: Sink> Feed<S> {
    pub(crate) fn new(client: Client, sink: S, options: FeedOptions, metrics: FeedMetrics) -> Self {
        Self {
            client,
            sink: Arc::new(sink),
            options,
            metrics,
            backoff: Backoff::new(options.backoff),
        }
    }

    /// Runs until it is dropped.
    pub(crate) async fn run(mut self) -> Infallible {
        let resource = S::RESOURCE;
        let mut lister = Lister::new(self.options);
        loop {
            match lister.list(&self.client, &self.sink, &self.metrics).await {
                Ok(version) => {
                    self.metrics.listed();
                    self.watch_from(version).await;
                }
                Err(error) => {
                    self.metrics.list_failed();
                    let failures = self.backoff.failures() + 1;
                    tracing::warn!(%resource, failures, %error, "the list failed{}", hint(&error));
                    self.pause().await;
                }
            }
        }
    }

    /// Watches until only a new list helps.
    async fn watch_from(&mut self, mut version: String) {
        let resource = S::RESOURCE;
        loop {
            let watch = Watch {
                client: &self.client,
                sink: &*self.sink,
                metrics: &self.metrics,
                options: self.options,
            };
            let (ending, progress) = watch.run(&mut version).await;
            if progress {
                self.backoff.succeed();
            }
            match ending {
                Ending::Ended => {
                    self.metrics.restarted(Restart::Ended);
                    tracing::debug!(%resource, version, "the watch ended soon");
                    // One that always ends at once must not spin.
                    self.pause().await;
                }
                Ending::Lasted => {
                    self.backoff.succeed();
                    self.metrics.restarted(Restart::Ended);
                }
                Ending::Expired => {
                    self.metrics.restarted(Restart::Expired);
                    tracing::info!(%resource, version, "the watch expired, listing again");
                    self.pause().await;
                    return;
                }
                Ending::Unreadable(error) => {
                    self.metrics.restarted(Restart::Broken);
                    tracing::warn!(%resource, version, %error, "the watch cannot be read, listing again");
                    self.pause().await;
                    return;
                }
                Ending::Broken(error) => {
                    self.metrics.restarted(Restart::Broken);
                    tracing::warn!(%resource, version, %error, "the watch broke{}", hint(&error));
                    self.pause().await;
                    if self.backoff.failures() >= FAILED_WATCHES {
                        tracing::info!(%resource, "no watch succeeds, listing again");
                        return;
                    }
                }
            }
        }
    }

    async fn pause(&mut self) {
        tokio::time::sleep(self.backoff.fail()).await;
    }
}

/// What an administrator can do about an error.
fn hint(error: &ClientError) -> &'static str {
    match error.code() {
        Some(401) => ": the API server does not know this service's account",
        Some(403) => {
            ": the account needs list and watch on images and imagestreams of image.openshift.io"
        }
        Some(404) => ": the cluster has no such resource of image.openshift.io/v1",
        _ => "",
    }
}
