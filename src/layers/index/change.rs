//! How Images come into the index, change, and go.

use super::ImageLayerIndex;
use crate::layers::entry::Entry;
use crate::layers::image::Image;
use crate::layers::interner::Id;
use crate::layers::problem::Problem;
use crate::layers::version::ResourceVersion;

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

impl ImageLayerIndex {
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
