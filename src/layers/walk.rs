//! From images to everything that they reference.

use std::collections::BTreeSet;

use super::entry::Entry;
use super::index::ImageLayerIndex;
use super::interner::Id;

/// An image that a walk came to, for the first and only time.
pub(super) enum Visit<'a> {
    /// The index holds it.
    Image(Id, &'a Entry),
    /// A child that the index does not hold.
    MissingChild(Id),
    /// A name that no Image of the index has or mentions.
    Unknown(&'a str),
}

/// An image to start from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Target<'a> {
    /// The index mentions the name.
    Known(Id),
    /// It does not.
    Unknown(&'a str),
}

impl<'a> Target<'a> {
    pub(super) fn named(index: &ImageLayerIndex, name: &'a str) -> Self {
        index.id(name).map_or(Self::Unknown(name), Self::Known)
    }
}

/// Visits `roots` in their order, each followed by its children, theirs included.
///
/// A list comes before its children, as the API fills its maps (reference 5.2). Each image is visited
/// once, so cycles end; the way back is on the heap, so deep nesting does too.
pub(super) fn walk<'a>(
    index: &'a ImageLayerIndex,
    roots: impl IntoIterator<Item = Target<'a>>,
    mut visit: impl FnMut(Visit<'a>),
) {
    let mut seen = BTreeSet::new();
    let mut stack = Vec::new();
    for root in roots {
        stack.push(root);
        while let Some(target) = stack.pop() {
            if !seen.insert(target) {
                continue;
            }
            let id = match target {
                Target::Known(id) => id,
                Target::Unknown(name) => {
                    visit(Visit::Unknown(name));
                    continue;
                }
            };
            let Some(entry) = index.entry(id) else {
                visit(Visit::MissingChild(id));
                continue;
            };
            visit(Visit::Image(id, entry));
            let children = entry.manifests.iter().rev();
            stack.extend(children.map(|child| Target::Known(child.digest)));
        }
    }
}
