//! What is built in: licences, sources and bans as `deny.toml` has them, without cargo-deny.

#[cfg(test)]
mod supply_chain {
    use std::collections::BTreeSet;
    use std::process::Command;

    use serde::Deserialize;

    #[derive(Deserialize)]
    struct Metadata {
        packages: Vec<Package>,
        workspace_members: Vec<String>,
    }

    #[derive(Deserialize)]
    struct Package {
        id: String,
        name: String,
        version: String,
        license: Option<String>,
        source: Option<String>,
        dependencies: Vec<Dependency>,
        publish: Option<Vec<String>>,
    }

    #[derive(Deserialize)]
    struct Dependency {
        name: String,
        kind: Option<String>,
    }

    const CRATES_IO: &str = "registry+https://github.com/rust-lang/crates.io-index";

    fn metadata() -> Metadata {
        let output = Command::new(env!("CARGO"))
            .args(["metadata", "--locked", "--offline", "--format-version", "1"])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output()
            .unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{error}");
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// The strings of the list that follows `start` in `deny.toml`.
    fn listed(start: &str) -> BTreeSet<String> {
        let path = format!("{}/deny.toml", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).unwrap();
        let (_, list) = text.split_once(start).unwrap();
        let (list, _) = list.split_once(']').unwrap();
        let lines = list.lines().map(str::trim);
        let entries = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
        entries
            .map(|entry| entry.trim_matches([',', '"']).to_owned())
            .collect()
    }

    /// Whether an SPDX expression is satisfied by the allowed licences; `/` is the old `OR`.
    fn allows(allowed: &BTreeSet<String>, expression: &str) -> bool {
        let spaced = expression
            .replace('(', " ( ")
            .replace(')', " ) ")
            .replace('/', " OR ");
        let tokens: Vec<_> = spaced.split_whitespace().collect();
        let mut rest = tokens.as_slice();
        any_of(allowed, &mut rest) && rest.is_empty()
    }

    fn any_of(allowed: &BTreeSet<String>, rest: &mut &[&str]) -> bool {
        let mut holds = all_of(allowed, rest);
        while let ["OR", tail @ ..] = *rest {
            *rest = tail;
            holds |= all_of(allowed, rest);
        }
        holds
    }

    fn all_of(allowed: &BTreeSet<String>, rest: &mut &[&str]) -> bool {
        let mut holds = licence(allowed, rest);
        while let ["AND", tail @ ..] = *rest {
            *rest = tail;
            holds &= licence(allowed, rest);
        }
        holds
    }

    fn licence(allowed: &BTreeSet<String>, rest: &mut &[&str]) -> bool {
        match *rest {
            ["(", tail @ ..] => {
                *rest = tail;
                let holds = any_of(allowed, rest);
                *rest = rest.strip_prefix(&[")"]).unwrap_or_default();
                holds
            }
            [name, "WITH", exception, tail @ ..] => {
                *rest = tail;
                allowed.contains(&format!("{name} WITH {exception}"))
            }
            [name, tail @ ..] => {
                *rest = tail;
                allowed.contains(*name)
            }
            [] => false,
        }
    }

    #[test]
    fn licence_expressions_are_understood() {
        let allowed = BTreeSet::from(["A", "B", "A WITH x"].map(String::from));
        for (expression, holds) in [
            ("A", true),
            ("C", false),
            ("A OR C", true),
            ("C/A", true),
            ("A AND C", false),
            ("(C OR A) AND B", true),
            ("C AND B OR A", true),
            ("C OR A AND C", false),
            ("A WITH x", true),
            ("B WITH x", false),
            ("A )", false),
            ("", false),
        ] {
            assert_eq!(allows(&allowed, expression), holds, "{expression:?}");
        }
    }

    #[test]
    fn every_package_has_a_licence_we_take_and_comes_from_crates_io() {
        let metadata = metadata();
        let (licences, banned) = (listed("allow = ["), listed("deny = ["));
        let members: BTreeSet<_> = metadata.workspace_members.iter().collect();
        let mut faults = Vec::new();
        for package in &metadata.packages {
            let name = format!("{} {}", package.name, package.version);
            if members.contains(&package.id) {
                if package.publish.as_ref().is_none_or(|to| !to.is_empty()) {
                    faults.push(format!("{name} is ours and could be published"));
                }
                continue;
            }
            let licence = package.license.as_deref().unwrap_or_default();
            if !allows(&licences, licence) {
                faults.push(format!("{name} has the licence `{licence}`"));
            }
            if package.source.as_deref() != Some(CRATES_IO) {
                faults.push(format!("{name} comes from {:?}", package.source));
            }
            if banned.contains(&package.name) {
                faults.push(format!("{name} is banned"));
            }
        }
        assert_eq!(faults, Vec::<String>::new());
        assert!(metadata.packages.len() > 100, "the graph is not complete");
    }

    /// The core has no door to the outside: no I/O, no clock, no random numbers through a crate.
    #[test]
    fn the_core_depends_on_serde_alone() {
        let metadata = metadata();
        let core = metadata.packages.iter();
        let core = core.filter(|package| package.name == "imagestream-import-mode");
        let names: Vec<Vec<_>> = core
            .map(|package| {
                let normal = package.dependencies.iter().filter(|to| to.kind.is_none());
                normal.map(|to| to.name.as_str()).collect()
            })
            .collect();
        assert_eq!(names, [["serde", "serde_json"]]);
    }
}
