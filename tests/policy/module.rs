//! The module as a file: its interface, its size, and the contract of its functions.

use std::sync::Arc;
use std::time::{Duration, Instant};

use imagestream_import_mode_host::{Door, GuestError, NoCluster, Request, WapcPolicy};
use serde_json::json;
use wasmtime::{Engine, Module};

use crate::support::{MODULE, POLICY, answering};

const LARGEST: usize = 150 * 1024;

#[test]
fn the_module_is_small() {
    let size = MODULE.len();
    assert!(size <= LARGEST, "{size} bytes are more than {LARGEST}");
}

#[test]
fn no_path_of_the_building_machine_is_in_the_module() {
    for path in [
        env!("CARGO_MANIFEST_DIR"),
        "/.cargo/",
        "/.rustup/",
        "/home/",
        "/root/",
    ] {
        let found = MODULE
            .windows(path.len())
            .any(|window| window == path.as_bytes());
        assert!(!found, "`{path}` is in the module");
    }
}

#[test]
fn imports_and_exports_are_those_of_wapc_and_wasi() {
    let module = Module::new(&Engine::default(), &*MODULE).unwrap();
    let mut imports: Vec<_> = module
        .imports()
        .map(|import| format!("{}.{}", import.module(), import.name()))
        .collect();
    imports.sort();
    assert_eq!(
        imports,
        [
            "wapc.__guest_error",
            "wapc.__guest_request",
            "wapc.__guest_response",
            "wapc.__host_call",
            "wapc.__host_error",
            "wapc.__host_error_len",
            "wapc.__host_response",
            "wapc.__host_response_len",
            "wasi_snapshot_preview1.environ_get",
            "wasi_snapshot_preview1.environ_sizes_get",
            "wasi_snapshot_preview1.fd_write",
            "wasi_snapshot_preview1.proc_exit",
            "wasi_snapshot_preview1.random_get",
        ]
    );
    let mut exports: Vec<_> = module.exports().map(|export| export.name()).collect();
    exports.sort_unstable();
    assert_eq!(exports, ["__guest_call", "memory", "wapc_init"]);
}

fn call(policy: &WapcPolicy, operation: &str, payload: &[u8]) -> Result<String, GuestError> {
    let call = policy
        .call(operation, payload, Arc::new(NoCluster))
        .unwrap();
    assert_eq!(
        call.calls,
        Default::default(),
        "`{operation}` asked the host"
    );
    call.answer.map(|answer| String::from_utf8(answer).unwrap())
}

#[test]
fn the_protocol_version_is_v1() {
    assert_eq!(call(&POLICY, "protocol_version", b"").unwrap(), r#""v1""#);
}

#[test]
fn there_is_no_other_function() {
    let error = call(&POLICY, "validate_raw", b"{}").unwrap_err();
    assert_eq!(
        error.to_string(),
        "Guest call failure: No handler registered for function validate_raw"
    );
}

#[test]
fn settings_are_validated_with_our_text() {
    for settings in [
        "{}",
        "null",
        "",
        r#"{"overwrite":"Always","exemptUsers":["a"]}"#,
    ] {
        let validation = POLICY.validate_settings(settings.as_bytes());
        // A host never sends no bytes at all, but it must not be told that all is well.
        assert_eq!(validation.valid, !settings.is_empty(), "{settings:?}");
    }
    for settings in [
        &b"{"[..],
        b"\xff\xfe",
        b"[1]",
        b"\"x\"",
        b"{\"overwrite\":\"always\"}",
    ] {
        let ours = imagestream_import_mode::Settings::parse(settings).unwrap_err();
        let validation = POLICY.validate_settings(settings);
        assert_eq!(
            (validation.valid, validation.message),
            (false, Some(ours.to_string()))
        );
    }
}

fn request() -> Request {
    Request::raw(r#"{"uid":"u","object":{}}"#).unwrap()
}

#[test]
fn an_answer_that_is_none_is_an_internal_error() {
    for (answer, message) in [
        (
            r#"{"accepted":1}"#,
            "internal server error: invalid response from policy: invalid type: integer `1`, expected a boolean at line 1 column 13",
        ),
        (
            "{}",
            "internal server error: invalid response from policy: missing field `accepted` at line 1 column 2",
        ),
    ] {
        let policy = WapcPolicy::new(answering(answer).as_bytes()).unwrap();
        let evaluation = policy
            .evaluate(&request(), &json!({}), Arc::new(NoCluster))
            .unwrap();
        assert_eq!(evaluation.response.message(), Some(message));
        assert_eq!(evaluation.response.status.unwrap().code, Some(500));
    }
}

#[test]
fn an_endless_call_is_cut_off() {
    let endless = r#"(module
        (memory (export "memory") 1)
        (func (export "__guest_call") (param i32 i32) (result i32) (loop (br 0)) (i32.const 1)))"#;
    let policy = WapcPolicy::new(endless.as_bytes()).unwrap();
    let start = Instant::now();
    let evaluation = policy
        .evaluate(&request(), &json!({}), Arc::new(NoCluster))
        .unwrap();
    assert!(start.elapsed() < Duration::from_secs(4));
    assert!(!evaluation.response.allowed);
    assert_eq!(
        evaluation.response.message(),
        Some("Policy execution interrupted because it exceeded the allowed execution time")
    );
}

#[test]
fn what_is_no_module_is_said_to_be_none() {
    let error = WapcPolicy::new(b"\0asm\x0d\0\x01\0").err().unwrap();
    assert!(
        error.to_string().starts_with("not a waPC module: "),
        "{error}"
    );
}
