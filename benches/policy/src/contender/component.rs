//! The policy as a component.

use std::sync::Arc;

use imagestream_import_mode_host::{Cluster, ComponentPolicy};

use super::{Answer, Contender, Decide};
use crate::Error;
use crate::inputs::{Input, settings};

/// A component of the world `policy`, asked for its JSON Patch.
pub struct Component(ComponentPolicy);

impl Component {
    /// Compiles it.
    ///
    /// # Errors
    ///
    /// If it is no such component.
    pub fn new(component: &[u8]) -> Result<Self, Error> {
        Ok(Self(ComponentPolicy::new(component)?))
    }
}

impl Contender for Component {
    fn prepare<'a>(&'a self, input: &'a Input) -> Decide<'a> {
        let cluster: Arc<dyn Cluster> = Arc::new(input.cluster.clone());
        let settings = settings().to_string();
        Box::new(move || {
            let cluster = Arc::clone(&cluster);
            let patch = self
                .0
                .json_patch(input.request.text(), &settings, cluster)?;
            Ok(Answer::Patch(patch))
        })
    }
}
