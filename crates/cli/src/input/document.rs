//! Files of JSON or YAML documents, each as JSON text.

use std::io::{IsTerminal as _, Read as _};
use std::path::Path;
use std::rc::Rc;

use serde_json::value::RawValue;

use super::error::{InputError, unusable};
use super::place::Place;
use crate::tree::Tree;
use crate::yaml;

/// One document.
#[derive(Clone, Debug)]
pub struct Document {
    /// Where it starts.
    pub place: Place,
    /// Its text: as it stands in the file if that is JSON, else its translation.
    pub json: String,
    /// Whether lines of `json` are lines of the file.
    pub verbatim: bool,
}

impl Document {
    /// Reads every document of a file, or of standard input for `-`.
    ///
    /// # Errors
    ///
    /// A file that cannot be read, is neither JSON nor YAML, or holds no document.
    pub fn read(path: &Path) -> Result<Vec<Self>, InputError> {
        let (file, text) = if path == Path::new("-") {
            ("standard input".to_owned(), read_stdin()?)
        } else {
            let file = path.display().to_string();
            let text = std::fs::read_to_string(path);
            let text = text.map_err(|source| InputError::Unreadable {
                file: file.clone(),
                source,
            })?;
            (file, text)
        };
        let documents = parse(&file, &text)?;
        if documents.is_empty() {
            return Err(InputError::Empty { file });
        }
        Ok(documents)
    }

    /// The place of a JSON error in the document's text, and its message without that place.
    pub fn blame(&self, error: &serde_json::Error) -> (Place, String) {
        blame(&self.place, self.verbatim, error)
    }
}

/// The place of a JSON error in a text that starts at `place`, and its message without it.
pub fn blame(place: &Place, verbatim: bool, error: &serde_json::Error) -> (Place, String) {
    let text = error.to_string();
    let suffix = format!(" at line {} column {}", error.line(), error.column());
    let message = text.strip_suffix(&suffix).unwrap_or(&text).to_owned();
    let lines = if verbatim {
        error.line().saturating_sub(1)
    } else {
        0
    };
    (place.down(lines), message)
}

/// A JSON error as bad input.
pub fn misfit(place: &Place, verbatim: bool, error: &serde_json::Error) -> InputError {
    let (place, message) = blame(place, verbatim, error);
    unusable(&place, &message)
}

fn read_stdin() -> Result<String, InputError> {
    let mut stdin = std::io::stdin().lock();
    if stdin.is_terminal() {
        return Err(InputError::NoInput);
    }
    let mut text = String::new();
    match stdin.read_to_string(&mut text) {
        Ok(_) => Ok(text),
        Err(source) => Err(InputError::Unreadable {
            file: "standard input".to_owned(),
            source,
        }),
    }
}

/// The documents in `text`, which is JSON if it starts like it and can be read so, else YAML.
pub fn parse(file: &str, text: &str) -> Result<Vec<Document>, InputError> {
    let file: Rc<str> = file.into();
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if !text.trim_start().starts_with(['{', '[']) {
        return parse_yaml(&file, text);
    }
    match parse_json(&file, text) {
        // Flow style and JSON documents between `---` are YAML; the better message is JSON's.
        Err(error) if !file.ends_with(".json") => parse_yaml(&file, text).map_err(|_| error),
        documents => documents,
    }
}

fn parse_json(file: &Rc<str>, text: &str) -> Result<Vec<Document>, InputError> {
    let mut documents = Vec::new();
    let mut stream = serde_json::Deserializer::from_str(text).into_iter::<&RawValue>();
    while let Some(document) = stream.next() {
        match document {
            Ok(document) => {
                let json = document.get();
                let start = stream.byte_offset() - json.len();
                documents.push(Document {
                    place: Place {
                        file: Rc::clone(file),
                        line: line_at(text, start),
                        path: String::new(),
                    },
                    json: json.to_owned(),
                    verbatim: true,
                });
            }
            Err(error) => {
                let place = Place {
                    file: Rc::clone(file),
                    line: 1,
                    path: String::new(),
                };
                let (place, message) = blame(&place, true, &error);
                return Err(InputError::Syntax {
                    place,
                    column: error.column(),
                    format: "JSON",
                    message,
                });
            }
        }
    }
    Ok(documents)
}

fn parse_yaml(file: &Rc<str>, text: &str) -> Result<Vec<Document>, InputError> {
    let place = |line| Place {
        file: Rc::clone(file),
        line,
        path: String::new(),
    };
    let trees: Vec<(usize, Tree)> = yaml::documents(text).map_err(|error| InputError::Syntax {
        place: place(error.line),
        column: error.column,
        format: "YAML",
        message: error.message,
    })?;
    trees
        .into_iter()
        .map(|(line, tree)| match serde_json::to_string(&tree) {
            Ok(json) => Ok(Document {
                place: place(line),
                json,
                verbatim: false,
            }),
            Err(error) => Err(InputError::Unusable {
                place: place(line),
                message: error.to_string(),
            }),
        })
        .collect()
}

/// The line, from 1, of the byte at `offset`.
pub fn line_at(text: &str, offset: usize) -> usize {
    let before = text.as_bytes().iter().take(offset);
    before.filter(|byte| **byte == b'\n').count() + 1
}
