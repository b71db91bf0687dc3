//! Complete lists, page by page.

use std::sync::Arc;
use std::time::Instant;

use imagestream_import_mode::layers::{ResourceVersion, read_slice};
use kube::Client;

use super::sink::Sink;
use crate::client::{self, ClientError};
use crate::config::FeedOptions;
use crate::metrics::FeedMetrics;

/// How much larger the pages get when a list took longer than the API server remembers its state.
const GROWTH: u32 = 4;

/// Faulty objects of one list that are logged one by one.
const LOGGED: usize = 10;

/// Lists one resource again and again.
pub(super) struct Lister {
    options: FeedOptions,
    page_size: u32,
}

/// What one page said about the list.
struct Page {
    version: String,
    token: String,
    objects: usize,
    faults: Vec<String>,
}

impl Lister {
    pub(super) fn new(options: FeedOptions) -> Self {
        Self {
            options,
            page_size: options.page_size,
        }
    }

    /// Hands a complete list to the sink and returns its version, from which to watch.
    pub(super) async fn list<S: Sink>(
        &mut self,
        client: &Client,
        sink: &Arc<S>,
        metrics: &FeedMetrics,
    ) -> Result<String, ClientError> {
        let started = Instant::now();
        sink.start_list();
        let (mut version, mut token) = (None, String::new());
        let (mut objects, mut pages, mut faults) = (0, 0, 0);
        loop {
            let page = match self.page::<S>(client, sink, &token).await {
                Err(error) if error.is_expired() => {
                    self.page_size = self.page_size.saturating_mul(GROWTH);
                    return Err(error);
                }
                page => page?,
            };
            pages += 1;
            objects += page.objects;
            for fault in &page.faults {
                metrics.unusable();
                if faults < LOGGED {
                    tracing::warn!(resource = %S::RESOURCE, "left out of the list: {fault}");
                }
                faults += 1;
            }
            // All pages show the state of the first one.
            let version = version.get_or_insert(page.version);
            token = page.token;
            if token.is_empty() {
                sink.complete_list(&ResourceVersion::new(version));
                let seconds = started.elapsed().as_secs_f64();
                tracing::info!(
                    resource = %S::RESOURCE, version, objects, pages, left_out = faults, seconds,
                    "the list is complete"
                );
                self.page_size = self.options.page_size;
                return Ok(std::mem::take(version));
            }
        }
    }

    async fn page<S: Sink>(
        &self,
        client: &Client,
        sink: &Arc<S>,
        token: &str,
    ) -> Result<Page, ClientError> {
        let limit = self.page_size.to_string();
        let query = [("limit", limit.as_str()), ("continue", token)];
        let query = if token.is_empty() {
            query.get(..1)
        } else {
            query.get(..)
        };
        let request = client::get(S::RESOURCE.path(), query.unwrap_or_default())?;
        let receive = async { client::collect(client::send(client, request).await?).await };
        let text = tokio::time::timeout(self.options.list_timeout, receive)
            .await
            .map_err(|_| ClientError::Timeout)??;
        let sink = Arc::clone(sink);
        // Parsing a page of large objects takes long for a thread that answers requests.
        tokio::task::spawn_blocking(move || read_page(&text, &*sink))
            .await
            .map_err(|error| ClientError::transport(&error))?
    }
}

fn read_page<S: Sink>(text: &[u8], sink: &S) -> Result<Page, ClientError> {
    let mut faults = Vec::new();
    let documents = read_slice(text, |found| {
        if let Err(fault) = sink.listed(found) {
            faults.push(fault.to_string());
        }
        Ok(())
    })
    .map_err(|error| ClientError::Malformed(error.to_string()))?;
    let Some(document) = documents.into_iter().next() else {
        return Err(ClientError::Malformed("an empty page".to_owned()));
    };
    if !document.kind.ends_with("List") {
        return Err(ClientError::Malformed(format!(
            "expected a list, found `{}`",
            document.kind
        )));
    }
    if document.resource_version.is_empty() {
        return Err(ClientError::Malformed(
            "the list has no resource version".to_owned(),
        ));
    }
    Ok(Page {
        version: document.resource_version,
        token: document.continue_token,
        objects: document.objects,
        faults,
    })
}
