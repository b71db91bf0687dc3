//! From a request to the answer: the only place that orders the steps.

use crate::admission::{
    AdmissionRequest, BAD_REQUEST, OutOfScope, Payload, RequestError, ScopedRequest,
};
use crate::assess::{AssessedSlot, Assessment, StreamLookup, assess};
use crate::cluster::{ClusterReader, ReadError, Unreadable};
use crate::decision::{Decision, Edit, LONGEST_LIST};
use crate::import_mode::ImportMode;
use crate::settings::{Action, OnUnknownPayload, Settings, SettingsError};
use crate::slot::SlotLabel;
use crate::text;
use crate::warning::{Warning, WarningKind, list};

/// HTTP status code of a rejection by the policy's rules.
pub const FORBIDDEN: u16 = 403;

/// Longest line for the host's log, in characters.
const LONGEST_LOG: usize = 1_000;

/// Decides a Kubewarden payload, `{"request": …, "settings": …}`.
///
/// A payload that cannot be understood is rejected; settings with faults change nothing and warn,
/// so that a typo does not block a cluster's streams.
#[must_use]
pub fn evaluate<'a>(payload: &'a [u8], cluster: &dyn ClusterReader) -> Decision<'a> {
    match Payload::parse(payload) {
        Ok(Payload { request, settings }) => {
            evaluate_parts(Ok(request), Settings::from_json(settings, &[]), cluster)
        }
        Err(error) => evaluate_parts(Err(error), Ok(Settings::default()), cluster),
    }
}

/// Decides what a runtime reads apart, in the same order and with the same answers as [`evaluate`].
#[must_use]
pub fn evaluate_parts<'a>(
    request: Result<AdmissionRequest<'a>, RequestError>,
    settings: Result<Settings, SettingsError>,
    cluster: &dyn ClusterReader,
) -> Decision<'a> {
    match (request, settings) {
        (Err(error), _) => Decision::reject(error.to_string(), BAD_REQUEST),
        (Ok(_), Err(error)) => settings_invalid(&error),
        (Ok(request), Ok(settings)) => decide(request, &settings, cluster),
    }
}

/// Decides a request.
#[must_use]
pub fn decide<'a>(
    request: AdmissionRequest<'a>,
    settings: &Settings,
    cluster: &dyn ClusterReader,
) -> Decision<'a> {
    explain(request, settings, cluster).decision
}

/// A decision and what it follows from.
#[derive(Debug)]
pub struct Explanation<'a> {
    /// What holds for each slot, or why none was looked at.
    pub assessment: Result<Assessment<'a>, OutOfScope>,
    /// What follows.
    pub decision: Decision<'a>,
}

/// Decides a request and keeps what the decision follows from.
#[must_use]
pub fn explain<'a>(
    request: AdmissionRequest<'a>,
    settings: &Settings,
    cluster: &dyn ClusterReader,
) -> Explanation<'a> {
    match request.in_scope(settings) {
        Ok(mut request) => {
            let slots = request.take_slots();
            let assessment = assess(&request, slots, settings, cluster);
            let decision = conclude(&request, &assessment, settings);
            Explanation {
                assessment: Ok(assessment),
                decision,
            }
        }
        Err(reason) => Explanation {
            assessment: Err(reason),
            decision: Decision::accept(Vec::new()),
        },
    }
}

/// The answer where a host evaluates although the settings have faults.
#[must_use]
pub fn settings_invalid<'a>(error: &SettingsError) -> Decision<'a> {
    let warning = Warning::new(WarningKind::SettingsInvalid, &[]);
    Decision::accept(vec![warning]).with_log(Some(text::shown(&error.to_string(), LONGEST_LOG)))
}

fn conclude<'a>(
    request: &ScopedRequest<'a>,
    assessment: &Assessment<'a>,
    settings: &Settings,
) -> Decision<'a> {
    let slots = &assessment.slots;
    let log = log_line(assessment);
    if settings.on_unknown_payload == OnUnknownPayload::Reject {
        let unknown = labels(slots, &|assessed| {
            assessed.outcome.warning == Some(WarningKind::PayloadUnknown)
        });
        if !unknown.is_empty() {
            return Decision::reject(unknown_message(&unknown), FORBIDDEN).with_log(log);
        }
    }
    let decision = match settings.action {
        Action::Mutate => mutate(request, assessment),
        Action::Report => report(assessment),
    };
    decision.with_log(log)
}

