//! What the layers system costs: building the index, its memory, and its answers.
//!
//! `cargo bench --bench layers` prints a table and writes `target/bench/layers.json`. Times are medians.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a benchmark that cannot run ends"
)]

mod dump;
mod memory;

use std::hint::black_box;
use std::io::BufReader;
use std::path::Path;
use std::time::{Duration, Instant};

use imagestream_import_mode::layers::footprint::{Footprint, FootprintOptions};
use imagestream_import_mode::layers::{Found, ImageLayerIndex, ImageStream, read, read_slice};

use dump::{Dump, LAYERS};
use memory::Allocator;

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

const MIB: f64 = 1024.0 * 1024.0;

fn main() {
    let mut report = Report::default();
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
    report.add(
        "contains, 100,000 against 100 images",
        contains[3] / contains[0],
        "times",
    );
    report.finish();
}

/// 20,000 images of 30 layers, 200,000 distinct: the target of 100 MiB and 5 seconds.
fn build_from_text(report: &mut Report) {
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
    let used = memory::live() - before;
    let images = kept.as_ref().map_or(0, ImageLayerIndex::len) as f64;
    report.add(
        "build 20,000 images, JSON in memory",
        slice.as_secs_f64(),
        "s",
    );
    report.add("memory of 20,000 images", used as f64 / MIB, "MiB");
    report.add(
        "peak while building them",
        (memory::peak() - before) as f64 / MIB,
        "MiB",
    );
    report.add(
        "resident set for them",
        memory::resident().saturating_sub(rss) as f64 / MIB,
        "MiB",
    );
    report.add(
        "memory per image of 30 layers",
        used as f64 / images,
        "bytes",
    );
    report.add(
        "memory per layer of an image",
        used as f64 / images / LAYERS as f64,
        "bytes",
    );
    footprint(kept.as_ref().expect("it was built"), report);
    drop(kept);
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
    report.add(
        "build 20,000 images, JSON from a reader",
        reader.as_secs_f64(),
        "s",
    );
}

/// The document is never in memory as a whole.
fn build_streaming(images: usize, report: &mut Report) -> ImageLayerIndex {
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
        report.add(
            "memory of 100,000 images",
            (memory::live() - before) as f64 / MIB,
            "MiB",
        );
        report.add(
            "peak while building them from a reader",
            (memory::peak() - before) as f64 / MIB,
            "MiB",
        );
    }
    index
}

fn store(index: &mut ImageLayerIndex, found: Found) {
    if let Found::Image(image) = found {
        index.apply(image);
    }
}

/// Nanoseconds of `contains`; the other look-ups are reported too.
fn questions(images: usize, index: &ImageLayerIndex, report: &mut Report) -> f64 {
    let answer = index.image_stream_layers(&spread(images, 50));
    let members: Vec<String> = answer.blobs().keys().map(ToString::to_string).collect();
    let strangers = (0..members.len()).map(|number| dump::digest("stranger", number));
    let digests: Vec<String> = members.iter().cloned().chain(strangers).collect();
    let contains = per_call(&digests, |digest| {
        black_box(answer.contains(digest));
    });
    report.add(&format!("contains, {images} images"), contains, "ns");
    let layers: Vec<String> = (0..1000.min(images * 10))
        .map(|number| dump::digest("layer", number))
        .collect();
    let found = per_call(&layers, |digest| {
        black_box(index.images_with_layer(digest));
    });
    report.add(&format!("images_with_layer, {images} images"), found, "ns");
    let parents = per_call(&digests, |digest| {
        black_box(index.parents(digest));
    });
    report.add(
        &format!("parents of no list, {images} images"),
        parents,
        "ns",
    );
    contains
}

fn answers(index: &ImageLayerIndex, report: &mut Report) {
    for size in [1, 50, 500] {
        let stream = spread(100_000, size);
        let time = median(15, || {
            black_box(index.image_stream_layers(&stream));
        });
        report.add(
            &format!("image_stream_layers, stream of {size}"),
            time.as_secs_f64() * 1e3,
            "ms",
        );
        let time = median(15, || {
            black_box(
                index
                    .image_stream_layers(&stream)
                    .to_json()
                    .expect("it is JSON"),
            );
        });
        report.add(
            &format!("the same and its JSON, stream of {size}"),
            time.as_secs_f64() * 1e3,
            "ms",
        );
    }
}

/// 5,000 streams of four images each, every image of the cluster once.
fn footprint(index: &ImageLayerIndex, report: &mut Report) {
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
    report.add(
        "footprint of 5,000 streams and 20,000 images",
        time.as_secs_f64(),
        "s",
    );
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

#[derive(Default)]
struct Report(Vec<(String, f64, &'static str)>);

impl Report {
    fn add(&mut self, what: &str, value: f64, unit: &'static str) {
        eprintln!("{what}: {value:.3} {unit}");
        self.0.push((what.to_owned(), value, unit));
    }

    fn finish(&self) {
        println!("| Measured | Value | Unit |\n| --- | ---: | --- |");
        for (what, value, unit) in &self.0 {
            println!("| {what} | {value:.2} | {unit} |");
        }
        let rows: Vec<serde_json::Value> = self
            .0
            .iter()
            .map(|(what, value, unit)| serde_json::json!({"measured": what, "value": value, "unit": unit}))
            .collect();
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/bench");
        std::fs::create_dir_all(&folder).expect("target can be written");
        let text = serde_json::to_string_pretty(&rows).expect("it is JSON");
        std::fs::write(folder.join("layers.json"), text + "\n").expect("target can be written");
    }
}
