//! What is kept of an Image.

use serde::ser::SerializeStruct;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::value::RawValue;

use super::error::{ObjectError, ObjectKind};
use super::head::{API_VERSION, Head};
use super::image_json;
use super::media_type;
use super::platform::Platform;
use super::problem::Problem;
use super::version::ResourceVersion;

/// The part of an Image that says what it references.
///
/// It is read from the API's JSON and written as such; only the fields below survive. An entry without
/// the digest that it is for is not among them: see [`Image::problems`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Image {
    pub(super) name: String,
    pub(super) resource_version: ResourceVersion,
    pub(super) media_type: Option<String>,
    pub(super) config: Option<String>,
    pub(super) architecture: Option<String>,
    pub(super) layers: Vec<Layer>,
    pub(super) manifests: Vec<Manifest>,
    pub(super) problems: Vec<Problem>,
}

/// One entry of `dockerImageLayers`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layer {
    /// The digest of the layer's blob.
    pub name: String,
    /// Bytes of the compressed blob, at most `i64::MAX`; 0 is a real zero.
    pub size: u64,
    /// The media type as stored, empty if none is.
    pub media_type: String,
}

/// One entry of `dockerImageManifests`: a child of a manifest list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manifest {
    /// The name of the child's Image.
    pub digest: String,
    /// What the child is for.
    pub platform: Platform,
}

impl Image {
    /// Reads one Image as the API writes it, alone or as an item of a list.
    ///
    /// # Errors
    ///
    /// The text is not JSON, is another kind, has no name, or a field has a value that the API cannot
    /// hold: a negative or huge size, a number written as a string.
    pub fn from_json(text: &str) -> Result<Self, ObjectError> {
        let head = Head::read(text).unwrap_or_default();
        let fault = |reason: String| ObjectError::new(ObjectKind::Image, head.name(), reason);
        match head.mismatch(ObjectKind::Image.as_str()) {
            Some(reason) => Err(fault(reason)),
            None => image_json::read(text).map_err(fault),
        }
    }

    /// `metadata.name`: the digest of the manifest, or any other name that the Image was created with.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// `metadata.resourceVersion`.
    #[must_use]
    pub fn resource_version(&self) -> &ResourceVersion {
        &self.resource_version
    }

    /// The manifest's media type; what has none stored is a Docker image of schema 2.
    #[must_use]
    pub fn media_type(&self) -> &str {
        self.media_type
            .as_deref()
            .unwrap_or(media_type::DOCKER_MANIFEST)
    }

    /// The digest of the configuration blob: only an image that is stored as Docker schema 2 or as OCI
    /// has one.
    #[must_use]
    pub fn config(&self) -> Option<&str> {
        self.config.as_deref()
    }

    /// The image's own platform; a manifest list has none.
    #[must_use]
    pub fn platform(&self) -> Option<Platform> {
        self.architecture.clone().map(|architecture| Platform {
            architecture,
            ..Platform::default()
        })
    }

    /// The layers in the stored order, base first, repeated ones included.
    #[must_use]
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// The children of a manifest list in the stored order, repeated ones included.
    #[must_use]
    pub fn manifests(&self) -> &[Manifest] {
        &self.manifests
    }

    /// What is inconsistent in the stored object and was left out.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }
}

impl<'de> Deserialize<'de> for Image {
    /// Needs `serde_json`, as [`RawValue`] does, and no buffering in between (`flatten`, untagged enums).
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Box::<RawValue>::deserialize(deserializer)?;
        Self::from_json(text.get()).map_err(de::Error::custom)
    }
}

impl Serialize for Image {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Image", 7)?;
        object.serialize_field("kind", ObjectKind::Image.as_str())?;
        object.serialize_field("apiVersion", API_VERSION)?;
        object.serialize_field("metadata", &Metadata(self))?;
        object.serialize_field("dockerImageMetadata", &DockerImage(self))?;
        if let Some(media_type) = &self.media_type {
            object.serialize_field("dockerImageManifestMediaType", media_type)?;
        }
        if !self.layers.is_empty() {
            object.serialize_field("dockerImageLayers", &self.layers)?;
        }
        if !self.manifests.is_empty() {
            object.serialize_field("dockerImageManifests", &self.manifests)?;
        }
        object.end()
    }
}

struct Metadata<'a>(&'a Image);

impl Serialize for Metadata<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("ObjectMeta", 2)?;
        object.serialize_field("name", &self.0.name)?;
        if self.0.resource_version != ResourceVersion::None {
            object.serialize_field("resourceVersion", &self.0.resource_version.text())?;
        }
        object.end()
    }
}

struct DockerImage<'a>(&'a Image);

impl Serialize for DockerImage<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("DockerImage", 4)?;
        object.serialize_field("kind", "DockerImage")?;
        object.serialize_field("apiVersion", "image.openshift.io/1.0")?;
        object.serialize_field("Id", self.0.config().unwrap_or_default())?;
        if let Some(architecture) = &self.0.architecture {
            object.serialize_field("Architecture", architecture)?;
        }
        object.end()
    }
}

impl Serialize for Layer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("ImageLayer", 3)?;
        object.serialize_field("name", &self.name)?;
        object.serialize_field("size", &self.size)?;
        object.serialize_field("mediaType", &self.media_type)?;
        object.end()
    }
}

impl Serialize for Manifest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("ImageManifest", 4)?;
        object.serialize_field("digest", &self.digest)?;
        object.serialize_field("architecture", &self.platform.architecture)?;
        object.serialize_field("os", &self.platform.os)?;
        if !self.platform.variant.is_empty() {
            object.serialize_field("variant", &self.platform.variant)?;
        }
        object.end()
    }
}
