//! The answer of the layers subresource.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use super::entry::Entry;
use super::head::API_VERSION;
use super::index::ImageLayerIndex;
use super::interner::{Id, Interner};
use super::media_type;
use super::name::Name;
use super::problem::ImageProblem;
use super::stream::ImageStream;
use super::walk::{Target, Visit, walk};

/// Which blobs and images an image stream references: `ImageStreamLayers` of `image.openshift.io/v1`.
///
/// Its JSON is the API's, maps in the order of their keys; [`problems`](Self::problems) is not part of it.
#[derive(Clone, Debug)]
pub struct ImageStreamLayers {
    metadata: Box<RawValue>,
    blobs: BTreeMap<Name, ImageLayerData>,
    images: BTreeMap<Name, ImageBlobReferences>,
    problems: Vec<ImageProblem>,
    /// Built by the first question.
    members: OnceLock<Interner<()>>,
}

/// One blob (reference 5.1).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ImageLayerData {
    /// Bytes; none for a manifest or config, whose size the Image does not say.
    pub size: Option<u64>,
    /// The media type as stored.
    pub media_type: Name,
}

/// What one image references (reference 5.1).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ImageBlobReferences {
    /// No Image of this name exists; nothing else is known then.
    pub image_missing: bool,
    /// Layers, base first, repeated ones included; none instead of an empty list.
    pub layers: Option<Vec<Name>>,
    /// The configuration blob.
    pub config: Option<Name>,
    /// The children of a manifest list in their order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub manifests: Vec<Name>,
}

impl ImageStreamLayers {
    pub(super) fn build(index: &ImageLayerIndex, stream: &ImageStream) -> Self {
        let mut builder = Builder {
            index,
            blobs: Vec::new(),
            images: Vec::new(),
            problems: Vec::new(),
        };
        let roots = stream.images().map(|name| Target::named(index, name));
        walk(index, roots, |visit| builder.visit(&visit));
        builder.finish(stream)
    }

    /// `metadata` of the stream as it was received.
    #[must_use]
    pub fn metadata(&self) -> &RawValue {
        &self.metadata
    }

    /// Blobs by digest: layers, configs, and manifests, those of the images themselves.
    #[must_use]
    pub fn blobs(&self) -> &BTreeMap<Name, ImageLayerData> {
        &self.blobs
    }

    /// Images by name: those of the whole history and their children.
    #[must_use]
    pub fn images(&self) -> &BTreeMap<Name, ImageBlobReferences> {
        &self.images
    }

    /// What is inconsistent in the stored Images and was left out, by image name.
    #[must_use]
    pub fn problems(&self) -> &[ImageProblem] {
        &self.problems
    }

    /// Whether the stream references the blob or image `digest`, a missing image included: the question
    /// of the image registry (reference 5.8).
    ///
    /// Takes one step whatever the number of blobs and images; the first question of all makes the table.
    #[must_use]
    pub fn contains(&self, digest: &str) -> bool {
        let members = self.members.get_or_init(|| {
            let mut members = Interner::default();
            for name in self.blobs.keys().chain(self.images.keys()) {
                members.acquire_name(name);
            }
            members
        });
        members.find(digest).is_some()
    }

    /// The answer as the API writes it, in one line.
    ///
    /// # Errors
    ///
    /// None that can happen: the keys are strings and the metadata is JSON.
    pub fn to_json(&self) -> serde_json::Result<String> {
        serde_json::to_string(self)
    }
}

impl Serialize for ImageStreamLayers {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("ImageStreamLayers", 5)?;
        object.serialize_field("kind", "ImageStreamLayers")?;
        object.serialize_field("apiVersion", API_VERSION)?;
        object.serialize_field("metadata", &self.metadata)?;
        object.serialize_field("blobs", &self.blobs)?;
        object.serialize_field("images", &self.images)?;
        object.end()
    }
}

/// An answer in the making.
struct Builder<'a> {
    index: &'a ImageLayerIndex,
    /// In the order in which the images state them; of several statements about one the first counts.
    blobs: Vec<(Id, Option<u64>, MediaType)>,
    images: Vec<(Name, ImageBlobReferences)>,
    problems: Vec<ImageProblem>,
}

#[derive(Clone, Copy)]
enum MediaType {
    Of(Id),
    Text(&'static str),
}

impl Builder<'_> {
    fn visit(&mut self, visit: &Visit<'_>) {
        let named = match *visit {
            Visit::Image(id, entry) => (self.index.name(id), self.image(id, entry)),
            Visit::MissingChild(id) => (self.index.name(id), ImageBlobReferences::missing()),
            Visit::Unknown(name) => (name.into(), ImageBlobReferences::missing()),
        };
        self.images.push(named);
    }

    fn image(&mut self, id: Id, entry: &Entry) -> ImageBlobReferences {
        for layer in &entry.layers {
            let media_type = MediaType::Of(layer.media_type);
            self.blobs.push((layer.name, Some(layer.size), media_type));
        }
        if let Some(config) = entry.config {
            let stored = entry.media_type.map(|id| self.index.text(id));
            let media_type = media_type::config_of(stored.as_deref()).unwrap_or_default();
            self.blobs.push((config, None, MediaType::Text(media_type)));
        }
        let manifest = entry
            .media_type
            .map_or(MediaType::Text(media_type::DOCKER_MANIFEST), MediaType::Of);
        self.blobs.push((id, None, manifest));
        self.problems.extend(self.index.problems_of(id));

        let layers = entry.layers.iter().map(|layer| layer.name);
        let manifests = entry.manifests.iter().map(|child| child.digest);
        ImageBlobReferences {
            image_missing: false,
            layers: (!entry.layers.is_empty()).then(|| self.names(layers)),
            config: entry.config.map(|config| self.index.name(config)),
            manifests: self.names(manifests),
        }
    }

    fn names(&self, ids: impl Iterator<Item = Id>) -> Vec<Name> {
        ids.map(|id| self.index.name(id)).collect()
    }

    fn finish(mut self, stream: &ImageStream) -> ImageStreamLayers {
        // Stable, so that the first statement about a blob stays the first.
        self.blobs.sort_by_key(|(id, ..)| *id);
        self.blobs.dedup_by_key(|(id, ..)| *id);
        let blobs = self.blobs.into_iter().map(|(id, size, media_type)| {
            let media_type = match media_type {
                MediaType::Of(id) => self.index.name(id),
                MediaType::Text(text) => text.into(),
            };
            (self.index.name(id), ImageLayerData { size, media_type })
        });
        let blobs = blobs.collect();
        self.problems.sort_unstable();
        ImageStreamLayers {
            metadata: stream.metadata().to_owned(),
            blobs,
            images: self.images.into_iter().collect(),
            problems: self.problems,
            members: OnceLock::new(),
        }
    }
}

impl ImageBlobReferences {
    fn missing() -> Self {
        Self {
            image_missing: true,
            ..Self::default()
        }
    }
}
