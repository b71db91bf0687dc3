//! The rules of reference 5.2 and 5.3, and where we differ on purpose.

use imagestream_import_mode::layers::{Applied, Platform, Problem, ResourceVersion};
use serde_json::{Value, json};

use crate::support::{
    GZIP, LIST, OCI, SCHEMA1, SCHEMA2, SCHEMA2_CONFIG, answer, assert_valid, blobs, history, image,
    images, index, list, single, stream,
};

fn missing() -> Value {
    json!({"imageMissing": true, "layers": null, "config": null})
}

#[test]
fn the_whole_history_counts_and_spec_tags_do_not() {
    let index = index([
        single("new", SCHEMA2, "c1", &[("a", 1)]),
        single("old", SCHEMA2, "c2", &[("b", 2)]),
        single("wanted", SCHEMA2, "c3", &[("c", 3)]),
    ]);
    let stream = stream(json!({
        "metadata": {"name": "app"},
        "spec": {"tags": [{"name": "t", "from": {"kind": "ImageStreamImage", "name": "app@wanted"}}]},
        "status": {"tags": [{"tag": "t", "items": [{"image": "new"}, {"image": ""}, {"image": "old"}]}, {"tag": "u", "items": null}]},
    }));
    let layers = index.image_stream_layers(&stream);
    assert_eq!(
        layers
            .images()
            .keys()
            .map(ToString::to_string)
            .collect::<Vec<_>>(),
        ["new", "old"]
    );
    assert!(layers.contains("b") && layers.contains("c2") && layers.contains("old"));
    assert!(!layers.contains("c") && !layers.contains("wanted") && !layers.contains(""));
    assert!(index.contains(&stream, "a") && !index.contains(&stream, "c"));
}

#[test]
fn metadata_is_copied_byte_by_byte() {
    let metadata = r#"{ "name":"app" , "managedFields":[{"z":1,"a":1.50,"u":"\u00e9"}],"b":null }"#;
    let stream = imagestream_import_mode::layers::ImageStream::from_json(&format!(
        r#"{{"status":{{}},"metadata":{metadata}}}"#
    ))
    .unwrap();
    assert_eq!(
        index([]).image_stream_layers(&stream).to_json().unwrap(),
        format!(
            r#"{{"kind":"ImageStreamLayers","apiVersion":"image.openshift.io/v1","metadata":{metadata},"blobs":{{}},"images":{{}}}}"#
        )
    );
}

#[test]
fn a_missing_image_is_no_blob_but_contained() {
    let index = index([]);
    let layers = index.image_stream_layers(&history(&[&["gone", "gone"]]));
    assert_valid(&layers);
    assert_eq!(answer(&layers)["images"], json!({"gone": missing()}));
    assert!(layers.blobs().is_empty());
    assert!(layers.contains("gone"));
}

#[test]
fn repeated_layers_stay_and_are_one_blob() {
    let index = index([single(
        "image",
        SCHEMA2,
        "c",
        &[("a", 1), ("empty", 32), ("b", 2), ("empty", 32)],
    )]);
    let layers = index.image_stream_layers(&history(&[&["image"]]));
    assert_eq!(
        answer(&layers)["images"]["image"]["layers"],
        json!(["a", "empty", "b", "empty"])
    );
    assert_eq!(layers.blobs().len(), 5);
    assert_eq!(index.images_with_layer("empty"), ["image"]);
}

#[test]
fn the_first_statement_about_a_blob_counts() {
    let mut second = single("second", SCHEMA2, "c", &[("shared", 2)]);
    second["dockerImageLayers"][0]["mediaType"] = json!("other");
    let index = index([single("first", SCHEMA2, "c", &[("shared", 1)]), second]);
    let shared = |tags: &[&[&str]]| blobs(&index, tags)["shared"].clone();
    assert_eq!(
        shared(&[&["first"], &["second"]]),
        json!({"size": 1, "mediaType": GZIP})
    );
    assert_eq!(
        shared(&[&["second", "first"]]),
        json!({"size": 2, "mediaType": "other"})
    );
}

#[test]
fn a_list_comes_before_its_children_and_a_child_before_its_sister() {
    let index = index([
        list("outer", &[("inner", "amd64"), ("last", "arm64")]),
        list("inner", &[("deep", "amd64")]),
        single("deep", SCHEMA2, "c", &[("shared", 1)]),
        single("last", SCHEMA2, "c", &[("shared", 2)]),
    ]);
    assert_eq!(blobs(&index, &[&["outer"]])["shared"]["size"], json!(1));
    assert_eq!(images(&index, &[&["outer"]]).as_object().unwrap().len(), 4);
}

#[test]
fn sizes_are_those_of_each_layer_and_zero_is_zero() {
    let index = index([single(
        "image",
        SCHEMA2,
        "c",
        &[("a", 10), ("b", 0), ("c3", 30)],
    )]);
    let blobs = blobs(&index, &[&["image"]]);
    assert_eq!(
        blobs,
        json!({
            "a": {"size": 10, "mediaType": GZIP},
            "b": {"size": 0, "mediaType": GZIP},
            "c3": {"size": 30, "mediaType": GZIP},
            "c": {"size": null, "mediaType": SCHEMA2_CONFIG},
            "image": {"size": null, "mediaType": SCHEMA2},
        })
    );
}

