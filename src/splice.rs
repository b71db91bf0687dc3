//! Writing modes into an object without touching any other byte (semantics 6).

use std::ops::Range;

use crate::import_mode::{ImportMode, ModePlace};
use crate::json::Json;

/// A piece of the object's text and what stands there instead: a mode between two texts.
#[derive(Clone, Debug)]
pub(crate) struct Splice {
    range: Range<usize>,
    before: &'static str,
    mode: ImportMode,
    after: &'static str,
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
        let (range, before, after) = match place {
            ModePlace::NoPolicy { slot } => (
                first_place(object, slot),
                r#""importPolicy":{"importMode":""#,
                if slot.is_empty_container() {
                    r#""}"#
                } else {
                    r#""},"#
                },
            ),
            ModePlace::NullPolicy { policy } => {
                (whole(object, policy), r#"{"importMode":""#, r#""}"#)
            }
            ModePlace::NoMode { policy } => (
                first_place(object, policy),
                r#""importMode":""#,
                if policy.is_empty_container() {
                    r#"""#
                } else {
                    r#"","#
                },
            ),
            ModePlace::Value { mode } => (whole(object, mode), r#"""#, r#"""#),
        };
        Self {
            range,
            before,
            mode,
            after,
        }
    }

    /// What stands there instead.
    fn pieces(&self) -> [&'static str; 3] {
        [self.before, self.mode.as_str(), self.after]
    }
}

/// Where the first member of `container` goes.
fn first_place(object: Json<'_>, container: Json<'_>) -> Range<usize> {
    let inside = container.offset_in(object) + 1;
    inside..inside
}

fn whole(object: Json<'_>, value: Json<'_>) -> Range<usize> {
    let start = value.offset_in(object);
    start..start + value.bytes().len()
}

/// Length of `object` with all `splices`, in bytes.
pub(crate) fn length<'s>(object: &[u8], splices: impl Iterator<Item = &'s Splice>) -> usize {
    splices.fold(object.len(), |length, splice| {
        let added: usize = splice.pieces().iter().map(|piece| piece.len()).sum();
        length + added - splice.range.len()
    })
}

/// Appends `object` with all `splices`, which stand in ascending order, to `bytes`.
pub(crate) fn write<'s>(
    object: &[u8],
    splices: impl Iterator<Item = &'s Splice>,
    bytes: &mut Vec<u8>,
) {
    let mut done = 0;
    for splice in splices {
        bytes.extend_from_slice(object.get(done..splice.range.start).unwrap_or_default());
        for piece in splice.pieces() {
            bytes.extend_from_slice(piece.as_bytes());
        }
        done = splice.range.end;
    }
    bytes.extend_from_slice(object.get(done..).unwrap_or_default());
}

pub(crate) fn patch_target(place: ModePlace<'_>) -> PatchTarget {
    match place {
        ModePlace::NoPolicy { .. } | ModePlace::NullPolicy { .. } => PatchTarget::Policy,
        ModePlace::NoMode { .. } | ModePlace::Value { .. } => PatchTarget::Mode,
    }
}
