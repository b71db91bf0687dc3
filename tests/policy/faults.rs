//! Every way in which a read can go wrong, for each of the three reads: what users and
//! administrators see of it.
//!
//! One request that makes all three reads is decided again and again, each time with one fault.
//! What must come of it follows from what the fault means and which read it hits; whole outcomes are
//! compared, through the library and through the module.

mod table;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use imagestream_import_mode_host::{Cluster, ClusterError, CoreDoor, Door, Read, Request};
use serde_json::{Value, json};

use self::table::FAULTS;
use crate::support::{POLICY, project};

/// What the host does instead of a sound answer, and what it means.
struct Fault {
    name: &'static str,
    reply: fn(Target) -> Reply,
    means: Means,
}

enum Reply {
    Bytes(Vec<u8>),
    Missing,
    Error(String),
    After(Duration),
}

#[derive(Clone, Copy)]
enum Means {
    /// The answer is sound.
    Nothing,
    /// The object does not exist.
    Missing,
    /// It exists and says nothing.
    Silent,
    /// The read failed; the log has the reason.
    Failed(Reason),
}

#[derive(Clone, Copy)]
enum Reason {
    /// The first line of the host's text.
    HostText(&'static str),
    /// The bytes are no text. Only the module gets bytes; the library's host finds it out.
    NotUtf8,
    /// They are no object.
    NoObject,
}

use Means::{Failed, Missing, Nothing, Silent};
use Reason::{HostText, NoObject, NotUtf8};

/// The reads in the order in which they are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    Stream,
    ImageConfig,
    ClusterVersion,
}

const TARGETS: [Target; 3] = [Target::Stream, Target::ImageConfig, Target::ClusterVersion];

impl Target {
    fn key(self) -> &'static str {
        match self {
            Self::Stream => "image.openshift.io/v1/ImageStream/demo/app",
            Self::ImageConfig => "config.openshift.io/v1/Image/cluster",
            Self::ClusterVersion => "config.openshift.io/v1/ClusterVersion/version",
        }
    }

    /// The stream has another tag, nothing is configured, the payload is for many architectures.
    fn sound(self) -> Value {
        match self {
            Self::Stream => {
                json!({"spec": {"tags": [{"name": "other", "importPolicy": {"importMode": "Legacy"}}]}})
            }
            Self::ImageConfig => json!({"metadata": {"name": "cluster"}, "spec": {}}),
            Self::ClusterVersion => json!({"status": {"desired": {"architecture": "Multi"}}}),
        }
    }

    /// The right fields with wrong types.
    fn mistyped(self) -> &'static str {
        match self {
            Self::Stream => r#"{"spec":{"tags":{"name":"1","importPolicy":{}}}}"#,
            Self::ImageConfig => {
                r#"{"spec":{"imageStreamImportMode":["PreserveOriginal"]},"status":"PreserveOriginal"}"#
            }
            Self::ClusterVersion => {
                r#"{"status":{"desired":["Multi"],"conditions":[7,{"type":"ReleaseAccepted","status":true,"message":"architecture=\"Multi\""},{"type":"ReleaseAccepted","status":"True","message":["Multi"]}]}}"#
            }
        }
    }
}

/// Marks a text that is longer than a log line.
const LONG: &str = "xxx…";
const LONGEST_LOG: usize = 1_000;

/// A cluster with a fault in the reads of `targets`.
struct Faulty {
    fault: &'static Fault,
    targets: Vec<Target>,
}

impl Cluster for Faulty {
    fn get_resource(&self, _: &Read) -> Result<Value, ClusterError> {
        Err(ClusterError::NotFound)
    }

    fn reply(&self, read: &Read) -> Result<Vec<u8>, ClusterError> {
        let key = read.to_string();
        let target = TARGETS.into_iter().find(|target| target.key() == key);
        let target = target.unwrap_or_else(|| panic!("unexpected read of {key}"));
        let sound = Ok(target.sound().to_string().into_bytes());
        if !self.targets.contains(&target) {
            return sound;
        }
        match (self.fault.reply)(target) {
            Reply::Bytes(bytes) => Ok(bytes),
            Reply::Missing => Err(ClusterError::NotFound),
            Reply::Error(text) => Err(ClusterError::Failed(text)),
            Reply::After(time) => {
                thread::sleep(time);
                sound
            }
        }
    }
}

/// An import of one image, as `oc import-image` sends it.
fn request() -> Request {
    let kind = json!({"group": "image.openshift.io", "version": "v1", "kind": "ImageStreamImport"});
    let request = json!({
        "uid": "u", "operation": "CREATE", "userInfo": {}, "kind": kind,
        "resource": {"group": "image.openshift.io", "version": "v1", "resource": "imagestreamimports"},
        "name": "app", "namespace": "demo", "object": object("Legacy"),
    });
    Request::from_json(request.to_string().as_bytes()).unwrap()
}

