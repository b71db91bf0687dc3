//! What the service costs: answers per second, latency, and the memory of its process.
//!
//! `make bench-serve` prints a table and writes `target/bench/serve.json`. The service runs in a process of
//! its own, which is this binary started again, with TLS and authorisation; the API server and the readers are
//! in the first process, so that both share the processors.

#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a benchmark that cannot run ends"
)]

#[path = "../../tests/double/mod.rs"]
mod double;
#[path = "../../../../benches/layers/dump.rs"]
mod dump;
mod readers;
mod service;

use std::time::{Duration, Instant};

use double::client::stream;
use double::{ApiServer, Kind};
use dump::Dump;
use imagestream_import_mode_report::Measurements;
use readers::Readers;
use service::Process;

const IMAGES: usize = 20_000;

/// Median answer times of openshift-apiserver with the same index, in milliseconds.
const UPSTREAM: [(usize, f64); 3] = [(1, 1.8), (50, 3.8), (500, 26.0)];

fn main() {
    if service::is_child() {
        return service::run();
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .expect("threads");
    runtime.block_on(measure());
}

async fn measure() {
    let api = ApiServer::start().await;
    fill(&api);
    let mut report = Measurements::new("openshift-apiserver");
    for (cache, label) in [(64, "cached"), (0, "built each time")] {
        let started = Instant::now();
        let process = Process::start(api.address, cache);
        let readers = Readers::new(&process);
        readers.until_ready().await;
        if cache > 0 {
            let ready = started.elapsed().as_secs_f64();
            report.add("start to ready", ready, "s");
            let resident = process.resident("VmRSS");
            report.add("resident memory when ready", resident, "MiB");
        }
        for (images, upstream) in UPSTREAM {
            let what = format!("{images} images, {label}");
            let size = readers.size(images).await as f64;
            if cache > 0 {
                report.add(format!("answer, {images} images"), size / 1024.0, "KiB");
            }
            let times = readers.times(images, Duration::from_secs(3)).await;
            let median = times[times.len() / 2].as_secs_f64() * 1e3;
            let slowest = times[times.len() * 99 / 100].as_secs_f64() * 1e3;
            report.add_beside(format!("latency, median, {what}"), median, "ms", upstream);
            report.add(format!("latency, 99 %, {what}"), slowest, "ms");
            let before = process.processor();
            let (answers, time) = readers.many(images, 8, Duration::from_secs(4)).await;
            let processor = (process.processor() - before) / answers * 1e3;
            let rate = answers / time.as_secs_f64();
            report.add(format!("throughput, {what}"), rate, "answers/s");
            report.add(
                format!("processor time of an answer, {what}"),
                processor,
                "ms",
            );
        }
        for (what, line) in [
            ("resident memory after it", "VmRSS"),
            ("most resident memory", "VmHWM"),
        ] {
            report.add(format!("{what}, {label}"), process.resident(line), "MiB");
        }
    }
    report.publish("serve").expect("target can be written");
}

/// 20,000 images of 30 layers, and streams of 1, 50 and 500 of them.
fn fill(api: &ApiServer) {
    let text = Dump::new(IMAGES).into_text();
    let list: List<'_> = serde_json::from_str(&text).expect("the dump is right");
    for item in list.items {
        let image = serde_json::from_str(item.get()).expect("the dump is right");
        api.state.put(Kind::Image, image);
    }
    for (size, _) in UPSTREAM {
        let names: Vec<String> = (0..size)
            .map(|number| dump::digest("image", number * IMAGES / size))
            .collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        api.state.put(
            Kind::ImageStream,
            stream("team", &format!("app-{size}"), &names),
        );
    }
    api.state.forget_history();
    api.state.issue("good", "puller");
    api.state.allow("puller", "team", "*");
}

#[derive(serde::Deserialize)]
struct List<'a> {
    #[serde(borrow)]
    items: Vec<&'a serde_json::value::RawValue>,
}
