//! Answers of a real openshift-apiserver with the objects of the same moment.

use imagestream_import_mode::layers::{ImageProblem, LayersStatus, Problem};
use serde_json::Value;

use crate::support::{assert_valid, entries, index, objects, root, text, value};

#[test]
fn every_recorded_answer_is_ours() {
    let data = root().join("data/layers");
    for folder in entries(&data, |name| !["README.md", "openshift"].contains(&name)) {
        let folder = data.join(folder);
        let expected = value(&folder.join("layers.json"));
        let label = folder.display();
        match (expected["kind"].as_str(), expected["code"].as_u64()) {
            (Some("ImageStreamLayers"), _) => {
                let ours = serde_json::to_string_pretty(&answer(&folder)).unwrap();
                assert_eq!(
                    ours,
                    text(&folder.join("layers.json")).trim_end(),
                    "{label}"
                );
            }
            (Some("Status"), Some(404)) => {
                let name = expected["details"]["name"].as_str().unwrap().to_owned();
                assert_status(&LayersStatus::NotFound { name }, &expected);
            }
            (Some("Status"), Some(500)) => assert_status(&LayersStatus::NotSynced, &expected),
            // Here we differ: the offending entry is left out and reported.
            (Some("Status"), Some(422)) => {
                let layers = answer(&folder);
                assert_valid(&layers);
                let causes = expected["details"]["causes"].as_array().unwrap();
                let expected: Vec<ImageProblem> = causes.iter().map(problem).collect();
                assert_eq!(layers.problems(), expected, "{label}");
                let images = &layers.images();
                for problem in expected {
                    let references = &images[&problem.image.as_str().into()];
                    assert_eq!(
                        references.config.is_none(),
                        problem.problem == Problem::EmptyConfig
                    );
                    let keeps_layers = problem.problem == Problem::EmptyConfig;
                    assert_eq!(references.layers.is_some(), keeps_layers, "{label}");
                }
            }
            other => panic!("{label}: {other:?}"),
        }
    }
}

#[track_caller]
fn answer(folder: &std::path::Path) -> imagestream_import_mode::layers::ImageStreamLayers {
    let (images, _) = objects(text(&folder.join("images.json")).as_bytes());
    let (_, streams) = objects(text(&folder.join("imagestream.json")).as_bytes());
    let mut filled = index([]);
    for image in images {
        filled.apply(image);
    }
    filled.image_stream_layers(&streams[0])
}

#[track_caller]
pub fn assert_status(status: &LayersStatus, expected: &Value) {
    assert_eq!(
        serde_json::to_string_pretty(status).unwrap(),
        serde_json::to_string_pretty(&Ordered(expected)).unwrap()
    );
    assert_eq!(u64::from(status.code()), expected["code"]);
    assert_eq!(
        status.retry_after_seconds().map(u64::from),
        expected["details"]["retryAfterSeconds"].as_u64()
    );
}

/// A Status with its fields in the order in which openshift-apiserver writes them.
struct Ordered<'a>(&'a Value);

impl serde::Serialize for Ordered<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let order = [
            "kind",
            "apiVersion",
            "metadata",
            "status",
            "message",
            "reason",
            "details",
            "name",
            "group",
            "retryAfterSeconds",
            "code",
        ];
        let Value::Object(fields) = self.0 else {
            return self.0.serialize(serializer);
        };
        // In `details` the kind comes after the group.
        let rank = |key: &str| match key {
            "kind" if fields.contains_key("group") => 8.5,
            key => order.iter().position(|&other| other == key).unwrap() as f64,
        };
        let mut sorted: Vec<_> = fields.iter().collect();
        sorted.sort_by(|(a, _), (b, _)| rank(a).total_cmp(&rank(b)));
        serializer.collect_map(sorted.into_iter().map(|(key, value)| (key, Ordered(value))))
    }
}

/// The problem of ours that a cause of a 422 names, as in `images[sha256:…].layers[1]`.
fn problem(cause: &Value) -> ImageProblem {
    let field = cause["field"].as_str().unwrap();
    let (image, place) = field
        .strip_prefix("images[")
        .unwrap()
        .split_once("].")
        .unwrap();
    let problem = match place.split_once('[') {
        None if place == "config" => Problem::EmptyConfig,
        Some(("layers", position)) => Problem::EmptyLayer {
            position: position.trim_end_matches(']').parse().unwrap(),
        },
        _ => panic!("{field}"),
    };
    ImageProblem {
        image: image.to_owned(),
        problem,
    }
}
