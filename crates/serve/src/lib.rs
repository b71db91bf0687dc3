//! The subresource `imagestreams/layers` over HTTP, for clusters and registries that lack it or want it
//! elsewhere.
//!
//! ```text
//! API server ──list, watch──> feed ──Image, ImageStream──> Cluster (ImageLayerIndex, streams)
//!     ^                                                       │ one lock, answers by revision
//!     └─TokenReview, SubjectAccessReview── auth               v
//!                                            └─ allowed ──> Answers ──> http ──> server (TLS, shutdown)
//! ```
//!
//! Images are reduced while they are parsed: a whole one exists as text only, one page of a list at a time.
//! The crate decides nothing about layers; that is [`imagestream_import_mode::layers`].

mod answers;
mod args;
mod auth;
mod backoff;
mod client;
mod cluster;
mod config;
mod error;
mod feed;
mod health;
mod http;
mod logs;
mod metrics;
mod run;
mod server;
mod status;
mod tls;

pub use args::{AuthorizationMode, LogFormat, ServeArgs};
pub use config::{Authorization, Config, ConfigError, FeedOptions, TlsFiles};
pub use error::ServeError;
pub use run::run;
pub use server::Service;
