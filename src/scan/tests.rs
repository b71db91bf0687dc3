//! The scanner and `serde_json` agree.

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
