//! `explain`: every slot with its reasons, the reads, and the dry run of a cluster.

use insta::assert_snapshot;

use crate::support::{ACCEPTS_EVERYTHING, program, run, run_on, transcript};

const EXAMPLES: [&str; 8] = [
    "explain",
    "--cluster",
    "examples/cluster",
    "examples/reviews/oc-create.json",
    "examples/reviews/oc-apply-explicit-mode.json",
    "examples/reviews/oc-tag.json",
    "examples/reviews/oc-import-image.json",
    "examples/reviews/oc-import-image-existing-tag.json",
];

#[test]
fn every_slot_of_the_examples_is_explained() {
    assert_snapshot!(run(&EXAMPLES));
}

#[test]
fn a_report_says_what_should_be() {
    let args = [&EXAMPLES[..], &["--set", "action=Report"]].concat();
    assert_snapshot!(run(&args));
}

#[test]
fn without_a_cluster_nobody_knows() {
    assert_snapshot!(run(&["explain", "examples/reviews/oc-create.json"]));
}

#[test]
fn a_module_that_decides_otherwise_is_an_error() {
    let module = ACCEPTS_EVERYTHING.display().to_string();
    let args = [&EXAMPLES[..], &["--module", &module]].concat();
    assert_snapshot!(transcript(&program(&args).output().unwrap()));
}

#[test]
fn an_import_whose_stream_may_not_be_read_is_said_to_be_taken_for_new() {
    assert_snapshot!(run(&[
        "explain",
        "--set",
        "clusterContext=false",
        "--set",
        "payloadArchitecture=amd64",
        "examples/reviews/oc-import-image-existing-tag.json",
    ]));
}

/// `oc get is -A -o json` of a cluster with `streams` streams.
fn stored(streams: usize) -> String {
    let tag = |name: &str, mode: &str, annotations: &str| {
        format!(
            r#"{{"name":"{name}","annotations":{annotations},"from":{{"kind":"DockerImage","name":"q.io/a:{name}"}},"generation":2,"importPolicy":{{"importMode":"{mode}"}},"referencePolicy":{{"type":"Source"}}}}"#
        )
    };
    let prefer = r#"{"importer.image.openshift.io/prefer-arch":"arm64"}"#;
    let items: Vec<_> = (0..streams)
        .map(|index| {
            let tags = match index % 4 {
                0 => vec![tag("latest", "Legacy", "null"), tag("v1", "Legacy", "null")],
                1 => vec![tag("latest", "PreserveOriginal", "null")],
                2 => vec![tag("edge", "Legacy", prefer)],
                _ => vec![],
            };
            format!(
                r#"{{"apiVersion":"image.openshift.io/v1","kind":"ImageStream","metadata":{{"name":"s{index}","namespace":"team-{}","uid":"u{index}","resourceVersion":"{index}","generation":2}},"spec":{{"lookupPolicy":{{"local":false}},"tags":[{}]}},"status":{{"dockerImageRepository":"r/s"}}}}"#,
                index % 3,
                tags.join(",")
            )
        })
        .collect();
    format!(
        r#"{{"apiVersion":"v1","kind":"List","metadata":{{"resourceVersion":""}},"items":[{}]}}"#,
        items.join(",\n")
    )
}

#[test]
fn the_dry_run_of_a_cluster_ends_with_a_summary() {
    let args = ["explain", "--cluster", "examples/cluster", "-"];
    assert_snapshot!(run_on(&stored(8), &args));
}

#[test]
fn hundreds_of_streams_are_one_table() {
    let args = ["explain", "--cluster", "examples/cluster", "-"];
    let text = run_on(&stored(400), &args);
    assert!(
        text.starts_with("exit status 0\n--- stdout\nStored ImageStreams"),
        "{text}"
    );
    let (slots, summary) = text.split_once("Summary\n").unwrap();
    assert_eq!(slots.matches("would be PreserveOriginal").count(), 200);
    assert_eq!(slots.matches("  TAG ").count(), 1);
    assert_snapshot!(summary);
}
