//! All Images of a cluster, and the ways into them.

mod change;

use std::collections::BTreeMap;

use super::answer::ImageStreamLayers;
use super::entry::{Entry, Node};
use super::id_list::IdList;
use super::image::{Image, Manifest};
use super::interner::{Id, Interner};
use super::media_type;
use super::name::Name;
use super::problem::{ImageProblem, Problem};
use super::stream::ImageStream;
use super::walk::{Target, Visit, walk};

pub use change::Applied;

/// What the answer for a stream was built from: an answer of the same version and from the same stream is
/// still right, whatever else changed in the index.
///
/// Images only grow in revision. So an image that came or changed has one beyond `newest`; without such an
/// image the answer can only have lost some, and then there are less than `images`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AnswerVersion {
    /// The highest revision of an image in the answer.
    newest: u64,
    /// Images in the answer that exist.
    images: usize,
}

/// Holds what every Image of a cluster references, by image name.
///
/// ```text
/// name ──> Node ── image ──> Entry ── layers, config, children (numbers of names)
///            │       └────── parents: lists that have this image as a child
///            └── layer_of: images that have this blob as a layer
/// ```
///
/// Digests, media types and platforms repeat massively; each distinct one is stored once, as long as an
/// Image uses it. Every look-up by name takes one step whatever the number of Images.
#[derive(Clone, Debug, Default)]
pub struct ImageLayerIndex {
    names: Interner<Node>,
    problems: BTreeMap<Id, Vec<Problem>>,
    images: usize,
    synced: bool,
    floor: u64,
    round: u32,
    revision: u64,
}

impl ImageLayerIndex {
    /// An index that holds nothing and has not synced.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether a complete list has arrived; stays true.
    ///
    /// Before that an answer may lack images; the API answers 500 then (reference 5.4).
    #[must_use]
    pub fn has_synced(&self) -> bool {
        self.synced
    }

    /// The number of Images.
    #[must_use]
    pub fn len(&self) -> usize {
        self.images
    }

    /// Whether the index holds no Image.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.images == 0
    }

    /// A number that grows with every change of the content: an answer that was built under the same
    /// revision from the same stream is still right.
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// What the answer for this stream depends on.
    ///
    /// Takes time in proportion to the stream's history, but a small part of that for its answer.
    #[must_use]
    pub fn answer_version(&self, stream: &ImageStream) -> AnswerVersion {
        let mut version = AnswerVersion::default();
        let roots = stream.images().map(|name| Target::named(self, name));
        walk(self, roots, |visit| {
            if let Visit::Image(_, entry) = visit {
                version.images += 1;
                version.newest = version.newest.max(entry.revision);
            }
        });
        version
    }

    /// What `GET …/imagestreams/{name}/layers` answers for this stream.
    ///
    /// Takes time in proportion to the stream's history, whatever the size of the cluster.
    #[must_use]
    pub fn image_stream_layers(&self, stream: &ImageStream) -> ImageStreamLayers {
        ImageStreamLayers::build(self, stream)
    }

    /// Whether the stream references the blob or image `digest`.
    ///
    /// Builds the stream's answer; who asks again keeps the answer and calls
    /// [`ImageStreamLayers::contains`], which takes one step.
    #[must_use]
    pub fn contains(&self, stream: &ImageStream, digest: &str) -> bool {
        self.image_stream_layers(stream).contains(digest)
    }

    /// The Image of this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<Image> {
        let (id, entry) = self.find(name)?;
        Some(Image {
            name: name.to_owned(),
            resource_version: entry.version.clone(),
            media_type: entry.media_type.map(|id| self.text(id)),
            config: entry.config.map(|id| self.text(id)),
            architecture: entry.architecture.map(|id| self.text(id)),
            layers: entry.layers(&self.names),
            manifests: entry.manifests(&self.names),
            problems: self.problems.get(&id).cloned().unwrap_or_default(),
        })
    }

    /// The names of all Images that have the blob `digest` as a layer, in order.
    #[must_use]
    pub fn images_with_layer(&self, digest: &str) -> Vec<String> {
        let node = self.names.find(digest).and_then(|id| self.names.get(id));
        self.sorted(node.map(|node| &node.layer_of))
    }

    /// The names of all manifest lists that have the image `digest` as a child, in order, whether or not
    /// the index holds the child.
    #[must_use]
    pub fn parents(&self, digest: &str) -> Vec<String> {
        let node = self.names.find(digest).and_then(|id| self.names.get(id));
        self.sorted(
            node.and_then(|node| node.image.as_ref())
                .map(|image| &image.parents),
        )
    }

    /// Everything inconsistent in the stored Images, by image name.
    #[must_use]
    pub fn problems(&self) -> Vec<ImageProblem> {
        let mut problems: Vec<ImageProblem> = self
            .problems
            .keys()
            .flat_map(|&id| self.problems_of(id))
            .collect();
        problems.sort_unstable();
        problems
    }

    pub(super) fn problems_of(&self, id: Id) -> impl Iterator<Item = ImageProblem> + '_ {
        self.problems
            .get(&id)
            .into_iter()
            .flatten()
            .map(move |problem| ImageProblem {
                image: self.text(id),
                problem: problem.clone(),
            })
    }

    pub(super) fn id(&self, name: &str) -> Option<Id> {
        self.names.find(name)
    }

    pub(super) fn name(&self, id: Id) -> Name {
        self.names.name(id)
    }

    pub(super) fn text(&self, id: Id) -> String {
        self.names.text(id)
    }

    pub(super) fn entry(&self, id: Id) -> Option<&Entry> {
        self.names.get(id)?.image.as_ref()?.entry.as_ref()
    }

    pub(super) fn is_list(&self, entry: &Entry) -> bool {
        let media_type = entry.media_type.map(|id| self.text(id));
        !entry.manifests.is_empty() || media_type::is_list(media_type.as_deref())
    }

    /// A bound that every number of a name is below.
    pub(super) fn id_bound(&self) -> usize {
        self.names.bound()
    }

    pub(super) fn manifests(&self, entry: &Entry) -> Vec<Manifest> {
        entry.manifests(&self.names)
    }

    fn find(&self, name: &str) -> Option<(Id, &Entry)> {
        let id = self.names.find(name)?;
        self.entry(id).map(|entry| (id, entry))
    }

    fn entries(&self) -> impl Iterator<Item = (Id, &Entry)> {
        self.names
            .ids()
            .filter_map(|id| self.entry(id).map(|entry| (id, entry)))
    }

    fn sorted(&self, ids: Option<&IdList>) -> Vec<String> {
        let ids = ids.map(IdList::as_slice).unwrap_or_default();
        let mut names: Vec<String> = ids.iter().map(|&id| self.text(id)).collect();
        names.sort_unstable();
        names
    }
}
