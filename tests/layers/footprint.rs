//! What streams store and what a mode costs.

use std::collections::{BTreeMap, BTreeSet};

use imagestream_import_mode::layers::footprint::{
    Content, Cost, Footprint, FootprintOptions, ImageKind, OnePlatform, StreamFootprint,
    TagFootprint, TagSource, UnknownCost,
};
use imagestream_import_mode::layers::{ImageLayerIndex, ImageStream, ImportMode};
use serde_json::{Value, json};

use crate::support::{SCHEMA2, image, index, list, objects, root, single, stream, text};

fn multi() -> FootprintOptions {
    FootprintOptions {
        cluster_mode: Some(ImportMode::PreserveOriginal),
        ..FootprintOptions::default()
    }
}

/// A stream `demo/app` with one imported tag `t` whose newest image is `image`.
fn imported(mode: &str, image: &str) -> Value {
    json!({
        "metadata": {"namespace": "demo", "name": "app"},
        "spec": {"tags": [{
            "name": "t", "from": {"kind": "DockerImage", "name": "registry.example.com/app:1"},
            "generation": 2, "importPolicy": {"importMode": mode}
        }]},
        "status": {"tags": [{"tag": "t", "items": [{"image": image, "generation": 2}]}]},
    })
}

#[track_caller]
fn only_tag(index: &ImageLayerIndex, json: Value, options: &FootprintOptions) -> TagFootprint {
    let footprint = Footprint::measure(index, [&stream(json)], options);
    let [StreamFootprint { tags, .. }] = footprint.streams.as_slice() else {
        panic!("one stream");
    };
    let [tag] = tags.as_slice() else {
        panic!("one tag");
    };
    tag.clone()
}

fn two_platforms() -> ImageLayerIndex {
    index([
        list("list", &[("arm", "arm64"), ("amd", "amd64")]),
        single(
            "arm",
            SCHEMA2,
            "arm-config",
            &[("base", 10), ("arm-layer", 5)],
        ),
        single(
            "amd",
            SCHEMA2,
            "amd-config",
            &[("base", 10), ("amd-layer", 7)],
        ),
        single(
            "alone",
            SCHEMA2,
            "alone-config",
            &[("base", 10), ("alone-layer", 1)],
        ),
    ])
}

fn known(images: usize, blobs: usize, bytes: u64) -> Cost {
    Cost::Known(Content {
        images,
        blobs,
        bytes,
    })
}

fn unknown(unknown: UnknownCost) -> Cost {
    Cost::Unknown { unknown }
}

#[test]
fn a_list_costs_one_child_under_legacy() {
    let tag = only_tag(
        &two_platforms(),
        imported("PreserveOriginal", "list"),
        &multi(),
    );
    assert_eq!(
        serde_json::to_value(&tag).unwrap(),
        json!({
            "tag": "t",
            "mode": "PreserveOriginal",
            "source": "dockerImage",
            "importable": true,
            "images": 3,
            "blobs": 8,
            "bytes": 22,
            "sharedBytes": 0,
            "missingImages": [],
            "image": {"name": "list", "kind": "list", "platforms": ["linux/arm64", "linux/amd64"]},
            "legacy": {"images": 1, "blobs": 4, "bytes": 17},
            "preserveOriginal": {"images": 3, "blobs": 8, "bytes": 22},
            "onePlatform": null,
        })
    );
}

