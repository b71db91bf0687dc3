//! Writes what measurements left in `target/bench` into the pages that show them.
//!
//! Each pair of markers in a page is a section; one without a file stays as it is.

use std::process::ExitCode;

use imagestream_import_mode_report::{names, project, with_section};

const PAGES: [&str; 2] = ["docs/performance.md", "docs/robustness.md"];

fn write(name_of_page: &str) -> Result<(), String> {
    let path = project(name_of_page);
    let named = |error: &dyn std::fmt::Display| format!("{name_of_page}: {error}");
    let old = std::fs::read_to_string(&path).map_err(|error| named(&error))?;
    let mut page = old.clone();
    for name in names(&old) {
        let file = format!("target/bench/{name}.md");
        match std::fs::read_to_string(project(&file)) {
            Ok(text) => {
                page = with_section(&page, name, &text).map_err(|error| named(&error))?;
                println!("{name_of_page}: {name} written");
            }
            Err(error) => println!(
                "{name_of_page}: {name} left as it is, {file}: {error}; `make bench` writes it"
            ),
        }
    }
    std::fs::write(&path, page).map_err(|error| named(&error))
}

fn main() -> ExitCode {
    match PAGES.iter().try_for_each(|page| write(page)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
