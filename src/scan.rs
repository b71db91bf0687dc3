//! Where a JSON value ends, checking on the way that it is one (RFC 8259).
//!
//! This is the hot path of the policy: most of an image stream is only passed over, and most of it
//! is strings, whose ends are found 16 bytes at a time. `serde_json` does the same in steps of a
//! machine word, which WebAssembly counts as 4 bytes; the tests hold the two together.

/// Behind the value that starts at `start`; none if there is no JSON value.
pub(crate) fn value_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut nesting = Nesting::default();
    let mut position = start;
    let mut before_key = false;
    loop {
        if before_key {
            (_, position) = member(bytes, position)?;
        }
        position = match bytes.get(position)? {
            b'"' => string_end(bytes, position)?,
            opening @ (b'{' | b'[') => {
                let is_object = *opening == b'{';
                let closing = if is_object { b'}' } else { b']' };
                let inside = skip_space(bytes, position + 1);
                if bytes.get(inside) == Some(&closing) {
                    inside + 1
                } else {
                    nesting.push(is_object);
                    before_key = is_object;
                    position = inside;
                    continue;
                }
            }
            b't' => literal_end(bytes, position, b"true")?,
            b'f' => literal_end(bytes, position, b"false")?,
            b'n' => literal_end(bytes, position, b"null")?,
            _ => number_end(bytes, position)?,
        };
        loop {
            let Some(in_object) = nesting.top() else {
                return Some(position);
            };
            position = skip_space(bytes, position);
            match (bytes.get(position)?, in_object) {
                (b',', _) => {
                    before_key = in_object;
                    position = skip_space(bytes, position + 1);
                    break;
                }
                (b'}', true) | (b']', false) => {
                    nesting.pop();
                    position += 1;
                }
                _ => return None,
            }
        }
    }
}

/// Behind the key that starts at `start`, and where its value starts.
#[inline(always)]
pub(crate) fn member(bytes: &[u8], start: usize) -> Option<(usize, usize)> {
    if bytes.get(start)? != &b'"' {
        return None;
    }
    let key_end = string_end(bytes, start)?;
    let colon = skip_space(bytes, key_end);
    let has_colon = bytes.get(colon)? == &b':';
    has_colon.then(|| (key_end, skip_space(bytes, colon + 1)))
}

/// Behind the white space at `position`.
#[inline(always)]
pub(crate) fn skip_space(bytes: &[u8], mut position: usize) -> usize {
    while matches!(bytes.get(position), Some(b' ' | b'\n' | b'\r' | b'\t')) {
        position += 1;
    }
    position
}

/// Behind the string whose opening quote stands at `start`.
#[inline(always)]
fn string_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut position = start + 1;
    loop {
        let rest = bytes.get(position..)?;
        let special = match rest.first_chunk() {
            Some(chunk) => first_special(chunk),
            None => rest.iter().position(|byte| is_special(*byte)),
        };
        let Some(special) = special else {
            position += CHUNK;
            continue;
        };
        position += special;
        match bytes.get(position)? {
            b'"' => return Some(position + 1),
            b'\\' => position = escape_end(bytes, position)?,
            _ => return None,
        }
    }
}

const CHUNK: usize = 16;

/// Whether a byte within a string ends it, escapes, or may not stand there.
fn is_special(byte: u8) -> bool {
    matches!(byte, b'"' | b'\\' | 0..b' ')
}

#[cfg(not(all(target_family = "wasm", target_feature = "simd128")))]
fn first_special(chunk: &[u8; CHUNK]) -> Option<usize> {
    chunk.iter().position(|byte| is_special(*byte))
}

#[cfg(all(target_family = "wasm", target_feature = "simd128"))]
fn first_special(chunk: &[u8; CHUNK]) -> Option<usize> {
    use core::arch::wasm32::{u8x16_bitmask, u8x16_eq, u8x16_lt, u8x16_splat, u64x2, v128_or};

    let number = u128::from_le_bytes(*chunk);
    #[expect(clippy::cast_possible_truncation, reason = "the two halves are wanted")]
    let bytes = u64x2(number as u64, (number >> 64) as u64);
    let quotes = u8x16_eq(bytes, u8x16_splat(b'"'));
    let escapes = u8x16_eq(bytes, u8x16_splat(b'\\'));
    let controls = u8x16_lt(bytes, u8x16_splat(b' '));
    let special = u8x16_bitmask(v128_or(v128_or(quotes, escapes), controls));
    (special != 0).then(|| usize::try_from(special.trailing_zeros()).unwrap_or(CHUNK))
}

/// Behind the escape sequence whose backslash stands at `start`; surrogates need no partner here.
#[inline(never)]
fn escape_end(bytes: &[u8], start: usize) -> Option<usize> {
    match bytes.get(start + 1)? {
        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Some(start + 2),
        b'u' => {
            let digits = bytes.get(start + 2..start + 6)?;
            let is_hex = digits.iter().all(u8::is_ascii_hexdigit);
            is_hex.then_some(start + 6)
        }
        _ => None,
    }
}

fn literal_end(bytes: &[u8], start: usize, literal: &[u8]) -> Option<usize> {
    let end = start + literal.len();
    (bytes.get(start..end)? == literal).then_some(end)
}

