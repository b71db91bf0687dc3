//! What is measured.

mod cel;
mod component;
mod opa;
mod rego;
mod wapc;

use imagestream_import_mode_host::Request;
use serde_json::Value;

use crate::Error;
use crate::inputs::Input;

pub use self::cel::Cel;
pub use component::Component;
pub use opa::Opa;
pub use rego::Rego;
pub use wapc::Wapc;

/// One decision, ready to be made any number of times.
pub type Decide<'a> = Box<dyn Fn() -> Result<Answer, Error> + 'a>;

/// One way to decide requests.
pub trait Contender {
    /// Makes the documents that its host has ready; only what is returned is timed.
    fn prepare<'a>(&'a self, input: &'a Input) -> Decide<'a>;

    /// What the decision costs beside time, where that can be counted.
    ///
    /// # Errors
    ///
    /// If it cannot be made.
    fn cost(&self, _input: &Input) -> Result<Cost, Error> {
        Ok(Cost::default())
    }
}

/// What does not depend on the machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cost {
    /// About one unit per WebAssembly instruction.
    pub fuel: Option<u64>,
    /// Size of the linear memory at the end.
    pub peak_memory_bytes: Option<usize>,
    /// Pages of 4 KiB that the call writes; the host has a page fault for each.
    pub written_pages: Option<usize>,
}

/// An answer as it comes.
pub enum Answer {
    /// Of a waPC policy: `{"accepted": …, "mutated_object": …}`.
    Response(Vec<u8>),
    /// Of a policy that returns a JSON Patch.
    Patch(Option<String>),
    /// The names of the slots that are set, `[{"name": …, "importMode": …}]`.
    Slots(String),
}

impl Answer {
    /// The object as the API server would go on with it.
    ///
    /// # Errors
    ///
    /// If the answer is no answer, a rejection, or does not fit the object.
    pub fn object(&self, request: &Request) -> Result<Value, Error> {
        let mut object = request.object().cloned().unwrap_or_default();
        match self {
            Self::Response(response) => {
                let mut response: Value = serde_json::from_slice(response)?;
                if response.get("accepted") != Some(&Value::Bool(true)) {
                    return Err(format!("not accepted: {response}").into());
                }
                let mutated = response.get_mut("mutated_object");
                if let Some(mutated) = mutated.filter(|mutated| !mutated.is_null()) {
                    object = mutated.take();
                }
            }
            Self::Patch(None) => {}
            Self::Patch(Some(patch)) => {
                let patch: json_patch::Patch = serde_json::from_str(patch)?;
                json_patch::patch(&mut object, &patch)?;
            }
            Self::Slots(slots) => {
                for slot in serde_json::from_str::<Vec<Value>>(slots)? {
                    set_named(&mut object, &slot);
                }
            }
        }
        Ok(object)
    }
}

/// What a host would have to do for a language without positions.
fn set_named(object: &mut Value, slot: &Value) {
    let lists = [("/spec/tags", "/name"), ("/spec/images", "/to/name")];
    for (list, name) in lists {
        let tags = object.pointer_mut(list).and_then(Value::as_array_mut);
        for tag in tags.into_iter().flatten() {
            let is_it = tag.pointer(name) == slot.get("name");
            let policy = tag.get_mut("importPolicy").filter(|_| is_it);
            if let Some(policy) = policy.and_then(Value::as_object_mut) {
                let mode = slot.get("importMode").cloned();
                policy.insert("importMode".to_owned(), mode.unwrap_or_default());
            }
        }
    }
}
