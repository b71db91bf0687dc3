//! What people read: tables, diffs, words.

pub mod diff;
pub mod json;
pub mod table;
pub mod words;

use std::io::{ErrorKind, IsTerminal as _, Write as _};

use anstyle::{AnsiColor, Style};

/// What was added or set.
pub const ADDED: Style = AnsiColor::Green.on_default();
/// What was removed or refused.
pub const REMOVED: Style = AnsiColor::Red.on_default();
/// What deserves a look.
pub const WARNING: Style = AnsiColor::Yellow.on_default();
/// Names of things.
pub const TITLE: Style = Style::new().bold();
/// What may be passed over.
pub const FAINT: Style = Style::new().dimmed();

/// Longest text of strangers on one line.
const LONGEST: usize = 200;

/// Longest message.
const LONGEST_MESSAGE: usize = 2_000;

/// `text` in `style`; the stream takes the style away where it is not wanted.
pub fn paint(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// Text of strangers, safe for a terminal.
pub fn shown(text: &str) -> String {
    imagestream_import_mode::shown(text, LONGEST)
}

/// A message in whole, safe for a terminal.
pub fn shown_whole(text: &str) -> String {
    imagestream_import_mode::shown(text, LONGEST_MESSAGE)
}

/// Width of the terminal; none where output goes elsewhere and lines may be long.
pub fn width() -> Option<usize> {
    if !std::io::stdout().is_terminal() {
        return None;
    }
    let (width, _) = terminal_size::terminal_size()?;
    Some(width.0.into())
}

/// Writes everything at once; a reader that has gone away is no error.
///
/// # Errors
///
/// Any other error of standard output.
pub fn print(text: &str) -> std::io::Result<()> {
    let mut stdout = anstream::stdout().lock();
    let written = stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush());
    match written {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

/// Writes a line to standard error, if there is somebody to read it.
pub fn note(text: &str) {
    let _ = writeln!(anstream::stderr().lock(), "{text}");
}

/// `1 tag`, `2 tags`.
pub fn count(number: usize, what: &str) -> String {
    if number == 1 {
        format!("1 {what}")
    } else {
        format!("{number} {what}s")
    }
}
