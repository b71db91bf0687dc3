//! The workflows call what runs on a desk.

use std::collections::BTreeSet;

use crate::support::{MAKEFILES, files, read, yaml_file};

/// What runs in a workflow runs on a desk.
#[test]
fn workflows_call_make_or_install() {
    let makefiles = MAKEFILES.map(read).join("\n");
    let mut called = BTreeSet::new();
    for file in files(".github/workflows", &["yml"]) {
        let workflow = yaml_file(&file);
        assert!(
            workflow["permissions"].is_object(),
            "{file}: rights are stated"
        );
        for (job, steps) in workflow["jobs"].as_object().unwrap() {
            assert!(
                steps["timeout-minutes"].is_u64(),
                "{file}: {job} has no time limit"
            );
            for step in steps["steps"].as_array().unwrap() {
                if let Some(uses) = step.get("uses") {
                    assert!(
                        uses.as_str().unwrap().contains('@'),
                        "{file}: {uses} has no version"
                    );
                    continue;
                }
                let run = step["run"]
                    .as_str()
                    .unwrap_or_else(|| panic!("{file}: {job}: {step}"));
                let words: Vec<_> = run.split_whitespace().collect();
                match words.as_slice() {
                    ["make", target, rest @ ..] => {
                        assert!(
                            rest.iter().all(|word| word.contains('=')
                                || word.contains("matrix")
                                || *word == "}}"),
                            "{file}: {run}"
                        );
                        called.insert((*target).to_owned());
                    }
                    ["rustup", "toolchain", "install"]
                    | ["sudo", "apt-get", "install", "--yes", ..]
                    | ["cargo", "install", "--locked", _] => {}
                    _ => panic!("{file}: `{run}` is neither a make target nor an installation"),
                }
            }
        }
    }
    for target in &called {
        assert!(
            makefiles
                .lines()
                .any(|line| line.starts_with(&format!("{target}:"))),
            "no make target {target}"
        );
    }
    for target in ["lint", "test", "run", "e2e", "release-check"] {
        assert!(called.contains(target), "no workflow calls make {target}");
    }
}

#[test]
fn ci_is_what_the_contributing_guide_says() {
    let script = read(".ci/run");
    let last = script.trim_end().lines().last().unwrap();
    let guide = read("CONTRIBUTING.md");
    assert!(
        guide.contains(&format!("`{last}`")),
        "CONTRIBUTING.md does not name `{last}`"
    );
}
