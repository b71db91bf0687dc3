//! Reading a document as a type and writing it again, nothing lost.

use std::fmt;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Why a document does not fit a type.
#[derive(Debug)]
pub enum Misfit {
    /// It cannot be read as the type.
    Unreadable(serde_json::Error),
    /// It cannot be written again.
    Unwritable(serde_json::Error),
    /// JSON pointers to what is missing or different after reading and writing.
    Lost(Vec<String>),
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(error) | Self::Unwritable(error) => error.fmt(f),
            Self::Lost(pointers) => write!(f, "lost {}", pointers.join(", ")),
        }
    }
}

impl std::error::Error for Misfit {}

/// Reads `document` as a `T`; everything that it holds must be there when it is written again.
///
/// # Errors
///
/// [`Misfit`]: a wrong type, an unknown key where the type refuses them, a key that the type drops.
pub fn round_trip<T: DeserializeOwned + Serialize>(document: &Value) -> Result<T, Misfit> {
    let typed: T = serde_json::from_value(document.clone()).map_err(Misfit::Unreadable)?;
    let written = serde_json::to_value(&typed).map_err(Misfit::Unwritable)?;
    let mut lost = Vec::new();
    find_lost(document, &written, "", &mut lost);
    if lost.is_empty() {
        Ok(typed)
    } else {
        Err(Misfit::Lost(lost))
    }
}

fn find_lost(document: &Value, written: &Value, pointer: &str, lost: &mut Vec<String>) {
    match (document, written) {
        (Value::Object(members), Value::Object(kept)) => {
            for (key, value) in members {
                let pointer = format!("{pointer}/{key}");
                match kept.get(key) {
                    Some(kept) => find_lost(value, kept, &pointer, lost),
                    None => lost.push(pointer),
                }
            }
        }
        (Value::Array(items), Value::Array(kept)) if items.len() == kept.len() => {
            for (index, (item, kept)) in items.iter().zip(kept).enumerate() {
                find_lost(item, kept, &format!("{pointer}/{index}"), lost);
            }
        }
        (document, written) if document == written => {}
        _ => lost.push(pointer.to_owned()),
    }
}
