//! The policy as an OPA module.

use imagestream_import_mode_host::OpaPolicy;

use super::{Answer, Contender, Cost, Decide};
use crate::Error;
use crate::inputs::{Input, settings};

/// Size of a page of linear memory, in bytes.
const PAGE: u64 = 64 << 10;

/// An OPA module; its objects are given to it before it is asked.
pub struct Opa(OpaPolicy);

impl Opa {
    /// Compiles it.
    ///
    /// # Errors
    ///
    /// If it is no WebAssembly module.
    pub fn new(module: &[u8]) -> Result<Self, Error> {
        Ok(Self(OpaPolicy::new(module)?))
    }
}

/// The `data` and `input` documents.
fn documents(input: &Input) -> (String, String) {
    (
        OpaPolicy::data(&input.request, &settings(), &input.cluster).to_string(),
        format!(r#"{{"request":{}}}"#, input.request.text()),
    )
}

impl Contender for Opa {
    fn prepare<'a>(&'a self, input: &'a Input) -> Decide<'a> {
        let (data, input) = documents(input);
        Box::new(move || {
            let mut instance = self.0.instance()?;
            let result = instance.evaluate(data.as_bytes(), input.as_bytes())?;
            Ok(Answer::Patch(OpaPolicy::response(&result)?.json_patch()?))
        })
    }

    fn cost(&self, input: &Input) -> Result<Cost, Error> {
        let (data, input) = documents(input);
        let mut instance = self.0.instance()?;
        instance.evaluate(data.as_bytes(), input.as_bytes())?;
        Ok(Cost {
            peak_memory_bytes: Some(usize::try_from(instance.pages() * PAGE)?),
            ..Cost::default()
        })
    }
}