#[test]
fn the_media_type_decides_about_the_config() {
    for (stored, config_type) in [
        (SCHEMA2, Some(SCHEMA2_CONFIG)),
        (OCI, Some("application/vnd.oci.image.config.v1+json")),
        (SCHEMA1, None),
        (
            "application/vnd.docker.distribution.manifest.v1+prettyjws",
            None,
        ),
        (LIST, None),
        ("something/else", None),
    ] {
        let index = index([single("image", stored, "config", &[("a", 1)])]);
        let expected = config_type.map(|_| "config");
        assert_eq!(
            images(&index, &[&["image"]])["image"]["config"],
            json!(expected),
            "{stored}"
        );
        let blobs = blobs(&index, &[&["image"]]);
        assert_eq!(blobs["image"], json!({"size": null, "mediaType": stored}));
        assert_eq!(
            blobs.get("config").map(|blob| &blob["mediaType"]),
            config_type.map(Value::from).as_ref()
        );
        assert!(index.problems().is_empty(), "{stored}");
    }
}

#[test]
fn no_media_type_is_reported_as_schema_2_without_config() {
    for stored in [Value::Null, json!("")] {
        let mut json = single("image", "", "config", &[("a", 1)]);
        json["dockerImageManifestMediaType"] = stored;
        let index = index([json]);
        assert_eq!(
            images(&index, &[&["image"]]),
            json!({"image": {"imageMissing": false, "layers": ["a"], "config": null}})
        );
        assert_eq!(
            blobs(&index, &[&["image"]])["image"]["mediaType"],
            json!(SCHEMA2)
        );
        assert_eq!(index.get("image").unwrap().media_type(), SCHEMA2);
        assert!(index.problems().is_empty());
    }
}

#[test]
fn an_image_from_scratch_has_null_layers() {
    for layers in [json!(null), json!([])] {
        let mut json = single("image", OCI, "config", &[]);
        json["dockerImageLayers"] = layers;
        assert_eq!(
            images(&index([json]), &[&["image"]]),
            json!({"image": {"imageMissing": false, "layers": null, "config": "config"}})
        );
    }
}

#[test]
fn metadata_may_be_typed_or_not() {
    for metadata in [
        json!({"kind": "DockerImage", "apiVersion": "1.0", "Id": "config"}),
        json!({"ID": "config"}),
        json!({"ID": "other", "Id": "config"}),
        json!({"Id": "", "ID": "config"}),
    ] {
        let mut json = single("image", SCHEMA2, "", &[]);
        json["dockerImageMetadata"] = metadata;
        assert_eq!(image(json).config(), Some("config"));
    }
}

#[test]
fn stored_order_of_layers_stays_whatever_the_annotation_says() {
    let mut json = single("image", SCHEMA2, "c", &[("b", 1), ("a", 1)]);
    json["metadata"]["annotations"] = json!({"image.openshift.io/dockerLayersOrder": "descending"});
    assert_eq!(
        images(&index([json]), &[&["image"]])["image"]["layers"],
        json!(["b", "a"])
    );
}

#[test]
fn names_are_compared_by_character() {
    let lower = format!("sha256:{}", "ab".repeat(32));
    let upper = format!("sha256:{}", "AB".repeat(32));
    let index = index([single(&lower, SCHEMA2, "c", &[])]);
    let images = images(&index, &[&[&lower, &upper]]);
    assert_eq!(images[&lower]["imageMissing"], json!(false));
    assert_eq!(images[&upper]["imageMissing"], json!(true));
}

#[test]
fn platforms_of_children_and_of_an_image_are_kept() {
    let mut json = list("list", &[("child", "arm64")]);
    json["dockerImageManifests"][0]["variant"] = json!("v8");
    let list = image(json);
    assert_eq!(
        list.manifests()[0].platform,
        Platform {
            os: "linux".into(),
            architecture: "arm64".into(),
            variant: "v8".into()
        }
    );
    assert_eq!(list.manifests()[0].platform.to_string(), "linux/arm64/v8");
    assert_eq!(list.platform(), None);

    let mut json = single("child", SCHEMA2, "c", &[]);
    json["dockerImageMetadata"]["Architecture"] = json!("arm64");
    let child = image(json);
    assert_eq!(child.platform().unwrap().to_string(), "arm64");
}

// Where we differ on purpose (layers.md).

#[test]
fn a_late_image_replaces_its_missing_entry_and_its_children_are_looked_up() {
    let mut index = index([]);
    let tags: &[&[&str]] = &[&["list"]];
    assert_eq!(images(&index, tags), json!({"list": missing()}));
    index.apply(image(list("list", &[("child", "amd64")])));
    assert_eq!(images(&index, tags)["child"], missing());
    assert!(
        !blobs(&index, tags)
            .as_object()
            .unwrap()
            .contains_key("child")
    );
    index.apply(image(single("child", SCHEMA2, "c", &[("a", 1)])));
    assert_eq!(
        images(&index, tags),
        json!({
            "list": {"imageMissing": false, "layers": null, "config": null, "manifests": ["child"]},
            "child": {"imageMissing": false, "layers": ["a"], "config": "c"},
        })
    );
}

