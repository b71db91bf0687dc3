//! What fuzzing found, replayed: through the checks of `fuzz/` on the library, and through the
//! module, which must answer as the library does.

use std::path::PathBuf;
use std::sync::Arc;

use imagestream_import_mode::{Outcome, Settings, evaluate};
use imagestream_import_mode_host::{Cluster, ClusterError, Read};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use self::fuzz::Answers;
use crate::support::{POLICY, project};

#[path = "../../fuzz/src/lib.rs"]
mod fuzz;

const MOST_FILES: usize = 300;
const MOST_BYTES: usize = 1 << 20;

fn corpus(target: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = project("fuzz/corpus").join(target);
    let entries = std::fs::read_dir(&folder).unwrap();
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let inputs: Vec<_> = paths
        .into_iter()
        .map(|path| {
            let input = std::fs::read(&path).unwrap();
            (path, input)
        })
        .collect();
    assert!(!inputs.is_empty(), "{} is empty", folder.display());
    inputs
}

/// Names the file when a check fails.
struct Named<'p>(&'p PathBuf);

impl Drop for Named<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("the input is {}", self.0.display());
        }
    }
}

#[track_caller]
fn replay(target: &str, check: fn(&[u8])) {
    for (path, input) in corpus(target) {
        let _named = Named(&path);
        check(&input);
    }
}

#[test]
fn the_core_decides_the_corpus() {
    replay("decide", fuzz::decide);
}

#[test]
fn the_core_reads_the_settings_of_the_corpus() {
    replay("settings", fuzz::settings);
}

#[test]
fn the_core_edits_the_corpus() {
    replay("splice", fuzz::splice);
}

#[test]
fn the_core_and_serde_json_agree_on_the_corpus() {
    replay("json", fuzz::json);
}

#[test]
fn the_corpus_is_small_and_has_no_stray_folder() {
    let mut targets: Vec<_> = std::fs::read_dir(project("fuzz/corpus"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    targets.sort();
    assert_eq!(targets, ["decide", "json", "settings", "splice"]);
    let inputs: Vec<_> = targets.iter().flat_map(|target| corpus(target)).collect();
    let bytes: usize = inputs.iter().map(|(_, input)| input.len()).sum();
    assert!(inputs.len() <= MOST_FILES, "{} files", inputs.len());
    assert!(bytes <= MOST_BYTES, "{bytes} bytes");
}

/// The answers of an input in the hands of a host.
struct Host {
    replies: [Option<Vec<u8>>; 3],
}

impl Cluster for Host {
    fn get_resource(&self, _: &Read) -> Result<Value, ClusterError> {
        Err(ClusterError::NotFound)
    }

    fn reply(&self, read: &Read) -> Result<Vec<u8>, ClusterError> {
        match self.replies[Answers::index(&read.kind)].as_deref() {
            None => Err(ClusterError::NotFound),
            Some([b'!', text @ ..]) => Err(ClusterError::Failed(
                String::from_utf8_lossy(text).into_owned(),
            )),
            Some(text) => Ok(text.to_vec()),
        }
    }
}

#[track_caller]
fn call(operation: &str, payload: &[u8], cluster: Arc<dyn Cluster>) -> (String, Vec<String>) {
    let call = POLICY.call(operation, payload, cluster).unwrap();
    assert_eq!(call.calls.others, Vec::<String>::new());
    let answer = call.answer.unwrap_or_else(|error| panic!("{error}"));
    (String::from_utf8(answer).unwrap(), call.calls.log)
}

/// The module's answer member by member, numbers and strings as they stand.
#[derive(Debug, Default, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Answer {
    accepted: bool,
    message: Option<String>,
    code: Option<u16>,
    #[serde(default)]
    mutated_object: Option<Text>,
    #[serde(default)]
    warnings: Vec<String>,
    #[serde(default)]
    audit_annotations: std::collections::BTreeMap<String, String>,
}

#[derive(Debug, serde::Deserialize)]
#[serde(transparent)]
struct Text(Box<RawValue>);

impl PartialEq for Text {
    fn eq(&self, other: &Self) -> bool {
        self.0.get() == other.0.get()
    }
}

fn of_core(payload: &[u8], cluster: &Answers<'_>) -> (Answer, Vec<String>) {
    let decision = evaluate(payload, cluster);
    let mut answer = Answer {
        accepted: decision.allowed(),
        warnings: decision.warnings.iter().map(ToString::to_string).collect(),
        audit_annotations: decision
            .audit_annotations
            .iter()
            .map(|(key, value)| ((*key).to_owned(), value.clone()))
            .collect(),
        ..Answer::default()
    };
    match &decision.outcome {
        Outcome::Accept => {}
        Outcome::Mutate(mutation) => {
            let text = RawValue::from_string(mutation.mutated_object()).unwrap();
            answer.mutated_object = Some(Text(text));
        }
        Outcome::Reject(rejection) => {
            answer.message = Some(rejection.message.clone());
            answer.code = Some(rejection.code);
        }
    }
    let line = |message| json!({"level": "WARNING", "message": message}).to_string();
    (answer, decision.log.into_iter().map(line).collect())
}

/// The guest library says where an error comes from, which an error of the corpus may say itself.
fn without_origin(log: &[String]) -> Vec<String> {
    log.iter()
        .map(|line| line.replace("Host error: ", ""))
        .collect()
}

/// Each input as a payload of `validate`, whichever check it was found by.
#[test]
fn the_module_answers_the_corpus_as_the_core_does() {
    for target in ["decide", "json", "settings", "splice"] {
        for (path, input) in corpus(target) {
            let _named = Named(&path);
            let core = Answers::of(&input);
            let replies = core.replies.map(|reply| reply.map(<[u8]>::to_vec));
            let (answer, log) = call("validate", core.payload, Arc::new(Host { replies }));
            let (expected, expected_log) = of_core(core.payload, &core);
            let answer: Answer = serde_json::from_str(&answer).unwrap();
            assert_eq!(answer, expected);
            assert_eq!(log.len(), expected_log.len());
            if !expected_log.iter().any(|line| line.contains('…')) {
                assert_eq!(without_origin(&log), without_origin(&expected_log));
            }
        }
    }
}

#[test]
fn the_module_validates_the_corpus_as_the_core_does() {
    for (path, input) in corpus("settings") {
        let _named = Named(&path);
        let validation = json!(imagestream_import_mode_host::Door::validate_settings(
            &*POLICY, &input
        ));
        let message = Settings::parse(&input).err().map(|error| error.to_string());
        // waPC has no call without a payload.
        if !input.is_empty() {
            let expected = json!({"valid": message.is_none(), "message": message});
            assert_eq!(validation, expected);
        }
    }
}
