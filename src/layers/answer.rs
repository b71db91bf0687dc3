//! The answer of the layers subresource.

use std::collections::BTreeMap;

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
    members: Interner<()>,
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
            names: BTreeMap::new(),
            images: BTreeMap::new(),
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
    /// Takes one step whatever the number of blobs and images.
    #[must_use]
    pub fn contains(&self, digest: &str) -> bool {
        self.members.find(digest).is_some()
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

/// The maps of an answer in the making.
struct Builder<'a> {
    index: &'a ImageLayerIndex,
    /// Every name of the index that the answer mentions, and the blob that it is, if it is one.
    names: BTreeMap<Id, (Name, Option<ImageLayerData>)>,
    images: BTreeMap<Name, ImageBlobReferences>,
    problems: Vec<ImageProblem>,
}

impl Builder<'_> {
    fn visit(&mut self, visit: &Visit<'_>) {
        let (name, references) = match *visit {
            Visit::Image(id, entry) => self.image(id, entry),
            Visit::MissingChild(id) => (self.name(id), ImageBlobReferences::missing()),
            Visit::Unknown(name) => (name.into(), ImageBlobReferences::missing()),
        };
        self.images.insert(name, references);
    }

    fn image(&mut self, id: Id, entry: &Entry) -> (Name, ImageBlobReferences) {
        let layers: Vec<Name> = entry
            .layers
            .iter()
            .map(|layer| {
                self.blob(
                    layer.name,
                    Some(layer.size),
                    MediaType::Of(layer.media_type),
                )
            })
            .collect();
        let stored = entry.media_type.map(|id| self.name(id));
        let config = entry.config.map(|config| {
            let media_type = media_type::config_of(stored.as_deref()).unwrap_or_default();
            self.blob(config, None, MediaType::Text(media_type))
        });
        let manifest = entry
            .media_type
            .map_or(MediaType::Text(media_type::DOCKER_MANIFEST), MediaType::Of);
        let name = self.blob(id, None, manifest);
        self.problems.extend(self.index.problems_of(id));
        let references = ImageBlobReferences {
            image_missing: false,
            layers: (!layers.is_empty()).then_some(layers),
            config,
            manifests: entry
                .manifests
                .iter()
                .map(|child| self.name(child.digest))
                .collect(),
        };
        (name, references)
    }

    /// Adds a blob; of several statements about one the first counts.
    fn blob(&mut self, id: Id, size: Option<u64>, media_type: MediaType) -> Name {
        if let Some((name, Some(_))) = self.names.get(&id) {
            return name.clone();
        }
        let media_type = match media_type {
            MediaType::Of(id) => self.name(id),
            MediaType::Text(text) => text.into(),
        };
        let (name, blob) = self.known(id);
        *blob = Some(ImageLayerData { size, media_type });
        name.clone()
    }

    fn name(&mut self, id: Id) -> Name {
        self.known(id).0.clone()
    }

    fn known(&mut self, id: Id) -> &mut (Name, Option<ImageLayerData>) {
        let index = self.index;
        self.names
            .entry(id)
            .or_insert_with(|| (index.text(id).into(), None))
    }

    fn finish(mut self, stream: &ImageStream) -> ImageStreamLayers {
        let blobs: BTreeMap<Name, ImageLayerData> = self
            .names
            .into_values()
            .filter_map(|(name, blob)| Some((name, blob?)))
            .collect();
        let mut members = Interner::default();
        for name in blobs.keys().chain(self.images.keys()) {
            members.acquire(name);
        }
        self.problems.sort_unstable();
        ImageStreamLayers {
            metadata: stream.metadata().to_owned(),
            blobs,
            images: self.images,
            problems: self.problems,
            members,
        }
    }
}

#[derive(Clone, Copy)]
enum MediaType {
    Of(Id),
    Text(&'static str),
}

impl ImageBlobReferences {
    fn missing() -> Self {
        Self {
            image_missing: true,
            ..Self::default()
        }
    }
}
