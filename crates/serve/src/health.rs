//! Whether the service is to be asked.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::cluster::Cluster;

/// What the probes ask about.
#[derive(Clone)]
pub(crate) struct Health {
    cluster: Arc<Cluster>,
    ending: Arc<AtomicBool>,
}

impl Health {
    pub(crate) fn new(cluster: Arc<Cluster>) -> Self {
        Self {
            cluster,
            ending: Arc::default(),
        }
    }

    /// The service has been told to end.
    pub(crate) fn end(&self) {
        self.ending.store(true, Ordering::Release);
    }

    /// Why the service should not be asked now.
    pub(crate) fn unready(&self) -> Option<String> {
        if self.ending.load(Ordering::Acquire) {
            return Some("shutting down".to_owned());
        }
        if self.cluster.has_synced() {
            return None;
        }
        let missing = self.cluster.unsynced();
        let missing: Vec<String> = missing.iter().map(ToString::to_string).collect();
        Some(format!(
            "waiting for the first list of {}",
            missing.join(", ")
        ))
    }
}
