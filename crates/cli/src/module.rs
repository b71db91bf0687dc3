//! The policy's module: where it is, and its runtime.

use std::fmt;
use std::path::PathBuf;

use clap::Args;
use imagestream_import_mode_host::{Door, HostError, open};

/// The name under which `make policy` leaves the module.
const FILE_NAME: &str = "policy.wasm";

/// Which module decides.
#[derive(Args, Debug)]
pub struct ModuleArgs {
    /// The policy as a waPC module, a component or an OPA policy; without it, policy.wasm beside this
    /// program or in this folder
    #[arg(long, value_name = "FILE")]
    module: Option<PathBuf>,
}

/// A module that can decide.
pub struct Module {
    /// Its file.
    pub path: PathBuf,
    /// Its runtime, chosen by what the file is.
    pub policy: Box<dyn Door>,
}

/// Why there is no module to decide.
#[derive(Debug)]
pub enum ModuleError {
    /// None was named, and none is where it is looked for.
    NotFound {
        /// Beside the program, if that place is known.
        beside: Option<PathBuf>,
    },
    /// It cannot be run.
    Unusable {
        /// As given or found.
        path: PathBuf,
        /// Why not.
        source: HostError,
    },
}

impl fmt::Display for ModuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFound { beside } => {
                write!(f, "no policy module: there is no `./{FILE_NAME}`")?;
                if let Some(beside) = beside {
                    write!(f, " and no `{}`", beside.display())?;
                }
                f.write_str("; `make policy` builds it, --module names another place")
            }
            Self::Unusable {
                source: source @ HostError::Unreadable { .. },
                ..
            } => write!(f, "{source}; `make policy` builds the module"),
            Self::Unusable { path, source } => {
                write!(
                    f,
                    "`{}`: {source}; `make policy` builds one",
                    path.display()
                )
            }
        }
    }
}

impl std::error::Error for ModuleError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::NotFound { .. } => None,
            Self::Unusable { source, .. } => Some(source),
        }
    }
}

impl ModuleArgs {
    /// Finds and compiles the module.
    ///
    /// # Errors
    ///
    /// If there is none, or it is none of the kinds.
    pub fn load(&self) -> Result<Module, ModuleError> {
        let path = match &self.module {
            Some(path) => path.clone(),
            None => find()?,
        };
        match open(&path) {
            Ok(policy) => Ok(Module { path, policy }),
            Err(source) => Err(ModuleError::Unusable { path, source }),
        }
    }
}

fn find() -> Result<PathBuf, ModuleError> {
    let program = std::env::current_exe().ok();
    let beside = program.map(|program| program.with_file_name(FILE_NAME));
    let here = PathBuf::from(FILE_NAME);
    let found = beside.iter().chain([&here]).find(|path| path.is_file());
    found.cloned().ok_or(ModuleError::NotFound { beside })
}
