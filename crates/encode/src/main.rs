//! Build step: `encode component|opa MODULE OUTPUT`.
//!
//! `component` wraps a core module in the component that its WIT describes; `opa` adds the two
//! globals that name the ABI, which a Rust module cannot export itself.

mod opa;

use std::ffi::OsString;
use std::fmt;
use std::fs;
use std::process::ExitCode;

use wit_component::ComponentEncoder;

const USAGE: &str = "usage: encode component|opa MODULE OUTPUT";

/// Why there is no output.
#[derive(Debug)]
enum EncodeError {
    Usage,
    File(OsString, std::io::Error),
    Component(String),
    Opa(opa::OpaError),
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage => f.write_str(USAGE),
            Self::File(path, error) => write!(f, "`{}`: {error}", path.display()),
            Self::Component(error) => write!(f, "cannot be encoded as a component: {error}"),
            Self::Opa(error) => write!(f, "cannot become an OPA policy: {error}"),
        }
    }
}

fn component(module: &[u8]) -> Result<Vec<u8>, EncodeError> {
    ComponentEncoder::default()
        .validate(true)
        .module(module)
        .and_then(|mut encoder| encoder.encode())
        .map_err(|error| EncodeError::Component(format!("{error:#}")))
}

fn encode(arguments: &[OsString]) -> Result<(), EncodeError> {
    let [target, input, output] = arguments else {
        return Err(EncodeError::Usage);
    };
    let file = |path: &OsString| {
        let path = path.clone();
        move |error| EncodeError::File(path, error)
    };
    let module = fs::read(input).map_err(file(input))?;
    let encoded = match target.to_str() {
        Some("component") => component(&module)?,
        Some("opa") => opa::add_abi_version(&module).map_err(EncodeError::Opa)?,
        _ => return Err(EncodeError::Usage),
    };
    fs::write(output, encoded).map_err(file(output))
}

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    match encode(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
