//! Keys of the caches: neither a token nor a long name stays in memory.

use ring::digest::{Context, SHA256};

/// The SHA-256 of a sequence of texts.
pub(super) type Key = [u8; 32];

/// The key of these texts in this order.
pub(super) fn key<'a>(texts: impl IntoIterator<Item = &'a [u8]>) -> Key {
    let mut context = Context::new(&SHA256);
    for text in texts {
        // The length says where one text ends, so that no two sequences meet.
        context.update(&(text.len() as u64).to_le_bytes());
        context.update(text);
    }
    let mut key = Key::default();
    for (to, from) in key.iter_mut().zip(context.finish().as_ref()) {
        *to = *from;
    }
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_places_of_the_borders_count() {
        let ab_c: [&[u8]; 2] = [b"ab", b"c"];
        let a_bc: [&[u8]; 2] = [b"a", b"bc"];
        assert_ne!(key(ab_c), key(a_bc));
        assert_eq!(key(ab_c), key(ab_c));
    }
}
