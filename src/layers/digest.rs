//! Names of blobs and images as keys: a SHA-256 digest takes 32 bytes instead of 71.

use std::cmp::Ordering;
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
    pub(super) fn of(text: &str) -> Self {
        match sha256(text) {
            Some(digest) => Self::Sha256(digest),
            None => Self::Other(text.into()),
        }
    }

    /// Hands the text to `read`; that of a digest is on the stack.
    pub(super) fn read<T>(&self, read: impl FnOnce(&str) -> T) -> T {
        match self {
            Self::Sha256(bytes) => {
                let mut text = [0; PREFIX.len() + 64];
                let (prefix, digits) = text.split_at_mut(PREFIX.len());
                prefix.copy_from_slice(PREFIX.as_bytes());
                let (pairs, _) = digits.as_chunks_mut::<2>();
                for (pair, byte) in pairs.iter_mut().zip(bytes) {
                    *pair = [digit(byte >> 4), digit(byte & 0xf)];
                }
                read(str::from_utf8(&text).unwrap_or_default())
            }
            Self::Other(text) => read(text),
        }
    }
}

impl Ord for Key {
    /// The order of the texts, which is that of the bytes for two digests.
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Sha256(one), Self::Sha256(other)) => one.cmp(other),
            _ => self.read(|one| other.read(|other| one.cmp(other))),
        }
    }
}

impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Default for Key {
    /// The empty text.
    fn default() -> Self {
        Self::Other(Arc::default())
    }
}

/// The 32 bytes of a digest in canonical spelling, the only one that [`Key::Sha256`] gives back.
pub(super) fn sha256(text: &str) -> Option<[u8; 32]> {
    let (pairs, rest) = text.strip_prefix(PREFIX)?.as_bytes().as_chunks::<2>();
    if pairs.len() != 32 || !rest.is_empty() {
        return None;
    }
    let mut bytes = [0; 32];
    let mut all = 0;
    for (byte, [high, low]) in bytes.iter_mut().zip(pairs) {
        let (high, low) = (nibble(*high), nibble(*low));
        *byte = high << 4 | low & 0xf;
        all |= high | low;
    }
    (all < 16).then_some(bytes)
}

/// The value of each lower-case hexadecimal digit, 255 for any other byte: a look-up instead of a branch,
/// which the random digits of a digest would mispredict.
const NIBBLES: [u8; 256] = {
    let mut table = [255; 256];
    let mut value = 0;
    let mut rest: &[u8] = HEX;
    while let [first, others @ ..] = rest {
        #[expect(clippy::indexing_slicing, reason = "checked when it is compiled")]
        {
            table[*first as usize] = value;
        }
        value += 1;
        rest = others;
    }
    table
};

fn nibble(digit: u8) -> u8 {
    NIBBLES.get(usize::from(digit)).copied().unwrap_or(255)
}

fn digit(nibble: u8) -> u8 {
    HEX.get(usize::from(nibble)).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_canonical_digest_comes_back_as_it_was() {
        let text = format!("sha256:{}", "09af".repeat(16));
        let key = Key::of(&text);
        assert!(matches!(key, Key::Sha256(_)));
        assert_eq!(key.read(str::to_owned), text);
    }

    #[test]
    fn keys_have_the_order_of_their_texts() {
        let mut texts: Vec<String> = ["", "b", "sha256:", "sha256:0", "sha256:g", "sha512:0", "ab"]
            .map(String::from)
            .to_vec();
        texts.extend((0..256).map(|byte| format!("sha256:{byte:02x}{}", "7f".repeat(31))));
        let mut keys: Vec<Key> = texts.iter().map(|text| Key::of(text)).collect();
        texts.sort_unstable();
        keys.sort_unstable();
        let sorted: Vec<String> = keys.iter().map(|key| key.read(str::to_owned)).collect();
        assert_eq!(sorted, texts);
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
