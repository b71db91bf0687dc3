//! What stands behind the host calls.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::Value;

use crate::calls::Read;
use crate::mask;

/// A cluster, or what plays one.
pub trait Cluster: Send + Sync {
    /// One whole object as JSON; field masks are applied by the host.
    ///
    /// # Errors
    ///
    /// What the host tells the policy instead.
    fn get_resource(&self, read: &Read) -> Result<Value, ClusterError>;

    /// The bytes that a policy gets: the object, cut down to the field masks. Whoever plays a host
    /// that is broken answers with others.
    ///
    /// # Errors
    ///
    /// As [`Cluster::get_resource`].
    fn reply(&self, read: &Read) -> Result<Vec<u8>, ClusterError> {
        let mut object = self.get_resource(read)?;
        if object.is_object() {
            mask::apply(&mut object, read.field_masks.as_deref().unwrap_or_default());
        }
        Ok(object.to_string().into_bytes())
    }
}

/// Why a read has no object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClusterError {
    /// There is no such object.
    NotFound,
    /// The host has no connection to a cluster.
    NoClient,
    /// Any other text of the host.
    Failed(String),
}

impl ClusterError {
    /// The text that the host gives to a policy; the waPC guest library puts `Host error: ` in front.
    ///
    /// Source: `callback_handler/kubernetes` and `runtimes/callback.rs` of kubewarden/adm-controller.
    pub(crate) fn host_text(&self, read: &Read) -> String {
        match self {
            Self::NotFound => format!(
                "Callback evaluation failure: Cannot find {}/{} named '{}' inside of namespace '{:?}'",
                read.api_version, read.kind, read.name, read.namespace
            ),
            Self::NoClient => {
                "Callback evaluation failure: kube::Client was not initialized properly".to_owned()
            }
            Self::Failed(text) => text.clone(),
        }
    }
}

impl fmt::Display for ClusterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFound => f.write_str("not found"),
            Self::NoClient => f.write_str("no cluster"),
            Self::Failed(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for ClusterError {}

/// No cluster at all: every read fails as on a policy-server without a connection.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoCluster;

impl Cluster for NoCluster {
    fn get_resource(&self, _read: &Read) -> Result<Value, ClusterError> {
        Err(ClusterError::NoClient)
    }
}

/// A cluster of given objects and failures, by `apiVersion/Kind[/namespace]/name`.
#[derive(Clone, Debug, Default)]
pub struct ScriptedCluster {
    answers: BTreeMap<String, Result<Value, ClusterError>>,
}

impl ScriptedCluster {
    /// Adds an object; true if the key was free.
    pub fn insert(&mut self, key: String, object: Value) -> bool {
        self.answers.insert(key, Ok(object)).is_none()
    }

    /// The `cluster` map of a case file: `{"error": text}` is a failure, anything else a reply.
    ///
    /// The text may carry the `Host error: ` that the guest library adds; it is not added twice.
    #[must_use]
    pub fn from_case(cluster: &BTreeMap<String, Value>) -> Self {
        let answers = cluster
            .iter()
            .map(|(key, reply)| (key.clone(), scripted(reply)))
            .collect();
        Self { answers }
    }

    /// The keys of the objects, sorted.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.answers.keys().map(String::as_str)
    }

    /// How many objects there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.answers.len()
    }

    /// Whether there is no object.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.answers.is_empty()
    }
}

fn scripted(reply: &Value) -> Result<Value, ClusterError> {
    let error = reply
        .as_object()
        .filter(|fields| fields.len() == 1)
        .and_then(|fields| fields.get("error")?.as_str());
    match error {
        Some(text) => Err(ClusterError::Failed(
            text.strip_prefix("Host error: ").unwrap_or(text).to_owned(),
        )),
        None => Ok(reply.clone()),
    }
}

impl Cluster for ScriptedCluster {
    fn get_resource(&self, read: &Read) -> Result<Value, ClusterError> {
        self.answers
            .get(&read.to_string())
            .cloned()
            .unwrap_or(Err(ClusterError::NotFound))
    }
}
