//! Tables that stay readable on narrow terminals.

use std::fmt::Write as _;

use anstyle::Style;
use unicode_width::UnicodeWidthStr as _;

use super::{FAINT, TITLE, paint};

/// Between columns.
const GAP: &str = "  ";

/// One value of a table.
#[derive(Clone, Debug)]
pub struct Cell {
    text: String,
    style: Style,
}

impl Cell {
    /// A value without emphasis.
    pub fn plain(text: impl Into<String>) -> Self {
        Self::styled(Style::new(), text)
    }

    /// A value in `style`.
    pub fn styled(style: Style, text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            style,
        }
    }

    fn padded(&self, width: usize) -> String {
        let padding = " ".repeat(width.saturating_sub(self.text.width()));
        format!("{}{padding}", paint(self.style, &self.text))
    }
}

/// Rows under headers.
#[derive(Clone, Debug)]
pub struct Table {
    headers: Vec<&'static str>,
    rows: Vec<Vec<Cell>>,
}

impl Table {
    /// An empty table.
    pub fn new(headers: &[&'static str]) -> Self {
        Self {
            headers: headers.to_vec(),
            rows: Vec::new(),
        }
    }

    /// Adds a row with a cell for each header.
    pub fn push(&mut self, row: Vec<Cell>) {
        self.rows.push(row);
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The table with `indent` before each line; where `width` does not hold it, each row becomes a
    /// block of lines. Columns in which nothing stands are left out.
    pub fn render(&self, indent: &str, width: Option<usize>) -> String {
        let widths: Vec<usize> = self
            .headers
            .iter()
            .enumerate()
            .map(|(column, header)| {
                let cells = self.rows.iter().filter_map(|row| row.get(column));
                let widest = cells
                    .map(|cell| cell.text.width())
                    .max()
                    .unwrap_or_default();
                if widest == 0 {
                    0
                } else {
                    widest.max(header.width())
                }
            })
            .collect();
        let gaps = widths
            .iter()
            .filter(|width| **width > 0)
            .count()
            .saturating_sub(1);
        let total = indent.width() + widths.iter().sum::<usize>() + gaps * GAP.len();
        if width.is_some_and(|width| width < total) {
            self.render_blocks(indent)
        } else {
            self.render_lines(indent, &widths)
        }
    }

    fn render_lines(&self, indent: &str, widths: &[usize]) -> String {
        let headers: Vec<_> = self
            .headers
            .iter()
            .map(|header| Cell::styled(FAINT, *header))
            .collect();
        let mut text = String::new();
        for row in std::iter::once(&headers).chain(&self.rows) {
            let mut columns = row
                .iter()
                .zip(widths)
                .filter(|(_, width)| **width > 0)
                .peekable();
            let mut line = indent.to_owned();
            let mut open = 0;
            while let Some((cell, width)) = columns.next() {
                // Nothing is padded behind the last text of a line.
                let is_blank = cell.text.is_empty();
                if !is_blank {
                    line.push_str(&" ".repeat(open));
                    open = 0;
                    line.push_str(&cell.padded(0));
                }
                open += width.saturating_sub(cell.text.width());
                if columns.peek().is_some() {
                    open += GAP.len();
                }
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }

    fn render_blocks(&self, indent: &str) -> String {
        let label = self.headers.iter().skip(1);
        let label = label.map(|header| header.width()).max().unwrap_or_default();
        let mut text = String::new();
        for row in &self.rows {
            let mut cells = row.iter();
            if let Some(first) = cells.next() {
                let _ = writeln!(text, "{indent}{}", paint(TITLE, &first.text));
            }
            for (header, cell) in self.headers.iter().skip(1).zip(cells) {
                if !cell.text.is_empty() {
                    let header = Cell::styled(FAINT, header.to_lowercase()).padded(label);
                    let _ = writeln!(text, "{indent}  {header}{GAP}{}", cell.padded(0));
                }
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let mut table = Table::new(&["TAG", "EMPTY", "BEFORE", "WHY"]);
        table.push(["latest", "", "Legacy", "new"].map(Cell::plain).to_vec());
        table.push(["日本", "", "", "asked for"].map(Cell::plain).to_vec());
        table
    }

    fn plain(text: &str) -> String {
        anstream::adapter::strip_str(text).to_string()
    }

    #[test]
    fn columns_are_aligned_and_empty_ones_left_out() {
        let text = "  TAG     BEFORE  WHY\n  latest  Legacy  new\n  日本            asked for\n";
        assert_eq!(plain(&table().render("  ", None)), text);
        assert_eq!(plain(&table().render("  ", Some(27))), text);
    }

    #[test]
    fn rows_become_blocks_where_columns_do_not_fit() {
        assert_eq!(
            plain(&table().render("  ", Some(26))),
            "  latest\n    before  Legacy\n    why     new\n  日本\n    why     asked for\n"
        );
    }
}
