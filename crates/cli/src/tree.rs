//! A JSON value that keeps the order of its keys: between YAML and JSON, and on the way to people.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap as _, Serializer};
use serde_json::Number;

/// One value; numbers beyond 64 bits become floating point.
#[derive(Clone, Debug, PartialEq)]
pub enum Tree {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number.
    Number(Number),
    /// A text.
    String(String),
    /// A list.
    Sequence(Vec<Self>),
    /// Keys and values in order.
    Mapping(Vec<(String, Self)>),
}

impl Tree {
    /// Reads JSON text.
    ///
    /// # Errors
    ///
    /// Text that is not JSON or is nested too deeply.
    pub fn from_json(text: &str) -> serde_json::Result<Self> {
        serde_json::from_str(text)
    }

    /// The value as YAML, ending with a line break.
    ///
    /// # Errors
    ///
    /// If the value cannot be written as YAML.
    pub fn to_yaml(&self) -> Result<String, serde_saphyr::SerializeError> {
        let options = serde_saphyr::ser_options! { compact_list_indent: true };
        let mut yaml = serde_saphyr::to_string_with_options(self, options)?;
        if !yaml.ends_with('\n') {
            yaml.push('\n');
        }
        Ok(yaml)
    }
}

impl Serialize for Tree {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Number(value) => value.serialize(serializer),
            Self::String(value) => serializer.serialize_str(value),
            Self::Sequence(values) => serializer.collect_seq(values),
            Self::Mapping(members) => {
                let mut map = serializer.serialize_map(Some(members.len()))?;
                for (key, value) in members {
                    map.serialize_entry(key, value)?;
                }
                map.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TreeVisitor)
    }
}

struct TreeVisitor;

impl<'de> Visitor<'de> for TreeVisitor {
    type Value = Tree;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_unit<E: Error>(self) -> Result<Tree, E> {
        Ok(Tree::Null)
    }

    fn visit_none<E: Error>(self) -> Result<Tree, E> {
        Ok(Tree::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Tree, D::Error> {
        Tree::deserialize(deserializer)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Tree, E> {
        Ok(Tree::Bool(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Tree, E> {
        Ok(Tree::Number(value.into()))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Tree, E> {
        Ok(Tree::Number(value.into()))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Tree, E> {
        Number::from_f64(value)
            .map(Tree::Number)
            .ok_or_else(|| E::custom("JSON has no such number"))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Tree, E> {
        Ok(Tree::String(value.to_owned()))
    }

    fn visit_string<E: Error>(self, value: String) -> Result<Tree, E> {
        Ok(Tree::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Tree, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = elements.next_element()? {
            values.push(value);
        }
        Ok(Tree::Sequence(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Tree, A::Error> {
        let mut entries = Vec::new();
        while let Some(member) = members.next_entry()? {
            entries.push(member);
        }
        Ok(Tree::Mapping(entries))
    }
}
