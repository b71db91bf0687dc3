//! A walker over JSON text that is known to be valid: values are borrowed slices of the document,
//! nothing is decoded or copied before somebody asks for it.
//!
//! `serde_json` checks the text once ([`Json::parse`]); after that a value only needs its ends found.
//! Should the text be invalid all the same, every walk ends and stays within the document.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::value::RawValue;

use crate::scan::{container_end, scalar_end, string_end};

/// Nesting below which [`Json::canonical`] compares by text instead of by value.
const CANONICAL_DEPTH: usize = 64;

/// One JSON value and its place in the document that it was read from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Json<'a> {
    document: &'a str,
    start: usize,
    end: usize,
}

impl<'a> Json<'a> {
    /// The value that `document` holds, white space around it left out.
    pub(crate) fn parse(document: &'a str) -> serde_json::Result<Self> {
        serde_json::from_str::<&RawValue>(document)?;
        let start = skip_space(document.as_bytes(), 0);
        let end = document.trim_end_matches([' ', '\n', '\r', '\t']).len();
        Ok(Self {
            document,
            start,
            end,
        })
    }

    pub(crate) fn text(self) -> &'a str {
        self.document.get(self.start..self.end).unwrap_or_default()
    }

    /// Where the value starts, in bytes from the start of `outer`, a value of the same document.
    pub(crate) fn offset_in(self, outer: Json<'_>) -> usize {
        self.start.saturating_sub(outer.start)
    }

    fn first_byte(self) -> u8 {
        self.text().bytes().next().unwrap_or_default()
    }

    pub(crate) fn is_null(self) -> bool {
        self.text() == "null"
    }

    pub(crate) fn is_object(self) -> bool {
        self.first_byte() == b'{'
    }

    pub(crate) fn is_array(self) -> bool {
        self.first_byte() == b'['
    }

    pub(crate) fn is_true(self) -> bool {
        self.text() == "true"
    }

    pub(crate) fn is_string(self) -> bool {
        self.first_byte() == b'"'
    }

    /// Whether an object or array has no members.
    pub(crate) fn is_empty_container(self) -> bool {
        let bytes = self.document.as_bytes();
        let inner = skip_space(bytes, self.start + 1);
        (self.is_object() || self.is_array()) && matches!(bytes.get(inner), Some(b'}' | b']'))
    }

    /// The text of a string; none for other values and for strings with lone surrogates.
    pub(crate) fn as_str(self) -> Option<Cow<'a, str>> {
        let inner = self.text().strip_prefix('"')?.strip_suffix('"')?;
        if inner.contains('\\') {
            serde_json::from_str(self.text()).ok().map(Cow::Owned)
        } else {
            Some(Cow::Borrowed(inner))
        }
    }

    /// [`Json::as_str`] without the empty string.
    pub(crate) fn as_non_empty_str(self) -> Option<Cow<'a, str>> {
        self.as_str().filter(|text| !text.is_empty())
    }

    pub(crate) fn is_str(self, expected: &str) -> bool {
        self.as_str().is_some_and(|text| text == expected)
    }

    /// The members of an object in order, repeated keys included; none for other values.
    pub(crate) fn members(self) -> Members<'a> {
        Members(self.inside(b'{'))
    }

    /// The elements of an array; none for other values.
    pub(crate) fn elements(self) -> Elements<'a> {
        Elements(self.inside(b'['))
    }

    fn inside(self, opening: u8) -> Cursor<'a> {
        let is_such = self.first_byte() == opening;
        Cursor {
            document: self.document,
            position: if is_such { self.start + 1 } else { usize::MAX },
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
            let wanted = keys.iter().position(|wanted| *wanted == key);
            if let Some(slot) = wanted.and_then(|index| picked.get_mut(index)) {
                *slot = cursor.value();
            }
        });
        picked
    }

    /// A cursor that stands before the value.
    pub(crate) fn cursor(self) -> Cursor<'a> {
        Cursor {
            document: self.document,
            position: self.start,
        }
    }

    /// A text that is equal for equal JSON values: key order and escapes do not count, numbers are
    /// compared by their text, the last of repeated keys counts.
    pub(crate) fn canonical(self) -> Cow<'a, str> {
        self.canonical_within(CANONICAL_DEPTH)
    }

    fn canonical_within(self, depth: usize) -> Cow<'a, str> {
        if self.is_string() {
            return match self.as_str() {
                Some(Cow::Owned(decoded)) => Cow::Owned(quoted(&decoded)),
                _ => Cow::Borrowed(self.text()),
            };
        }
        let Some(depth) = depth.checked_sub(1) else {
            return Cow::Borrowed(self.text());
        };
        if self.is_array() {
            let elements: Vec<_> = self
                .elements()
                .map(|element| element.canonical_within(depth))
                .collect();
            Cow::Owned(format!("[{}]", elements.join(",")))
        } else if self.is_object() {
            let members: BTreeMap<_, _> = self
                .members()
                .map(|member| {
                    (
                        member.key.canonical_within(depth),
                        member.value.canonical_within(depth),
                    )
                })
                .collect();
            let members: Vec<_> = members
                .iter()
                .map(|(key, value)| format!("{key}:{value}"))
                .collect();
            Cow::Owned(format!("{{{}}}", members.join(",")))
        } else {
            Cow::Borrowed(self.text())
        }
    }
}

/// `text` as a JSON string.
pub(crate) fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_default()
}

/// One key and value of an object; the key is a JSON string.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Member<'a> {
    pub(crate) key: Json<'a>,
    pub(crate) value: Json<'a>,
}

