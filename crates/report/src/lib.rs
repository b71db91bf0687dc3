//! What measurements have in common.
//!
//! ```text
//!  benchmark ──► publish("policy", rows, text) ──► stdout
//!                                              ──► target/bench/policy.json   the rows
//!                                              ──► target/bench/policy.md     the text
//!  program `report`: target/bench/*.md         ──► docs/performance.md and docs/robustness.md,
//!                                                  between their markers
//! ```
//!
//! A run measures; only `report` (`make bench-docs`) changes a page.

mod machine;
mod measurements;
mod page;
mod table;

use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;

pub use machine::{locked_version, machine};
pub use measurements::Measurements;
pub use page::{PageError, names, with_section};
pub use table::Table;

/// A path in the project.
#[must_use]
pub fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path)
}

/// Prints the Markdown `text`, and writes it and the `rows` it was made from to `target/bench`.
///
/// # Errors
///
/// If a file cannot be written.
pub fn publish(name: &str, rows: &impl Serialize, text: &str) -> io::Result<()> {
    println!("{text}");
    let folder = project("target/bench");
    std::fs::create_dir_all(&folder)?;
    let mut json = serde_json::to_vec_pretty(rows)?;
    json.push(b'\n');
    std::fs::write(folder.join(name).with_extension("json"), json)?;
    std::fs::write(folder.join(name).with_extension("md"), text)
}
