//! What `footprint` takes on the dump of a large cluster: 5,000 streams and 20,000 images of 30 layers.
//!
//! `make bench-layers` runs the program on a generated dump, checks its sums, and writes
//! `target/bench/footprint.json`.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a benchmark that cannot run ends"
)]

#[path = "../../../benches/layers/dump.rs"]
mod dump;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use imagestream_import_mode_report::Measurements;
use serde_json::{Value, json};

use dump::{Dump, digest};

const IMAGES: usize = 20_000;
const STREAMS: usize = 5_000;
/// Tags of a stream; each has one image, so that every image is in one stream.
const TAGS: usize = IMAGES / STREAMS;
const TARGET_SECONDS: f64 = 10.0;

fn main() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("footprint");
    std::fs::create_dir_all(&folder).expect("target can be written");
    let dumps = [images(&folder), streams(&folder)];
    let bytes: u64 = dumps
        .iter()
        .map(|file| file.metadata().expect("it was written").len())
        .sum();

    let (table, seconds) = median_of_three(&dumps, "table");
    assert!(seconds < TARGET_SECONDS, "{seconds} s");
    let (json, json_seconds) = median_of_three(&dumps, "json");
    check(&serde_json::from_str(&json).expect("it is JSON"));

    let mut report = Measurements::new("target");
    report.add("dump", bytes as f64 / 1024.0 / 1024.0, "MiB");
    report.add_beside("footprint, table", seconds, "s", TARGET_SECONDS);
    let lines = table.lines().count() as f64;
    report.add("lines of the table", lines, "lines");
    report.add_beside("footprint, JSON", json_seconds, "s", TARGET_SECONDS);
    report.publish("footprint").expect("target can be written");
}

/// What the program prints, and how long it takes.
fn median_of_three(dumps: &[PathBuf], output: &str) -> (String, f64) {
    let mut runs: Vec<(f64, String)> = (0..3)
        .map(|_| {
            let start = Instant::now();
            let ended = Command::new(env!("CARGO_BIN_EXE_imagestream-import-mode"))
                .args(["footprint", "--output", output])
                .args(["--set", "payloadArchitecture=Multi"])
                .args(dumps)
                .output()
                .expect("the program runs");
            let seconds = start.elapsed().as_secs_f64();
            assert!(ended.status.success(), "{}", ended.status);
            let text = String::from_utf8(ended.stdout).expect("it prints text");
            (seconds, text)
        })
        .collect();
    runs.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    let (seconds, text) = runs.swap_remove(1);
    (text, seconds)
}

/// The totals are the sums of the streams.
fn check(footprint: &Value) {
    let number = |value: &Value| value.as_u64().expect("a number");
    let (totals, streams) = (&footprint["totals"], &footprint["streams"]);
    let streams = streams.as_array().expect("a list");
    let sum = |of: &dyn Fn(&Value) -> u64| streams.iter().map(of).sum::<u64>();
    let own = sum(&|stream| number(&stream["bytes"]) - number(&stream["sharedBytes"]));
    assert_eq!(
        number(&totals["bytes"]),
        own + number(&totals["sharedBytes"])
    );
    assert!(own > 0 && number(&totals["sharedBytes"]) > 0);
    assert_eq!(
        sum(&|stream| number(&stream["images"])),
        number(&totals["images"])
    );
    let expected = json!([STREAMS, IMAGES, IMAGES, 0, IMAGES]);
    let keys = [
        "streams",
        "tags",
        "images",
        "unreferencedImages",
        "onePlatformTags",
    ];
    assert_eq!(json!(keys.map(|key| &totals[key])), expected);
}

fn images(folder: &Path) -> PathBuf {
    let file = folder.join("images.json");
    std::fs::write(&file, Dump::new(IMAGES).into_text()).expect("the folder can be written");
    file
}

fn streams(folder: &Path) -> PathBuf {
    let file = folder.join("imagestreams.json");
    let items: Vec<Value> = (0..STREAMS).map(stream).collect();
    let list = json!({"kind": "ImageStreamList", "items": items});
    std::fs::write(&file, list.to_string()).expect("the folder can be written");
    file
}

fn stream(number: usize) -> Value {
    let name = format!("app-{number}");
    let tag = |place: usize| format!("v{place}");
    let spec: Vec<Value> = (0..TAGS)
        .map(|place| {
            json!({
                "name": tag(place),
                "from": {"kind": "DockerImage", "name": format!("registry.example.com/demo/{name}:{place}")},
                "importPolicy": {"importMode": "Legacy"},
            })
        })
        .collect();
    let status: Vec<Value> = (0..TAGS)
        .map(|place| {
            let image = digest("image", number * TAGS + place);
            json!({"tag": tag(place), "items": [{"image": image, "generation": 1}]})
        })
        .collect();
    json!({
        "metadata": {"namespace": format!("team-{}", number % 100), "name": name},
        "spec": {"tags": spec},
        "status": {"tags": status},
    })
}
