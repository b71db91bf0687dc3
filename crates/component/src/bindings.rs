//! The bindings that are generated from `wit/`.

#![allow(
    missing_docs,
    unsafe_code,
    unused_qualifications,
    clippy::allow_attributes_without_reason,
    reason = "generated code; the WIT files hold the documentation"
)]

wit_bindgen::generate!({
    path: "../../wit",
    world: "policy",
});

pub(crate) use self::imagestream_import_mode::policy::cluster;
pub(crate) use exports::imagestream_import_mode::policy::{admission, layers};

/// Implements the exported interfaces, each in a module of its own.
pub(crate) struct Exports;

export!(Exports);
