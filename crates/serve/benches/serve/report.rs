//! The table.

use std::path::Path;

#[derive(Default)]
pub struct Report(Vec<(String, f64, &'static str)>);

impl Report {
    pub fn add(&mut self, what: &str, value: f64, unit: &'static str) {
        eprintln!("{what}: {value:.3} {unit}");
        self.0.push((what.to_owned(), value, unit));
    }

    /// Prints Markdown and writes `target/bench/serve.json`.
    pub fn finish(&self) {
        println!("| Measured | Value | Unit |\n| --- | ---: | --- |");
        for (what, value, unit) in &self.0 {
            println!("| {what} | {value:.2} | {unit} |");
        }
        let rows: Vec<serde_json::Value> = self
            .0
            .iter()
            .map(|(what, value, unit)| serde_json::json!({"measured": what, "value": value, "unit": unit}))
            .collect();
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/bench");
        std::fs::create_dir_all(&folder).expect("target can be written");
        let text = serde_json::to_string_pretty(&rows).expect("it is JSON");
        std::fs::write(folder.join("serve.json"), text + "\n").expect("target can be written");
    }
}
