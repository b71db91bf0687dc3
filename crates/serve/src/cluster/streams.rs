//! The streams of the cluster by namespace and name.

use std::collections::HashMap;

use imagestream_import_mode::layers::ImageStream;

/// Holds every ImageStream by `namespace/name`.
#[derive(Debug, Default)]
pub(super) struct Streams {
    stored: HashMap<String, Stored>,
    round: u32,
    serial: u64,
    synced: bool,
}

#[derive(Debug)]
struct Stored {
    stream: ImageStream,
    /// The list that brought it, or the one before its update.
    round: u32,
    /// Differs for every state with an answer of its own.
    serial: u64,
}

impl Streams {
    pub(super) fn start_list(&mut self) {
        self.round = self.round.wrapping_add(1);
    }

    /// Adds a stream or replaces its older state; the feed reports states in their order.
    pub(super) fn store(&mut self, stream: ImageStream) {
        let key = super::Key::new(stream.namespace(), stream.name()).text;
        let serial = match self.stored.get(&key) {
            Some(stored) if has_answer_of(&stored.stream, &stream) => stored.serial,
            _ => {
                self.serial += 1;
                self.serial
            }
        };
        let stored = Stored {
            stream,
            round: self.round,
            serial,
        };
        self.stored.insert(key, stored);
    }

    pub(super) fn remove(&mut self, key: &str) {
        self.stored.remove(key);
    }

    /// Removes what came neither with the list that was started last nor since then.
    pub(super) fn complete_list(&mut self) {
        let round = self.round;
        self.stored.retain(|_, stored| stored.round == round);
        self.synced = true;
    }

    pub(super) fn has_synced(&self) -> bool {
        self.synced
    }

    pub(super) fn len(&self) -> usize {
        self.stored.len()
    }

    /// The stream and the serial of this state of it.
    pub(super) fn get(&self, key: &str) -> Option<(&ImageStream, u64)> {
        let stored = self.stored.get(key)?;
        Some((&stored.stream, stored.serial))
    }
}

/// Whether both states have the same answer.
fn has_answer_of(stored: &ImageStream, stream: &ImageStream) -> bool {
    stored.metadata().get() == stream.metadata().get() && stored.history() == stream.history()
}
