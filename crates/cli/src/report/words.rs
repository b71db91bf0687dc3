//! What the core found, in words.

use imagestream_import_mode::WarningKind;
use imagestream_import_mode::admission::OutOfScope;
use imagestream_import_mode::assess::AssessedSlot;
use imagestream_import_mode::cluster::{ModeSource, ReadError, Unreadable};
use imagestream_import_mode::import_mode::StoredMode;
use imagestream_import_mode::provenance::{Authorship, Decided, Open};
use imagestream_import_mode_host::ClusterError;

use super::shown;

/// Whether the author has decided, and by what proof.
pub const fn author(authorship: Authorship) -> &'static str {
    match authorship {
        Authorship::Decided(decided) => match decided {
            Decided::Foreign => "decided: an invalid mode",
            Decided::PreserveOriginal => "decided: asks for PreserveOriginal",
            Decided::AnyMode => "decided: overwrite is IfUnset",
            Decided::PreferPlatform => "decided: prefer-arch or prefer-os",
            Decided::Applied => "decided: server-side apply owns it",
            Decided::LastApplied => "decided: last-applied says Legacy",
            Decided::HandWritten => "decided: hand-written Legacy",
        },
        Authorship::Open(open) => match open {
            Open::Unset => "open: no mode",
            Open::Always => "open: overwrite is Always",
            Open::AppliedWithout => "open: server-side apply, no mode",
            Open::LastAppliedWithout => "open: last-applied has no mode",
            Open::ServerForm => "open: no proof who wrote Legacy",
        },
    }
}

/// What else the policy never looks at is.
pub const OTHER_KIND: &str = "neither an image stream nor a tag of one nor an import";

/// Said where Lists are empty.
pub const NO_OBJECT: &str = "the input holds no object, so there is nothing to decide";

/// Why a request is accepted untouched.
pub const fn out_of_scope(reason: OutOfScope) -> &'static str {
    match reason {
        OutOfScope::Kind => OTHER_KIND,
        OutOfScope::Operation => "not an operation that the policy decides",
        OutOfScope::SubResource => "a subresource",
        OutOfScope::NoObject => "no object",
        OutOfScope::BeingDeleted => "being deleted",
        OutOfScope::LookUpOnly => "an import that stores nothing",
        OutOfScope::ExemptUser => "the user is exempt",
        OutOfScope::ExemptNamespace => "the namespace is exempt",
    }
}

/// Who states the cluster mode.
pub const fn says(source: ModeSource) -> &'static str {
    match source {
        ModeSource::Settings => "as the settings say",
        ModeSource::ImageConfig => {
            "as `spec.imageStreamImportMode` of the image config `cluster` says"
        }
        ModeSource::ClusterVersion => "as ClusterVersion `version` says: its payload is Multi",
        ModeSource::ReleaseAccepted => {
            "as the condition ReleaseAccepted of ClusterVersion `version` says"
        }
        ModeSource::ImageConfigStatus => {
            "as `status.imageStreamImportMode` of the image config `cluster` says"
        }
        ModeSource::Assumed => {
            "assumed: ClusterVersion `version` says nothing of several architectures"
        }
        ModeSource::Existing => "as the tag has it today",
    }
}

/// Why something could not be read.
pub fn unreadable(unreadable: &Unreadable) -> String {
    let why = match &unreadable.error {
        ReadError::NotFound => "not found".to_owned(),
        ReadError::Failed(text) => host_text(text),
    };
    format!("{}: {why}", shown(&unreadable.resource))
}

/// What a read was answered with.
pub fn answer(error: Option<&ClusterError>) -> String {
    match error {
        None => "found".to_owned(),
        Some(ClusterError::NotFound) => "not found".to_owned(),
        Some(ClusterError::NoClient) => "not initialised".to_owned(),
        Some(ClusterError::Failed(text)) => host_text(text),
    }
}

/// A host's text without its standing beginning.
fn host_text(text: &str) -> String {
    let text = text.strip_prefix("Host error: ").unwrap_or(text);
    let text = text
        .strip_prefix("Callback evaluation failure: ")
        .unwrap_or(text);
    shown(text.lines().next().unwrap_or_default())
}

/// Why a slot gets the mode that it gets.
pub fn why(slot: &AssessedSlot<'_>) -> String {
    let (verdict, proof) = author(slot.authorship).split_once(": ").unwrap_or_default();
    let state = if slot.today.is_some() {
        "existing"
    } else {
        "new"
    };
    match (slot.outcome.set, verdict) {
        (Some(set), _) if set.source == ModeSource::Existing => {
            format!("existing; keeps its mode, {proof}")
        }
        (Some(_), _) => format!("{state}; {proof}"),
        (None, "decided") => format!("{state}; its author decided: {proof}"),
        (None, _) => {
            let rest = match (slot.outcome.warning, slot.today) {
                (Some(WarningKind::PayloadUnknown), _) => "nobody can say what the cluster wants",
                (Some(WarningKind::ExistingMixed), _) => "the stream's tags have different modes",
                (Some(warning), _) => warning.as_str(),
                (None, Some(_)) => "stays as it is",
                (None, None) => "has what the cluster wants",
            };
            format!("{state}; {proof}; {rest}")
        }
    }
}

/// The mode that a slot ends with.
pub fn result(slot: &AssessedSlot<'_>) -> String {
    match slot.outcome.set {
        Some(set) => set.mode.to_string(),
        None => match slot.requested() {
            StoredMode::Unset => "unset".to_owned(),
            mode => mode.to_string(),
        },
    }
}
