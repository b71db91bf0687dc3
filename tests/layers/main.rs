//! The layers system from outside: recorded answers, rules, bad input, random histories.

#![expect(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking, its helpers too"
)]

mod bad_input;
mod captured;
mod cases;
mod footprint;
mod histories;
mod openshift;
mod property;
mod rules;
mod support;
mod upstream;
