//! One watch, from its request to its end.

use std::time::{Duration, Instant};

use http_body_util::BodyExt as _;
use kube::Client;
use tokio::time::{Instant as Deadline, timeout, timeout_at};

use super::event::{Event, Head};
use super::lines::Lines;
use super::sink::Sink;
use crate::client::{self, ClientError};
use crate::config::FeedOptions;
use crate::metrics::FeedMetrics;

/// The longest line that is read: no object in etcd comes near it.
const LONGEST_LINE: usize = 64 << 20;

/// What the API server may take to answer at all, and to end a watch whose time is up.
const GRACE: Duration = Duration::from_secs(15);

/// A watch that lives this long without an event is a quiet one, not a failed one.
const QUIET: Duration = Duration::from_secs(5);

/// Why a watch is over.
#[derive(Debug)]
pub(super) enum Ending {
    /// The API server ended it soon.
    Ended,
    /// The API server ended it after a while.
    Lasted,
    /// The API server has forgotten the version.
    Expired,
    /// An event cannot be understood, and would not be next time.
    Unreadable(ClientError),
    /// It failed, and may succeed next time.
    Broken(ClientError),
}

/// A watch of one resource.
pub(super) struct Watch<'a, S> {
    pub(super) client: &'a Client,
    pub(super) sink: &'a S,
    pub(super) metrics: &'a FeedMetrics,
    pub(super) options: FeedOptions,
}

impl<S: Sink> Watch<'_, S> {
    /// Watches from `version`, which follows the events. Returns also whether an event came.
    pub(super) async fn run(&self, version: &mut String) -> (Ending, bool) {
        let started = Instant::now();
        let mut progress = false;
        let ending = match self.receive(version, &mut progress).await {
            Ok(()) if started.elapsed() >= QUIET.min(self.options.watch) => Ending::Lasted,
            Ok(()) => Ending::Ended,
            Err(error) if error.is_expired() => Ending::Expired,
            Err(error @ ClientError::Malformed(_)) => Ending::Unreadable(error),
            Err(error) => Ending::Broken(error),
        };
        (ending, progress)
    }

    async fn receive(&self, version: &mut String, progress: &mut bool) -> Result<(), ClientError> {
        let seconds = self.options.watch.as_secs().max(1).to_string();
        let query = [
            ("watch", "true"),
            ("allowWatchBookmarks", "true"),
            ("resourceVersion", version.as_str()),
            ("timeoutSeconds", &seconds),
        ];
        let request = client::get(S::RESOURCE.path(), &query)?;
        let deadline = Deadline::now() + self.options.watch + GRACE;
        let mut body = timeout(GRACE, client::send(self.client, request))
            .await
            .map_err(|_| ClientError::Timeout)??;
        let mut lines = Lines::new(LONGEST_LINE);
        loop {
            let patience = deadline.min(Deadline::now() + self.options.silence);
            let frame = match timeout_at(patience, body.frame()).await {
                Ok(Some(frame)) => frame,
                Ok(None) => break,
                Err(_) if Deadline::now() >= deadline => return Err(ClientError::Timeout),
                // The connection may be dead: the next request, which is not patient, will tell.
                Err(_) => break,
            };
            let frame = frame.map_err(|error| ClientError::transport(&error))?;
            let Ok(piece) = frame.into_data() else {
                continue;
            };
            lines
                .push(&piece)
                .map_err(|_| ClientError::Malformed("an event of more than 64 MiB".to_owned()))?;
            while let Some(line) = lines.next() {
                if !line.is_empty() {
                    self.take(line, version)?;
                    *progress = true;
                }
            }
        }
        if lines.is_unfinished() {
            return Err(ClientError::Transport(
                "the watch ended amid an event".to_owned(),
            ));
        }
        Ok(())
    }

    /// Hands one event to the sink.
    fn take(&self, line: &[u8], version: &mut String) -> Result<(), ClientError> {
        let malformed = |error: serde_json::Error| ClientError::Malformed(error.to_string());
        let object = match Event::read(line).map_err(malformed)? {
            Event::Failed(status) => return Err(ClientError::Status(status)),
            Event::Other => return Ok(()),
            Event::Changed(object) => {
                if let Err(fault) = self.sink.changed(object) {
                    self.metrics.unusable();
                    tracing::warn!(resource = %S::RESOURCE, "left out: {fault}");
                    // Its old state is no longer true.
                    self.sink.deleted(&Head::read(object).map_err(malformed)?);
                }
                object
            }
            Event::Deleted(object) => {
                self.sink.deleted(&Head::read(object).map_err(malformed)?);
                object
            }
            Event::Bookmark(object) => object,
        };
        let head = Head::read(object).map_err(malformed)?;
        if !head.version.is_empty() {
            *version = head.version;
        }
        self.metrics.heard();
        Ok(())
    }
}
