//! A walker over JSON text that is known to be valid: values are borrowed slices of the document,
//! nothing is decoded or copied before somebody asks for it.
//!
//! `serde_json` checks the text once ([`Json::parse`]); after that a value only needs its ends found.
//! Should the text be invalid all the same, every walk ends and stays within the document.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::value::RawValue;

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
        Members {
            document: self.document,
            position: self.inside(b'{'),
        }
    }

    /// The elements of an array; none for other values.
    pub(crate) fn elements(self) -> Elements<'a> {
        Elements {
            document: self.document,
            position: self.inside(b'['),
        }
    }

    fn inside(self, opening: u8) -> usize {
        if self.first_byte() == opening {
            self.start + 1
        } else {
            usize::MAX
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
        for member in self.members() {
            let wanted = keys.iter().position(|key| member.key.is_str(key));
            if let Some(slot) = wanted.and_then(|index| picked.get_mut(index)) {
                *slot = Some(member.value);
            }
        }
        picked
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
pub(crate) struct Members<'a> {
    document: &'a str,
    position: usize,
}

impl<'a> Iterator for Members<'a> {
    type Item = Member<'a>;

    fn next(&mut self) -> Option<Member<'a>> {
        let key = next_value(self.document, &mut self.position)?;
        let value = next_value(self.document, &mut self.position)?;
        Some(Member { key, value })
    }
}

/// See [`Json::elements`].
pub(crate) struct Elements<'a> {
    document: &'a str,
    position: usize,
}

impl<'a> Iterator for Elements<'a> {
    type Item = Json<'a>;

    fn next(&mut self) -> Option<Json<'a>> {
        next_value(self.document, &mut self.position)
    }
}

/// The value at or after `position`, which moves behind it; none at the end of the container.
fn next_value<'a>(document: &'a str, position: &mut usize) -> Option<Json<'a>> {
    let bytes = document.as_bytes();
    let mut start = *position;
    while matches!(
        bytes.get(start),
        Some(b' ' | b'\n' | b'\r' | b'\t' | b',' | b':')
    ) {
        start += 1;
    }
    let end = match bytes.get(start)? {
        b'}' | b']' => return None,
        b'"' => string_end(bytes, start),
        b'{' | b'[' => container_end(bytes, start),
        _ => scalar_end(bytes, start),
    };
    *position = end;
    Some(Json {
        document,
        start,
        end,
    })
}

fn skip_space(bytes: &[u8], mut position: usize) -> usize {
    while matches!(bytes.get(position), Some(b' ' | b'\n' | b'\r' | b'\t')) {
        position += 1;
    }
    position
}

/// Behind the string whose opening quote stands at `start`.
fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut position = start + 1;
    while let Some(byte) = bytes.get(position) {
        match byte {
            b'"' => return position + 1,
            b'\\' => position += 2,
            _ => position += 1,
        }
    }
    bytes.len()
}

/// Behind the object or array that opens at `start`.
fn container_end(bytes: &[u8], start: usize) -> usize {
    let mut depth = 0_usize;
    let mut position = start;
    while let Some(byte) = bytes.get(position) {
        match byte {
            b'"' => {
                position = string_end(bytes, position);
                continue;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return position + 1;
                }
            }
            _ => {}
        }
        position += 1;
    }
    bytes.len()
}

/// Behind the number, `true`, `false` or `null` that starts at `start`.
fn scalar_end(bytes: &[u8], start: usize) -> usize {
    let mut position = start + 1;
    while let Some(byte) = bytes.get(position) {
        if matches!(
            byte,
            b',' | b':' | b'}' | b']' | b' ' | b'\n' | b'\r' | b'\t'
        ) {
            return position;
        }
        position += 1;
    }
    bytes.len()
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
