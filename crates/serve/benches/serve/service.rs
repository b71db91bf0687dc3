//! The service in a process of its own.

use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use clap::Parser;
use imagestream_import_mode_serve::ServeArgs;

const CHILD: &str = "SERVE_BENCH_FOLDER";

#[derive(Parser)]
struct Serve {
    #[command(flatten)]
    args: ServeArgs,
}

pub fn is_child() -> bool {
    std::env::var_os(CHILD).is_some()
}

/// Serves until the first process kills this one.
pub fn run() {
    let folder = PathBuf::from(std::env::var_os(CHILD).expect("the child has it"));
    let kubeconfig = folder.join("kubeconfig");
    let arguments = [
        "serve",
        "--kubeconfig",
        kubeconfig.to_str().expect("a plain path"),
    ];
    imagestream_import_mode_serve::run(&Serve::parse_from(arguments).args).expect("it serves");
}

pub struct Process {
    child: Child,
    folder: PathBuf,
    pub address: SocketAddr,
    pub certificate: rustls::pki_types::CertificateDer<'static>,
}

impl Process {
    pub fn start(api: SocketAddr, cache_mib: u16) -> Self {
        let folder = std::env::temp_dir().join(format!("layers-bench-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let made =
            rcgen::generate_simple_self_signed(["localhost".to_owned()]).expect("a certificate");
        let write = |name: &str, text: &str| {
            let file = folder.join(name);
            std::fs::write(&file, text).expect("a file");
            file
        };
        write("kubeconfig", &crate::double::client::kubeconfig(api));
        let mut child = Command::new(std::env::current_exe().expect("this binary"))
            .env(CHILD, &folder)
            .env("LAYERS_LISTEN", "127.0.0.1:0")
            .env("LAYERS_TLS_CERT", write("tls.crt", &made.cert.pem()))
            .env(
                "LAYERS_TLS_KEY",
                write("tls.key", &made.signing_key.serialize_pem()),
            )
            .env("LAYERS_LOG_FORMAT", "json")
            .env("LAYERS_ANSWER_CACHE_MIB", cache_mib.to_string())
            .stderr(Stdio::piped())
            .spawn()
            .expect("a process");
        let mut lines = BufReader::new(child.stderr.take().expect("its log")).lines();
        let line = lines.next().expect("a line").expect("a line");
        let line: serde_json::Value = serde_json::from_str(&line).expect("JSON");
        let address = line["address"].as_str().expect("an address");
        let address = address.parse().expect("an address");
        std::thread::spawn(move || lines.for_each(drop));
        Self {
            child,
            folder,
            address,
            certificate: made.cert.der().clone(),
        }
    }

    /// Processor time that the process has taken, in seconds; unlike the clock it does not count others.
    pub fn processor(&self) -> f64 {
        let file = format!("/proc/{}/stat", self.child.id());
        let stat = std::fs::read_to_string(file).expect("a process");
        let (_, fields) = stat.rsplit_once(')').expect("a name in parentheses");
        let fields: Vec<&str> = fields.split_whitespace().collect();
        // User and system time in ticks, of which Linux reports 100 a second.
        let ticks = |place: usize| fields[place].parse::<f64>().expect("a number");
        (ticks(11) + ticks(12)) / 100.0
    }

    /// A line of the process' status in MiB.
    pub fn resident(&self, line: &str) -> f64 {
        let file = format!("/proc/{}/status", self.child.id());
        let status = std::fs::read_to_string(file).expect("a process");
        let found = status.lines().find_map(|found| found.strip_prefix(line));
        let text = found.expect("the line").trim_start_matches(':').trim();
        let kib: f64 = text.trim_end_matches(" kB").parse().expect("a number");
        kib / 1024.0
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