#[test]
fn the_child_of_legacy_is_the_preferred_one_then_amd64_then_the_first() {
    let legacy = |json: Value, architecture: &str| {
        let options = FootprintOptions {
            architecture: architecture.to_owned(),
            ..multi()
        };
        only_tag(&two_platforms(), json, &options).legacy
    };
    let (arm, amd) = (known(1, 4, 15), known(1, 4, 17));
    let plain = || imported("PreserveOriginal", "list");
    assert_eq!(legacy(plain(), "arm64"), arm);
    assert_eq!(legacy(plain(), "s390x"), amd);
    let mut preferring = plain();
    preferring["spec"]["tags"][0]["annotations"] =
        json!({"importer.image.openshift.io/prefer-arch": "arm64"});
    assert_eq!(legacy(preferring.clone(), "amd64"), arm);
    preferring["spec"]["tags"][0]["annotations"]["importer.image.openshift.io/prefer-os"] =
        json!("windows");
    assert_eq!(legacy(preferring.clone(), "amd64"), amd);
    preferring["spec"]["tags"][0]["from"]["name"] = json!("registry.example.com/app@list");
    assert_eq!(
        legacy(preferring, "arm64"),
        arm,
        "an import by digest knows no preference"
    );

    let without_amd64 = index([
        list("list", &[("z", "s390x"), ("arm", "arm64")]),
        single("z", SCHEMA2, "c", &[("z-layer", 3)]),
        single("arm", SCHEMA2, "c", &[]),
    ]);
    assert_eq!(
        only_tag(&without_amd64, plain(), &multi()).legacy,
        known(1, 3, 3)
    );
}

#[test]
fn a_list_that_may_have_been_flattened_is_unknown() {
    let tag = only_tag(&two_platforms(), imported("Legacy", "alone"), &multi());
    assert_eq!(tag.legacy, known(1, 4, 11));
    assert_eq!(tag.preserve_original, unknown(UnknownCost::Flattened));
    assert_eq!(
        serde_json::to_value(tag.preserve_original).unwrap(),
        json!({"unknown": "flattened"})
    );
}

#[test]
fn a_single_image_that_was_imported_as_original_costs_the_same() {
    let tag = only_tag(
        &two_platforms(),
        imported("PreserveOriginal", "alone"),
        &multi(),
    );
    assert_eq!(
        (tag.legacy, tag.preserve_original),
        (known(1, 4, 11), known(1, 4, 11))
    );
    for generation in [json!(3), json!(0), Value::Null] {
        let mut due = imported("PreserveOriginal", "alone");
        due["spec"]["tags"][0]["generation"] = generation;
        let tag = only_tag(&two_platforms(), due, &multi());
        assert_eq!(tag.preserve_original, unknown(UnknownCost::Flattened));
        assert_eq!(tag.one_platform, Some(OnePlatform::ImportIsDue));
    }
}

#[test]
fn what_is_missing_makes_a_cost_unknown() {
    let mut index = two_platforms();
    index.delete("arm", &Default::default());
    let tag = only_tag(&index, imported("PreserveOriginal", "list"), &multi());
    assert_eq!(tag.stored.missing_images, ["arm"]);
    assert_eq!(tag.legacy, known(1, 4, 17));
    assert_eq!(tag.preserve_original, unknown(UnknownCost::MissingImage));

    let tag = only_tag(&index, imported("Legacy", "gone"), &multi());
    assert_eq!(tag.stored.missing_images, ["gone"]);
    assert_eq!(tag.image.unwrap().kind, ImageKind::Missing);
    assert_eq!(
        (tag.legacy, tag.one_platform),
        (unknown(UnknownCost::MissingImage), None)
    );

    let mut failed = imported("Legacy", "gone");
    failed["status"]["tags"][0]["items"] = Value::Null;
    let tag = only_tag(&index, failed, &multi());
    assert_eq!(
        (tag.image, tag.legacy),
        (None, unknown(UnknownCost::NotImported))
    );
}

#[test]
fn a_list_without_children_has_nothing_to_choose() {
    let index = index([list("list", &[])]);
    let tag = only_tag(&index, imported("PreserveOriginal", "list"), &multi());
    assert_eq!(tag.legacy, unknown(UnknownCost::EmptyList));
    assert_eq!(tag.preserve_original, known(1, 1, 0));
}

