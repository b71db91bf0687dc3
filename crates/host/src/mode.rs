//! Writing one mode into a parsed object.

use serde_json::{Map, Value};

/// Sets the mode at `<slot>/importPolicy/importMode`; the policy object is made if there is none.
pub(crate) fn set(object: &mut Value, pointer: &str, mode: &str) -> Option<()> {
    let slot = pointer.strip_suffix("/importPolicy/importMode")?;
    let slot = object.pointer_mut(slot)?.as_object_mut()?;
    let policy = slot.entry("importPolicy").or_insert(Value::Null);
    if policy.is_null() {
        *policy = Value::Object(Map::new());
    }
    policy
        .as_object_mut()?
        .insert("importMode".to_owned(), mode.into());
    Some(())
}
