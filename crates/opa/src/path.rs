//! Changing one place of a JSON document: how OPA hosts patch `data`.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;

/// Deepest path; recursion must fit into the stack.
const LONGEST_PATH: usize = 32;

/// Why a document cannot be changed, with the numbers of OPA's `opa_errc`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PathError {
    /// The document, the path or the value is not what it must be.
    InvalidType = 2,
    /// There is no such place, or none can be made.
    InvalidPath = 3,
}

type Object = BTreeMap<String, Box<RawValue>>;

/// `document` with `value` at `path`, a list of keys; without a value the place is removed.
///
/// Objects on the way are made where a value needs them.
pub(crate) fn patched(
    document: &[u8],
    path: &[u8],
    value: Option<&[u8]>,
) -> Result<String, PathError> {
    let path: Vec<String> = parse(path)?;
    let value = value.map(parse).transpose()?;
    if path.len() > LONGEST_PATH {
        return Err(PathError::InvalidPath);
    }
    at(parse(document)?, &path, value)
}

fn parse<'a, T: Deserialize<'a>>(text: &'a [u8]) -> Result<T, PathError> {
    serde_json::from_slice(text).map_err(|_| PathError::InvalidType)
}

fn at(
    mut object: Object,
    path: &[String],
    value: Option<Box<RawValue>>,
) -> Result<String, PathError> {
    let (key, rest) = path.split_first().ok_or(PathError::InvalidPath)?;
    let value = if rest.is_empty() {
        value
    } else {
        let inner = match object.get(key) {
            Some(inner) => serde_json::from_str(inner.get()).map_err(|_| PathError::InvalidPath)?,
            None if value.is_some() => Object::new(),
            None => return Err(PathError::InvalidPath),
        };
        let changed = RawValue::from_string(at(inner, rest, value)?);
        Some(changed.map_err(|_| PathError::InvalidType)?)
    };
    if let Some(value) = value {
        object.insert(key.clone(), value);
    } else if object.remove(key).is_none() {
        return Err(PathError::InvalidPath);
    }
    serde_json::to_string(&object).map_err(|_| PathError::InvalidType)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn becomes(document: &str, path: &str, value: Option<&str>, expected: Result<&str, PathError>) {
        let got = patched(
            document.as_bytes(),
            path.as_bytes(),
            value.map(str::as_bytes),
        );
        assert_eq!(got, expected.map(str::to_owned));
    }

    #[test]
    fn a_value_is_added_replaced_and_removed() {
        becomes(
            "{}",
            r#"["a","b"]"#,
            Some("[1e999]"),
            Ok(r#"{"a":{"b":[1e999]}}"#),
        );
        becomes(
            r#"{"a":1,"b":2}"#,
            r#"["a"]"#,
            Some("3"),
            Ok(r#"{"a":3,"b":2}"#),
        );
        becomes(
            r#"{"a":{"b":1,"c":2}}"#,
            r#"["a","b"]"#,
            None,
            Ok(r#"{"a":{"c":2}}"#),
        );
    }

    #[test]
    fn what_is_not_there_cannot_be_changed() {
        becomes("{}", "[]", Some("1"), Err(PathError::InvalidPath));
        becomes("{}", r#"["a"]"#, None, Err(PathError::InvalidPath));
        becomes("{}", r#"["a","b"]"#, None, Err(PathError::InvalidPath));
        becomes(
            r#"{"a":7}"#,
            r#"["a","b"]"#,
            Some("1"),
            Err(PathError::InvalidPath),
        );
        becomes("[]", r#"["a"]"#, Some("1"), Err(PathError::InvalidType));
        becomes("{}", "[7]", Some("1"), Err(PathError::InvalidType));
        becomes("{}", r#"["a"]"#, Some("{"), Err(PathError::InvalidType));
    }
}
