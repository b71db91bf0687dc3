//! The rules a second time: slow, obvious, and written from the text alone.
//!
//! The production core is compared with this. It works on plain
//! [`serde_json::Value`]s and reads in the order of the rules; `§` refers to
//! their sections: 1 scope, 2 slots, 3 the cluster mode, 4 has the author
//! decided, 5 outcome per slot, 6 response, 7 settings.
//!
//! What a `Value` cannot show, the reference does not see: a repeated key
//! collapses (the last one wins, as in §2), and a number is compared by the text
//! that `Value` prints for it, so `1` and `1.0` differ but `1.0` and `1.00` do
//! not. (serde_json's `arbitrary_precision` would keep the text, but features
//! unify: the core would be tested with another serde_json than it ships with.)
#![allow(dead_code, reason = "each test binary uses its own part")]

pub mod author;
pub mod cluster;
pub mod coverage;
pub mod generate;
pub mod scope;
pub mod settings;
pub mod slots;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use author::{Form, Proof};
use cluster::{ClusterMode, Host, Reply, Script};
use settings::{Action, OnUnknown, Overwrite, Settings};
use slots::{Kind, Lookup, Slot};

/// A mode, as it is found in an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mode {
    /// Absent, null or `""`, or no `importPolicy`.
    Unset,
    /// `Legacy`.
    Legacy,
    /// `PreserveOriginal`.
    PreserveOriginal,
    /// Anything else; the API server answers it with 422.
    Foreign,
    /// Only today's mode of a repository: the tags of the stream differ.
    Mixed,
}

impl Mode {
    /// The text of one of the two modes.
    pub fn text(self) -> &'static str {
        match self {
            Mode::Legacy => "Legacy",
            Mode::PreserveOriginal => "PreserveOriginal",
            Mode::Unset | Mode::Foreign | Mode::Mixed => "(no mode)",
        }
    }

    /// The one of the two modes that a text spells, case-sensitive.
    pub fn parse(text: &str) -> Option<Mode> {
        match text {
            "Legacy" => Some(Mode::Legacy),
            "PreserveOriginal" => Some(Mode::PreserveOriginal),
            _ => None,
        }
    }
}

/// What the policy answers, as far as the reference says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// Whether the request is accepted.
    pub allowed: bool,
    /// Every mode that is set, by JSON pointer into the object.
    pub modes: BTreeMap<String, String>,
    /// The kinds of the warnings, in order.
    pub warnings: Vec<&'static str>,
    /// What is read from the cluster, in order.
    pub host_calls: Vec<String>,
    /// Audit annotation `import-mode`.
    pub import_mode: Option<String>,
    /// Audit annotation `import-mode-source`; the rules give it no order.
    pub import_mode_source: BTreeSet<String>,
    /// The way this took, for the coverage: not part of the answer.
    pub trace: Trace,
}

/// The way a decision took through the rules.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trace {
    /// Why nothing was decided (§1, §7), if so.
    pub untouched: Option<&'static str>,
    /// The kind and the settings of a request in scope.
    pub in_scope: Option<(Kind, Settings)>,
    /// The look-up of an import's stream (§2).
    pub lookup: Option<&'static str>,
    /// The way of each slot.
    pub slots: Vec<SlotTrace>,
}

/// The way of one slot.
#[derive(Clone, Debug, PartialEq)]
pub struct SlotTrace {
    /// The mode in the request.
    pub asked: Mode,
    /// §4.
    pub proof: Proof,
    /// §4.
    pub form: Form,
    /// §4; `None` for a foreign mode.
    pub open: Option<bool>,
    /// Today's mode; `None` is a new slot.
    pub today: Option<Mode>,
    /// Whether the cluster mode was needed.
    pub needed_cluster: bool,
    /// §5: what is done, and what is said about it.
    pub verdict: Verdict,
    /// §6: whether the slot imports.
    pub imports: bool,
}

/// The order of the warnings (§6).
const WARNINGS: [&str; 7] = [
    "explicit-kept",
    "existing-kept",
    "existing-mixed",
    "list-dropped",
    "lookup-failed",
    "payload-unknown",
    "settings-invalid",
];

