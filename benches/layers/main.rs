//! What the layers system costs: building the index, its memory, and its answers.
//!
//! `make bench-layers` prints a table and writes `target/bench/layers.json`. Times are medians.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a benchmark that cannot run ends"
)]

mod dump;
mod memory;

use std::hint::black_box;
use std::io::BufReader;
use std::time::{Duration, Instant};

use imagestream_import_mode::layers::footprint::{Footprint, FootprintOptions};
use imagestream_import_mode::layers::{Found, ImageLayerIndex, ImageStream, read, read_slice};

use imagestream_import_mode_report::Measurements;

use dump::{Dump, LAYERS};
use memory::Allocator;

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

const MIB: f64 = 1024.0 * 1024.0;

fn main() {
    let mut report = Measurements::new("target");
    build_from_text(&mut report);
    // A stream of 50 images in clusters of growing size; every image has its own 30 layers.
    let mut contains = Vec::new();
    for images in [100, 1_000, 10_000, 100_000] {
        let index = build_streaming(images, &mut report);
        contains.push(questions(images, &index, &mut report));
        if images == 100_000 {
            answers(&index, &mut report);
        }
    }
    let ratio = contains[3] / contains[0];
    report.add_beside("contains, 100,000 against 100 images", ratio, "times", 1.5);
    report.publish("layers").expect("target can be written");
}

/// 20,000 images of 30 layers, 200,000 distinct.
fn build_from_text(report: &mut Measurements) {
    let text = Dump::new(20_000).into_text();
    report.add("JSON of 20,000 images", text.len() as f64 / MIB, "MiB");
    let mut kept = None;
    let (before, rss) = (memory::live(), memory::resident());
    memory::reset_peak();
    let slice = median(3, || {
        kept = None;
        let mut index = ImageLayerIndex::new();
        index.start_list();
        read_slice(text.as_bytes(), |found| {
            store(&mut index, found);
            Ok(())
        })
        .expect("the dump is right");
        kept = Some(index);
    });
    let used = (memory::live() - before) as f64;
    let peak = (memory::peak() - before) as f64;
    let resident = memory::resident().saturating_sub(rss) as f64;
    let index = kept.expect("it was built");
    let images = index.len() as f64;
    let seconds = slice.as_secs_f64();
    report.add_beside("20,000 images from JSON in memory", seconds, "s", 5.0);
    report.add_beside("memory of 20,000 images", used / MIB, "MiB", 100.0);
    report.add("peak while building them", peak / MIB, "MiB");
    report.add("resident set for them", resident / MIB, "MiB");
    report.add("memory of an image of 30 layers", used / images, "bytes");
    let layers = images * LAYERS as f64;
    report.add("memory of a layer of an image", used / layers, "bytes");
    footprint(&index, report);
    drop(index);
    let reader = median(3, || {
        let mut index = ImageLayerIndex::new();
        let mut json = serde_json::Deserializer::from_reader(BufReader::new(text.as_bytes()));
        read(&mut json, |found| {
            store(&mut index, found);
            Ok(())
        })
        .expect("the dump is right");
        black_box(index);
    });
    let seconds = reader.as_secs_f64();
    report.add_beside("20,000 images from a reader", seconds, "s", 5.0);
}

/// The document is never in memory as a whole.
fn build_streaming(images: usize, report: &mut Measurements) -> ImageLayerIndex {
    let before = memory::live();
    memory::reset_peak();
    let mut index = ImageLayerIndex::new();
    let mut json = serde_json::Deserializer::from_reader(BufReader::new(Dump::new(images)));
    read(&mut json, |found| {
        store(&mut index, found);
        Ok(())
    })
    .expect("the dump is right");
    if images == 100_000 {
        let used = (memory::live() - before) as f64;
        let peak = (memory::peak() - before) as f64;
        report.add_beside("memory of 100,000 images", used / MIB, "MiB", 400.0);
        report.add("peak while building them from a reader", peak / MIB, "MiB");
    }
    index
}

