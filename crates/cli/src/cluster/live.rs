//! A live cluster, read through `kube` in the way of Kubewarden's policy-server.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use imagestream_import_mode_host::{Cluster, ClusterError, Read};
use kube::api::{ApiResource, DynamicObject, GetParams, GroupVersionKind, Request};
use kube::config::{Config, KubeConfigOptions, Kubeconfig, KubeconfigError};
use kube::{Client, Resource as _};
use serde_json::Value;
use tokio::runtime::Runtime;

/// How long one object may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// What policy-server puts before the errors of its Kubernetes client.
const PREFIX: &str = "Callback evaluation failure: ";

/// A connection to an API server.
pub struct LiveCluster {
    runtime: Runtime,
    client: Client,
    patience: Duration,
    resources: Mutex<BTreeMap<(String, String), ApiResource>>,
}

/// Why there is no connection.
#[derive(Debug)]
pub enum LiveError {
    /// The kubeconfig cannot be used.
    Kubeconfig {
        /// As given, if it was.
        file: Option<String>,
        /// Why not.
        source: KubeconfigError,
    },
    /// The client cannot be made of it.
    Client(kube::Error),
    /// The system gives no event loop.
    Runtime(std::io::Error),
}

impl fmt::Display for LiveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kubeconfig { file, source } => {
                // Behind the first line stands a picture of the text.
                let source = source.to_string();
                let source = source.lines().next().unwrap_or_default();
                match file {
                    Some(file) => write!(f, "kubeconfig `{file}`: {source}")?,
                    None => write!(f, "kubeconfig: {source}")?,
                }
                f.write_str("; `oc config get-contexts` lists what there is")
            }
            Self::Client(error) => write!(f, "cannot connect as the kubeconfig says: {error}"),
            Self::Runtime(error) => write!(f, "cannot start an event loop: {error}"),
        }
    }
}

impl std::error::Error for LiveError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Kubeconfig { source, .. } => Some(source),
            Self::Client(error) => Some(error),
            Self::Runtime(error) => Some(error),
        }
    }
}

impl LiveCluster {
    /// Prepares a connection; without a file, the kubeconfig that `oc` would take.
    ///
    /// # Errors
    ///
    /// If the kubeconfig or the context in it cannot be used.
    pub fn connect(kubeconfig: Option<&Path>, context: Option<String>) -> Result<Self, LiveError> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(LiveError::Runtime)?;
        let misfit = |source| LiveError::Kubeconfig {
            file: kubeconfig.map(|file| file.display().to_string()),
            source,
        };
        let options = KubeConfigOptions {
            context,
            ..KubeConfigOptions::default()
        };
        let config = runtime.block_on(async {
            match kubeconfig {
                Some(file) => {
                    let kubeconfig = Kubeconfig::read_from(file)?;
                    Config::from_custom_kubeconfig(kubeconfig, &options).await
                }
                None => Config::from_kubeconfig(&options).await,
            }
        });
        Self::new(runtime, config.map_err(misfit)?, PATIENCE)
    }

    fn new(runtime: Runtime, mut config: Config, patience: Duration) -> Result<Self, LiveError> {
        config.connect_timeout = Some(patience);
        let client = {
            let _entered = runtime.enter();
            Client::try_from(config).map_err(LiveError::Client)?
        };
        Ok(Self {
            runtime,
            client,
            patience,
            resources: Mutex::default(),
        })
    }

    async fn get(&self, read: &Read) -> Result<Value, ClusterError> {
        let resource = self.resource(read).await?;
        let namespace = read.namespace.as_deref();
        let url = DynamicObject::url_path(&resource, namespace);
        let request = Request::new(url)
            .get(&read.name, &GetParams::default())
            .map_err(|error| failed(&error.to_string()))?;
        match self.client.request::<Value>(request).await {
            Ok(object) => Ok(object),
            Err(kube::Error::Api(status)) if status.code == 404 => Err(ClusterError::NotFound),
            Err(error) => Err(failed(&said(&error))),
        }
    }

    /// Asks the server how the kind is called in URLs.
    async fn resource(&self, read: &Read) -> Result<ApiResource, ClusterError> {
        let key = (read.api_version.clone(), read.kind.clone());
        let known = self.known().get(&key).cloned();
        if let Some(resource) = known {
            return Ok(resource);
        }
        let (group, version) = read
            .api_version
            .split_once('/')
            .unwrap_or(("", &read.api_version));
        let kind = GroupVersionKind::gvk(group, version, &read.kind);
        let (resource, _) = kube::discovery::pinned_kind(&self.client, &kind)
            .await
            .map_err(|error| {
                failed(&format!(
                    "error finding resource {} / {}: {}",
                    read.api_version,
                    read.kind,
                    said(&error)
                ))
            })?;
        self.known().insert(key, resource.clone());
        Ok(resource)
    }

    fn known(&self) -> std::sync::MutexGuard<'_, BTreeMap<(String, String), ApiResource>> {
        self.resources
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl Cluster for LiveCluster {
    fn get_resource(&self, read: &Read) -> Result<Value, ClusterError> {
        self.runtime.block_on(async {
            match tokio::time::timeout(self.patience, self.get(read)).await {
                Ok(answer) => answer,
                Err(_) => Err(failed(&format!(
                    "no answer within {} seconds",
                    self.patience.as_secs_f32()
                ))),
            }
        })
    }
}

fn failed(text: &str) -> ClusterError {
    ClusterError::Failed(format!("{PREFIX}{text}"))
}

/// An error of the client in words, its causes included.
fn said(error: &kube::Error) -> String {
    if let kube::Error::Api(status) = error {
        return format!("{} (HTTP {})", status.message.trim(), status.code);
    }
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        let more = error.to_string();
        if !text.contains(&more) {
            text = format!("{text}: {more}");
        }
        cause = error.source();
    }
    text
}

#[cfg(test)]
mod tests;
