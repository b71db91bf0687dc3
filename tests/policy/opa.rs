//! The OPA module: its interface, its memory, and any bytes at all.

use imagestream_import_mode_host::{AdmissionResponse, GuestError, OpaInstance, OpaPolicy};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::json;
use wasmtime::{Engine, ExternType, Module};

use crate::support::{OPA, OPA_POLICY};

#[test]
fn it_imports_a_memory_of_five_pages_and_nothing_else() {
    let module = Module::new(&Engine::default(), &*OPA).unwrap();
    let imports: Vec<_> = module
        .imports()
        .map(|import| match import.ty() {
            ExternType::Memory(memory) => (
                format!("{}.{}", import.module(), import.name()),
                memory.minimum(),
                memory.maximum(),
            ),
            other => panic!("an import of {other:?}"),
        })
        .collect();
    assert_eq!(imports, [("env.memory".to_owned(), 5, None)]);
}

#[test]
fn it_exports_the_abi() {
    let module = Module::new(&Engine::default(), &*OPA).unwrap();
    let mut exports: Vec<_> = module
        .exports()
        .filter(|export| !export.name().starts_with("__"))
        .map(|export| match export.ty() {
            ExternType::Func(function) => {
                let results = function.results().len();
                format!("{}({}) {results}", export.name(), function.params().len())
            }
            _ => export.name().to_owned(),
        })
        .collect();
    exports.sort();
    assert_eq!(
        exports,
        [
            "builtins(0) 1",
            "entrypoints(0) 1",
            "eval(1) 1",
            "memory",
            "opa_eval(7) 1",
            "opa_eval_ctx_get_result(1) 1",
            "opa_eval_ctx_new(0) 1",
            "opa_eval_ctx_set_data(2) 0",
            "opa_eval_ctx_set_entrypoint(2) 0",
            "opa_eval_ctx_set_input(2) 0",
            "opa_free(1) 0",
            "opa_heap_blocks_restore(0) 0",
            "opa_heap_blocks_stash(0) 0",
            "opa_heap_ptr_get(0) 1",
            "opa_heap_ptr_set(1) 0",
            "opa_heap_stash_clear(0) 0",
            "opa_json_dump(1) 1",
            "opa_json_parse(2) 1",
            "opa_malloc(1) 1",
            "opa_value_add_path(3) 1",
            "opa_value_dump(1) 1",
            "opa_value_free(1) 0",
            "opa_value_parse(2) 1",
            "opa_value_remove_path(2) 1",
            "opa_wasm_abi_minor_version",
            "opa_wasm_abi_version",
        ]
    );
}

#[test]
fn the_globals_name_the_abi() {
    let mut instance = OPA_POLICY.instance().unwrap();
    assert_eq!(instance.global("opa_wasm_abi_version"), Some(1));
    assert_eq!(instance.global("opa_wasm_abi_minor_version"), Some(3));
}

fn instance() -> OpaInstance {
    OPA_POLICY.instance().unwrap()
}

fn answer(instance: &mut OpaInstance, data: &[u8], input: &[u8]) -> AdmissionResponse {
    let result = instance
        .evaluate(data, input)
        .unwrap_or_else(|error| panic!("{error}\non {}", String::from_utf8_lossy(input)));
    OpaPolicy::response(&result).expect("a result set of one response")
}

fn import_of(tags: usize) -> Vec<u8> {
    let images: Vec<_> = (0..tags)
        .map(|n| json!({"from": {"kind": "DockerImage", "name": format!("q.io/a:{n}")}, "to": {"name": format!("{n}")}}))
        .collect();
    let kind = json!({"group": "image.openshift.io", "version": "v1", "kind": "ImageStreamImport"});
    let object = json!({"spec": {"import": true, "images": images}});
    json!({"request": {
        "uid": "u", "operation": "CREATE", "namespace": "n", "name": "s", "kind": kind, "object": object,
    }})
    .to_string()
    .into_bytes()
}

fn multi() -> Vec<u8> {
    json!({"kubernetes": {
        "images": {},
        "clusterversions": {"version": {"status": {"desired": {"architecture": "Multi"}}}},
        "imagestreams": {"n": {"s": {"spec": {"tags": [{"name": "0"}]}}}},
    }})
    .to_string()
    .into_bytes()
}

