//! Reading chosen fields of JSON objects; everything else is dropped while parsing.
//!
//! A fault is named by its path, as in `dockerImageLayers[3].size: invalid type: …`. The leniency is
//! that of the API server's decoder: null and an absent field are the zero value, unknown fields are
//! ignored, of a repeated field the last one counts.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// A struct that is filled field by field.
pub(super) trait Fields<'de>: Default {
    /// Reads the value of `key`, or returns `false` without touching it.
    fn field<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<bool, A::Error>;
}

/// An object of which the fields of `T` are read.
#[derive(Default)]
pub(super) struct Object<T>(pub(super) T);

impl<'de, T: Fields<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ObjectVisitor<T>(PhantomData<T>);

        impl<'de, T: Fields<'de>> Visitor<'de> for ObjectVisitor<T> {
            type Value = T;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_unit<E: Error>(self) -> Result<T, E> {
                Ok(T::default())
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<T, A::Error> {
                let mut fields = T::default();
                while let Some(Text(key)) = map.next_key()? {
                    let known = fields
                        .field(&key, &mut map)
                        .map_err(|error| within(format_args!(".{key}"), &error))?;
                    if !known {
                        map.next_value::<IgnoredAny>()?;
                    }
                }
                Ok(fields)
            }
        }

        deserializer
            .deserialize_any(ObjectVisitor(PhantomData))
            .map(Object)
    }
}

/// A list whose elements are objects.
pub(super) struct List<T>(pub(super) Vec<T>);

impl<T> Default for List<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'de, T: Fields<'de>> Deserialize<'de> for List<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ListVisitor<T>(PhantomData<T>);

        impl<'de, T: Fields<'de>> Visitor<'de> for ListVisitor<T> {
            type Value = Vec<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list")
            }

            fn visit_unit<E: Error>(self) -> Result<Vec<T>, E> {
                Ok(Vec::new())
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Vec<T>, A::Error> {
                let mut elements = Vec::new();
                loop {
                    match seq.next_element() {
                        Ok(Some(Object(element))) => elements.push(element),
                        Ok(None) => return Ok(elements),
                        Err(error) => {
                            return Err(within(format_args!("[{}]", elements.len()), &error));
                        }
                    }
                }
            }
        }

        deserializer
            .deserialize_any(ListVisitor(PhantomData))
            .map(List)
    }
}

/// A string, borrowed from the document where it can be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Text<'a>(pub(super) Cow<'a, str>);

impl Text<'_> {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The text, none for an empty one.
    pub(super) fn filled(self) -> Option<String> {
        (!self.is_empty()).then(|| self.0.into_owned())
    }
}

impl<'de> Deserialize<'de> for Text<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TextVisitor;

        impl<'de> Visitor<'de> for TextVisitor {
            type Value = Text<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_unit<E: Error>(self) -> Result<Text<'de>, E> {
                Ok(Text::default())
            }

            fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Borrowed(text)))
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Owned(text.to_owned())))
            }
        }

        deserializer.deserialize_any(TextVisitor)
    }
}

/// A boolean; null is false.
pub(super) fn flag<'de, A: MapAccess<'de>>(map: &mut A) -> Result<bool, A::Error> {
    map.next_value::<Option<bool>>()
        .map(Option::unwrap_or_default)
}

/// Puts the place before a message that may start with the rest of the path.
fn within<E: Error>(place: fmt::Arguments<'_>, error: &E) -> E {
    let text = error.to_string();
    if text.starts_with(['.', '[']) {
        E::custom(format_args!("{place}{text}"))
    } else {
        E::custom(format_args!("{place}: {text}"))
    }
}

/// The message of a fault inside one object, without the offset that says nothing to a reader of the
/// whole document.
pub(super) fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let offset = format!(" at line {} column {}", error.line(), error.column());
    let text = text.strip_suffix(&offset).unwrap_or(&text);
    text.strip_prefix('.').unwrap_or(text).to_owned()
}
