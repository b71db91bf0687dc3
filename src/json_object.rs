//! JSON for adapters that must not need a tree: answers written by hand, one place of a document.

use std::fmt::Write as _;

use crate::json::{Json, quoted};

/// The JSON text at a path of keys, the last of repeated ones; none if `document` is not JSON.
#[must_use]
pub fn json_at<'a>(document: &'a str, path: &[&str]) -> Option<&'a str> {
    let root = Json::parse(document).ok()?;
    let place = path.iter().try_fold(root, |value, key| value.get(key))?;
    Some(place.text())
}

/// A JSON object that grows member by member.
#[derive(Clone, Debug)]
pub struct JsonObject {
    text: String,
}

impl Default for JsonObject {
    fn default() -> Self {
        Self {
            text: String::from("{"),
        }
    }
}

impl JsonObject {
    /// Adds a member whose value is JSON text.
    #[must_use]
    pub fn raw(mut self, key: &str, json: &str) -> Self {
        if self.text.len() > 1 {
            self.text.push(',');
        }
        let _ = write!(self.text, "{}:{json}", quoted(key));
        self
    }

    /// Adds a string.
    #[must_use]
    pub fn string(self, key: &str, text: &str) -> Self {
        self.raw(key, &quoted(text))
    }

    /// Adds a list of strings; nothing if there are none.
    #[must_use]
    pub fn strings<'t>(self, key: &str, texts: impl IntoIterator<Item = &'t str>) -> Self {
        let texts: Vec<_> = texts.into_iter().map(quoted).collect();
        if texts.is_empty() {
            return self;
        }
        self.raw(key, &format!("[{}]", texts.join(",")))
    }

    /// Adds an object; nothing if it has no members.
    #[must_use]
    pub fn object(self, key: &str, object: Self) -> Self {
        if object.text.len() == 1 {
            return self;
        }
        let text = object.into_text();
        self.raw(key, &text)
    }

    /// The JSON text.
    #[must_use]
    pub fn into_text(mut self) -> String {
        self.text.push('}');
        self.text
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
            .raw("allowed", "true")
            .strings("none", [])
            .strings("some", ["a\"", "b"])
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