#[test]
fn ten_thousand_evaluations_leave_the_memory_as_it_is() {
    let mut instance = instance();
    let inputs = [import_of(3), b"{".to_vec(), import_of(40)];
    let answers: Vec<_> = inputs
        .iter()
        .map(|input| answer(&mut instance, &multi(), input))
        .collect();
    assert_eq!(instance.pages(), 5);
    for round in 0..10_000 {
        let which = round % inputs.len();
        assert_eq!(
            answer(&mut instance, &multi(), &inputs[which]),
            answers[which]
        );
    }
    assert_eq!(instance.pages(), 5);
}

#[test]
fn a_large_request_grows_the_memory_once() {
    let mut instance = instance();
    let large = import_of(20_000);
    assert!(answer(&mut instance, &multi(), &large).patch.is_some());
    let pages = instance.pages();
    for _ in 0..20 {
        assert!(answer(&mut instance, &multi(), &large).patch.is_some());
        assert!(answer(&mut instance, &multi(), &import_of(1)).allowed);
    }
    assert_eq!(instance.pages(), pages);
}

#[test]
fn bad_input_has_a_status() {
    let mut instance = instance();
    let deep = |n: usize| format!("{}{}", "[".repeat(n), "]".repeat(n));
    let named = |name: &str| {
        String::from_utf8(import_of(1))
            .unwrap()
            .replace(r#""name":"0""#, &format!(r#""name":{name}"#))
    };
    for (input, allowed) in [
        (String::new(), false),
        ("null".into(), false),
        ("[".repeat(100_000), false),
        (deep(100_000), false),
        (r#"{"request":{"uid":"u"}}"#.into(), false),
        // The deepest names that are compared by value need the most stack.
        (named(&deep(64)), true),
        (
            named(&format!(
                "{}1{}",
                r#"{"\u0061":["#.repeat(60),
                "]}".repeat(60)
            )),
            true,
        ),
        (named("\"\\ud800\""), true),
    ] {
        let response = answer(&mut instance, &multi(), input.as_bytes());
        assert_eq!(response.allowed, allowed, "{input}");
        if !allowed {
            let status = response.status.unwrap();
            assert_eq!(status.code, Some(400));
            let message = status.message.unwrap();
            assert!(
                message.starts_with("cannot understand the admission request: "),
                "{message}"
            );
        }
    }
}

#[test]
fn a_module_without_the_abi_is_refused() {
    let error = OpaPolicy::new(b"{}").err().unwrap();
    assert!(
        error.to_string().starts_with("not an OPA policy: "),
        "{error}"
    );
    let six_pages = r#"(module (import "env" "memory" (memory 6)))"#;
    let error = OpaPolicy::new(six_pages.as_bytes())
        .unwrap()
        .instance()
        .err()
        .unwrap();
    assert!(
        error
            .to_string()
            .contains("incompatible import type for `env::memory`"),
        "{error}"
    );
}

#[test]
fn an_endless_evaluation_is_cut_off() {
    let endless = r#"(module
        (import "env" "memory" (memory 5))
        (func (export "opa_malloc") (param i32) (result i32) (i32.const 8))
        (func (export "opa_json_parse") (param i32 i32) (result i32) (i32.const 8))
        (func (export "opa_heap_ptr_get") (result i32) (i32.const 8))
        (func (export "opa_heap_ptr_set") (param i32) (loop (br 0))))"#;
    let policy = OpaPolicy::new(endless.as_bytes()).unwrap();
    let error = policy
        .instance()
        .unwrap()
        .evaluate(b"{}", b"{}")
        .unwrap_err();
    assert_eq!(error, GuestError::TimedOut);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn any_bytes_get_an_answer(data in vec(any::<u8>(), 0..60), input in vec(any::<u8>(), 0..60)) {
        let mut instance = instance();
        answer(&mut instance, &data, &input);
        answer(&mut instance, &multi(), &input);
        answer(&mut instance, &data, &import_of(1));
    }

    #[test]
    fn a_damaged_request_gets_an_answer(at in any::<proptest::sample::Index>(), byte in any::<u8>()) {
        let mut instance = instance();
        let mut input = import_of(2);
        let at = at.index(input.len());
        input[at] = byte;
        answer(&mut instance, &multi(), &input);
        let mut data = multi();
        let at = at % data.len();
        data[at] = byte;
        answer(&mut instance, &data, &import_of(2));
    }
}
