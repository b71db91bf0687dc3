//! The host calls of a decision: the expected reads, read as they must be, and a harmless log.

use serde_json::Value;

use super::Expectation;
use crate::calls::{HostCalls, Read};
use crate::request::Request;

/// Longer log lines are taken for data of the request.
const LONGEST_LOG_LINE: usize = 1024;

/// How each kind of object must be read: its field masks, and whether past the host's cache.
const READS: [(&str, &[&str], bool); 3] = [
    (
        "config.openshift.io/v1/Image/",
        &["spec.imageStreamImportMode", "status.imageStreamImportMode"],
        false,
    ),
    (
        "config.openshift.io/v1/ClusterVersion/",
        &["status.desired.architecture", "status.conditions"],
        false,
    ),
    ("image.openshift.io/v1/ImageStream/", &["spec.tags"], true),
];

/// Adds each difference from the expected calls as one line.
pub(super) fn compare_calls(
    request: &Request,
    expected: &Expectation,
    calls: &HostCalls,
    differences: &mut Vec<String>,
) {
    let reads: Vec<_> = calls.reads.iter().map(Read::to_string).collect();
    if reads != expected.host_calls {
        differences.push(format!(
            "host calls: expected {:?}, got {reads:?}",
            expected.host_calls
        ));
    }
    for read in &calls.reads {
        if !is_read_right(read) {
            differences.push(format!(
                "host call `{read}` with field masks {:?} and disable_cache {}",
                read.field_masks.as_deref().unwrap_or_default(),
                read.disable_cache
            ));
        }
    }
    if !calls.others.is_empty() {
        differences.push(format!("other host calls: {:?}", calls.others));
    }
    if calls.log.len() > 1 {
        differences.push(format!("{} log lines: {:?}", calls.log.len(), calls.log));
    }
    for payload in &calls.log {
        if let Err(difference) = check_log_line(request, payload) {
            differences.push(difference);
        }
    }
}

fn is_read_right(read: &Read) -> bool {
    let key = read.to_string();
    READS.iter().any(|(prefix, masks, disable_cache)| {
        key.starts_with(prefix)
            && read
                .field_masks
                .iter()
                .flatten()
                .map(String::as_str)
                .eq(masks.iter().copied())
            && read.disable_cache == *disable_cache
    })
}

fn check_log_line(request: &Request, payload: &str) -> Result<(), String> {
    let line: Value = serde_json::from_str(payload)
        .map_err(|error| format!("a log line that is not JSON ({error}): {payload:?}"))?;
    let text = |key: &str| line.get(key).and_then(Value::as_str);
    let (Some(_level), Some(message)) = (text("level"), text("message")) else {
        return Err(format!("a log line without level or message: {payload:?}"));
    };
    if message.chars().count() > LONGEST_LOG_LINE || message.contains('\n') {
        return Err(format!("a long log line: {message:?}"));
    }
    let holds_object = request
        .object()
        .filter(|object| object.as_object().is_some_and(|fields| !fields.is_empty()))
        .is_some_and(|object| message.contains(&object.to_string()));
    if holds_object || message.contains("\"metadata\"") || message.contains("\"spec\"") {
        return Err(format!("a log line with the object: {message:?}"));
    }
    Ok(())
}
