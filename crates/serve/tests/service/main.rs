//! The service over HTTP, in front of an API server in this process.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking, its helpers too"
)]

#[path = "../double/mod.rs"]
mod double;

mod auth;
mod captured;
mod doors;
mod errors;
mod feed;
mod lists;
mod manifests;
mod metrics;
mod tls;
