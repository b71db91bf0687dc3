//! From an index and streams to a [`Footprint`].

use std::collections::{BTreeMap, BTreeSet};

use super::super::index::ImageLayerIndex;
use super::super::platform::Platform;
use super::super::stream::{ImageStream, TagEvent, TagHistory, TagReference};
use super::super::walk::Target;
use super::cost::{Cost, Newest, UnknownCost};
use super::one_platform::OnePlatform;
use super::sets::{Ledger, Reach};
use super::{
    Footprint, FootprintOptions, ImageKind, ModeTotal, StreamFootprint, TagFootprint, TagImage,
    TagSource, Totals,
};
use crate::import_mode::ImportMode;

pub(super) fn measure<'a>(
    index: &ImageLayerIndex,
    streams: impl IntoIterator<Item = &'a ImageStream>,
    options: &FootprintOptions,
) -> Footprint {
    let mut newest = BTreeMap::<(&str, &str), &ImageStream>::new();
    for stream in streams {
        let known = newest
            .entry((stream.namespace(), stream.name()))
            .or_insert(stream);
        if stream.resource_version().replaces(known.resource_version()) {
            *known = stream;
        }
    }
    let mut measure = Measure {
        index,
        options,
        ledger: Ledger::of(index, newest.values().copied()),
        all: Reach::default(),
        legacy: Mode::default(),
        preserve_original: Mode::default(),
    };
    let streams: Vec<StreamFootprint> = newest
        .values()
        .map(|stream| measure.stream(stream))
        .collect();
    Footprint {
        cluster_mode: options.cluster_mode,
        legacy_platform: Platform {
            os: options.os.clone(),
            architecture: options.architecture.clone(),
            variant: String::new(),
        }
        .to_string(),
        totals: measure.totals(&streams),
        streams,
    }
}

struct Measure<'a> {
    index: &'a ImageLayerIndex,
    options: &'a FootprintOptions,
    ledger: Ledger,
    all: Reach<'a>,
    legacy: Mode<'a>,
    preserve_original: Mode<'a>,
}

/// What the tags so far would hold under one mode.
#[derive(Default)]
struct Mode<'a> {
    known: Reach<'a>,
    unknown_tags: usize,
}

impl<'a> Measure<'a> {
    fn stream(&mut self, stream: &'a ImageStream) -> StreamFootprint {
        let mut names: BTreeSet<&str> = stream
            .history()
            .iter()
            .map(|tag| tag.tag.as_str())
            .collect();
        names.extend(stream.tags().iter().map(|tag| tag.name.as_str()));
        let tags: BTreeMap<&str, &TagReference> = stream
            .tags()
            .iter()
            .map(|tag| (tag.name.as_str(), tag))
            .collect();
        let histories: BTreeMap<&str, &TagHistory> = stream
            .history()
            .iter()
            .map(|tag| (tag.tag.as_str(), tag))
            .collect();
        let mut reach = Reach::default();
        let tags = names
            .into_iter()
            .map(|name| {
                let events = histories.get(name).map(|tag| tag.events.as_slice());
                let (tag, of_tag) = self.tag(
                    stream,
                    name,
                    tags.get(name).copied(),
                    events.unwrap_or_default(),
                );
                reach.add(&of_tag);
                tag
            })
            .collect();
        self.all.add(&reach);
        StreamFootprint {
            namespace: stream.namespace().to_owned(),
            name: stream.name().to_owned(),
            stored: self.ledger.usage(self.index, &reach),
            tags,
        }
    }

    fn tag(
        &mut self,
        stream: &ImageStream,
        name: &str,
        tag: Option<&'a TagReference>,
        events: &'a [TagEvent],
    ) -> (TagFootprint, Reach<'a>) {
        let index = self.index;
        let images = events.iter().map(|event| event.image.as_str());
        let reach = Reach::of(
            index,
            images
                .filter(|image| !image.is_empty())
                .map(|image| Target::named(index, image)),
        );
        let source = source(tag);
        let newest = events
            .first()
            .filter(|event| !event.image.is_empty())
            .map(|event| Newest {
                index,
                name: event.image.as_str(),
                source,
                tag,
                settled: is_settled(tag, event),
            });
        let under = |mode| match (&newest, events) {
            (Some(newest), _) => newest.under(mode, self.options),
            // The event of a reference tag names no image: nothing is stored in any mode.
            (None, [_, ..]) => Ok(Reach::default()),
            (None, []) => Err(UnknownCost::NotImported),
        };
        let (legacy, preserve_original) = (
            under(ImportMode::Legacy),
            under(ImportMode::PreserveOriginal),
        );
        let one_platform = newest
            .as_ref()
            .filter(|newest| {
                self.options.cluster_mode == Some(ImportMode::PreserveOriginal)
                    && newest.kind() == ImageKind::Single
            })
            .map(|newest| OnePlatform::of(newest, stream.namespace(), stream.name()));
        let footprint = TagFootprint {
            tag: name.to_owned(),
            mode: tag.and_then(|tag| tag.mode),
            source,
            importable: source == TagSource::DockerImage,
            stored: self.ledger.usage(index, &reach),
            image: newest.map(|newest| TagImage {
                name: newest.name.to_owned(),
                kind: newest.kind(),
                platforms: newest.platforms(),
            }),
            legacy: self.legacy.add(&self.ledger, legacy),
            preserve_original: self.preserve_original.add(&self.ledger, preserve_original),
            one_platform,
        };
        (footprint, reach)
    }

    fn totals(&self, streams: &[StreamFootprint]) -> Totals {
        let tags = || streams.iter().flat_map(|stream| &stream.tags);
        Totals {
            streams: streams.len(),
            tags: tags().count(),
            stored: self.ledger.usage(self.index, &self.all),
            unreferenced_images: self.index.len() - self.all.images.len(),
            legacy: self.legacy.total(&self.ledger),
            preserve_original: self.preserve_original.total(&self.ledger),
            one_platform_tags: tags().filter(|tag| tag.one_platform.is_some()).count(),
        }
    }
}

impl<'a> Mode<'a> {
    fn add(&mut self, ledger: &Ledger, reach: Result<Reach<'a>, UnknownCost>) -> Cost {
        match reach {
            Ok(reach) => {
                self.known.add(&reach);
                Cost::Known(ledger.content(&reach))
            }
            Err(unknown) => {
                self.unknown_tags += 1;
                Cost::Unknown { unknown }
            }
        }
    }

    fn total(&self, ledger: &Ledger) -> ModeTotal {
        ModeTotal {
            known: ledger.content(&self.known),
            unknown_tags: self.unknown_tags,
        }
    }
}

fn source(tag: Option<&TagReference>) -> TagSource {
    let Some(tag) = tag else {
        return TagSource::Pushed;
    };
    match tag.from_kind.as_str() {
        _ if tag.reference => TagSource::Reference,
        "DockerImage" => TagSource::DockerImage,
        "ImageStreamTag" => TagSource::ImageStreamTag,
        "ImageStreamImage" => TagSource::ImageStreamImage,
        _ => TagSource::Pushed,
    }
}

/// Whether the import that the tag asks for is the one that brought this event.
fn is_settled(tag: Option<&TagReference>, event: &TagEvent) -> bool {
    tag.and_then(|tag| tag.generation)
        .is_some_and(|generation| generation != 0 && generation <= event.generation)
}
