//! The guest functions.

use imagestream_import_mode::decision::json_string;
use imagestream_import_mode::{Decision, Outcome, Settings, evaluate};
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
        let mut line = String::from(r#"{"level":"WARNING","message":"#);
        line.push_str(&json_string(message));
        line.push('}');
        // The decision does not depend on whether the host takes the line.
        let _ = host_call("kubewarden", "tracing", "log", line.as_bytes());
    }
    Ok(validation_response(&decision).into_bytes())
}

fn validate_settings(settings: &[u8]) -> CallResult {
    let mut response = String::from(r#"{"valid":"#);
    match Settings::parse(settings) {
        Ok(_) => response.push_str("true"),
        Err(error) => {
            response.push_str(r#"false,"message":"#);
            response.push_str(&json_string(&error.to_string()));
        }
    }
    response.push('}');
    Ok(response.into_bytes())
}

/// As the SDK's `protocol_version_guest`, without the texts of an error that cannot happen.
fn protocol_version(_payload: &[u8]) -> CallResult {
    Ok(serde_json::to_vec(&ProtocolVersion::default()).unwrap_or_default())
}

/// The SDK's `ValidationResponse`, whose `mutated_object` would need a tree.
fn validation_response(decision: &Decision<'_>) -> String {
    let mut response = String::from(r#"{"accepted":"#);
    response.push_str(if decision.allowed() { "true" } else { "false" });
    match &decision.outcome {
        Outcome::Accept => {}
        Outcome::Mutate(mutation) => {
            response.push_str(r#","mutated_object":"#);
            mutation.write_object(&mut response);
        }
        Outcome::Reject(rejection) => {
            response.push_str(r#","message":"#);
            response.push_str(&json_string(&rejection.message));
            response.push_str(r#","code":"#);
            response.push_str(&rejection.code.to_string());
        }
    }
    let mut before = r#","warnings":["#;
    for warning in &decision.warnings {
        response.push_str(before);
        response.push_str(&json_string(&warning.to_string()));
        before = ",";
    }
    if !decision.warnings.is_empty() {
        response.push(']');
    }
    let mut before = r#","audit_annotations":{"#;
    for (key, value) in &decision.audit_annotations {
        response.push_str(before);
        response.push_str(&json_string(key));
        response.push(':');
        response.push_str(&json_string(value));
        before = ",";
    }
    if !decision.audit_annotations.is_empty() {
        response.push('}');
    }
    response.push('}');
    response
}
