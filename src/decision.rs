//! The decision and its forms: the mutated object, a JSON Patch, audit annotations.

use std::fmt::Write as _;

use crate::cluster::ModeSource;
use crate::import_mode::{ImportMode, ModePlace};
use crate::json::Json;
use crate::slot::{SlotLabel, SlotPath};
use crate::splice::{self, PatchTarget, Splice};
use crate::warning::{Warning, list};

/// Longest list of tags in an audit annotation or a rejection, in characters.
pub(crate) const LONGEST_LIST: usize = 400;

/// What happens to a request.
#[derive(Clone, Debug)]
pub struct Decision<'a> {
    /// Accepted as it is, changed, or rejected.
    pub outcome: Outcome<'a>,
    /// At most one of each kind, in the order of the kinds.
    pub warnings: Vec<Warning>,
    /// Keys and values; only a change has some.
    pub audit_annotations: Vec<(&'static str, String)>,
    /// A line for the host's log, where an administrator must act; it never quotes the object.
    pub log: Option<String>,
}

/// The three outcomes.
#[derive(Clone, Debug)]
pub enum Outcome<'a> {
    /// The object stays as it is.
    Accept,
    /// Some modes are set.
    Mutate(Mutation<'a>),
    /// The request is refused.
    Reject(Rejection),
}

/// A refusal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejection {
    /// What is wrong and what to do.
    pub message: String,
    /// HTTP status code.
    pub code: u16,
}

/// The modes that are set in an object; at least one.
#[derive(Clone, Debug)]
pub struct Mutation<'a> {
    object: Json<'a>,
    edits: Vec<Edit>,
}

/// One mode that is set.
#[derive(Clone, Debug)]
pub struct Edit {
    /// The slot that gets the mode.
    pub slot: SlotPath,
    /// The mode that it gets.
    pub mode: ImportMode,
    /// Where that mode comes from.
    pub source: ModeSource,
    target: PatchTarget,
    splice: Splice,
}

impl Edit {
    pub(crate) fn new(
        object: Json<'_>,
        slot: SlotPath,
        place: ModePlace<'_>,
        mode: ImportMode,
        source: ModeSource,
    ) -> Self {
        Self {
            slot,
            mode,
            source,
            target: splice::patch_target(place),
            splice: Splice::new(object, place, mode),
        }
    }

    /// JSON pointer to the mode within the object.
    #[must_use]
    pub fn pointer(&self) -> String {
        format!("{}/importPolicy/importMode", self.slot)
    }
}

impl<'a> Decision<'a> {
    /// The request is accepted as it is, with `warnings`.
    pub(crate) fn accept(warnings: Vec<Warning>) -> Self {
        Self {
            outcome: Outcome::Accept,
            warnings,
            audit_annotations: Vec::new(),
            log: None,
        }
    }

    pub(crate) fn reject(message: String, code: u16) -> Self {
        Self {
            outcome: Outcome::Reject(Rejection { message, code }),
            ..Self::accept(Vec::new())
        }
    }

    /// The request is changed by `edits`, whose slots messages name `labels`.
    pub(crate) fn mutate(
        object: Json<'a>,
        edits: Vec<Edit>,
        labels: &[SlotLabel<'_>],
        warnings: Vec<Warning>,
    ) -> Self {
        let audit_annotations = audit_annotations(&edits, labels);
        Self {
            outcome: Outcome::Mutate(Mutation { object, edits }),
            audit_annotations,
            ..Self::accept(warnings)
        }
    }

    pub(crate) fn with_log(self, log: Option<String>) -> Self {
        Self { log, ..self }
    }

    /// Whether the request is let through.
    #[must_use]
    pub fn allowed(&self) -> bool {
        !matches!(self.outcome, Outcome::Reject(_))
    }

    /// The modes that are set; none unless the object is changed.
    #[must_use]
    pub fn edits(&self) -> &[Edit] {
        match &self.outcome {
            Outcome::Mutate(mutation) => mutation.edits(),
            Outcome::Accept | Outcome::Reject(_) => &[],
        }
    }
}

impl Mutation<'_> {
    /// The modes that are set, in the order of the slots.
    #[must_use]
    pub fn edits(&self) -> &[Edit] {
        &self.edits
    }

    /// The object as received with only the modes set.
    #[must_use]
    pub fn mutated_object(&self) -> String {
        let mut object = Vec::with_capacity(self.object_length());
        self.write_object(&mut object);
        String::from_utf8(object).unwrap_or_default()
    }

    /// Length of [`Mutation::mutated_object`] in bytes.
    #[must_use]
    pub fn object_length(&self) -> usize {
        splice::length(self.object.bytes(), self.splices())
    }

    /// Appends [`Mutation::mutated_object`] to `bytes`.
    pub fn write_object(&self, bytes: &mut Vec<u8>) {
        splice::write(self.object.bytes(), self.splices(), bytes);
    }

    fn splices(&self) -> impl Iterator<Item = &Splice> {
        self.edits.iter().map(|edit| &edit.splice)
    }

    /// The same change as a JSON Patch (RFC 6902); `add` also replaces.
    #[must_use]
    pub fn json_patch(&self) -> String {
        let mut patch = String::from("[");
        for (index, edit) in self.edits.iter().enumerate() {
            let separator = if index == 0 { "" } else { "," };
            let (slot, mode) = (edit.slot, edit.mode);
            let operation = match edit.target {
                PatchTarget::Policy => {
                    format!(
                        r#"{{"op":"add","path":"{slot}/importPolicy","value":{{"importMode":"{mode}"}}}}"#
                    )
                }
                PatchTarget::Mode => {
                    format!(
                        r#"{{"op":"add","path":"{slot}/importPolicy/importMode","value":"{mode}"}}"#
                    )
                }
            };
            let _ = write!(patch, "{separator}{operation}");
        }
        patch.push(']');
        patch
    }
}

fn audit_annotations(edits: &[Edit], labels: &[SlotLabel<'_>]) -> Vec<(&'static str, String)> {
    let sources: Vec<_> = ModeSource::ALL
        .into_iter()
        .filter(|source| edits.iter().any(|edit| edit.source == *source))
        .map(ModeSource::as_str)
        .collect();
    let mode = match edits.first().map(|edit| edit.mode) {
        Some(mode) if edits.iter().all(|edit| edit.mode == mode) => mode.as_str(),
        _ => "mixed",
    };
    vec![
        ("import-mode", mode.to_owned()),
        ("import-mode-source", sources.join(",")),
        ("import-mode-tags", list(labels, LONGEST_LIST)),
    ]
}
