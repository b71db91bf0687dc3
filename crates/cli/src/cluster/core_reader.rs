//! The core's reads, answered by a host's cluster.

use std::cell::RefCell;

use imagestream_import_mode::{ClusterReader, ReadError, ResourceRef};
use imagestream_import_mode_host::{Cluster, ClusterError, Read};

/// Answers the core and writes down what it asked.
pub struct CoreReader<'c> {
    cluster: &'c dyn Cluster,
    reads: RefCell<Vec<ReadMade>>,
}

/// One read and its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadMade {
    /// `apiVersion/Kind[/namespace]/name`.
    pub key: String,
    /// Why there was no object, if there was none.
    pub error: Option<ClusterError>,
}

impl<'c> CoreReader<'c> {
    /// Reads from `cluster`.
    pub fn new(cluster: &'c dyn Cluster) -> Self {
        Self {
            cluster,
            reads: RefCell::default(),
        }
    }

    /// The reads so far, in order.
    pub fn into_reads(self) -> Vec<ReadMade> {
        self.reads.into_inner()
    }
}

impl ClusterReader for CoreReader<'_> {
    fn get_resource(&self, resource: &ResourceRef<'_>) -> Result<String, ReadError> {
        let read = Read {
            api_version: resource.api_version.to_owned(),
            kind: resource.kind.to_owned(),
            name: resource.name.to_owned(),
            namespace: resource.namespace.map(str::to_owned),
            disable_cache: resource.disable_cache,
            field_masks: None,
        };
        let answer = self.cluster.get_resource(&read);
        self.reads.borrow_mut().push(ReadMade {
            key: read.to_string(),
            error: answer.as_ref().err().cloned(),
        });
        match answer {
            Ok(object) => Ok(object.to_string()),
            Err(ClusterError::NotFound) => Err(ReadError::NotFound),
            Err(ClusterError::NoClient) => Err(ReadError::Failed("not initialised".to_owned())),
            Err(ClusterError::Failed(text)) => Err(ReadError::from_host_text(&text)),
        }
    }
}
