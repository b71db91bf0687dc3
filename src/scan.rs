//! Where a JSON value ends, checking on the way that it is one (RFC 8259), in UTF-8.
//!
//! This is the hot path of the policy: most of an image stream is only passed over, and most of it
//! is strings, whose ends are found 16 bytes at a time. `serde_json` does the same in steps of a
//! machine word, which WebAssembly counts as 4 bytes; the tests hold the two together.

/// Behind the value that starts at `start`; none if there is no JSON value.
pub(crate) fn value_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut outer = Vec::new();
    let mut nesting = Nesting::new(&mut outer);
    let mut position = start;
    let mut before_key = false;
    loop {
        if before_key {
            position = key(bytes, position)?.value;
        }
        position = match bytes.get(position)? {
            b'"' => string_end(bytes, position)?.0,
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

/// A key of an object.
pub(crate) struct Key {
    /// Behind its closing quote.
    pub(crate) end: usize,
    pub(crate) has_escapes: bool,
    /// Where the value starts.
    pub(crate) value: usize,
}

/// The key that starts at `start`.
#[inline(always)]
pub(crate) fn key(bytes: &[u8], start: usize) -> Option<Key> {
    if bytes.get(start)? != &b'"' {
        return None;
    }
    let (end, has_escapes) = string_end(bytes, start)?;
    let colon = skip_space(bytes, end);
    (bytes.get(colon)? == &b':').then(|| Key {
        end,
        has_escapes,
        value: skip_space(bytes, colon + 1),
    })
}

/// Behind the white space at `position`.
#[inline(always)]
pub(crate) fn skip_space(bytes: &[u8], mut position: usize) -> usize {
    while matches!(bytes.get(position), Some(b' ' | b'\n' | b'\r' | b'\t')) {
        position += 1;
    }
    position
}

/// Behind the string whose opening quote stands at `start`, and whether it has escapes.
#[inline(always)]
fn string_end(bytes: &[u8], start: usize) -> Option<(usize, bool)> {
    let mut position = start + 1;
    let mut has_escapes = false;
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
            b'"' => return Some((position + 1, has_escapes)),
            b'\\' => {
                position = escape_end(bytes, position)?;
                has_escapes = true;
            }
            0x80.. => position = characters_end(bytes, position)?,
            _ => return None,
        }
    }
}

const CHUNK: usize = 16;

/// Whether a byte within a string ends it, escapes, is part of a character that is not ASCII, or may
/// not stand there.
pub(crate) fn is_special(byte: u8) -> bool {
    matches!(byte, b'"' | b'\\' | 0..b' ' | 0x80..)
}

#[cfg(not(all(target_family = "wasm", target_feature = "simd128")))]
fn first_special(chunk: &[u8; CHUNK]) -> Option<usize> {
    chunk.iter().position(|byte| is_special(*byte))
}

#[cfg(all(target_family = "wasm", target_feature = "simd128"))]
fn first_special(chunk: &[u8; CHUNK]) -> Option<usize> {
    use core::arch::wasm32::{
        i8x16_lt, i8x16_splat, u8x16_bitmask, u8x16_eq, u8x16_splat, u64x2, v128_or,
    };

    let number = u128::from_le_bytes(*chunk);
    #[expect(clippy::cast_possible_truncation, reason = "the two halves are wanted")]
    let bytes = u64x2(number as u64, (number >> 64) as u64);
    let quotes = u8x16_eq(bytes, u8x16_splat(b'"'));
    let escapes = u8x16_eq(bytes, u8x16_splat(b'\\'));
    // What is not ASCII is negative.
    let others = i8x16_lt(bytes, i8x16_splat(0x20));
    let special = u8x16_bitmask(v128_or(v128_or(quotes, escapes), others));
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

/// Behind the characters from `start` on that are not ASCII, if they are UTF-8.
#[inline(never)]
fn characters_end(bytes: &[u8], start: usize) -> Option<usize> {
    let rest = bytes.get(start..)?;
    let length = rest.iter().position(u8::is_ascii).unwrap_or(rest.len());
    let characters = rest.get(..length)?;
    std::str::from_utf8(characters)
        .is_ok()
        .then_some(start + length)
}

fn literal_end(bytes: &[u8], start: usize, literal: &[u8]) -> Option<usize> {
    let end = start + literal.len();
    (bytes.get(start..end)? == literal).then_some(end)
}

#[inline(always)]
fn number_end(bytes: &[u8], start: usize) -> Option<usize> {
    let integer = start + usize::from(bytes.get(start) == Some(&b'-'));
    let mut position = match bytes.get(integer)? {
        b'0' => integer + 1,
        b'1'..=b'9' => digits_end(bytes, integer + 1),
        _ => return None,
    };
    if bytes.get(position) == Some(&b'.') {
        position = some_digits_end(bytes, position + 1)?;
    }
    if matches!(bytes.get(position), Some(b'e' | b'E')) {
        let sign = matches!(bytes.get(position + 1), Some(b'+' | b'-'));
        position = some_digits_end(bytes, position + 1 + usize::from(sign))?;
    }
    Some(position)
}

/// Behind the digits at `position`.
fn digits_end(bytes: &[u8], mut position: usize) -> usize {
    while bytes.get(position).is_some_and(u8::is_ascii_digit) {
        position += 1;
    }
    position
}

/// Behind one or more digits.
fn some_digits_end(bytes: &[u8], start: usize) -> Option<usize> {
    Some(digits_end(bytes, start)).filter(|end| *end > start)
}

/// The open containers, innermost last, one bit each: whether it is an object. The first 64 need no
/// allocation.
struct Nesting<'o> {
    depth: usize,
    objects: u64,
    /// Behind a reference, so that the other two stay in registers.
    outer: &'o mut Vec<u64>,
}

impl<'o> Nesting<'o> {
    fn new(outer: &'o mut Vec<u64>) -> Self {
        Self {
            depth: 0,
            objects: 0,
            outer,
        }
    }

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
mod tests;
