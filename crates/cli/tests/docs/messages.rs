//! Every message of the code stands in the troubleshooting page.
//!
//! What counts as a message: the texts in `Display` of every error type, wherever it is, and every
//! text of at least two words in the files below. `{…}` in them is left out.

use std::collections::BTreeSet;

use imagestream_import_mode::WarningKind;
use proc_macro2::{Delimiter, TokenStream, TokenTree};

use crate::support::{fences, files, read};

/// Files and folders in which every text is a message, or stands in [`NO_MESSAGES`].
const ALL_TEXTS: [&str; 15] = [
    "src/admission.rs",
    "src/cluster.rs",
    "src/decide.rs",
    "src/settings/fault.rs",
    "src/warning.rs",
    "crates/cli/src/annotate.rs",
    "crates/cli/src/artifacthub.rs",
    "crates/cli/src/cluster/",
    "crates/cli/src/input/",
    "crates/cli/src/judge.rs",
    "crates/cli/src/layers/dump.rs",
    "crates/cli/src/layers/mod.rs",
    "crates/cli/src/module.rs",
    "crates/cli/src/preflight.rs",
    "crates/cli/src/settings_source.rs",
];

/// Texts in those files that are none: parts of a result.
const NO_MESSAGES: [&str; 7] = [
    "standard input",
    ", in the module",
    "MIRRORED AS",
    "would import,",
    "of them with all platforms instead of one,",
    "of these from a mirror.",
    "Each listed image must have every platform of its list in the mirror, or its import fails.",
];

/// One text of the code.
type Text = (String, String);

/// The string literals of a token stream, without attributes and without test modules.
fn literals(stream: TokenStream, found: &mut Vec<String>) {
    let mut tokens = stream.into_iter().peekable();
    let mut test = false;
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(punct) if punct.as_char() == '#' => {
                if let Some(TokenTree::Punct(inner)) = tokens.peek()
                    && inner.as_char() == '!'
                {
                    tokens.next();
                }
                if let Some(TokenTree::Group(group)) = tokens.peek()
                    && group.delimiter() == Delimiter::Bracket
                {
                    let attribute = group.stream().to_string().replace(' ', "");
                    test |= attribute == "cfg(test)";
                    tokens.next();
                }
            }
            TokenTree::Group(group) => {
                // The braces of a test module are the first behind its attribute.
                if test && group.delimiter() == Delimiter::Brace {
                    test = false;
                } else {
                    literals(group.stream(), found);
                }
            }
            TokenTree::Literal(literal) => {
                if let Ok(text) = syn::parse_str::<syn::LitStr>(&literal.to_string()) {
                    found.push(text.value());
                }
            }
            TokenTree::Punct(punct) if punct.as_char() == ';' => test = false,
            TokenTree::Ident(_) | TokenTree::Punct(_) => {}
        }
    }
}

/// The name of the type in `impl TRAIT for NAME`, if the trait ends with `wanted`.
fn implements(item: &syn::Item, wanted: &str) -> Option<(String, TokenStream)> {
    let syn::Item::Impl(item) = item else {
        return None;
    };
    let (_, path, _) = item.trait_.as_ref()?;
    let syn::Type::Path(of) = &*item.self_ty else {
        return None;
    };
    let name = of.path.segments.last()?.ident.to_string();
    let body = item
        .items
        .iter()
        .map(quote::ToTokens::to_token_stream)
        .collect();
    (path.segments.last()?.ident == wanted).then_some((name, body))
}

/// Every message, with its file.
fn messages() -> BTreeSet<Text> {
    let mut messages = BTreeSet::new();
    let mut sources = files("src", &["rs"]);
    for folder in ["crates/host/src", "crates/cli/src", "crates/serve/src"] {
        sources.extend(files(folder, &["rs"]));
    }
    sources.retain(|file| !file.ends_with("tests.rs"));
    for file in sources {
        let text = read(&file);
        let mut found = Vec::new();
        if ALL_TEXTS.iter().any(|path| file.starts_with(path)) {
            literals(text.parse().unwrap(), &mut found);
        } else {
            let parsed = syn::parse_file(&text).unwrap_or_else(|error| panic!("{file}: {error}"));
            let errors: Vec<_> = parsed
                .items
                .iter()
                .filter_map(|item| implements(item, "Error"))
                .collect();
            for (name, body) in parsed
                .items
                .iter()
                .filter_map(|item| implements(item, "Display"))
            {
                if errors.iter().any(|(error, _)| *error == name) {
                    literals(body, &mut found);
                }
            }
        }
        messages.extend(found.into_iter().map(|text| (file.clone(), text)));
    }
    messages
}

/// The parts of a text between its placeholders that say something.
fn fragments(text: &str) -> Vec<String> {
    let mut fragments = vec![String::new()];
    let mut depth = 0;
    for character in text.chars() {
        match character {
            '{' => {
                depth += 1;
                fragments.push(String::new());
            }
            '}' => depth -= 1,
            _ if depth == 0 => {
                if let Some(last) = fragments.last_mut() {
                    last.push(character);
                }
            }
            _ => {}
        }
    }
    fragments
        .into_iter()
        .map(|fragment| normal(&fragment).trim().to_owned())
        .filter(|fragment| {
            fragment
                .split_whitespace()
                .filter(|word| word.contains(char::is_alphabetic))
                .count()
                > 1
        })
        .collect()
}

fn normal(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn no_message_is_missing_from_the_troubleshooting_page() {
    let page = normal(&read("docs/troubleshooting.md").replace("\\|", "|"));
    let messages = messages();
    assert!(messages.len() > 80, "only {} texts", messages.len());
    let missing: Vec<_> = messages
        .iter()
        .flat_map(|(file, text)| {
            fragments(text)
                .into_iter()
                .map(move |fragment| (file, fragment))
        })
        .filter(|(_, fragment)| !NO_MESSAGES.contains(&fragment.as_str()))
        .filter(|(_, fragment)| !page.contains(fragment.as_str()))
        .map(|(file, fragment)| format!("{file}: {fragment}"))
        .collect();
    assert!(
        missing.is_empty(),
        "docs/troubleshooting.md does not have\n{}",
        missing.join("\n")
    );
}

#[test]
fn every_kind_of_warning_has_its_heading() {
    let page = read("docs/troubleshooting.md");
    let (_, prose) = fences(&page);
    let headings: Vec<_> = prose
        .lines()
        .filter_map(|line| line.strip_prefix("### "))
        .collect();
    let kinds: Vec<_> = WarningKind::ALL.iter().map(|kind| kind.as_str()).collect();
    let warnings: Vec<_> = headings
        .into_iter()
        .filter(|heading| kinds.contains(heading))
        .collect();
    assert_eq!(warnings, kinds);
}

#[test]
fn texts_are_found_and_tests_are_not() {
    let source = r#"
        //! Not this text.
        /// Nor this text.
        fn f() { g("a text", format!("b {x} c d")); }
        #[cfg(test)]
        mod tests { fn t() { h("no text"); } }
        fn k() { l("last text"); }
    "#;
    let mut found = Vec::new();
    literals(source.parse().unwrap(), &mut found);
    assert_eq!(found, ["a text", "b {x} c d", "last text"]);
    assert_eq!(fragments("b {x} c d, e {y:?}"), ["c d, e"]);
}
