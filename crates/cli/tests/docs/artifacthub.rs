//! The package file is what the tool writes and what Artifact Hub takes.

use std::process::Command;

use serde_json::json;

use crate::support::{project, read, yaml, yaml_file};

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
