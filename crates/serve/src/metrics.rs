//! What the service tells Prometheus.

mod feed;

use std::sync::Arc;
use std::time::Duration;

use prometheus_client::encoding::{EncodeLabelSet, text};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::{Registry, Unit};

use crate::cluster::Counts;
use crate::feed::Resource;
use feed::FeedFamilies;
pub(crate) use feed::{FeedMetrics, Restart};

/// All metrics of one service.
#[derive(Clone, Debug)]
pub(crate) struct Metrics {
    registry: Arc<Registry>,
    images: Gauge,
    streams: Gauge,
    problems: Gauge,
    requests: Family<Request, Histogram, fn() -> Histogram>,
    builds: Histogram,
    cached: Counter,
    reviews: Family<Review, Counter>,
    images_feed: FeedMetrics,
    streams_feed: FeedMetrics,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Request {
    code: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Review {
    review: &'static str,
    outcome: &'static str,
}

/// From a tenth of a millisecond to over three seconds.
fn seconds() -> Histogram {
    Histogram::new(exponential_buckets(0.0001, 2.0, 16))
}

impl Metrics {
    pub(crate) fn new() -> Self {
        let mut registry = Registry::with_prefix("imagestream_layers");
        let (images, streams, problems) = (Gauge::default(), Gauge::default(), Gauge::default());
        registry.register("images", "Images in the index", images.clone());
        registry.register("streams", "Image streams", streams.clone());
        registry.register(
            "image_problems",
            "Inconsistencies in stored images, which are left out of the answers",
            problems.clone(),
        );
        let requests = Family::new_with_constructor(seconds as fn() -> Histogram);
        registry.register_with_unit(
            "request",
            "Time to answer requests for layers, reviews included, by HTTP status code",
            Unit::Seconds,
            requests.clone(),
        );
        let builds = seconds();
        registry.register_with_unit(
            "answer_build",
            "Time to build answers that were not cached",
            Unit::Seconds,
            builds.clone(),
        );
        let cached = Counter::default();
        registry.register(
            "cached_answers",
            "Answers taken from the cache",
            cached.clone(),
        );
        let reviews = Family::default();
        registry.register(
            "reviews",
            "Reviews asked of the API server, by kind and outcome",
            reviews.clone(),
        );
        let feeds = FeedFamilies::register(&mut registry);
        Self {
            images,
            streams,
            problems,
            requests,
            builds,
            cached,
            reviews,
            images_feed: feeds.of(Resource::Images),
            streams_feed: feeds.of(Resource::ImageStreams),
            registry: Arc::new(registry),
        }
    }

    pub(crate) fn feed(&self, resource: Resource) -> FeedMetrics {
        match resource {
            Resource::Images => self.images_feed.clone(),
            Resource::ImageStreams => self.streams_feed.clone(),
        }
    }

    /// A request for layers was answered.
    pub(crate) fn answered(&self, code: u16, time: Duration) {
        let request = Request { code: code.into() };
        self.requests
            .get_or_create(&request)
            .observe(time.as_secs_f64());
    }

    /// An answer was built.
    pub(crate) fn built(&self, time: Duration) {
        self.builds.observe(time.as_secs_f64());
    }

    /// An answer came from the cache.
    pub(crate) fn reused(&self) {
        self.cached.inc();
    }

    /// The API server was asked for a review.
    pub(crate) fn reviewed(&self, review: &'static str, outcome: &'static str) {
        self.reviews
            .get_or_create(&Review { review, outcome })
            .inc();
    }

    /// All metrics in the OpenMetrics text format.
    pub(crate) fn encode(&self, counts: Counts) -> Result<String, std::fmt::Error> {
        for (gauge, count) in [
            (&self.images, counts.images),
            (&self.streams, counts.streams),
            (&self.problems, counts.problems),
        ] {
            gauge.set(i64::try_from(count).unwrap_or(i64::MAX));
        }
        self.images_feed.refresh();
        self.streams_feed.refresh();
        let mut text = String::new();
        text::encode(&mut text, &self.registry)?;
        Ok(text)
    }
}
