//! Reading a document from front to back, each value once.

use std::borrow::Cow;

use super::{Json, NotJson};
use crate::by_text::ByText;
use crate::scan::{self, skip_space, value_end};

/// A place between two values of a document; it only moves forward, so that what is read on the way
/// is read once and checked as it is read.
pub(crate) struct Cursor<'a> {
    document: &'a str,
    position: usize,
    broken_at: Option<usize>,
}

impl<'a> Cursor<'a> {
    /// Before the value that `document` holds.
    pub(crate) fn new(document: &'a str) -> Self {
        Self::at(document, 0)
    }

    pub(super) fn at(document: &'a str, position: usize) -> Self {
        Self {
            document,
            position,
            broken_at: None,
        }
    }

    /// Moves behind the next value.
    pub(crate) fn value(&mut self) -> Option<Json<'a>> {
        self.next_byte()?;
        let start = self.position;
        let Some(end) = value_end(self.document.as_bytes(), start) else {
            self.broken();
            return None;
        };
        self.position = end;
        Some(self.since(start))
    }

    /// Moves behind the next value; if it is an object, `member` sees each key with the cursor
    /// before its value, and may read that value or leave it.
    pub(crate) fn object(
        &mut self,
        mut member: impl FnMut(&str, &mut Cursor<'a>),
    ) -> Option<Json<'a>> {
        self.keyed(|key, cursor| member(&key.as_str().unwrap_or_default(), cursor))
    }

    fn keyed(&mut self, mut member: impl FnMut(Json<'a>, &mut Cursor<'a>)) -> Option<Json<'a>> {
        if self.next_byte()? != b'{' {
            return self.value();
        }
        let start = self.position;
        let mut more = self.enter(b'}')?;
        while more {
            let key = self.key()?;
            let value = self.position;
            member(key, self);
            if self.position == value {
                self.value();
            }
            more = self.leave_or_go_on(b'}')?;
        }
        Some(self.since(start))
    }

    /// Moves behind the next value; if it is an array, `element` sees each index with the cursor
    /// before the element, and must read it.
    pub(crate) fn array(
        &mut self,
        mut element: impl FnMut(usize, &mut Cursor<'a>),
    ) -> Option<Json<'a>> {
        if self.next_byte()? != b'[' {
            return self.value();
        }
        let start = self.position;
        let mut index = 0;
        let mut more = self.enter(b']')?;
        while more {
            element(index, self);
            index += 1;
            more = self.leave_or_go_on(b']')?;
        }
        Some(self.since(start))
    }

    /// Moves behind the next value and says what [`Json::canonical`] does; arrays are read once,
    /// however deep they are, objects are put in order on each level.
    pub(super) fn canonical(&mut self, depth: usize) -> Cow<'a, str> {
        if matches!(self.next_byte(), Some(b'[' | b'{')) {
            let mut text = String::new();
            self.write_canonical(depth, &mut text);
            Cow::Owned(text)
        } else {
            let scalar = self.value();
            scalar.map(Json::canonical_scalar).unwrap_or_default()
        }
    }

    fn write_canonical(&mut self, depth: usize, text: &mut String) {
        match (self.next_byte(), depth.checked_sub(1)) {
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
                    members.insert(key.canonical_scalar(), cursor.canonical(depth));
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

    /// Moves into the container that starts here, and says whether there is something in it; an
    /// empty one is left again.
    fn enter(&mut self, closing: u8) -> Option<bool> {
        self.position += 1;
        let is_empty = self.next_byte()? == closing;
        self.position += usize::from(is_empty);
        Some(!is_empty)
    }

    /// Moves behind a comma, or out of the container, and says whether something follows in it.
    fn leave_or_go_on(&mut self, closing: u8) -> Option<bool> {
        let byte = self.next_byte()?;
        if byte != b',' && byte != closing {
            self.broken();
            return None;
        }
        self.position += 1;
        if byte == closing {
            return Some(false);
        }
        self.next_byte()?;
        Some(true)
    }

    /// Moves behind the key that starts here and its colon.
    fn key(&mut self) -> Option<Json<'a>> {
        let start = self.position;
        let Some((end, value)) = scan::member(self.document.as_bytes(), start) else {
            self.broken();
            return None;
        };
        self.position = end;
        let key = self.since(start);
        self.position = value;
        Some(key)
    }

    /// Moves to the next byte that is no white space, and says which it is.
    fn next_byte(&mut self) -> Option<u8> {
        let bytes = self.document.as_bytes();
        self.position = skip_space(bytes, self.position);
        let byte = bytes.get(self.position).copied();
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
        let bytes = self.document.as_bytes();
        self.position = skip_space(bytes, self.position);
        if self.broken_at.is_none() && self.position < bytes.len() {
            self.broken_at = Some(self.position);
        }
        self.broken_at
            .map_or(Ok(()), |offset| Err(NotJson { offset }))
    }

    fn since(&self, start: usize) -> Json<'a> {
        Json {
            document: self.document,
            start,
            end: self.position,
        }
    }
}
