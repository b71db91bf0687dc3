//! How the feeds fare.

use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use prometheus_client::encoding::{EncodeLabelSet, EncodeLabelValue};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::{Registry, Unit};

use crate::feed::Resource;

/// Why a watch was followed by another request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EncodeLabelValue)]
pub(crate) enum Restart {
    /// The API server ended it, as it does now and then.
    Ended,
    /// Its version was too old: a list follows.
    Expired,
    /// It failed.
    Broken,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Of {
    resource: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RestartOf {
    resource: &'static str,
    reason: Restart,
}

type Seconds = Gauge<f64, AtomicU64>;

/// The metrics of all feeds.
pub(super) struct FeedFamilies {
    lag: Family<Of, Seconds>,
    lists: Family<Of, Counter>,
    failed_lists: Family<Of, Counter>,
    unusable: Family<Of, Counter>,
    restarts: Family<RestartOf, Counter>,
}

/// The metrics of one feed.
#[derive(Clone, Debug)]
pub(crate) struct FeedMetrics {
    resource: Resource,
    heard: Arc<Mutex<Option<Instant>>>,
    lag: Seconds,
    lists: Counter,
    failed_lists: Counter,
    unusable: Counter,
    restarts: Family<RestartOf, Counter>,
}

impl FeedFamilies {
    pub(super) fn register(registry: &mut Registry) -> Self {
        let families = Self {
            lag: Family::default(),
            lists: Family::default(),
            failed_lists: Family::default(),
            unusable: Family::default(),
            restarts: Family::default(),
        };
        registry.register_with_unit(
            "lag",
            "Time since the API server last confirmed the state by a list, an event or a bookmark, \
             which comes every minute; -1 before the first list",
            Unit::Seconds,
            families.lag.clone(),
        );
        registry.register("lists", "Complete lists", families.lists.clone());
        registry.register(
            "failed_lists",
            "Lists that failed",
            families.failed_lists.clone(),
        );
        registry.register(
            "unusable_objects",
            "Objects that could not be read and were left out",
            families.unusable.clone(),
        );
        registry.register(
            "watch_restarts",
            "Watches that were followed by another watch or a list, by reason",
            families.restarts.clone(),
        );
        families
    }

    pub(super) fn of(&self, resource: Resource) -> FeedMetrics {
        let label = Of {
            resource: resource.as_str(),
        };
        FeedMetrics {
            resource,
            heard: Arc::default(),
            lag: self.lag.get_or_create_owned(&label),
            lists: self.lists.get_or_create_owned(&label),
            failed_lists: self.failed_lists.get_or_create_owned(&label),
            unusable: self.unusable.get_or_create_owned(&label),
            restarts: self.restarts.clone(),
        }
    }
}

impl FeedMetrics {
    /// A list was completed.
    pub(crate) fn listed(&self) {
        self.lists.inc();
        self.heard();
    }

    pub(crate) fn list_failed(&self) {
        self.failed_lists.inc();
    }

    /// The API server confirmed the state.
    pub(crate) fn heard(&self) {
        *self.heard.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }

    pub(crate) fn unusable(&self) {
        self.unusable.inc();
    }

    pub(crate) fn restarted(&self, reason: Restart) {
        let label = RestartOf {
            resource: self.resource.as_str(),
            reason,
        };
        self.restarts.get_or_create(&label).inc();
    }

    /// Sets what changes by itself.
    pub(super) fn refresh(&self) {
        let heard = *self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        self.lag
            .set(heard.map_or(-1.0, |heard| heard.elapsed().as_secs_f64()));
    }
}
