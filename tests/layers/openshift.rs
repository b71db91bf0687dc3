//! Objects made by hand after the upstream types, with their expected answers.

use std::collections::BTreeSet;
use std::path::PathBuf;

use imagestream_import_mode::layers::{
    Image, ImageLayerIndex, ImageStream, LayersStatus, Problem, ResourceVersion,
};
use serde_json::Value;

use crate::captured::assert_status;
use crate::support::{assert_valid, entries, history, root, text, value};

fn folder() -> PathBuf {
    root().join("data/layers/openshift")
}

fn load(names: &Value) -> ImageLayerIndex {
    let mut index = ImageLayerIndex::new();
    let images = names
        .as_array()
        .unwrap()
        .iter()
        .map(|name| read(name.as_str().unwrap()));
    index.replace_all(images, &ResourceVersion::default());
    index
}

fn read(name: &str) -> Image {
    Image::from_json(&text(&folder().join(name))).unwrap()
}

#[test]
fn every_case_of_the_index_gives_its_answer() {
    let cases = value(&folder().join("index.json"))["layers"].take();
    let mut used = BTreeSet::from(["index.json".to_owned()]);
    used.extend(
        cases["images"]
            .as_array()
            .unwrap()
            .iter()
            .map(|name| name.as_str().unwrap().to_owned()),
    );
    for case in cases["cases"].as_array().unwrap() {
        let expected = case["expected"].as_str().unwrap();
        if !expected.ends_with(".json") {
            continue; // a deliberate difference in words; its test is below
        }
        used.insert(expected.to_owned());
        match case["when"].as_str() {
            None => {
                let held = [&case["indexHolds"], &cases["images"]]
                    .into_iter()
                    .find(|names| !names.is_null());
                let stream = case["stream"].as_str().unwrap();
                used.insert(stream.to_owned());
                let stream = ImageStream::from_json(&text(&folder().join(stream))).unwrap();
                let layers = load(held.unwrap()).image_stream_layers(&stream);
                assert_valid(&layers);
                assert_eq!(
                    serde_json::to_string_pretty(&layers).unwrap(),
                    text(&folder().join(expected)).trim_end()
                );
                let missing: Vec<String> = layers
                    .images()
                    .iter()
                    .filter(|(_, references)| references.image_missing)
                    .map(|(name, _)| name.to_string())
                    .collect();
                let expected: Vec<&str> = case["missing"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|name| name.as_str().unwrap())
                    .collect();
                assert_eq!(missing, expected);
            }
            Some(when) => {
                let expected = value(&folder().join(expected));
                let status = if when.starts_with("index not synced") {
                    LayersStatus::NotSynced
                } else {
                    LayersStatus::NotFound {
                        name: "doesnotexist".to_owned(),
                    }
                };
                assert_status(&status, &expected);
            }
        }
    }
    assert_eq!(
        entries(&folder(), |_| true),
        Vec::from_iter(used),
        "a file is in no case"
    );
}

#[test]
fn an_empty_config_id_costs_only_the_config() {
    let image = read("image-schema2-empty-config-id.json");
    let name = image.name().to_owned();
    assert_eq!(image.problems(), [Problem::EmptyConfig]);
    let mut index = ImageLayerIndex::new();
    index.apply(image);
    let layers = index.image_stream_layers(&history(&[&[&name]]));
    assert_valid(&layers);
    assert_eq!(
        serde_json::to_value(&layers).unwrap()["images"],
        serde_json::json!({name.clone(): {
            "imageMissing": false,
            "layers": ["sha256:63355fd3c24d0becf94b502942375b56c3deebdb3876a7e6a5c45dc1a30673f7"],
            "config": null,
        }})
    );
    assert_eq!(layers.blobs().len(), 2);
    assert_eq!(
        layers.problems()[0].to_string(),
        format!("Image `{name}`: dockerImageMetadata.Id is empty")
    );
}