fn mutate<'a>(request: &ScopedRequest<'a>, assessment: &Assessment<'a>) -> Decision<'a> {
    let edits: Vec<_> = assessment
        .slots
        .iter()
        .filter_map(|assessed| {
            let set = assessed.outcome.set?;
            let slot = &assessed.slot;
            Some(Edit::new(
                request.text,
                slot.path,
                slot.place,
                set.mode,
                set.source,
            ))
        })
        .collect();
    let warnings = warnings(assessment, &WarningKind::ALL);
    if edits.is_empty() {
        return Decision::accept(warnings);
    }
    let labels = labels(&assessment.slots, &|assessed| {
        assessed.outcome.set.is_some()
    });
    Decision::mutate(request.text, edits, &labels, warnings)
}

/// Rejects where an import would get another mode than it has in effect.
fn report<'a>(assessment: &Assessment<'_>) -> Decision<'a> {
    let wanted = |mode: ImportMode| -> Vec<SlotLabel<'_>> {
        labels(&assessment.slots, &|assessed| {
            assessed.reported() == Some(mode)
        })
    };
    let missing: Vec<_> = ImportMode::ALL
        .into_iter()
        .map(|mode| (mode, wanted(mode)))
        .filter(|(_, slots)| !slots.is_empty())
        .collect();
    if missing.is_empty() {
        let shown: Vec<_> = WarningKind::ALL
            .into_iter()
            .filter(|kind| !matches!(kind, WarningKind::ExistingKept | WarningKind::ListDropped))
            .collect();
        Decision::accept(warnings(assessment, &shown))
    } else {
        Decision::reject(report_message(&missing), FORBIDDEN)
    }
}

fn warnings(assessment: &Assessment<'_>, kinds: &[WarningKind]) -> Vec<Warning> {
    let lookup_failed = matches!(assessment.lookup, StreamLookup::Failed(_));
    let warned: Vec<_> = assessment
        .slots
        .iter()
        .filter(|assessed| assessed.outcome.warning.is_some() || lookup_failed)
        .collect();
    let about = |kind: WarningKind| {
        labels(warned.iter().copied(), &|assessed| match kind {
            WarningKind::LookupFailed => lookup_failed && assessed.outcome.set.is_some(),
            kind => assessed.outcome.warning == Some(kind),
        })
    };
    kinds
        .iter()
        .map(|kind| (*kind, about(*kind)))
        .filter(|(_, slots)| !slots.is_empty())
        .map(|(kind, slots)| Warning::new(kind, &slots))
        .collect()
}

/// How messages name the slots that are `wanted`.
fn labels<'s, 'a: 's>(
    slots: impl IntoIterator<Item = &'s AssessedSlot<'a>>,
    wanted: &dyn Fn(&AssessedSlot<'_>) -> bool,
) -> Vec<SlotLabel<'s>> {
    slots
        .into_iter()
        .filter(|assessed| wanted(assessed))
        .map(AssessedSlot::label)
        .collect()
}

fn unknown_message(slots: &[SlotLabel<'_>]) -> String {
    format!(
        "{}: cannot tell which import mode new tags get, because the cluster's ClusterVersion or \
         image config could not be read; set `payloadArchitecture` or `imageStreamImportMode` in \
         the policy's settings, or let the policy server read them",
        list(slots, LONGEST_LIST)
    )
}

fn report_message(missing: &[(ImportMode, Vec<SlotLabel<'_>>)]) -> String {
    let wanted: Vec<_> = missing
        .iter()
        .map(|(mode, slots)| format!("{}: importMode should be {mode}", list(slots, LONGEST_LIST)))
        .collect();
    format!(
        "{}; set importPolicy.importMode (oc tag and oc import-image take --import-mode), or apply \
         the other mode explicitly to keep it",
        wanted.join("; ")
    )
}

/// The failed reads that an administrator must look into.
fn log_line(assessment: &Assessment<'_>) -> Option<String> {
    let lookup = match &assessment.lookup {
        StreamLookup::Failed(unreadable) => unreadable.as_ref(),
        StreamLookup::None | StreamLookup::Found | StreamLookup::NotFound => None,
    };
    let mode = assessment.cluster_mode.as_ref();
    let mode = mode.and_then(|mode| mode.as_ref().err());
    let failed: Vec<_> = [lookup, mode]
        .into_iter()
        .flatten()
        .filter_map(failure)
        .collect();
    (!failed.is_empty()).then(|| text::shown(&failed.join("; "), LONGEST_LOG))
}

fn failure(unreadable: &Unreadable) -> Option<String> {
    match &unreadable.error {
        ReadError::NotFound => None,
        ReadError::Failed(text) => Some(format!("cannot read {}: {text}", unreadable.resource)),
    }
}
