//! Finding the end of a JSON value without reading what is in it.
//!
//! 64 bytes at a time become bit masks, one bit a byte: where quotes, backslashes and brackets
//! stand. What lies within strings follows from the quotes by a running exclusive or, and nesting
//! only needs brackets counted. (The idea is simdjson's, Langdale and Lemire, 2019, here with plain
//! 64-bit arithmetic.) Text that is not JSON ends the search at the end of the text at the latest.

const BLOCK: usize = 64;
const LOW: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;
/// Gathers the lowest bit of each byte in the highest byte.
const GATHER: u64 = 0x0102_0408_1020_4080;

/// Behind the string whose opening quote stands at `start`.
pub(crate) fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut position = start + 1;
    loop {
        let Some(rest) = bytes.get(position..) else {
            return bytes.len();
        };
        let Some(found) = rest.iter().position(|byte| matches!(byte, b'"' | b'\\')) else {
            return bytes.len();
        };
        match rest.get(found) {
            Some(b'"') => return position + found + 1,
            _ => position += found + 2,
        }
    }
}

/// Behind the object or array that opens at `start`.
pub(crate) fn container_end(bytes: &[u8], start: usize) -> usize {
    let mut position = start;
    let mut depth = 0_u32;
    let mut in_string = 0_u64;
    let mut escape = false;
    while let Some(rest) = bytes.get(position..).filter(|rest| !rest.is_empty()) {
        let masks = Masks::of(&block(rest));
        let quotes = drop_escaped(masks.quotes, masks.backslashes, &mut escape);
        let strings = running_xor(quotes) ^ in_string;
        in_string = spread_top_bit(strings);
        let opening = masks.opening & !strings;
        let closing = masks.closing & !strings;
        if closing.count_ones() >= depth
            && let Some(at) = closing_bit(opening, closing, depth)
        {
            return (position + at + 1).min(bytes.len());
        }
        depth += opening.count_ones();
        depth = depth.saturating_sub(closing.count_ones());
        position += BLOCK;
    }
    bytes.len()
}

/// Behind the number, `true`, `false` or `null` that starts at `start`.
pub(crate) fn scalar_end(bytes: &[u8], start: usize) -> usize {
    let rest = bytes.get(start + 1..).unwrap_or_default();
    let length = rest.iter().position(|byte| {
        matches!(
            byte,
            b',' | b':' | b'}' | b']' | b' ' | b'\n' | b'\r' | b'\t'
        )
    });
    length.map_or(bytes.len(), |length| start + 1 + length)
}

/// The first bytes of `rest`, filled up with spaces.
fn block(rest: &[u8]) -> [u8; BLOCK] {
    if let Some(block) = rest.first_chunk() {
        return *block;
    }
    let mut block = [b' '; BLOCK];
    for (to, from) in block.iter_mut().zip(rest) {
        *to = *from;
    }
    block
}

struct Masks {
    quotes: u64,
    backslashes: u64,
    opening: u64,
    closing: u64,
}

impl Masks {
    fn of(block: &[u8; BLOCK]) -> Self {
        let mut masks = Self {
            quotes: 0,
            backslashes: 0,
            opening: 0,
            closing: 0,
        };
        let (words, _) = block.as_chunks();
        for (index, word) in words.iter().enumerate() {
            let word = u64::from_le_bytes(*word);
            let shift = 8 * index;
            masks.quotes |= equal_bytes(word, b'"') << shift;
            masks.backslashes |= equal_bytes(word, b'\\') << shift;
            // `[` and `]` are `{` and `}` without this bit.
            let brackets = word | (LOW * 0x20);
            masks.opening |= equal_bytes(brackets, b'{') << shift;
            masks.closing |= equal_bytes(brackets, b'}') << shift;
        }
        masks
    }
}

/// One bit for each byte of `word` that is `byte`.
fn equal_bytes(word: u64, byte: u8) -> u64 {
    let difference = word ^ (LOW * u64::from(byte));
    let equal = !(((difference & !HIGH) + !HIGH) | difference) & HIGH;
    (equal >> 7).wrapping_mul(GATHER) >> 56
}

/// Bit n is the exclusive or of bits 0 to n: set from an opening quote up to before the closing one.
fn running_xor(mut bits: u64) -> u64 {
    for shift in [1, 2, 4, 8, 16, 32] {
        bits ^= bits << shift;
    }
    bits
}

fn spread_top_bit(bits: u64) -> u64 {
    0_u64.wrapping_sub(bits >> 63)
}

/// `quotes` without the escaped ones; `escape` says whether the byte before the block escapes, and
/// then whether the block's last byte does.
fn drop_escaped(quotes: u64, backslashes: u64, escape: &mut bool) -> u64 {
    if backslashes == 0 && !*escape {
        return quotes;
    }
    let mut escaping = backslashes & !u64::from(*escape);
    let mut escaped = u64::from(*escape);
    *escape = false;
    while escaping != 0 {
        let at = escaping & escaping.wrapping_neg();
        *escape = at << 1 == 0;
        escaped |= at << 1;
        escaping &= !(at | at << 1);
    }
    quotes & !escaped
}

/// Position of the closing bracket that ends `depth` open ones, if the block has it.
fn closing_bit(opening: u64, closing: u64, mut depth: u32) -> Option<usize> {
    let mut brackets = opening | closing;
    while brackets != 0 {
        let at = brackets & brackets.wrapping_neg();
        if at & opening != 0 {
            depth += 1;
        } else {
            depth = depth.saturating_sub(1);
            if depth == 0 {
                return Some(usize::try_from(at.trailing_zeros()).unwrap_or_default());
            }
        }
        brackets &= !at;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Byte by byte, as one would write it down first.
    fn obvious_container_end(bytes: &[u8], start: usize) -> usize {
        let (mut depth, mut in_string, mut escape) = (0_usize, false, false);
        for (position, byte) in bytes.iter().enumerate().skip(start) {
            let escaped = std::mem::take(&mut escape);
            if escaped && matches!(byte, b'\\' | b'"') {
                continue;
            }
            if *byte == b'\\' {
                escape = true;
            } else if *byte == b'"' {
                in_string = !in_string;
            } else if !in_string && matches!(byte, b'{' | b'[') {
                depth += 1;
            } else if !in_string && matches!(byte, b'}' | b']') {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return position + 1;
                }
            }
        }
        bytes.len()
    }

    #[test]
    fn ends_are_those_of_the_obvious_search_on_random_text() {
        let mut state = 1_u64;
        let mut random = |below: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        let alphabet = br#"{}[]"\,:a 1"#;
        for round in 0..20_000 {
            let length = random(200);
            let mut text = vec![b"{["[usize::from(round % 2 == 0)]];
            for _ in 0..length {
                // Mostly filler, so that nesting lasts over several blocks.
                let pick = if random(4) == 0 { random(11) } else { 8 };
                text.push(alphabet[usize::try_from(pick).unwrap()]);
            }
            assert_eq!(
                container_end(&text, 0),
                obvious_container_end(&text, 0),
                "{}",
                String::from_utf8_lossy(&text)
            );
        }
    }

    #[test]
    fn brackets_in_strings_and_escapes_do_not_count() {
        let text = br#"{"a\\":"}]\"}", "b":[{"\\\"":1}]} tail"#;
        assert_eq!(container_end(text, 0), text.len() - " tail".len());
        for filler in 0..130 {
            let text = format!("[\"{}\\\"]\", {{}}]]", "x".repeat(filler));
            assert_eq!(container_end(text.as_bytes(), 0), text.len() - 1);
        }
    }
}
