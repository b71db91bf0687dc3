//! The cases of `tests/cases/layers`: anyone can add one.

use imagestream_import_mode::layers::{Image, ImageLayerIndex, ImageStreamLayers};
use serde_json::Value;

use crate::support::{assert_valid, entries, image, root, stream, value};

#[test]
fn every_case_holds() {
    let folder = root().join("cases/layers");
    for name in entries(&folder, |_| true) {
        let mut case = value(&folder.join(&name));
        let mut input = case["input"].take();
        let stream = stream(input["imageStream"].take());
        let images: Vec<Image> = match input["images"].take() {
            Value::Array(images) => images.into_iter().map(image).collect(),
            other => panic!("{name}: {other}"),
        };
        let index = filled(images.clone());
        let layers = index.image_stream_layers(&stream);
        assert_valid(&layers);
        let expected = &case["expect"];
        match (&expected["layers"], &expected["roundTripEqual"]) {
            (Value::Object(fields), Value::Null) => {
                for (field, expected) in fields {
                    assert_eq!(&json(&layers)[field], expected, "{name}: {field}");
                }
            }
            (Value::Null, Value::Bool(true)) => {
                let copied: Vec<Image> = images
                    .iter()
                    .map(|image| index.get(image.name()).unwrap())
                    .collect();
                assert_eq!(copied, images, "{name}: copied out of the index");
                let reread: Vec<Image> = copied
                    .iter()
                    .map(|image| {
                        serde_json::from_str(&serde_json::to_string(image).unwrap()).unwrap()
                    })
                    .collect();
                assert_eq!(reread, images, "{name}: written and read");
                assert_eq!(
                    json(&filled(reread).image_stream_layers(&stream)),
                    json(&layers),
                    "{name}"
                );
                assert_eq!(
                    json(&index.clone().image_stream_layers(&stream)),
                    json(&layers),
                    "{name}"
                );
            }
            other => panic!("{name}: {other:?}"),
        }
    }
}

fn filled(images: Vec<Image>) -> ImageLayerIndex {
    let mut index = ImageLayerIndex::new();
    for image in images {
        index.apply(image);
    }
    index
}

fn json(layers: &ImageStreamLayers) -> Value {
    serde_json::to_value(layers).unwrap()
}
