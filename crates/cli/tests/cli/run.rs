//! `run`: what is decided, in every form of output.

use insta::assert_snapshot;

use crate::support::{ACCEPTS_EVERYTHING, MODULE, program, run, run_on, transcript};

const EXAMPLES: [&str; 5] = [
    "examples/reviews/oc-create.json",
    "examples/reviews/oc-apply-explicit-mode.json",
    "examples/reviews/oc-tag.json",
    "examples/reviews/oc-import-image.json",
    "examples/reviews/oc-import-image-existing-tag.json",
];

/// `run` on the examples and a Multi cluster.
fn on_examples(more: &[&str]) -> Vec<&'static str> {
    let mut args = vec!["run", "--cluster", "examples/cluster"];
    args.extend(EXAMPLES);
    args.extend(more.iter().map(|arg| &*String::leak((*arg).to_owned())));
    args
}

#[test]
fn the_examples_are_what_make_run_shows() {
    assert_snapshot!(run(&on_examples(&[])));
}

#[test]
fn a_module_that_accepts_everything_changes_nothing() {
    let module = ACCEPTS_EVERYTHING.display().to_string();
    let output = program(&on_examples(&["--module", &module]))
        .output()
        .unwrap();
    let text = transcript(&output);
    assert!(!text.contains("PreserveOriginal, "), "{text}");
    assert_snapshot!(text);
    let patches = program(&on_examples(&["--module", &module, "-o", "patch"]))
        .output()
        .unwrap();
    assert_eq!(String::from_utf8(patches.stdout).unwrap(), "[]\n".repeat(5));
}

#[test]
fn patches_are_one_a_line() {
    assert_snapshot!(run(&on_examples(&["-o", "patch"])));
}

#[test]
fn reviews_are_one_a_line() {
    assert_snapshot!(run(&[
        "run",
        "--cluster",
        "examples/cluster",
        "examples/reviews/oc-tag.json",
        "-o",
        "review",
    ]));
}

#[test]
fn a_diff_shows_the_lines_that_change() {
    assert_snapshot!(run(&[
        "run",
        "--cluster",
        "examples/cluster",
        "examples/reviews/oc-import-image.json",
        "-o",
        "diff",
    ]));
}

const MANIFESTS: &str = r#"
apiVersion: v1
kind: List
items:
- apiVersion: image.openshift.io/v1
  kind: ImageStream
  metadata: {name: tools, namespace: demo}
  spec:
    tags:
    - name: "1.0"
      from: {kind: DockerImage, name: "q.io/tools:1.0"}
    - {name: pinned, from: {kind: DockerImage, name: "q.io/tools:1.0"}, importPolicy: {importMode: Legacy}}
- apiVersion: template.openshift.io/v1
  kind: Template
  metadata: {name: app}
  objects: []
---
apiVersion: v1
kind: ConfigMap
metadata: {name: yes-and-no, namespace: demo}
data: {on: "yes", big: "18446744073709551616"}
"#;

#[test]
fn manifests_are_creates_and_other_kinds_are_named() {
    assert_snapshot!(run_on(
        MANIFESTS,
        &["run", "--set", "payloadArchitecture=Multi"]
    ));
}

#[test]
fn yaml_output_is_a_filter_for_oc_apply() {
    let args = [
        "run",
        "--set",
        "payloadArchitecture=Multi",
        "-o",
        "yaml",
        "-",
    ];
    assert_snapshot!(run_on(MANIFESTS, &args));
}

#[test]
fn an_old_object_makes_an_update() {
    let object = |mode: &str| {
        format!(
            r#"{{"apiVersion":"image.openshift.io/v1","kind":"ImageStream","metadata":{{"name":"a","namespace":"n"}},
            "spec":{{"tags":[{{"name":"t","importPolicy":{{"importMode":"{mode}"}}}}]}}}}"#
        )
    };
    let old = crate::support::scratch("old").join("old.json");
    std::fs::write(&old, object("PreserveOriginal")).unwrap();
    let old = old.display().to_string();
    let args = ["run", "--old", &old, "--served", "-"];
    assert_snapshot!(run_on(&object(""), &args));
    let other = object("").replace("\"a\"", "\"b\"");
    assert_snapshot!(run_on(&other, &args));
}

#[test]
fn json_output_keeps_the_spelling_of_every_value() {
    let stream = r#"{"kind":"ImageStream","apiVersion":"image.openshift.io/v1","metadata":{"name":"a"},"x":[18446744073709551617,1.50e2],"spec":{"tags":[{"name":"\u0061"}]}}"#;
    let args = ["run", "--set", "payloadArchitecture=Multi", "-o", "json"];
    assert_snapshot!(run_on(stream, &args));
}

#[test]
fn without_a_cluster_the_reads_are_said_to_be_unanswered() {
    assert_snapshot!(run(&["run", "examples/reviews/oc-tag.json"]));
}

#[test]
fn a_rejection_has_exit_status_1_and_no_object() {
    let args = [
        "run",
        "--set",
        "onUnknownPayload=Reject",
        "examples/reviews/oc-tag.json",
    ];
    assert_snapshot!(run(&args));
    let json = [&args[..], &["-o", "json"]].concat();
    assert_snapshot!(run(&json));
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    use std::process::Stdio;
    let module = MODULE.display().to_string();
    let mut args = on_examples(&["--module", &module]);
    args.extend(EXAMPLES.repeat(60));
    let mut child = program(&args)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn colour_is_for_terminals_unless_it_is_forced() {
    let args = [
        "run",
        "--set",
        "payloadArchitecture=Multi",
        "examples/reviews/oc-tag.json",
    ];
    let module = MODULE.display().to_string();
    let args = [&args[..], &["--module", &module]].concat();
    let plain = program(&args).output().unwrap();
    assert!(!plain.stdout.contains(&0x1b));
    let forced = program(&args).env("CLICOLOR_FORCE", "1").output().unwrap();
    assert!(forced.stdout.contains(&0x1b));
    let refused = program(&args)
        .env("CLICOLOR_FORCE", "1")
        .env("NO_COLOR", "1")
        .output()
        .unwrap();
    assert!(!refused.stdout.contains(&0x1b));
}

#[test]
fn an_empty_list_is_said_to_be_empty() {
    let list = r#"{"apiVersion": "v1", "kind": "List", "items": []}"#;
    let text = "the input holds no object, so there is nothing to decide\n";
    for (args, stream) in [(&["run"][..], "stdout"), (&["run", "-o", "yaml"], "stderr")] {
        let expected = format!("exit status 0\n--- {stream}\nnote: {text}");
        assert_eq!(run_on(list, args), expected);
    }
    assert!(run_on(list, &["explain"]).ends_with(&format!("Summary\n  {text}")));
}
