//! Numbered slots, each with a name and a value; the number of one that was removed is used again.

use super::digest::Key;

/// Slots grow by this many, so that growth copies nothing.
const CHUNK: usize = 4096;

/// The number of a name, valid as long as the name is in use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Id(u32);

impl Id {
    /// 2^32 names would fill 300 GB, so the number of a slot always fits.
    pub(super) fn new(slot: usize) -> Self {
        Self(u32::try_from(slot).unwrap_or(u32::MAX))
    }

    pub(super) fn index(self) -> usize {
        usize::try_from(self.0).unwrap_or(usize::MAX)
    }
}

/// One name.
#[derive(Clone, Debug)]
pub(super) struct Slot<T> {
    pub(super) key: Key,
    /// How often it is used; 0 for a slot that was removed.
    pub(super) uses: u32,
    pub(super) value: T,
}

/// Slots by number.
#[derive(Clone, Debug)]
pub(super) struct Slots<T> {
    chunks: Vec<Vec<Slot<T>>>,
    free: Vec<Id>,
}

impl<T> Default for Slots<T> {
    fn default() -> Self {
        Self {
            chunks: Vec::new(),
            free: Vec::new(),
        }
    }
}

impl<T: Default> Slots<T> {
    pub(super) fn get(&self, id: Id) -> Option<&Slot<T>> {
        self.chunks.get(id.index() / CHUNK)?.get(id.index() % CHUNK)
    }

    pub(super) fn get_mut(&mut self, id: Id) -> Option<&mut Slot<T>> {
        self.chunks
            .get_mut(id.index() / CHUNK)?
            .get_mut(id.index() % CHUNK)
    }

    /// The number of a new slot, which is used once.
    pub(super) fn insert(&mut self, key: Key) -> Id {
        let slot = Slot {
            key,
            uses: 1,
            value: T::default(),
        };
        if let Some(id) = self.free.pop() {
            if let Some(place) = self.get_mut(id) {
                *place = slot;
            }
            return id;
        }
        let full = self.chunks.len().saturating_sub(1) * CHUNK;
        match self.chunks.last_mut() {
            Some(chunk) if chunk.len() < CHUNK => {
                chunk.push(slot);
                Id::new(full + chunk.len() - 1)
            }
            last => {
                // The first chunk grows from nothing: a few names stay small.
                let mut chunk = Vec::with_capacity(if last.is_some() { CHUNK } else { 0 });
                chunk.push(slot);
                self.chunks.push(chunk);
                Id::new((self.chunks.len() - 1) * CHUNK)
            }
        }
    }

    pub(super) fn remove(&mut self, id: Id) {
        if let Some(slot) = self.get_mut(id) {
            *slot = Slot {
                key: Key::Sha256([0; 32]),
                uses: 0,
                value: T::default(),
            };
        }
        self.free.push(id);
    }

    /// All numbers in use.
    pub(super) fn ids(&self) -> impl Iterator<Item = Id> + '_ {
        self.chunks
            .iter()
            .flatten()
            .enumerate()
            .filter(|(_, slot)| slot.uses > 0)
            .map(|(number, _)| Id::new(number))
    }

    /// A bound that every number is below.
    pub(super) fn bound(&self) -> usize {
        self.chunks.len() * CHUNK
    }
}
