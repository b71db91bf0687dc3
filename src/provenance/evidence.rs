//! What the object itself says of who wrote its modes.

use std::borrow::Cow;

use crate::admission::{ResourceKind, ScopedRequest};
use crate::by_text::ByText;
use crate::import_mode::{ImportMode, StoredMode, mode_of};
use crate::json::Json;
use crate::slot::{Slot, SlotPath, TagName, each_tag};

/// Where client-side `oc apply` keeps the file that it applied.
const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// What one source says of one slot; several files or entries may disagree.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Claim {
    pub(super) with_mode: bool,
    pub(super) without_mode: bool,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Claims {
    pub(super) applied: Claim,
    pub(super) last_applied: Claim,
}

/// What the object itself says of who wrote its modes.
#[derive(Debug, Default)]
pub(super) struct Evidence {
    /// Of the slot of an `ImageStreamTag` or `ImageTag`.
    slot: Claims,
    /// Of the tags of an `ImageStream` that are slots, by name.
    tags: ByText<'static, Claims>,
}

impl Evidence {
    pub(super) fn collect(request: &ScopedRequest<'_>, slots: &[Slot<'_>]) -> Self {
        let mut evidence = Self::default();
        let metadata = &request.object.metadata;
        let last_applied = metadata
            .annotations
            .and_then(|annotations| annotations.get(LAST_APPLIED)?.as_str());
        let last_applied = last_applied.as_deref().map(str::as_bytes).map(Json::parse);
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

    pub(super) fn claims(&self, slot: &Slot<'_>) -> Claims {
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
    let key = Json::parse(key.strip_prefix("k:")?.as_bytes()).ok()?;
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
