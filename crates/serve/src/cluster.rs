//! What the service knows of the cluster: the reduced Images and the streams.

mod streams;

use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use imagestream_import_mode::layers::{
    Found, Image, ImageLayerIndex, ImageStream, ImageStreamLayers, LayersStatus, ObjectError,
    ResourceVersion,
};

use crate::feed::{Head, Resource, Sink};
use streams::Streams;

/// Holds the state of the cluster as the two feeds report it.
#[derive(Debug, Default)]
pub(crate) struct Cluster {
    state: RwLock<State>,
}

#[derive(Debug, Default)]
struct State {
    index: ImageLayerIndex,
    streams: Streams,
}

/// What an answer was built from; a new answer is needed once it differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stamp {
    revision: u64,
    stream: u64,
}

/// How much the service knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) images: usize,
    pub(crate) streams: usize,
    pub(crate) problems: usize,
}

impl Cluster {
    /// Whether both complete lists have arrived; stays true.
    pub(crate) fn has_synced(&self) -> bool {
        let state = self.read();
        state.has_synced(Resource::Images) && state.has_synced(Resource::ImageStreams)
    }

    /// The resources of which no complete list has arrived.
    pub(crate) fn unsynced(&self) -> Vec<Resource> {
        let state = self.read();
        let all = [Resource::Images, Resource::ImageStreams];
        all.into_iter()
            .filter(|&resource| !state.has_synced(resource))
            .collect()
    }

    /// What the answer for this stream would be built from now.
    pub(crate) fn stamp(&self, key: &Key) -> Result<Stamp, LayersStatus> {
        self.read().look_up(key).map(|(_, stamp)| stamp)
    }

    /// The answer for this stream, in time that follows its history.
    pub(crate) fn layers(&self, key: &Key) -> Result<(ImageStreamLayers, Stamp), LayersStatus> {
        let state = self.read();
        let (stream, stamp) = state.look_up(key)?;
        Ok((state.index.image_stream_layers(stream), stamp))
    }

    pub(crate) fn counts(&self) -> Counts {
        let state = self.read();
        Counts {
            images: state.index.len(),
            streams: state.streams.len(),
            problems: state.index.problems().len(),
        }
    }

    fn read(&self) -> RwLockReadGuard<'_, State> {
        self.state.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, State> {
        self.state.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn has_synced(&self, resource: Resource) -> bool {
        match resource {
            Resource::Images => self.index.has_synced(),
            Resource::ImageStreams => self.streams.has_synced(),
        }
    }

    fn look_up(&self, key: &Key) -> Result<(&ImageStream, Stamp), LayersStatus> {
        if !(self.index.has_synced() && self.streams.has_synced()) {
            return Err(LayersStatus::NotSynced);
        }
        match self.streams.get(key.as_str()) {
            Some((stream, serial)) => {
                let stamp = Stamp {
                    revision: self.index.revision(),
                    stream: serial,
                };
                Ok((stream, stamp))
            }
            None => Err(LayersStatus::NotFound {
                name: key.name().to_owned(),
            }),
        }
    }
}

/// Which stream. No stored stream has a `/` in its names, so that a key means one stream only.
#[derive(Clone, Debug)]
pub(crate) struct Key {
    text: String,
    /// Where the name starts.
    name: usize,
}

impl Key {
    pub(crate) fn new(namespace: &str, name: &str) -> Self {
        Self {
            text: format!("{namespace}/{name}"),
            name: namespace.len() + 1,
        }
    }

    /// `namespace/name`.
    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    fn name(&self) -> &str {
        self.text.get(self.name..).unwrap_or_default()
    }
}

/// Fills the index of images.
pub(crate) struct ImageSink(pub(crate) Arc<Cluster>);

impl Sink for ImageSink {
    const RESOURCE: Resource = Resource::Images;

    fn start_list(&self) {
        self.0.write().index.start_list();
    }

    fn listed(&self, found: Found) -> Result<(), ObjectError> {
        self.0.write().index.apply_listed(found.into_image()?);
        Ok(())
    }

    fn complete_list(&self, version: &ResourceVersion) {
        self.0.write().index.complete_list(version);
    }

    fn changed(&self, object: &str) -> Result<(), ObjectError> {
        let image = Image::from_json(object)?;
        for problem in image.problems() {
            tracing::warn!(image = image.name(), %problem, "inconsistent image, left out in part");
        }
        self.0.write().index.apply(image);
        Ok(())
    }

    fn deleted(&self, head: &Head) {
        let version = ResourceVersion::new(&head.version);
        self.0.write().index.delete(&head.name, &version);
    }
}

/// Fills the store of streams.
pub(crate) struct StreamSink(pub(crate) Arc<Cluster>);

impl Sink for StreamSink {
    const RESOURCE: Resource = Resource::ImageStreams;

    fn start_list(&self) {
        self.0.write().streams.start_list();
    }

    fn listed(&self, found: Found) -> Result<(), ObjectError> {
        self.0.write().streams.store(found.into_image_stream()?);
        Ok(())
    }

    fn complete_list(&self, _version: &ResourceVersion) {
        self.0.write().streams.complete_list();
    }

    fn changed(&self, object: &str) -> Result<(), ObjectError> {
        let stream = ImageStream::from_json(object)?;
        self.0.write().streams.store(stream);
        Ok(())
    }

    fn deleted(&self, head: &Head) {
        let key = Key::new(&head.namespace, &head.name);
        self.0.write().streams.remove(key.as_str());
    }
}
