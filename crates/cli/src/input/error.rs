//! Why what the user gave cannot be decided.

use std::fmt;
use std::io::ErrorKind;

use super::place::Place;

/// Bad input; displayed with file, line and path, and what to do next.
#[derive(Debug)]
pub enum InputError {
    /// A file cannot be read.
    Unreadable {
        /// As given.
        file: String,
        /// Why not.
        source: std::io::Error,
    },
    /// Nothing was given, and nobody pipes anything.
    NoInput,
    /// The text is neither JSON nor YAML.
    Syntax {
        /// The line where it stops being so.
        place: Place,
        /// The column there, from 1.
        column: usize,
        /// `JSON` or `YAML`.
        format: &'static str,
        /// What the parser says.
        message: String,
    },
    /// A document that cannot be used.
    Unusable {
        /// Where it stands.
        place: Place,
        /// Why, and what would do.
        message: String,
    },
    /// A file without a single document.
    Empty {
        /// As given.
        file: String,
    },
    /// A file or folder that should play the cluster, and holds nothing.
    NoObject {
        /// As given.
        file: String,
    },
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable { file, source } => {
                write!(f, "cannot read `{file}`: {source}")?;
                f.write_str(match source.kind() {
                    ErrorKind::IsADirectory => "; name the files in it",
                    ErrorKind::InvalidData => "; JSON or YAML is needed",
                    _ => "",
                })
            }
            Self::NoInput => f.write_str(
                "no input: name a FILE, or `-` and pipe one in, as in `oc get is -A -o json | imagestream-import-mode explain -`",
            ),
            Self::Syntax {
                place,
                column,
                format,
                message,
            } => write!(f, "{place}:{column}: not {format}: {message}"),
            Self::Unusable { place, message } => write!(f, "{place}: {message}"),
            Self::Empty { file } => write!(
                f,
                "`{file}` holds no document; an AdmissionReview, a manifest or a List is needed"
            ),
            Self::NoObject { file } => write!(
                f,
                "`{file}` holds no object; name a file or folder that `oc get -o json` or must-gather wrote"
            ),
        }
    }
}

impl std::error::Error for InputError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Unreadable { source, .. } => Some(source),
            _ => None,
        }
    }
}

/// A document that cannot be used.
pub fn unusable(place: &Place, message: &str) -> InputError {
    InputError::Unusable {
        place: place.clone(),
        message: message.to_owned(),
    }
}
