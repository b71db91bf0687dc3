//! Decides the import mode of OpenShift image stream tags.
//!
//! A new tag gets the mode that its cluster needs unless its author decided; an existing tag keeps
//! its mode unless its author decided; nothing else in the object changes.
//!
//! ```text
//!  AdmissionRequest        Settings          ClusterReader (trait, each runtime brings its own)
//!        │                    │                     │
//!   admission ── in scope? ───┤                     │
//!        │                    │                     │
//!      slot ─── provenance: has the author decided? │
//!        │                                          │
//!      stored: does the slot exist, with which mode?┤
//!        │                                          │
//!      assess ── cluster: the mode that new tags get┘
//!        │
//!      decide ── Decision: accept │ mutate (edits, spliced into the text) │ reject, with warnings
//! ```
//!
//! The crate does no I/O, knows no host and never turns the object into a tree: it reads borrowed
//! views of the text and answers with the same text, the modes written in.

pub mod admission;
pub mod assess;
mod by_text;
pub mod cluster;
pub mod decide;
pub mod decision;
pub mod import_mode;
mod json;
pub mod json_object;
pub mod layers;
pub mod provenance;
mod scan;
pub mod settings;
pub mod slot;
mod splice;
pub mod stored;
mod text;
mod unescape;
pub mod warning;

pub use admission::{AdmissionRequest, RequestError, ResourceKind};
pub use cluster::{ClusterReader, ReadError, ResourceRef};
pub use decide::{decide, evaluate, evaluate_parts, explain};
pub use decision::{Decision, Edit, Mutation, Outcome, Rejection};
pub use import_mode::ImportMode;
pub use json_object::JsonObject;
pub use settings::{Settings, SettingsError};
pub use text::shown;
pub use warning::{Warning, WarningKind};
