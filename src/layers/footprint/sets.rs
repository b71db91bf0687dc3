//! Sets of images and blobs by number, and their sums.

use std::collections::BTreeSet;

use super::super::index::ImageLayerIndex;
use super::super::interner::Id;
use super::super::stream::ImageStream;
use super::super::walk::{Target, Visit, walk};
use super::{Content, Usage};

/// What a number of images references.
#[derive(Default)]
pub(super) struct Reach<'a> {
    pub(super) images: BTreeSet<Id>,
    pub(super) blobs: BTreeSet<Id>,
    missing: BTreeSet<Id>,
    unknown: BTreeSet<&'a str>,
}

impl<'a> Reach<'a> {
    pub(super) fn of(
        index: &'a ImageLayerIndex,
        roots: impl IntoIterator<Item = Target<'a>>,
    ) -> Self {
        let mut reach = Self::default();
        walk(index, roots, |visit| match visit {
            Visit::Image(id, entry) => {
                reach.images.insert(id);
                reach.blobs.insert(id);
                reach.blobs.extend(entry.config);
                reach
                    .blobs
                    .extend(entry.layers.iter().map(|layer| layer.name));
            }
            Visit::MissingChild(id) => {
                reach.missing.insert(id);
            }
            Visit::Unknown(name) => {
                reach.unknown.insert(name);
            }
        });
        reach
    }

    pub(super) fn is_complete(&self) -> bool {
        self.missing.is_empty() && self.unknown.is_empty()
    }

    pub(super) fn add(&mut self, other: &Self) {
        self.images.extend(&other.images);
        self.blobs.extend(&other.blobs);
        self.missing.extend(&other.missing);
        self.unknown.extend(&other.unknown);
    }
}

/// What is known about every blob of the cluster.
pub(super) struct Ledger {
    blobs: Vec<Blob>,
}

#[derive(Clone, Copy, Default)]
struct Blob {
    size: Option<u64>,
    streams: u32,
}

impl Ledger {
    /// Goes through all streams once: how many of them reference each blob, and how big it is.
    pub(super) fn of<'a>(
        index: &ImageLayerIndex,
        streams: impl IntoIterator<Item = &'a ImageStream>,
    ) -> Self {
        let mut blobs = vec![Blob::default(); index.id_bound()];
        for stream in streams {
            let mut of_stream = BTreeSet::new();
            let roots = stream.images().map(|name| Target::named(index, name));
            walk(index, roots, |visit| {
                let Visit::Image(id, entry) = visit else {
                    return;
                };
                of_stream.insert(id);
                of_stream.extend(entry.config);
                for layer in &entry.layers {
                    of_stream.insert(layer.name);
                    if let Some(blob) = blobs.get_mut(layer.name.index()) {
                        blob.size.get_or_insert(layer.size);
                    }
                }
            });
            for id in of_stream {
                if let Some(blob) = blobs.get_mut(id.index()) {
                    blob.streams += 1;
                }
            }
        }
        Self { blobs }
    }

    pub(super) fn content(&self, reach: &Reach<'_>) -> Content {
        Content {
            images: reach.images.len(),
            blobs: reach.blobs.len(),
            bytes: self.bytes(reach, |_| true),
        }
    }

    pub(super) fn usage(&self, index: &ImageLayerIndex, reach: &Reach<'_>) -> Usage {
        let unknown = reach.unknown.iter().map(|&name| name.to_owned());
        let mut missing_images: Vec<String> = reach
            .missing
            .iter()
            .map(|&id| index.text(id))
            .chain(unknown)
            .collect();
        missing_images.sort_unstable();
        Usage {
            content: self.content(reach),
            shared_bytes: self.bytes(reach, |blob| blob.streams > 1),
            missing_images,
        }
    }

    /// Sizes are at most `i64::MAX` each; a sum beyond `u64::MAX` stays there.
    fn bytes(&self, reach: &Reach<'_>, counts: impl Fn(&Blob) -> bool) -> u64 {
        reach
            .blobs
            .iter()
            .filter_map(|id| self.blobs.get(id.index()))
            .filter(|blob| counts(blob))
            .filter_map(|blob| blob.size)
            .fold(0, u64::saturating_add)
    }
}
