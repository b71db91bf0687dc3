//! Links lead somewhere.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use crate::support::{fences, pages, project, read};

/// Anchors as GitHub makes them of headings.
fn anchors(text: &str) -> Vec<String> {
    let (_, prose) = fences(text);
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let headings = prose.lines().filter(|line| line.starts_with('#'));
    headings
        .filter_map(|line| line.trim_start_matches('#').strip_prefix(' '))
        .map(|heading| {
            let kept = heading
                .trim()
                .chars()
                .filter_map(|character| match character {
                    ' ' => Some('-'),
                    '-' | '_' => Some(character),
                    _ if character.is_alphanumeric() => Some(character.to_ascii_lowercase()),
                    _ => None,
                });
            let slug: String = kept.collect();
            let count = counts.entry(slug.clone()).or_default();
            *count += 1;
            if *count == 1 {
                slug
            } else {
                format!("{slug}-{}", *count - 1)
            }
        })
        .collect()
}

/// The targets of `[text](target)` and `![text](target)`, code spans left out.
fn targets(prose: &str) -> Vec<String> {
    let mut targets = Vec::new();
    for line in prose.lines() {
        let mut in_code = false;
        let text: String = line
            .chars()
            .filter(|character| {
                in_code ^= *character == '`';
                !in_code && *character != '`'
            })
            .collect();
        let mut rest = text.as_str();
        while let Some((_, after)) = rest.split_once("](") {
            let (target, after) = after.split_once(')').expect("a link is closed");
            targets.push(target.to_owned());
            rest = after;
        }
    }
    targets
}

/// `path` with `..` resolved by its text.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => assert!(normal.pop(), "{} leaves the project", path.display()),
            Component::CurDir => {}
            other => normal.push(other),
        }
    }
    normal
}

#[test]
fn every_link_resolves() {
    let mut checked = 0;
    for page in pages() {
        let text = read(&page);
        for target in targets(&fences(&text).1) {
            if target.starts_with("https://") {
                continue;
            }
            checked += 1;
            let (file, anchor) = target.split_once('#').unwrap_or((&target, ""));
            let file = if file.is_empty() {
                page.clone()
            } else {
                let folder = Path::new(&page).parent().unwrap();
                normal(&folder.join(file)).display().to_string()
            };
            assert!(project(&file).exists(), "{page}: `{target}` leads nowhere");
            if !anchor.is_empty() {
                let anchors = anchors(&read(&file));
                assert!(
                    anchors.iter().any(|known| known == anchor),
                    "{page}: `{target}`: {file} has {anchors:?}"
                );
            }
        }
    }
    assert!(checked > 60, "only {checked} links");
}

#[test]
fn every_page_is_linked_from_the_readme() {
    let readme = read("README.md");
    for page in pages().iter().filter(|page| page.starts_with("docs/")) {
        assert!(
            readme.contains(&format!("({page})")),
            "README.md does not link {page}"
        );
    }
}

#[test]
fn anchors_are_those_of_github() {
    let text = "# Has the author decided?\n## make cases\n```sh\n# no heading\n```\n## `a` b-c_d\n## make cases\n";
    assert_eq!(
        anchors(text),
        [
            "has-the-author-decided",
            "make-cases",
            "a-b-c_d",
            "make-cases-1"
        ]
    );
}
