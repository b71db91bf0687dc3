//! The component's interface `admission` as a door.

use std::fmt::Display;
use std::sync::Arc;

use serde_json::Value;
use wasmtime::Store;

use crate::calls::HostCalls;
use crate::cluster::{Cluster, NoCluster};
use crate::component::bindings::exports::imagestream_import_mode::policy::admission as wit;
use crate::component::{Component, Host};
use crate::component_index::ComponentIndex;
use crate::door::{Door, Evaluation, HostError, SettingsValidation};
use crate::engine::GuestError;
use crate::mode;
use crate::request::Request;
use crate::response::AdmissionResponse;

/// A compiled component of the world `policy`; every request runs in an instance of its own.
pub struct ComponentPolicy(Component);

impl ComponentPolicy {
    /// Compiles a component.
    ///
    /// # Errors
    ///
    /// If it is no component, or not one of the world `policy`.
    pub fn new(component: &[u8]) -> Result<Self, HostError> {
        Component::new(component).map(Self)
    }

    /// An empty index of layers, in an instance of its own.
    ///
    /// # Errors
    ///
    /// If the component cannot be started.
    pub fn index(&self) -> Result<ComponentIndex, HostError> {
        ComponentIndex::new(&self.0)
    }

    /// Calls the interface `admission` in a fresh instance.
    fn call<T>(
        &self,
        cluster: Arc<dyn Cluster>,
        function: impl FnOnce(&wit::Guest, &mut Store<Host>) -> wasmtime::Result<T>,
    ) -> Result<(Result<T, GuestError>, HostCalls), HostError> {
        let (policy, mut store) = self.0.instantiate(cluster)?;
        let answer = function(
            policy.imagestream_import_mode_policy_admission(),
            &mut store,
        );
        let calls = store.data().capabilities.take_calls();
        Ok((answer.map_err(GuestError::from), calls))
    }

    /// The JSON Patch of one decision and nothing else of it; none if nothing changes.
    ///
    /// # Errors
    ///
    /// If the component does not start, does not answer, or refuses the request.
    pub fn json_patch(
        &self,
        request: &str,
        settings: &str,
        cluster: Arc<dyn Cluster>,
    ) -> Result<Option<String>, HostError> {
        let (answer, _) = self.call(cluster, |policy, store| {
            policy.call_json_patch(store, request, settings)
        })?;
        let failed = |error: &dyn Display| HostError::Start(error.to_string());
        match answer {
            Ok(Ok(patch)) => Ok(patch),
            Ok(Err(wit::ValidationError::MalformedRequest(message))) => Err(failed(&message)),
            Err(error) => Err(failed(&error)),
        }
    }

    /// The verdict, and the patch if it is a change.
    fn decide(
        &self,
        request: &Request,
        settings: &Value,
        cluster: Arc<dyn Cluster>,
    ) -> Result<(Result<Decided, GuestError>, HostCalls), HostError> {
        let (request, settings) = (request.text(), settings.to_string());
        let again = Arc::clone(&cluster);
        let (verdict, calls) = self.call(cluster, |policy, store| {
            policy.call_validate(store, request, &settings)
        })?;
        let verdict = match verdict {
            Ok(verdict) => verdict,
            Err(error) => return Ok((Err(error), calls)),
        };
        let mut patch = None;
        if matches!(verdict, Ok(wit::Verdict::Mutate(_))) {
            // The reads of this second call are the first one's.
            let (answer, _) = self.call(again, |policy, store| {
                policy.call_json_patch(store, request, &settings)
            })?;
            match answer {
                Ok(answer) => patch = answer.ok().flatten(),
                Err(error) => return Ok((Err(error), calls)),
            }
        }
        Ok((Ok(Decided { verdict, patch }), calls))
    }
}

struct Decided {
    verdict: Result<wit::Verdict, wit::ValidationError>,
    patch: Option<String>,
}

impl Door for ComponentPolicy {
    fn name(&self) -> &'static str {
        "component"
    }

    fn evaluate(
        &self,
        request: &Request,
        settings: &Value,
        cluster: Arc<dyn Cluster>,
    ) -> Result<Evaluation, HostError> {
        let (decided, mut calls) = self.decide(request, settings, cluster)?;
        let mut evaluation = Evaluation {
            response: AdmissionResponse {
                uid: request.uid().to_owned(),
                allowed: true,
                ..AdmissionResponse::default()
            },
            calls: HostCalls::default(),
            mutated_object: None,
        };
        let response = &mut evaluation.response;
        let log = match decided {
            Err(error) => {
                *response = error.response(request.uid());
                None
            }
            Ok(Decided { verdict, patch }) => match verdict {
                Err(wit::ValidationError::MalformedRequest(message)) => {
                    *response = AdmissionResponse::reject(request.uid(), message, 400);
                    None
                }
                Ok(wit::Verdict::Accept(acceptance)) => {
                    response.warnings = lines(acceptance.warnings);
                    acceptance.log
                }
                Ok(wit::Verdict::Mutate(mutation)) => {
                    evaluation.mutated_object = request
                        .object()
                        .map(|object| with_edits(object, &mutation.edits));
                    response.set_patch(&patch.unwrap_or_default());
                    response.warnings = lines(mutation.warnings);
                    let annotations = mutation.audit_annotations.into_iter();
                    response.audit_annotations =
                        Some(annotations.map(|entry| (entry.key, entry.value)).collect());
                    mutation.log
                }
                Ok(wit::Verdict::Reject(rejection)) => {
                    *response =
                        AdmissionResponse::reject(request.uid(), rejection.message, rejection.code);
                    rejection.log
                }
            },
        };
        calls.log.extend(log.map(|message| {
            serde_json::json!({"level": "WARNING", "message": message}).to_string()
        }));
        evaluation.calls = calls;
        Ok(evaluation)
    }

    fn validate_settings(&self, settings: &[u8]) -> SettingsValidation {
        let refused = |error: &dyn Display| SettingsValidation {
            valid: false,
            message: Some(error.to_string()),
        };
        let settings = String::from_utf8_lossy(settings);
        let answer = self.call(Arc::new(NoCluster), |policy, store| {
            policy.call_validate_settings(store, &settings)
        });
        match answer {
            Err(error) => refused(&error),
            Ok((Err(error), _)) => refused(&error),
            Ok((Ok(faults), _)) => {
                let messages: Vec<_> = faults.into_iter().map(|fault| fault.message).collect();
                let message = format!("invalid settings: {}", messages.join("; "));
                SettingsValidation {
                    valid: messages.is_empty(),
                    message: (!messages.is_empty()).then_some(message),
                }
            }
        }
    }
}

fn lines(warnings: Vec<wit::Warning>) -> Option<Vec<String>> {
    let lines: Vec<_> = warnings.into_iter().map(|warning| warning.line).collect();
    (!lines.is_empty()).then_some(lines)
}

/// The object with the typed edits; null if one of them fits nowhere.
fn with_edits(object: &Value, edits: &[wit::Edit]) -> Value {
    let mut object = object.clone();
    for edit in edits {
        let mode = match edit.mode {
            wit::ImportMode::Legacy => "Legacy",
            wit::ImportMode::PreserveOriginal => "PreserveOriginal",
        };
        if mode::set(&mut object, &edit.pointer, mode).is_none() {
            return Value::Null;
        }
    }
    object
}
