//! `layers` and `footprint` on what a real server stored.

use insta::assert_snapshot;
use serde_json::Value;

use crate::support::{program, scratch, transcript};

fn out(args: &[&str]) -> String {
    transcript(&program(args).output().unwrap())
}

/// What the server answered, metadata aside: the dump and the answer are of the same moment.
#[test]
fn answers_are_those_of_the_server() {
    for case in ["empty", "multi-legacy", "multi-preserve", "oci-single"] {
        let folder = format!("tests/data/layers/layers-{case}");
        let stream = format!("{folder}/imagestream.json");
        let images = format!("{folder}/images.json");
        let output = program(&["layers", &stream, "--images", &images])
            .output()
            .unwrap();
        assert!(output.status.success(), "{case}");
        let ours: Value = serde_json::from_slice(&output.stdout).unwrap();
        let text =
            std::fs::read(crate::support::project(&format!("{folder}/layers.json"))).unwrap();
        let theirs: Value = serde_json::from_slice(&text).unwrap();
        for part in ["blobs", "images"] {
            assert_eq!(ours[part], theirs[part], "{case}");
        }
    }
}

#[test]
fn the_footprint_marks_what_holds_one_platform() {
    assert_snapshot!(out(&[
        "footprint",
        "tests/data/layers/layers-multi-legacy",
        "tests/data/layers/layers-multi-preserve",
        "--set",
        "payloadArchitecture=Multi",
    ]));
}

#[test]
fn an_exact_answer_stops_where_a_report_goes_on() {
    let file = scratch("layers").join("broken.json");
    std::fs::write(
        &file,
        r#"{"kind":"ImageList","apiVersion":"image.openshift.io/v1","items":[{"metadata":{}}]}"#,
    )
    .unwrap();
    let file = file.to_str().unwrap();
    let stream = "tests/data/layers/layers-multi-legacy/imagestream.json";
    let exact = out(&["layers", stream, "--images", file]);
    assert!(
        exact.starts_with("exit status 2\n--- stderr\nerror: "),
        "{exact}"
    );
    let report = out(&["footprint", stream, file]);
    assert!(report.starts_with("exit status 0\n"), "{report}");
    assert!(report.contains("warning: left out: "), "{report}");
}
