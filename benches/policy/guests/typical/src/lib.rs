//! The simple rule, "a new tag gets `PreserveOriginal` on a Multi cluster", written as Kubewarden's
//! template and its official mutating policies are: the SDK's `ValidationRequest`, the object as a
//! `serde_json::Value` that is edited in place, `mutate_request`, a line in the log.
//!
//! It asks nobody: an image of an import counts as new, nobody's choice is respected.

#![cfg(target_family = "wasm")]

mod rule;
mod settings;

use kubewarden_policy_sdk as kubewarden;
use kubewarden_policy_sdk::wapc_guest as guest;

use guest::prelude::*;
use kubewarden::{logging, protocol_version_guest, request::ValidationRequest, validate_settings};
use lazy_static::lazy_static;
use slog::{Logger, info, o};

use settings::Settings;

lazy_static! {
    static ref LOG_DRAIN: Logger =
        Logger::root(logging::KubewardenDrain::new(), o!("policy" => "typical"));
}

/// Called by the host in every new instance.
#[expect(
    unsafe_code,
    reason = "waPC hosts find the function by its unmangled name"
)]
#[unsafe(no_mangle)]
pub extern "C" fn wapc_init() {
    register_function("validate", validate);
    register_function("validate_settings", validate_settings::<Settings>);
    register_function("protocol_version", protocol_version_guest);
}

fn validate(payload: &[u8]) -> CallResult {
    let validation_request: ValidationRequest<Settings> = ValidationRequest::new(payload)?;
    info!(LOG_DRAIN, "starting validation");
    let mut request = validation_request.request;
    if validation_request.settings.is_multi() && rule::apply(&mut request) {
        kubewarden::mutate_request(request.object)
    } else {
        kubewarden::accept_request()
    }
}
