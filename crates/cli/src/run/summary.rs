//! What `run` tells people: for each object its tags, before and after, and why.

use std::fmt::Write as _;

use imagestream_import_mode::assess::AssessedSlot;
use serde_json::Value;

use super::{Decided, object_diff};
use crate::Failure;
use crate::judge::Judged;
use crate::report::table::{Cell, Table};
use crate::report::words::{NO_OBJECT, OTHER_KIND};
use crate::report::{
    ADDED, FAINT, REMOVED, TITLE, WARNING, count, paint, shown, shown_whole, words,
};

/// Most files that a note lists.
const LISTED: usize = 5;

/// The summary of everything, with diffs if they are wanted.
pub fn render(
    decided: &[Decided<'_>],
    diffs: bool,
    width: Option<usize>,
) -> Result<String, Failure> {
    let mut text = String::new();
    for decided in decided {
        match decided {
            Decided::PassedOver(_) => {
                for note in machine_notes(decided) {
                    let _ = writeln!(text, "{note}");
                }
            }
            Decided::Judged(judged) => {
                text.push_str(&one(judged, width));
                if diffs {
                    text.push_str(&object_diff(judged)?);
                }
            }
        }
        text.push('\n');
    }
    Ok(text)
}

fn one(judged: &Judged<'_>, width: Option<usize>) -> String {
    let mut text = String::new();
    let rows = rows(judged);
    let changed = rows.iter().filter(|row| row.before != row.after).count();
    let verdict = verdict(judged, changed, rows.len());
    let place = paint(FAINT, &shown(&judged.subject.place.to_string()));
    let _ = writeln!(text, "{}: {verdict}  {place}", paint(TITLE, &title(judged)));
    let mut table = Table::new(&["TAG", "BEFORE", "AFTER", "SOURCE", "WHY"]);
    let allowed = judged.evaluation.response.allowed;
    for row in rows {
        let after = match (allowed, row.before == row.after) {
            (false, _) => Cell::styled(REMOVED, "rejected"),
            (true, true) => Cell::styled(FAINT, "unchanged"),
            (true, false) => Cell::styled(ADDED, row.after),
        };
        table.push(vec![
            Cell::plain(row.tag),
            Cell::plain(row.before),
            after,
            Cell::plain(row.source),
            Cell::plain(row.why),
        ]);
    }
    if !table.is_empty() {
        text.push_str(&table.render("  ", width));
    }
    let response = &judged.evaluation.response;
    for warning in response.warnings.iter().flatten() {
        let _ = writeln!(text, "  {} {}", paint(WARNING, "warning:"), shown(warning));
    }
    if let Some(message) = response.message().filter(|_| !response.allowed) {
        let _ = writeln!(
            text,
            "  {} {}",
            paint(REMOVED, "rejected:"),
            shown_whole(message)
        );
    }
    text
}

/// `CREATE ImageStream demo/app by developer`.
fn title(judged: &Judged<'_>) -> String {
    let subject = judged.subject;
    let mut title = format!("{} {}", subject.operation, subject.kind);
    if !subject.name.is_empty() {
        let _ = write!(title, " {}", subject.name);
    }
    if !subject.user.is_empty() {
        let _ = write!(title, " by {}", subject.user);
    }
    shown(&title)
}

fn verdict(judged: &Judged<'_>, changed: usize, slots: usize) -> String {
    if !judged.evaluation.response.allowed {
        return paint(REMOVED, "rejected");
    }
    let reason = match &judged.explanation.assessment {
        Err(reason) => format!(" ({})", words::out_of_scope(*reason)),
        Ok(_) if slots == 0 => " (no tags)".to_owned(),
        Ok(_) => String::new(),
    };
    if judged.after.as_ref() == judged.subject.request.object() {
        paint(FAINT, &format!("unchanged{reason}"))
    } else {
        paint(
            ADDED,
            &format!("{changed} of {} changed", count(slots, "tag")),
        )
    }
}

/// One slot before and after the module.
struct Row {
    tag: String,
    before: String,
    after: String,
    source: String,
    why: String,
}

fn rows(judged: &Judged<'_>) -> Vec<Row> {
    let Ok(assessment) = &judged.explanation.assessment else {
        return Vec::new();
    };
    assessment
        .slots
        .iter()
        .map(|slot| row(judged, slot))
        .collect()
}

fn row(judged: &Judged<'_>, slot: &AssessedSlot<'_>) -> Row {
    let pointer = format!("{}/importPolicy/importMode", slot.path());
    let before = mode(judged.subject.request.object(), &pointer);
    let after = match &judged.after {
        Some(after) => mode(Some(after), &pointer),
        None => before.clone(),
    };
    let expected = judged
        .explanation
        .decision
        .edits()
        .iter()
        .find(|edit| edit.slot == slot.path());
    // The module's answer counts; the core's reasons hold only where it says the same.
    let agrees = match expected {
        Some(edit) => edit.mode.as_str() == after,
        None => before == after,
    };
    let (source, why) = match expected {
        _ if !agrees && before == after => (String::new(), "the module leaves it".to_owned()),
        _ if !agrees => (String::new(), "the module sets it".to_owned()),
        Some(edit) => (edit.source.as_str().to_owned(), words::why(slot)),
        None => (String::new(), words::why(slot)),
    };
    Row {
        tag: shown(slot.label().as_str()),
        before,
        after,
        source,
        why,
    }
}

/// The mode at a pointer, in a word.
fn mode(object: Option<&Value>, pointer: &str) -> String {
    match object.and_then(|object| object.pointer(pointer)) {
        None | Some(Value::Null) => "unset".to_owned(),
        Some(Value::String(mode)) if mode.is_empty() => "unset".to_owned(),
        Some(Value::String(mode)) => shown(mode),
        Some(other) => shown(&other.to_string()),
    }
}

/// What machine-readable output does not say of one thing.
pub fn machine_notes(decided: &Decided<'_>) -> Vec<String> {
    match decided {
        Decided::PassedOver(other) => {
            let what = shown(&other.what);
            vec![format!("{}: {what} passed over, {OTHER_KIND}", other.place)]
        }
        Decided::Judged(judged) => {
            let response = &judged.evaluation.response;
            let (place, title) = (&judged.subject.place, title(judged));
            let warnings = response.warnings.iter().flatten();
            let mut notes: Vec<_> = warnings
                .map(|warning| {
                    let label = paint(WARNING, "warning:");
                    format!("{label} {title}: {}", shown(warning))
                })
                .collect();
            if !response.allowed {
                let message = shown_whole(response.message().unwrap_or_default());
                let label = paint(REMOVED, "rejected:");
                notes.push(format!("{label} {place}: {title}: {message}"));
            }
            notes
        }
    }
}

/// What holds for the whole run.
pub fn closing_notes(decided: &[Decided<'_>], cluster_given: bool, module: &str) -> Vec<String> {
    let judged = || {
        decided.iter().filter_map(|decided| match decided {
            Decided::Judged(judged) => Some(judged),
            Decided::PassedOver(_) => None,
        })
    };
    let mut notes = Vec::new();
    if decided.is_empty() {
        notes.push(format!("{} {NO_OBJECT}", paint(WARNING, "note:")));
    }
    let reads: usize = judged()
        .map(|judged| judged.evaluation.calls.reads.len())
        .sum();
    if !cluster_given && reads > 0 {
        notes.push(format!(
            "{} no cluster was given, {} answered \"not initialised\"; name one with --cluster, --kubeconfig or --context",
            paint(WARNING, "note:"),
            if reads == 1 { "the one read was".to_owned() } else { format!("all {reads} reads were") },
        ));
    }
    if cluster_given {
        notes.extend(failed_reads(judged()));
    }
    let differing: Vec<_> = judged()
        .filter(|judged| !judged.differences.is_empty())
        .map(|judged| judged.subject.place.to_string())
        .collect();
    if !differing.is_empty() {
        let mut listed: Vec<_> = differing.iter().take(LISTED).map(String::as_str).collect();
        if differing.len() > LISTED {
            listed.push("…");
        }
        notes.push(format!(
            "{} `{}` decides otherwise than the rules of this program ({}); `make policy` builds the module anew",
            paint(WARNING, "note:"),
            shown(module),
            listed.join(", ")
        ));
    }
    notes
}

/// What the policy logs of reads that fail, each text once.
fn failed_reads<'a>(judged: impl Iterator<Item = &'a Box<Judged<'a>>>) -> Vec<String> {
    let message = |payload: &String| {
        let line: Value = serde_json::from_str(payload).ok()?;
        let text = line.get("message")?.as_str()?;
        Some(format!("{} {}", paint(WARNING, "note:"), shown_whole(text)))
    };
    let logged = judged.flat_map(|judged| judged.evaluation.calls.log.iter().filter_map(message));
    let mut texts: Vec<_> = logged.collect();
    texts.sort();
    texts.dedup();
    if texts.len() > LISTED {
        let more = texts.len() - LISTED;
        texts.truncate(LISTED);
        texts.push(format!(
            "{} and {more} more reads failed",
            paint(WARNING, "note:")
        ));
    }
    texts
}
