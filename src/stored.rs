//! Which slots exist already, and the mode that they have today (semantics 2).

use std::fmt;

use crate::admission::{ResourceKind, ScopedRequest};
use crate::by_text::ByText;
use crate::import_mode::{StoredMode, mode_of};
use crate::json::Json;
use crate::slot::{Slot, SlotPath, each_tag};

/// The mode that an existing slot has today.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Today {
    /// One mode, or none.
    Stored(StoredMode),
    /// The tags behind a repository have different modes.
    Mixed,
}

impl fmt::Display for Today {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stored(mode) => mode.fmt(f),
            Self::Mixed => f.write_str("mixed"),
        }
    }
}

/// What is stored before the request.
#[derive(Debug)]
pub(crate) enum Stored<'a> {
    /// Nothing: every slot is new.
    Nothing,
    /// The one slot of the object.
    Slot(StoredMode),
    /// The tags of a stream.
    Tags(StoredTags<'a>),
}

#[derive(Debug)]
pub(crate) struct StoredTags<'a> {
    by_name: ByText<'a, StoredMode>,
    /// What all tags have; none without tags.
    common: Option<Today>,
}

impl<'a> Stored<'a> {
    /// Reads the `oldObject` of an UPDATE.
    pub(crate) fn in_old_object(request: &ScopedRequest<'a>) -> Self {
        let old = &request.stored;
        match request.kind {
            ResourceKind::ImageStream => Self::in_tags(old.spec.tags),
            ResourceKind::ImageStreamTag => Self::in_slot(old.tag),
            ResourceKind::ImageTag => Self::in_slot(old.spec.whole),
            ResourceKind::ImageStreamImport => Self::Nothing,
        }
    }

    /// Reads the tags of an `ImageStream`.
    pub(crate) fn in_stream(stream: Json<'a>) -> Self {
        Self::in_tags(stream.get("spec").and_then(|spec| spec.get("tags")))
    }

    fn in_tags(tags: Option<Json<'a>>) -> Self {
        let mut stored = StoredTags {
            by_name: ByText::default(),
            common: None,
        };
        each_tag(tags, |name, mode| {
            let today = Today::Stored(mode);
            stored.common = match stored.common {
                Some(common) if common != today => Some(Today::Mixed),
                _ => Some(today),
            };
            stored.by_name.insert(name.into_text(), mode);
        });
        Self::Tags(stored)
    }

    fn in_slot(slot: Option<Json<'a>>) -> Self {
        slot.filter(|slot| slot.is_object())
            .map_or(Self::Nothing, |slot| Self::Slot(mode_of(slot)))
    }

    /// The mode of `slot` today; none if the slot is new.
    pub(crate) fn today(&self, slot: &Slot<'_>) -> Option<Today> {
        match self {
            Self::Nothing => None,
            Self::Slot(mode) => Some(Today::Stored(*mode)),
            Self::Tags(tags) if slot.path == SlotPath::Repository => tags.common,
            Self::Tags(tags) => {
                let name = slot.tag.as_ref()?;
                let mode = tags.by_name.get(name.as_ref())?;
                Some(Today::Stored(*mode))
            }
        }
    }
}
