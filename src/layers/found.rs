//! One object of a document, of whatever kind.

use super::error::{ObjectError, ObjectKind};
use super::head::Head;
use super::image::Image;
use super::json::reason;
use super::stream::ImageStream;

/// One object of a document.
#[derive(Clone, Debug)]
pub enum Found {
    /// An Image.
    Image(Image),
    /// An ImageStream.
    ImageStream(ImageStream),
    /// An object of another kind or API group, which the layers system has no use for.
    Other {
        /// Its kind, empty if it does not say.
        kind: String,
        /// Its name, `namespace/name` in a namespace, if it has one.
        name: Option<String>,
    },
    /// An Image or ImageStream that cannot be used, or no object at all.
    Faulty(ObjectError),
}

impl Found {
    /// The Image; of anything else, why a list of Images cannot use it.
    ///
    /// # Errors
    ///
    /// The fault of a faulty object, or that it is of another kind.
    pub fn into_image(self) -> Result<Image, ObjectError> {
        match self {
            Self::Image(image) => Ok(image),
            other => Err(other.foreign_to(ObjectKind::Image)),
        }
    }

    /// The ImageStream; of anything else, why a list of ImageStreams cannot use it.
    ///
    /// # Errors
    ///
    /// The fault of a faulty object, or that it is of another kind.
    pub fn into_image_stream(self) -> Result<ImageStream, ObjectError> {
        match self {
            Self::ImageStream(stream) => Ok(stream),
            other => Err(other.foreign_to(ObjectKind::ImageStream)),
        }
    }

    fn foreign_to(self, expected: ObjectKind) -> ObjectError {
        let (kind, name) = match self {
            Self::Faulty(error) => return error,
            Self::Image(image) => (ObjectKind::Image.as_str().to_owned(), Some(image.name)),
            Self::ImageStream(stream) => (
                ObjectKind::ImageStream.as_str().to_owned(),
                Some(stream.full_name()),
            ),
            Self::Other { kind, name } => (kind, name),
        };
        let reason = format!("expected kind `{}`, found `{kind}`", expected.as_str());
        ObjectError::new(expected, name, reason)
    }

    /// The object in messages.
    pub(super) fn label(&self) -> Option<String> {
        match self {
            Self::Image(image) => Some(format!("Image `{}`", image.name())),
            Self::ImageStream(stream) => Some(format!("ImageStream `{}`", stream.full_name())),
            Self::Other { kind, name } => name.as_ref().map(|name| format!("{kind} `{name}`")),
            Self::Faulty(error) => error
                .name()
                .map(|name| format!("{} `{name}`", error.kind().as_str())),
        }
    }

    /// What the text of one object holds, given the kind that its list gives to items without one.
    pub(super) fn read(text: &str, default_kind: &str, position: Option<usize>) -> Self {
        let head = match Head::read(text) {
            Ok(head) => head,
            Err(error) => {
                let kind = match default_kind {
                    "Image" => ObjectKind::Image,
                    "ImageStream" => ObjectKind::ImageStream,
                    _ => ObjectKind::Unknown,
                };
                return Self::Faulty(ObjectError::new(kind, None, reason(&error)).at(position));
            }
        };
        let kind = match head.kind.0.as_ref() {
            "" => default_kind,
            kind => kind,
        };
        let read = match kind {
            "Image" if head.is_of_image_api() => Image::from_json(text).map(Self::Image),
            "ImageStream" if head.is_of_image_api() => {
                ImageStream::from_json(text).map(Self::ImageStream)
            }
            _ => Ok(Self::Other {
                kind: kind.to_owned(),
                name: head.name(),
            }),
        };
        read.unwrap_or_else(|error| Self::Faulty(error.at(position)))
    }
}
