//! The policy's module, for every test of the tool.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

/// A path in the project.
pub fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path)
}

/// The policy's module, built by the recipe that ships it.
pub static MODULE: LazyLock<PathBuf> = LazyLock::new(|| {
    let status = Command::new("make")
        .args(["--silent", "policy.wasm"])
        .current_dir(project(""))
        .env_remove("MAKEFLAGS")
        .env_remove("MAKELEVEL")
        .status()
        .expect("make runs");
    assert!(status.success(), "`make policy.wasm` failed");
    project("policy.wasm")
});
