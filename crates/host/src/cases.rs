//! Case files: a request, a cluster, and what must come of them under each settings object.
//!
//! ```json
//! {
//!   "note": "why this case exists",
//!   "request": { "an": "AdmissionRequest" },
//!   "cluster": { "config.openshift.io/v1/Image/cluster": {}, "a key": {"error": "a host's text"} },
//!   "raw": false,
//!   "expect": [{
//!     "settings": {},
//!     "allowed": true,
//!     "modes": { "/spec/tags/0/importPolicy/importMode": "PreserveOriginal" },
//!     "warnings": ["explicit-kept"],
//!     "hostCalls": ["config.openshift.io/v1/Image/cluster"]
//!   }]
//! }
//! ```
//!
//! `modes` is every mode that the policy sets and the only change to the object. A key that `cluster`
//! does not have is "not found". `raw` marks a request that no host with a typed `AdmissionRequest`
//! would pass on. Settings are given to the decision as they are, without `validate_settings`.

mod calls;
mod check;

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::objects::json_files;
use crate::request::{Request, RequestError};

pub use check::check;

/// One case file.
#[derive(Debug, Deserialize)]
pub struct Case {
    /// Why the case exists.
    #[serde(default)]
    pub note: String,
    /// The `AdmissionRequest`, as it stands in the file.
    request: Box<RawValue>,
    /// What the cluster answers, by `apiVersion/Kind[/namespace]/name`.
    #[serde(default)]
    pub cluster: BTreeMap<String, Value>,
    /// What must come of it.
    pub expect: Vec<Expectation>,
    /// Whether the request is given to the decision as it is.
    #[serde(default)]
    pub raw: bool,
    /// Keys of the file that mean nothing.
    #[serde(flatten)]
    pub unknown: BTreeMap<String, serde::de::IgnoredAny>,
}

/// What must come of a case under one settings object.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Expectation {
    /// The policy's settings.
    pub settings: Value,
    /// Whether the request is allowed.
    pub allowed: bool,
    /// Every mode that the policy sets, by JSON pointer.
    pub modes: BTreeMap<String, String>,
    /// The kinds of its warnings, in order.
    pub warnings: Vec<String>,
    /// The objects it reads, in order.
    pub host_calls: Vec<String>,
}

/// Why a file is no case.
#[derive(Debug)]
pub enum CaseError {
    /// The file or folder cannot be read.
    Unreadable(std::io::Error),
    /// Not in the format of a case.
    NoCase(serde_json::Error),
    /// The request is none, and not marked as raw.
    Request(RequestError),
    /// A folder without a case.
    Empty,
}

impl fmt::Display for CaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(error) => write!(f, "cannot be read: {error}"),
            Self::NoCase(error) => write!(f, "not a case: {error}"),
            Self::Request(error) => write!(f, "the request is {error}"),
            Self::Empty => f.write_str("no `*.json` in this folder"),
        }
    }
}

impl std::error::Error for CaseError {}

impl Case {
    /// Reads one file.
    ///
    /// # Errors
    ///
    /// If it cannot be read or is not in the format of a case.
    pub fn read(path: &Path) -> Result<Self, CaseError> {
        let text = fs::read_to_string(path).map_err(CaseError::Unreadable)?;
        Self::parse(&text)
    }

    fn parse(text: &str) -> Result<Self, CaseError> {
        serde_json::from_str(text).map_err(CaseError::NoCase)
    }

    /// The request as the policy gets it.
    ///
    /// # Errors
    ///
    /// If it does not fit the host's type and is not marked as raw.
    pub fn request(&self) -> Result<Request, CaseError> {
        let text = self.request.get();
        if self.raw {
            Request::raw(text)
        } else {
            Request::from_json(text.as_bytes())
        }
        .map_err(CaseError::Request)
    }
}

/// The case files of a folder, by name; a file stands for itself.
///
/// # Errors
///
/// If the folder cannot be read or holds no case.
pub fn files(path: &Path) -> Result<Vec<PathBuf>, CaseError> {
    if path.is_file() {
        return Ok(vec![path.to_owned()]);
    }
    let files = json_files(path).map_err(CaseError::Unreadable)?;
    if files.is_empty() {
        return Err(CaseError::Empty);
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn refused(text: &str, message: &str) {
        assert_eq!(Case::parse(text).unwrap_err().to_string(), message);
    }

    #[test]
    fn an_expectation_has_exactly_its_keys() {
        refused(
            r#"{"request": {}, "expect": [{"settings": {}, "mode": {}}]}"#,
            "not a case: unknown field `mode`, expected one of `settings`, `allowed`, `modes`, `warnings`, `hostCalls` at line 1 column 50",
        );
        refused(
            r#"{"request": {}, "expect": [{"settings": {}, "allowed": true, "modes": {}, "warnings": []}]}"#,
            "not a case: missing field `hostCalls` at line 1 column 89",
        );
    }
}
