//! One case under one settings object, through one door.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::Value;

use super::calls::compare_calls;
use super::{Case, Expectation};
use crate::cluster::{Cluster, ScriptedCluster};
use crate::door::{Door, Evaluation};
use crate::mode;
use crate::request::Request;

/// The longest warning that the API server surely leaves whole.
const LONGEST_WARNING: usize = 120;

/// The keys of the audit annotations of a change.
const ANNOTATIONS: [&str; 3] = ["import-mode", "import-mode-source", "import-mode-tags"];

/// Decides a case through a door; returns each difference from the expectation as one line.
#[must_use]
pub fn check(case: &Case, expected: &Expectation, door: &dyn Door) -> Vec<String> {
    let mut differences = Vec::new();
    let request = match case.request() {
        Ok(request) => request,
        Err(error) => return vec![error.to_string()],
    };
    let cluster: Arc<dyn Cluster> = Arc::new(ScriptedCluster::from_case(&case.cluster));
    let settings = &expected.settings;
    let evaluation = match door.evaluate(&request, settings, Arc::clone(&cluster)) {
        Ok(evaluation) => evaluation,
        Err(error) => return vec![error.to_string()],
    };
    compare(&request, expected, &evaluation, &mut differences);
    if door.asks() {
        compare_calls(&request, expected, &evaluation.calls, &mut differences);
    }
    if evaluation.response.allowed
        && let Some(Ok(result)) = request.object().map(|o| evaluation.response.apply(o))
    {
        let again = request.with_object(result);
        match door.evaluate(&again, settings, cluster) {
            Ok(second) if second.response.allowed && second.response.patch.is_none() => {}
            Ok(second) => differences.push(format!(
                "deciding again on the result: {}",
                outcome(&second)
            )),
            Err(error) => differences.push(format!("deciding again on the result: {error}")),
        }
    }
    differences
}

fn compare(
    request: &Request,
    expected: &Expectation,
    evaluation: &Evaluation,
    differences: &mut Vec<String>,
) {
    let response = &evaluation.response;
    if response.allowed != expected.allowed {
        differences.push(format!(
            "allowed: expected {}, got {}",
            expected.allowed,
            outcome(evaluation)
        ));
    }
    if !response.allowed && response.message().unwrap_or_default().is_empty() {
        differences.push("a rejection without a message".to_owned());
    }
    if response.uid != request.uid() {
        differences.push(format!("uid: got `{}`", response.uid));
    }
    if let Err(difference) = compare_object(request, expected, evaluation) {
        differences.push(difference);
    }
    compare_warnings(expected, response.warnings.as_deref(), differences);
    compare_annotations(expected, response.audit_annotations.as_ref(), differences);
}

fn outcome(evaluation: &Evaluation) -> String {
    let response = &evaluation.response;
    match (response.json_patch(), response.message()) {
        (Err(error), _) => error.to_string(),
        (_, Some(message)) if !response.allowed => format!("rejected with `{message}`"),
        (Ok(Some(patch)), _) => format!("changed by {patch}"),
        (Ok(None), _) if response.allowed => "accepted unchanged".to_owned(),
        (Ok(None), _) => "rejected".to_owned(),
    }
}

