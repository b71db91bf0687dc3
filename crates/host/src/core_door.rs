//! The library itself, without any WebAssembly.

use std::sync::Arc;

use imagestream_import_mode::cluster::{ClusterReader, ReadError, ResourceRef};
use imagestream_import_mode::{Decision, Outcome, Settings, evaluate};
use serde_json::Value;

use crate::calls::{Capabilities, Read};
use crate::cluster::Cluster;
use crate::door::{Door, Evaluation, HostError, SettingsValidation};
use crate::request::Request;
use crate::response::AdmissionResponse;

/// Calls the library in this process.
#[derive(Clone, Copy, Debug, Default)]
pub struct CoreDoor;

impl Door for CoreDoor {
    fn name(&self) -> &'static str {
        "core"
    }

    fn evaluate(
        &self,
        request: &Request,
        settings: &Value,
        cluster: Arc<dyn Cluster>,
    ) -> Result<Evaluation, HostError> {
        let capabilities = Capabilities::new(cluster);
        let payload = request.payload(settings);
        let decision = evaluate(&payload, &Reader(&capabilities));
        if let Some(message) = &decision.log {
            let line = serde_json::json!({"level": "WARNING", "message": message});
            capabilities.log(line.to_string());
        }
        let mutated_object = match &decision.outcome {
            Outcome::Mutate(mutation) => {
                // Text that is not JSON must not look like no change.
                let text = mutation.mutated_object();
                Some(serde_json::from_str(&text).unwrap_or(Value::String(text)))
            }
            Outcome::Accept | Outcome::Reject(_) => None,
        };
        Ok(Evaluation {
            response: response(request.uid(), &decision),
            calls: capabilities.take_calls(),
            mutated_object,
        })
    }

    fn validate_settings(&self, settings: &[u8]) -> SettingsValidation {
        let message = Settings::parse(settings)
            .err()
            .map(|error| error.to_string());
        SettingsValidation {
            valid: message.is_none(),
            message,
        }
    }
}

fn response(uid: &str, decision: &Decision<'_>) -> AdmissionResponse {
    let mut response = match &decision.outcome {
        Outcome::Reject(rejection) => {
            AdmissionResponse::reject(uid, rejection.message.clone(), rejection.code)
        }
        Outcome::Accept | Outcome::Mutate(_) => AdmissionResponse {
            uid: uid.to_owned(),
            allowed: true,
            ..AdmissionResponse::default()
        },
    };
    if let Outcome::Mutate(mutation) = &decision.outcome {
        response.set_patch(&mutation.json_patch());
    }
    let warnings: Vec<_> = decision.warnings.iter().map(ToString::to_string).collect();
    let annotations: std::collections::BTreeMap<_, _> = decision
        .audit_annotations
        .iter()
        .map(|(key, value)| ((*key).to_owned(), value.clone()))
        .collect();
    response.warnings = (!warnings.is_empty()).then_some(warnings);
    response.audit_annotations = (!annotations.is_empty()).then_some(annotations);
    response
}

/// The library's reads, through the same capabilities and texts as the guests'.
struct Reader<'a>(&'a Capabilities);

impl ClusterReader for Reader<'_> {
    fn get_resource(&self, resource: &ResourceRef<'_>) -> Result<String, ReadError> {
        self.0
            .get_resource(Read::from(resource))
            .map_err(|text| ReadError::from_host_text(&format!("Host error: {text}")))
    }
}
