//! What must hold for any bytes. Each function panics where it does not.
//!
//! libFuzzer calls them with what it makes up, `tests/policy/corpus.rs` with what it found. They use
//! the public interface of the core, and `serde_json` as the other opinion on JSON.

mod checks;
mod cluster;

pub use checks::{decide, json, settings, splice};
pub use cluster::Answers;
