//! The built binaries, and the data beside the tests.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use imagestream_import_mode_host::{ComponentPolicy, OpaPolicy, WapcPolicy};

/// A path in the project.
pub fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// `policy.wasm`, built by the recipe that ships it.
pub static MODULE: LazyLock<Vec<u8>> = LazyLock::new(|| made("policy.wasm", "policy.wasm"));

/// The component, built by the recipe that ships it.
pub static COMPONENT: LazyLock<Vec<u8>> =
    LazyLock::new(|| made("component", "imagestream-import-mode.component.wasm"));

/// The OPA policy, built by the recipe that ships it.
pub static OPA: LazyLock<Vec<u8>> =
    LazyLock::new(|| made("opa", "imagestream-import-mode.opa.wasm"));

fn made(target: &str, file: &str) -> Vec<u8> {
    let status = Command::new("make")
        .args(["--silent", target])
        .current_dir(project(""))
        .env_remove("MAKEFLAGS")
        .env_remove("MAKELEVEL")
        .status()
        .expect("make runs");
    assert!(status.success(), "`make {target}` failed");
    std::fs::read(project(file)).expect("make leaves the file")
}

/// The component, compiled once.
pub static COMPONENT_POLICY: LazyLock<ComponentPolicy> =
    LazyLock::new(|| ComponentPolicy::new(&COMPONENT).expect("a component of the world"));

/// The OPA policy, compiled once.
pub static OPA_POLICY: LazyLock<OpaPolicy> =
    LazyLock::new(|| OpaPolicy::new(&OPA).expect("an OPA policy"));

/// The module, compiled once.
pub static POLICY: LazyLock<WapcPolicy> =
    LazyLock::new(|| WapcPolicy::new(&MODULE).expect("the module is a waPC module"));

/// A waPC module that accepts every request as it is, and all settings.
pub static ACCEPTS_EVERYTHING: LazyLock<WapcPolicy> = LazyLock::new(|| {
    let wat = answering(r#"{"accepted":true,"valid":true}"#);
    WapcPolicy::new(wat.as_bytes()).expect("the text is a waPC module")
});

/// A waPC module that gives the same answer to every call.
pub fn answering(answer: &str) -> String {
    let length = answer.len();
    let data = answer.replace('"', "\\\"");
    format!(
        r#"(module
            (import "wapc" "__guest_response" (func $respond (param i32 i32)))
            (memory (export "memory") 1)
            (data (i32.const 0) "{data}")
            (func (export "__guest_call") (param i32 i32) (result i32)
                (call $respond (i32.const 0) (i32.const {length}))
                (i32.const 1)))"#
    )
}
