//! The ways into the policy.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::calls::HostCalls;
use crate::cluster::Cluster;
use crate::detect::ModuleKind;
use crate::request::Request;
use crate::response::AdmissionResponse;

/// One way into the policy: the library, or one of the binaries in its runtime.
pub trait Door: Send + Sync {
    /// As users name it.
    fn name(&self) -> &'static str;

    /// Whether the policy asks its host for objects; else they are given to it before.
    fn asks(&self) -> bool {
        true
    }

    /// Decides one request. Settings are not validated first.
    ///
    /// # Errors
    ///
    /// If the policy could not be started; a failure while it decides is a rejection with code 500.
    fn evaluate(
        &self,
        request: &Request,
        settings: &Value,
        cluster: Arc<dyn Cluster>,
    ) -> Result<Evaluation, HostError>;

    /// Checks the bytes of a settings object.
    fn validate_settings(&self, settings: &[u8]) -> SettingsValidation;
}

/// One decision and what led to it.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// What the API server gets.
    pub response: AdmissionResponse,
    /// What the policy asked of its host.
    pub calls: HostCalls,
    /// The object as the policy returned it, where its runtime returns one.
    pub mutated_object: Option<Value>,
}

/// The answer of `validate_settings`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct SettingsValidation {
    /// Whether a host may start with them.
    pub valid: bool,
    /// Every fault, in one text.
    pub message: Option<String>,
}

/// The policy cannot be run at all.
#[derive(Debug)]
pub enum HostError {
    /// The module's file cannot be read.
    Unreadable {
        /// As given.
        path: String,
        /// Why not.
        source: std::io::Error,
    },
    /// Not a module of this runtime.
    Module(String),
    /// Not a binary of this kind.
    Runtime {
        /// What it should be.
        kind: ModuleKind,
        /// Why it is not.
        why: String,
    },
    /// None of the kinds.
    UnknownKind,
    /// The module failed before it took a request.
    Start(String),
}

impl fmt::Display for HostError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable { path, source } => write!(f, "cannot read `{path}`: {source}"),
            Self::Module(why) => write!(f, "not a waPC module: {why}"),
            Self::Runtime { kind, why } => write!(f, "not {kind}: {why}"),
            Self::UnknownKind => {
                f.write_str("neither a waPC module nor a component nor an OPA policy")
            }
            Self::Start(why) => write!(f, "the module does not start: {why}"),
        }
    }
}

impl std::error::Error for HostError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Unreadable { source, .. } => Some(source),
            Self::Module(_) | Self::Runtime { .. } | Self::UnknownKind | Self::Start(_) => None,
        }
    }
}
