//! A list of interned names that is nearly always short.

use super::interner::Id;

/// Up to three names in 16 bytes, more of them on the heap.
#[derive(Clone, Debug)]
pub(super) struct IdList(Store);

#[derive(Clone, Debug)]
enum Store {
    Inline {
        len: u8,
        ids: [Id; 3],
    },
    #[expect(
        clippy::box_collection,
        reason = "a bare `Vec` would make every short list 24 bytes"
    )]
    Heap(Box<Vec<Id>>),
}

impl Default for IdList {
    fn default() -> Self {
        Self(Store::Inline {
            len: 0,
            ids: [Id::default(); 3],
        })
    }
}

impl IdList {
    pub(super) fn as_slice(&self) -> &[Id] {
        match &self.0 {
            Store::Inline { len, ids } => ids.get(..usize::from(*len)).unwrap_or_default(),
            Store::Heap(ids) => ids,
        }
    }

    /// Puts `id` before the element that is at `position` now.
    pub(super) fn insert_at(&mut self, position: usize, id: Id) {
        match &mut self.0 {
            Store::Inline { len, ids } if usize::from(*len) < ids.len() => {
                if let Some(moved) = ids.get_mut(position..=usize::from(*len)) {
                    moved.rotate_right(1);
                    if let Some(first) = moved.first_mut() {
                        *first = id;
                    }
                    *len += 1;
                }
            }
            Store::Inline { ids, .. } => {
                let mut heap = ids.to_vec();
                heap.insert(position, id);
                self.0 = Store::Heap(Box::new(heap));
            }
            Store::Heap(ids) => ids.insert(position, id),
        }
    }

    pub(super) fn remove_at(&mut self, position: usize) {
        match &mut self.0 {
            Store::Inline { len, ids } => {
                if let Some(moved) = ids.get_mut(position..usize::from(*len)) {
                    moved.rotate_left(1);
                    *len -= 1;
                }
            }
            Store::Heap(ids) => {
                ids.remove(position);
                if ids.is_empty() {
                    *self = Self::default();
                }
            }
        }
    }

    pub(super) fn push(&mut self, id: Id) {
        self.insert_at(self.as_slice().len(), id);
    }

    /// Adds `id` to a list that is kept in order; one that is there already stays alone.
    pub(super) fn add(&mut self, id: Id) {
        if let Err(position) = self.as_slice().binary_search(&id) {
            self.insert_at(position, id);
        }
    }

    /// Takes `id` out of a list that is kept in order.
    pub(super) fn take(&mut self, id: Id) {
        if let Ok(position) = self.as_slice().binary_search(&id) {
            self.remove_at(position);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stays_in_order_while_it_moves_to_the_heap_and_back() {
        let mut list = IdList::default();
        for number in [5, 1, 9, 3, 1, 7] {
            list.add(Id::new(number));
        }
        assert_eq!(list.as_slice(), [1, 3, 5, 7, 9].map(Id::new));
        for number in [5, 4, 1, 9, 7, 3] {
            list.take(Id::new(number));
        }
        assert_eq!(list.as_slice(), []);
        list.push(Id::new(2));
        assert_eq!(list.as_slice(), [Id::new(2)]);
    }

    #[test]
    fn a_short_list_takes_sixteen_bytes() {
        assert_eq!(size_of::<IdList>(), 16);
    }
}
