//! One line per kind of warning, short enough for every client (semantics 6).

use std::fmt::{self, Write as _};

use crate::slot::SlotLabel;
use crate::text;

/// Longest warning in characters; clients may cut longer ones.
pub const LONGEST_WARNING: usize = 120;

/// Longest tag name in a message, in characters.
const LONGEST_TAG: usize = 40;

/// What a warning is about; the order is that of the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum WarningKind {
    /// A new tag stays Legacy because its author decided so.
    ExplicitKept,
    /// An existing tag keeps its mode against the request.
    ExistingKept,
    /// The tags behind a repository have different modes.
    ExistingMixed,
    /// Legacy was set over a request for `PreserveOriginal`.
    ListDropped,
    /// The stream of an import could not be read.
    LookupFailed,
    /// Nobody can say which mode new tags get.
    PayloadUnknown,
    /// The settings have faults.
    SettingsInvalid,
}

impl WarningKind {
    /// Every kind, in the order of the answer.
    pub const ALL: [Self; 7] = [
        Self::ExplicitKept,
        Self::ExistingKept,
        Self::ExistingMixed,
        Self::ListDropped,
        Self::LookupFailed,
        Self::PayloadUnknown,
        Self::SettingsInvalid,
    ];

    /// The word that the line starts with.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ExplicitKept => "explicit-kept",
            Self::ExistingKept => "existing-kept",
            Self::ExistingMixed => "existing-mixed",
            Self::ListDropped => "list-dropped",
            Self::LookupFailed => "lookup-failed",
            Self::PayloadUnknown => "payload-unknown",
            Self::SettingsInvalid => "settings-invalid",
        }
    }

    /// What happened to the listed tags, and the remedy where there is one.
    const fn text(self) -> &'static str {
        match self {
            Self::ExplicitKept => {
                "Legacy kept as asked; to keep all platforms apply PreserveOriginal"
            }
            Self::ExistingKept => {
                "mode kept; to change it apply with importMode or set prefer-arch"
            }
            Self::ExistingMixed => "left as sent, the stream's tags have different modes",
            Self::ListDropped => "Legacy set, as the cluster states; one platform is kept",
            Self::LookupFailed => "taken for new, the image stream could not be read",
            Self::PayloadUnknown => "left as sent, cluster mode unknown; set payloadArchitecture",
            Self::SettingsInvalid => {
                "nothing was changed; correct the policy's settings, the server's log lists the faults"
            }
        }
    }
}

/// One warning; displayed as its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// What it is about.
    pub kind: WarningKind,
    line: String,
}

impl Warning {
    /// The warning of `kind` about `slots`, which may be empty.
    pub(crate) fn new(kind: WarningKind, slots: &[SlotLabel<'_>]) -> Self {
        let (start, text) = (kind.as_str(), kind.text());
        let line = if slots.is_empty() {
            format!("{start}: {text}")
        } else {
            let room = LONGEST_WARNING.saturating_sub(start.len() + text.len() + 4);
            format!("{start}: {}: {text}", list(slots, room))
        };
        Self { kind, line }
    }

    /// The line, at most [`LONGEST_WARNING`] characters.
    #[must_use]
    pub fn line(&self) -> &str {
        &self.line
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.line)
    }
}

/// `tags a, b and 3 more` in at most `room` characters, which must hold at least one short name.
pub(crate) fn list(slots: &[SlotLabel<'_>], room: usize) -> String {
    let is_tag = |slot: &SlotLabel<'_>| matches!(slot, SlotLabel::Tag(_));
    let word = match slots {
        [slot] if is_tag(slot) => "tag ",
        slots if slots.iter().any(is_tag) => "tags ",
        _ => "",
    };
    let mut text = String::from(word);
    let mut length = word.len();
    let mut left = slots.len();
    for slot in slots {
        let space = room.saturating_sub(length + more_length(left - 1));
        let name = text::shown(slot.as_str(), LONGEST_TAG.min(space.max(1)));
        let is_first = left == slots.len();
        let separator = match left {
            _ if is_first => "",
            1 => " and ",
            _ => ", ",
        };
        let width = name.chars().count() + separator.len();
        let cut_short = space < LONGEST_TAG && name.ends_with('…');
        if !is_first && (width > space || cut_short) {
            break;
        }
        text.push_str(separator);
        text.push_str(&name);
        length += width;
        left -= 1;
    }
    if left > 0 {
        let _ = write!(text, " and {left} more");
    }
    text
}

/// Length of ` and N more`.
fn more_length(left: usize) -> usize {
    let Some(digits) = left.checked_ilog10() else {
        return 0;
    };
    " and ".len() + 1 + digits as usize + " more".len()
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::*;

    fn tags<'a>(names: &[&'a str]) -> Vec<SlotLabel<'a>> {
        names
            .iter()
            .map(|name| SlotLabel::Tag(Cow::Borrowed(*name)))
            .collect()
    }

    #[test]
    fn lists_are_sentences() {
        assert_eq!(list(&tags(&["a"]), 40), "tag a");
        assert_eq!(list(&tags(&["a", "b"]), 40), "tags a and b");
        assert_eq!(list(&tags(&["a", "b", "c"]), 40), "tags a, b and c");
        assert_eq!(
            list(&tags(&["a", "b", "c", "d", "e"]), 20),
            "tags a, b and 3 more"
        );
        assert_eq!(
            list(&[SlotLabel::Pointer("/spec/repository".into())], 40),
            "/spec/repository"
        );
    }

    #[test]
    fn the_last_and_counts_too() {
        let names = tags(&["1234", "1234", "1234"]);
        assert_eq!(list(&names, 26), "tags 1234, 1234 and 1234");
        assert_eq!(list(&names, 25), "tags 1234 and 2 more");
    }

    #[test]
    fn every_line_is_short_whatever_the_tags_are_called() {
        let long = "x".repeat(300);
        let names = [
            long.as_str(),
            "\u{7}\u{202e}\n",
            "日本語日本語",
            "a",
            "b/c~d",
        ];
        for kind in WarningKind::ALL {
            let counts: &[usize] = match kind {
                WarningKind::SettingsInvalid => &[0],
                _ => &[1, 2, 5, 5_000],
            };
            for count in counts.iter().copied() {
                let names = tags(&names);
                let slots: Vec<_> = names.into_iter().cycle().take(count).collect();
                let line = Warning::new(kind, &slots).to_string();
                assert!(line.chars().count() <= LONGEST_WARNING, "{line}");
                assert!(line.starts_with(&format!("{}: ", kind.as_str())), "{line}");
                assert!(!line.contains(char::is_control), "{line}");
            }
        }
    }
}
