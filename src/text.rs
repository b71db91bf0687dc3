//! Text of strangers in our messages.

/// `text` with control characters replaced, cut to `longest` characters with a trailing `…`.
pub fn shown(text: &str, longest: usize) -> String {
    let mut characters = text.chars();
    let mut shown: String = characters
        .by_ref()
        .take(longest)
        .map(|character| {
            if is_unprintable(character) {
                '\u{fffd}'
            } else {
                character
            }
        })
        .collect();
    if characters.next().is_some() {
        shown.pop();
        shown.push('…');
    }
    shown
}

/// Where `wanted` first stands in `text`; a tenth of the code of [`str::find`], which is for longer texts.
pub(crate) fn find(text: &str, wanted: &str) -> Option<usize> {
    let mut windows = text.as_bytes().windows(wanted.len());
    windows.position(|window| window == wanted.as_bytes())
}

/// Control characters, and those that end lines or turn the direction of writing.
fn is_unprintable(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{2028}' | '\u{2029}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}
