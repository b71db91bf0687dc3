//! Which cells of the tables a decision went through, and which there are.
//!
//! A cell is a line of text: the section, a colon, and what the section looks at.
//! [`reachable`] lists them from the rules, without deciding anything.

use std::collections::BTreeSet;

use super::author::{Form, Proof};
use super::cluster::{self, ClusterMode, Host};
use super::generate::Case;
use super::settings::{Action, OnUnknown, Overwrite};
use super::slots::Kind;
use super::{Mode, Outcome, decide_with_script};

/// A cell, and what is done in it: nothing else may matter.
pub type Step = (String, String);

/// Decides a case and tells the cells that it went through.
pub fn steps(case: &Case) -> (Outcome, Vec<Step>) {
    let outcome = decide_with_script(&case.request, &case.settings, &case.cluster);
    let trace = &outcome.trace;
    let mut steps = Vec::new();
    let mut step = |cell: String, result: String| steps.push((cell, result));

    let Some((kind, settings)) = &trace.in_scope else {
        let reason = trace.untouched.unwrap_or_default();
        step(
            format!("1: {reason}"),
            format!("allowed: {}", outcome.allowed),
        );
        return (outcome, steps);
    };
    step(format!("1: in scope: {kind:?}"), String::new());
    if let Some(lookup) = trace.lookup {
        step(format!("2: look-up {lookup}"), String::new());
    }

    // What the cluster mode is or would be, also where it was not needed.
    let mut ask = |key: &str| cluster::scripted(&case.cluster, key);
    let mut host = Host::new(&mut ask);
    let mode = cluster::resolve(settings, &mut host);
    let reads = host.calls.len();
    if trace.slots.iter().any(|slot| slot.needed_cluster) {
        step(resolution(mode, reads), String::new());
    }

    let overwrite = settings.overwrite;
    for slot in &trace.slots {
        let open = slot.open.map_or("left", open_name);
        let cell = section_4(*kind, overwrite, slot.asked, slot.proof, slot.form);
        step(cell, open.to_owned());
        let cell = section_5(
            *kind,
            open,
            slot.today,
            slot.asked,
            overwrite,
            mode_name(mode),
        );
        let need = if slot.needed_cluster {
            ""
        } else {
            ", without the cluster"
        };
        step(cell, format!("{}{need}", slot.verdict));

        if let Some((set, _)) = slot.verdict.set
            && settings.action == Action::Report
        {
            let result = (slot.imports && !(slot.asked == Mode::Unset && set == Mode::Legacy))
                .then_some("rejects");
            step(
                section_6(slot.imports, slot.asked, set),
                result.unwrap_or("tolerates").to_owned(),
            );
        }
    }

    let unknown = (trace.slots.iter()).any(|slot| slot.verdict.warning == Some("payload-unknown"));
    if unknown && settings.on_unknown == OnUnknown::Reject {
        let result = format!("allowed: {}", outcome.allowed);
        step(format!("6: Reject, {:?}", settings.action), result);
    }
    if trace.lookup == Some("failed") {
        let set = trace.slots.iter().any(|slot| slot.verdict.set.is_some());
        let cell = format!(
            "6: failed look-up, set: {set}, {:?}, allowed: {}",
            settings.action, outcome.allowed
        );
        let warned = outcome.warnings.contains(&"lookup-failed");
        step(cell, format!("warned: {warned}"));
    }
    for warning in &outcome.warnings {
        step(
            format!("6: {warning}, {:?}", settings.action),
            String::new(),
        );
    }
    (outcome, steps)
}

/// All cells that the rules can reach.
pub fn reachable() -> BTreeSet<String> {
    let mut cells = BTreeSet::new();
    for reason in [
        "not understood",
        "settings invalid",
        "other group",
        "other kind",
        "subresource",
        "other operation",
        "no object",
        "being deleted",
        "built-in user",
        "exempt user",
        "exempt namespace",
        "look-up only",
    ] {
        cells.insert(format!("1: {reason}"));
    }
    for lookup in ["not asked", "found", "missing", "failed"] {
        cells.insert(format!("2: look-up {lookup}"));
    }
    for way in [
        "Legacy from settings",
        "PreserveOriginal from settings",
        "Legacy from image-config",
        "PreserveOriginal from image-config",
        "PreserveOriginal from cluster-version",
        "PreserveOriginal from release-accepted",
        "Legacy from release-accepted",
        "PreserveOriginal from image-config-status",
        "Legacy from assumed",
        "unknown after 1 read",
        "unknown after 2 reads",
    ] {
        cells.insert(format!("3: {way}"));
    }
    for kind in KINDS {
        cells.insert(format!("1: in scope: {kind:?}"));
        for overwrite in OVERWRITES {
            for asked in ASKED {
                tables(&mut cells, kind, overwrite, asked);
            }
        }
    }
    for imports in [true, false] {
        for (asked, set) in [
            (Mode::Unset, Mode::Legacy),
            (Mode::Unset, Mode::PreserveOriginal),
            (Mode::Legacy, Mode::PreserveOriginal),
            (Mode::PreserveOriginal, Mode::Legacy),
        ] {
            cells.insert(section_6(imports, asked, set));
        }
    }
    for action in [Action::Mutate, Action::Report] {
        cells.insert(format!("6: Reject, {action:?}"));
        for warning in [
            "explicit-kept",
            "existing-mixed",
            "lookup-failed",
            "payload-unknown",
        ] {
            cells.insert(format!("6: {warning}, {action:?}"));
        }
        for (set, allowed) in [(true, true), (false, true), (true, false), (false, false)] {
            let cell = format!("6: failed look-up, set: {set}, {action:?}, allowed: {allowed}");
            // After a failed look-up all slots are new: where the mode is known
            // nothing rejects but Report, where it is unknown nothing is set.
            if !(set && !allowed && action == Action::Mutate) {
                cells.insert(cell);
            }
        }
    }
    for warning in ["existing-kept", "list-dropped"] {
        cells.insert(format!("6: {warning}, Mutate"));
    }
    cells
}

