//! Objects from dumps: files, folders of a must-gather, standard input.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{BufReader, IsTerminal as _, Read};
use std::path::{Path, PathBuf};

use imagestream_import_mode::layers::{Found, ObjectError, ReadError, read, read_slice};
use indicatif::{ProgressBar, ProgressStyle};

use crate::Failure;
use crate::yaml;

/// The files that the user named, those of folders included, each with its size in bytes.
#[derive(Debug)]
pub struct Dumps {
    files: Vec<(PathBuf, u64)>,
}

/// Whether reading goes on behind something that cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strictness {
    /// An exact answer: the first fault is the end.
    Exact,
    /// A report: faults are counted.
    Report,
}

/// What a report had to leave out.
#[derive(Debug, Default)]
pub struct LeftOut {
    /// One line each, with the file.
    pub faults: Vec<String>,
    /// Objects of other kinds.
    pub others: usize,
}

impl Dumps {
    /// Finds the `.json`, `.yaml` and `.yml` files of folders; files are taken whatever their name.
    ///
    /// # Errors
    ///
    /// A path that cannot be read, a folder without such files.
    pub fn find(paths: &[PathBuf]) -> Result<Self, Failure> {
        let mut files = Vec::new();
        for path in paths {
            let found = files.len();
            if path == Path::new("-") {
                files.push((path.clone(), 0));
            } else {
                collect(path, true, &mut files)?;
            }
            if files.len() == found {
                let path = path.display();
                return Err(format!("`{path}` holds no .json, .yaml or .yml file").into());
            }
        }
        Ok(Self { files })
    }

    /// Hands every object to `take`, with a progress bar where standard error is a terminal.
    ///
    /// # Errors
    ///
    /// With [`Strictness::Exact`] the first fault; with [`Strictness::Report`] only a file that cannot
    /// be opened.
    pub fn read(
        &self,
        strictness: Strictness,
        mut take: impl FnMut(Found) -> Result<(), ObjectError>,
    ) -> Result<LeftOut, Failure> {
        let progress = progress(self.files.iter().map(|(_, size)| size).sum());
        let mut left_out = LeftOut::default();
        for (path, _) in &self.files {
            let name = path.display().to_string();
            let mut faults = Vec::new();
            let mut sort = |found| match found {
                Found::Faulty(error) if strictness == Strictness::Exact => Err(error),
                Found::Faulty(error) => {
                    faults.push(error.to_string());
                    Ok(())
                }
                Found::Other { .. } => {
                    left_out.others += 1;
                    Ok(())
                }
                found => take(found),
            };
            let ended = read_file(path, &progress, &mut sort)?;
            if let Err(reason) = ended {
                faults.push(reason);
            }
            if let (Strictness::Exact, Some(fault)) = (strictness, faults.first()) {
                return Err(format!("{name}: {fault}").into());
            }
            let faults = faults.iter().map(|fault| format!("{name}: {fault}"));
            left_out.faults.extend(faults);
        }
        progress.finish_and_clear();
        Ok(left_out)
    }
}

fn collect(path: &Path, named: bool, files: &mut Vec<(PathBuf, u64)>) -> Result<(), Failure> {
    let unreadable = |error| format!("cannot read `{}`: {error}", path.display());
    let metadata = path.metadata().map_err(unreadable)?;
    if metadata.is_dir() {
        let mut entries = Vec::new();
        for entry in path.read_dir().map_err(unreadable)? {
            entries.push(entry.map_err(unreadable)?.path());
        }
        entries.sort();
        for entry in entries {
            collect(&entry, false, files)?;
        }
    } else if named || is_yaml(path) || path.extension() == Some(OsStr::new("json")) {
        files.push((path.to_owned(), metadata.len()));
    }
    Ok(())
}

fn is_yaml(path: &Path) -> bool {
    let extension = path.extension();
    extension == Some(OsStr::new("yaml")) || extension == Some(OsStr::new("yml"))
}

/// The inner result says why the file's text ended early.
fn read_file(
    path: &Path,
    progress: &ProgressBar,
    take: &mut impl FnMut(Found) -> Result<(), ObjectError>,
) -> Result<Result<(), String>, Failure> {
    let reader: Box<dyn Read> = if path == Path::new("-") {
        Box::new(std::io::stdin().lock())
    } else {
        let file = File::open(path);
        Box::new(file.map_err(|error| format!("cannot read `{}`: {error}", path.display()))?)
    };
    let mut reader = progress.wrap_read(reader);
    if is_yaml(path) {
        let mut text = String::new();
        let read = reader.read_to_string(&mut text);
        return Ok(read
            .map_err(|error| error.to_string())
            .and_then(|_| read_yaml(&text, take)));
    }
    let mut json = serde_json::Deserializer::from_reader(BufReader::with_capacity(1 << 16, reader));
    Ok(read(&mut json, take)
        .map(drop)
        .map_err(|error| reason(&error)))
}

fn read_yaml(
    text: &str,
    take: &mut impl FnMut(Found) -> Result<(), ObjectError>,
) -> Result<(), String> {
    let documents = yaml::documents::<serde_json::Value>(text).map_err(|error| {
        format!(
            "not YAML at line {}, column {}: {}",
            error.line, error.column, error.message
        )
    })?;
    for (line, document) in documents {
        read_slice(document.to_string().as_bytes(), &mut *take)
            .map_err(|error| format!("document at line {line}: {}", reason(&error)))?;
    }
    Ok(())
}

fn reason(error: &ReadError) -> String {
    error.to_string()
}

fn progress(bytes: u64) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("reading {bar:40} {bytes} of {total_bytes}, {eta}");
    let bar = ProgressBar::new(bytes);
    match style {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