/// The whole object after the policy is the object before it with exactly the expected modes.
fn compare_object(
    request: &Request,
    expected: &Expectation,
    evaluation: &Evaluation,
) -> Result<(), String> {
    let response = &evaluation.response;
    if expected.modes.is_empty() {
        return if response.patch.is_some() || evaluation.mutated_object.is_some() {
            Err(format!("modes: expected none, got {}", outcome(evaluation)))
        } else {
            Ok(())
        };
    }
    let patch = response.json_patch().map_err(|error| error.to_string())?;
    let set = patch
        .as_deref()
        .map_or_else(|| Ok(BTreeMap::new()), set_modes);
    if set.as_ref() != Ok(&expected.modes) {
        return Err(format!(
            "modes: expected {:?}, got {}",
            expected.modes,
            outcome(evaluation)
        ));
    }
    let before = request.object().ok_or("modes: there is no object")?;
    let mut after = before.clone();
    for (pointer, mode) in &expected.modes {
        mode::set(&mut after, pointer, mode)
            .ok_or_else(|| format!("modes: `{pointer}` is no place for a mode in this object"))?;
    }
    let got = response
        .apply(before)
        .map_err(|error| format!("object: {error}"))?;
    if got != after {
        return Err(format!("object: {}", difference(&after, &got)));
    }
    match &evaluation.mutated_object {
        Some(mutated) if *mutated != after => {
            Err(format!("mutated object: {}", difference(&after, mutated)))
        }
        _ => Ok(()),
    }
}

/// The modes that a JSON Patch sets, by pointer, if it does nothing else.
fn set_modes(patch: &str) -> Result<BTreeMap<String, String>, String> {
    #[derive(Deserialize)]
    struct Operation {
        op: String,
        path: String,
        value: Option<Value>,
    }
    let operations: Vec<Operation> =
        serde_json::from_str(patch).map_err(|error| error.to_string())?;
    let mode = |operation: Operation| {
        let Operation { op, path, value } = operation;
        let (pointer, mode) = match value? {
            Value::String(mode) if path.ends_with("/importPolicy/importMode") => (path, mode),
            Value::Object(policy) if path.ends_with("/importPolicy") && policy.len() == 1 => {
                let mode = policy.get("importMode")?.as_str()?;
                (format!("{path}/importMode"), mode.to_owned())
            }
            _ => return None,
        };
        matches!(op.as_str(), "add" | "replace").then_some((pointer, mode))
    };
    operations
        .into_iter()
        .map(|operation| mode(operation).ok_or_else(|| patch.to_owned()))
        .collect()
}

fn difference(expected: &Value, got: &Value) -> String {
    let patch = json_patch::diff(expected, got);
    format!("away from the expected one by {patch}")
}

fn compare_warnings(
    expected: &Expectation,
    warnings: Option<&[String]>,
    differences: &mut Vec<String>,
) {
    let warnings = warnings.unwrap_or_default();
    let kinds: Vec<_> = warnings
        .iter()
        .map(|line| {
            line.split_once(": ")
                .map_or(line.as_str(), |(kind, _)| kind)
        })
        .collect();
    if kinds != expected.warnings {
        differences.push(format!(
            "warnings: expected {:?}, got {warnings:?}",
            expected.warnings
        ));
    }
    for line in warnings {
        let length = line.chars().count();
        if length > LONGEST_WARNING {
            differences.push(format!("a warning of {length} characters: {line:?}"));
        }
        if line.chars().any(char::is_control) {
            differences.push(format!("a warning with control characters: {line:?}"));
        }
    }
}

fn compare_annotations(
    expected: &Expectation,
    annotations: Option<&BTreeMap<String, String>>,
    differences: &mut Vec<String>,
) {
    let got: Vec<_> = annotations.into_iter().flatten().collect();
    if expected.modes.is_empty() {
        if !got.is_empty() {
            differences.push(format!("audit annotations without a change: {got:?}"));
        }
        return;
    }
    if got.iter().map(|(key, _)| key.as_str()).ne(ANNOTATIONS) {
        differences.push(format!(
            "audit annotations: expected {ANNOTATIONS:?}, got {got:?}"
        ));
        return;
    }
    let mut modes: Vec<_> = expected.modes.values().map(String::as_str).collect();
    modes.dedup();
    let mode = match modes.as_slice() {
        [mode] => mode,
        _ => "mixed",
    };
    if got.first().is_some_and(|(_, value)| *value != mode) {
        differences.push(format!(
            "audit annotations: expected mode `{mode}`, got {got:?}"
        ));
    }
}
