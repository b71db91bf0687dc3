//! The kinds that the policy decides.

use crate::json::Json;

/// Group of the four kinds.
pub const GROUP: &str = "image.openshift.io";

/// The kinds whose tags carry a `TagImportPolicy` (openshift.md 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResourceKind {
    /// A stream with all its tags.
    ImageStream,
    /// A request to import images into a stream; it has no stored form.
    ImageStreamImport,
    /// One tag of a stream, with the image that it names.
    ImageStreamTag,
    /// One tag of a stream, spec and status apart.
    ImageTag,
}

impl ResourceKind {
    /// The four kinds.
    pub const ALL: [Self; 4] = [
        Self::ImageStream,
        Self::ImageStreamImport,
        Self::ImageStreamTag,
        Self::ImageTag,
    ];

    /// The kind as the API spells it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ImageStream => "ImageStream",
            Self::ImageStreamImport => "ImageStreamImport",
            Self::ImageStreamTag => "ImageStreamTag",
            Self::ImageTag => "ImageTag",
        }
    }

    /// The kind that a `GroupVersionKind` of any version names.
    pub(super) fn of(kind: Json<'_>) -> Option<Self> {
        let [group, kind] = kind.pick(["group", "kind"]);
        let kind = kind?.as_str()?;
        let kind = Self::ALL.into_iter().find(|known| known.as_str() == kind);
        kind.filter(|_| group.is_some_and(|group| group.is_str(GROUP)))
    }

    /// The resource name that webhook rules use.
    #[must_use]
    pub const fn plural(self) -> &'static str {
        match self {
            Self::ImageStream => "imagestreams",
            Self::ImageStreamImport => "imagestreamimports",
            Self::ImageStreamTag => "imagestreamtags",
            Self::ImageTag => "imagetags",
        }
    }
}
