//! What the newest image of a tag costs under each mode.

use serde::Serialize;

use super::super::entry::Entry;
use super::super::image::Manifest;
use super::super::index::ImageLayerIndex;
use super::super::interner::Id;
use super::super::stream::TagReference;
use super::super::walk::Target;
use super::sets::Reach;
use super::{Content, FootprintOptions, ImageKind, TagSource};
use crate::import_mode::ImportMode;

/// What an image costs under a mode.
///
/// JSON: the fields of [`Content`], or `{"unknown": "…"}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Cost {
    /// The Image objects and blobs that the tag would hold.
    Known(Content),
    /// It cannot be told from the Images of the cluster.
    Unknown {
        /// Why not.
        unknown: UnknownCost,
    },
}

/// Why a cost is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum UnknownCost {
    /// The tag was imported as Legacy: if its source is a manifest list, the list was flattened and its
    /// other children are not in the cluster.
    Flattened,
    /// The newest image, or an image that it needs, does not exist.
    MissingImage,
    /// The tag has no history: it was never imported.
    NotImported,
    /// The newest image is a list without children: a Legacy import has nothing to choose.
    EmptyList,
}

/// A newest image and how its tag came to it.
pub(super) struct Newest<'a> {
    pub(super) index: &'a ImageLayerIndex,
    pub(super) name: &'a str,
    pub(super) source: TagSource,
    pub(super) tag: Option<&'a TagReference>,
    /// The image is what the tag asks for now; no import in another mode is due.
    pub(super) settled: bool,
}

impl<'a> Newest<'a> {
    pub(super) fn kind(&self) -> ImageKind {
        match self.entry() {
            None => ImageKind::Missing,
            Some(entry) if self.index.is_list(entry) => ImageKind::List,
            Some(_) => ImageKind::Single,
        }
    }

    pub(super) fn platforms(&self) -> Vec<String> {
        let Some(entry) = self.entry() else {
            return Vec::new();
        };
        match entry.architecture {
            Some(architecture) if !self.index.is_list(entry) => vec![self.index.text(architecture)],
            _ => self
                .index
                .manifests(entry)
                .iter()
                .map(|child| child.platform.to_string())
                .collect(),
        }
    }

    /// The tag's source is fixed to exactly this image, whatever the mode.
    pub(super) fn is_pinned(&self) -> bool {
        self.tag
            .and_then(|tag| tag.from_name.rsplit_once('@'))
            .is_some_and(|(_, digest)| digest == self.name)
    }

    /// What the tag would hold under `mode`.
    pub(super) fn under(
        &self,
        mode: ImportMode,
        options: &FootprintOptions,
    ) -> Result<Reach<'a>, UnknownCost> {
        let entry = self.entry().ok_or(UnknownCost::MissingImage)?;
        let depends_on_mode = matches!(
            self.source,
            TagSource::DockerImage | TagSource::ImageStreamTag
        );
        let root = match (mode, self.kind()) {
            (ImportMode::Legacy, ImageKind::List) if depends_on_mode => {
                let child = self.legacy_choice(entry, options);
                Target::Known(child.ok_or(UnknownCost::EmptyList)?)
            }
            (ImportMode::PreserveOriginal, ImageKind::Single)
                if depends_on_mode && !self.is_pinned() && !self.imported_as_original() =>
            {
                return Err(UnknownCost::Flattened);
            }
            _ => Target::named(self.index, self.name),
        };
        let reach = Reach::of(self.index, [root]);
        if reach.is_complete() {
            Ok(reach)
        } else {
            Err(UnknownCost::MissingImage)
        }
    }

    /// The image came by an import that would have kept a list.
    pub(super) fn imported_as_original(&self) -> bool {
        self.settled
            && self.tag.and_then(|tag| tag.mode) == Some(ImportMode::PreserveOriginal)
            && self.source == TagSource::DockerImage
    }

    fn entry(&self) -> Option<&'a Entry> {
        self.index.entry(self.index.id(self.name)?)
    }

    /// The child that a Legacy import takes (openshift-apiserver `pkg/image/apiserver/importer`,
    /// reference 3.3): the preferred platform, else the first `linux/amd64`, else the first. Imports by
    /// digest know no preference, and whose tag a tag follows is not looked up.
    fn legacy_choice(&self, entry: &Entry, options: &FootprintOptions) -> Option<Id> {
        let tag = self
            .tag
            .filter(|tag| self.source == TagSource::DockerImage && !tag.from_name.contains('@'));
        let os = tag
            .map(|tag| &tag.prefer_os)
            .filter(|os| !os.is_empty())
            .unwrap_or(&options.os);
        let architecture = tag
            .map(|tag| &tag.prefer_architecture)
            .filter(|architecture| !architecture.is_empty())
            .unwrap_or(&options.architecture);
        let children = self.index.manifests(entry);
        let of_platform = |os: &str, architecture: &str| {
            let matches = |child: &&Manifest| {
                child.platform.os == os && child.platform.architecture == architecture
            };
            children.iter().find(matches)
        };
        of_platform(os, architecture)
            .or_else(|| of_platform("linux", "amd64"))
            .or_else(|| children.first())
            .and_then(|child| self.index.id(&child.digest))
    }
}
