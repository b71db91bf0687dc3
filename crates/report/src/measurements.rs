//! Single numbers, each with its unit and what it is compared with.

use std::io;

use serde::Serialize;

use crate::{Table, machine, publish};

/// Measured numbers in their order.
#[derive(Clone, Debug)]
pub struct Measurements {
    beside: &'static str,
    rows: Vec<Measurement>,
}

#[derive(Clone, Debug, Serialize)]
struct Measurement {
    measured: String,
    value: f64,
    unit: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    beside: Option<f64>,
}

impl Measurements {
    /// No numbers yet; `beside` is the heading of what they are compared with.
    #[must_use]
    pub fn new(beside: &'static str) -> Self {
        Self {
            beside,
            rows: Vec::new(),
        }
    }

    /// Adds a number and tells it on standard error.
    pub fn add(&mut self, measured: impl Into<String>, value: f64, unit: &'static str) {
        self.push(measured.into(), value, unit, None);
    }

    /// Adds a number and what it is compared with, in the same unit.
    pub fn add_beside(
        &mut self,
        measured: impl Into<String>,
        value: f64,
        unit: &'static str,
        beside: f64,
    ) {
        self.push(measured.into(), value, unit, Some(beside));
    }

    fn push(&mut self, measured: String, value: f64, unit: &'static str, beside: Option<f64>) {
        eprintln!("{measured}: {value:.3} {unit}");
        self.rows.push(Measurement {
            measured,
            value,
            unit,
            beside,
        });
    }

    /// Publishes the machine and the table under `name`; see [`publish`].
    ///
    /// # Errors
    ///
    /// If a file cannot be written.
    pub fn publish(&self, name: &str) -> io::Result<()> {
        publish(
            name,
            &self.rows,
            &format!("{}.\n\n{}", machine(), self.table()),
        )
    }

    fn table(&self) -> Table {
        let mut table = Table::new(["measured", "value", self.beside, "unit"]);
        for row in &self.rows {
            let beside = row.beside.map(significant).unwrap_or_default();
            table.row([&row.measured, &significant(row.value), &beside, row.unit]);
        }
        table
    }
}

/// Three significant digits, and no fraction from 100 on.
fn significant(value: f64) -> String {
    let digits = match value.abs() {
        value if value >= 99.95 => 0,
        value if value >= 9.995 => 1,
        value if value >= 0.9995 => 2,
        _ => 3,
    };
    format!("{value:.digits$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stand_beside_what_they_are_compared_with() {
        let mut measurements = Measurements::new("target");
        measurements.add("contains", 12.345, "ns");
        measurements.add_beside("memory", 123_456.7, "bytes", 99.5);
        assert_eq!(
            measurements.table().to_string(),
            "| measured | value | target | unit |\n|---|---:|---:|---:|\n\
             | contains | 12.3 |  | ns |\n| memory | 123457 | 99.5 | bytes |\n"
        );
    }

    #[test]
    fn three_digits_count() {
        let values = [0.0, 0.012_34, 0.9999, 9.999, 99.99, 1_234.5];
        let texts = values.map(significant);
        assert_eq!(texts, ["0.000", "0.012", "1.00", "10.0", "100", "1234"]);
    }
}
