//! Random histories against a model that is too simple to be wrong.

use std::collections::{BTreeMap, BTreeSet};

use imagestream_import_mode::layers::{AnswerVersion, ImageLayerIndex, ResourceVersion};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value, json};

use crate::support::{GZIP, LIST, OCI, SCHEMA2, answer, assert_valid, history, image};

/// Names of images and layers alike: an image may well be the layer of another one.
pub const NAMES: [&str; 7] = [
    "sha256:00000000000000000000000000000000000000000000000000000000000000aa",
    "sha256:00000000000000000000000000000000000000000000000000000000000000ab",
    "sha256:f00000000000000000000000000000000000000000000000000000000000000a",
    "sha256:700000000000000000000000000000000000000000000000000000000000000a",
    "SHA256:700000000000000000000000000000000000000000000000000000000000000a",
    "by-hand",
    "b",
];

#[derive(Clone, Debug)]
pub struct Stored {
    name: &'static str,
    version: u64,
    media_type: Option<&'static str>,
    config: &'static str,
    layers: Vec<(&'static str, u64)>,
    children: Vec<&'static str>,
}

#[derive(Clone, Debug)]
pub enum Step {
    Apply(Stored),
    Delete(&'static str, Option<u64>),
    Replace(Vec<Stored>, u64),
}

impl Stored {
    pub fn json(&self) -> Value {
        let layers: Vec<Value> = self
            .layers
            .iter()
            .map(|(name, size)| json!({"name": name, "size": size, "mediaType": GZIP}))
            .collect();
        let children: Vec<Value> = self
            .children
            .iter()
            .map(|digest| json!({"digest": digest, "os": "linux"}))
            .collect();
        json!({
            "metadata": {"name": self.name, "resourceVersion": self.version.to_string()},
            "dockerImageManifestMediaType": self.media_type,
            "dockerImageMetadata": {"Id": self.config},
            "dockerImageLayers": layers,
            "dockerImageManifests": children,
        })
    }

    fn config(&self) -> Option<&'static str> {
        let has =
            [Some(SCHEMA2), Some(OCI)].contains(&self.media_type) && self.children().is_empty();
        (has && !self.config.is_empty()).then_some(self.config)
    }

    fn children(&self) -> Vec<&'static str> {
        self.children
            .iter()
            .copied()
            .filter(|name| !name.is_empty())
            .collect()
    }

    fn layers(&self) -> Vec<(&'static str, u64)> {
        let is_list = !self.children().is_empty();
        self.layers
            .iter()
            .copied()
            .filter(|(name, _)| !is_list && !name.is_empty())
            .collect()
    }
}

/// A map of the stored objects, searched from end to end for every question.
#[derive(Default)]
struct Model {
    images: BTreeMap<&'static str, Stored>,
    floor: u64,
    synced: bool,
}

impl Model {
    fn step(&mut self, step: &Step) {
        match step {
            Step::Apply(image) => {
                let known = self
                    .images
                    .get(image.name)
                    .map_or(self.floor, |stored| stored.version);
                if image.version > known {
                    self.images.insert(image.name, image.clone());
                }
            }
            Step::Delete(name, version) => {
                let stored = self.images.get(name).map(|stored| stored.version);
                if let (Some(stored), Some(version)) = (stored, version)
                    && *version < stored
                {
                    return;
                }
                self.images.remove(name);
                self.floor = self.floor.max(version.unwrap_or(0));
            }
            Step::Replace(images, version) => {
                self.images.clear();
                for image in images {
                    let newer = self
                        .images
                        .get(image.name)
                        .is_none_or(|stored| image.version > stored.version);
                    if newer {
                        self.images.insert(image.name, image.clone());
                    }
                }
                self.floor = *version;
                self.synced = true;
            }
        }
    }

