//! The simple rule in Rego, interpreted by regorus in this process.

use regorus::{CompiledPolicy, Engine, Value};

use super::{Answer, Contender, Decide};
use crate::Error;
use crate::inputs::Input;

/// `simple.rego`, compiled.
pub struct Rego(CompiledPolicy);

impl Rego {
    /// Compiles it.
    ///
    /// # Errors
    ///
    /// If it is not Rego.
    pub fn new() -> Result<Self, Error> {
        let mut engine = Engine::new();
        let source = include_str!("../simple.rego");
        engine.add_policy("simple.rego".to_owned(), source.to_owned())?;
        let rule = "data.imagestreams.patch".into();
        Ok(Self(engine.compile_with_entrypoint(&rule)?))
    }
}

impl Contender for Rego {
    fn prepare<'a>(&'a self, input: &'a Input) -> Decide<'a> {
        Box::new(|| {
            let payload = std::str::from_utf8(&input.payload)?;
            let patch = self.0.eval_with_input(Value::from_json_str(payload)?)?;
            Ok(Answer::Patch(match patch {
                Value::Undefined => None,
                patch => Some(patch.to_json_str()?),
            }))
        })
    }
}