fn number_end(bytes: &[u8], start: usize) -> Option<usize> {
    let sign = usize::from(bytes.get(start) == Some(&b'-'));
    let mut position = match bytes.get(start + sign)? {
        b'0' => start + sign + 1,
        _ => digits_end(bytes, start + sign)?,
    };
    if bytes.get(position) == Some(&b'.') {
        position = digits_end(bytes, position + 1)?;
    }
    if matches!(bytes.get(position), Some(b'e' | b'E')) {
        let sign = matches!(bytes.get(position + 1), Some(b'+' | b'-'));
        position = digits_end(bytes, position + 1 + usize::from(sign))?;
    }
    Some(position)
}

/// Behind one or more digits.
fn digits_end(bytes: &[u8], start: usize) -> Option<usize> {
    let digits = bytes.get(start..)?.iter();
    let count = digits.take_while(|byte| byte.is_ascii_digit()).count();
    (count > 0).then_some(start + count)
}

/// The open containers, innermost last, one bit each: whether it is an object. The first 64 need no
/// allocation.
#[derive(Default)]
struct Nesting {
    depth: usize,
    objects: u64,
    outer: Vec<u64>,
}

impl Nesting {
    fn push(&mut self, is_object: bool) {
        if self.depth > 0 && self.depth.is_multiple_of(64) {
            self.outer.push(self.objects);
        }
        self.objects = self.objects << 1 | u64::from(is_object);
        self.depth += 1;
    }

    /// Whether the innermost container is an object.
    fn top(&self) -> Option<bool> {
        (self.depth > 0).then_some(self.objects & 1 == 1)
    }

    fn pop(&mut self) {
        self.depth = self.depth.saturating_sub(1);
        self.objects >>= 1;
        if self.depth > 0 && self.depth.is_multiple_of(64) {
            self.objects = self.outer.pop().unwrap_or_default();
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::value::RawValue;

    use super::*;

    /// The whole text is one value, says `serde_json`.
    fn oracle(text: &str) -> bool {
        serde_json::from_str::<&RawValue>(text).is_ok()
    }

    fn scan(text: &str) -> bool {
        let bytes = text.as_bytes();
        let end = value_end(bytes, skip_space(bytes, 0));
        end.is_some_and(|end| skip_space(bytes, end) == bytes.len())
    }

    #[track_caller]
    fn agree(text: &str) {
        assert_eq!(scan(text), oracle(text), "{text}");
    }

    #[test]
    fn tokens_are_those_of_serde_json() {
        let tokens = [
            "",
            "0",
            "-0",
            "01",
            "-",
            "+1",
            "1.",
            ".5",
            "1.5",
            "1e5",
            "1E+5",
            "1e",
            "1e-",
            "1.e5",
            "-1e999",
            "true",
            "tru",
            "truee",
            "null",
            "nul",
            "false",
            "\"\"",
            "\"",
            "\"a",
            "\"\\\"",
            "\"\\u00e9\"",
            "\"\\ud800\"",
            "\"\\u00g0\"",
            "\"\\u12\"",
            "\"\\x\"",
            "\"\t\"",
            "\"\u{7f}é\"",
            "\"0123456789abcde\"",
            "\"0123456789abcdef\"",
            "\"0123456789abcdef0\"",
            "[]",
            "[ ]",
            "[,]",
            "[1,]",
            "[1 2]",
            "[1,2",
            "{}",
            "{ }",
            "{,}",
            "{\"a\"}",
            "{\"a\":}",
            "{\"a\":1,}",
            "{\"a\":1 \"b\":2}",
            "{a:1}",
            "{1:2}",
            "[}",
            "{]",
            "[[]",
            "[]]",
            "[{}]",
            "{\"a\":[{\"b\":[]}]}",
            "1 2",
            "[1}",
            "{\"a\":1]",
            "\u{feff}1",
        ];
        for token in tokens {
            agree(token);
            agree(&format!(" {token}\n"));
            agree(&format!("[{token}]"));
            agree(&format!("{{\"k\":{token} , \"l\" : {token}}}"));
        }
    }

    #[test]
    fn nesting_is_remembered_at_every_depth() {
        for depth in [1, 2, 63, 64, 65, 127, 128, 129, 130, 1_000] {
            let opening: String = (0..depth)
                .map(|level| if level % 3 == 0 { "{\"a\":" } else { "[" })
                .collect();
            let closing: String = (0..depth)
                .rev()
                .map(|level| if level % 3 == 0 { "}" } else { "]" })
                .collect();
            agree(&format!("{opening}0{closing}"));
            assert!(scan(&format!("{opening}0{closing}")));
            let wrong = closing.replacen('}', "]", 1);
            agree(&format!("{opening}0{wrong}"));
            assert!(!scan(&format!("{opening}0{wrong}")));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn validity_is_that_of_serde_json(
            text in r#"([\[\]{},:" \\0-]|"[a-z]{0,20}"|"(\\["nu/]|[ -~]){0,40}"|-?[0-9]{1,3}(\.[0-9])?|true|null|"a":){0,16}"#
        ) {
            prop_assert_eq!(scan(&text), oracle(&text));
        }
    }
}
