//! Where something stands in what the user gave.

use std::fmt;
use std::rc::Rc;

/// A line of a file, and the way into the document that starts there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file as given; `standard input` for `-`.
    pub file: Rc<str>,
    /// From 1.
    pub line: usize,
    /// As in `items[3].metadata`; empty for the whole document.
    pub path: String,
}

impl Place {
    /// The place `step` below this one.
    pub fn below(&self, step: &str) -> Self {
        let separator = if self.path.is_empty() || step.starts_with('[') {
            ""
        } else {
            "."
        };
        Self {
            path: format!("{}{separator}{step}", self.path),
            ..self.clone()
        }
    }

    /// The same way into the document, `lines` further down.
    pub fn down(&self, lines: usize) -> Self {
        Self {
            line: self.line + lines,
            ..self.clone()
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)?;
        if self.path.is_empty() {
            Ok(())
        } else {
            write!(f, ": `{}`", self.path)
        }
    }
}
