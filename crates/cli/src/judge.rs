//! One request decided twice: by the module, whose answer counts, and by the core, which can explain.

use std::fmt;
use std::sync::Arc;

use imagestream_import_mode::decide::Explanation;
use imagestream_import_mode::{
    AdmissionRequest, Decision, Outcome, RequestError, Settings, SettingsError,
};
use imagestream_import_mode_host::{Cluster, Evaluation, HostError, PatchError};
use serde_json::Value;

use crate::cluster::{CoreReader, Memo, ReadMade};
use crate::input::{Place, Subject};
use crate::module::Module;
use crate::settings_faults;

/// What decides: a module with its settings and its cluster.
pub struct Judge {
    module: Module,
    settings: Settings,
    settings_json: Value,
    cluster: Arc<Memo>,
}

/// One request and what became of it.
pub struct Judged<'s> {
    /// The request.
    pub subject: &'s Subject,
    /// As the core reads it.
    pub request: AdmissionRequest<'s>,
    /// The core's decision and what it follows from.
    pub explanation: Explanation<'s>,
    /// The core's reads.
    pub reads: Vec<ReadMade>,
    /// The module's decision.
    pub evaluation: Evaluation,
    /// The object after the module; none on DELETE and on a rejection.
    pub after: Option<Value>,
    /// Where the module's decision differs from the core's.
    pub differences: Vec<String>,
}

/// Why nothing could be decided.
#[derive(Debug)]
pub enum JudgeError {
    /// The module refuses the settings; the faults, one a line.
    Settings(String),
    /// The module takes settings that this tool does not.
    NewerSettings(SettingsError),
    /// A request that the core cannot read.
    Request(Place, RequestError),
    /// The module cannot be started.
    Host(HostError),
    /// The module's patch cannot be applied.
    Patch(Place, PatchError),
}

impl fmt::Display for JudgeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Settings(message) => write!(
                f,
                "{message}\n`imagestream-import-mode settings schema` prints what is legal"
            ),
            Self::NewerSettings(error) => write!(
                f,
                "the module takes these settings, this program does not ({error}); build both from one source with `make policy`"
            ),
            Self::Request(place, error) => write!(f, "{place}: {error}"),
            Self::Host(error) => error.fmt(f),
            Self::Patch(place, error) => write!(f, "{place}: the module's answer: {error}"),
        }
    }
}

impl std::error::Error for JudgeError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Settings(_) => None,
            Self::NewerSettings(error) => Some(error),
            Self::Request(_, error) => Some(error),
            Self::Host(error) => Some(error),
            Self::Patch(_, error) => Some(error),
        }
    }
}

impl Judge {
    /// Puts the parts together; the module validates the settings, as policy-server has it do.
    ///
    /// # Errors
    ///
    /// If the settings are not valid.
    pub fn new(
        module: Module,
        settings_json: Value,
        cluster: Arc<Memo>,
    ) -> Result<Self, JudgeError> {
        let text = settings_json.to_string();
        let validation = module.policy.validate_settings(text.as_bytes());
        if !validation.valid {
            let message = validation.message.unwrap_or_default();
            return Err(JudgeError::Settings(settings_faults::lines(
                &text, &message,
            )));
        }
        let settings = Settings::parse(text.as_bytes()).map_err(JudgeError::NewerSettings)?;
        Ok(Self {
            module,
            settings,
            settings_json,
            cluster,
        })
    }

    /// The module's file.
    pub fn module(&self) -> String {
        self.module.path.display().to_string()
    }

    /// The settings, parsed.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// What answers the reads.
    pub fn cluster(&self) -> &Arc<Memo> {
        &self.cluster
    }

    /// Decides a request. The core goes first, so that a slow cluster does not cost the module its
    /// time: its reads are answered from memory.
    ///
    /// # Errors
    ///
    /// A request that is none, a module that fails.
    pub fn judge<'s>(&self, subject: &'s Subject) -> Result<Judged<'s>, JudgeError> {
        let request = AdmissionRequest::parse(subject.json.as_bytes())
            .map_err(|error| JudgeError::Request(subject.place.clone(), error))?;
        let reader = CoreReader::new(&*self.cluster);
        let explanation =
            imagestream_import_mode::explain(request.clone(), &self.settings, &reader);
        let reads = reader.into_reads();
        let cluster = Arc::clone(&self.cluster) as Arc<dyn Cluster>;
        let evaluation = self
            .module
            .policy
            .evaluate(&subject.request, &self.settings_json, cluster)
            .map_err(JudgeError::Host)?;
        let before = subject.request.object();
        let after = match before {
            Some(object) if evaluation.response.allowed => {
                let after = evaluation.response.apply(object);
                Some(after.map_err(|error| JudgeError::Patch(subject.place.clone(), error))?)
            }
            _ => None,
        };
        let differences = differences(
            &explanation.decision,
            self.module.policy.asks().then_some(&reads),
            before,
            &evaluation,
            after.as_ref(),
        );
        Ok(Judged {
            subject,
            request,
            explanation,
            reads,
            evaluation,
            after,
            differences,
        })
    }
}

