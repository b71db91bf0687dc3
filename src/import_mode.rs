//! The import mode of a tag and the places that hold it.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::json::{Cursor, Json};

/// What an import stores for an image that several platforms share.
///
/// Upstream: `ImportModeType` in `image/v1/types.go` of openshift/api.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ImportMode {
    /// One platform of the image is kept, the manifest list is dropped.
    Legacy,
    /// The manifest list and every platform in it are kept.
    PreserveOriginal,
}

impl ImportMode {
    /// Both modes, in the order in which messages list them.
    pub const ALL: [Self; 2] = [Self::Legacy, Self::PreserveOriginal];

    /// The mode as the API spells it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Legacy => "Legacy",
            Self::PreserveOriginal => "PreserveOriginal",
        }
    }

    /// The mode of exactly this spelling.
    #[must_use]
    pub fn from_api(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.as_str() == text)
    }

    /// The mode that a value spells.
    pub(crate) fn of(value: Json<'_>) -> Option<Self> {
        let is_spelt = |mode: &Self| value.is_str(mode.as_str());
        Self::ALL.into_iter().find(is_spelt)
    }
}

impl fmt::Display for ImportMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for ImportMode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// What a `TagImportPolicy` says about the mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoredMode {
    /// No mode, a null or empty one, or no policy.
    Unset,
    /// One of the two modes.
    Mode(ImportMode),
    /// Something that the API server refuses: another string, another type.
    Foreign,
}

impl fmt::Display for StoredMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unset => f.write_str("unset"),
            Self::Mode(mode) => mode.fmt(f),
            Self::Foreign => f.write_str("invalid"),
        }
    }
}

/// Where a mode is to be written within a slot; offsets come from the document.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ModePlace<'a> {
    /// The slot has no `importPolicy`.
    NoPolicy { slot: Json<'a> },
    /// `importPolicy` is null.
    NullPolicy { policy: Json<'a> },
    /// `importPolicy` has no `importMode`.
    NoMode { policy: Json<'a> },
    /// `importMode` has a value.
    Value { mode: Json<'a> },
}

/// The mode of a slot.
pub(crate) fn mode_of(slot: Json<'_>) -> StoredMode {
    let policy = slot.get("importPolicy");
    let policy = policy.map(|policy| PolicyView::read(&mut policy.cursor()));
    policy.unwrap_or_default().mode_in(slot).0
}

/// The `importPolicy` of a slot and the mode in it.
#[derive(Clone, Copy, Default)]
pub(crate) struct PolicyView<'a> {
    whole: Option<Json<'a>>,
    mode: Option<Json<'a>>,
}

impl<'a> PolicyView<'a> {
    /// Moves behind the next value.
    pub(crate) fn read(cursor: &mut Cursor<'a>) -> Self {
        let mut mode = None;
        let whole = cursor.object(|key, cursor| {
            if key == b"importMode" {
                mode = cursor.value();
            }
        });
        Self { whole, mode }
    }

    /// The mode of `slot`, which has this policy, and where to write another one.
    pub(crate) fn mode_in(self, slot: Json<'a>) -> (StoredMode, ModePlace<'a>) {
        let Some(policy) = self.whole else {
            return (StoredMode::Unset, ModePlace::NoPolicy { slot });
        };
        if policy.is_null() {
            return (StoredMode::Unset, ModePlace::NullPolicy { policy });
        }
        if !policy.is_object() {
            return (StoredMode::Foreign, ModePlace::Value { mode: policy });
        }
        let Some(mode) = self.mode else {
            return (StoredMode::Unset, ModePlace::NoMode { policy });
        };
        let stored = if mode.is_unset() {
            StoredMode::Unset
        } else {
            ImportMode::of(mode).map_or(StoredMode::Foreign, StoredMode::Mode)
        };
        (stored, ModePlace::Value { mode })
    }
}
