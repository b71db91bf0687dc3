//! The OPA module in a host that we did not write: the Rust SDK `opa-wasm`.

use std::sync::Arc;

use imagestream_import_mode_host::{
    AdmissionResponse, Cluster, Door, Evaluation, HostCalls, HostError, OpaPolicy, Request,
    SettingsValidation,
};
use opa_wasm::Runtime;
use serde_json::{Value, json};
use tokio::runtime::Builder;
use wasmtime::{Engine, Module, Store};

use crate::support::OPA;

/// Evaluates with the SDK, which takes the fast path `opa_eval`.
pub struct OpaSdk {
    module: Module,
}

impl OpaSdk {
    pub fn new() -> Self {
        Self {
            module: Module::new(&Engine::default(), &*OPA).unwrap(),
        }
    }

    /// Every result in one instance.
    fn evaluate_all(&self, data: &Value, inputs: &[Value]) -> Vec<Value> {
        let runtime = Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let mut store = Store::new(self.module.engine(), ());
            let policy = Runtime::new(&mut store, &self.module).await.unwrap();
            assert_eq!(policy.abi_version().to_string(), "1.3 (1.2+ compatible)");
            assert_eq!(policy.default_entrypoint(), Some("policy/main"));
            let policy = policy.with_data(&mut store, data).await.unwrap();
            let mut results = Vec::new();
            for input in inputs {
                let result = policy.evaluate(&mut store, "policy/main", input).await;
                results.push(result.unwrap());
            }
            results
        })
    }
}

impl Door for OpaSdk {
    fn name(&self) -> &'static str {
        "opa-wasm"
    }

    fn asks(&self) -> bool {
        false
    }

    fn evaluate(
        &self,
        request: &Request,
        settings: &Value,
        cluster: Arc<dyn Cluster>,
    ) -> Result<Evaluation, HostError> {
        let data = OpaPolicy::data(request, settings, cluster.as_ref());
        let results = self.evaluate_all(&data, &[json!({"request": request.value()})]);
        let response: AdmissionResponse =
            OpaPolicy::response(results[0].to_string().as_bytes()).unwrap();
        Ok(Evaluation {
            response,
            calls: HostCalls::default(),
            mutated_object: None,
        })
    }

    fn validate_settings(&self, _settings: &[u8]) -> SettingsValidation {
        // The ABI has no call for it.
        SettingsValidation {
            valid: true,
            message: None,
        }
    }
}

#[test]
fn an_instance_is_used_again() {
    let large = json!({"request": {"uid": "x".repeat(1_000_000)}});
    let inputs = [json!(7), large, json!(7)];
    let results = OpaSdk::new().evaluate_all(&json!({}), &inputs);
    assert_eq!(results[0], results[2]);
    assert_eq!(
        results[0][0]["result"]["response"]["status"]["message"],
        "cannot understand the admission request: `request` must be an object"
    );
    let uid = results[1][0]["result"]["response"]["uid"].as_str().unwrap();
    assert_eq!(uid.len(), 1_000_000);
}
