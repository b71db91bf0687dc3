//! What a feed fills.

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
    fn listed(&self, found: Found) -> Result<(), ObjectError>;

    /// The list is complete: what it did not hold is gone.
    fn complete_list(&self, version: &ResourceVersion);

    /// Takes an object that was added or modified, as JSON.
    fn changed(&self, object: &str) -> Result<(), ObjectError>;

    /// Forgets an object.
    fn deleted(&self, head: &Head);
}
