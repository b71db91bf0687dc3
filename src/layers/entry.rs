//! An Image inside the index: names as numbers.

use super::id_list::IdList;
use super::image::{Image, Layer, Manifest};
use super::interner::{Id, Interner};
use super::platform::Platform;
use super::version::ResourceVersion;

/// Holds what is known about one name.
#[derive(Clone, Debug, Default)]
pub(super) struct Node {
    /// The images that have this blob as a layer.
    pub(super) layer_of: IdList,
    pub(super) image: Option<Box<ImageNode>>,
}

/// Holds the image of a name that is an Image or a child of one.
#[derive(Clone, Debug, Default)]
pub(super) struct ImageNode {
    pub(super) entry: Option<Entry>,
    /// The lists that have this image as a child.
    pub(super) parents: IdList,
}

/// Holds one Image.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) version: ResourceVersion,
    pub(super) media_type: Option<Id>,
    pub(super) config: Option<Id>,
    pub(super) architecture: Option<Id>,
    /// The list that brought it, or the one before its update.
    pub(super) round: u32,
    /// The index's revision since which the content is the same.
    pub(super) revision: u64,
    pub(super) layers: Box<[LayerEntry]>,
    pub(super) manifests: Box<[ManifestEntry]>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LayerEntry {
    pub(super) name: Id,
    pub(super) media_type: Id,
    pub(super) size: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ManifestEntry {
    pub(super) digest: Id,
    os: Id,
    architecture: Id,
    variant: Id,
}

impl Entry {
    /// The entry of `image`, whose names are in use once more each.
    pub(super) fn of(image: &Image, round: u32, names: &mut Interner<Node>) -> Self {
        let mut number = |text: &String| names.acquire(text);
        Self {
            version: image.resource_version.clone(),
            media_type: image.media_type.as_ref().map(&mut number),
            config: image.config.as_ref().map(&mut number),
            architecture: image.architecture.as_ref().map(&mut number),
            round,
            revision: 0,
            layers: image
                .layers
                .iter()
                .map(|layer| LayerEntry {
                    name: number(&layer.name),
                    media_type: number(&layer.media_type),
                    size: layer.size,
                })
                .collect(),
            manifests: image
                .manifests
                .iter()
                .map(|manifest| ManifestEntry {
                    digest: number(&manifest.digest),
                    os: number(&manifest.platform.os),
                    architecture: number(&manifest.platform.architecture),
                    variant: number(&manifest.platform.variant),
                })
                .collect(),
        }
    }

    /// Whether both say the same about the image, whichever their versions.
    pub(super) fn has_content_of(&self, other: &Self) -> bool {
        self.media_type == other.media_type
            && self.config == other.config
            && self.architecture == other.architecture
            && self.layers == other.layers
            && self.manifests == other.manifests
    }

    /// Every use of a name that [`Entry::of`] began.
    pub(super) fn names(&self) -> impl Iterator<Item = Id> + '_ {
        let own = [self.media_type, self.config, self.architecture];
        let layers = self
            .layers
            .iter()
            .flat_map(|layer| [layer.name, layer.media_type]);
        let manifests = self
            .manifests
            .iter()
            .flat_map(|child| [child.digest, child.os, child.architecture, child.variant]);
        own.into_iter().flatten().chain(layers).chain(manifests)
    }

    pub(super) fn layers(&self, names: &Interner<Node>) -> Vec<Layer> {
        let layers = self.layers.iter().map(|layer| Layer {
            name: names.text(layer.name),
            size: layer.size,
            media_type: names.text(layer.media_type),
        });
        layers.collect()
    }

    pub(super) fn manifests(&self, names: &Interner<Node>) -> Vec<Manifest> {
        let manifests = self.manifests.iter().map(|manifest| Manifest {
            digest: names.text(manifest.digest),
            platform: Platform {
                os: names.text(manifest.os),
                architecture: names.text(manifest.architecture),
                variant: names.text(manifest.variant),
            },
        });
        manifests.collect()
    }
}
