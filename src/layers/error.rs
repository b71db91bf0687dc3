//! Why an object could not be used.

use std::fmt;

/// The kinds that the layers system reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObjectKind {
    /// `Image` of `image.openshift.io/v1`.
    Image,
    /// `ImageStream` of `image.openshift.io/v1`.
    ImageStream,
    /// Not known: the object does not say, or it is no object.
    Unknown,
}

impl ObjectKind {
    /// The kind as the API spells it, `object` for an unknown one.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Image => "Image",
            Self::ImageStream => "ImageStream",
            Self::Unknown => "object",
        }
    }
}

/// One object that cannot be used, and why.
///
/// The message names the object by its name, or by its place in the list that holds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectError {
    kind: ObjectKind,
    name: Option<String>,
    position: Option<usize>,
    reason: String,
}

impl ObjectError {
    pub(super) fn new(kind: ObjectKind, name: Option<String>, reason: impl Into<String>) -> Self {
        Self {
            kind,
            name,
            position: None,
            reason: reason.into(),
        }
    }

    pub(super) fn at(mut self, position: Option<usize>) -> Self {
        self.position = position;
        self
    }

    /// The kind that the object should have been.
    #[must_use]
    pub fn kind(&self) -> ObjectKind {
        self.kind
    }

    /// The object's name, `namespace/name` for an image stream, if it has one.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The object's place in the `items` of its list, counted from 0.
    #[must_use]
    pub fn position(&self) -> Option<usize> {
        self.position
    }

    /// What is wrong, without the object: the path of the field, then the fault.
    #[must_use]
    pub fn reason(&self) -> &str {
        &self.reason
    }
}

impl fmt::Display for ObjectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.as_str())?;
        match (&self.name, self.position) {
            (Some(name), _) => write!(f, " `{name}`")?,
            (None, Some(position)) => write!(f, " at items[{position}]")?,
            (None, None) => {}
        }
        write!(f, ": {}", self.reason)
    }
}

impl std::error::Error for ObjectError {}
