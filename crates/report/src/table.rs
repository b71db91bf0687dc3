//! Tables in Markdown.

use std::fmt;

/// A table whose first column holds names and whose others hold numbers.
#[derive(Clone, Debug)]
pub struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these headings and no row.
    #[must_use]
    pub fn new<T: ToString>(headings: impl IntoIterator<Item = T>) -> Self {
        let mut table = Self { rows: Vec::new() };
        table.row(headings);
        table
    }

    /// Adds a row.
    pub fn row<T: ToString>(&mut self, cells: impl IntoIterator<Item = T>) {
        let cells = cells.into_iter().map(|cell| cell.to_string()).collect();
        self.rows.push(cells);
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, row) in self.rows.iter().enumerate() {
            writeln!(f, "| {} |", row.join(" | "))?;
            if index == 0 {
                let numbers = row.len().saturating_sub(1);
                writeln!(f, "|---|{}", "---:|".repeat(numbers))?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_left_and_numbers_right() {
        let mut table = Table::new(["input", "us"]);
        table.row(["1 tag".to_owned(), 36.to_string()]);
        assert_eq!(
            table.to_string(),
            "| input | us |\n|---|---:|\n| 1 tag | 36 |\n"
        );
    }
}
