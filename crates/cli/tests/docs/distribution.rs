//! One version and one publisher, in every file that is published.

use std::process::Command;

use crate::support::{MAKEFILES, files, pages, project, read, yaml_file};

const VERSION: &str = env!("CARGO_PKG_VERSION");

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