/// See [`Json::members`].
pub(crate) struct Members<'a>(Cursor<'a>);

impl<'a> Iterator for Members<'a> {
    type Item = Member<'a>;

    fn next(&mut self) -> Option<Member<'a>> {
        let key = self.0.value()?;
        let value = self.0.value()?;
        Some(Member { key, value })
    }
}

/// See [`Json::elements`].
pub(crate) struct Elements<'a>(Cursor<'a>);

impl<'a> Iterator for Elements<'a> {
    type Item = Json<'a>;

    fn next(&mut self) -> Option<Json<'a>> {
        self.0.value()
    }
}

/// A place between two values of a document; it only moves forward, so that what is read on the way
/// is read once.
pub(crate) struct Cursor<'a> {
    document: &'a str,
    position: usize,
}

impl<'a> Cursor<'a> {
    /// Moves behind the next value; none at the end of the surrounding object or array.
    pub(crate) fn value(&mut self) -> Option<Json<'a>> {
        let bytes = self.document.as_bytes();
        let first = self.skip_separators()?;
        let start = self.position;
        self.position = match first {
            b'}' | b']' => return None,
            b'"' => string_end(bytes, start),
            b'{' | b'[' => container_end(bytes, start),
            _ => scalar_end(bytes, start),
        };
        Some(self.since(start))
    }

    /// Moves behind the next value; if it is an object, `member` sees each key with the cursor
    /// before its value, and may read that value or leave it.
    pub(crate) fn object(
        &mut self,
        mut member: impl FnMut(&str, &mut Cursor<'a>),
    ) -> Option<Json<'a>> {
        self.container(b'{', |cursor| {
            let Some(key) = cursor.value() else {
                return false;
            };
            let before = cursor.position;
            member(&key.as_str().unwrap_or_default(), cursor);
            cursor.position != before || cursor.value().is_some()
        })
    }

    /// Moves behind the next value; if it is an array, `element` sees each index with the cursor
    /// before the element, and must read it.
    pub(crate) fn array(
        &mut self,
        mut element: impl FnMut(usize, &mut Cursor<'a>),
    ) -> Option<Json<'a>> {
        let mut index = 0;
        self.container(b'[', |cursor| {
            let before = cursor.position;
            element(index, cursor);
            index += 1;
            cursor.position != before
        })
    }

    fn container(
        &mut self,
        opening: u8,
        mut next: impl FnMut(&mut Cursor<'a>) -> bool,
    ) -> Option<Json<'a>> {
        if self.skip_separators()? != opening {
            return self.value();
        }
        let start = self.position;
        self.position += 1;
        while !matches!(self.skip_separators(), None | Some(b'}' | b']')) && next(self) {}
        self.position = (self.position + 1).min(self.document.len());
        Some(self.since(start))
    }

    /// Moves to the next byte of a value or the end of a container, and says which byte it is.
    fn skip_separators(&mut self) -> Option<u8> {
        let bytes = self.document.as_bytes();
        loop {
            match bytes.get(self.position)? {
                b' ' | b'\n' | b'\r' | b'\t' | b',' | b':' => self.position += 1,
                byte => return Some(*byte),
            }
        }
    }

    fn since(&self, start: usize) -> Json<'a> {
        Json {
            document: self.document,
            start,
            end: self.position,
        }
    }
}

fn skip_space(bytes: &[u8], mut position: usize) -> usize {
    while matches!(bytes.get(position), Some(b' ' | b'\n' | b'\r' | b'\t')) {
        position += 1;
    }
    position
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(text: &str) -> Json<'_> {
        Json::parse(text).unwrap()
    }

    #[test]
    fn the_last_of_repeated_keys_counts_also_when_escaped() {
        let object = json(r#" {"a":1,"b":[2,{"a":3}],"\u0061":{"x":"}\""}} "#);
        assert_eq!(object.get("a").unwrap().text(), r#"{"x":"}\""}"#);
        assert_eq!(object.get("b").unwrap().text(), r#"[2,{"a":3}]"#);
        assert!(object.get("c").is_none());
    }

    #[test]
    fn elements_keep_their_text() {
        let array = json(r#"[ 1e999 , -0 ,"\ud800", null, [], {} ,true]"#);
        let texts: Vec<_> = array.elements().map(Json::text).collect();
        assert_eq!(
            texts,
            ["1e999", "-0", r#""\ud800""#, "null", "[]", "{}", "true"]
        );
        assert_eq!(array.members().count(), 0);
    }

    #[test]
    fn canonical_ignores_key_order_and_escapes_but_not_number_text() {
        assert_eq!(
            json(r#"{"b":[1, "\u0041"],"a":0,"a":2}"#).canonical(),
            json(r#"{"a":2, "b":[1,"A"]}"#).canonical()
        );
        assert_ne!(json("1").canonical(), json("1.0").canonical());
    }

    #[test]
    fn deep_nesting_ends() {
        let deep = format!("{}{}", "[".repeat(200_000), "]".repeat(200_000));
        let value = json(&deep);
        assert_eq!(value.elements().count(), 1);
        assert_eq!(value.canonical().len(), deep.len());
    }

    #[test]
    fn walks_over_invalid_text_end_within_it() {
        for text in ["{\"a\"", "[\"\\", "{\"a\":[", "[1", "{", "[,,", "[:]", "[}"] {
            let value = Json {
                document: text,
                start: 0,
                end: text.len(),
            };
            for part in value
                .elements()
                .chain(value.members().map(|member| member.value))
            {
                assert!(text.contains(part.text()));
            }
        }
    }
}
