//! `annotate`: a module with its metadata inside, as `kwctl annotate` makes one.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use imagestream_import_mode_host::{HostError, NoCluster, WapcPolicy};
use wasm_encoder::{CustomSection, Section as _};
use wasmparser::{Parser, Payload};

use crate::metadata::{Metadata, SECTION};
use crate::{Failure, Verdict, report, yaml};

/// Text of the module's answer to `protocol_version` that Kubewarden takes.
const PROTOCOL_VERSION: &str = "v1";

/// The first bytes of WebAssembly.
const WASM: &[u8] = b"\0asm";

/// Annotation that holds the text of `--usage`.
const USAGE: &str = "io.kubewarden.policy.usage";

/// Write a module that carries its metadata, for `kwctl run` and `kwctl push`
#[derive(Args, Debug)]
pub struct AnnotateArgs {
    /// The module as it was built
    #[arg(value_name = "MODULE")]
    module: PathBuf,

    /// The metadata in YAML
    #[arg(
        short,
        long,
        value_name = "FILE",
        default_value = "policy-metadata.yml"
    )]
    metadata: PathBuf,

    /// A text to show as the policy's usage, such as README.md
    #[arg(short, long, value_name = "FILE")]
    usage: Option<PathBuf>,

    /// Where to write
    #[arg(
        short,
        long,
        value_name = "FILE",
        default_value = "annotated-policy.wasm"
    )]
    output: PathBuf,
}

/// Why a module cannot be annotated.
#[derive(Debug)]
pub enum AnnotateError {
    /// A file cannot be read or written.
    File(&'static str, PathBuf, std::io::Error),
    /// The metadata does not have its form.
    Metadata(String),
    /// A rule that matches nothing.
    EmptyList(PathBuf, String),
    /// Not a core module.
    NotAModule(PathBuf, String),
    /// Readers would take the metadata that is there already.
    Annotated(PathBuf),
    /// The module's protocol is not Kubewarden's.
    Protocol(PathBuf, String),
}

impl fmt::Display for AnnotateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(verb, path, error) => {
                write!(f, "cannot {verb} `{}`: {error}", path.display())
            }
            Self::Metadata(message) => f.write_str(message),
            Self::EmptyList(path, list) => write!(
                f,
                "`{}`: `{list}` is empty, but Kubewarden wants something in it",
                path.display()
            ),
            Self::NotAModule(path, why) => write!(
                f,
                "`{}` is not a waPC module: {why}; `make policy` builds one",
                path.display()
            ),
            Self::Annotated(path) => write!(
                f,
                "`{}` carries metadata already, and readers take the first; annotate the module as it was built",
                path.display()
            ),
            Self::Protocol(path, answer) => write!(
                f,
                "`{}` speaks protocol {answer}, but Kubewarden takes \"{PROTOCOL_VERSION}\" only",
                path.display()
            ),
        }
    }
}

impl std::error::Error for AnnotateError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::File(_, _, error) => Some(error),
            _ => None,
        }
    }
}

/// Reads, asks the module for its protocol, writes.
pub fn annotate(args: &AnnotateArgs) -> Result<Verdict, Failure> {
    let module = read(&args.module)?;
    let mut metadata = read_metadata(&args.metadata)?;
    if let Some(usage) = &args.usage {
        let usage = String::from_utf8(read(usage)?)?;
        let annotations = metadata.annotations.get_or_insert_default();
        annotations.insert(USAGE.to_owned(), usage);
    }
    check_unannotated(&args.module, &module)?;
    metadata.protocol_version = Some(protocol_version(&args.module, &module)?);
    let annotated = with_section(module, &serde_json::to_vec(&metadata)?);
    fs::write(&args.output, annotated)
        .map_err(|error| AnnotateError::File("write", args.output.clone(), error))?;
    report::note(&format!("wrote {}", args.output.display()));
    Ok(Verdict::Decided)
}

fn read(path: &Path) -> Result<Vec<u8>, AnnotateError> {
    fs::read(path).map_err(|error| AnnotateError::File("read", path.to_owned(), error))
}

/// Reads and checks a metadata file.
///
/// # Errors
///
/// If it cannot be read, or Kubewarden would refuse it.
pub fn read_metadata(path: &Path) -> Result<Metadata, AnnotateError> {
    let text = String::from_utf8_lossy(&read(path)?).into_owned();
    let metadata: Metadata = yaml::document(&text).map_err(|error| {
        AnnotateError::Metadata(format!(
            "{}:{}:{}: {}",
            path.display(),
            error.line,
            error.column,
            error.message
        ))
    })?;
    match metadata.empty_list() {
        None => Ok(metadata),
        Some(list) => Err(AnnotateError::EmptyList(path.to_owned(), list)),
    }
}

fn check_unannotated(path: &Path, module: &[u8]) -> Result<(), AnnotateError> {
    if !module.starts_with(WASM) {
        let why = "it does not begin as WebAssembly does".to_owned();
        return Err(AnnotateError::NotAModule(path.to_owned(), why));
    }
    for payload in Parser::new(0).parse_all(module) {
        match payload {
            Err(error) => {
                return Err(AnnotateError::NotAModule(
                    path.to_owned(),
                    error.to_string(),
                ));
            }
            Ok(Payload::CustomSection(section)) if section.name() == SECTION => {
                return Err(AnnotateError::Annotated(path.to_owned()));
            }
            Ok(_) => {}
        }
    }
    Ok(())
}

/// Asks the module, as `kwctl annotate` does.
fn protocol_version(path: &Path, module: &[u8]) -> Result<String, AnnotateError> {
    let not_a_module = |why: String| AnnotateError::NotAModule(path.to_owned(), why);
    let policy = WapcPolicy::new(module).map_err(|error| match error {
        HostError::Module(why) => not_a_module(why),
        error => not_a_module(error.to_string()),
    })?;
    let answer = policy
        .call("protocol_version", b"", Arc::new(NoCluster))
        .map_err(|error| not_a_module(error.to_string()))?
        .answer
        .map_err(|error| not_a_module(error.to_string()))?;
    let answer = String::from_utf8_lossy(&answer).into_owned();
    match serde_json::from_str::<String>(&answer) {
        Ok(version) if version == PROTOCOL_VERSION => Ok(version),
        _ => Err(AnnotateError::Protocol(
            path.to_owned(),
            report::shown(&answer),
        )),
    }
}

/// The module with one section behind its code; no other byte moves.
fn with_section(mut module: Vec<u8>, json: &[u8]) -> Vec<u8> {
    let section = CustomSection {
        name: SECTION.into(),
        data: json.into(),
    };
    section.append_to(&mut module);
    module
}
