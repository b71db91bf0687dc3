//! The text of a JSON string.

/// What the inside of a valid JSON string stands for; none if it has a lone surrogate.
pub(crate) fn unescape(inside: &str) -> Option<String> {
    let mut text = String::with_capacity(inside.len());
    let mut rest = inside;
    while let Some((before, escape)) = rest.split_once('\\') {
        text.push_str(before);
        let mut characters = escape.chars();
        let character = match characters.next()? {
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => hexadecimal(&mut characters)?,
            itself => itself,
        };
        text.push(character);
        rest = characters.as_str();
    }
    text.push_str(rest);
    Some(text)
}

/// One character of four hexadecimal digits, or of two such escapes (a surrogate pair).
fn hexadecimal(characters: &mut std::str::Chars<'_>) -> Option<char> {
    let first = four_digits(characters)?;
    if let Some(character) = char::from_u32(first) {
        return Some(character);
    }
    if (characters.next()?, characters.next()?) != ('\\', 'u') {
        return None;
    }
    let high = first.checked_sub(0xd800).filter(|high| *high < 0x400)?;
    let low = four_digits(characters)?
        .checked_sub(0xdc00)
        .filter(|low| *low < 0x400)?;
    char::from_u32(0x1_0000 + (high << 10) + low)
}

fn four_digits(characters: &mut std::str::Chars<'_>) -> Option<u32> {
    let mut value = 0;
    for _ in 0..4 {
        value = value * 16 + characters.next()?.to_digit(16)?;
    }
    Some(value)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::unescape;

    #[test]
    fn lone_surrogates_have_no_text() {
        for text in [
            r"\ud800",
            r"\udc00",
            r"\ud800x",
            r"\ud800\n",
            r"\ud800\ud800",
            r"\udc00\ud800",
        ] {
            assert_eq!(unescape(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn it_agrees_with_serde_json(text in any::<String>(), every in 1..4usize) {
            let mut escaped = String::new();
            for (index, character) in text.chars().enumerate() {
                if index % every == 0 || matches!(character, '"' | '\\' | '\0'..='\x1f') {
                    for unit in character.encode_utf16(&mut [0; 2]) {
                        escaped.push_str(&format!("\\u{unit:04X}"));
                    }
                } else {
                    escaped.push(character);
                }
            }
            prop_assert_eq!(unescape(&escaped), Some(text.clone()));
            let quoted = serde_json::to_string(&text).unwrap();
            prop_assert_eq!(unescape(&quoted[1..quoted.len() - 1]), Some(text));
        }
    }

    #[test]
    fn short_escapes_are_read() {
        let text = r#"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00"#;
        assert_eq!(
            unescape(text).unwrap(),
            "\"\\/\u{8}\u{c}\n\r\t\u{e9}\u{1f600}"
        );
    }
}
