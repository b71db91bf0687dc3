//! The component's index beside the library's: the same calls, the same answers.

use std::collections::BTreeSet;
use std::path::Path;

use imagestream_import_mode::layers::{
    Applied, Image, ImageLayerIndex, ImageProblem, ImageStream, Problem, ResourceVersion,
};
use imagestream_import_mode_host::component_index::{
    self as wit, ComponentIndex, LayersError, ObjectFault, PageFault,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use crate::artifacts::COMPONENT_POLICY;
use crate::property::{NAMES, Step, step};
use crate::support::{SCHEMA2, entries, root, single, value};

/// Both indexes, which are told the same.
struct Twins {
    library: ImageLayerIndex,
    component: ComponentIndex,
}

impl Twins {
    fn new() -> Self {
        Self {
            library: ImageLayerIndex::new(),
            component: COMPONENT_POLICY.index().unwrap(),
        }
    }

    fn apply(&mut self, image: &str) {
        let library = self.library.apply(Image::from_json(image).unwrap());
        let component = self.component.apply(image).unwrap().unwrap();
        let expected = match library {
            Applied::Added => wit::Applied::Added,
            Applied::Replaced => wit::Applied::Replaced,
            Applied::Stale => wit::Applied::Stale,
        };
        assert_eq!(component, expected);
    }

    fn delete(&mut self, name: &str, version: Option<u64>) {
        let text = version.map(|version| version.to_string());
        let version = version.map_or(ResourceVersion::None, ResourceVersion::Number);
        assert_eq!(
            self.component.delete(name, text.as_deref()).unwrap(),
            self.library.delete(name, &version)
        );
    }

    /// The list arrives in pages of two.
    fn replace_all(&mut self, images: &[Value], version: &str) {
        let read = images
            .iter()
            .map(|image| Image::from_json(&image.to_string()).unwrap());
        self.library
            .replace_all(read, &ResourceVersion::new(version));
        let count = images.chunks(2).count();
        let pages = images.chunks(2).enumerate().map(|(number, items)| {
            let more = if number + 1 < count { "more" } else { "" };
            page(items, version, more)
        });
        let mut pages: Vec<String> = pages.collect();
        if pages.is_empty() {
            pages.push(page(&[], version, ""));
        }
        self.component.replace_all(&pages).unwrap().unwrap();
    }

    /// Asks both for everything about the stream, and about `names`.
    #[track_caller]
    fn assert_same(&mut self, stream: &str, names: &[&str]) {
        let read = ImageStream::from_json(stream).unwrap();
        let expected = self.library.image_stream_layers(&read);
        let mut asked: BTreeSet<String> = names.iter().map(|name| (*name).to_owned()).collect();
        asked.extend(
            expected
                .blobs()
                .keys()
                .chain(expected.images().keys())
                .map(ToString::to_string),
        );

        let mut answer = self.component.image_stream_layers(stream).unwrap().unwrap();
        assert_eq!(answer.to_json().unwrap(), expected.to_json().unwrap());
        let problems: Vec<ImageProblem> = answer
            .problems()
            .unwrap()
            .into_iter()
            .map(problem)
            .collect();
        assert_eq!(problems, expected.problems());
        for name in &asked {
            assert_eq!(answer.contains(name).unwrap(), expected.contains(name));
        }
        drop(answer);

        let Self { library, component } = self;
        for name in &asked {
            assert_eq!(
                component.contains(stream, name).unwrap().unwrap(),
                expected.contains(name)
            );
            assert_eq!(
                component.images_with_layer(name).unwrap(),
                library.images_with_layer(name)
            );
            assert_eq!(component.parents(name).unwrap(), library.parents(name));
        }
        assert_eq!(component.has_synced().unwrap(), library.has_synced());
    }
}

fn page(items: &[Value], version: &str, more: &str) -> String {
    let metadata = json!({"resourceVersion": version, "continue": more});
    json!({"kind": "ImageList", "metadata": metadata, "items": items}).to_string()
}

fn problem(problem: wit::ImageProblem) -> ImageProblem {
    let place = |position: u32| usize::try_from(position).unwrap();
    ImageProblem {
        image: problem.image,
        problem: match problem.problem {
            wit::Problem::EmptyConfig => Problem::EmptyConfig,
            wit::Problem::UnreadableMetadata(reason) => Problem::UnreadableMetadata { reason },
            wit::Problem::EmptyLayer(position) => Problem::EmptyLayer {
                position: place(position),
            },
            wit::Problem::EmptyManifest(position) => Problem::EmptyManifest {
                position: place(position),
            },
            wit::Problem::MixedList => Problem::MixedList,
        },
    }
}

#[track_caller]
fn assert_same_answer(images: &[Value], stream: &Value) {
    let stream = stream.to_string();
    let mut twins = Twins::new();
    for image in images {
        twins.apply(&image.to_string());
    }
    twins.assert_same(&stream, &["", "nowhere"]);
    twins.replace_all(images.get(1..).unwrap_or_default(), "7");
    twins.assert_same(&stream, &["", "nowhere"]);
}

fn items(path: &Path) -> Vec<Value> {
    value(path)["items"].as_array().unwrap().clone()
}

#[test]
fn every_case_has_the_same_answer() {
    let folder = root().join("cases/layers");
    for name in entries(&folder, |_| true) {
        let input = value(&folder.join(name))["input"].take();
        assert_same_answer(input["images"].as_array().unwrap(), &input["imageStream"]);
    }
}

#[test]
fn every_recorded_stream_has_the_same_answer() {
    let data = root().join("data/layers");
    for folder in entries(&data, |name| !["README.md", "openshift"].contains(&name)) {
        let folder = data.join(folder);
        if folder.join("imagestream.json").exists() {
            assert_same_answer(
                &items(&folder.join("images.json")),
                &value(&folder.join("imagestream.json")),
            );
        }
    }
    let folder = data.join("openshift");
    let images: Vec<Value> = entries(&folder, |name| name.starts_with("image-"))
        .iter()
        .map(|name| value(&folder.join(name)))
        .collect();
    for stream in entries(&folder, |name| name.starts_with("imagestream-")) {
        assert_same_answer(&images, &value(&folder.join(stream)));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

    #[test]
    fn every_history_has_the_same_answer(
        steps in vec(step(), 1..15),
        roots in vec(select(NAMES.to_vec()), 0..5),
    ) {
        let items: Vec<Value> = roots.iter().map(|image| json!({"image": image})).collect();
        let tags = json!([{"tag": "t", "items": items}]);
        let stream = json!({"metadata": {"name": "app"}, "status": {"tags": tags}}).to_string();
        let mut twins = Twins::new();
        for step in &steps {
            match step {
                Step::Apply(stored) => twins.apply(&stored.json().to_string()),
                Step::Delete(name, version) => twins.delete(name, *version),
                Step::Replace(images, version) => {
                    let images: Vec<Value> = images.iter().map(|stored| stored.json()).collect();
                    twins.replace_all(&images, &version.to_string());
                }
            }
            twins.assert_same(&stream, &NAMES);
        }
    }
}

fn fault(name: Option<&str>, position: Option<u32>, reason: &str) -> ObjectFault {
    ObjectFault {
        name: name.map(str::to_owned),
        position,
        reason: reason.to_owned(),
    }
}

/// The errors of the bindings have no `PartialEq`.
#[track_caller]
fn assert_error<T>(result: Result<T, LayersError>, expected: &LayersError) {
    assert_eq!(
        format!("{:?}", result.err().unwrap()),
        format!("{expected:?}")
    );
}

#[test]
fn an_object_that_cannot_be_used_is_named() {
    let mut index = COMPONENT_POLICY.index().unwrap();
    for (text, expected) in [
        (
            r#"{"metadata":{"name":"x"},"dockerImageLayers":[{"name":"a","size":-1}]}"#,
            fault(
                Some("x"),
                None,
                "dockerImageLayers[0].size: invalid value: integer `-1`, expected a size in bytes, a whole number from 0 to 9223372036854775807",
            ),
        ),
        ("{}", fault(None, None, "metadata.name is missing")),
        ("{", fault(None, None, "EOF while parsing an object")),
    ] {
        assert_error(
            index.apply(text).unwrap(),
            &LayersError::MalformedImage(expected),
        );
    }
    let stream = r#"{"kind":"Pod","metadata":{"namespace":"demo","name":"app"}}"#;
    let expected = LayersError::MalformedImageStream(fault(
        Some("demo/app"),
        None,
        "expected kind `ImageStream`, found `Pod`",
    ));
    assert_error(index.contains(stream, "x").unwrap(), &expected);
    assert_error(index.image_stream_layers(stream).unwrap(), &expected);
}

#[test]
fn a_list_that_cannot_be_used_removes_nothing() {
    let image = |name: &str| single(name, SCHEMA2, "c", &[("layer", 1)]);
    let pod = json!({"kind": "Pod", "metadata": {"namespace": "demo", "name": "p"}});
    let first = page(&[image("a"), image("b")], "5", "more");
    let broken = &first[..first.len() - 3];
    for (last, expected) in [
        (
            page(&[image("c"), json!({"metadata": {}})], "5", ""),
            LayersError::MalformedImage(fault(None, Some(3), "metadata.name is missing")),
        ),
        (
            page(&[pod], "5", ""),
            LayersError::MalformedImage(fault(
                Some("demo/p"),
                Some(2),
                "expected kind `Image`, found `Pod`",
            )),
        ),
        (
            broken.to_owned(),
            LayersError::MalformedPage(PageFault {
                page: 1,
                reason: format!(
                    "EOF while parsing a string at line 1 column {}",
                    broken.len()
                ),
            }),
        ),
        (
            page(&[image("c")], "5", "token"),
            LayersError::IncompleteList("token".to_owned()),
        ),
    ] {
        let mut index = COMPONENT_POLICY.index().unwrap();
        index.apply(&image("old").to_string()).unwrap().unwrap();
        let result = index.replace_all(&[first.clone(), last]).unwrap();
        assert_error(result, &expected);
        assert!(!index.has_synced().unwrap());
        let held = index.images_with_layer("layer").unwrap();
        assert!(held.starts_with(&["a".to_owned(), "b".to_owned()]));
        assert_eq!(held.last().unwrap(), "old");

        index.replace_all(&[page(&[], "6", "")]).unwrap().unwrap();
        assert!(index.has_synced().unwrap());
        assert!(index.images_with_layer("layer").unwrap().is_empty());
    }
}