/// The cells of the tables of sections 4 and 5.
fn tables(cells: &mut BTreeSet<String>, kind: Kind, overwrite: Overwrite, asked: Mode) {
    let import = kind == Kind::ImageStreamImport;
    for wrote in [true, false] {
        for did_not in [true, false] {
            for form in [Form::Server, Form::HandWritten] {
                // Nothing proves that the author of an import did not.
                if !(import && did_not) {
                    let proof = Proof { wrote, did_not };
                    cells.insert(section_4(kind, overwrite, asked, proof, form));
                }
            }
        }
    }

    let opens: &[&str] = match (overwrite, asked) {
        (_, Mode::Foreign) => &["left"],
        (Overwrite::Always, _) | (_, Mode::Unset) => &["open"],
        (Overwrite::UnlessExplicit, Mode::Legacy) => &["open", "decided"],
        _ => &["decided"],
    };
    for open in opens {
        for today in [
            None,
            Some(Mode::Unset),
            Some(Mode::Legacy),
            Some(Mode::PreserveOriginal),
            Some(Mode::Foreign),
            Some(Mode::Mixed),
        ] {
            for mode in [
                "stated Legacy",
                "stated PreserveOriginal",
                "assumed Legacy",
                "unknown",
            ] {
                // Only a repository of an import is mixed.
                if import || today != Some(Mode::Mixed) {
                    cells.insert(section_5(kind, open, today, asked, overwrite, mode));
                }
            }
        }
    }
}

const KINDS: [Kind; 4] = [
    Kind::ImageStream,
    Kind::ImageStreamImport,
    Kind::ImageStreamTag,
    Kind::ImageTag,
];
const OVERWRITES: [Overwrite; 3] = [
    Overwrite::IfUnset,
    Overwrite::UnlessExplicit,
    Overwrite::Always,
];
const ASKED: [Mode; 4] = [
    Mode::Unset,
    Mode::Legacy,
    Mode::PreserveOriginal,
    Mode::Foreign,
];

fn section_4(kind: Kind, overwrite: Overwrite, asked: Mode, proof: Proof, form: Form) -> String {
    let proof = match (proof.wrote, proof.did_not) {
        (true, true) => "proof both ways",
        (true, false) => "proof for",
        (false, true) => "proof against",
        (false, false) => "no proof",
    };
    format!("4: {kind:?}, {overwrite:?}, {asked:?}, {proof}, {form:?}")
}

fn section_5(
    kind: Kind,
    open: &str,
    today: Option<Mode>,
    asked: Mode,
    overwrite: Overwrite,
    mode: &str,
) -> String {
    let kind = match kind {
        Kind::ImageStreamImport => "import",
        _ => "stored",
    };
    let today = today.map_or("new".to_owned(), |today| format!("today {today:?}"));
    format!("5: {kind}, {today}, {open}, {asked:?}, {overwrite:?}, cluster {mode}")
}

fn section_6(imports: bool, asked: Mode, set: Mode) -> String {
    format!("6: Report, imports: {imports}, {set:?} over {asked:?}")
}

fn open_name(open: bool) -> &'static str {
    if open { "open" } else { "decided" }
}

fn mode_name(mode: ClusterMode) -> &'static str {
    match mode {
        ClusterMode::Unknown => "unknown",
        ClusterMode::Known { stated: false, .. } => "assumed Legacy",
        _ if mode.is(Mode::Legacy) => "stated Legacy",
        ClusterMode::Known { .. } => "stated PreserveOriginal",
    }
}

fn resolution(mode: ClusterMode, reads: usize) -> String {
    match mode {
        ClusterMode::Known { mode, source, .. } => format!("3: {} from {source}", mode.text()),
        ClusterMode::Unknown if reads == 1 => "3: unknown after 1 read".to_owned(),
        ClusterMode::Unknown => format!("3: unknown after {reads} reads"),
    }
}
