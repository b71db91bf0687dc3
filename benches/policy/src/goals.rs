//! What the policy is meant to reach, and whether it does.

use imagestream_import_mode_report::Table;

use crate::inputs::Input;
use crate::measure::Row;

/// Times over the floor, by input.
const OVER_FLOOR: [(&str, f64); 7] = [
    ("1 tag", 1.1),
    ("10 tags", 1.4),
    ("100 tags", 2.5),
    ("1000 tags", 2.8),
    ("out of scope, like 1 tag", 1.05),
    ("out of scope, like 100 tags", 1.05),
    ("out of scope, like 1000 tags", 1.05),
];

/// What the cost of a byte may grow by between the two inputs, if it is to be called linear.
const LINEAR: (&str, &str, f64) = ("100 tags", "1400 tags", 1.1);

/// Peak of the linear memory: so many bytes, and so many for each byte of the payload.
const MEMORY: (f64, f64) = (1.25 * 1024.0 * 1024.0, 2.5);

/// Size of the module.
const MODULE_KIB: f64 = 150.0;

/// The goals with what was measured.
#[must_use]
pub fn table(rows: &[Row], inputs: &[Input]) -> Table {
    let policy = |input: &str| {
        let mut rows = rows.iter();
        rows.find(|row| row.module == "policy" && row.input == input)
    };
    let payload = |input: &str| {
        let input = inputs.iter().find(|other| other.name == input);
        input.map_or(1.0, |input| input.payload.len() as f64)
    };
    let mut table = Table::new(["goal of the policy", "at most", "measured", "reached"]);
    let mut add = |goal: String, most: f64, measured: Option<f64>, unit: &str| {
        let measured = measured.unwrap_or(f64::INFINITY);
        let verdict = if measured <= most {
            "yes".to_owned()
        } else {
            format!("no, {:.0} % over", (measured / most - 1.0) * 100.0)
        };
        let number = |number: f64| format!("{number:.2}{unit}");
        table.row([goal, number(most), number(measured), verdict]);
    };
    for (input, most) in OVER_FLOOR {
        let measured = policy(input).map(|row| row.over_floor);
        add(format!("time over floor, {input}"), most, measured, "");
    }
    let (few, many, most) = LINEAR;
    let growth = |cost: fn(&Row) -> Option<f64>| {
        let per_byte = |input| Some(cost(policy(input)?)? / payload(input));
        Some(per_byte(many)? / per_byte(few)?)
    };
    let pair = format!("of a byte, {many} against {few}");
    let fuel = growth(|row| row.fuel.map(|fuel| fuel as f64));
    add(format!("fuel {pair}"), most, fuel, "");
    let time = growth(|row| Some(row.wall_ns_median as f64));
    add(format!("time {pair}"), most, time, "");
    let (constant, per_byte) = MEMORY;
    let share = |input: &Input| {
        let peak = policy(&input.name)?.peak_memory_bytes? as f64;
        let most = constant + per_byte * input.payload.len() as f64;
        Some((peak / most, input.name.clone()))
    };
    let shares = inputs.iter().filter_map(share);
    let worst = shares.max_by(|(one, _), (other, _)| one.total_cmp(other));
    let (worst, input) = worst.unzip();
    let memory = format!(
        "peak memory in parts of 1.25 MiB + 2.5 payloads, worst: {}",
        input.unwrap_or_default()
    );
    add(memory, 1.0, worst, "");
    let bytes = policy("1 tag").and_then(|row| row.module_bytes);
    let kib = bytes.map(|bytes| bytes as f64 / 1024.0);
    add("module".to_owned(), MODULE_KIB, kib, " KiB");
    table
}
