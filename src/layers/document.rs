//! Images and ImageStreams from JSON documents of any size.
//!
//! A document is one object or a list (`ImageList`, `ImageStreamList`, `List`, any other kind); a source
//! may hold several documents, one after the other. Never more than one object is in memory as text, with
//! one exception: items without a `kind`, in a list that names its kind only after them.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::error::ObjectError;
use super::found::Found;
use super::json::{Fields, Object, Text};

/// What is known about a document once it is read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Document {
    /// Its kind, empty if it does not say.
    pub kind: String,
    /// `metadata.resourceVersion`: of a list, the state of the cluster that it shows.
    pub resource_version: String,
    /// `metadata.continue` of a list: more of it follows on another page.
    pub continue_token: String,
    /// Objects that were handed out: the items of a list, or the one object.
    pub objects: usize,
}

/// Why the reading of a source ended early.
#[derive(Debug)]
pub struct ReadError {
    objects: usize,
    last: Option<String>,
    source: serde_json::Error,
}

impl ReadError {
    /// Objects of the source that were handed out before.
    #[must_use]
    pub fn objects(&self) -> usize {
        self.objects
    }

    /// The last object that was handed out, such as ``Image `sha256:…` ``.
    #[must_use]
    pub fn last(&self) -> Option<&str> {
        self.last.as_deref()
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.source)?;
        match &self.last {
            Some(last) => write!(f, ", after object {}, {last}", self.objects),
            None => Ok(()),
        }
    }
}

impl std::error::Error for ReadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.source)
    }
}

/// Reads all documents of a source and hands out their objects one by one.
///
/// `deserializer` is [`serde_json::Deserializer::from_reader`] (give it a buffered reader), `from_slice` or
/// `from_str`. A report takes [`Found::Faulty`] as one more thing to count and returns `Ok`; an exact answer
/// returns the error, which ends the reading there.
///
/// # Errors
///
/// The source is empty, is not JSON, breaks off, is not UTF-8, cannot be read, or `take` returned an error;
/// the message says where in the source. What was handed out before is complete.
pub fn read<'de, R: serde_json::de::Read<'de>>(
    deserializer: &mut serde_json::Deserializer<R>,
    mut take: impl FnMut(Found) -> Result<(), ObjectError>,
) -> Result<Vec<Document>, ReadError> {
    let mut documents = Vec::new();
    let (mut objects, mut last) = (0, None);
    loop {
        let seed = DocumentSeed(|found: Found| {
            let label = found.label();
            take(found)?;
            objects += 1;
            last = label.or(last.take());
            Ok(())
        });
        match seed.deserialize(&mut *deserializer) {
            Ok(document) => documents.push(document),
            Err(source) => {
                return Err(ReadError {
                    objects,
                    last,
                    source,
                });
            }
        }
        if deserializer.end().is_ok() {
            return Ok(documents);
        }
    }
}

/// Reads all documents of a text that is in memory; see [`read`].
///
/// # Errors
///
/// Those of [`read`].
pub fn read_slice(
    text: &[u8],
    take: impl FnMut(Found) -> Result<(), ObjectError>,
) -> Result<Vec<Document>, ReadError> {
    read(&mut serde_json::Deserializer::from_slice(text), take)
}

/// Reads one document.
struct DocumentSeed<F>(F);

