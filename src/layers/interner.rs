//! One number for each distinct name, with a value beside it.
//!
//! ```text
//! Interner
//! ├── slots    Id -> name, how often it is used, value; in chunks, so that growth copies nothing
//! ├── buckets  leading bits of a SHA-256 digest -> Ids in the order of their digests
//! └── other    any other text -> Id
//! ```
//!
//! Names come from image manifests, which strangers write: a registry need not hold the layers that a
//! manifest lists, so an attacker chooses digests freely. A hash table with a known hash function can be
//! flooded that way, and `wasm32-unknown-unknown` has no random seed to hide one with. Real digests are
//! evenly spread by themselves, so their own leading bits choose the bucket: one step whatever the number
//! of names. Crafted digests that share their leading bits end in one bucket, which is searched by
//! bisection: the worst case is that of a balanced tree, not of a list. Names that are no SHA-256 digests
//! are in a B-tree.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::digest::{self, Key};
use super::id_list::IdList;
use super::name::Name;
pub(super) use super::slots::Id;
use super::slots::Slots;

/// Names with their numbers and values.
#[derive(Clone, Debug)]
pub(super) struct Interner<T> {
    slots: Slots<T>,
    buckets: Vec<IdList>,
    bits: u32,
    digests: usize,
    other: BTreeMap<Arc<str>, Id>,
}

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Self {
            slots: Slots::default(),
            buckets: vec![IdList::default()],
            bits: 0,
            digests: 0,
            other: BTreeMap::new(),
        }
    }
}

impl<T: Default> Interner<T> {
    pub(super) fn find(&self, name: &str) -> Option<Id> {
        match digest::sha256(name) {
            Some(digest) => {
                let (bucket, place) = self.locate(&digest);
                let position = place.ok()?;
                self.buckets.get(bucket)?.as_slice().get(position).copied()
            }
            None => self.other.get(name).copied(),
        }
    }

    /// The number of `name`, which is in use once more.
    pub(super) fn acquire(&mut self, name: &str) -> Id {
        match digest::sha256(name) {
            Some(digest) => self.acquire_digest(digest),
            None => self.acquire_other(name),
        }
    }

    pub(super) fn acquire_name(&mut self, Name(key): &Name) -> Id {
        match key {
            Key::Sha256(digest) => self.acquire_digest(*digest),
            Key::Other(text) => self.acquire_other(text),
        }
    }

    fn acquire_digest(&mut self, digest: [u8; 32]) -> Id {
        self.grow();
        let (bucket, place) = self.locate(&digest);
        let ids = self.buckets.get(bucket).map(IdList::as_slice);
        match place {
            Ok(position) => {
                let id = ids.and_then(|ids| ids.get(position).copied());
                let id = id.unwrap_or_default();
                self.acquire_again(id);
                id
            }
            Err(position) => {
                let id = self.slots.insert(Key::Sha256(digest));
                if let Some(bucket) = self.buckets.get_mut(bucket) {
                    bucket.insert_at(position, id);
                    self.digests += 1;
                }
                id
            }
        }
    }

    fn acquire_other(&mut self, name: &str) -> Id {
        if let Some(&id) = self.other.get(name) {
            self.acquire_again(id);
            return id;
        }
        let text: Arc<str> = name.into();
        let id = self.slots.insert(Key::Other(Arc::clone(&text)));
        self.other.insert(text, id);
        id
    }

    fn acquire_again(&mut self, id: Id) {
        if let Some(slot) = self.slots.get_mut(id) {
            slot.uses = slot.uses.saturating_add(1);
        }
    }

    /// Ends one use; with the last one the name and its value go, and the number becomes free.
    pub(super) fn release(&mut self, id: Id) {
        let Some(slot) = self.slots.get_mut(id) else {
            return;
        };
        slot.uses = slot.uses.saturating_sub(1);
        if slot.uses > 0 {
            return;
        }
        match slot.key.clone() {
            Key::Sha256(digest) => {
                let (bucket, place) = self.locate(&digest);
                if let (Some(bucket), Ok(position)) = (self.buckets.get_mut(bucket), place) {
                    bucket.remove_at(position);
                    self.digests -= 1;
                }
            }
            Key::Other(text) => {
                self.other.remove(&text);
            }
        }
        self.slots.remove(id);
    }

    /// The name of a number that is in use.
    pub(super) fn name(&self, id: Id) -> Name {
        self.slots
            .get(id)
            .map(|slot| Name(slot.key.clone()))
            .unwrap_or_default()
    }

