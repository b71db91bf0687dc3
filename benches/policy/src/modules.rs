//! The contenders, from the files that `make bench-policy` builds.

use std::time::{Duration, Instant};

use imagestream_import_mode_report::project;

use crate::Error;
use crate::contender::{Cel, Component, Contender, Opa, Rego, Wapc};

/// How often a module is compiled; the median counts.
const COMPILATIONS: usize = 5;

/// One contender.
pub struct Module {
    /// As the tables name it.
    pub name: &'static str,
    /// Size of its file; none if it is no file.
    pub bytes: Option<usize>,
    /// What its host does once for all requests.
    pub compile: Duration,
    /// Itself.
    pub contender: Box<dyn Contender>,
}

/// Those that answer without reading their payload.
pub const UNREAD: [&str; 2] = ["floor", "echo"];

/// Everything that is measured; the floor is the first.
///
/// # Errors
///
/// If a file is missing or is not what it should be.
pub fn modules() -> Result<Vec<Module>, Error> {
    Ok(vec![
        guest("floor")?,
        guest("echo")?,
        file("policy", "policy.wasm", Wapc::new)?,
        guest("typical")?,
        file(
            "component",
            "imagestream-import-mode.component.wasm",
            Component::new,
        )?,
        file("opa", "imagestream-import-mode.opa.wasm", Opa::new)?,
        source("rego", Rego::new)?,
        source("cel", Cel::new)?,
    ])
}

/// A guest of this workspace.
///
/// # Errors
///
/// As [`modules`].
pub fn guest(name: &'static str) -> Result<Module, Error> {
    let path = format!("target/benches/wasm32-wasip1/release/{name}.wasm");
    file(name, &path, Wapc::new)
}

fn file<C: Contender + 'static>(
    name: &'static str,
    path: &str,
    new: fn(&[u8]) -> Result<C, Error>,
) -> Result<Module, Error> {
    let bytes = std::fs::read(project(path))
        .map_err(|error| format!("{path}: {error}; `make bench-policy` builds it"))?;
    let mut module = source(name, || new(&bytes))?;
    module.bytes = Some(bytes.len());
    Ok(module)
}

fn source<C: Contender + 'static>(
    name: &'static str,
    new: impl Fn() -> Result<C, Error>,
) -> Result<Module, Error> {
    let mut contender = new()?;
    let mut times = Vec::new();
    for _ in 0..COMPILATIONS {
        let start = Instant::now();
        contender = new()?;
        times.push(start.elapsed());
    }
    times.sort_unstable();
    Ok(Module {
        name,
        bytes: None,
        compile: times.get(COMPILATIONS / 2).copied().unwrap_or_default(),
        contender: Box::new(contender),
    })
}