#[test]
fn what_no_import_brought_costs_the_same_in_both_modes() {
    let tag_of = |from: Value, image: &str| {
        let mut json = imported("Legacy", image);
        json["spec"]["tags"][0]["from"] = from;
        only_tag(&two_platforms(), json, &multi())
    };
    let pushed = tag_of(Value::Null, "list");
    assert_eq!(
        (pushed.source, pushed.importable),
        (TagSource::Pushed, false)
    );
    assert_eq!(
        (pushed.legacy, pushed.preserve_original),
        (known(3, 8, 22), known(3, 8, 22))
    );
    let fixed = tag_of(
        json!({"kind": "ImageStreamImage", "name": "app@alone"}),
        "alone",
    );
    assert_eq!(
        (fixed.legacy, fixed.preserve_original),
        (known(1, 4, 11), known(1, 4, 11))
    );
    let follows = tag_of(json!({"kind": "ImageStreamTag", "name": "app:u"}), "alone");
    assert_eq!(follows.preserve_original, unknown(UnknownCost::Flattened));

    let mut reference = imported("Legacy", "");
    reference["spec"]["tags"][0]["reference"] = json!(true);
    let reference = only_tag(&two_platforms(), reference, &multi());
    assert_eq!(
        (reference.source, reference.importable),
        (TagSource::Reference, false)
    );
    assert_eq!(
        (reference.legacy, reference.preserve_original),
        (known(0, 0, 0), known(0, 0, 0))
    );
}

#[test]
fn tags_of_one_platform_and_their_commands() {
    let remedy = |change: fn(&mut Value)| {
        let mut json = imported("Legacy", "alone");
        change(&mut json);
        only_tag(&two_platforms(), json, &multi()).one_platform
    };
    let command = |command: &str| {
        Some(OnePlatform::Change {
            command: command.to_owned(),
        })
    };
    assert_eq!(
        remedy(|_| {}),
        command("oc import-image app:t --import-mode=PreserveOriginal -n demo")
    );
    assert_eq!(
        remedy(|json| json["metadata"] = json!({"name": "a'; rm -rf /", "namespace": "$(x)"})),
        command(r"oc import-image 'a'\''; rm -rf /:t' --import-mode=PreserveOriginal -n '$(x)'")
    );
    assert_eq!(
        remedy(|json| json["metadata"] = json!({"name": "app"})),
        command("oc import-image app:t --import-mode=PreserveOriginal")
    );
    assert_eq!(
        remedy(|json| {
            json["spec"]["tags"][0]["name"] = json!("x y");
            json["status"]["tags"][0]["tag"] = json!("x y");
        }),
        Some(OnePlatform::UnusableTagName)
    );
    assert_eq!(
        remedy(|json| json["spec"]["tags"][0]["importPolicy"] =
            json!({"importMode": "PreserveOriginal"})),
        Some(OnePlatform::SingleSource)
    );
    assert_eq!(
        remedy(|json| json["spec"]["tags"][0]["from"]["name"] =
            json!("registry.example.com/app@alone")),
        Some(OnePlatform::Pinned)
    );
    assert_eq!(
        remedy(|json| json["spec"]["tags"][0]["from"] =
            json!({"kind": "ImageStreamTag", "name": "app:u"})),
        Some(OnePlatform::FollowsTag)
    );
    assert_eq!(
        remedy(|json| json["spec"]["tags"][0]["from"] =
            json!({"kind": "ImageStreamImage", "name": "app@alone"})),
        Some(OnePlatform::FollowsImage)
    );
    assert_eq!(
        remedy(|json| json["spec"] = json!({})),
        Some(OnePlatform::Pushed)
    );
    assert_eq!(
        remedy(|json| json["status"]["tags"][0]["items"][0]["image"] = json!("list")),
        None
    );

    for cluster_mode in [None, Some(ImportMode::Legacy)] {
        let options = FootprintOptions {
            cluster_mode,
            ..multi()
        };
        assert_eq!(
            only_tag(&two_platforms(), imported("Legacy", "alone"), &options).one_platform,
            None
        );
    }
}

