//! JSON for adapters that must not need a tree: answers written by hand, one place of a document.

use crate::json::{Json, push_quoted};

/// The JSON text at a path of keys, the last of repeated ones; none if `document` is not JSON.
#[must_use]
pub fn json_at<'a>(document: &'a str, path: &[&str]) -> Option<&'a str> {
    let root = Json::parse(document.as_bytes()).ok()?;
    let place = path.iter().try_fold(root, |value, key| value.get(key))?;
    Some(place.text())
}

/// A JSON object that grows member by member.
#[derive(Clone, Debug, Default)]
pub struct JsonObject {
    /// All of it but the last bracket; empty without members.
    json: Vec<u8>,
}

impl JsonObject {
    /// Adds a member whose value is JSON text.
    #[must_use]
    pub fn raw(mut self, key: &str, json: &str) -> Self {
        self.key(key);
        self.json.extend_from_slice(json.as_bytes());
        self
    }

    /// Adds a member whose value is written as JSON of `length` bytes. As the last member it is not
    /// copied again.
    #[must_use]
    pub fn written(mut self, key: &str, length: usize, write: impl FnOnce(&mut Vec<u8>)) -> Self {
        self.key(key);
        self.json.reserve(length + "}".len());
        write(&mut self.json);
        self
    }

    /// Adds a boolean.
    #[must_use]
    pub fn boolean(self, key: &str, value: bool) -> Self {
        self.raw(key, if value { "true" } else { "false" })
    }

    /// Adds a string.
    #[must_use]
    pub fn string(mut self, key: &str, text: &str) -> Self {
        self.key(key);
        push_quoted(&mut self.json, text);
        self
    }

    /// Adds a list of strings; nothing if there are none.
    #[must_use]
    pub fn strings<'t>(mut self, key: &str, texts: impl Iterator<Item = &'t str>) -> Self {
        let mut list = Vec::new();
        for text in texts {
            list.push(if list.is_empty() { b'[' } else { b',' });
            push_quoted(&mut list, text);
        }
        if !list.is_empty() {
            self.key(key);
            self.json.extend_from_slice(&list);
            self.json.push(b']');
        }
        self
    }

    /// Adds an object; nothing if it has no members.
    #[must_use]
    pub fn object(mut self, key: &str, object: Self) -> Self {
        if !object.json.is_empty() {
            self.key(key);
            self.json.extend_from_slice(&object.into_bytes());
        }
        self
    }

    /// The JSON in UTF-8.
    #[must_use]
    pub fn into_bytes(mut self) -> Vec<u8> {
        if self.json.is_empty() {
            self.json.push(b'{');
        }
        self.json.push(b'}');
        self.json
    }

    /// The JSON text.
    #[must_use]
    pub fn into_text(self) -> String {
        String::from_utf8(self.into_bytes()).unwrap_or_default()
    }

    fn key(&mut self, key: &str) {
        self.json
            .push(if self.json.is_empty() { b'{' } else { b',' });
        push_quoted(&mut self.json, key);
        self.json.push(b':');
    }
}

impl<'t> FromIterator<(&'t str, &'t str)> for JsonObject {
    fn from_iter<I: IntoIterator<Item = (&'t str, &'t str)>>(members: I) -> Self {
        members
            .into_iter()
            .fold(Self::default(), |object, (key, text)| {
                object.string(key, text)
            })
    }
}

#[cfg(test)]
mod tests {
    use super::{JsonObject, json_at};

    #[test]
    fn a_place_is_found_by_its_keys() {
        let document = r#" {"a": {"b": 1, "\u0062": [2, {}]}, "c": []} "#;
        assert_eq!(json_at(document, &["a", "b"]), Some("[2, {}]"));
        assert_eq!(json_at(document, &["c", "b"]), None);
        assert_eq!(json_at(document, &[]), Some(document.trim()));
        assert_eq!(json_at("{\"a\": 1", &["a"]), None);
    }

    #[test]
    fn empty_lists_and_objects_are_left_out() {
        let text = JsonObject::default()
            .boolean("allowed", true)
            .strings("none", [].into_iter())
            .strings("some", ["a\"", "b"].into_iter())
            .object("empty", JsonObject::default())
            .object("full", [("k", "v"), ("l", "w")].into_iter().collect())
            .into_text();
        assert_eq!(
            text,
            r#"{"allowed":true,"some":["a\"","b"],"full":{"k":"v","l":"w"}}"#
        );
        assert_eq!(JsonObject::default().into_text(), "{}");
    }
}
