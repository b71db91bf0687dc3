//! YAML as `serde_yaml` lays it out, which is what `kwctl` writes with.

/// Words that YAML readers take for something else than text.
const RESERVED: [&str; 8] = ["true", "false", "null", "yes", "no", "on", "off", "~"];

/// A text on one line: plain where that is unmistakable, else in single quotes.
pub fn scalar(text: &str) -> String {
    if is_plain(text) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', "''"))
    }
}

fn is_plain(text: &str) -> bool {
    let reserved = RESERVED.contains(&text.to_ascii_lowercase().as_str());
    let number = text.parse::<f64>().is_ok();
    let edges = text.trim() == text && !text.is_empty();
    let first = text.starts_with(|character: char| character.is_alphanumeric() || character == '/');
    let inside = !text.contains(": ") && !text.contains(" #") && !text.ends_with(':');
    edges && first && inside && !reserved && !number
}

/// A text of several lines as a literal block under a key, `indent` levels of two spaces deep.
pub fn literal(text: &str, indent: usize) -> String {
    let keep = if text.ends_with('\n') { "|" } else { "|-" };
    let mut block = keep.to_owned();
    for line in text.trim_end_matches('\n').split('\n') {
        block.push('\n');
        if !line.is_empty() {
            block.push_str(&"  ".repeat(indent));
            block.push_str(line);
        }
    }
    block
}

/// A list of texts, its dashes in the column of its key.
pub fn list(texts: &[String]) -> String {
    let lines: Vec<_> = texts
        .iter()
        .map(|text| format!("- {}\n", scalar(text)))
        .collect();
    lines.concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_could_be_something_else_are_quoted() {
        for plain in [
            "0.1.0",
            "Apache-2.0",
            "a, b",
            "https://example.org/x",
            "it's",
        ] {
            assert_eq!(scalar(plain), plain);
        }
        for (text, quoted) in [
            ("true", "'true'"),
            ("1.0", "'1.0'"),
            ("", "''"),
            ("*", "'*'"),
            ("a: b", "'a: b'"),
            ("a #b", "'a #b'"),
            ("'a'", "'''a'''"),
        ] {
            assert_eq!(scalar(text), quoted);
        }
    }

    #[test]
    fn lines_are_kept() {
        assert_eq!(literal("a\n\n  b\n", 1), "|\n  a\n\n    b");
        assert_eq!(literal("a\nb", 2), "|-\n    a\n    b");
    }
}