/// Decides one request with what `cluster` answers to `apiVersion/Kind[/namespace]/name`.
pub fn decide(
    request: &Value,
    settings: &Value,
    cluster: &mut dyn FnMut(&str) -> Reply,
) -> Outcome {
    let mut outcome = Outcome::default();

    // §1, §6, and first of all (§7): what cannot be understood is rejected.
    let Some(request) = scope::understood(request) else {
        outcome.trace.untouched = Some("not understood");
        return outcome;
    };
    outcome.allowed = true;

    // §7: invalid settings accept every request.
    let Some(settings) = Settings::read(settings) else {
        outcome.warnings.push("settings-invalid");
        outcome.trace.untouched = Some("settings invalid");
        return outcome;
    };

    // §1
    let kind = match scope::in_scope(request, &settings) {
        Ok(kind) => kind,
        Err(reason) => {
            outcome.trace.untouched = Some(reason);
            return outcome;
        }
    };

    outcome.trace.in_scope = Some((kind, settings.clone()));

    let mut host = Host::new(cluster);
    let decided = decide_slots(request, kind, &settings, &mut host, &mut outcome.trace);
    outcome.host_calls = host.calls;

    // §6: a rejection carries no warnings and changes nothing.
    if decided.rejected {
        outcome.allowed = false;
        return outcome;
    }
    outcome.warnings = WARNINGS
        .into_iter()
        .filter(|kind| decided.warnings.contains(kind))
        .collect();
    if settings.action == Action::Report {
        outcome
            .warnings
            .retain(|kind| !["existing-kept", "list-dropped"].contains(kind));
        return outcome;
    }

    for set in &decided.sets {
        let pointer = format!("{}/importPolicy/importMode", set.pointer);
        outcome.modes.insert(pointer, set.mode.text().to_owned());
        outcome.import_mode_source.insert(set.source.to_owned());
    }
    let modes: BTreeSet<&String> = outcome.modes.values().collect();
    outcome.import_mode = match modes.len() {
        0 => None,
        1 => modes.first().map(|mode| (*mode).clone()),
        _ => Some("mixed".to_owned()),
    };
    outcome
}

/// The same with the answers of a script.
pub fn decide_with_script(request: &Value, settings: &Value, script: &Script) -> Outcome {
    decide(request, settings, &mut |key| cluster::scripted(script, key))
}

/// One mode to set.
struct Set {
    pointer: String,
    mode: Mode,
    source: &'static str,
}

/// What the slots of a request come to.
#[derive(Default)]
struct Decided {
    sets: Vec<Set>,
    warnings: BTreeSet<&'static str>,
    rejected: bool,
}

/// §2 to §5 for all slots, and when to reject (§5, §6).
fn decide_slots(
    request: &Map<String, Value>,
    kind: Kind,
    settings: &Settings,
    host: &mut Host<'_>,
    trace: &mut Trace,
) -> Decided {
    let mut decided = Decided::default();
    let object = slots::get(request, "object");
    let slots = slots::of(kind, object);

    // §4
    let openness: Vec<Option<bool>> = slots
        .iter()
        .map(|slot| author::is_open(kind, object, slot, settings.overwrite))
        .collect();

    // §2: which slots exist. An import asks the cluster, if a slot is open.
    let any_open = openness.contains(&Some(true));
    let mut lookup = Lookup::NotAsked;
    if kind == Kind::ImageStreamImport && any_open && settings.cluster_context {
        lookup = slots::look_up(request, host);
    }
    if kind == Kind::ImageStreamImport {
        trace.lookup = Some(lookup.name());
    }

    // §5
    let mut cluster_mode = None;
    for (slot, open) in slots.iter().zip(&openness) {
        let today = slots::today(request, kind, slot, &lookup);
        let asked = slots::mode_of(slot.value);
        let mut needed_cluster = false;
        let mut cluster = |host: &mut Host<'_>| {
            needed_cluster = true;
            // §3: at most once per request.
            *cluster_mode.get_or_insert_with(|| cluster::resolve(settings, host))
        };
        let verdict = match (open, today) {
            // §2: a foreign mode is left.
            (None, _) => Verdict::leave(),
            (Some(false), today) => decided_slot(today, asked, || cluster(host)),
            (Some(true), None) => new_and_open(asked, || cluster(host)),
            (Some(true), Some(today)) => {
                let always = settings.overwrite == Overwrite::Always;
                existing_and_open(today, asked, always, || cluster(host))
            }
        };
        trace.slots.push(SlotTrace {
            asked,
            proof: author::proof(kind, object, slot),
            form: author::form(kind, object, slot),
            open: *open,
            today,
            needed_cluster,
            verdict,
            imports: imports(kind, slot),
        });

        decided.warnings.extend(verdict.warning);
        if verdict.warning == Some("payload-unknown") && settings.on_unknown == OnUnknown::Reject {
            decided.rejected = true;
        }
        let Some((mode, source)) = verdict.set else {
            continue;
        };
        // §6: Report
        let fills_legacy = asked == Mode::Unset && mode == Mode::Legacy;
        if settings.action == Action::Report && imports(kind, slot) && !fills_legacy {
            decided.rejected = true;
        }
        decided.sets.push(Set {
            pointer: slot.pointer.clone(),
            mode,
            source,
        });
    }

    // §2: a failed look-up is told if a slot was set.
    if lookup == Lookup::Failed && !decided.sets.is_empty() {
        decided.warnings.insert("lookup-failed");
    }
    decided
}

