//! waPC modules, in wasmtime-provider for time and in a counting host for the rest.

use std::sync::Arc;

use imagestream_import_mode_host::{Cluster, MeteredPolicy, WapcPolicy};

use super::{Answer, Contender, Cost, Decide};
use crate::Error;
use crate::inputs::Input;

/// A waPC module.
pub struct Wapc {
    module: Vec<u8>,
    policy: WapcPolicy,
}

impl Wapc {
    /// Compiles it.
    ///
    /// # Errors
    ///
    /// If it is no waPC module.
    pub fn new(module: &[u8]) -> Result<Self, Error> {
        Ok(Self {
            module: module.to_vec(),
            policy: WapcPolicy::new(module)?,
        })
    }
}

impl Contender for Wapc {
    fn prepare<'a>(&'a self, input: &'a Input) -> Decide<'a> {
        let cluster: Arc<dyn Cluster> = Arc::new(input.cluster.clone());
        Box::new(move || {
            let call = self
                .policy
                .call("validate", &input.payload, Arc::clone(&cluster))?;
            Ok(Answer::Response(call.answer?))
        })
    }

    fn cost(&self, input: &Input) -> Result<Cost, Error> {
        let cluster = Arc::new(input.cluster.clone());
        let policy = MeteredPolicy::new(&self.module)?;
        let call = policy.call("validate", &input.payload, cluster)?;
        call.answer?;
        Ok(Cost {
            fuel: Some(call.fuel),
            peak_memory_bytes: Some(call.peak_memory_bytes),
            written_pages: Some(call.written_pages),
        })
    }
}
