//! JSON text laid out for people, every value as it was written.

/// One level of indentation.
const INDENT: &str = "  ";

/// `json`, which is valid, with two spaces for each level; numbers and texts keep their spelling.
pub fn pretty(json: &str) -> String {
    let mut text = String::with_capacity(json.len() * 2);
    let mut depth = 0_usize;
    let mut in_string = false;
    let mut escaped = false;
    let mut characters = json.trim().chars().peekable();
    while let Some(character) = characters.next() {
        if in_string {
            text.push(character);
            in_string = escaped || character != '"';
            escaped = !escaped && character == '\\';
            continue;
        }
        match character {
            ' ' | '\n' | '\r' | '\t' => {}
            '{' | '[' => {
                text.push(character);
                while characters
                    .next_if(|next| next.is_ascii_whitespace())
                    .is_some()
                {}
                if let Some(closing) = characters.next_if(|next| matches!(next, '}' | ']')) {
                    text.push(closing);
                } else {
                    depth += 1;
                    new_line(&mut text, depth);
                }
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                new_line(&mut text, depth);
                text.push(character);
            }
            ',' => {
                text.push(',');
                new_line(&mut text, depth);
            }
            ':' => text.push_str(": "),
            '"' => {
                text.push('"');
                in_string = true;
            }
            _ => text.push(character),
        }
    }
    text.push('\n');
    text
}

fn new_line(text: &mut String, depth: usize) {
    text.push('\n');
    text.push_str(&INDENT.repeat(depth));
}

#[cfg(test)]
mod tests {
    use super::pretty;

    #[test]
    fn values_keep_their_spelling() {
        let json = r#" {"a":[1.50e+400, 18446744073709551616,{ }, [ ] ],"b\"{":"\\",  "c":null}"#;
        let expected = r#"{
  "a": [
    1.50e+400,
    18446744073709551616,
    {},
    []
  ],
  "b\"{": "\\",
  "c": null
}
"#;
        assert_eq!(pretty(json), expected);
        assert_eq!(pretty(expected), expected);
    }
}
