//! The scanner and `serde_json` agree.

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::value::RawValue;

use super::*;

/// The whole text is one value, says `serde_json`.
fn oracle(text: &str) -> bool {
    serde_json::from_str::<&RawValue>(text).is_ok()
}

fn scan(text: &str) -> bool {
    scan_bytes(text.as_bytes())
}

fn scan_bytes(bytes: &[u8]) -> bool {
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

#[test]
fn only_utf_8_is_json() {
    for inside in [
        &[0xc3, 0xa9][..],
        &[0xf0, 0x9f, 0x98, 0x80],
        &[0xc3],
        &[0xa9],
        &[0xc0, 0xaf],
        &[0xed, 0xa0, 0x80],
        &[0xf4, 0x90, 0x80, 0x80],
        &[0xe6, 0x97, 0xa5, 0xff],
    ] {
        for before in [0, 1, 14, 15, 16, 17] {
            let document = [b"[\"", "x".repeat(before).as_bytes(), inside, b"\",1]"].concat();
            let is_utf_8 = std::str::from_utf8(inside).is_ok();
            assert_eq!(scan_bytes(&document), is_utf_8, "{document:?}");
        }
        assert!(!scan_bytes(inside));
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

    #[test]
    fn bytes_are_json_if_they_are_utf_8_and_serde_json_takes_them(
        pieces in vec(prop_oneof![
            3 => "[a-z\"\\\\,é日😀 \\[\\]]{0,6}".prop_map(String::into_bytes),
            1 => vec(any::<u8>(), 0..3),
        ], 0..8)
    ) {
        let document = [&b"[\""[..], &pieces.concat(), b"\"]"].concat();
        let expected = std::str::from_utf8(&document).is_ok_and(oracle);
        prop_assert_eq!(scan_bytes(&document), expected);
    }
}
