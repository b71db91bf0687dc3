//! From the JSON of an Image to the part that is kept.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, Unexpected, Visitor};
use serde_json::value::RawValue;

use super::head::HeadMeta;
use super::image::{Image, Layer, Manifest};
use super::json::{Fields, List, Object, Text, reason};
use super::media_type;
use super::platform::Platform;
use super::problem::Problem;
use super::version::ResourceVersion;

/// Reads an object that is taken for an Image; the error is the fault with its path.
pub(super) fn read(text: &str) -> Result<Image, String> {
    let Object(json) =
        serde_json::from_str::<Object<ImageJson>>(text).map_err(|error| reason(&error))?;
    let Object(metadata) = json.metadata;
    let name = metadata.name.filled().ok_or("metadata.name is missing")?;

    let mut problems = Vec::new();
    let docker = docker_image(json.docker_metadata, &mut problems);
    let media_type = json.media_type.filled();
    let mut layers = layers(json.layers, &mut problems);
    let manifests = manifests(json.manifests, &mut problems);
    let config = media_type::config_of(media_type.as_deref())
        .and(docker.id.filled().or(docker.untyped_id.filled()));
    let is_list = !manifests.is_empty();

    if is_list && (config.is_some() || !layers.is_empty()) {
        problems.push(Problem::MixedList);
        layers = Vec::new();
    }
    if !is_list
        && config.is_none()
        && media_type::config_of(media_type.as_deref()).is_some()
        && !matches!(problems.first(), Some(Problem::UnreadableMetadata { .. }))
    {
        problems.push(Problem::EmptyConfig);
    }
    Ok(Image {
        name,
        resource_version: ResourceVersion::new(&metadata.resource_version.0),
        media_type,
        config: config.filter(|_| !is_list),
        architecture: docker.architecture.filled(),
        layers,
        manifests,
        problems,
    })
}

fn docker_image<'a>(text: Option<&'a RawValue>, problems: &mut Vec<Problem>) -> DockerImage<'a> {
    let Some(text) = text else {
        return DockerImage::default();
    };
    match serde_json::from_str::<Object<DockerImage>>(text.get()) {
        Ok(Object(docker)) => docker,
        Err(error) => {
            problems.push(Problem::UnreadableMetadata {
                reason: reason(&error),
            });
            DockerImage::default()
        }
    }
}

fn layers(List(json): List<LayerJson>, problems: &mut Vec<Problem>) -> Vec<Layer> {
    let mut layers = Vec::with_capacity(json.len());
    for (position, layer) in json.into_iter().enumerate() {
        match layer.name.filled() {
            Some(name) => layers.push(Layer {
                name,
                size: layer.size.0,
                media_type: layer.media_type.0.into_owned(),
            }),
            None => problems.push(Problem::EmptyLayer { position }),
        }
    }
    layers
}

fn manifests(List(json): List<ManifestJson>, problems: &mut Vec<Problem>) -> Vec<Manifest> {
    let mut manifests = Vec::with_capacity(json.len());
    for (position, manifest) in json.into_iter().enumerate() {
        match manifest.digest.filled() {
            Some(digest) => manifests.push(Manifest {
                digest,
                platform: Platform {
                    os: manifest.os.0.into_owned(),
                    architecture: manifest.architecture.0.into_owned(),
                    variant: manifest.variant.0.into_owned(),
                },
            }),
            None => problems.push(Problem::EmptyManifest { position }),
        }
    }
    manifests
}

#[derive(Default)]
struct ImageJson<'a> {
    metadata: Object<HeadMeta<'a>>,
    docker_metadata: Option<&'a RawValue>,
    media_type: Text<'a>,
    layers: List<LayerJson<'a>>,
    manifests: List<ManifestJson<'a>>,
}

impl<'de> Fields<'de> for ImageJson<'de> {
    fn field<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<bool, A::Error> {
        match key {
            "metadata" => self.metadata = map.next_value()?,
            "dockerImageMetadata" => self.docker_metadata = map.next_value()?,
            "dockerImageManifestMediaType" => self.media_type = map.next_value()?,
            "dockerImageLayers" => self.layers = map.next_value()?,
            "dockerImageManifests" => self.manifests = map.next_value()?,
            _ => return Ok(false),
        }
        Ok(true)
    }
}

/// The decoded `dockerImageMetadata`. Typed metadata has the key `Id`; objects that were never typed have
/// `ID` (reference 5.3).
#[derive(Default)]
struct DockerImage<'a> {
    id: Text<'a>,
    untyped_id: Text<'a>,
    architecture: Text<'a>,
}

impl<'de> Fields<'de> for DockerImage<'de> {
    fn field<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<bool, A::Error> {
        match key {
            "Id" => self.id = map.next_value()?,
            "ID" => self.untyped_id = map.next_value()?,
            "Architecture" => self.architecture = map.next_value()?,
            _ => return Ok(false),
        }
        Ok(true)
    }
}

#[derive(Default)]
struct LayerJson<'a> {
    name: Text<'a>,
    size: Size,
    media_type: Text<'a>,
}

impl<'de> Fields<'de> for LayerJson<'de> {
    fn field<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<bool, A::Error> {
        match key {
            "name" => self.name = map.next_value()?,
            "size" => self.size = map.next_value()?,
            "mediaType" => self.media_type = map.next_value()?,
            _ => return Ok(false),
        }
        Ok(true)
    }
}

#[derive(Default)]
struct ManifestJson<'a> {
    digest: Text<'a>,
    os: Text<'a>,
    architecture: Text<'a>,
    variant: Text<'a>,
}

impl<'de> Fields<'de> for ManifestJson<'de> {
    fn field<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<bool, A::Error> {
        match key {
            "digest" => self.digest = map.next_value()?,
            "os" => self.os = map.next_value()?,
            "architecture" => self.architecture = map.next_value()?,
            "variant" => self.variant = map.next_value()?,
            _ => return Ok(false),
        }
        Ok(true)
    }
}

/// Bytes; the API's type is a signed 64-bit integer, of which a size uses the upper half.
#[derive(Default)]
struct Size(u64);

impl<'de> Deserialize<'de> for Size {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct SizeVisitor;

        impl Visitor<'_> for SizeVisitor {
            type Value = Size;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a size in bytes, a whole number from 0 to {}", i64::MAX)
            }

            fn visit_unit<E: Error>(self) -> Result<Size, E> {
                Ok(Size(0))
            }

            fn visit_u64<E: Error>(self, size: u64) -> Result<Size, E> {
                if size > i64::MAX.unsigned_abs() {
                    return Err(E::invalid_value(Unexpected::Unsigned(size), &self));
                }
                Ok(Size(size))
            }

            fn visit_i64<E: Error>(self, size: i64) -> Result<Size, E> {
                Err(E::invalid_value(Unexpected::Signed(size), &self))
            }
        }

        deserializer.deserialize_any(SizeVisitor)
    }
}
