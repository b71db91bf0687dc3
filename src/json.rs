//! A walker over JSON: values are borrowed slices of the document, nothing is decoded or copied before
//! somebody asks for it. A value that was read is JSON in UTF-8, which is checked where it is scanned.

mod cursor;

use std::borrow::Cow;

pub(crate) use self::cursor::Cursor;
use crate::scan::{self, skip_space, value_end};
use crate::unescape::unescape;

/// Nesting below which [`Json::canonical`] compares by text instead of by value.
const CANONICAL_DEPTH: usize = 64;

/// The document is no JSON in UTF-8 from this byte on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NotJson {
    pub(crate) offset: usize,
}

/// One JSON value as it stands in its document.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Json<'a>(&'a [u8]);

impl<'a> Json<'a> {
    /// The value that `document` holds, white space around it left out.
    pub(crate) fn parse(document: &'a [u8]) -> Result<Self, NotJson> {
        let mut cursor = Cursor::new(document);
        let value = cursor.value();
        cursor.finish()?;
        value.ok_or(NotJson { offset: 0 })
    }

    /// The value whose [`Json::canonical`] is `text`; it was checked before.
    pub(crate) fn of_canonical(text: &'a str) -> Self {
        Self(text.as_bytes())
    }

    pub(crate) fn bytes(self) -> &'a [u8] {
        self.0
    }

    /// [`Json::bytes`] as text, for values that are not long: they are looked at once more.
    pub(crate) fn text(self) -> &'a str {
        as_text(self.0).unwrap_or_default()
    }

    /// Where the value starts, in bytes from the start of `outer`, which it is a part of.
    pub(crate) fn offset_in(self, outer: Json<'_>) -> usize {
        let start = |value: Json<'_>| value.0.as_ptr().addr();
        start(self).saturating_sub(start(outer))
    }

    fn first_byte(self) -> u8 {
        self.0.first().copied().unwrap_or_default()
    }

    pub(crate) fn is_null(self) -> bool {
        self.0 == b"null"
    }

    pub(crate) fn is_object(self) -> bool {
        self.first_byte() == b'{'
    }

    pub(crate) fn is_array(self) -> bool {
        self.first_byte() == b'['
    }

    /// Whether the value stands for none, as in the API's Go types: null or the empty string.
    pub(crate) fn is_unset(self) -> bool {
        matches!(self.0, b"null" | b"\"\"")
    }

    pub(crate) fn is_true(self) -> bool {
        self.0 == b"true"
    }

    pub(crate) fn is_string(self) -> bool {
        self.first_byte() == b'"'
    }

    /// Whether an object or array has no members.
    pub(crate) fn is_empty_container(self) -> bool {
        let inner = skip_space(self.0, 1);
        (self.is_object() || self.is_array()) && matches!(self.0.get(inner), Some(b'}' | b']'))
    }

    /// The text of a string; none for other values and for strings with lone surrogates.
    pub(crate) fn as_str(self) -> Option<Cow<'a, str>> {
        match self.escaped() {
            Some(inner) => unescape(inner).map(Cow::Owned),
            None => self.inner().and_then(as_text).map(Cow::Borrowed),
        }
    }

    /// What stands between the quotes of a string.
    #[inline]
    fn inner(self) -> Option<&'a [u8]> {
        match self.0 {
            [b'"', inner @ .., b'"'] => Some(inner),
            _ => None,
        }
    }

    /// [`Json::inner`], if it has escapes.
    fn escaped(self) -> Option<&'a str> {
        let inner = self.inner().filter(|inner| inner.contains(&b'\\'));
        inner.and_then(as_text)
    }

    /// [`Json::as_str`] without the empty string.
    pub(crate) fn as_non_empty_str(self) -> Option<Cow<'a, str>> {
        self.as_str().filter(|text| !text.is_empty())
    }

    /// Whether the value is the string `expected`, which needs no escapes.
    #[inline(always)]
    pub(crate) fn is_str(self, expected: &str) -> bool {
        self.inner() == Some(expected.as_bytes()) || self.decodes_to(expected)
    }

    #[inline(never)]
    fn decodes_to(self, expected: &str) -> bool {
        let decoded = self.escaped().and_then(unescape);
        decoded.is_some_and(|text| text == expected)
    }

    /// The members of an object in order, repeated keys included; none for other values.
    pub(crate) fn members(self) -> Members<'a> {
        Members(self.inside(b'{'))
    }

    /// The elements of an array; none for other values.
    pub(crate) fn elements(self) -> Elements<'a> {
        Elements(self.inside(b'['))
    }

    fn inside(self, opening: u8) -> Inside<'a> {
        let is_such = self.first_byte() == opening;
        Inside {
            container: self.0,
            position: if is_such { 1 } else { usize::MAX },
        }
    }

    /// The member named `key`, the last one where it is repeated.
    pub(crate) fn get(self, key: &str) -> Option<Json<'a>> {
        let [value] = self.pick([key]);
        value
    }

    /// Several members in one walk, the last one where a key is repeated.
    pub(crate) fn pick<const N: usize>(self, keys: [&str; N]) -> [Option<Json<'a>>; N] {
        let mut picked = [None; N];
        self.cursor().object(|key, cursor| {
            let wanted = keys.iter().position(|wanted| wanted.as_bytes() == key);
            if let Some(slot) = wanted.and_then(|index| picked.get_mut(index)) {
                *slot = cursor.value();
            }
        });
        picked
    }

    /// A cursor that stands before the value.
    pub(crate) fn cursor(self) -> Cursor<'a> {
        Cursor::new(self.0)
    }

    /// A text that is equal for equal JSON values: key order and escapes do not count, numbers are
    /// compared by their text, the last of repeated keys counts.
    pub(crate) fn canonical(self) -> Cow<'a, str> {
        if self.is_object() || self.is_array() {
            self.cursor().canonical(CANONICAL_DEPTH)
        } else {
            self.canonical_scalar()
        }
    }

    fn canonical_scalar(self) -> Cow<'a, str> {
        let decoded = self.escaped().and_then(unescape);
        decoded.map_or_else(
            || Cow::Borrowed(self.text()),
            |text| Cow::Owned(quoted(&text)),
        )
    }
}

