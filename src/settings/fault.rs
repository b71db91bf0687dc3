//! What is wrong with settings, in words that an administrator can act on.

use std::collections::BTreeSet;
use std::fmt;

use super::KEYS;
use crate::json::Json;
use crate::text;

/// Longest value that a fault quotes, in characters.
const LONGEST_VALUE: usize = 60;

/// Every fault of the settings; displayed as one message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsError {
    faults: Vec<SettingsFault>,
}

impl SettingsError {
    /// The faults, unknown keys first.
    #[must_use]
    pub fn faults(&self) -> &[SettingsFault] {
        &self.faults
    }
}

impl From<Vec<SettingsFault>> for SettingsError {
    fn from(faults: Vec<SettingsFault>) -> Self {
        Self { faults }
    }
}

impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("invalid settings: ")?;
        for (index, fault) in self.faults.iter().enumerate() {
            let separator = if index == 0 { "" } else { "; " };
            write!(f, "{separator}{fault}")?;
        }
        Ok(())
    }
}

impl std::error::Error for SettingsError {}

/// One fault; displayed as a sentence without a full stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsFault {
    /// The key; empty where the settings as a whole are at fault.
    pub key: String,
    /// What is wrong and what would be right.
    pub message: String,
}

impl fmt::Display for SettingsFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl SettingsFault {
    fn new(key: &str, message: String) -> Self {
        Self {
            key: key.to_owned(),
            message,
        }
    }

    pub(super) fn not_json() -> Self {
        Self::new("", "the settings are not valid JSON".into())
    }

    pub(super) fn not_an_object(value: Json<'_>) -> Self {
        Self::new(
            "",
            format!("the settings are `{}`, not an object", quote(value.text())),
        )
    }

    pub(super) fn not_a_choice(key: &str, value: Json<'_>, names: &[&str]) -> Self {
        let shown = value.as_str().unwrap_or_else(|| value.text().into());
        let hint = nearest(&shown, names)
            .map_or_else(String::new, |name| format!(" (did you mean `{name}`?)"));
        let kind = if value.is_string() { "the text " } else { "" };
        Self::new(
            key,
            format!(
                "`{key}` is {kind}`{}`, but must be {}{hint}",
                quote(&shown),
                alternatives(names),
            ),
        )
    }

    pub(super) fn not_a_list(key: &str, value: Json<'_>) -> Self {
        Self::new(
            key,
            format!(
                "`{key}` is `{}`, but must be a list of texts",
                quote(value.text())
            ),
        )
    }

    pub(super) fn no_way_to_know() -> Self {
        Self::new(
            "clusterContext",
            "`clusterContext` is `false`, so `payloadArchitecture` or `imageStreamImportMode` must be set".into(),
        )
    }
}

/// A fault for each key that is neither ours nor one of `foreign`.
pub(super) fn unknown_keys(settings: Json<'_>, foreign: &[&str]) -> Vec<SettingsFault> {
    let mut faults: Vec<SettingsFault> = Vec::new();
    let mut told = BTreeSet::new();
    for member in settings.members() {
        let key = member
            .key
            .as_str()
            .unwrap_or_else(|| member.key.text().into());
        let known = KEYS.contains(&&*key) || foreign.contains(&&*key);
        if known || told.contains(&key) {
            continue;
        }
        let hint = nearest(&key, &KEYS).map_or_else(
            || format!(", the keys are {}", alternatives(&KEYS)),
            |name| format!(", did you mean `{name}`?"),
        );
        let message = format!(
            "there is no setting `{}` (value `{}`){hint}",
            quote(&key),
            quote(member.value.text())
        );
        faults.push(SettingsFault::new(&key, message));
        told.insert(key);
    }
    faults
}

fn quote(text: &str) -> String {
    text::shown(text, LONGEST_VALUE)
}

fn alternatives(names: &[&str]) -> String {
    let quoted: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}

/// The name that a misspelling most likely meant: at most a third of it is wrong.
fn nearest<'a>(text: &str, names: &[&'a str]) -> Option<&'a str> {
    if text.len() > 2 * LONGEST_VALUE {
        return None;
    }
    let text = text.to_ascii_lowercase();
    names
        .iter()
        .map(|name| (edit_distance(&text, &name.to_ascii_lowercase()), *name))
        .filter(|(distance, name)| *distance <= name.len() / 3)
        .min()
        .map(|(_, name)| name)
}

/// Levenshtein distance in bytes.
fn edit_distance(left: &str, right: &str) -> usize {
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (done, a) in left.bytes().enumerate() {
        let mut diagonal = done;
        let mut before = done + 1;
        if let Some(first) = row.first_mut() {
            *first = before;
        }
        for (cell, b) in row.iter_mut().skip(1).zip(right.bytes()) {
            let substituted = diagonal + usize::from(a != b);
            diagonal = *cell;
            before = substituted.min(diagonal + 1).min(before + 1);
            *cell = before;
        }
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_counts_single_edits() {
        assert_eq!(edit_distance("kitten", "sitting"), 3);
        assert_eq!(edit_distance("", "abc"), 3);
        assert_eq!(edit_distance("abc", ""), 3);
    }
}
