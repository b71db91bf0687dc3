//! The guest functions.

use imagestream_import_mode::{Decision, JsonObject, Outcome, Settings, Warning, evaluate};
use kubewarden_policy_sdk::metadata::ProtocolVersion;
use wapc_guest::{CallResult, host_call, register_function};

use crate::cluster::HostCluster;

/// Called by the host in every new instance, so for every request.
#[expect(
    unsafe_code,
    reason = "waPC hosts find the function by its unmangled name"
)]
#[unsafe(no_mangle)]
pub extern "C" fn wapc_init() {
    register_function("validate", validate);
    register_function("validate_settings", validate_settings);
    register_function("protocol_version", protocol_version);
}

fn validate(payload: &[u8]) -> CallResult {
    let decision = evaluate(payload, &HostCluster);
    if let Some(message) = &decision.log {
        let line = JsonObject::default()
            .string("level", "WARNING")
            .string("message", message)
            .into_bytes();
        // The decision does not depend on whether the host takes the line.
        let _ = host_call("kubewarden", "tracing", "log", &line);
    }
    Ok(validation_response(&decision))
}

fn validate_settings(settings: &[u8]) -> CallResult {
    let response = match Settings::parse(settings) {
        Ok(_) => JsonObject::default().boolean("valid", true),
        Err(error) => JsonObject::default()
            .boolean("valid", false)
            .string("message", &error.to_string()),
    };
    Ok(response.into_bytes())
}

/// As the SDK's `protocol_version_guest`, without the texts of an error that cannot happen.
fn protocol_version(_payload: &[u8]) -> CallResult {
    Ok(serde_json::to_vec(&ProtocolVersion::default()).unwrap_or_default())
}

/// The SDK's `ValidationResponse`, whose `mutated_object` would need a tree.
fn validation_response(decision: &Decision<'_>) -> Vec<u8> {
    let annotations = decision.audit_annotations.iter();
    let response = JsonObject::default()
        .boolean("accepted", decision.allowed())
        .object(
            "audit_annotations",
            annotations
                .map(|(key, value)| (*key, value.as_str()))
                .collect(),
        )
        .strings("warnings", decision.warnings.iter().map(Warning::line));
    match &decision.outcome {
        Outcome::Accept => response,
        Outcome::Mutate(mutation) => {
            response.written("mutated_object", mutation.object_length(), |json| {
                mutation.write_object(json);
            })
        }
        Outcome::Reject(rejection) => response
            .string("message", &rejection.message)
            .raw("code", &rejection.code.to_string()),
    }
    .into_bytes()
}
