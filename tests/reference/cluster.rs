//! §3: the mode that new tags of this cluster should get, and how it is read.

use std::collections::BTreeMap;

use serde_json::Value;

use super::Mode;
use super::settings::Settings;

/// What the host answers to one read.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    /// JSON, hopefully the object.
    Json(Value),
    /// The text of an error.
    Error(String),
}

/// Replies by `apiVersion/Kind[/namespace]/name`, as in the cases: an object,
/// `{"error": text}`, or nothing, which is "not found".
pub type Script = BTreeMap<String, Value>;

/// The reply of a script.
pub fn scripted(script: &Script, key: &str) -> Reply {
    let Some(value) = script.get(key) else {
        return Reply::Error(not_found(key));
    };
    match value.get("error").and_then(Value::as_str) {
        Some(text) => Reply::Error(text.to_owned()),
        None => Reply::Json(value.clone()),
    }
}

/// The host's text for an object that does not exist.
pub fn not_found(key: &str) -> String {
    let mut parts = key.split('/');
    let mut part = || parts.next().unwrap_or_default();
    let (group, version, kind, scope, name) = (part(), part(), part(), part(), part());
    let (namespace, name) = match name {
        "" => (None, scope),
        name => (Some(scope), name),
    };
    format!(
        "Host error: Callback evaluation failure: Cannot find {group}/{version}/{kind} \
         named '{name}' inside of namespace '{namespace:?}'"
    )
}

/// What a read comes to.
pub enum Read {
    /// The object.
    Found(Value),
    /// There is no such object.
    Missing,
    /// Anything else.
    Failed,
}

/// Asks the cluster, and remembers what was asked.
pub struct Host<'a> {
    ask: &'a mut dyn FnMut(&str) -> Reply,
    /// The keys, in order.
    pub calls: Vec<String>,
}

impl<'a> Host<'a> {
    /// A host that has not been asked.
    pub fn new(ask: &'a mut dyn FnMut(&str) -> Reply) -> Self {
        let calls = Vec::new();
        Host { ask, calls }
    }

    /// One read. Only the text `Cannot find … named` means missing; every other
    /// error, and a reply that is not an object, is a failure.
    pub fn read(&mut self, key: &str) -> Read {
        self.calls.push(key.to_owned());
        match (self.ask)(key) {
            Reply::Json(value) if value.is_object() => Read::Found(value),
            Reply::Json(_) => Read::Failed,
            Reply::Error(text) => match text.split_once("Cannot find ") {
                Some((_, rest)) if rest.contains(" named ") => Read::Missing,
                _ => Read::Failed,
            },
        }
    }
}

/// The mode that new tags should get.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClusterMode {
    /// It is stated somewhere, or merely assumed.
    Known {
        /// The mode.
        mode: Mode,
        /// Whether it is stated.
        stated: bool,
        /// Who says so.
        source: &'static str,
    },
    /// Never guess.
    Unknown,
}

impl ClusterMode {
    fn stated(mode: Mode, source: &'static str) -> Self {
        ClusterMode::Known {
            mode,
            stated: true,
            source,
        }
    }

    /// Whether it is known to be this mode.
    pub fn is(self, wanted: Mode) -> bool {
        matches!(self, ClusterMode::Known { mode, .. } if mode == wanted)
    }

    /// Unknown counts as "not stated Legacy".
    pub fn is_stated_legacy(self) -> bool {
        let assumed = matches!(self, ClusterMode::Known { stated: false, .. });
        self.is(Mode::Legacy) && !assumed
    }
}

/// The seven steps; the first answer wins.
pub fn resolve(settings: &Settings, host: &mut Host<'_>) -> ClusterMode {
    // 1
    if let Some(mode) = settings.import_mode {
        return ClusterMode::stated(mode, "settings");
    }
    // 2
    if let Some(architecture) = &settings.payload_architecture {
        return ClusterMode::stated(mode_for(architecture), "settings");
    }

    // A missing Image config is an empty one.
    let image = match host.read("config.openshift.io/v1/Image/cluster") {
        Read::Found(image) => image,
        Read::Missing => Value::Null,
        Read::Failed => return ClusterMode::Unknown,
    };
    // 3
    let wanted = image.pointer("/spec/imageStreamImportMode");
    if let Some(mode) = wanted.and_then(Value::as_str).and_then(Mode::parse) {
        return ClusterMode::stated(mode, "image-config");
    }

    let version = match host.read("config.openshift.io/v1/ClusterVersion/version") {
        Read::Found(version) => version,
        Read::Missing | Read::Failed => return ClusterMode::Unknown,
    };
    // 4
    if version.pointer("/status/desired/architecture") == Some(&Value::from("Multi")) {
        return ClusterMode::stated(Mode::PreserveOriginal, "cluster-version");
    }
    // 5
    if let Some(architecture) = release_accepted(&version) {
        return ClusterMode::stated(mode_for(architecture), "release-accepted");
    }
    // 6
    let status = image.pointer("/status/imageStreamImportMode");
    if status == Some(&Value::from("PreserveOriginal")) {
        return ClusterMode::stated(Mode::PreserveOriginal, "image-config-status");
    }
    // 7
    ClusterMode::Known {
        mode: Mode::Legacy,
        stated: false,
        source: "assumed",
    }
}

fn mode_for(architecture: &str) -> Mode {
    match architecture {
        "Multi" => Mode::PreserveOriginal,
        _ => Mode::Legacy,
    }
}

/// Step 5: the first architecture in the message of the first condition
/// `ReleaseAccepted` with status `"True"` that has one.
fn release_accepted(version: &Value) -> Option<&str> {
    let conditions = version.pointer("/status/conditions")?.as_array()?;
    conditions
        .iter()
        .filter(|condition| condition.get("type") == Some(&Value::from("ReleaseAccepted")))
        .filter(|condition| condition.get("status") == Some(&Value::from("True")))
        .filter_map(|condition| condition.get("message")?.as_str())
        .find_map(architecture_in)
}

/// The first `architecture="X"`, X not empty.
fn architecture_in(message: &str) -> Option<&str> {
    message
        .split("architecture=\"")
        .skip(1)
        .filter_map(|rest| rest.split_once('"'))
        .map(|(architecture, _)| architecture)
        .find(|architecture| !architecture.is_empty())
}
