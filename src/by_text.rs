//! Values by text. One map type serves every use: each further one costs the module kilobytes.

use std::borrow::Cow;
use std::collections::BTreeMap;

/// A map from text, ordered by key.
#[derive(Debug)]
pub(crate) struct ByText<'a, V> {
    places: BTreeMap<Cow<'a, str>, usize>,
    values: Vec<V>,
}

impl<V> Default for ByText<'_, V> {
    fn default() -> Self {
        Self {
            places: BTreeMap::new(),
            values: Vec::new(),
        }
    }
}

impl<'a, V> ByText<'a, V> {
    pub(crate) fn get(&self, key: &str) -> Option<&V> {
        self.values.get(*self.places.get(key)?)
    }

    /// Sets the value of `key`, in the place of an earlier one.
    pub(crate) fn insert(&mut self, key: Cow<'a, str>, value: V) {
        let place = place(&mut self.places, key, self.values.len());
        match self.values.get_mut(place) {
            Some(earlier) => *earlier = value,
            None => self.values.push(value),
        }
    }

    pub(crate) fn get_mut(&mut self, key: &str) -> Option<&mut V> {
        self.values.get_mut(*self.places.get(key)?)
    }

    /// The keys and values by key.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &V)> {
        let value = |place: &usize| self.values.get(*place);
        let entries = self.places.iter();
        entries.filter_map(move |(key, place)| Some((&**key, value(place)?)))
    }
}

/// The place of `key`, which is `next` if it has none yet.
#[inline(never)]
fn place<'a>(places: &mut BTreeMap<Cow<'a, str>, usize>, key: Cow<'a, str>, next: usize) -> usize {
    *places.entry(key).or_insert(next)
}
