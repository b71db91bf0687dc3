//! A walker over JSON text: values are borrowed slices of the document, nothing is decoded or copied
//! before somebody asks for it.

mod cursor;

use std::borrow::Cow;

pub(crate) use self::cursor::Cursor;
use crate::scan::{skip_space, value_end};
use crate::unescape::unescape;

/// Nesting below which [`Json::canonical`] compares by text instead of by value.
const CANONICAL_DEPTH: usize = 64;

/// The text is no JSON from this byte on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NotJson {
    pub(crate) offset: usize,
}

/// One JSON value and its place in the document that it was read from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Json<'a> {
    document: &'a str,
    start: usize,
    end: usize,
}

impl<'a> Json<'a> {
    /// The value that `document` holds, white space around it left out.
    pub(crate) fn parse(document: &'a str) -> Result<Self, NotJson> {
        let mut cursor = Cursor::new(document);
        let value = cursor.value();
        cursor.finish()?;
        value.ok_or(NotJson { offset: 0 })
    }

    /// The value whose [`Json::canonical`] is `text`; it was checked before.
    pub(crate) fn of_canonical(text: &'a str) -> Self {
        Self {
            document: text,
            start: 0,
            end: text.len(),
        }
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

    /// Whether the value stands for none, as in the API's Go types: null or the empty string.
    pub(crate) fn is_unset(self) -> bool {
        matches!(self.text(), "null" | "\"\"")
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
            unescape(inner).map(Cow::Owned)
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

    fn inside(self, opening: u8) -> Inside<'a> {
        let is_such = self.first_byte() == opening;
        Inside {
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
        Cursor::at(self.document, self.start)
    }

    /// A text that is equal for equal JSON values: key order and escapes do not count, numbers are
    /// compared by their text, the last of repeated keys counts.
    pub(crate) fn canonical(self) -> Cow<'a, str> {
        self.cursor().canonical(CANONICAL_DEPTH)
    }

    fn canonical_scalar(self) -> Cow<'a, str> {
        match self.as_str() {
            Some(Cow::Owned(decoded)) => Cow::Owned(quoted(&decoded)),
            _ => Cow::Borrowed(self.text()),
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
    document: &'a str,
    position: usize,
}

impl<'a> Inside<'a> {
    fn next(&mut self) -> Option<Json<'a>> {
        let bytes = self.document.as_bytes();
        let mut start = self.position;
        while matches!(
            bytes.get(start),
            Some(b' ' | b'\n' | b'\r' | b'\t' | b',' | b':')
        ) {
            start += 1;
        }
        let end = value_end(bytes, start)?;
        self.position = end;
        Some(Json {
            document: self.document,
            start,
            end,
        })
    }
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
    fn invalid_text_is_noticed_where_it_starts() {
        for (text, offset) in [("", 0), (" ", 1), ("{} {}", 3), ("[1,]", 0), ("nul", 0)] {
            let error = Json::parse(text).unwrap_err();
            assert_eq!(error, NotJson { offset }, "{text}");
        }
        for (text, offset) in [
            ("{\"a\":[1,]}", 5),
            ("{\"a\":1,}", 7),
            ("{\"a\":1]", 6),
            ("{\"a\"", 1),
        ] {
            let mut cursor = Cursor::new(text);
            cursor.object(|_, _| {});
            assert_eq!(cursor.finish(), Err(NotJson { offset }), "{text}");
        }
    }
}
