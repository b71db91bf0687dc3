//! Which slots exist already, and the mode that they have today (semantics 2).

use std::fmt;

use crate::admission::{ResourceKind, ScopedRequest};
use crate::by_text::ByText;
use crate::import_mode::StoredMode;
use crate::json::Json;
use crate::slot::{Slot, SlotPath, TagName, each_tag};

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

#[derive(Debug, Default)]
pub(crate) struct StoredTags<'a> {
    by_name: ByText<'a, StoredMode>,
    /// What all tags have; none without tags.
    common: Option<Today>,
}

impl<'a> StoredTags<'a> {
    fn add(&mut self, name: TagName<'a>, mode: StoredMode) {
        let today = Today::Stored(mode);
        self.common = match self.common {
            Some(common) if common != today => Some(Today::Mixed),
            _ => Some(today),
        };
        self.by_name.insert(name.into_text(), mode);
    }
}

impl<'a> Stored<'a> {
    /// What the `oldObject` of an UPDATE has.
    pub(crate) fn in_old_object(request: &ScopedRequest<'a>) -> Self {
        let Some(old) = &request.stored else {
            return Self::Nothing;
        };
        let slot =
            |slot: Option<Slot<'_>>| slot.map_or(Self::Nothing, |slot| Self::Slot(slot.requested));
        match request.kind {
            ResourceKind::ImageStream => {
                let mut stored = StoredTags::default();
                for tag in &old.spec.tags {
                    let name = tag.tag.clone();
                    stored.add(name.unwrap_or(TagName::of(None)), tag.requested);
                }
                Self::Tags(stored)
            }
            ResourceKind::ImageStreamTag => slot(old.tag.clone()),
            ResourceKind::ImageTag => slot(old.spec.slot()),
            ResourceKind::ImageStreamImport => Self::Nothing,
        }
    }

    /// Reads the tags of an `ImageStream`.
    pub(crate) fn in_stream(stream: Json<'a>) -> Self {
        let mut stored = StoredTags::default();
        let tags = stream.get("spec").and_then(|spec| spec.get("tags"));
        each_tag(tags, |name, mode| stored.add(name, mode));
        Self::Tags(stored)
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