/// Each difference between the core's decision and the module's, as one line; reads count where the
/// module makes some.
fn differences(
    core: &Decision<'_>,
    reads: Option<&Vec<ReadMade>>,
    before: Option<&Value>,
    module: &Evaluation,
    after: Option<&Value>,
) -> Vec<String> {
    let mut lines = Vec::new();
    let mut compare = |what: &str, core: String, module: String| {
        if core != module {
            lines.push(format!("{what}: here {core}, in the module {module}"));
        }
    };
    let response = &module.response;
    let verdict = |allowed: bool| if allowed { "accepted" } else { "rejected" }.to_owned();
    compare(
        "verdict",
        verdict(core.allowed()),
        verdict(response.allowed),
    );
    if let Outcome::Reject(rejection) = &core.outcome
        && !response.allowed
    {
        let message = response.message().unwrap_or_default().to_owned();
        compare("message", rejection.message.clone(), message);
    }
    let expected = match &core.outcome {
        Outcome::Mutate(mutation) => serde_json::from_str(&mutation.mutated_object()).ok(),
        Outcome::Accept => before.cloned(),
        Outcome::Reject(_) => None,
    };
    if core.allowed() && response.allowed && expected.as_ref() != after {
        compare(
            "object",
            patch(before, expected.as_ref()),
            patch(before, after),
        );
    }
    let warnings: Vec<_> = core.warnings.iter().map(ToString::to_string).collect();
    let theirs = response.warnings.clone().unwrap_or_default();
    compare("warnings", format!("{warnings:?}"), format!("{theirs:?}"));
    if let Some(reads) = reads {
        let ours: Vec<_> = reads.iter().map(|read| read.key.clone()).collect();
        let theirs: Vec<_> = module.calls.reads.iter().map(ToString::to_string).collect();
        compare("reads", format!("{ours:?}"), format!("{theirs:?}"));
    }
    lines
}

/// The change between two objects as the modes that differ.
fn patch(before: Option<&Value>, after: Option<&Value>) -> String {
    match (before, after) {
        (Some(before), Some(after)) if before == after => "unchanged".to_owned(),
        (Some(before), Some(after)) => {
            let mut changes = Vec::new();
            changed(before, after, "", &mut changes);
            changes.join(", ")
        }
        _ => "no object".to_owned(),
    }
}

fn changed(before: &Value, after: &Value, pointer: &str, changes: &mut Vec<String>) {
    match (before, after) {
        _ if before == after => {}
        (Value::Object(before), Value::Object(after)) => {
            let keys: std::collections::BTreeSet<_> = before.keys().chain(after.keys()).collect();
            for key in keys {
                let (old, new) = (before.get(key), after.get(key));
                let pointer = format!("{pointer}/{key}");
                let null = Value::Null;
                changed(
                    old.unwrap_or(&null),
                    new.unwrap_or(&null),
                    &pointer,
                    changes,
                );
            }
        }
        (Value::Array(before), Value::Array(after)) if before.len() == after.len() => {
            for (index, (old, new)) in before.iter().zip(after).enumerate() {
                changed(old, new, &format!("{pointer}/{index}"), changes);
            }
        }
        _ => changes.push(format!("{pointer} = {after}")),
    }
}

impl Judged<'_> {
    /// The text of the object as it would be stored; none if there is none or it is refused.
    ///
    /// Where core and module agree this is the text as received with the modes written in.
    pub fn object_after(&self) -> Option<String> {
        let after = self.after.as_ref()?;
        let before = self.subject.object.as_ref()?;
        if self.subject.request.object() == Some(after) {
            return Some(before.clone());
        }
        match &self.explanation.decision.outcome {
            Outcome::Mutate(mutation) if self.differences.is_empty() => {
                Some(mutation.mutated_object())
            }
            _ => Some(after.to_string()),
        }
    }
}