/// `text` as a JSON string.
pub(crate) fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_default()
}

/// Appends `text` as a JSON string.
pub(crate) fn push_quoted(json: &mut Vec<u8>, text: &str) {
    if text.bytes().any(scan::is_special) {
        json.extend_from_slice(quoted(text).as_bytes());
    } else {
        json.reserve(text.len() + 2);
        json.push(b'"');
        json.extend_from_slice(text.as_bytes());
        json.push(b'"');
    }
}

fn as_text(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok()
}

/// One key and value of an object; the key is a JSON string.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Member<'a> {
    pub(crate) key: Json<'a>,
    pub(crate) value: Json<'a>,
}

/// See [`Json::members`].
pub(crate) struct Members<'a>(Inside<'a>);

impl<'a> Iterator for Members<'a> {
    type Item = Member<'a>;

    fn next(&mut self) -> Option<Member<'a>> {
        let key = self.0.next()?;
        let value = self.0.next()?;
        Some(Member { key, value })
    }
}

/// See [`Json::elements`].
pub(crate) struct Elements<'a>(Inside<'a>);

impl<'a> Iterator for Elements<'a> {
    type Item = Json<'a>;

    fn next(&mut self) -> Option<Json<'a>> {
        self.0.next()
    }
}

/// What an object or array holds, keys and values in turn, separators left out: it was checked
/// before.
struct Inside<'a> {
    container: &'a [u8],
    position: usize,
}

impl<'a> Inside<'a> {
    fn next(&mut self) -> Option<Json<'a>> {
        let bytes = self.container;
        let mut start = self.position;
        while matches!(
            bytes.get(start),
            Some(b' ' | b'\n' | b'\r' | b'\t' | b',' | b':')
        ) {
            start += 1;
        }
        let end = value_end(bytes, start)?;
        self.position = end;
        bytes.get(start..end).map(Json)
    }
}

#[cfg(test)]
mod tests;