    fn answer(&self, roots: &[&'static str]) -> (Value, Value) {
        let (mut images, mut blobs) = (Map::new(), Map::new());
        for root in roots {
            self.visit(root, &mut images, &mut blobs);
        }
        (images.into(), blobs.into())
    }

    fn visit(&self, name: &str, images: &mut Map<String, Value>, blobs: &mut Map<String, Value>) {
        if name.is_empty() || images.contains_key(name) {
            return;
        }
        let Some(image) = self.images.get(name) else {
            images.insert(
                name.into(),
                json!({"imageMissing": true, "layers": null, "config": null}),
            );
            return;
        };
        let mut blob = |name: &str, size: Option<u64>, media_type: &str| {
            blobs
                .entry(name)
                .or_insert(json!({"size": size, "mediaType": media_type}));
        };
        for (name, size) in image.layers() {
            blob(name, Some(size), GZIP);
        }
        if let Some(config) = image.config() {
            let of_docker = image.media_type == Some(SCHEMA2);
            let docker = "application/vnd.docker.container.image.v1+json";
            blob(
                config,
                None,
                if of_docker {
                    docker
                } else {
                    "application/vnd.oci.image.config.v1+json"
                },
            );
        }
        blob(name, None, image.media_type.unwrap_or(SCHEMA2));
        let layers: Vec<&str> = image.layers().iter().map(|(name, _)| *name).collect();
        let mut entry = json!({
            "imageMissing": false,
            "layers": if layers.is_empty() { Value::Null } else { json!(layers) },
            "config": image.config(),
        });
        if !image.children().is_empty() {
            entry["manifests"] = json!(image.children());
        }
        images.insert(name.into(), entry);
        for child in image.children() {
            self.visit(child, images, blobs);
        }
    }

    fn names(&self, wanted: impl Fn(&Stored) -> bool) -> Vec<String> {
        let found = self.images.values().filter(|image| wanted(image));
        found.map(|image| image.name.to_owned()).collect()
    }
}

fn stored() -> impl Strategy<Value = Stored> {
    let name_or_empty = || prop_oneof![9 => select(NAMES.to_vec()), 1 => Just("")];
    (
        select(NAMES.to_vec()),
        1..20u64,
        select(vec![None, Some(SCHEMA2), Some(OCI), Some(LIST)]),
        select(vec!["", "config", NAMES[0]]),
        vec((name_or_empty(), 0..3u64), 0..5),
        prop_oneof![3 => Just(Vec::new()), 2 => vec(name_or_empty(), 0..4)],
    )
        .prop_map(
            |(name, version, media_type, config, layers, children)| Stored {
                name,
                version,
                media_type,
                config,
                layers,
                children,
            },
        )
}

pub fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => stored().prop_map(Step::Apply),
        2 => (select(NAMES.to_vec()), proptest::option::of(1..20u64))
            .prop_map(|(name, version)| Step::Delete(name, version)),
        1 => (vec(stored(), 0..5), 1..20u64).prop_map(|(images, version)| Step::Replace(images, version)),
    ]
}

fn run(index: &mut ImageLayerIndex, step: &Step) {
    match step {
        Step::Apply(stored) => {
            index.apply(image(stored.json()));
        }
        Step::Delete(name, version) => {
            let version = version.map_or(ResourceVersion::None, ResourceVersion::Number);
            index.delete(name, &version);
        }
        Step::Replace(images, version) => {
            let images = images.iter().map(|stored| image(stored.json()));
            index.replace_all(images, &ResourceVersion::Number(*version));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_index_is_the_model(
        steps in vec(step(), 1..25),
        roots in vec(prop_oneof![9 => select(NAMES.to_vec()), 1 => Just("")], 0..5),
    ) {
        let (mut index, mut model) = (ImageLayerIndex::new(), Model::default());
        let stream = history(&[&roots]);
        let mut told: Vec<(AnswerVersion, u64, Value)> = Vec::new();
        for step in &steps {
            run(&mut index, step);
            model.step(step);

            let layers = index.image_stream_layers(&stream);
            let (version, revision) = (index.answer_version(&stream), index.revision());
            for (known, earlier, text) in &told {
                if *known == version || *earlier == revision {
                    prop_assert_eq!(text, &answer(&layers));
                }
            }
            told.push((version, revision, answer(&layers)));
            assert_valid(&layers);
            let (images, blobs) = model.answer(&roots);
            let answer = answer(&layers);
            prop_assert_eq!(&answer["images"], &images);
            prop_assert_eq!(&answer["blobs"], &blobs);
            prop_assert_eq!((index.len(), index.has_synced()), (model.images.len(), model.synced));

            let inside: BTreeSet<&String> = [&images, &blobs].iter().flat_map(|map| map.as_object().unwrap().keys()).collect();
            for name in NAMES.iter().copied().chain(["config", "", "nowhere"]) {
                prop_assert_eq!(layers.contains(name), inside.contains(&name.to_owned()), "{}", name);
                let with_layer = model.names(|image| image.layers().iter().any(|(layer, _)| *layer == name));
                prop_assert_eq!(index.images_with_layer(name), with_layer, "{}", name);
                let parents = model.names(|image| image.children().contains(&name));
                prop_assert_eq!(index.parents(name), parents, "{}", name);
                let stored = model.images.get(name).map(|stored| image(stored.json()));
                let kept = index.get(name);
                prop_assert_eq!(kept, stored, "{}", name);
            }
        }
    }

    /// What one history leaves behind has no effect: an emptied index is a new one.
    #[test]
    fn an_emptied_index_forgets(steps in vec(step(), 1..25)) {
        let mut index = ImageLayerIndex::new();
        for step in &steps {
            run(&mut index, step);
        }
        for name in NAMES {
            index.delete(name, &ResourceVersion::None);
        }
        prop_assert!(index.is_empty());
        prop_assert!(index.problems().is_empty());
        for name in NAMES {
            prop_assert!(index.images_with_layer(name).is_empty());
            prop_assert!(index.parents(name).is_empty());
        }
    }
}
