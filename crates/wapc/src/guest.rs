//! The guest functions.

use std::fmt::Write as _;

use imagestream_import_mode::decision::json_string;
use imagestream_import_mode::{Decision, Outcome, Settings, evaluate};
use kubewarden_policy_sdk::protocol_version_guest;
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
    register_function("protocol_version", protocol_version_guest);
}

fn validate(payload: &[u8]) -> CallResult {
    let decision = evaluate(payload, &HostCluster);
    if let Some(message) = &decision.log {
        let line = format!(
            r#"{{"level":"WARNING","message":{}}}"#,
            json_string(message)
        );
        // The decision does not depend on whether the host takes the line.
        let _ = host_call("kubewarden", "tracing", "log", line.as_bytes());
    }
    Ok(validation_response(&decision).into_bytes())
}

fn validate_settings(settings: &[u8]) -> CallResult {
    let response = match Settings::parse(settings) {
        Ok(_) => String::from(r#"{"valid":true}"#),
        Err(error) => {
            let message = json_string(&error.to_string());
            format!(r#"{{"valid":false,"message":{message}}}"#)
        }
    };
    Ok(response.into_bytes())
}

/// The SDK's `ValidationResponse`, whose `mutated_object` would need a tree.
fn validation_response(decision: &Decision<'_>) -> String {
    let mut response = format!(r#"{{"accepted":{}"#, decision.allowed());
    match &decision.outcome {
        Outcome::Accept => {}
        Outcome::Mutate(mutation) => {
            response.push_str(r#","mutated_object":"#);
            response.push_str(&mutation.mutated_object());
        }
        Outcome::Reject(rejection) => {
            let (message, code) = (json_string(&rejection.message), rejection.code);
            let _ = write!(response, r#","message":{message},"code":{code}"#);
        }
    }
    let warnings = decision.warnings.iter();
    let warnings = warnings.map(|warning| json_string(&warning.to_string()));
    push_members(&mut response, "warnings", '[', warnings, ']');
    let annotations = decision.audit_annotations.iter();
    let annotations =
        annotations.map(|(key, value)| format!("{}:{}", json_string(key), json_string(value)));
    push_members(&mut response, "audit_annotations", '{', annotations, '}');
    response.push('}');
    response
}

/// Adds `,"key":[member,member]`, or nothing if there is no member.
fn push_members(
    response: &mut String,
    key: &str,
    open: char,
    members: impl Iterator<Item = String>,
    close: char,
) {
    let members: Vec<_> = members.collect();
    if !members.is_empty() {
        let members = members.join(",");
        let _ = write!(response, r#","{key}":{open}{members}{close}"#);
    }
}
