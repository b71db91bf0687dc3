//! Which of two states of an object is the newer one.

/// The resource version of an object.
///
/// Kubernetes calls it opaque; every API server writes the revision of its store, a number that grows
/// with each write, and client-go compares it as one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ResourceVersion {
    /// The object has none: it was written by hand.
    #[default]
    None,
    /// A revision.
    Number(u64),
    /// Something that cannot be compared.
    Text(Box<str>),
}

impl ResourceVersion {
    /// The version of this text, as `metadata.resourceVersion` holds it.
    #[must_use]
    pub fn new(text: &str) -> Self {
        match text.parse() {
            _ if text.is_empty() => Self::None,
            // Only the spelling that is written back unchanged is a number.
            Ok(number) if !text.starts_with(['0', '+']) || text == "0" => Self::Number(number),
            _ => Self::Text(text.into()),
        }
    }

    /// The text that the version was read from, empty if there is none.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::None => String::new(),
            Self::Number(number) => number.to_string(),
            Self::Text(text) => text.to_string(),
        }
    }

    /// Whether this state replaces the `stored` one: not if both are numbers and it is older or equal.
    #[must_use]
    pub fn replaces(&self, stored: &Self) -> bool {
        match (self, stored) {
            (Self::Number(new), Self::Number(old)) => new > old,
            _ => true,
        }
    }

    pub(super) fn number(&self) -> Option<u64> {
        match self {
            Self::Number(number) => Some(*number),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_newer_number_replaces_a_number() {
        let version = ResourceVersion::new;
        assert!(version("10").replaces(&version("9")));
        assert!(!version("9").replaces(&version("10")));
        assert!(!version("10").replaces(&version("10")));
        assert!(version("").replaces(&version("10")));
        assert!(version("abc").replaces(&version("10")));
        assert!(version("10").replaces(&version("")));
    }

    #[test]
    fn the_text_comes_back_as_it_was() {
        for text in ["", "0", "7", "007", "+7", "18446744073709551616", "a b"] {
            assert_eq!(ResourceVersion::new(text).text(), text);
        }
    }
}