impl<'de, F: FnMut(Found) -> Result<(), ObjectError>> DeserializeSeed<'de> for DocumentSeed<F> {
    type Value = Document;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Document, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, F: FnMut(Found) -> Result<(), ObjectError>> Visitor<'de> for DocumentSeed<F> {
    type Value = Document;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an Image, an ImageStream, or a list of them")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<Document, A::Error> {
        // A list and a single object cannot be told apart before the end, so the small fields of the
        // first and all those of the second are put together again.
        let mut rest = String::new();
        let mut head = ListHead::default();
        let mut items: Option<Items> = None;
        while let Some(key) = map.next_key::<String>()? {
            if key == "items" {
                let items = items.get_or_insert_default();
                map.next_value_seed(ItemsSeed {
                    kind: &head.kind,
                    items,
                    take: &mut self.0,
                })?;
                continue;
            }
            let value: Box<RawValue> = map.next_value()?;
            head.field(&key, value.get());
            rest.push_str(if rest.is_empty() { "{" } else { "," });
            rest.push_str(&serde_json::to_string(&key).map_err(A::Error::custom)?);
            rest.push(':');
            rest.push_str(value.get());
        }
        let objects = match items {
            Some(items) => items.finish(&head.kind, &mut self.0)?,
            None => {
                rest.push_str(if rest.is_empty() { "{}" } else { "}" });
                self.0(Found::read(&rest, "", None)).map_err(A::Error::custom)?;
                1
            }
        };
        Ok(Document {
            kind: head.kind,
            resource_version: head.metadata.resource_version,
            continue_token: head.metadata.continue_token,
            objects,
        })
    }
}

/// What a list says about itself; in any other object these fields may be anything.
#[derive(Default)]
struct ListHead {
    kind: String,
    metadata: ListMeta,
}

#[derive(Default)]
struct ListMeta {
    resource_version: String,
    continue_token: String,
}

impl ListHead {
    fn field(&mut self, key: &str, value: &str) {
        match key {
            "kind" => self.kind = serde_json::from_str(value).unwrap_or_default(),
            "metadata" => {
                self.metadata = serde_json::from_str::<Object<ListMeta>>(value)
                    .map(|Object(metadata)| metadata)
                    .unwrap_or_default();
            }
            _ => {}
        }
    }
}

impl<'de> Fields<'de> for ListMeta {
    fn field<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<bool, A::Error> {
        match key {
            "resourceVersion" => self.resource_version = map.next_value::<Text>()?.0.into_owned(),
            "continue" => self.continue_token = map.next_value::<Text>()?.0.into_owned(),
            _ => return Ok(false),
        }
        Ok(true)
    }
}

/// The items of a list so far.
#[derive(Default)]
struct Items {
    count: usize,
    /// Items whose kind is not known before that of the list.
    waiting: Vec<(usize, Box<RawValue>)>,
}

impl Items {
    fn finish<E: Error>(
        self,
        list_kind: &str,
        take: &mut impl FnMut(Found) -> Result<(), ObjectError>,
    ) -> Result<usize, E> {
        let kind = item_kind(list_kind);
        for (position, text) in self.waiting {
            take(Found::read(text.get(), kind, Some(position))).map_err(E::custom)?;
        }
        Ok(self.count)
    }
}

/// The kind that a list of this kind gives to items without one.
fn item_kind(list_kind: &str) -> &str {
    list_kind.strip_suffix("List").unwrap_or_default()
}

struct ItemsSeed<'a, F> {
    kind: &'a str,
    items: &'a mut Items,
    take: &'a mut F,
}

impl<'de, F: FnMut(Found) -> Result<(), ObjectError>> DeserializeSeed<'de> for ItemsSeed<'_, F> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, F: FnMut(Found) -> Result<(), ObjectError>> Visitor<'de> for ItemsSeed<'_, F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of items")
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        while let Some(text) = seq.next_element::<Box<RawValue>>()? {
            let position = self.items.count;
            self.items.count += 1;
            if self.kind.is_empty() && has_no_kind(text.get()) {
                self.items.waiting.push((position, text));
            } else {
                let found = Found::read(text.get(), item_kind(self.kind), Some(position));
                (self.take)(found).map_err(A::Error::custom)?;
            }
        }
        Ok(())
    }
}

fn has_no_kind(text: &str) -> bool {
    #[derive(Default)]
    struct HasKind(bool);

    impl<'de> Fields<'de> for HasKind {
        fn field<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<bool, A::Error> {
            if key != "kind" {
                return Ok(false);
            }
            self.0 = true;
            map.next_value::<IgnoredAny>().map(|_| true)
        }
    }

    serde_json::from_str::<Object<HasKind>>(text).is_ok_and(|Object(HasKind(found))| !found)
}
