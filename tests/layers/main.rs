//! The layers system from outside: recorded answers, rules, bad input, random histories.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking, its helpers too"
)]

#[path = "../policy/support.rs"]
#[allow(dead_code, reason = "the other tests use the rest")]
mod artifacts;
mod bad_input;
mod captured;
mod cases;
mod component;
mod footprint;
mod histories;
mod openshift;
mod property;
mod rules;
mod support;
mod upstream;
