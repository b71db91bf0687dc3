//! Versions, placeholders, Artifact Hub, Rancher's form, workflows.

use std::collections::BTreeSet;
use std::process::Command;

use imagestream_import_mode::settings::KEYS;
use serde_json::{Value, json};

use crate::manifests::check_settings;
use crate::support::{files, pages, project, read, yaml, yaml_file};

const VERSION: &str = env!("CARGO_PKG_VERSION");

fn artifacthub(created_at: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_imagestream-import-mode"))
        .args(["artifacthub", "--created-at", created_at])
        .current_dir(project(""))
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// The date of the newest release in the changelog.
fn released() -> String {
    let changelog = read("CHANGELOG.md");
    let heading = format!("## [{VERSION}] - ");
    let date = changelog
        .lines()
        .find_map(|line| line.strip_prefix(&heading));
    date.unwrap_or_else(|| panic!("CHANGELOG.md has no `{heading}DATE`"))
        .to_owned()
}

#[test]
fn the_version_is_the_same_everywhere() {
    let newest = read("CHANGELOG.md");
    let mut releases = newest
        .lines()
        .filter(|line| line.starts_with("## [") && !line.contains("Unreleased"));
    assert!(
        releases
            .next()
            .unwrap()
            .starts_with(&format!("## [{VERSION}] - "))
    );
    let metadata = yaml_file("policy-metadata.yml");
    assert_eq!(
        metadata["annotations"]["io.kubewarden.policy.version"],
        VERSION
    );
    assert_eq!(yaml_file("artifacthub-pkg.yml")["version"], VERSION);
    let image = metadata["annotations"]["io.kubewarden.policy.ociUrl"]
        .as_str()
        .unwrap();
    let mut places = pages();
    places.retain(|page| page != "CHANGELOG.md");
    places.extend(files("examples/openshift", &["yaml"]));
    for file in places {
        let text = read(&file);
        for (at, _) in text.match_indices(image) {
            let rest = text.get(at + image.len()..).unwrap();
            assert!(
                rest.starts_with(&format!(":v{VERSION}")),
                "{file}: {image}{}",
                rest.lines().next().unwrap_or_default()
            );
        }
    }
}

#[test]
fn artifacthub_pkg_is_what_the_tool_writes() {
    assert_eq!(
        read("artifacthub-pkg.yml"),
        artifacthub(&format!("{}T00:00:00Z", released())),
        "run `make artifacthub`"
    );
}

/// Artifact Hub refuses unknown keys (artifacthub/hub `internal/pkg/metadata.go`).
#[test]
fn artifacthub_pkg_has_what_artifact_hub_takes() {
    let package = yaml_file("artifacthub-pkg.yml");
    let keys: Vec<_> = package
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    let mut expected = vec![
        "version",
        "name",
        "displayName",
        "createdAt",
        "description",
        "license",
        "homeURL",
        "containersImages",
        "keywords",
        "links",
        "install",
        "maintainers",
        "provider",
        "recommendations",
        "annotations",
    ];
    expected.sort_unstable();
    let mut sorted = keys;
    sorted.sort_unstable();
    assert_eq!(sorted, expected);
    let metadata = yaml_file("policy-metadata.yml");
    let of = |key: &str| metadata["annotations"][key].as_str().unwrap().to_owned();
    let image = format!("{}:v{VERSION}", of("io.kubewarden.policy.ociUrl"));
    assert_eq!(
        package["containersImages"],
        json!([{"name": "policy", "image": image}])
    );
    let annotations = &package["annotations"];
    assert_eq!(annotations["kubewarden/mutation"], "true");
    assert_eq!(
        annotations["kubewarden/resources"],
        of("io.artifacthub.resources")
    );
    assert_eq!(
        annotations["kubewarden/questions-ui"],
        read("questions-ui.yml")
    );
    for (key, field) in [
        ("kubewarden/rules", "rules"),
        ("kubewarden/contextAwareResources", "contextAwareResources"),
    ] {
        let shown = yaml(annotations[key].as_str().unwrap()).remove(0);
        assert_eq!(shown, metadata[field], "{key}");
    }
    let (name, email) = of("io.kubewarden.policy.author")
        .split_once(" <")
        .map(|(a, b)| (a.to_owned(), b.trim_end_matches('>').to_owned()))
        .unwrap();
    assert_eq!(
        package["maintainers"],
        json!([{"name": name, "email": email}])
    );
    let repository = yaml_file("artifacthub-repo.yml");
    assert_eq!(repository["owners"], package["maintainers"]);
    let keys: Vec<_> = repository.as_object().unwrap().keys().cloned().collect();
    assert_eq!(keys, ["owners", "repositoryID"]);
}

#[test]
fn times_that_are_none_are_refused() {
    let output = Command::new(env!("CARGO_BIN_EXE_imagestream-import-mode"))
        .args(["artifacthub", "--created-at", "2026-11-30"])
        .output()
        .unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    let text = "`2026-11-30` is not a time in RFC 3339; write it as in `2026-11-30T00:00:00Z`";
    assert!(errors.contains(text), "{errors}");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn every_setting_is_asked_once() {
    let questions = yaml_file("questions-ui.yml");
    let questions = questions["questions"].as_array().unwrap();
    let asked: Vec<_> = questions
        .iter()
        .map(|question| question["variable"].as_str().unwrap())
        .collect();
    assert_eq!(asked, KEYS);
    let mut defaults = serde_json::Map::new();
    for question in questions {
        let variable = question["variable"].as_str().unwrap();
        defaults.insert(variable.to_owned(), question["default"].clone());
        assert!(
            !question["description"].as_str().unwrap().is_empty(),
            "{variable}"
        );
        for option in question
            .get("options")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            check_settings(variable, &json!({ variable: option }));
        }
    }
    // What the form sends when nothing is touched.
    check_settings("the defaults", &Value::Object(defaults));
}

/// The schema's values are the form's, so that none is forgotten.
#[test]
fn every_value_can_be_chosen() {
    let schema: Value = serde_json::from_str(&read("crates/cli/src/settings.schema.json")).unwrap();
    for question in yaml_file("questions-ui.yml")["questions"]
        .as_array()
        .unwrap()
    {
        let Some(options) = question.get("options") else {
            continue;
        };
        let variable = question["variable"].as_str().unwrap();
        let offered: BTreeSet<_> = options
            .as_array()
            .unwrap()
            .iter()
            .filter_map(Value::as_str)
            .filter(|text| !text.is_empty())
            .collect();
        let legal = schema["properties"][variable].to_string();
        for value in &offered {
            assert!(
                legal.contains(&format!("\"{value}\"")),
                "{variable}: {value}"
            );
        }
        let named = read("docs/settings.md");
        let row = named
            .lines()
            .find(|line| line.starts_with(&format!("| [`{variable}`]")))
            .unwrap();
        let documented = row.split('|').nth(2).unwrap();
        let documented: BTreeSet<_> = documented.split('`').skip(1).step_by(2).collect();
        assert_eq!(offered, documented, "{variable}");
    }
}

#[test]
fn every_setting_is_documented_in_order() {
    for page in ["README.md", "docs/settings.md"] {
        let text = read(page);
        let rows = text
            .lines()
            .filter_map(|line| line.strip_prefix("| `").or(line.strip_prefix("| [`")));
        let named: Vec<_> = rows
            .filter_map(|row| row.split('`').next())
            .filter(|key| KEYS.contains(key))
            .collect();
        assert_eq!(named, KEYS, "{page}");
    }
}

const MAKEFILES: [&str; 4] = ["Makefile", "bench.mk", "checks.mk", "release.mk"];

/// What runs in a workflow runs on a desk.
#[test]
fn workflows_call_make_or_install() {
    let makefiles = MAKEFILES.map(read);
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
                .iter()
                .flat_map(|makefile| makefile.lines())
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

/// `make adopt` reaches every placeholder that is published.
#[test]
fn a_fork_replaces_the_placeholders_in_one_go() {
    let fork = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("fork");
    let _ = std::fs::remove_dir_all(&fork);
    let run = |program: &str, args: &[&str]| {
        let output = Command::new(program)
            .args(args)
            .current_dir(&fork)
            .env_remove("MAKEFLAGS")
            .env_remove("MAKELEVEL")
            .output()
            .unwrap();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{program} {args:?}: {errors}");
        String::from_utf8(output.stdout).unwrap()
    };
    let mut shipped = pages();
    for (folder, extensions) in [("examples", &["yaml", "txt"]), (".github", &["yml", "yml"])] {
        shipped.extend(files(folder, extensions));
    }
    let top = [
        "Cargo.toml",
        "policy-metadata.yml",
        "artifacthub-pkg.yml",
        "artifacthub-repo.yml",
        "questions-ui.yml",
    ];
    shipped.extend(top.map(str::to_owned));
    shipped.extend(MAKEFILES.map(str::to_owned));
    for file in &shipped {
        let target = fork.join(file);
        std::fs::create_dir_all(target.parent().unwrap()).unwrap();
        std::fs::copy(project(file), target).unwrap();
    }
    run("git", &["init", "--quiet"]);
    run("git", &["add", "--all"]);
    run(
        "make",
        &["--silent", "adopt", "OWNER=acme", "DOMAIN=acme.io"],
    );
    for file in &shipped {
        let text = std::fs::read_to_string(fork.join(file)).unwrap();
        if file == "release.mk" {
            continue;
        }
        for placeholder in ["example-org", "example.org"] {
            let left = text
                .lines()
                .find(|line| line.contains(placeholder) && !line.contains("registry.example.org"));
            assert_eq!(left, None, "{file}");
        }
    }
    let metadata = std::fs::read_to_string(fork.join("policy-metadata.yml")).unwrap();
    let expected = read("policy-metadata.yml")
        .replace("example-org", "acme")
        .replace("example.org", "acme.io");
    assert_eq!(metadata, expected);
    let leftovers = run("git", &["status", "--porcelain", "--untracked-files"]);
    assert!(!leftovers.contains(".orig"), "{leftovers}");
    std::fs::remove_dir_all(&fork).unwrap();
}

#[test]
fn repository_and_metadata_name_one_address() {
    let repository = env!("CARGO_PKG_REPOSITORY");
    for file in ["README.md", "SECURITY.md", "CHANGELOG.md"] {
        assert!(
            read(file).contains(repository),
            "{file} does not name {repository}"
        );
    }
}