#[test]
fn the_newest_state_of_a_stream_counts_and_streams_are_in_order() {
    let named = |namespace: &str, version: &str, image: &str| {
        let mut json = imported("Legacy", image);
        json["metadata"] =
            json!({"namespace": namespace, "name": "app", "resourceVersion": version});
        stream(json)
    };
    let streams = [
        named("b", "9", "alone"),
        named("b", "10", "amd"),
        named("b", "8", "arm"),
        named("a", "1", "arm"),
    ];
    let footprint = Footprint::measure(&two_platforms(), &streams, &multi());
    let images: Vec<(&str, &str)> = footprint
        .streams
        .iter()
        .map(|stream| {
            (
                stream.namespace.as_str(),
                stream.tags[0].image.as_ref().unwrap().name.as_str(),
            )
        })
        .collect();
    assert_eq!(images, [("a", "arm"), ("b", "amd")]);
    assert_eq!(footprint.totals.unreferenced_images, 2);
    assert_eq!(
        footprint.commands().collect::<Vec<_>>(),
        [
            "oc import-image app:t --import-mode=PreserveOriginal -n a",
            "oc import-image app:t --import-mode=PreserveOriginal -n b",
        ]
    );
}

#[test]
fn the_whole_document() {
    let mut other = imported("Legacy", "alone");
    other["metadata"]["name"] = json!("other");
    let streams = [stream(imported("PreserveOriginal", "list")), stream(other)];
    let footprint = Footprint::measure(&two_platforms(), &streams, &multi());
    let json = serde_json::to_value(&footprint).unwrap();
    assert_eq!(
        json["totals"],
        json!({
            "streams": 2,
            "tags": 2,
            "images": 4,
            "blobs": 11,
            "bytes": 23,
            "sharedBytes": 10,
            "missingImages": [],
            "unreferencedImages": 0,
            "legacy": {"images": 2, "blobs": 7, "bytes": 18, "unknownTags": 0},
            "preserveOriginal": {"images": 3, "blobs": 8, "bytes": 22, "unknownTags": 1},
            "onePlatformTags": 1,
        })
    );
    assert_eq!(
        (&json["clusterMode"], &json["legacyPlatform"]),
        (&json!("PreserveOriginal"), &json!("linux/amd64"))
    );
    let mut stream = json["streams"][1].clone();
    let tag = stream["tags"][0].take();
    assert_eq!(
        stream,
        json!({
            "namespace": "demo", "name": "other", "images": 1, "blobs": 4, "bytes": 11,
            "sharedBytes": 10, "missingImages": [], "tags": [null],
        })
    );
    assert_eq!(
        tag["onePlatform"],
        json!({"remedy": "change", "command": "oc import-image other:t --import-mode=PreserveOriginal -n demo"})
    );
}

