//! Has the author of a request decided the mode of a slot? (semantics 4)
//!
//! openshift-apiserver fills an empty mode before webhooks run, and `oc` sends Legacy itself: a
//! Legacy in a request proves nothing. What the author applied does.

use std::borrow::Cow;

use crate::admission::{ResourceKind, ScopedRequest};
use crate::by_text::ByText;
use crate::import_mode::{ImportMode, StoredMode, read_mode};
use crate::json::Json;
use crate::settings::Overwrite;
use crate::slot::{Slot, SlotPath, TagName};

/// The importer honours these only under Legacy (`importer.go` of openshift-apiserver).
const PREFER_PLATFORM: [&str; 2] = [
    "importer.image.openshift.io/prefer-arch",
    "importer.image.openshift.io/prefer-os",
];

/// Where client-side `oc apply` keeps the file that it applied.
const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

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
                Evidence::collect(request)
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

/// What one source says of one slot; several files or entries may disagree.
#[derive(Clone, Copy, Debug, Default)]
struct Claim {
    with_mode: bool,
    without_mode: bool,
}

#[derive(Clone, Copy, Debug, Default)]
struct Claims {
    applied: Claim,
    last_applied: Claim,
}

/// What the object itself says of who wrote its modes.
#[derive(Debug, Default)]
struct Evidence {
    /// Of the slot of an `ImageStreamTag` or `ImageTag`.
    slot: Claims,
    /// Of the tags of an `ImageStream`, by canonical name.
    tags: ByText<'static, Claims>,
}

impl Evidence {
    fn collect(request: &ScopedRequest<'_>) -> Self {
        let mut evidence = Self::default();
        let metadata = &request.object.metadata;
        let last_applied = metadata
            .annotations
            .and_then(|annotations| annotations.get(LAST_APPLIED)?.as_str());
        if let Some(Ok(object)) = last_applied.as_deref().map(Json::parse) {
            evidence.read_last_applied(request.kind, object);
        }
        for entry in metadata.managed_fields.into_iter().flat_map(Json::elements) {
            let [operation, fields] = entry.pick(["operation", "fieldsV1"]);
            if operation.is_some_and(|operation| operation.is_str("Apply"))
                && let Some(fields) = fields
            {
                evidence.read_applied(request.kind, fields);
            }
        }
        evidence
    }

    fn claims(&self, slot: &Slot<'_>) -> Claims {
        match (slot.path, &slot.tag) {
            (SlotPath::Tag | SlotPath::Spec, _) => self.slot,
            (SlotPath::StreamTag(_), Some(tag)) => {
                self.tags.get(tag.as_ref()).copied().unwrap_or_default()
            }
            _ => Claims::default(),
        }
    }

    fn add_claim(&mut self, name: &TagName<'_>, add: impl FnOnce(&mut Claims)) {
        self.tags.change(Cow::Owned(name.as_ref().to_owned()), add);
    }

    fn read_last_applied(&mut self, kind: ResourceKind, object: Json<'_>) {
        match kind {
            ResourceKind::ImageStream => {
                let tags = object.get("spec").and_then(|spec| spec.get("tags"));
                for tag in tags.into_iter().flat_map(Json::elements) {
                    if tag.is_object() {
                        let name = TagName::of(tag.get("name"));
                        self.add_claim(&name, |claims| claims.last_applied.add_file(tag));
                    }
                }
            }
            ResourceKind::ImageStreamTag | ResourceKind::ImageTag => {
                let key = if kind == ResourceKind::ImageTag {
                    "spec"
                } else {
                    "tag"
                };
                if let Some(slot) = object.get(key).filter(|slot| slot.is_object()) {
                    self.slot.last_applied.add_file(slot);
                }
            }
            ResourceKind::ImageStreamImport => {}
        }
    }

    fn read_applied(&mut self, kind: ResourceKind, fields: Json<'_>) {
        match kind {
            ResourceKind::ImageStream => {
                let tags = fields.get("f:spec").and_then(|spec| spec.get("f:tags"));
                for member in tags.into_iter().flat_map(Json::members) {
                    let key = member.key.as_str().unwrap_or_default();
                    let name = key
                        .strip_prefix("k:")
                        .and_then(|key| Json::parse(key).ok())
                        .and_then(only_name);
                    if let Some(name) = name {
                        let name = TagName::of(Some(name));
                        self.add_claim(&name, |claims| claims.applied.add_owned(member.value));
                    }
                }
            }
            ResourceKind::ImageStreamTag | ResourceKind::ImageTag => {
                let key = if kind == ResourceKind::ImageTag {
                    "f:spec"
                } else {
                    "f:tag"
                };
                if let Some(slot) = fields.get(key) {
                    self.slot.applied.add_owned(slot);
                }
            }
            ResourceKind::ImageStreamImport => {}
        }
    }
}

impl Claim {
    /// Adds what a slot in an applied file says.
    fn add_file(&mut self, slot: Json<'_>) {
        match read_mode(slot, slot.get("importPolicy")).0 {
            StoredMode::Mode(ImportMode::Legacy) => self.with_mode = true,
            StoredMode::Unset => self.without_mode = true,
            StoredMode::Mode(ImportMode::PreserveOriginal) | StoredMode::Foreign => {}
        }
    }

    /// Adds what a set of owned fields says; an empty set says nothing.
    fn add_owned(&mut self, slot: Json<'_>) {
        if !has_members(slot) {
            return;
        }
        match slot.get("f:importPolicy") {
            None => self.without_mode = true,
            Some(policy) if has_members(policy) => match policy.get("f:importMode") {
                Some(_) => self.with_mode = true,
                None => self.without_mode = true,
            },
            Some(_) => {}
        }
    }
}

fn has_members(value: Json<'_>) -> bool {
    value.members().next().is_some()
}

/// The name in a list key `{"name": …}` that has nothing else.
fn only_name(key: Json<'_>) -> Option<Json<'_>> {
    let name = key.get("name")?;
    key.members()
        .all(|member| member.key.is_str("name"))
        .then_some(name)
}
