//! `layers` and `footprint` on what a real server stored.

use std::io::Write as _;

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::support::{program, project, scratch, spawn, transcript};

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

/// Dumps with a fault each, by what is wrong.
fn faulty() -> Vec<(&'static str, Vec<u8>)> {
    let list = |items: &str| {
        format!(r#"{{"kind":"ImageList","items":[{{"metadata":{{"name":"good"}}}},{items}]}}"#)
    };
    let image = |layers: &str| {
        list(&format!(
            r#"{{"metadata":{{"name":"bad"}},"dockerImageLayers":[{layers}]}}"#
        ))
    };
    let text = [
        ("a-number-as-a-string", image(r#"{"name":"a","size":"1"}"#)),
        (
            "a-huge-size",
            image(r#"{"name":"a","size":9223372036854775808}"#),
        ),
        ("a-negative-size", image(r#"{"name":"a","size":-1}"#)),
        (
            "a-pod-in-the-list",
            list(r#"{"kind":"Pod","metadata":{"namespace":"n","name":"p"}}"#),
        ),
        ("another-type", image("5")),
        ("no-name", list(r#"{"metadata":{}}"#)),
        ("no-object", list("7")),
        ("not-json", "kind: ImageList".to_owned()),
        ("truncated", {
            let whole = image(r#"{"name":"a","size":1}"#);
            whole[..whole.len() - 20].to_owned()
        }),
    ];
    let mut dumps: Vec<_> = text
        .into_iter()
        .map(|(what, text)| (what, text.into_bytes()))
        .collect();
    let mut utf8 = image(r#"{"name":"?","size":1}"#).into_bytes();
    let place = utf8.iter().position(|byte| *byte == b'?').unwrap();
    utf8[place] = 0xff;
    dumps.push(("not-utf-8", utf8));
    dumps
}

#[test]
fn every_fault_is_named_with_file_and_object() {
    let folder = scratch("faulty");
    let stream = "tests/data/layers/layers-multi-legacy/imagestream.json";
    let mut exact = String::new();
    for (what, text) in faulty() {
        let file = folder.join(format!("{what}.json"));
        std::fs::write(&file, text).unwrap();
        let file = file.to_str().unwrap();
        exact.push_str(&format!(
            "{what}: {}",
            out(&["layers", stream, "--images", file])
        ));
    }
    assert_snapshot!(exact);
    assert_snapshot!(out(&["footprint", stream, folder.to_str().unwrap()]));
}

/// The images are of 1 MiB each, and the last one is cut off.
#[test]
fn a_dump_of_200_mib_is_read_object_by_object() {
    let stream = r#"{"kind":"ImageStream","metadata":{"namespace":"demo","name":"app"}}"#;
    let file = scratch("large").join("imagestream.json");
    std::fs::write(&file, stream).unwrap();
    let file = file.to_str().unwrap();
    let labels = "x".repeat(1 << 20);
    for args in [
        &["layers", file, "--images", "-"],
        &["footprint", file, "-"][..],
    ] {
        let mut child = spawn(args);
        let mut stdin = child.stdin.take().unwrap();
        let mut written = 0;
        let mut write = |text: &str| {
            stdin.write_all(text.as_bytes()).unwrap();
            written += text.len();
        };
        write(r#"{"kind":"ImageList","items":["#);
        for number in 0..200 {
            write(&format!(
                r#"{{"metadata":{{"name":"image-{number}"}},"dockerImageMetadata":{{"Labels":"{labels}"}}}},"#
            ));
        }
        write(r#"{"metadata":{"name":"cut"#);
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let peak: u32 = peak
            .unwrap()
            .trim()
            .trim_end_matches(" kB")
            .parse()
            .unwrap();
        assert!(peak < 64 << 10, "{peak} KiB in memory");
        drop(stdin);
        let output = transcript(&child.wait_with_output().unwrap());
        let fault = format!(
            "-: EOF while parsing a string at line 1 column {written}, after object 200, Image `image-199`"
        );
        let expected = if args[0] == "layers" {
            format!("exit status 2\n--- stderr\nerror: {fault}\n")
        } else {
            format!(
                "exit status 0\n--- stdout\ndemo/app: 0 images, 0 blobs, 0 B\n\n\
                 Total: 1 stream, 0 tags; 200 images in no stream\n  0 images, 0 blobs, 0 B\n  \
                 all newest images as Legacy (linux/amd64): 0 B in 0 images\n  \
                 all newest images as PreserveOriginal: 0 B in 0 images\n\n\
                 The cluster mode is unknown, so no tag is marked: give --set payloadArchitecture=Multi,\n\
                 --cluster or --context.\n--- stderr\nwarning: left out: {fault}\n\
                 warning: 1 fault: the sums lack what was left out\n"
            )
        };
        assert_eq!(output, expected);
    }
}
