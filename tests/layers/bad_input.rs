//! Input that cannot be used: exact messages, and what a report goes on with.

use std::io::Cursor;

use imagestream_import_mode::layers::{
    Document, Found, Image, ImageStream, ObjectKind, read, read_slice,
};
use serde_json::{Value, json};

use crate::support::{SCHEMA2, single};

#[track_caller]
fn assert_image_error(json: &str, expected: &str) {
    assert_eq!(Image::from_json(json).unwrap_err().to_string(), expected);
}

#[track_caller]
fn assert_layer_error(layer: &str, expected: &str) {
    assert_image_error(
        &format!(
            r#"{{"dockerImageLayers":[{{"name":"a","size":1}},{layer}],"kind":"Image","metadata":{{"name":"x"}}}}"#
        ),
        &format!("Image `x`: dockerImageLayers[1]{expected}"),
    );
}

#[test]
fn sizes_that_are_none() {
    const EXPECTED: &str = "expected a size in bytes, a whole number from 0 to 9223372036854775807";
    for (size, found) in [
        ("-1", "invalid value: integer `-1`"),
        (
            "9223372036854775808",
            "invalid value: integer `9223372036854775808`",
        ),
        ("1e40", "invalid type: floating point `1e+40`"),
        (
            "99999999999999999999",
            "invalid type: floating point `1e+20`",
        ),
        ("1.5", "invalid type: floating point `1.5`"),
        (r#""12""#, r#"invalid type: string "12""#),
        ("true", "invalid type: boolean `true`"),
        ("[]", "invalid type: sequence"),
        ("{}", "invalid type: map"),
    ] {
        assert_layer_error(
            &format!(r#"{{"size":{size},"name":"b"}}"#),
            &format!(".size: {found}, {EXPECTED}"),
        );
    }
    assert_layer_error(r#"{"size":1e999}"#, ".size: number out of range");
}

#[test]
fn the_largest_size_and_an_absent_one_are_sizes() {
    let image = Image::from_json(
        r#"{"metadata":{"name":"x"},"dockerImageLayers":[{"name":"a","size":9223372036854775807},{"name":"b"},{"name":"c","size":null}]}"#,
    )
    .unwrap();
    let sizes: Vec<u64> = image.layers().iter().map(|layer| layer.size).collect();
    assert_eq!(sizes, [9_223_372_036_854_775_807, 0, 0]);
}

#[test]
fn fields_of_another_type() {
    assert_layer_error(
        r#"{"name":5}"#,
        ".name: invalid type: integer `5`, expected a string",
    );
    assert_layer_error(
        r#"{"mediaType":[]}"#,
        ".mediaType: invalid type: sequence, expected a string",
    );
    assert_layer_error("5", ": invalid type: integer `5`, expected an object");
    assert_image_error(
        r#"{"metadata":{"name":"x"},"dockerImageLayers":{}}"#,
        "Image `x`: dockerImageLayers: invalid type: map, expected a list",
    );
    assert_image_error(
        r#"{"metadata":{"name":"x"},"dockerImageManifests":[{"digest":null},{"digest":7}]}"#,
        "Image `x`: dockerImageManifests[1].digest: invalid type: integer `7`, expected a string",
    );
    assert_image_error(
        r#"{"metadata":{"name":"x"},"dockerImageManifestMediaType":1}"#,
        "Image `x`: dockerImageManifestMediaType: invalid type: integer `1`, expected a string",
    );
}

#[test]
fn an_image_without_a_name() {
    assert_image_error("{}", "Image: metadata.name is missing");
    assert_image_error(r#"{"metadata":null}"#, "Image: metadata.name is missing");
    assert_image_error(
        r#"{"metadata":{"name":""}}"#,
        "Image: metadata.name is missing",
    );
    assert_image_error(
        r#"{"metadata":{"name":5}}"#,
        "Image: metadata.name: invalid type: integer `5`, expected a string",
    );
    assert_image_error(
        r#"{"metadata":[]}"#,
        "Image: metadata: invalid type: sequence, expected an object",
    );
}

#[test]
fn another_kind_or_group() {
    assert_image_error(
        r#"{"kind":"Pod","apiVersion":"v1","metadata":{"namespace":"demo","name":"x"}}"#,
        "Image `demo/x`: expected kind `Image`, found `Pod`",
    );
    assert_image_error(
        r#"{"kind":"Image","apiVersion":"config.openshift.io/v1","metadata":{"name":"cluster"}}"#,
        "Image `cluster`: expected apiVersion `image.openshift.io/v1`, found `config.openshift.io/v1`",
    );
    assert_eq!(
        ImageStream::from_json(r#"{"kind":"Image","metadata":{"name":"x"}}"#)
            .unwrap_err()
            .to_string(),
        "ImageStream `x`: expected kind `ImageStream`, found `Image`"
    );
    assert_image_error("[]", "Image: invalid type: sequence, expected an object");
}

#[test]
fn text_that_is_no_json() {
    assert_image_error("", "Image: EOF while parsing a value");
    assert_image_error(
        r#"{"metadata":{"name":"x"}"#,
        "Image: EOF while parsing an object",
    );
    assert_image_error(
        r#"{"metadata":{"name":"x"}} {}"#,
        "Image: trailing characters",
    );
    assert_image_error("nonsense", "Image: expected ident");
}

#[test]
fn an_image_stream_that_is_none() {
    for (json, expected) in [
        ("{}", "ImageStream: metadata.name is missing"),
        (
            r#"{"metadata":{"namespace":"demo"}}"#,
            "ImageStream: metadata.name is missing",
        ),
        (
            r#"{"metadata":{"namespace":"demo","name":"app"},"status":{"tags":[{"tag":"a"},{"items":[{"image":1}]}]}}"#,
            "ImageStream `demo/app`: status.tags[1].items[0].image: invalid type: integer `1`, expected a string",
        ),
        (
            r#"{"metadata":{"namespace":"demo","name":"app"},"spec":{"tags":[{"importPolicy":"Legacy"}]}}"#,
            r#"ImageStream `demo/app`: spec.tags[0].importPolicy: invalid type: string "Legacy", expected an object"#,
        ),
    ] {
        assert_eq!(
            ImageStream::from_json(json).unwrap_err().to_string(),
            expected
        );
    }
}

/// A report: what was found, by label, and how the reading ended.
fn report(text: &[u8]) -> (Vec<String>, Result<Vec<Document>, String>) {
    let mut found = Vec::new();
    let ended = read_slice(text, |object| {
        found.push(label(&object));
        Ok(())
    });
    let from_reader = {
        let mut found = Vec::new();
        let mut json = serde_json::Deserializer::from_reader(Cursor::new(text));
        let ended = read(&mut json, |object| {
            found.push(label(&object));
            Ok(())
        });
        (found, ended.map_err(|_| ()))
    };
    let ended = ended.map_err(|error| error.to_string());
    assert_eq!(
        from_reader,
        (found.clone(), ended.clone().map_err(|_| ())),
        "a reader finds the same"
    );
    (found, ended)
}

fn label(found: &Found) -> String {
    match found {
        Found::Image(image) => format!("image {}", image.name()),
        Found::ImageStream(stream) => format!("stream {}", stream.name()),
        Found::Other { kind, name } => format!("other {kind} {}", name.as_deref().unwrap_or("-")),
        Found::Faulty(error) => error.to_string(),
    }
}

fn labels(json: &Value) -> Vec<String> {
    let (found, ended) = report(json.to_string().as_bytes());
    ended.unwrap();
    found
}

#[test]
fn single_objects_and_every_kind_of_list() {
    let image =
        json!({"kind": "Image", "apiVersion": "image.openshift.io/v1", "metadata": {"name": "i"}});
    let stream = json!({"kind": "ImageStream", "apiVersion": "image.openshift.io/v1", "metadata": {"name": "s"}});
    let pod =
        json!({"kind": "Pod", "apiVersion": "v1", "metadata": {"namespace": "n", "name": "p"}});
    let config = json!({"kind": "Image", "apiVersion": "config.openshift.io/v1", "metadata": {"name": "cluster"}});
    assert_eq!(labels(&image), ["image i"]);
    assert_eq!(labels(&stream), ["stream s"]);
    assert_eq!(labels(&pod), ["other Pod n/p"]);
    assert_eq!(
        labels(&json!({"kind": "List", "apiVersion": "v1", "items": [image, pod, stream, config]})),
        [
            "image i",
            "other Pod n/p",
            "stream s",
            "other Image cluster"
        ]
    );
    assert_eq!(
        labels(&json!({"kind": "ImageStreamList", "items": [{"metadata": {"name": "s"}}]})),
        ["stream s"]
    );
    assert_eq!(
        labels(&json!({"kind": "PodList", "items": [{"metadata": {"name": "s"}}]})),
        ["other Pod s"]
    );
    assert_eq!(
        labels(&json!({"kind": "List", "items": [{"metadata": {"name": "s"}}]})),
        ["other  s"]
    );
    assert_eq!(
        labels(&json!({"kind": "ImageList", "items": null})),
        Vec::<String>::new()
    );
}

#[test]
fn a_list_may_name_its_kind_last() {
    let (found, ended) = report(
        br#"{"items":[{"metadata":{"name":"i"}},{"kind":"ImageStream","metadata":{"name":"s"}}],"kind":"ImageList","metadata":{"resourceVersion":"7","continue":"more"}}"#,
    );
    assert_eq!(found, ["stream s", "image i"]);
    assert_eq!(
        ended.unwrap(),
        [Document {
            kind: "ImageList".into(),
            resource_version: "7".into(),
            continue_token: "more".into(),
            objects: 2,
        }]
    );
}

#[test]
fn documents_may_follow_each_other() {
    let (found, ended) = report(
        br#"{"kind":"Image","metadata":{"name":"a"}}
            {"kind":"ImageList","items":[{"metadata":{"name":"b"}}]} "#,
    );
    assert_eq!(found, ["image a", "image b"]);
    assert_eq!(ended.unwrap().len(), 2);
}

#[test]
fn a_report_goes_on_after_a_faulty_object() {
    let mut bad = single("bad", SCHEMA2, "c", &[("a", 1)]);
    bad["dockerImageLayers"][0]["size"] = json!(-5);
    let (first, last) = (
        single("first", SCHEMA2, "c", &[]),
        single("last", SCHEMA2, "c", &[]),
    );
    let (found, ended) = report(
        format!(
            r#"{{"kind":"ImageList","items":[{first},{bad},{{"metadata":{{}}}},5,null,{last}]}}"#
        )
        .as_bytes(),
    );
    assert_eq!(ended.unwrap()[0].objects, 6);
    assert_eq!(
        found,
        [
            "image first",
            "Image `bad`: dockerImageLayers[0].size: invalid value: integer `-5`, expected a size in bytes, a whole number from 0 to 9223372036854775807",
            "Image at items[2]: metadata.name is missing",
            "Image at items[3]: invalid type: integer `5`, expected an object",
            "Image at items[4]: metadata.name is missing",
            "image last",
        ]
    );
}

#[test]
fn an_exact_answer_stops_at_a_faulty_object() {
    let text = br#"{"kind":"ImageList","items":[{"metadata":{"name":"a"}},
{"metadata":{"name":"b"},"dockerImageLayers":5},{"metadata":{"name":"c"}}]}"#;
    let mut names = Vec::new();
    let error = read_slice(text, |found| {
        match found {
            Found::Faulty(error) => {
                assert_eq!(
                    (error.kind(), error.name(), error.position()),
                    (ObjectKind::Image, Some("b"), Some(1))
                );
                return Err(error);
            }
            Found::Image(image) => names.push(image.name().to_owned()),
            other => panic!("{other:?}"),
        }
        Ok(())
    })
    .unwrap_err();
    assert_eq!(names, ["a"]);
    assert_eq!(
        error.to_string(),
        "Image `b`: dockerImageLayers: invalid type: integer `5`, expected a list at line 2 column 48, after object 1, Image `a`"
    );
}

#[test]
fn a_source_that_breaks_off_names_the_last_object() {
    let whole =
        br#"{"kind":"ImageList","items":[{"metadata":{"name":"a"}},{"metadata":{"name":"b"}}]}"#;
    let (found, ended) = report(&whole[..whole.len() - 12]);
    assert_eq!(found, ["image a"]);
    assert_eq!(
        ended.unwrap_err(),
        "EOF while parsing a string at line 1 column 70, after object 1, Image `a`"
    );
    // Wherever it breaks off, it is an error, and what came before is complete.
    for end in 0..whole.len() {
        let (found, ended) = report(&whole[..end]);
        assert!(ended.is_err(), "{end}");
        assert!(
            ["image a", "image b"]
                .starts_with(&found.iter().map(String::as_str).collect::<Vec<_>>())
        );
    }
}

#[test]
fn a_source_that_is_no_document() {
    for (text, expected) in [
        ("", "EOF while parsing a value at line 1 column 0"),
        (
            "5",
            "invalid type: integer `5`, expected an Image, an ImageStream, or a list of them at line 1 column 1",
        ),
        (
            "[]",
            "invalid type: sequence, expected an Image, an ImageStream, or a list of them at line 1 column 2",
        ),
        (
            r#"{"items":{}}"#,
            "invalid type: map, expected a list of items at line 1 column 11",
        ),
        ("kind: Image", "expected value at line 1 column 1"),
        (
            r#"{"kind":"Image","metadata":{"name":"a"}} }"#,
            "expected value at line 1 column 42, after object 1, Image `a`",
        ),
    ] {
        assert_eq!(report(text.as_bytes()).1.unwrap_err(), expected, "{text}");
    }
}

#[test]
fn text_that_is_not_utf_8() {
    let mut text = br#"{"kind":"ImageList","items":[{"metadata":{"name":"a"}},{"dockerImageMetadata":{"Label":"?"},"metadata":{"name":"b"}}]}"#.to_vec();
    let place = text.iter().position(|&byte| byte == b'?').unwrap();
    text[place] = 0xff;
    let (found, ended) = report(&text);
    assert_eq!(found, ["image a"]);
    assert_eq!(
        ended.unwrap_err(),
        "invalid unicode code point at line 1 column 89, after object 1, Image `a`"
    );
}

#[test]
fn deep_nesting_is_no_danger() {
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let (found, ended) = report(
        format!(r#"{{"kind":"Image","metadata":{{"name":"a"}},"dockerImageMetadata":{deep}}}"#)
            .as_bytes(),
    );
    ended.unwrap();
    assert_eq!(found, ["image a"]);
}
