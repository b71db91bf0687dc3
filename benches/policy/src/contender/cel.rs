//! The simple rule in CEL, interpreted by the crate `cel` in this process.
//!
//! CEL as Kubernetes has it makes a `JSONPatch{…}`; the crate knows no such type, and neither has a
//! way to the position of an element, so that the rule returns maps of names.

use std::sync::Arc;

use cel::{Context, Env, Program};
use serde_json::Value;

use super::{Answer, Contender, Decide};
use crate::Error;
use crate::inputs::Input;

/// A variable of its own, as in a `MutatingAdmissionPolicy`: evaluated once, not for each tag.
const EXISTING: &str = "
has(request.oldObject) && has(request.oldObject.spec.tags)
    ? request.oldObject.spec.tags.map(tag, tag.name)
    : []";

const SIMPLE: &str = "
settings.payloadArchitecture != 'Multi' || request.kind.group != 'image.openshift.io'
    ? []
    : request.kind.kind == 'ImageStream' && request.operation in ['CREATE', 'UPDATE']
    ? request.object.spec.tags
        .filter(tag, !(tag.name in existing)
            && !(has(tag.importPolicy.importMode) && tag.importPolicy.importMode == 'PreserveOriginal'))
        .map(tag, {'name': tag.name, 'importMode': 'PreserveOriginal'})
    : request.kind.kind == 'ImageStreamImport' && request.operation == 'CREATE'
    ? request.object.spec.images
        .filter(image, !(has(image.importPolicy.importMode)
            && image.importPolicy.importMode == 'PreserveOriginal'))
        .map(image, {'name': image.to.name, 'importMode': 'PreserveOriginal'})
    : []";

/// The two programs.
pub struct Cel {
    env: Arc<Env>,
    existing: Program,
    simple: Program,
}

impl Cel {
    /// Compiles them.
    ///
    /// # Errors
    ///
    /// If they are not CEL.
    pub fn new() -> Result<Self, Error> {
        let env = Arc::new(Env::stdlib());
        Ok(Self {
            existing: env.compile(EXISTING)?,
            simple: env.compile(SIMPLE)?,
            env,
        })
    }

    fn decide(&self, payload: &[u8]) -> Result<String, Error> {
        let payload: Value = serde_json::from_slice(payload)?;
        let mut context = Context::with_env(Arc::clone(&self.env));
        context.add_variable("settings", payload.get("settings"))?;
        context.add_variable("request", payload.get("request"))?;
        let existing = self.existing.execute(&context)?;
        context.add_variable_from_value("existing", existing);
        let slots = self.simple.execute(&context)?;
        let slots = slots.json().map_err(|error| error.to_string())?;
        Ok(slots.to_string())
    }
}

impl Contender for Cel {
    fn prepare<'a>(&'a self, input: &'a Input) -> Decide<'a> {
        Box::new(|| Ok(Answer::Slots(self.decide(&input.payload)?)))
    }
}