#[test]
fn totals_are_what_the_answers_add_up_to() {
    // A made-up cluster: every stream has a few images, many of them shared, and one list.
    let pick = |number: usize, range: usize| {
        number.wrapping_mul(0x9E37_79B9) >> 7 & 0xffff_ffff & (range - 1)
    };
    let mut index = ImageLayerIndex::new();
    for number in 0..64 {
        let layers: Vec<(String, u64)> = (0..6)
            .map(|place| pick(number * 6 + place, 128))
            .map(|layer| (format!("layer-{layer}"), layer as u64))
            .collect();
        let layers: Vec<(&str, u64)> = layers
            .iter()
            .map(|(name, size)| (name.as_str(), *size))
            .collect();
        index.apply(image(single(
            &format!("image-{number}"),
            SCHEMA2,
            &format!("config-{number}"),
            &layers,
        )));
    }
    index.apply(image(list(
        "list",
        &[
            ("image-1", "amd64"),
            ("image-2", "arm64"),
            ("gone", "s390x"),
        ],
    )));
    let streams: Vec<ImageStream> = (0..20)
        .map(|number| {
            let items: Vec<Value> = (0..4).map(|place| json!({"image": format!("image-{}", pick(number * 4 + place, 64))})).collect();
            stream(json!({
                "metadata": {"namespace": format!("n{}", number % 3), "name": format!("s{number}")},
                "status": {"tags": [{"tag": "a", "items": items}, {"tag": "b", "items": [{"image": "list"}, {"image": "lost"}]}]},
            }))
        })
        .collect();
    let footprint = Footprint::measure(&index, &streams, &multi());

    let mut sizes = BTreeMap::<String, u64>::new();
    let mut users = BTreeMap::<String, usize>::new();
    let (mut existing, mut missing) = (BTreeSet::new(), BTreeSet::new());
    for stream in &streams {
        let answer = index.image_stream_layers(stream);
        for (digest, data) in answer.blobs() {
            sizes.insert(digest.to_string(), data.size.unwrap_or(0));
            *users.entry(digest.to_string()).or_default() += 1;
        }
        for (name, references) in answer.images() {
            let names = if references.image_missing {
                &mut missing
            } else {
                &mut existing
            };
            names.insert(name.to_string());
        }
        let of_stream = footprint
            .streams
            .iter()
            .find(|other| other.name == stream.name())
            .unwrap();
        assert_eq!(of_stream.stored.content.blobs, answer.blobs().len());
        assert_eq!(of_stream.stored.missing_images, ["gone", "lost"]);
        let bytes: u64 = answer.blobs().values().filter_map(|data| data.size).sum();
        assert_eq!(of_stream.stored.content.bytes, bytes);
    }
    let totals = &footprint.totals;
    assert_eq!(totals.stored.content.images, existing.len());
    assert_eq!(totals.unreferenced_images, index.len() - existing.len());
    assert_eq!(totals.stored.missing_images, Vec::from_iter(missing));
    assert_eq!(totals.stored.content.blobs, sizes.len());
    assert_eq!(totals.stored.content.bytes, sizes.values().sum::<u64>());
    let shared: u64 = sizes
        .iter()
        .filter(|(digest, _)| users[*digest] > 1)
        .map(|(_, size)| size)
        .sum();
    assert_eq!(totals.stored.shared_bytes, shared);
    let own: u64 = footprint
        .streams
        .iter()
        .map(|stream| stream.stored.content.bytes - stream.stored.shared_bytes)
        .sum();
    assert_eq!(totals.stored.content.bytes, own + shared);
    assert_eq!(
        totals.tags,
        footprint
            .streams
            .iter()
            .map(|stream| stream.tags.len())
            .sum::<usize>()
    );
}

#[test]
fn recorded_streams_of_one_source_in_both_modes() {
    let data = root().join("data/layers");
    let mut index = ImageLayerIndex::new();
    let mut streams = Vec::new();
    for folder in ["layers-multi-legacy", "layers-multi-preserve"] {
        let (images, _) = objects(text(&data.join(folder).join("images.json")).as_bytes());
        images.into_iter().for_each(|image| {
            index.apply(image);
        });
        let (_, found) = objects(text(&data.join(folder).join("imagestream.json")).as_bytes());
        streams.extend(found);
    }
    let footprint = Footprint::measure(&index, &streams, &multi());
    let [legacy, preserve] = footprint.streams.as_slice() else {
        panic!("two streams");
    };
    assert_eq!(legacy.tags[0].image.as_ref().unwrap().platforms, ["amd64"]);
    assert_eq!(
        preserve.tags[0].image.as_ref().unwrap().platforms,
        ["linux/amd64", "linux/arm64/v8", "linux/ppc64le"]
    );
    // Legacy took the child that the index expects it to take.
    assert_eq!(legacy.tags[0].legacy, preserve.tags[0].legacy);
    assert_eq!(preserve.tags[0].preserve_original, known(4, 14, 984));
    assert_eq!(
        footprint.commands().collect::<Vec<_>>(),
        ["oc import-image multi-legacy:1.0 --import-mode=PreserveOriginal -n demo-layers"]
    );
}
