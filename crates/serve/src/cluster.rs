//! What the service knows of the cluster: the reduced Images and the streams.

mod streams;

use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use imagestream_import_mode::layers::{
    AnswerVersion, Found, Image, ImageLayerIndex, ImageStream, ImageStreamLayers, LayersStatus,
    ObjectError, ResourceVersion,
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

/// What an answer was built from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stamp {
    /// Of the index, when the rest was known to be so.
    revision: u64,
    stream: u64,
    answer: AnswerVersion,
}

impl Stamp {
    /// Whether an answer with the one stamp is right where the other one holds.
    pub(crate) fn is_of_same_answer(self, other: Self) -> bool {
        (self.stream, self.answer) == (other.stream, other.answer)
    }
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

    /// What the answer for this stream would be built from now, and whether there is one; `known` saves
    /// the way to it as long as nothing at all changed.
    pub(crate) fn stamp(&self, key: &Key, known: Stamp) -> Result<Stamp, LayersStatus> {
        let state = self.read();
        let (stream, serial) = state.look_up(key)?;
        if (known.revision, known.stream) == (state.index.revision(), serial) {
            return Ok(known);
        }
        Ok(state.stamp(stream, serial))
    }

    /// Whether there is an answer for this stream.
    pub(crate) fn check(&self, key: &Key) -> Result<(), LayersStatus> {
        self.read().look_up(key).map(drop)
    }

    /// The answer for this stream, in time that follows its history.
    pub(crate) fn layers(&self, key: &Key) -> Result<(ImageStreamLayers, Stamp), LayersStatus> {
        let state = self.read();
        let (stream, serial) = state.look_up(key)?;
        let layers = state.index.image_stream_layers(stream);
        Ok((layers, state.stamp(stream, serial)))
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

    /// The stream and the serial of its state.
    fn look_up(&self, key: &Key) -> Result<(&ImageStream, u64), LayersStatus> {
        if !(self.index.has_synced() && self.streams.has_synced()) {
            return Err(LayersStatus::NotSynced);
        }
        self.streams
            .get(key.as_str())
            .ok_or_else(|| LayersStatus::NotFound {
                name: key.name().to_owned(),
            })
    }

    fn stamp(&self, stream: &ImageStream, serial: u64) -> Stamp {
        Stamp {
            revision: self.index.revision(),
            stream: serial,
            answer: self.index.answer_version(stream),
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
