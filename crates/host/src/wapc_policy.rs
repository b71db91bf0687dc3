//! The waPC module in wasmtime, as policy-server runs it.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use serde_json::Value;
use wapc::WapcHost;
use wasmtime::Module;
use wasmtime_provider::{
    EpochDeadlines, ResourceLimits, WasmtimeEngineProviderBuilder, WasmtimeEngineProviderPre,
};

use crate::calls::{Capabilities, HostCalls};
use crate::cluster::{Cluster, NoCluster};
use crate::door::{Door, Evaluation, HostError, SettingsValidation};
use crate::engine::{self, GuestError};
use crate::request::Request;
use crate::response::{AdmissionResponse, PolicyAnswer};

/// `wapc_init` and the call have the whole time each.
const DEADLINES: EpochDeadlines = EpochDeadlines {
    wapc_init: engine::DEADLINE,
    wapc_func: engine::DEADLINE,
};

/// The text of wasmtime-provider for a call that was cut off; it has no type for it.
const INTERRUPTED: &str = "guest code interrupted, execution deadline exceeded";

/// A compiled waPC module; every call runs in an instance of its own.
pub struct WapcPolicy {
    pre: WasmtimeEngineProviderPre,
}

/// One call of a guest function.
#[derive(Debug)]
pub struct GuestCall {
    /// The bytes it answered with.
    pub answer: Result<Vec<u8>, GuestError>,
    /// What it asked of the host.
    pub calls: HostCalls,
}

impl WapcPolicy {
    /// Compiles a module.
    ///
    /// # Errors
    ///
    /// If it is no core WebAssembly module, or imports something that waPC and WASI do not offer.
    pub fn new(module: &[u8]) -> Result<Self, HostError> {
        Self::with_limits(module, ResourceLimits::default())
    }

    /// Compiles a module whose memory may grow to `max_memory_bytes` and no further.
    /// policy-server sets no limit.
    ///
    /// # Errors
    ///
    /// As [`WapcPolicy::new`].
    pub fn with_max_memory(module: &[u8], max_memory_bytes: usize) -> Result<Self, HostError> {
        let max_memory_size = Some(max_memory_bytes);
        let limits = ResourceLimits {
            max_memory_size,
            ..ResourceLimits::default()
        };
        Self::with_limits(module, limits)
    }

    fn with_limits(module: &[u8], limits: ResourceLimits) -> Result<Self, HostError> {
        let module_error = |error: &dyn fmt::Display| HostError::Module(error.to_string());
        let engine = engine::ticking().map_err(|error| module_error(&error))?;
        let module = Module::new(&engine, module).map_err(|error| module_error(&error))?;
        let pre = WasmtimeEngineProviderBuilder::new()
            .engine(engine)
            .module(module)
            .enable_epoch_interruptions(DEADLINES)
            .enable_resource_limits(limits)
            .build_pre()
            .map_err(|error| module_error(&error))?;
        Ok(Self { pre })
    }

    /// Reads and compiles a module.
    ///
    /// # Errors
    ///
    /// As [`WapcPolicy::new`], or if the file cannot be read.
    pub fn from_file(path: &Path) -> Result<Self, HostError> {
        let module = std::fs::read(path).map_err(|source| HostError::Unreadable {
            path: path.display().to_string(),
            source,
        })?;
        Self::new(&module)
    }

    /// Calls a guest function by its waPC name, in a fresh instance.
    ///
    /// # Errors
    ///
    /// [`HostError::Start`] if `wapc_init` fails.
    pub fn call(
        &self,
        operation: &str,
        payload: &[u8],
        cluster: Arc<dyn Cluster>,
    ) -> Result<GuestCall, HostError> {
        let engine = self
            .pre
            .rehydrate(Some(DEADLINES))
            .map_err(|error| HostError::Start(error.to_string()))?;
        let capabilities = Arc::new(Capabilities::new(cluster));
        let host = WapcHost::new(Box::new(engine), {
            let capabilities = Arc::clone(&capabilities);
            Some(Box::new(
                move |_id, binding, namespace, operation, payload| {
                    capabilities
                        .host_call(binding, namespace, operation, payload)
                        .map_err(Into::into)
                },
            ))
        })
        .map_err(|error| HostError::Start(error.to_string()))?;
        let answer = host.call(operation, payload).map_err(|error| {
            let text = error.to_string();
            if text.contains(INTERRUPTED) {
                GuestError::TimedOut
            } else {
                GuestError::Failed(text)
            }
        });
        Ok(GuestCall {
            answer,
            calls: capabilities.take_calls(),
        })
    }
}

impl Door for WapcPolicy {
    fn name(&self) -> &'static str {
        "wapc"
    }

    fn evaluate(
        &self,
        request: &Request,
        settings: &Value,
        cluster: Arc<dyn Cluster>,
    ) -> Result<Evaluation, HostError> {
        let call = self.call("validate", &request.payload(settings), cluster)?;
        let mut mutated_object = None;
        let response = match call.answer {
            Ok(answer) => match serde_json::from_slice::<PolicyAnswer>(&answer) {
                Ok(answer) => {
                    let response =
                        AdmissionResponse::from_answer(request.uid(), request.object(), &answer);
                    mutated_object = answer.mutated_object;
                    response
                }
                Err(error) => AdmissionResponse::internal_error(
                    request.uid(),
                    &format!("invalid response from policy: {error}"),
                ),
            },
            Err(error) => error.response(request.uid()),
        };
        Ok(Evaluation {
            response,
            calls: call.calls,
            mutated_object,
        })
    }

    fn validate_settings(&self, settings: &[u8]) -> SettingsValidation {
        let refused = |message: String| SettingsValidation {
            valid: false,
            message: Some(message),
        };
        match self.call("validate_settings", settings, Arc::new(NoCluster)) {
            Ok(call) => match call.answer {
                Ok(answer) => serde_json::from_slice(&answer).unwrap_or_else(|error| {
                    refused(format!("invalid response from policy: {error}"))
                }),
                Err(error) => refused(format!(
                    "Error invoking settings validation callback: {error}"
                )),
            },
            Err(error) => refused(error.to_string()),
        }
    }
}