    pub(super) fn text(&self, id: Id) -> String {
        self.slots
            .get(id)
            .map(|slot| slot.key.read(str::to_owned))
            .unwrap_or_default()
    }

    pub(super) fn get(&self, id: Id) -> Option<&T> {
        self.slots.get(id).map(|slot| &slot.value)
    }

    pub(super) fn get_mut(&mut self, id: Id) -> Option<&mut T> {
        self.slots.get_mut(id).map(|slot| &mut slot.value)
    }

    /// All numbers in use.
    pub(super) fn ids(&self) -> impl Iterator<Item = Id> + '_ {
        self.slots.ids()
    }

    /// A bound that every number is below.
    pub(super) fn bound(&self) -> usize {
        self.slots.bound()
    }

    fn digest_of(&self, id: Id) -> &[u8; 32] {
        const NONE: &[u8; 32] = &[0; 32];
        match self.slots.get(id).map(|slot| &slot.key) {
            Some(Key::Sha256(digest)) => digest,
            _ => NONE,
        }
    }

    fn bucket_of(&self, digest: &[u8; 32]) -> usize {
        usize::try_from(leading(digest).unbounded_shr(32 - self.bits)).unwrap_or_default()
    }

    /// The bucket of a digest, and its place there or the place where it belongs.
    fn locate(&self, digest: &[u8; 32]) -> (usize, Result<usize, usize>) {
        let bucket = self.bucket_of(digest);
        let ids = self.buckets.get(bucket).map(IdList::as_slice);
        let place = ids
            .unwrap_or_default()
            .binary_search_by(|&id| self.digest_of(id).cmp(digest));
        (bucket, place)
    }

    /// Doubles the buckets when there are three digests for two of them.
    fn grow(&mut self) {
        if self.digests * 2 < self.buckets.len() * 3 || self.bits >= 30 {
            return;
        }
        let bit = 31 - self.bits;
        let mut buckets = Vec::with_capacity(self.buckets.len() * 2);
        for bucket in &self.buckets {
            let (mut low, mut high) = (IdList::default(), IdList::default());
            for &id in bucket.as_slice() {
                if leading(self.digest_of(id)) >> bit & 1 == 0 {
                    low.push(id);
                } else {
                    high.push(id);
                }
            }
            buckets.push(low);
            buckets.push(high);
        }
        self.buckets = buckets;
        self.bits += 1;
    }
}

fn leading(digest: &[u8; 32]) -> u32 {
    digest
        .first_chunk::<4>()
        .map_or(0, |bytes| u32::from_be_bytes(*bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digest(number: u32) -> String {
        // An odd factor spreads the leading bits as real digests do.
        let start = number.wrapping_mul(0x9E37_79B1);
        format!("sha256:{start:08x}{:056x}", number)
    }

    #[test]
    fn names_are_found_by_number_and_numbers_by_name() {
        let mut names = Interner::<u32>::default();
        let texts: Vec<String> = (0..10_000)
            .map(digest)
            .chain((0..100).map(|n| format!("name-{n}")))
            .collect();
        let ids: Vec<Id> = texts.iter().map(|text| names.acquire(text)).collect();
        for (text, id) in texts.iter().zip(&ids) {
            assert_eq!(names.find(text), Some(*id));
            assert_eq!(names.text(*id), *text);
        }
        assert_eq!(names.find("name-100"), None);
        assert_eq!(names.find(&digest(10_000)), None);
        assert_eq!(names.ids().count(), texts.len());
    }

    #[test]
    fn a_name_lives_until_its_last_use_ends() {
        let mut names = Interner::<u32>::default();
        let first = names.acquire("a");
        *names.get_mut(first).unwrap() = 7;
        assert_eq!(names.acquire("a"), first);
        names.release(first);
        assert_eq!(names.get(first), Some(&7));
        names.release(first);
        assert_eq!(names.find("a"), None);

        let reused = names.acquire(&digest(1));
        assert_eq!(reused, first);
        assert_eq!(names.get(reused), Some(&0));
        names.release(reused);
        assert_eq!(names.find(&digest(1)), None);
        assert_eq!(names.ids().count(), 0);
    }

    #[test]
    fn crafted_digests_with_equal_leading_bits_are_all_found() {
        let mut names = Interner::<()>::default();
        let texts: Vec<String> = (0..5000).map(|n| format!("sha256:{n:064x}")).collect();
        for text in texts.iter().rev() {
            names.acquire(text);
        }
        assert!(texts.iter().all(|text| names.find(text).is_some()));
    }
}
