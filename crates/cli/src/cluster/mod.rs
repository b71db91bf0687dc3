//! The cluster that the policy may ask: objects from files, a live one, or none.

mod core_reader;
mod files;
mod live;
mod memo;

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use imagestream_import_mode_host::{Cluster, ClusterError, NoCluster, Read};

use crate::input::InputError;

pub use core_reader::{CoreReader, ReadMade};
pub use live::LiveError;
pub use memo::Memo;

/// Who answers the policy's reads.
#[derive(Args, Debug)]
pub struct ClusterArgs {
    /// The cluster's objects from files, as `oc get -o yaml` or must-gather write them
    #[arg(long, value_name = "DIR|FILE", conflicts_with_all = ["kubeconfig", "context"])]
    cluster: Option<PathBuf>,

    /// Read the cluster's objects live, with this kubeconfig
    #[arg(long, value_name = "FILE")]
    kubeconfig: Option<PathBuf>,

    /// Read the cluster's objects live, in this context of the kubeconfig
    #[arg(long, value_name = "NAME")]
    context: Option<String>,
}

/// A cluster, and whether there is one.
pub struct Source {
    /// What answers, each question once.
    pub cluster: Arc<Memo>,
    /// Whether anything was given to answer from.
    pub given: bool,
}

/// Why a cluster cannot be asked.
#[derive(Debug)]
pub enum SourceError {
    /// A file of objects cannot be used.
    Files(InputError),
    /// There is no connection.
    Live(LiveError),
}

impl std::fmt::Display for SourceError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Files(error) => error.fmt(f),
            Self::Live(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SourceError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Files(error) => error.source(),
            Self::Live(error) => error.source(),
        }
    }
}

impl ClusterArgs {
    /// Opens the cluster; nothing is read yet from a live one.
    ///
    /// # Errors
    ///
    /// Files that cannot be used, a kubeconfig that cannot be read.
    pub fn open(&self) -> Result<Source, SourceError> {
        let live = self.kubeconfig.is_some() || self.context.is_some();
        let cluster: Arc<dyn Cluster> = match &self.cluster {
            Some(path) => Arc::new(files::read(path).map_err(SourceError::Files)?),
            None if live => {
                let (kubeconfig, context) = (self.kubeconfig.as_deref(), self.context.clone());
                Arc::new(
                    live::LiveCluster::connect(kubeconfig, context).map_err(SourceError::Live)?,
                )
            }
            None => Arc::new(NoCluster),
        };
        Ok(Source {
            cluster: Arc::new(Memo::new(cluster)),
            given: live || self.cluster.is_some(),
        })
    }
}

/// A cluster in which one read is refused.
pub struct Refusing {
    /// What answers everything else.
    pub cluster: Arc<Memo>,
    /// `apiVersion/Kind[/namespace]/name` of the refused object.
    pub refused: String,
}

impl Cluster for Refusing {
    fn get_resource(&self, read: &Read) -> Result<serde_json::Value, ClusterError> {
        if read.to_string() == self.refused {
            Err(ClusterError::Failed("refused".to_owned()))
        } else {
            self.cluster.get_resource(read)
        }
    }
}