/// What §5 says about one slot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// The mode to set, and where it comes from.
    pub set: Option<(Mode, &'static str)>,
    /// The kind of the warning.
    pub warning: Option<&'static str>,
}

impl Verdict {
    fn leave() -> Self {
        Verdict::default()
    }

    fn set(mode: Mode, source: &'static str) -> Self {
        Verdict {
            set: Some((mode, source)),
            warning: None,
        }
    }

    fn warn(self, kind: &'static str) -> Self {
        Verdict {
            warning: Some(kind),
            ..self
        }
    }
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.set {
            None => f.write_str("leave")?,
            Some((mode, "existing")) => write!(f, "set {} (existing)", mode.text())?,
            Some((mode, _)) => write!(f, "set {}", mode.text())?,
        }
        match self.warning {
            None => Ok(()),
            Some(kind) => write!(f, ", warn {kind}"),
        }
    }
}

/// §5, **Decided**.
fn decided_slot(
    today: Option<Mode>,
    asked: Mode,
    cluster: impl FnOnce() -> ClusterMode,
) -> Verdict {
    let new = today.is_none();
    if new && asked == Mode::Legacy && cluster().is(Mode::PreserveOriginal) {
        return Verdict::leave().warn("explicit-kept");
    }
    Verdict::leave()
}

/// §5, **New and open**.
fn new_and_open(asked: Mode, cluster: impl FnOnce() -> ClusterMode) -> Verdict {
    let ClusterMode::Known {
        mode,
        stated,
        source,
    } = cluster()
    else {
        return Verdict::leave().warn("payload-unknown");
    };
    if asked == mode {
        return Verdict::leave();
    }
    match asked {
        Mode::Unset | Mode::Legacy => Verdict::set(mode, source),
        Mode::PreserveOriginal if stated => Verdict::set(mode, source).warn("list-dropped"),
        Mode::PreserveOriginal | Mode::Foreign | Mode::Mixed => Verdict::leave(),
    }
}

/// §5, **Existing and open**.
fn existing_and_open(
    today: Mode,
    asked: Mode,
    always: bool,
    cluster: impl FnOnce() -> ClusterMode,
) -> Verdict {
    let keep = Verdict::set(today, "existing");
    match (asked, today) {
        (asked, today) if asked == today => Verdict::leave(),
        (_, Mode::Unset | Mode::Foreign) => Verdict::leave(),
        (_, Mode::Mixed) => Verdict::leave().warn("existing-mixed"),
        (Mode::Unset, _) => keep,
        (Mode::Legacy, _) => {
            if always && cluster().is_stated_legacy() {
                Verdict::leave()
            } else {
                keep.warn("existing-kept")
            }
        }
        (Mode::PreserveOriginal, _) => {
            if cluster().is_stated_legacy() {
                keep.warn("existing-kept")
            } else {
                Verdict::leave()
            }
        }
        (Mode::Foreign | Mode::Mixed, _) => Verdict::leave(),
    }
}

/// §6: whether a slot imports.
fn imports(kind: Kind, slot: &Slot<'_>) -> bool {
    if kind == Kind::ImageStreamImport {
        return true;
    }
    let from = slots::get(slot.value, "from");
    let docker = from.get("kind") == Some(&Value::from("DockerImage"));
    let reference = slots::get(slot.value, "reference") == &Value::Bool(true);
    docker && !reference
}

/// The object of a request with the modes set (§6: and an `importPolicy` where
/// there was none or null).
pub fn apply(request: &Value, modes: &BTreeMap<String, String>) -> Value {
    let mut request = request.clone();
    for (pointer, mode) in modes {
        let slot = pointer
            .strip_suffix("/importPolicy/importMode")
            .unwrap_or_default();
        let Some(slot) = request.pointer_mut(&format!("/object{slot}")) else {
            continue;
        };
        let policy = &mut slot["importPolicy"];
        if policy.is_null() {
            *policy = Value::Object(Map::new());
        }
        policy["importMode"] = Value::from(mode.as_str());
    }
    request
}
