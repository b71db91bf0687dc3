//! The decision as an `AdmissionResponse` of `admission.k8s.io/v1`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use imagestream_import_mode::{Decision, JsonObject, Outcome, Warning};

pub(crate) fn response(uid: &str, decision: &Decision<'_>) -> JsonObject {
    let response = JsonObject::default()
        .string("uid", uid)
        .boolean("allowed", decision.allowed());
    let response = match &decision.outcome {
        Outcome::Accept => response,
        Outcome::Mutate(mutation) => response
            .string("patchType", "JSONPatch")
            .string("patch", &STANDARD.encode(mutation.json_patch())),
        Outcome::Reject(rejection) => response.object(
            "status",
            JsonObject::default()
                .string("message", &rejection.message)
                .raw("code", &rejection.code.to_string()),
        ),
    };
    let annotations = decision.audit_annotations.iter();
    response
        .strings("warnings", decision.warnings.iter().map(Warning::line))
        .object(
            "auditAnnotations",
            annotations
                .map(|(key, value)| (*key, value.as_str()))
                .collect(),
        )
}
