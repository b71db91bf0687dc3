//! What image streams store, and what each import mode would cost.
//!
//! Sizes are those of layers: the API does not say how big configs and manifests are, they count as blobs
//! without bytes. All sizes are bytes of compressed blobs, as a registry stores them. A blob that several
//! Images have is counted once in each sum; of several sizes that Images state for it, the first counts,
//! streams in the order of their names.

mod build;
mod cost;
mod one_platform;
mod sets;

use serde::Serialize;

pub use cost::{Cost, UnknownCost};
pub use one_platform::OnePlatform;

use super::index::ImageLayerIndex;
use super::stream::ImageStream;
use crate::import_mode::ImportMode;

/// What the footprint has to know about the cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FootprintOptions {
    /// The mode that the cluster wants for new tags; none if it is not known. Only with
    /// `PreserveOriginal` are tags of one platform marked.
    pub cluster_mode: Option<ImportMode>,
    /// The operating system that a Legacy import chooses: that of openshift-apiserver.
    pub os: String,
    /// The architecture that a Legacy import chooses: that of openshift-apiserver.
    pub architecture: String,
}

impl Default for FootprintOptions {
    /// An unknown cluster mode, and `linux/amd64`.
    fn default() -> Self {
        Self {
            cluster_mode: None,
            os: "linux".to_owned(),
            architecture: "amd64".to_owned(),
        }
    }
}

/// The footprint of a cluster: the document of `footprint -o json`.
///
/// Field names in JSON are those below in camel case. Fields are added, not renamed or removed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Footprint {
    /// `Legacy`, `PreserveOriginal`, or null if not known.
    pub cluster_mode: Option<ImportMode>,
    /// The platform that a Legacy import chooses, such as `linux/amd64`.
    pub legacy_platform: String,
    /// Sums over all streams.
    pub totals: Totals,
    /// Streams in the order of namespace and name.
    pub streams: Vec<StreamFootprint>,
}

/// Sums over all streams; nothing is counted twice.
///
/// `bytes` = the sum of `bytes - sharedBytes` of all streams, plus `sharedBytes` here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Totals {
    /// Image streams.
    pub streams: usize,
    /// Tags of all streams, those with a history or in `spec.tags`.
    pub tags: usize,
    /// What all histories reference; `sharedBytes` is what two or more streams reference.
    #[serde(flatten)]
    pub stored: Usage,
    /// Images in the index that no stream references.
    pub unreferenced_images: usize,
    /// What the newest images of all tags would cost under Legacy.
    pub legacy: ModeTotal,
    /// What the newest images of all tags would cost under PreserveOriginal.
    pub preserve_original: ModeTotal,
    /// Tags that are marked with `onePlatform`.
    pub one_platform_tags: usize,
}

/// The cost of all tags under one mode; a lower bound if there are unknown ones.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ModeTotal {
    /// What the tags of known cost need together.
    #[serde(flatten)]
    pub known: Content,
    /// Tags of which the cost is unknown.
    pub unknown_tags: usize,
}

/// Image objects and their blobs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Content {
    /// Image objects, manifest lists and their children included.
    pub images: usize,
    /// Distinct blobs: layers, configs, manifests.
    pub blobs: usize,
    /// Bytes of the distinct layers.
    pub bytes: u64,
}

/// What a whole history references.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    /// What is there.
    #[serde(flatten)]
    pub content: Content,
    /// Bytes of the layers that another stream references too.
    pub shared_bytes: u64,
    /// Names of images that are referenced and do not exist, children included, in order.
    pub missing_images: Vec<String>,
}

/// One stream.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StreamFootprint {
    /// The namespace, empty if the object had none.
    pub namespace: String,
    /// The name.
    pub name: String,
    /// What the whole history of all tags references.
    #[serde(flatten)]
    pub stored: Usage,
    /// Tags in their order.
    pub tags: Vec<TagFootprint>,
}

/// One tag.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TagFootprint {
    /// The tag.
    pub tag: String,
    /// `spec.tags[].importPolicy.importMode`; null if the tag has none or is not in `spec.tags`.
    pub mode: Option<ImportMode>,
    /// Where the tag's image comes from.
    pub source: TagSource,
    /// Whether the import controller imports the tag: its mode has an effect by itself.
    pub importable: bool,
    /// What the whole history of the tag references.
    #[serde(flatten)]
    pub stored: Usage,
    /// The newest entry of the history; null if there is none or it names no image.
    pub image: Option<TagImage>,
    /// What the newest image costs as it would be under Legacy.
    pub legacy: Cost,
    /// What the newest image costs as it would be under PreserveOriginal.
    pub preserve_original: Cost,
    /// Set if the cluster wants PreserveOriginal and the newest image is for one platform.
    pub one_platform: Option<OnePlatform>,
}

/// Where the image of a tag comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum TagSource {
    /// Imported from a registry.
    DockerImage,
    /// Follows a tag, of this or another stream.
    ImageStreamTag,
    /// Fixed to an image of a stream.
    ImageStreamImage,
    /// `reference: true`: the registry's reference is passed on, nothing is stored.
    Reference,
    /// Pushed: the tag has no source.
    Pushed,
}

/// The newest image of a tag.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TagImage {
    /// The name of the Image.
    pub name: String,
    /// What it is.
    pub kind: ImageKind,
    /// Such as `linux/arm64/v8`: those of the children in their order, or the image's own, of which only
    /// the architecture is stored.
    pub platforms: Vec<String>,
}

/// What a tag holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum ImageKind {
    /// An image for one platform.
    Single,
    /// A manifest list or index.
    List,
    /// The Image does not exist.
    Missing,
}

impl Footprint {
    /// Measures `streams` with the Images of `index`.
    ///
    /// Of several states of one stream the newest counts.
    #[must_use]
    pub fn measure<'a>(
        index: &ImageLayerIndex,
        streams: impl IntoIterator<Item = &'a ImageStream>,
        options: &FootprintOptions,
    ) -> Self {
        build::measure(index, streams, options)
    }

    /// The commands that change the tags of one platform which can be changed, stream by stream.
    pub fn commands(&self) -> impl Iterator<Item = &str> {
        self.streams
            .iter()
            .flat_map(|stream| &stream.tags)
            .filter_map(|tag| match &tag.one_platform {
                Some(OnePlatform::Change { command }) => Some(command.as_str()),
                _ => None,
            })
    }
}
