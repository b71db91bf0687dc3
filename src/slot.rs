//! The places of an object that hold a `TagImportPolicy` (semantics 2).

use std::borrow::Cow;
use std::fmt;

use crate::import_mode::{ModePlace, PolicyView, StoredMode};
use crate::json::{Cursor, Json, quoted};

/// Where a slot stands in its object; displayed as a JSON pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlotPath {
    /// `/spec/tags/N` of an `ImageStream`.
    StreamTag(usize),
    /// `/spec/repository` of an `ImageStreamImport`.
    Repository,
    /// `/spec/images/N` of an `ImageStreamImport`.
    Image(usize),
    /// `/tag` of an `ImageStreamTag`.
    Tag,
    /// `/spec` of an `ImageTag`.
    Spec,
}

impl fmt::Display for SlotPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::StreamTag(index) => write!(f, "/spec/tags/{index}"),
            Self::Repository => f.write_str("/spec/repository"),
            Self::Image(index) => write!(f, "/spec/images/{index}"),
            Self::Tag => f.write_str("/tag"),
            Self::Spec => f.write_str("/spec"),
        }
    }
}

/// How messages name a slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SlotLabel<'a> {
    /// By its tag.
    Tag(Cow<'a, str>),
    /// By its place in the object.
    Pointer(String),
}

impl SlotLabel<'_> {
    /// The tag or the pointer, as received.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Tag(tag) => tag,
            Self::Pointer(pointer) => pointer,
        }
    }
}

/// A tag name: equal for equal JSON values, an absent name is null.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TagName<'a>(Cow<'a, str>);

impl<'a> TagName<'a> {
    pub(crate) fn of(name: Option<Json<'a>>) -> Self {
        Self(name.map_or(Cow::Borrowed("null"), Json::canonical))
    }

    pub(crate) fn into_text(self) -> Cow<'a, str> {
        self.0
    }

    pub(crate) fn of_text(text: &str) -> Self {
        Self(Cow::Owned(quoted(text)))
    }

    /// The name for a message; none for null and the empty string.
    fn label(&self) -> Option<Cow<'_, str>> {
        let name = Json::of_canonical(&self.0);
        let label = || name.as_str().unwrap_or(Cow::Borrowed(name.text()));
        (!name.is_unset()).then(label)
    }
}

impl AsRef<str> for TagName<'_> {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

/// One slot of a request.
#[derive(Clone, Debug)]
pub(crate) struct Slot<'a> {
    pub(crate) path: SlotPath,
    /// The tag that the slot is stored as; none for a repository and for images without a tag.
    pub(crate) tag: Option<TagName<'a>>,
    pub(crate) requested: StoredMode,
    pub(crate) place: ModePlace<'a>,
    pub(crate) annotations: Option<Json<'a>>,
    pub(crate) has_generation: bool,
    /// Whether an import follows when the slot is stored.
    pub(crate) imports: bool,
}

/// Calls `tag` with the name and the mode of each tag of a stream, in order; an element that is no
/// object is none.
pub(crate) fn each_tag<'a>(tags: Option<Json<'a>>, mut tag: impl FnMut(TagName<'a>, StoredMode)) {
    let mut read = |cursor: &mut Cursor<'a>| {
        let (mut name, mut policy) = (None, PolicyView::default());
        let element = cursor.object(|key, cursor| match key {
            b"name" => name = cursor.value(),
            b"importPolicy" => policy = PolicyView::read(cursor),
            _ => {}
        });
        if let Some(element) = element.filter(|element| element.is_object()) {
            tag(TagName::of(name), policy.mode_in(element).0);
        }
    };
    if let Some(tags) = tags {
        tags.cursor().array(|_, cursor| read(cursor));
    }
}

