//! A compiled component of the world `policy`, and the cluster that it imports.

use std::sync::Arc;

use imagestream_import_mode::ReadError;
use wasmtime::component::{Component as Compiled, HasSelf, Linker};
use wasmtime::{Engine, Store};

use crate::calls::{Capabilities, Read};
use crate::cluster::Cluster;
use crate::detect::ModuleKind;
use crate::door::HostError;
use crate::engine;

use bindings::imagestream_import_mode::policy::cluster::{self, ClusterError};

/// Generated from `wit/`.
pub(crate) mod bindings {
    #![allow(
        missing_docs,
        reason = "generated code; the WIT files hold the documentation"
    )]

    wasmtime::component::bindgen!({ path: "../../wit", world: "policy" });
}

/// A compiled component.
pub(crate) struct Component {
    engine: Engine,
    pre: bindings::PolicyPre<Host>,
}

/// What stands behind one instance.
pub(crate) struct Host {
    pub(crate) capabilities: Capabilities,
}

impl cluster::Host for Host {
    fn get_resource(
        &mut self,
        api_version: String,
        kind: String,
        namespace: Option<String>,
        name: String,
        field_masks: Vec<String>,
    ) -> Result<Option<String>, ClusterError> {
        let read = Read {
            // The world allows a cache for the cluster's configuration only.
            disable_cache: !api_version.starts_with("config.openshift.io/"),
            api_version,
            kind,
            name,
            namespace,
            field_masks: Some(field_masks),
        };
        match self.capabilities.get_resource(read) {
            Ok(object) => Ok(Some(object)),
            Err(text) => match ReadError::from_host_text(&text) {
                ReadError::NotFound => Ok(None),
                ReadError::Failed(text) if text.contains("forbidden") => {
                    Err(ClusterError::Refused(text))
                }
                ReadError::Failed(text) => Err(ClusterError::Unavailable(text)),
            },
        }
    }
}

impl Component {
    pub(crate) fn new(component: &[u8]) -> Result<Self, HostError> {
        let refused = |error: wasmtime::Error| HostError::Runtime {
            kind: ModuleKind::Component,
            why: format!("{error:#}"),
        };
        let engine = engine::ticking().map_err(refused)?;
        let component = Compiled::new(&engine, component).map_err(refused)?;
        let mut linker = Linker::new(&engine);
        bindings::Policy::add_to_linker::<_, HasSelf<_>>(&mut linker, |host: &mut Host| host)
            .map_err(refused)?;
        let pre = linker.instantiate_pre(&component).map_err(refused)?;
        let pre = bindings::PolicyPre::new(pre).map_err(refused)?;
        Ok(Self { engine, pre })
    }

    /// A fresh instance, whose first call may take as long as policy-server lets it.
    pub(crate) fn instantiate(
        &self,
        cluster: Arc<dyn Cluster>,
    ) -> Result<(bindings::Policy, Store<Host>), HostError> {
        let capabilities = Capabilities::new(cluster);
        let mut store = Store::new(&self.engine, Host { capabilities });
        store.set_epoch_deadline(engine::DEADLINE);
        let policy = self
            .pre
            .instantiate(&mut store)
            .map_err(|error| HostError::Start(format!("{error:#}")))?;
        Ok((policy, store))
    }
}
