//! `layers` and `footprint` on what a real server stored.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::support::{program, project, scratch, transcript};

fn out(args: &[&str]) -> String {
    transcript(&program(args).output().unwrap())
}

/// The dump and the answer are of the same moment.
#[test]
fn answers_are_those_of_the_server() {
    for case in [
        "empty",
        "multi-legacy",
        "multi-preserve",
        "oci-multi-legacy",
        "oci-single",
        "prefer-arm64-preserve",
        "single-legacy",
    ] {
        let folder = format!("tests/data/layers/layers-{case}");
        let stream = format!("{folder}/imagestream.json");
        let images = format!("{folder}/images.json");
        let output = program(&["layers", &stream, "--images", &images])
            .output()
            .unwrap();
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "", "{case}");
        assert!(output.status.success(), "{case}");
        let ours: Value = serde_json::from_slice(&output.stdout).unwrap();
        let text = std::fs::read(project(&format!("{folder}/layers.json"))).unwrap();
        let theirs: Value = serde_json::from_slice(&text).unwrap();
        assert_eq!(ours, theirs, "{case}");
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
fn the_footprint_as_json_holds_everything() {
    assert_snapshot!(out(&[
        "footprint",
        "tests/data/layers/layers-multi-legacy",
        "--output",
        "json",
    ]));
}

/// A dump with the longest names, sizes of 12 digits, and thousands of images.
fn widest() -> String {
    let part = |length: usize, letter: &str| letter.repeat(length);
    let digest = |number: usize| format!("sha256:{number:064x}");
    let mut items = Vec::new();
    for number in 0..1000 {
        let layers: Vec<Value> = (0..30)
            .map(|place| json!({"name": digest(1_000_000 + number * 30 + place), "size": 999_999_999_999_u64 / 30_000}))
            .collect();
        items.push(json!({
            "kind": "Image", "metadata": {"name": digest(number)}, "dockerImageLayers": layers,
            "dockerImageManifestMediaType": "application/vnd.oci.image.manifest.v1+json",
            "dockerImageMetadata": {"Id": digest(2_000_000 + number), "Architecture": "an-architecture-of-many-letters"},
        }));
    }
    let children: Vec<Value> = (0..1000)
        .map(|number| json!({"digest": digest(number), "os": "linux", "architecture": "amd64"}))
        .collect();
    items.push(json!({
        "kind": "Image", "metadata": {"name": digest(3_000_000)}, "dockerImageManifests": children,
        "dockerImageManifestMediaType": "application/vnd.oci.image.index.v1+json",
    }));
    let from = format!(
        "{}.example.com/{}/{}:{}",
        part(60, "r"),
        part(60, "o"),
        part(60, "i"),
        part(128, "t")
    );
    let tag = |letter: &str, mode: &str| {
        json!({
            "name": part(128, letter), "from": {"kind": "DockerImage", "name": from}, "importPolicy": {"importMode": mode},
        })
    };
    let history = |letter: &str, images: &[String]| {
        let items: Vec<Value> = images.iter().map(|image| json!({"image": image})).collect();
        json!({"tag": part(128, letter), "items": items})
    };
    let (namespace, name) = (part(63, "n"), part(253, "s"));
    for number in 0..2 {
        items.push(json!({
            "kind": "ImageStream", "metadata": {"namespace": namespace, "name": format!("{number}{name}")},
            "spec": {"tags": [tag("l", "PreserveOriginal"), tag("m", "PreserveOriginal"), tag("n", "Legacy")]},
            "status": {"tags": [
                history("l", &[digest(3_000_000), "gone".to_owned()]),
                history("m", &[digest(7)]),
                history("n", &["lost".to_owned()]),
            ]},
        }));
    }
    json!({"kind": "List", "items": items}).to_string()
}

#[test]
fn the_table_fits_100_columns() {
    let file = scratch("widest").join("dump.json");
    std::fs::write(&file, widest()).unwrap();
    let file = file.to_str().unwrap();
    let text = out(&["footprint", file, "--set", "payloadArchitecture=Multi"]);
    assert_snapshot!(text);
    let rows: Vec<&str> = text
        .lines()
        .filter(|line| {
            ["TAG", "lll", "mmm", "nnnnnnnnnnnnnnnnn…", "Total", "  "]
                .iter()
                .any(|start| line.starts_with(start))
        })
        .filter(|line| {
            !line.contains("oc import-image") && !line.contains("/0s") && !line.contains("/1s")
        })
        .collect();
    // Two tables of a head and three rows, two lines of usage, the total's four.
    assert_eq!(rows.len(), 14, "{rows:#?}");
    for row in &rows {
        assert!(row.chars().count() <= 100, "{row}");
    }
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
    assert_snapshot!(out(&["layers", stream, "--images", file]));
    assert_snapshot!(out(&["footprint", stream, file]));
}