impl<'a> Slot<'a> {
    /// Moves behind the next value, which is a slot if it is an object.
    pub(crate) fn read(path: SlotPath, cursor: &mut Cursor<'a>) -> Option<Self> {
        let (mut name, mut to, mut from) = (None, None, FromView::default());
        let (mut policy, mut reference) = (PolicyView::default(), None);
        let (mut annotations, mut generation) = (None, None);
        let value = cursor.object(|key, cursor| match key {
            b"name" => name = cursor.value(),
            b"importPolicy" => policy = PolicyView::read(cursor),
            b"to" => to = cursor.value(),
            b"from" => from = FromView::read(cursor),
            b"reference" => reference = cursor.value(),
            b"annotations" => annotations = cursor.value(),
            b"generation" => generation = cursor.value(),
            _ => {}
        });
        let whole = value.filter(|value| value.is_object())?;
        let (requested, place) = policy.mode_in(whole);
        let (tag, imports) = match path {
            SlotPath::Repository => (None, true),
            SlotPath::Image(_) => (image_tag(to, from.name), true),
            SlotPath::StreamTag(_) | SlotPath::Tag | SlotPath::Spec => {
                (Some(TagName::of(name)), is_importable(from.kind, reference))
            }
        };
        Some(Self {
            path,
            tag,
            requested,
            place,
            annotations,
            has_generation: generation.is_some(),
            imports,
        })
    }

    /// The same slot, stored as `tag` where that is known better.
    pub(crate) fn named(self, tag: Option<TagName<'a>>) -> Self {
        Self {
            tag: tag.or(self.tag),
            ..self
        }
    }

    /// The slot in a message: its tag, else its JSON pointer.
    pub(crate) fn label(&self) -> SlotLabel<'_> {
        match self.tag.as_ref().and_then(TagName::label) {
            Some(tag) => SlotLabel::Tag(tag),
            None => SlotLabel::Pointer(self.path.to_string()),
        }
    }
}

/// What the decision reads of an ObjectReference.
#[derive(Clone, Copy, Default)]
struct FromView<'a> {
    kind: Option<Json<'a>>,
    name: Option<Json<'a>>,
}

impl<'a> FromView<'a> {
    fn read(cursor: &mut Cursor<'a>) -> Self {
        let mut view = Self::default();
        cursor.object(|key, cursor| match key {
            b"kind" => view.kind = cursor.value(),
            b"name" => view.name = cursor.value(),
            _ => {}
        });
        view
    }
}

/// `tagImportable` of openshift-controller-manager.
fn is_importable(from_kind: Option<Json<'_>>, reference: Option<Json<'_>>) -> bool {
    from_kind.is_some_and(|kind| kind.is_str("DockerImage"))
        && !reference.is_some_and(Json::is_true)
}

/// The tag that an image of an import is stored as: `to.name`, else the tag of `from.name`.
fn image_tag<'a>(to: Option<Json<'a>>, from_name: Option<Json<'a>>) -> Option<TagName<'a>> {
    let name = to
        .and_then(|to| to.get("name"))
        .filter(|name| !name.is_unset());
    if name.is_some() {
        return Some(TagName::of(name));
    }
    reference_tag(&from_name?.as_str()?).map(TagName::of_text)
}

/// The tag of an image reference; a port is none, an empty tag is none.
fn reference_tag(reference: &str) -> Option<&str> {
    let (name, _) = reference.split_once('@').unwrap_or((reference, ""));
    let (_, last) = name.rsplit_once('/').unwrap_or(("", name));
    let (_, tag) = last.split_once(':')?;
    (!tag.is_empty()).then_some(tag)
}

#[cfg(test)]
mod tests {
    use super::reference_tag;

    #[test]
    fn a_port_is_no_tag() {
        for (reference, tag) in [
            ("q.io:5000/a", None),
            ("q.io:5000/a:1", Some("1")),
            ("q.io/a:1@sha256:ab", Some("1")),
            ("q.io/a@sha256:ab", None),
            ("q.io/a:", None),
            ("q.io/a:1:2", Some("1:2")),
            ("a:1", Some("1")),
            ("", None),
        ] {
            assert_eq!(reference_tag(reference), tag, "{reference}");
        }
    }
}
