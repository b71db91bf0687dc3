//! Reading a document from front to back, each value once.

use std::borrow::Cow;

use super::{Json, NotJson};
use crate::by_text::ByText;
use crate::scan::{self, skip_space, value_end};

/// The key of a member.
struct Key<'a> {
    quoted: Json<'a>,
    has_escapes: bool,
}

/// A place before a value of a document, or behind the last one; it only moves forward, so that what
/// is read on the way is read once and checked as it is read.
pub(crate) struct Cursor<'a> {
    document: &'a [u8],
    position: usize,
    broken_at: Option<usize>,
}

impl<'a> Cursor<'a> {
    /// Before the value that `document` holds.
    pub(crate) fn new(document: &'a [u8]) -> Self {
        Self {
            document,
            position: skip_space(document, 0),
            broken_at: None,
        }
    }

    /// Moves behind the next value.
    pub(crate) fn value(&mut self) -> Option<Json<'a>> {
        let start = self.position;
        self.pass_over();
        self.whole_since(start)
    }

    fn pass_over(&mut self) {
        match value_end(self.document, self.position) {
            Some(end) => self.position = end,
            None => self.broken(),
        }
    }

    /// Moves behind the next value; if it is an object, `member` sees each key with the cursor
    /// before its value, and may read that value or leave it.
    pub(crate) fn object(
        &mut self,
        mut member: impl FnMut(&[u8], &mut Cursor<'a>),
    ) -> Option<Json<'a>> {
        let mut decoded = None;
        self.keyed(|key, cursor| {
            let name = if key.has_escapes {
                decoded = key.quoted.as_str();
                decoded.as_deref().map(str::as_bytes)
            } else {
                key.quoted.inner()
            };
            member(name.unwrap_or_default(), cursor);
        })
    }

    fn keyed(&mut self, mut member: impl FnMut(Key<'a>, &mut Cursor<'a>)) -> Option<Json<'a>> {
        if self.byte() != Some(b'{') {
            return self.value();
        }
        let start = self.position;
        while let Some(key) = self.next_key(start) {
            let value = self.position;
            member(key, self);
            if self.position == value {
                self.pass_over();
            }
        }
        self.whole_since(start)
    }

    /// Moves behind the next value; if it is an array, `element` sees each index with the cursor
    /// before the element, and must read it.
    pub(crate) fn array(
        &mut self,
        mut element: impl FnMut(usize, &mut Cursor<'a>),
    ) -> Option<Json<'a>> {
        if self.byte() != Some(b'[') {
            return self.value();
        }
        let start = self.position;
        let mut index = 0;
        while self.next_element(start, b']') {
            element(index, self);
            index += 1;
        }
        self.whole_since(start)
    }

    /// Moves behind the next value and says what [`Json::canonical`] does; arrays are read once,
    /// however deep they are, objects are put in order on each level.
    pub(super) fn canonical(&mut self, depth: usize) -> Cow<'a, str> {
        if matches!(self.byte(), Some(b'[' | b'{')) {
            let mut text = String::new();
            self.write_canonical(depth, &mut text);
            Cow::Owned(text)
        } else {
            let scalar = self.value();
            scalar.map(Json::canonical_scalar).unwrap_or_default()
        }
    }

    fn write_canonical(&mut self, depth: usize, text: &mut String) {
        match (self.byte(), depth.checked_sub(1)) {
            (Some(b'['), Some(depth)) => {
                text.push('[');
                self.array(|index, cursor| {
                    if index > 0 {
                        text.push(',');
                    }
                    cursor.write_canonical(depth, text);
                });
                text.push(']');
            }
            (Some(b'{'), Some(depth)) => {
                let mut members = ByText::default();
                self.keyed(|key, cursor| {
                    members.insert(key.quoted.canonical_scalar(), cursor.canonical(depth));
                });
                text.push('{');
                for (index, (key, value)) in members.iter().enumerate() {
                    if index > 0 {
                        text.push(',');
                    }
                    text.push_str(key);
                    text.push(':');
                    text.push_str(value);
                }
                text.push('}');
            }
            _ => {
                if let Some(value) = self.value() {
                    text.push_str(&value.canonical_scalar());
                }
            }
        }
    }

    /// Moves to the next element of the container that opened at `start`, or behind its end; says
    /// whether there is one.
    #[inline]
    fn next_element(&mut self, start: usize, closing: u8) -> bool {
        let is_first = self.position == start;
        self.position += usize::from(is_first);
        match self.next_byte() {
            Some(byte) if byte == closing => self.position += 1,
            Some(_) if is_first => return true,
            Some(b',') => {
                self.position += 1;
                return self.next_byte().is_some();
            }
            Some(_) => self.broken(),
            None => {}
        }
        false
    }

    /// Moves behind the next key of the object that opened at `start`, and its colon, or behind the
    /// object.
    #[inline(never)]
    fn next_key(&mut self, start: usize) -> Option<Key<'a>> {
        if !self.next_element(start, b'}') {
            return None;
        }
        let start = self.position;
        let Some(key) = scan::key(self.document, start) else {
            self.broken();
            return None;
        };
        self.position = key.value;
        Some(Key {
            quoted: Json(self.document.get(start..key.end)?),
            has_escapes: key.has_escapes,
        })
    }

    fn byte(&self) -> Option<u8> {
        self.document.get(self.position).copied()
    }

    /// Moves to the next byte that is no white space, and says which it is.
    #[inline(always)]
    fn next_byte(&mut self) -> Option<u8> {
        self.position = skip_space(self.document, self.position);
        let byte = self.byte();
        if byte.is_none() {
            self.broken();
        }
        byte
    }

    /// Remembers that the text is no JSON here, and moves to its end.
    fn broken(&mut self) {
        self.broken_at.get_or_insert(self.position);
        self.position = self.document.len();
    }

    /// Checks that nothing was broken and nothing follows.
    pub(crate) fn finish(mut self) -> Result<(), NotJson> {
        let bytes = self.document;
        self.position = skip_space(bytes, self.position);
        if self.broken_at.is_none() && self.position < bytes.len() {
            self.broken_at = Some(self.position);
        }
        self.broken_at
            .map_or(Ok(()), |offset| Err(NotJson { offset }))
    }

    /// The value from `start` to here, if all of it is JSON.
    fn whole_since(&self, start: usize) -> Option<Json<'a>> {
        let is_whole = self.broken_at.is_none();
        self.document
            .get(start..self.position)
            .filter(|_| is_whole)
            .map(Json)
    }
}
