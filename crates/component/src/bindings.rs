//! The bindings that are generated from `wit/policy.wit`.

#![allow(
    missing_docs,
    unsafe_code,
    unused_qualifications,
    clippy::allow_attributes_without_reason,
    reason = "generated code; the WIT file holds the documentation"
)]

wit_bindgen::generate!({
    path: "../../wit",
    world: "policy",
});

pub(crate) use self::imagestream_import_mode::policy::cluster;
pub(crate) use exports::imagestream_import_mode::policy::admission;

use crate::admission::Policy;

export!(Policy);
