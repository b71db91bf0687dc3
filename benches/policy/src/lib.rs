//! The policy's speed beside a floor, a typical policy, Rego and CEL.
//!
//! ```text
//!  inputs ──► every contender in turn, round after round ──► rows ──► report
//! ```
//!
//! A contender decides from the bytes that its host has to the bytes that its host gets; a guest in a
//! fresh instance each time, as policy-server runs it. Answers are compared before anything is timed.

pub mod contender;
pub mod goals;
pub mod inputs;
pub mod measure;
pub mod modules;
pub mod report;

/// Why a run ends early.
pub type Error = Box<dyn std::error::Error + Send + Sync>;
