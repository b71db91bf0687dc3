//! Has the author of a request decided the mode of a slot? (semantics 4)
//!
//! openshift-apiserver fills an empty mode before webhooks run, and `oc` sends Legacy itself: a
//! Legacy in a request proves nothing. What the author applied does.

use std::borrow::Cow;

use crate::admission::{ResourceKind, ScopedRequest};
use crate::by_text::ByText;
use crate::import_mode::{ImportMode, StoredMode, mode_of};
use crate::json::Json;
use crate::settings::Overwrite;
use crate::slot::{Slot, SlotPath, TagName, each_tag};

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
    /// Of the tags of an `ImageStream` that are slots, by name.
    tags: ByText<'static, Claims>,
}

impl Evidence {
    fn collect(request: &ScopedRequest<'_>, slots: &[Slot<'_>]) -> Self {
        let mut evidence = Self::default();
        let metadata = &request.object.metadata;
        let last_applied = metadata
            .annotations
            .and_then(|annotations| annotations.get(LAST_APPLIED)?.as_str());
        let last_applied = last_applied.as_deref().map(Json::parse);
        let last_applied = last_applied.and_then(Result::ok);
        let applied: Vec<_> = metadata
            .managed_fields
            .into_iter()
            .flat_map(Json::elements)
            .filter_map(applied_fields)
            .collect();
        if last_applied.is_none() && applied.is_empty() {
            return evidence;
        }
        for name in slots.iter().filter_map(|slot| slot.tag.as_ref()) {
            let name = Cow::Owned(name.as_ref().to_owned());
            evidence.tags.insert(name, Claims::default());
        }
        if let Some(object) = last_applied {
            evidence.read_last_applied(request.kind, object);
        }
        for fields in applied {
            evidence.read_applied(request.kind, fields);
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

    fn read_last_applied(&mut self, kind: ResourceKind, object: Json<'_>) {
        let key = match kind {
            ResourceKind::ImageStream => {
                let tags = object.get("spec").and_then(|spec| spec.get("tags"));
                each_tag(tags, |name, mode| {
                    if let Some(claims) = self.tags.get_mut(name.as_ref()) {
                        claims.last_applied.add_file(mode);
                    }
                });
                return;
            }
            ResourceKind::ImageStreamTag => "tag",
            ResourceKind::ImageTag => "spec",
            ResourceKind::ImageStreamImport => return,
        };
        if let Some(slot) = object.get(key).filter(|slot| slot.is_object()) {
            self.slot.last_applied.add_file(mode_of(slot));
        }
    }

    fn read_applied(&mut self, kind: ResourceKind, fields: Json<'_>) {
        let key = match kind {
            ResourceKind::ImageStream => {
                let tags = fields.get("f:spec").and_then(|spec| spec.get("f:tags"));
                for member in tags.into_iter().flat_map(Json::members) {
                    let name = member.key.as_str().unwrap_or_default();
                    if let Some(claims) = named(&name).and_then(|name| self.tags.get_mut(&name)) {
                        claims.applied.add_owned(member.value);
                    }
                }
                return;
            }
            ResourceKind::ImageStreamTag => "f:tag",
            ResourceKind::ImageTag => "f:spec",
            ResourceKind::ImageStreamImport => return,
        };
        if let Some(slot) = fields.get(key) {
            self.slot.applied.add_owned(slot);
        }
    }
}

/// The fields that an entry of `managedFields` owns by server-side apply.
fn applied_fields(entry: Json<'_>) -> Option<Json<'_>> {
    let [operation, fields] = entry.pick(["operation", "fieldsV1"]);
    operation?.is_str("Apply").then_some(fields?)
}

/// The tag of a list key `k:{"name": …}` that has nothing else, as [`TagName`] spells it.
fn named(key: &str) -> Option<Cow<'_, str>> {
    let key = Json::parse(key.strip_prefix("k:")?).ok()?;
    let mut members = key.members();
    let mut name = members.next().filter(|first| first.key.is_str("name"))?;
    for member in members {
        if !member.key.is_str("name") {
            return None;
        }
        name = member;
    }
    Some(TagName::of(Some(name.value)).into_text())
}

impl Claim {
    /// Adds the mode that a slot in an applied file has.
    fn add_file(&mut self, mode: StoredMode) {
        match mode {
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
