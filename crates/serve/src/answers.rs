//! Finished answers, kept as long as they are right.

use std::num::NonZero;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::Bytes;
use imagestream_import_mode::layers::LayersStatus;
use moka::future::Cache;
use tokio::sync::Semaphore;

use crate::cluster::{Cluster, Key, Stamp};
use crate::metrics::Metrics;

/// How long an answer that nobody asks for is kept.
const IDLE: Duration = Duration::from_secs(600);

/// Why there is no answer.
#[derive(Debug)]
pub(crate) enum NoAnswer {
    /// As the API says it.
    Status(LayersStatus),
    /// The service fails or ends.
    Failed(String),
}

/// Builds answers and keeps those that were asked for last.
///
/// An answer is right as long as neither the stream nor an Image in it changed or arrived; as many are built at the same
/// time as there are processors, so that readers who all miss at once find the first one's answer.
pub(crate) struct Answers {
    cluster: Arc<Cluster>,
    finished: Cache<String, Finished>,
    builders: Arc<Semaphore>,
    metrics: Metrics,
}

#[derive(Clone)]
struct Finished {
    stamp: Stamp,
    body: Bytes,
}

impl Answers {
    pub(crate) fn new(cluster: Arc<Cluster>, capacity: u64, metrics: Metrics) -> Self {
        let finished = Cache::builder()
            .weigher(|key: &String, finished: &Finished| {
                u32::try_from(key.len() + finished.body.len()).unwrap_or(u32::MAX)
            })
            .max_capacity(capacity)
            .time_to_idle(IDLE)
            .build();
        let builders = std::thread::available_parallelism().map_or(1, NonZero::get);
        Self {
            cluster,
            finished,
            builders: Arc::new(Semaphore::new(builders)),
            metrics,
        }
    }

    /// The body of the answer for a stream, as of now.
    pub(crate) async fn answer(&self, namespace: &str, name: &str) -> Result<Bytes, NoAnswer> {
        let key = Key::new(namespace, name);
        if let Some(body) = self.find(&key).await? {
            return Ok(body);
        }
        let permit = Arc::clone(&self.builders).acquire_owned().await;
        let permit = permit.map_err(|error| NoAnswer::Failed(error.to_string()))?;
        if let Some(body) = self.find(&key).await? {
            return Ok(body);
        }
        let (cluster, metrics) = (Arc::clone(&self.cluster), self.metrics.clone());
        let wanted = key.clone();
        let built = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            let started = Instant::now();
            let finished = build(&cluster, &wanted)?;
            metrics.built(started.elapsed());
            Ok(finished)
        });
        let finished = built
            .await
            .map_err(|error| NoAnswer::Failed(error.to_string()))??;
        let body = finished.body.clone();
        self.finished
            .insert(key.as_str().to_owned(), finished)
            .await;
        Ok(body)
    }

    async fn find(&self, key: &Key) -> Result<Option<Bytes>, NoAnswer> {
        let Some(Finished { stamp, body }) = self.finished.get(key.as_str()).await else {
            return self
                .cluster
                .check(key)
                .map(|()| None)
                .map_err(NoAnswer::Status);
        };
        let now = self.cluster.stamp(key, stamp).map_err(NoAnswer::Status)?;
        if !now.is_of_same_answer(stamp) {
            return Ok(None);
        }
        if now != stamp {
            let body = body.clone();
            let confirmed = Finished { stamp: now, body };
            self.finished
                .insert(key.as_str().to_owned(), confirmed)
                .await;
        }
        self.metrics.reused();
        Ok(Some(body))
    }
}

fn build(cluster: &Cluster, key: &Key) -> Result<Finished, NoAnswer> {
    let (layers, stamp) = cluster.layers(key).map_err(NoAnswer::Status)?;
    let mut text = layers
        .to_json()
        .map_err(|error| NoAnswer::Failed(error.to_string()))?;
    // The API server ends its objects with a line break.
    text.push('\n');
    Ok(Finished {
        stamp,
        body: text.into(),
    })
}
