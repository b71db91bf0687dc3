//! The section of docs/performance.md.

use std::time::Duration;

use imagestream_import_mode_report::{Table, locked_version, machine};

use crate::goals;
use crate::inputs::Input;
use crate::measure::Row;
use crate::modules::Module;

const LOCK: &str = include_str!("../Cargo.lock");

/// Markdown: the machine, ratios, goals, and the numbers behind them.
#[must_use]
pub fn report(modules: &[Module], inputs: &[Input], rows: &[Row]) -> String {
    let version = |package| locked_version(LOCK, package).unwrap_or("of unknown version");
    format!(
        "{}; wasmtime {}, wasmtime-provider {}, regorus {}, cel {}.\n\n\
         Median time, in times of the floor:\n\n{}\n\
         {}\n\
         Fuel in millions of units, and the linear memory at the end in MiB:\n\n{}\n\
         Pages of 4 KiB that a call writes:\n\n{}\n\
         Median time in microseconds:\n\n{}\n\
         Once per module, before the first request:\n\n{}",
        machine(),
        version("wasmtime"),
        version("wasmtime-provider"),
        version("regorus"),
        version("cel"),
        ratios(modules, inputs, rows),
        goals::table(rows, inputs),
        costs(inputs, rows),
        pages(inputs, rows),
        times(modules, inputs, rows),
        files(modules),
    )
}

fn of<'a>(rows: &'a [Row], input: &'a Input) -> impl Iterator<Item = &'a Row> {
    rows.iter().filter(|row| row.input == input.name)
}

fn one<'a>(rows: &'a [Row], input: &'a Input, module: &str) -> Option<&'a Row> {
    of(rows, input).find(|row| row.module == module)
}

fn ratios(modules: &[Module], inputs: &[Input], rows: &[Row]) -> Table {
    let names = modules.iter().skip(1).map(|module| module.name);
    let mut table = Table::new(["input", "payload", "floor"].into_iter().chain(names));
    for input in inputs {
        let mut cells = vec![
            input.name.clone(),
            format!("{:.1} KB", input.payload.len() as f64 / 1e3),
        ];
        cells.extend(of(rows, input).map(|row| match row.module {
            "floor" => format!("{} us", micros(row.wall_ns_median)),
            _ => format!("{:.2}", row.over_floor),
        }));
        table.row(cells);
    }
    table
}

fn times(modules: &[Module], inputs: &[Input], rows: &[Row]) -> Table {
    let names = modules.iter().map(|module| module.name);
    let mut table = Table::new(["input"].into_iter().chain(names));
    for input in inputs {
        let times = of(rows, input).map(|row| micros(row.wall_ns_median));
        table.row([input.name.clone()].into_iter().chain(times));
    }
    table
}

/// Of those whose costs can be counted.
fn costs(inputs: &[Input], rows: &[Row]) -> Table {
    let fuelled = ["floor", "policy", "typical"];
    let sized = ["floor", "policy", "typical", "opa"];
    let fuel = fuelled.map(|name| format!("{name}, fuel"));
    let memory = sized.map(|name| format!("{name}, MiB"));
    let headings = ["input".to_owned()].into_iter().chain(fuel).chain(memory);
    let mut table = Table::new(headings);
    for input in inputs {
        let fuel = fuelled.map(|name| {
            let fuel = one(rows, input, name).and_then(|row| row.fuel);
            fuel.map_or_else(String::new, |fuel| format!("{:.3}", fuel as f64 / 1e6))
        });
        let memory = sized.map(|name| {
            let bytes = one(rows, input, name).and_then(|row| row.peak_memory_bytes);
            let mib = |bytes| bytes as f64 / f64::from(1 << 20);
            bytes.map_or_else(String::new, |bytes| format!("{:.2}", mib(bytes)))
        });
        let cells = [input.name.clone()].into_iter().chain(fuel).chain(memory);
        table.row(cells);
    }
    table
}

fn pages(inputs: &[Input], rows: &[Row]) -> Table {
    let names = ["floor", "echo", "policy", "typical"];
    let mut table = Table::new(["input"].into_iter().chain(names));
    for input in inputs {
        let cells = names.map(|name| {
            let pages = one(rows, input, name).and_then(|row| row.written_pages);
            pages.map_or_else(String::new, |pages| pages.to_string())
        });
        table.row([input.name.clone()].into_iter().chain(cells));
    }
    table
}

fn files(modules: &[Module]) -> Table {
    let mut table = Table::new(["module", "size", "compiled in"]);
    for module in modules {
        let size = module
            .bytes
            .map(|bytes| format!("{:.1} KiB", bytes as f64 / 1024.0));
        table.row([
            module.name.to_owned(),
            size.unwrap_or_default(),
            milliseconds(module.compile),
        ]);
    }
    table
}

fn micros(nanoseconds: u64) -> String {
    format!("{:.1}", nanoseconds as f64 / 1e3)
}

fn milliseconds(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1e3)
}
