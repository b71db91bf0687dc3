//! Many readers while the cluster changes and while the service ends.
//!
//! A file of its own: it counts the memory of the whole process.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking, its helpers too"
)]

#[path = "../double/mod.rs"]
mod double;
#[path = "../../../../benches/layers/memory.rs"]
#[expect(dead_code, reason = "the benchmark of the index uses the rest")]
mod memory;

mod churn;
mod shutdown;

use tokio::sync::Mutex;

#[global_allocator]
static ALLOCATOR: memory::Allocator = memory::Allocator;

/// One test at a time.
static ALONE: Mutex<()> = Mutex::const_new(());
