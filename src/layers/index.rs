//! All Images of a cluster, and the ways into them.

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
use super::version::ResourceVersion;
use super::walk::{Target, Visit, walk};

/// What an Image that was handed in did to the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Applied {
    /// The index did not hold the Image.
    Added,
    /// The index held an older state.
    Replaced,
    /// The index knows a state that is newer or the same: nothing changed.
    Stale,
}

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

    /// Adds an Image or replaces the older state of it.
    ///
    /// An update that is older than what the index knows does no harm: older than the stored state, or
    /// than the list or deletion that removed the Image. Versions that are no numbers cannot be compared;
    /// such an update counts as newer.
    pub fn apply(&mut self, image: Image) -> Applied {
        let version = &image.resource_version;
        let fresh = match self.find(&image.name) {
            Some((_, stored)) => version.replaces(&stored.version),
            None => version.number().is_none_or(|number| number > self.floor),
        };
        if fresh {
            self.store(image)
        } else {
            Applied::Stale
        }
    }

    /// Removes an Image; `version` is that of the deletion, if it is known.
    ///
    /// Returns whether the Image was there. A deletion older than the stored state does nothing.
    pub fn delete(&mut self, name: &str, version: &ResourceVersion) -> bool {
        let Some((id, stored)) = self.find(name) else {
            self.raise_floor(version);
            return false;
        };
        if stored.version != *version && !version.replaces(&stored.version) {
            return false;
        }
        self.raise_floor(version);
        self.remove(id);
        self.revision += 1;
        true
    }

    /// Makes `images`, a complete list of the cluster's Images, the content of the index.
    ///
    /// `version` is the list's own resource version. The list wins over newer stored states: a cluster
    /// that was restored from a backup counts anew.
    pub fn replace_all(
        &mut self,
        images: impl IntoIterator<Item = Image>,
        version: &ResourceVersion,
    ) {
        self.start_list();
        for image in images {
            self.apply_listed(image);
        }
        self.complete_list(version);
    }

    /// Starts a list that arrives piece by piece; the index answers from the old content meanwhile.
    pub fn start_list(&mut self) {
        self.round = self.round.wrapping_add(1);
    }

    /// Takes one Image of the list that was started last.
    pub fn apply_listed(&mut self, image: Image) -> Applied {
        match self.find(&image.name) {
            Some((_, stored))
                if stored.round == self.round
                    && !image.resource_version.replaces(&stored.version) =>
            {
                Applied::Stale
            }
            _ => self.store(image),
        }
    }

    /// Removes every Image that came neither with the list that was started last nor since then.
    ///
    /// A list that breaks off is simply never completed.
    pub fn complete_list(&mut self, version: &ResourceVersion) {
        let gone: Vec<Id> = self
            .entries()
            .filter(|(_, entry)| entry.round != self.round)
            .map(|(id, _)| id)
            .collect();
        for id in gone {
            self.remove(id);
            self.revision += 1;
        }
        self.floor = version.number().unwrap_or_default();
        self.synced = true;
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

    fn has_problems(&self, id: Id, problems: &[Problem]) -> bool {
        self.problems.get(&id).map_or(&[][..], Vec::as_slice) == problems
    }

    fn raise_floor(&mut self, version: &ResourceVersion) {
        self.floor = self.floor.max(version.number().unwrap_or_default());
    }

    fn store(&mut self, image: Image) -> Applied {
        let id = self.names.acquire(&image.name);
        // The new state takes its names before the old one gives them back: what both use stays.
        let mut entry = Entry::of(&image, self.round, &mut self.names);
        entry.revision = match self.entry(id) {
            Some(old) if old.has_content_of(&entry) && self.has_problems(id, &image.problems) => {
                old.revision
            }
            _ => {
                self.revision += 1;
                self.revision
            }
        };
        let replaced = self.remove(id);
        for layer in &entry.layers {
            if let Some(node) = self.names.get_mut(layer.name) {
                node.layer_of.add(id);
            }
        }
        for manifest in &entry.manifests {
            if let Some(node) = self.names.get_mut(manifest.digest) {
                node.image.get_or_insert_default().parents.add(id);
            }
        }
        if let Some(node) = self.names.get_mut(id) {
            node.image.get_or_insert_default().entry = Some(entry);
        }
        if !image.problems.is_empty() {
            self.problems.insert(id, image.problems);
        }
        self.images += 1;
        if replaced {
            Applied::Replaced
        } else {
            Applied::Added
        }
    }

    fn remove(&mut self, id: Id) -> bool {
        let Some(entry) = self
            .names
            .get_mut(id)
            .and_then(|node| node.image.as_mut())
            .and_then(|image| image.entry.take())
        else {
            return false;
        };
        for layer in &entry.layers {
            if let Some(node) = self.names.get_mut(layer.name) {
                node.layer_of.take(id);
            }
        }
        for manifest in &entry.manifests {
            if let Some(node) = self.names.get_mut(manifest.digest)
                && let Some(image) = &mut node.image
            {
                image.parents.take(id);
            }
        }
        for name in entry.names() {
            self.names.release(name);
        }
        self.names.release(id);
        self.problems.remove(&id);
        self.images -= 1;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image(json: &str) -> Image {
        Image::from_json(json).unwrap()
    }

    #[test]
    fn an_emptied_index_keeps_no_name() {
        let list = r#"{"metadata":{"name":"list"},"dockerImageManifests":[{"digest":"child","os":"linux"},{"digest":"list"}]}"#;
        let child = r#"{"metadata":{"name":"child"},"dockerImageManifestMediaType":"application/vnd.oci.image.manifest.v1+json",
            "dockerImageMetadata":{"Id":"c","Architecture":"arm64"},"dockerImageLayers":[{"name":"a","mediaType":"m"},{"name":"a"}]}"#;
        let mut index = ImageLayerIndex::new();
        for _ in 0..3 {
            index.apply(image(list));
            index.apply(image(child));
        }
        // list, child, linux, "", the media type, c, arm64, a, m
        assert_eq!(index.names.ids().count(), 9);
        index.delete("list", &ResourceVersion::None);
        assert_eq!(index.names.ids().count(), 7);
        index.replace_all([], &ResourceVersion::None);
        assert_eq!(index.names.ids().count(), 0);
    }
}
