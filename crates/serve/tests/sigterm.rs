//! The process as a whole: its log, its port, its end by a signal.
//!
//! The service runs in a process of its own: this test binary, started again for its ignored test.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking, its helpers too"
)]

#[path = "double/mod.rs"]
mod double;

use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use clap::Parser;
use double::client::{Reader, stream};
use double::{ApiServer, Kind};
use imagestream_import_mode_serve::ServeArgs;
use serde_json::Value;

const KUBECONFIG: &str = "SERVE_TEST_KUBECONFIG";

#[derive(Parser)]
struct Serve {
    #[command(flatten)]
    args: ServeArgs,
}

#[test]
#[ignore = "the process that the other test starts"]
fn process() {
    let Ok(kubeconfig) = std::env::var(KUBECONFIG) else {
        return;
    };
    let arguments = ["serve", "--kubeconfig", &kubeconfig];
    imagestream_import_mode_serve::run(&Serve::parse_from(arguments).args).unwrap();
}

/// Ends with the test, however that ends.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_serves_until_sigterm() {
    let api = ApiServer::start().await;
    api.state.put(Kind::ImageStream, stream("team", "app", &[]));
    let kubeconfig = std::env::temp_dir().join(format!("layers-kubeconfig-{}", std::process::id()));
    std::fs::write(&kubeconfig, double::client::kubeconfig(api.address)).unwrap();
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["process", "--exact", "--ignored", "--nocapture"])
        .env(KUBECONFIG, &kubeconfig)
        .env("LAYERS_LISTEN", "127.0.0.1:0")
        .env("LAYERS_AUTHORIZATION", "none")
        .env("LAYERS_LOG_FORMAT", "json")
        .env("LAYERS_SHUTDOWN_DELAY_SECONDS", "0")
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut process = Process(child);
    let log = BufReader::new(process.0.stderr.take().unwrap());
    let mut log = log
        .lines()
        .map(|line| serde_json::from_str::<Value>(&line.unwrap()).unwrap());

    let listening = log.next().unwrap();
    assert_eq!(listening["message"], "listening");
    assert_eq!(listening["level"], "INFO");
    assert_eq!(listening["scheme"], "http");
    let address: SocketAddr = listening["address"].as_str().unwrap().parse().unwrap();
    let warning = log.next().unwrap();
    assert_eq!(warning["level"], "WARN");
    assert_eq!(
        warning["message"],
        "authorisation is off: everyone who reaches this loopback address sees all layers"
    );

    let reader = Reader::new(address);
    reader.until_synced().await;
    assert_eq!(reader.layers("team", "app").await.code, 200);

    let pid = process.0.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-TERM", &pid])
            .status()
            .unwrap()
            .success()
    );
    let started = Instant::now();
    let status = loop {
        if let Some(status) = process.0.try_wait().unwrap() {
            break status;
        }
        assert!(started.elapsed() < Duration::from_secs(10));
        tokio::time::sleep(Duration::from_millis(10)).await;
    };
    assert!(status.success(), "{status}");
    let rest: Vec<Value> = log.collect();
    let messages: Vec<&str> = rest
        .iter()
        .filter_map(|line| line["message"].as_str())
        .collect();
    assert!(
        messages.ends_with(&["shutting down", "all requests finished"]),
        "{messages:?}"
    );
    assert_eq!(
        messages
            .iter()
            .filter(|&&message| message == "the list is complete")
            .count(),
        2
    );
    std::fs::remove_file(kubeconfig).unwrap();
}
