//! What a feed fills.

use std::fmt;

use imagestream_import_mode::layers::{Found, ObjectError, ResourceVersion};

use super::event::Head;
use super::resource::Resource;

/// Takes the objects of one resource, each reduced before it is stored.
pub(crate) trait Sink: Send + Sync + 'static {
    /// The resource that it takes.
    const RESOURCE: Resource;

    /// A complete list begins; nothing else arrives until it is complete or the next one begins.
    fn start_list(&self);

    /// Takes one item of the list.
    fn listed(&self, found: Found) -> Result<(), Unusable>;

    /// The list is complete: what it did not hold is gone.
    fn complete_list(&self, version: &ResourceVersion);

    /// Takes an object that was added or modified, as JSON.
    fn changed(&self, object: &str) -> Result<(), Unusable>;

    /// Forgets an object.
    fn deleted(&self, head: &Head);
}

/// An object that cannot be used, and why.
#[derive(Debug)]
pub(crate) struct Unusable(String);

impl From<ObjectError> for Unusable {
    fn from(error: ObjectError) -> Self {
        Self(error.to_string())
    }
}

impl From<Found> for Unusable {
    fn from(found: Found) -> Self {
        Self(match found {
            Found::Faulty(error) => error.to_string(),
            Found::Image(image) => format!("unexpected Image `{}`", image.name()),
            Found::ImageStream(stream) => {
                format!(
                    "unexpected ImageStream `{}/{}`",
                    stream.namespace(),
                    stream.name()
                )
            }
            Found::Other { kind, name } => {
                format!("unexpected {kind} `{}`", name.unwrap_or_default())
            }
        })
    }
}

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
