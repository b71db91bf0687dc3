//! Writing modes into an object without touching any other byte (semantics 6).

use std::ops::Range;

use crate::import_mode::{ImportMode, ModePlace};
use crate::json::Json;

/// A piece of the object's text and what stands there instead.
#[derive(Clone, Debug)]
pub(crate) struct Splice {
    range: Range<usize>,
    text: String,
}

/// How a JSON Patch (RFC 6902) says the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PatchTarget {
    /// The slot gets a whole `importPolicy`.
    Policy,
    /// The policy gets an `importMode`.
    Mode,
}

impl Splice {
    /// Writes `mode` at `place`, which is part of `object`.
    pub(crate) fn new(object: Json<'_>, place: ModePlace<'_>, mode: ImportMode) -> Self {
        match place {
            ModePlace::NoPolicy { slot } => {
                let member = format!(r#""importPolicy":{{"importMode":"{mode}"}}"#);
                Self::insert(object, slot, member)
            }
            ModePlace::NullPolicy { policy } => {
                Self::replace(object, policy, format!(r#"{{"importMode":"{mode}"}}"#))
            }
            ModePlace::NoMode { policy } => {
                Self::insert(object, policy, format!(r#""importMode":"{mode}""#))
            }
            ModePlace::Value { mode: value } => {
                Self::replace(object, value, format!(r#""{mode}""#))
            }
        }
    }

    fn insert(object: Json<'_>, into: Json<'_>, mut member: String) -> Self {
        if !into.is_empty_container() {
            member.push(',');
        }
        let inside = into.offset_in(object) + 1;
        Self {
            range: inside..inside,
            text: member,
        }
    }

    fn replace(object: Json<'_>, value: Json<'_>, text: String) -> Self {
        let start = value.offset_in(object);
        Self {
            range: start..start + value.text().len(),
            text,
        }
    }
}

/// Appends `object` with all `splices`, which stand in ascending order, to `text`.
pub(crate) fn write<'s>(
    object: &str,
    splices: impl Iterator<Item = &'s Splice> + Clone,
    text: &mut String,
) {
    let grown: usize = splices.clone().map(|splice| splice.text.len()).sum();
    text.reserve(object.len() + grown);
    let mut done = 0;
    for splice in splices {
        text.push_str(object.get(done..splice.range.start).unwrap_or_default());
        text.push_str(&splice.text);
        done = splice.range.end;
    }
    text.push_str(object.get(done..).unwrap_or_default());
}

pub(crate) fn patch_target(place: ModePlace<'_>) -> PatchTarget {
    match place {
        ModePlace::NoPolicy { .. } | ModePlace::NullPolicy { .. } => PatchTarget::Policy,
        ModePlace::NoMode { .. } | ModePlace::Value { .. } => PatchTarget::Mode,
    }
}
