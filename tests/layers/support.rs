use std::fs;
use std::path::{Path, PathBuf};

use imagestream_import_mode::layers::{
    Found, Image, ImageLayerIndex, ImageStream, ImageStreamLayers, ResourceVersion, read_slice,
};
use serde_json::{Value, json};

pub const SCHEMA1: &str = "application/vnd.docker.distribution.manifest.v1+json";
pub const SCHEMA2: &str = "application/vnd.docker.distribution.manifest.v2+json";
pub const SCHEMA2_CONFIG: &str = "application/vnd.docker.container.image.v1+json";
pub const LIST: &str = "application/vnd.docker.distribution.manifest.list.v2+json";
pub const OCI: &str = "application/vnd.oci.image.manifest.v1+json";
pub const GZIP: &str = "application/vnd.docker.image.rootfs.diff.tar.gzip";

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

#[track_caller]
pub fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[track_caller]
pub fn value(path: &Path) -> Value {
    serde_json::from_str(&text(path)).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Names of the entries of a folder that satisfy `wanted`, in order; never none.
#[track_caller]
pub fn entries(folder: &Path, wanted: impl Fn(&str) -> bool) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| wanted(name))
        .collect();
    names.sort_unstable();
    assert!(!names.is_empty(), "{} holds nothing", folder.display());
    names
}

#[track_caller]
pub fn image(json: Value) -> Image {
    Image::from_json(&json.to_string()).unwrap_or_else(|error| panic!("{error}"))
}

#[track_caller]
pub fn stream(json: Value) -> ImageStream {
    ImageStream::from_json(&json.to_string()).unwrap_or_else(|error| panic!("{error}"))
}

/// Images and streams of a document in which nothing may be wrong.
#[track_caller]
pub fn objects(text: &[u8]) -> (Vec<Image>, Vec<ImageStream>) {
    let (mut images, mut streams) = (Vec::new(), Vec::new());
    read_slice(text, |found| {
        match found {
            Found::Image(image) => images.push(image),
            Found::ImageStream(stream) => streams.push(stream),
            Found::Other { kind, name } => panic!("{kind} {name:?}"),
            Found::Faulty(error) => return Err(error),
        }
        Ok(())
    })
    .unwrap_or_else(|error| panic!("{error}"));
    (images, streams)
}

pub fn index(images: impl IntoIterator<Item = Value>) -> ImageLayerIndex {
    let mut index = ImageLayerIndex::new();
    index.replace_all(images.into_iter().map(image), &ResourceVersion::default());
    index
}

/// An image of schema 2 or OCI; layers are `(digest, size)`.
pub fn single(name: &str, media_type: &str, config: &str, layers: &[(&str, u64)]) -> Value {
    let layers: Vec<Value> = layers
        .iter()
        .map(|(name, size)| json!({"name": name, "size": size, "mediaType": GZIP}))
        .collect();
    json!({
        "metadata": {"name": name},
        "dockerImageManifestMediaType": media_type,
        "dockerImageMetadata": {"kind": "DockerImage", "apiVersion": "image.openshift.io/1.0", "Id": config},
        "dockerImageLayers": layers,
    })
}

/// A manifest list whose children are for `linux` and these architectures.
pub fn list(name: &str, children: &[(&str, &str)]) -> Value {
    let children: Vec<Value> = children
        .iter()
        .map(|(digest, architecture)| json!({"digest": digest, "os": "linux", "architecture": architecture}))
        .collect();
    json!({
        "metadata": {"name": name},
        "dockerImageManifestMediaType": LIST,
        "dockerImageMetadata": {"Id": name},
        "dockerImageManifests": children,
    })
}

/// A stream with one tag per element, each with these images, the newest first.
pub fn history(tags: &[&[&str]]) -> ImageStream {
    let tags: Vec<Value> = tags
        .iter()
        .enumerate()
        .map(|(number, images)| {
            let items: Vec<Value> = images.iter().map(|image| json!({"image": image})).collect();
            json!({"tag": format!("t{number}"), "items": items})
        })
        .collect();
    stream(json!({"metadata": {"namespace": "demo", "name": "app"}, "status": {"tags": tags}}))
}

pub fn answer(layers: &ImageStreamLayers) -> Value {
    serde_json::from_str(&layers.to_json().unwrap()).unwrap()
}

/// `images` of the answer for a history.
pub fn images(index: &ImageLayerIndex, tags: &[&[&str]]) -> Value {
    answer(&index.image_stream_layers(&history(tags)))["images"].take()
}

/// `blobs` of the answer for a history.
pub fn blobs(index: &ImageLayerIndex, tags: &[&[&str]]) -> Value {
    answer(&index.image_stream_layers(&history(tags)))["blobs"].take()
}

/// The rules of reference 5.5, which every answer of ours keeps.
#[track_caller]
pub fn assert_valid(layers: &ImageStreamLayers) {
    for (name, references) in layers.images() {
        let layer_names = references.layers.iter().flatten();
        let empty = (references.layers.is_none(), references.config.is_none());
        if references.image_missing {
            assert_eq!(empty, (true, true), "{name}");
            assert!(references.manifests.is_empty(), "{name}");
        } else if !references.manifests.is_empty() {
            assert_eq!(empty, (true, true), "{name}");
            assert!(
                references.manifests.iter().all(|digest| *digest != ""),
                "{name}"
            );
        }
        assert!(layer_names.clone().all(|layer| *layer != ""), "{name}");
        assert_ne!(references.config, Some("".into()), "{name}");
        for blob in layer_names.chain(&references.config) {
            assert!(layers.blobs().contains_key(blob), "{name}: {blob}");
            assert!(layers.contains(&blob.to_string()), "{name}: {blob}");
        }
        // A missing image may be a layer of another one.
        let is_blob = layers.blobs().contains_key(name);
        assert!(references.image_missing || is_blob, "{name}");
        assert!(layers.contains(&name.to_string()), "{name}");
    }
}
