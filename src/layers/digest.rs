//! Names of blobs and images as keys: a SHA-256 digest takes 32 bytes instead of 71.

use std::sync::Arc;

const PREFIX: &str = "sha256:";
const HEX: &[u8; 16] = b"0123456789abcdef";

/// A digest, media type or name; keys are equal exactly when their texts are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Key {
    /// `sha256:` and 64 lower-case hexadecimal digits.
    Sha256([u8; 32]),
    /// Any other text: `sha512:…`, an image that was not named by digest, a media type.
    Other(Arc<str>),
}

impl Key {
    pub(super) fn text(&self) -> String {
        match self {
            Self::Sha256(bytes) => {
                let mut text = String::with_capacity(PREFIX.len() + 64);
                text.push_str(PREFIX);
                for byte in bytes {
                    for nibble in [byte >> 4, byte & 0xf] {
                        text.push(char::from(
                            HEX.get(usize::from(nibble)).copied().unwrap_or_default(),
                        ));
                    }
                }
                text
            }
            Self::Other(text) => text.to_string(),
        }
    }
}

/// The 32 bytes of a digest in canonical spelling, the only one that [`Key::Sha256`] gives back.
pub(super) fn sha256(text: &str) -> Option<[u8; 32]> {
    let (pairs, rest) = text.strip_prefix(PREFIX)?.as_bytes().as_chunks::<2>();
    if pairs.len() != 32 || !rest.is_empty() {
        return None;
    }
    let mut bytes = [0; 32];
    for (byte, [high, low]) in bytes.iter_mut().zip(pairs) {
        *byte = nibble(*high)? << 4 | nibble(*low)?;
    }
    Some(bytes)
}

fn nibble(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_canonical_digest_comes_back_as_it_was() {
        let text = format!("sha256:{}", "09af".repeat(16));
        let key = Key::Sha256(sha256(&text).unwrap());
        assert_eq!(key.text(), text);
    }

    #[test]
    fn another_spelling_is_another_name() {
        for text in [
            "",
            "sha256:",
            "bare-image",
            &format!("sha256:{}", "AB".repeat(32)),
            &format!("sha256:{}", "ab".repeat(31)),
            &format!("sha256:{}0", "ab".repeat(32)),
            &format!("sha512:{}", "ab".repeat(32)),
            &format!("sha256:{}é", "a".repeat(62)),
        ] {
            assert_eq!(sha256(text), None, "{text}");
        }
    }
}
