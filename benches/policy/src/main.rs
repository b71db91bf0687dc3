//! `make bench-policy`: measures every contender on every input, prints the tables, and leaves them in
//! `target/bench`.

use std::process::ExitCode;

use imagestream_import_mode_bench_policy::{Error, inputs, measure, modules, report};
use imagestream_import_mode_report::publish;

fn run() -> Result<(), Error> {
    let modules = modules::modules()?;
    let inputs = inputs::inputs()?;
    let mut rows = Vec::new();
    for input in &inputs {
        eprintln!("{} …", input.name);
        rows.extend(measure::measure(&modules, input)?);
    }
    let text = report::report(&modules, &inputs, &rows);
    publish("policy", &rows, &text)?;
    Ok(())
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
