//! Names that an answer repeats many times.

use std::fmt;

use serde::{Serialize, Serializer};

use super::digest::Key;

/// A digest, an image name or a media type, in the order of the texts.
///
/// A SHA-256 digest takes 32 bytes and becomes text when it is written; copies of other names share theirs.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Name(pub(super) Key);

impl From<&str> for Name {
    fn from(text: &str) -> Self {
        Self(Key::of(text))
    }
}

impl PartialEq<str> for Name {
    fn eq(&self, text: &str) -> bool {
        self.0.read(|own| own == text)
    }
}

impl PartialEq<&str> for Name {
    fn eq(&self, text: &&str) -> bool {
        *self == **text
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.read(|text| f.write_str(text))
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.read(|text| fmt::Debug::fmt(text, f))
    }
}

impl Serialize for Name {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.read(|text| serializer.serialize_str(text))
    }
}