#[test]
fn a_copied_entry_keeps_media_type_and_children() {
    let original = image(list(
        "list",
        &[("a", "amd64"), ("b", "arm64"), ("a", "amd64")],
    ));
    let mut index = index([]);
    index.apply(original.clone());
    let copy = index.clone().get("list").unwrap();
    assert_eq!(copy, original);
    assert_eq!(index.apply(copy), Applied::Replaced);
    assert_eq!(index.get("list").unwrap(), original);
    assert_eq!(
        images(&index, &[&["list"]])["list"]["manifests"],
        json!(["a", "b", "a"])
    );
}

#[test]
fn inconsistent_data_costs_only_the_offending_entry() {
    let mut mixed = list("mixed", &[("child", "amd64")]);
    mixed["dockerImageLayers"] = json!([{"name": "a", "size": 1}]);
    let mut untyped = single("unreadable", OCI, "", &[("a", 1)]);
    untyped["dockerImageMetadata"] = json!({"Id": 5});
    let mut no_metadata = single("no-metadata", OCI, "", &[("a", 1)]);
    no_metadata
        .as_object_mut()
        .unwrap()
        .remove("dockerImageMetadata");
    let index = index([
        single("empty-config", SCHEMA2, "", &[("a", 1)]),
        single("empty-layer", SCHEMA2, "c", &[("a", 1), ("", 2), ("b", 3)]),
        list("empty-child", &[("", "amd64"), ("child", "arm64")]),
        mixed,
        untyped,
        no_metadata,
    ]);
    let tags: &[&[&str]] = &[
        &["empty-config", "empty-layer", "empty-child"],
        &["mixed", "unreadable", "no-metadata"],
    ];
    let layers = index.image_stream_layers(&history(tags));
    assert_valid(&layers);
    assert_eq!(
        answer(&layers)["images"],
        json!({
            "child": missing(),
            "empty-config": {"imageMissing": false, "layers": ["a"], "config": null},
            "empty-layer": {"imageMissing": false, "layers": ["a", "b"], "config": "c"},
            "empty-child": {"imageMissing": false, "layers": null, "config": null, "manifests": ["child"]},
            "mixed": {"imageMissing": false, "layers": null, "config": null, "manifests": ["child"]},
            "unreadable": {"imageMissing": false, "layers": ["a"], "config": null},
            "no-metadata": {"imageMissing": false, "layers": ["a"], "config": null},
        })
    );
    let problems: Vec<String> = layers.problems().iter().map(ToString::to_string).collect();
    assert_eq!(
        problems,
        [
            "Image `empty-child`: dockerImageManifests[0].digest is empty",
            "Image `empty-config`: dockerImageMetadata.Id is empty",
            "Image `empty-layer`: dockerImageLayers[1].name is empty",
            "Image `mixed`: a manifest list has layers or a config of its own",
            "Image `no-metadata`: dockerImageMetadata.Id is empty",
            "Image `unreadable`: dockerImageMetadata cannot be decoded: Id: invalid type: integer `5`, expected a string",
        ]
    );
    assert_eq!(index.problems(), layers.problems());
    assert_eq!(
        serde_json::to_value(&layers.problems()[2]).unwrap(),
        json!({"image": "empty-layer", "problem": "emptyLayer", "position": 1})
    );
}

#[test]
fn problems_go_with_their_image() {
    let mut index = index([single("image", SCHEMA2, "", &[])]);
    assert_eq!(
        index.get("image").unwrap().problems(),
        [Problem::EmptyConfig]
    );
    index.apply(image(single("image", SCHEMA2, "c", &[])));
    assert!(index.problems().is_empty());
    index.apply(image(single("image", SCHEMA2, "", &[])));
    index.delete("image", &ResourceVersion::default());
    assert!(index.problems().is_empty());
}

#[test]
fn cycles_end() {
    let index = index([
        list("self", &[("self", "amd64")]),
        list("a", &[("b", "amd64")]),
        list("b", &[("a", "amd64"), ("c", "arm64")]),
        single("c", SCHEMA2, "config", &[]),
    ]);
    let layers = index.image_stream_layers(&history(&[&["self", "a"]]));
    assert_valid(&layers);
    assert_eq!(layers.images().len(), 4);
    assert_eq!(index.parents("self"), ["self"]);
    assert_eq!(index.parents("a"), ["b"]);
}

#[test]
fn deep_nesting_ends() {
    const DEPTH: usize = 100_000;
    let name = |depth: usize| format!("list-{depth}");
    let mut index = index([]);
    for depth in 0..DEPTH {
        index.apply(image(list(&name(depth), &[(&name(depth + 1), "amd64")])));
    }
    let layers = index.image_stream_layers(&history(&[&["list-0"]]));
    assert_eq!(layers.images().len(), DEPTH + 1);
    assert!(layers.images()[&name(DEPTH).as_str().into()].image_missing);
}
