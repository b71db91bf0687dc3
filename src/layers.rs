//! Which blobs does an image stream reference, and what do they cost?
//!
//! ```text
//! JSON documents ──read──> Image ───────> ImageLayerIndex ──┬── image_stream_layers ──> ImageStreamLayers
//!                    └───> ImageStream ─────────────────────┴── Footprint
//! ```
//!
//! The counterpart of openshift-apiserver's `ImageLayerIndex` and of the subresource
//! `imagestreams/layers` (origin PR 19969). Pure: nothing here reads files, asks a cluster, or looks at
//! the clock.

mod answer;
mod digest;
mod document;
mod entry;
mod error;
pub mod footprint;
mod found;
mod head;
mod id_list;
mod image;
mod image_json;
mod index;
mod interner;
mod json;
mod media_type;
mod name;
mod platform;
mod problem;
mod slots;
mod status;
mod stream;
mod stream_json;
mod version;
mod walk;

pub use crate::import_mode::ImportMode;
pub use answer::{ImageBlobReferences, ImageLayerData, ImageStreamLayers};
pub use document::{Document, ReadError, read, read_slice};
pub use error::{ObjectError, ObjectKind};
pub use found::Found;
pub use image::{Image, Layer, Manifest};
pub use index::{AnswerVersion, Applied, ImageLayerIndex};
pub use name::Name;
pub use platform::Platform;
pub use problem::{ImageProblem, Problem};
pub use status::LayersStatus;
pub use stream::{ImageStream, TagEvent, TagHistory, TagReference};
pub use version::ResourceVersion;
