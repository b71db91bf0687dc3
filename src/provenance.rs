//! Has the author of a request decided the mode of a slot? (semantics 4)
//!
//! openshift-apiserver fills an empty mode before webhooks run, and `oc` sends Legacy itself: a
//! Legacy in a request proves nothing. What the author applied does.

mod evidence;

use self::evidence::Evidence;
use crate::admission::{ResourceKind, ScopedRequest};
use crate::import_mode::{ImportMode, StoredMode};
use crate::json::Json;
use crate::settings::Overwrite;
use crate::slot::{Slot, SlotPath};

/// The importer honours these only under Legacy (`importer.go` of openshift-apiserver).
const PREFER_PLATFORM: [&str; 2] = [
    "importer.image.openshift.io/prefer-arch",
    "importer.image.openshift.io/prefer-os",
];

/// Whether the author has decided the mode of a slot, and how that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Authorship {
    /// The author has: the slot stays as it is.
    Decided(Decided),
    /// The author has not.
    Open(Open),
}

/// Why a mode is its author's decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decided {
    /// The value is none that the API server takes.
    Foreign,
    /// The request asks for `PreserveOriginal`.
    PreserveOriginal,
    /// `overwrite: IfUnset` and the request has a mode.
    AnyMode,
    /// An annotation asks for one platform.
    PreferPlatform,
    /// Server-side apply owns the mode.
    Applied,
    /// The last applied file has the mode.
    LastApplied,
    /// The body is not in the server's form, so nothing was filled in.
    HandWritten,
}

/// Why a mode is nobody's decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Open {
    /// The request has no mode.
    Unset,
    /// `overwrite: Always`.
    Always,
    /// Server-side apply has the slot without a mode.
    AppliedWithout,
    /// The last applied file has the slot without a mode.
    LastAppliedWithout,
    /// The body is in the server's form and nothing proves who wrote Legacy.
    ServerForm,
}

/// Tells for each slot of one request whether its mode is decided.
pub(crate) struct Provenance<'r, 'a> {
    request: &'r ScopedRequest<'a>,
    overwrite: Overwrite,
    evidence: Evidence,
}

impl<'r, 'a> Provenance<'r, 'a> {
    /// Collects what the object of `request` proves, if any of `slots` depends on it.
    pub(crate) fn of(
        request: &'r ScopedRequest<'a>,
        slots: &[Slot<'_>],
        overwrite: Overwrite,
    ) -> Self {
        let depends = overwrite == Overwrite::UnlessExplicit
            && slots
                .iter()
                .any(|slot| slot.requested == StoredMode::Mode(ImportMode::Legacy));
        Self {
            request,
            overwrite,
            evidence: if depends {
                Evidence::collect(request, slots)
            } else {
                Evidence::default()
            },
        }
    }

    pub(crate) fn authorship(&self, slot: &Slot<'_>) -> Authorship {
        match (slot.requested, self.overwrite) {
            (StoredMode::Foreign, _) => Authorship::Decided(Decided::Foreign),
            (StoredMode::Unset, _) => Authorship::Open(Open::Unset),
            (_, Overwrite::Always) => Authorship::Open(Open::Always),
            (_, Overwrite::IfUnset) => Authorship::Decided(Decided::AnyMode),
            (StoredMode::Mode(ImportMode::PreserveOriginal), _) => {
                Authorship::Decided(Decided::PreserveOriginal)
            }
            (StoredMode::Mode(ImportMode::Legacy), _) => self.who_wrote_legacy(slot),
        }
    }

    fn who_wrote_legacy(&self, slot: &Slot<'_>) -> Authorship {
        let claims = self.evidence.claims(slot);
        if self.prefers_platform(slot) {
            Authorship::Decided(Decided::PreferPlatform)
        } else if claims.applied.with_mode {
            Authorship::Decided(Decided::Applied)
        } else if claims.last_applied.with_mode {
            Authorship::Decided(Decided::LastApplied)
        } else if claims.applied.without_mode {
            Authorship::Open(Open::AppliedWithout)
        } else if claims.last_applied.without_mode {
            Authorship::Open(Open::LastAppliedWithout)
        } else if self.has_server_form(slot) {
            Authorship::Open(Open::ServerForm)
        } else {
            Authorship::Decided(Decided::HandWritten)
        }
    }

    /// The server copies the annotations of an `ImageStreamTag` over those of its tag.
    fn prefers_platform(&self, slot: &Slot<'_>) -> bool {
        let of_object = self
            .request
            .object
            .metadata
            .annotations
            .filter(|_| self.request.kind == ResourceKind::ImageStreamTag);
        [slot.annotations, of_object]
            .into_iter()
            .flatten()
            .flat_map(|annotations| annotations.pick(PREFER_PLATFORM))
            .flatten()
            .any(|value| value.is_string() && !value.is_str(""))
    }

    /// The server's Go types print these keys always, manifests do not (openshift.md 1.1).
    fn has_server_form(&self, slot: &Slot<'_>) -> bool {
        match slot.path {
            SlotPath::Repository | SlotPath::Image(_) => {
                self.request.object.status.is_some_and(Json::is_object)
            }
            _ => slot.annotations.is_some() && slot.has_generation,
        }
    }
}
