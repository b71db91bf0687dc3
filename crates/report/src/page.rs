//! Sections of a page that a program writes: the lines between two markers.
//!
//! ```text
//! <!-- begin:policy -->
//! <!-- end:policy -->
//! ```

use std::fmt;

/// A page without the markers of a section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageError {
    marker: String,
}

impl fmt::Display for PageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no line `{}`", self.marker)
    }
}

impl std::error::Error for PageError {}

/// The names of a page's sections, in order.
pub fn names(page: &str) -> impl Iterator<Item = &str> {
    page.lines()
        .filter_map(|line| line.strip_prefix("<!-- begin:")?.strip_suffix(" -->"))
}

/// The page with `text` as its section `name`.
///
/// # Errors
///
/// If a marker is missing, or the end stands before the beginning.
pub fn with_section(page: &str, name: &str, text: &str) -> Result<String, PageError> {
    let (begin, end) = (
        format!("<!-- begin:{name} -->\n"),
        format!("<!-- end:{name} -->\n"),
    );
    let missing = |marker: &str| PageError {
        marker: marker.trim_end().to_owned(),
    };
    let (before, rest) = page.split_once(&begin).ok_or_else(|| missing(&begin))?;
    let (_, after) = rest.split_once(&end).ok_or_else(|| missing(&end))?;
    let text = text.trim_end();
    Ok(format!("{before}{begin}{text}\n{end}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str =
        "# P\n<!-- begin:a -->\nold\nold\n<!-- end:a -->\nkept\n<!-- begin:b -->\n<!-- end:b -->\n";

    #[test]
    fn only_the_section_is_replaced() {
        assert_eq!(
            with_section(PAGE, "a", "new\n\n").unwrap(),
            PAGE.replace("old\nold", "new")
        );
        let filled = with_section(PAGE, "b", "new").unwrap();
        assert_eq!(with_section(&filled, "b", "new").unwrap(), filled);
    }

    #[test]
    fn sections_are_found_by_their_markers() {
        assert_eq!(names(PAGE).collect::<Vec<_>>(), ["a", "b"]);
        let missing = |page, name| with_section(page, name, "").unwrap_err().to_string();
        assert_eq!(missing(PAGE, "c"), "there is no line `<!-- begin:c -->`");
        let unfinished = "<!-- end:a -->\n<!-- begin:a -->\n";
        assert_eq!(
            missing(unfinished, "a"),
            "there is no line `<!-- end:a -->`"
        );
    }
}
