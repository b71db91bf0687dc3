//! The change of an object as a unified diff of its YAML.

use std::fmt::Write as _;

use anstyle::AnsiColor;
use similar::TextDiff;

use super::{ADDED, FAINT, REMOVED, paint};

/// Lines around each change.
const CONTEXT: usize = 3;

/// A coloured unified diff; empty where nothing changed.
pub fn unified(before: &str, after: &str, name: &str) -> String {
    let diff = TextDiff::from_lines(before, after);
    let (old, new) = (format!("{name} as sent"), format!("{name} as stored"));
    let text = diff
        .unified_diff()
        .context_radius(CONTEXT)
        .header(&old, &new)
        .to_string();
    let mut coloured = String::new();
    for line in text.lines() {
        let style = match line.as_bytes() {
            [b'+', b'+', b'+', ..] | [b'-', b'-', b'-', ..] => FAINT,
            [b'+', ..] => ADDED,
            [b'-', ..] => REMOVED,
            [b'@', ..] => AnsiColor::Cyan.on_default(),
            _ => anstyle::Style::new(),
        };
        let _ = writeln!(coloured, "{}", paint(style, line));
    }
    coloured
}
