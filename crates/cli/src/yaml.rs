//! Reading YAML, and what to say where it cannot be read.

use serde::de::DeserializeOwned;
use serde_saphyr::{Error, UserMessageFormatter};

/// Where and why a text is not the YAML that it should be.
#[derive(Debug)]
pub struct YamlError {
    /// From 1.
    pub line: usize,
    /// In characters, from 1.
    pub column: usize,
    /// What is wrong there, on one line.
    pub message: String,
}

impl From<Error> for YamlError {
    fn from(error: Error) -> Self {
        let rendered = error.render_with_formatter(&UserMessageFormatter);
        let Some(location) = error.location() else {
            return Self {
                line: 1,
                column: 1,
                message: one_line(&rendered),
            };
        };
        let (line, column) = (location.line(), location.column());
        let place = format!(" at line {line}, column {column}");
        let message = rendered.strip_suffix(&place).unwrap_or(&rendered);
        Self {
            line: number(line),
            column: number(column),
            message: one_line(message),
        }
    }
}

/// Every document of a stream with the line where it starts; empty ones are left out.
pub fn documents<T: DeserializeOwned>(text: &str) -> Result<Vec<(usize, T)>, YamlError> {
    let options = serde_saphyr::options! {
        // An export of a whole cluster is one document.
        budget: serde_saphyr::budget! { max_events: 50_000_000, max_nodes: 50_000_000 },
        with_snippet: false,
    };
    let documents: Vec<serde_saphyr::Spanned<T>> =
        serde_saphyr::from_multiple_with_options(text, options)?;
    Ok(documents
        .into_iter()
        .map(|document| (number(document.referenced.line()), document.value))
        .collect())
}

/// The only document.
pub fn document<T: DeserializeOwned>(text: &str) -> Result<T, YamlError> {
    let options = serde_saphyr::options! { with_snippet: false };
    Ok(serde_saphyr::from_str_with_options(text, options)?)
}

fn number(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX).max(1)
}

fn one_line(message: &str) -> String {
    let lines: Vec<_> = message.lines().map(str::trim).collect();
    lines.join(" ").trim().to_owned()
}
