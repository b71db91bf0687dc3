//! The exported interface `admission`: the core's answers in the world's types.

use imagestream_import_mode::cluster::ModeSource;
use imagestream_import_mode::{
    AdmissionRequest, Decision, Edit, ImportMode, Outcome, RequestError, Settings, Warning,
    WarningKind, evaluate_parts,
};

use crate::bindings::Exports;
use crate::bindings::admission as wit;
use crate::cluster::ImportedCluster;

impl wit::Guest for Exports {
    fn validate(request: String, settings: String) -> Result<wit::Verdict, wit::ValidationError> {
        decide(&request, &settings).map(|decision| verdict(&decision))
    }

    fn validate_settings(settings: String) -> Vec<wit::SettingsFault> {
        let Err(error) = Settings::parse(settings.as_bytes()) else {
            return Vec::new();
        };
        let faults = error.faults().iter();
        faults
            .map(|fault| wit::SettingsFault {
                key: (!fault.key.is_empty()).then(|| fault.key.clone()),
                message: fault.message.clone(),
            })
            .collect()
    }

    fn json_patch(
        request: String,
        settings: String,
    ) -> Result<Option<String>, wit::ValidationError> {
        let decision = decide(&request, &settings)?;
        Ok(match &decision.outcome {
            Outcome::Mutate(mutation) => Some(mutation.json_patch()),
            Outcome::Accept | Outcome::Reject(_) => None,
        })
    }
}

fn decide<'a>(request: &'a str, settings: &str) -> Result<Decision<'a>, wit::ValidationError> {
    let request = AdmissionRequest::parse(request.as_bytes()).map_err(malformed)?;
    let settings = Settings::parse(settings.as_bytes());
    Ok(evaluate_parts(Ok(request), settings, &ImportedCluster))
}

fn malformed(error: RequestError) -> wit::ValidationError {
    wit::ValidationError::MalformedRequest(error.to_string())
}

fn verdict(decision: &Decision<'_>) -> wit::Verdict {
    let log = decision.log.clone();
    let warnings = decision.warnings.iter().map(warning).collect();
    match &decision.outcome {
        Outcome::Accept => wit::Verdict::Accept(wit::Acceptance { warnings, log }),
        Outcome::Mutate(mutation) => wit::Verdict::Mutate(wit::Mutation {
            edits: mutation.edits().iter().map(edit).collect(),
            warnings,
            audit_annotations: audit_annotations(decision),
            log,
        }),
        Outcome::Reject(rejection) => wit::Verdict::Reject(wit::Rejection {
            message: rejection.message.clone(),
            code: rejection.code,
            log,
        }),
    }
}

fn audit_annotations(decision: &Decision<'_>) -> Vec<wit::AuditAnnotation> {
    let annotations = decision.audit_annotations.iter();
    annotations
        .map(|(key, value)| wit::AuditAnnotation {
            key: (*key).to_owned(),
            value: value.clone(),
        })
        .collect()
}

fn edit(edit: &Edit) -> wit::Edit {
    wit::Edit {
        pointer: edit.pointer(),
        mode: match edit.mode {
            ImportMode::Legacy => wit::ImportMode::Legacy,
            ImportMode::PreserveOriginal => wit::ImportMode::PreserveOriginal,
        },
        reason: match edit.source {
            ModeSource::Settings => wit::ModeSource::Settings,
            ModeSource::ImageConfig => wit::ModeSource::ImageConfig,
            ModeSource::ClusterVersion => wit::ModeSource::ClusterVersion,
            ModeSource::ReleaseAccepted => wit::ModeSource::ReleaseAccepted,
            ModeSource::ImageConfigStatus => wit::ModeSource::ImageConfigStatus,
            ModeSource::Assumed => wit::ModeSource::Assumed,
            ModeSource::Existing => wit::ModeSource::Existing,
        },
    }
}

fn warning(warning: &Warning) -> wit::Warning {
    wit::Warning {
        kind: match warning.kind {
            WarningKind::ExplicitKept => wit::WarningKind::ExplicitKept,
            WarningKind::ExistingKept => wit::WarningKind::ExistingKept,
            WarningKind::ExistingMixed => wit::WarningKind::ExistingMixed,
            WarningKind::ListDropped => wit::WarningKind::ListDropped,
            WarningKind::LookupFailed => wit::WarningKind::LookupFailed,
            WarningKind::PayloadUnknown => wit::WarningKind::PayloadUnknown,
            WarningKind::SettingsInvalid => wit::WarningKind::SettingsInvalid,
        },
        line: warning.line().to_owned(),
    }
}
