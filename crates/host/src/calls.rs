//! The host calls of a policy: answered from a [`Cluster`], and written down.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use imagestream_import_mode::ResourceRef;
use serde::{Deserialize, Serialize};

use crate::cluster::Cluster;

/// One `kubernetes/get_resource`; displayed as `apiVersion/Kind[/namespace]/name`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Read {
    /// `group/version`, or `v1` for the core group.
    pub api_version: String,
    /// Singular kind.
    pub kind: String,
    /// Name of the object.
    pub name: String,
    /// None for cluster-scoped objects.
    #[serde(default)]
    pub namespace: Option<String>,
    /// Whether the host must ask the API server.
    pub disable_cache: bool,
    /// Dot paths of the wanted fields; none means all.
    #[serde(default)]
    pub field_masks: Option<Vec<String>>,
}

impl From<&ResourceRef<'_>> for Read {
    fn from(resource: &ResourceRef<'_>) -> Self {
        Self {
            api_version: resource.api_version.to_owned(),
            kind: resource.kind.to_owned(),
            name: resource.name.to_owned(),
            namespace: resource.namespace.map(str::to_owned),
            disable_cache: resource.disable_cache,
            field_masks: Some(
                resource
                    .field_masks
                    .iter()
                    .map(ToString::to_string)
                    .collect(),
            ),
        }
    }
}

impl fmt::Display for Read {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/", self.api_version, self.kind)?;
        if let Some(namespace) = &self.namespace {
            write!(f, "{namespace}/")?;
        }
        f.write_str(&self.name)
    }
}

/// What a policy asked of its host while it decided once, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HostCalls {
    /// The objects it read, found or not.
    pub reads: Vec<Read>,
    /// The payloads of `tracing/log`: `{"level": …, "message": …}`.
    pub log: Vec<String>,
    /// Every other call, as `binding/namespace/operation`; all of them fail.
    pub others: Vec<String>,
}

/// The host side of the calls, for one evaluation.
pub(crate) struct Capabilities {
    cluster: Arc<dyn Cluster>,
    calls: Mutex<HostCalls>,
}

impl Capabilities {
    pub fn new(cluster: Arc<dyn Cluster>) -> Self {
        Self {
            cluster,
            calls: Mutex::default(),
        }
    }

    pub fn take_calls(&self) -> HostCalls {
        std::mem::take(&mut *self.calls.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn record(&self, write: impl FnOnce(&mut HostCalls)) {
        write(&mut self.calls.lock().unwrap_or_else(PoisonError::into_inner));
    }

    fn other(&self, binding: &str, namespace: &str, operation: &str) {
        let call = format!("{binding}/{namespace}/{operation}");
        self.record(|calls| calls.others.push(call));
    }

    /// One waPC host call, with the texts of policy-server (`runtimes/callback.rs`).
    pub fn host_call(
        &self,
        binding: &str,
        namespace: &str,
        operation: &str,
        payload: &[u8],
    ) -> Result<Vec<u8>, String> {
        match (binding, namespace, operation) {
            ("kubewarden", "kubernetes", "get_resource") => match serde_json::from_slice(payload) {
                Ok(read) => self.reply(read),
                Err(error) => {
                    self.other(binding, namespace, operation);
                    Err(error.to_string())
                }
            },
            ("kubewarden", "tracing", "log") => {
                self.log(String::from_utf8_lossy(payload).into_owned());
                Ok(Vec::new())
            }
            _ => {
                self.other(binding, namespace, operation);
                Err(format!("unknown operation: {operation}"))
            }
        }
    }

    /// The reply, or the host's text.
    fn reply(&self, read: Read) -> Result<Vec<u8>, String> {
        let reply = self.cluster.reply(&read);
        let reply = reply.map_err(|error| error.host_text(&read));
        self.record(|calls| calls.reads.push(read));
        reply
    }

    /// [`Capabilities::reply`] for policies that take text.
    pub fn get_resource(&self, read: Read) -> Result<String, String> {
        String::from_utf8(self.reply(read)?).map_err(|error| error.to_string())
    }

    pub fn log(&self, payload: String) {
        self.record(|calls| calls.log.push(payload));
    }
}
