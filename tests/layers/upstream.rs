//! What upstream tests, again: openshift-apiserver `etcd_test.go` and origin
//! `test/extended/images/layers.go` (reference 5.7).

use imagestream_import_mode::layers::{ImageLayerIndex, ImageStream, LayersStatus};
use serde_json::json;

use crate::support::{
    GZIP, LIST, SCHEMA2, SCHEMA2_CONFIG, answer, history, image, images, index, list, single,
    stream,
};

/// TestCreate, TestList, TestGetImageStreamOK: a stream that has only a name is a stream.
#[test]
fn a_stream_with_only_a_name() {
    let stream = stream(json!({"metadata": {"name": "foo"}}));
    assert_eq!((stream.namespace(), stream.name()), ("", "foo"));
    let layers = index([]).image_stream_layers(&stream);
    assert_eq!(
        layers.to_json().unwrap(),
        r#"{"kind":"ImageStreamLayers","apiVersion":"image.openshift.io/v1","metadata":{"name":"foo"},"blobs":{},"images":{}}"#
    );
}

/// TestGetImageStreamError, and the unknown stream of the end-to-end test.
#[test]
fn an_unknown_stream_is_not_found() {
    let status = LayersStatus::NotFound {
        name: "foo".to_owned(),
    };
    let json = serde_json::to_value(&status).unwrap();
    assert_eq!(
        (&json["reason"], &json["code"]),
        (&json!("NotFound"), &json!(404))
    );
}

/// TestGetLayersOK: a list and its only child, which no tag names.
#[test]
fn the_child_of_a_list_is_in_the_answer() {
    let list_name = "sha256:a7a3c2a4e7b9a6b4c8c2c3f7a2a1b1a9a3d7c9b2e5f6a7b8c9d0e1f2a3b4c5d6";
    let child = "sha256:0f9fa16f1c1e1a7b2d2c3e4f5a6b7c8d9e0f1a2b3c4d5e6f708192a3b4c5d6e7";
    let layer = "sha256:b4a3c2a4e7b9a6b4c8c2c3f7a2a1b1a9a3d7c9b2e5f6a7b8c9d0e1f2a3b4c5d6";
    let config = "sha256:c4a3c2a4e7b9a6b4c8c2c3f7a2a1b1a9a3d7c9b2e5f6a7b8c9d0e1f2a3b4c5d6";
    let mut child_image = single(child, SCHEMA2, "", &[(layer, 772_986)]);
    child_image["dockerImageMetadata"] = json!({"ID": config});
    let index = index([list(list_name, &[(child, "amd64")]), child_image]);
    assert!(index.has_synced());
    let layers = index.image_stream_layers(&history(&[&[list_name]]));
    assert_eq!(
        answer(&layers),
        json!({
            "kind": "ImageStreamLayers",
            "apiVersion": "image.openshift.io/v1",
            "metadata": {"namespace": "demo", "name": "app"},
            "images": {
                list_name: {"imageMissing": false, "layers": null, "config": null, "manifests": [child]},
                child: {"imageMissing": false, "layers": [layer], "config": config},
            },
            "blobs": {
                list_name: {"size": null, "mediaType": LIST},
                child: {"size": null, "mediaType": SCHEMA2},
                layer: {"size": 772_986, "mediaType": GZIP},
                config: {"size": null, "mediaType": SCHEMA2_CONFIG},
            },
        })
    );
}

/// "identifies a deleted image as missing": the name is no digest.
#[test]
fn a_deleted_image_turns_missing() {
    let name = "an_image_to_be_deleted";
    let mut index = index([single(name, SCHEMA2, "c", &[("l", 1)])]);
    assert_eq!(
        images(&index, &[&[name]])[name]["imageMissing"],
        json!(false)
    );
    assert!(index.delete(name, &Default::default()));
    assert_eq!(
        images(&index, &[&[name]]),
        json!({name: {"imageMissing": true, "layers": null, "config": null}})
    );
}

/// "returns information about a set of images": every part of an image is a blob with a type.
#[test]
fn every_part_of_an_image_is_a_blob() {
    let index = index([
        single("busybox", SCHEMA2, "busybox-config", &[("base", 7)]),
        single(
            "mysql",
            SCHEMA2,
            "mysql-config",
            &[("base", 7), ("mysql-layer", 9)],
        ),
    ]);
    let layers = index.image_stream_layers(&history(&[&["busybox"], &["mysql"]]));
    for (name, references) in layers.images() {
        assert_eq!(layers.blobs()[name].media_type, SCHEMA2);
        let config = references.config.as_ref().unwrap();
        assert_eq!(layers.blobs()[config].media_type, SCHEMA2_CONFIG);
        for layer in references.layers.as_ref().unwrap() {
            assert_ne!(layers.blobs()[layer].media_type, "");
        }
    }
}

/// "a stream without history": both maps are there and empty.
#[test]
fn a_stream_without_history_has_empty_maps() {
    let layers = ImageLayerIndex::new().image_stream_layers(&history(&[]));
    assert_eq!((layers.blobs().len(), layers.images().len()), (0, 0));
}

/// An image built on top of another has its layers and one more.
#[test]
fn a_built_image_has_the_layers_of_its_base_first() {
    let index = index([
        single("base", SCHEMA2, "c1", &[("a", 1), ("b", 2)]),
        single("built", SCHEMA2, "c2", &[("a", 1), ("b", 2), ("c", 3)]),
    ]);
    let images = images(&index, &[&["base"], &["built"]]);
    assert_eq!(images["base"]["layers"], json!(["a", "b"]));
    assert_eq!(images["built"]["layers"], json!(["a", "b", "c"]));
    assert_eq!(index.images_with_layer("b"), ["base", "built"]);
}

/// A tag in another namespace's stream has an equal entry there.
#[test]
fn an_image_is_the_same_in_every_stream() {
    let index = index([single("image", SCHEMA2, "c", &[("a", 1)])]);
    let other = ImageStream::from_json(
        r#"{"metadata":{"namespace":"elsewhere","name":"copy"},"status":{"tags":[{"tag":"x","items":[{"image":"image"}]}]}}"#,
    )
    .unwrap();
    let copy = index.image_stream_layers(&other);
    let original = index.image_stream_layers(&history(&[&["image"]]));
    assert_eq!(copy.images(), original.images());
    assert_eq!(copy.blobs(), original.blobs());
}

/// Reference 5.5, the cases of the validation test: blobs need not be asked for what images hold.
#[test]
fn upstream_validation_cases() {
    let second_layer_empty = image(single("image", SCHEMA2, "c", &[("a", 1), ("", 2)]));
    assert_eq!(
        second_layer_empty.problems()[0].to_string(),
        "dockerImageLayers[1].name is empty"
    );
    let only_manifest_empty = image(list("list", &[("", "amd64")]));
    assert_eq!(
        only_manifest_empty.problems()[0].to_string(),
        "dockerImageManifests[0].digest is empty"
    );
}
