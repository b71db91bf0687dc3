//! Writes what benchmarks left in `target/bench` into `docs/performance.md`.
//!
//! Each pair of markers in the page is a section; one without a file stays as it is.

use std::process::ExitCode;

use imagestream_import_mode_report::{names, project, with_section};

const PAGE: &str = "docs/performance.md";

fn write() -> Result<(), String> {
    let path = project(PAGE);
    let old = std::fs::read_to_string(&path).map_err(|error| format!("{PAGE}: {error}"))?;
    let mut page = old.clone();
    for name in names(&old) {
        let file = format!("target/bench/{name}.md");
        match std::fs::read_to_string(project(&file)) {
            Ok(text) => {
                page =
                    with_section(&page, name, &text).map_err(|error| format!("{PAGE}: {error}"))?;
                println!("{PAGE}: {name} written");
            }
            Err(error) => println!(
                "{PAGE}: {name} left as it is, {file}: {error}; `make bench-{name}` writes it"
            ),
        }
    }
    std::fs::write(&path, page).map_err(|error| format!("{PAGE}: {error}"))
}

fn main() -> ExitCode {
    match write() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