fn object(mode: &str) -> Value {
    json!({
        "spec": {"import": true, "images": [{
            "from": {"kind": "DockerImage", "name": "quay.io/example/app:1"}, "to": {"name": "1"},
            "importPolicy": {"importMode": mode},
        }]},
        "status": {},
    })
}

/// Everything that is to be seen from outside.
#[derive(Debug, PartialEq)]
struct Outcome {
    /// The text and the code of a rejection.
    rejected: Option<(String, u16)>,
    object: Value,
    warnings: Vec<String>,
    audit_annotations: BTreeMap<String, String>,
    reads: Vec<&'static str>,
    log: Vec<String>,
    other_calls: Vec<String>,
}

fn outcome(
    door: &dyn Door,
    fault: &'static Fault,
    targets: &[Target],
    settings: &Value,
) -> Outcome {
    let targets = targets.to_vec();
    let request = request();
    let evaluation = door
        .evaluate(&request, settings, Arc::new(Faulty { fault, targets }))
        .unwrap();
    let response = evaluation.response;
    assert_eq!(response.uid, "u");
    let key = |read: &Read| {
        let key = read.to_string();
        TARGETS
            .map(Target::key)
            .into_iter()
            .find(|known| *known == key)
    };
    let message = response.message().map(str::to_owned);
    let status = response.status.clone();
    Outcome {
        rejected: (!response.allowed).then(|| {
            let code = status.and_then(|status| status.code);
            (message.unwrap_or_default(), code.unwrap_or_default())
        }),
        object: response.apply(request.object().unwrap()).unwrap(),
        warnings: response.warnings.unwrap_or_default(),
        audit_annotations: response.audit_annotations.unwrap_or_default(),
        reads: evaluation.calls.reads.iter().filter_map(key).collect(),
        log: evaluation.calls.log,
        other_calls: evaluation.calls.others,
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Setting {
    Default,
    Reject,
    Report,
}

impl Setting {
    fn json(self) -> Value {
        match self {
            Self::Default => json!({}),
            Self::Reject => json!({"onUnknownPayload": "Reject"}),
            Self::Report => json!({"action": "Report"}),
        }
    }
}

const LOOKUP_FAILED: &str =
    "lookup-failed: tag 1: taken for new, the image stream could not be read";
const PAYLOAD_UNKNOWN: &str =
    "payload-unknown: tag 1: left as sent, cluster mode unknown; set payloadArchitecture";
const CANNOT_TELL: &str = "tag 1: cannot tell which import mode new tags get, because the cluster's ClusterVersion or image config could not be read; set `payloadArchitecture` or `imageStreamImportMode` in the policy's settings, or let the policy server read them";
const SHOULD_BE: &str = "tag 1: importMode should be PreserveOriginal; set importPolicy.importMode (oc tag and oc import-image take --import-mode), or apply the other mode explicitly to keep it";

/// What semantics.md says (2, 3, 5 and 6).
fn expected(target: Target, means: Means, setting: Setting, door: &dyn Door) -> Outcome {
    let (unknown, assumed) = match (target, means) {
        (Target::ImageConfig, Failed(_)) | (Target::ClusterVersion, Failed(_) | Missing) => {
            (true, false)
        }
        (Target::ClusterVersion, Silent) => (false, true),
        _ => (false, false),
    };
    let lookup_failed = matches!((target, means), (Target::Stream, Failed(_)));
    let would_set = !unknown && !assumed;
    let rejected = match setting {
        Setting::Reject if unknown => Some((CANNOT_TELL.to_owned(), 403)),
        Setting::Report if would_set => Some((SHOULD_BE.to_owned(), 403)),
        _ => None,
    };
    let set = would_set && rejected.is_none();
    let mut warnings = Vec::new();
    if rejected.is_none() {
        warnings.extend((lookup_failed && would_set).then(|| LOOKUP_FAILED.to_owned()));
        warnings.extend(unknown.then(|| PAYLOAD_UNKNOWN.to_owned()));
    }
    let annotations = [
        ("import-mode", "PreserveOriginal"),
        ("import-mode-source", "cluster-version"),
        ("import-mode-tags", "tag 1"),
    ];
    let own = |(key, value): (&str, &str)| (key.to_owned(), value.to_owned());
    let reads = if unknown && target == Target::ImageConfig {
        2
    } else {
        3
    };
    Outcome {
        rejected,
        object: object(if set { "PreserveOriginal" } else { "Legacy" }),
        warnings,
        audit_annotations: annotations.into_iter().filter(|_| set).map(own).collect(),
        reads: TARGETS.into_iter().take(reads).map(Target::key).collect(),
        log: match means {
            Failed(reason) => vec![log_line(target, reason, door)],
            Nothing | Missing | Silent => Vec::new(),
        },
        other_calls: Vec::new(),
    }
}

fn log_line(target: Target, reason: Reason, door: &dyn Door) -> String {
    let line = |text: &str| format!("cannot read {}: {text}", target.key());
    let message = match reason {
        NoObject => line("the reply is not a JSON object"),
        NotUtf8 => {
            let prefix = if door.name() == "core" {
                HOST_ERROR
            } else {
                ""
            };
            line(&format!(
                "{prefix}invalid utf-8 sequence of 1 bytes from index 2"
            ))
        }
        HostText(LONG) => {
            let start = line(HOST_ERROR);
            let room = LONGEST_LOG - start.chars().count() - 1;
            format!("{start}{}…", "x".repeat(room))
        }
        HostText(text) => line(&format!("{HOST_ERROR}{text}")),
    };
    format!(r#"{{"level":"WARNING","message":{}}}"#, json!(message))
}

/// What the guest library puts before the host's text.
const HOST_ERROR: &str = "Host error: ";

fn doors() -> [&'static dyn Door; 2] {
    [&CoreDoor, &*POLICY]
}

/// One cell of the table.
fn cell(outcome: &Outcome) -> String {
    let set = outcome.object == object("PreserveOriginal");
    let mut cell = String::from(if set { "set" } else { "left" });
    for warning in &outcome.warnings {
        let (kind, _) = warning.split_once(':').unwrap();
        let _ = write!(cell, ", `{kind}`");
    }
    if !outcome.log.is_empty() {
        cell.push_str(", logged");
    }
    cell
}

#[test]
fn every_fault_of_every_read_is_borne() {
    let mut table = String::from(
        "| What the host does | Stream | Image config | ClusterVersion |\n|---|---|---|---|\n",
    );
    for fault in FAULTS {
        let _ = write!(table, "| {}", fault.name);
        for target in TARGETS {
            for door in doors() {
                for setting in [Setting::Default, Setting::Reject, Setting::Report] {
                    let outcome = outcome(door, fault, &[target], &setting.json());
                    assert_eq!(
                        outcome,
                        expected(target, fault.means, setting, door),
                        "{}, {target:?}, {}, settings {}",
                        fault.name,
                        door.name(),
                        setting.json()
                    );
                }
            }
            let shown = outcome(&CoreDoor, fault, &[target], &json!({}));
            let _ = write!(table, " | {}", cell(&shown));
        }
        table.push_str(" |\n");
    }
    println!("{table}");
    let document = std::fs::read_to_string(project("docs/robustness.md")).unwrap();
    assert!(
        document.contains(&table),
        "docs/robustness.md has another table"
    );
}

#[test]
fn faults_of_all_reads_are_one_warning_and_one_line() {
    let fault = FAULTS
        .iter()
        .find(|fault| fault.name == "queue full")
        .unwrap();
    for door in doors() {
        let expected = Outcome {
            log: vec![format!(
                r#"{{"level":"WARNING","message":"cannot read {}: {HOST_ERROR}Error sending request over callback channel; cannot read {}: {HOST_ERROR}Error sending request over callback channel"}}"#,
                TARGETS[0].key(),
                TARGETS[1].key()
            )],
            ..expected(Target::ImageConfig, fault.means, Setting::Default, door)
        };
        assert_eq!(outcome(door, fault, &TARGETS, &json!({})), expected);
    }
}

#[test]
fn a_read_beyond_the_policys_time_is_ended_by_the_host() {
    static SLOW: Fault = Fault {
        name: "slow",
        reply: |_| Reply::After(Duration::from_millis(2_500)),
        means: Nothing,
    };
    let ended = |target| {
        let targets = vec![target];
        let cluster = Arc::new(Faulty {
            fault: &SLOW,
            targets,
        });
        let evaluation = POLICY.evaluate(&request(), &json!({}), cluster).unwrap();
        let response = evaluation.response;
        assert_eq!(
            response.message(),
            Some("Policy execution interrupted because it exceeded the allowed execution time")
        );
        assert_eq!((response.allowed, response.patch), (false, None));
        assert_eq!(evaluation.calls.log, Vec::<String>::new());
    };
    thread::scope(|scope| {
        for target in TARGETS {
            scope.spawn(move || ended(target));
        }
    });
}