fn store(index: &mut ImageLayerIndex, found: Found) {
    if let Found::Image(image) = found {
        index.apply(image);
    }
}

/// Nanoseconds of `contains`; the other look-ups are reported too.
fn questions(images: usize, index: &ImageLayerIndex, report: &mut Measurements) -> f64 {
    let answer = index.image_stream_layers(&spread(images, 50));
    let members: Vec<String> = answer.blobs().keys().map(ToString::to_string).collect();
    let strangers = (0..members.len()).map(|number| dump::digest("stranger", number));
    let digests: Vec<String> = members.iter().cloned().chain(strangers).collect();
    let contains = per_call(&digests, |digest| {
        black_box(answer.contains(digest));
    });
    let layers: Vec<String> = (0..1000.min(images * 10))
        .map(|number| dump::digest("layer", number))
        .collect();
    let found = per_call(&layers, |digest| {
        black_box(index.images_with_layer(digest));
    });
    let parents = per_call(&digests, |digest| {
        black_box(index.parents(digest));
    });
    for (question, time) in [
        ("contains", contains),
        ("images_with_layer", found),
        ("parents of no list", parents),
    ] {
        report.add(format!("{question}, {images} images"), time, "ns");
    }
    contains
}

fn answers(index: &ImageLayerIndex, report: &mut Measurements) {
    for size in [1, 50, 500] {
        let stream = spread(100_000, size);
        let built = median(15, || {
            black_box(index.image_stream_layers(&stream));
        });
        let written = median(15, || {
            let answer = index.image_stream_layers(&stream);
            black_box(answer.to_json().expect("it is JSON"));
        });
        for (what, time) in [
            ("image_stream_layers", built),
            ("the same and its JSON", written),
        ] {
            let milliseconds = time.as_secs_f64() * 1e3;
            report.add(format!("{what}, stream of {size}"), milliseconds, "ms");
        }
    }
}

/// 5,000 streams of four images each, every image of the cluster once.
fn footprint(index: &ImageLayerIndex, report: &mut Measurements) {
    let streams: Vec<ImageStream> = (0..5_000)
        .map(|number| {
            let images = (0..4).map(|place| dump::digest("image", number * 4 + place));
            stream(&format!("app-{number}"), images)
        })
        .collect();
    let time = median(3, || {
        black_box(Footprint::measure(
            index,
            &streams,
            &FootprintOptions::default(),
        ));
    });
    let seconds = time.as_secs_f64();
    report.add("footprint of 5,000 streams and 20,000 images", seconds, "s");
}

/// A stream whose history holds `size` images, spread over the cluster.
fn spread(images: usize, size: usize) -> ImageStream {
    let numbers = (0..size).map(|number| number * images / size);
    stream("app", numbers.map(|number| dump::digest("image", number)))
}

/// A stream with one tag.
fn stream(name: &str, images: impl Iterator<Item = String>) -> ImageStream {
    let items: Vec<String> = images
        .map(|image| format!(r#"{{"image":"{image}"}}"#))
        .collect();
    let items = items.join(",");
    let json = format!(
        r#"{{"metadata":{{"name":"{name}"}},"status":{{"tags":[{{"tag":"latest","items":[{items}]}}]}}}}"#
    );
    ImageStream::from_json(&json).expect("the stream is right")
}

fn median(runs: usize, mut run: impl FnMut()) -> Duration {
    let mut times: Vec<Duration> = (0..runs)
        .map(|_| {
            let start = Instant::now();
            run();
            start.elapsed()
        })
        .collect();
    times.sort_unstable();
    times[runs / 2]
}

/// The median of 101 rounds, divided by the number of calls.
fn per_call(inputs: &[String], mut call: impl FnMut(&str)) -> f64 {
    let round = median(101, || inputs.iter().for_each(|input| call(input)));
    round.as_secs_f64() * 1e9 / inputs.len() as f64
}
