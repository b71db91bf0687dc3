//! The table of every slot.

use std::fmt::Write as _;

use imagestream_import_mode::ResourceKind;
use imagestream_import_mode::assess::{AssessedSlot, StreamLookup};
use imagestream_import_mode::provenance::Authorship;
use imagestream_import_mode::settings::ClusterContext;
use imagestream_import_mode::slot::SlotLabel;

use super::outcome::outcome;
use crate::input::Origin;
use crate::judge::{Judge, Judged};
use crate::report::table::{Cell, Table};
use crate::report::{REMOVED, TITLE, paint, shown, shown_whole, words};

/// The slots of all requests, in runs of requests of the same sort.
pub fn render(judge: &Judge, judged: &[Judged<'_>], width: Option<usize>) -> String {
    let mut text = String::new();
    for run in judged.chunk_by(|one, next| heading(one) == heading(next)) {
        let heading = run.first().map(heading).unwrap_or_default();
        let _ = writeln!(text, "{}", paint(TITLE, &heading));
        if let Some(mode) = cluster_mode(run) {
            let _ = writeln!(text, "  cluster mode: {mode}");
        }
        let mut table = Table::new(&["TAG", "IS", "TODAY", "ASKED", "AUTHOR", "OUTCOME"]);
        for judged in run {
            add_rows(judge, judged, &mut table);
        }
        if !table.is_empty() {
            text.push_str(&table.render("  ", width));
        }
        for judged in run {
            add_remarks(judge, judged, &mut text);
        }
        text.push('\n');
    }
    text
}

/// The cluster mode with its source, if a slot of the run depended on it; all see the same cluster.
fn cluster_mode(run: &[Judged<'_>]) -> Option<String> {
    let mode = run.iter().find_map(|judged| {
        let assessment = judged.explanation.assessment.as_ref().ok()?;
        assessment.cluster_mode.as_ref()
    })?;
    Some(match mode {
        Ok(mode) => format!("{} ({})", mode.mode, mode.source.as_str()),
        Err(unreadable) => format!("unknown ({})", words::unreadable(unreadable)),
    })
}

/// What a run of requests has in common.
fn heading(judged: &Judged<'_>) -> String {
    let subject = judged.subject;
    if subject.origin == Origin::Stored {
        return format!(
            "Stored {}s, each as if it were created now",
            shown(&subject.kind)
        );
    }
    let mut heading = format!("{} {}", subject.operation, subject.kind);
    if !subject.user.is_empty() {
        let _ = write!(heading, " by {}", subject.user);
    }
    shown(&heading)
}

/// How a slot is called across requests: `namespace/stream:tag`.
pub fn full_label(judged: &Judged<'_>, slot: &AssessedSlot<'_>) -> String {
    let name = &judged.subject.name;
    let label = match slot.label() {
        SlotLabel::Tag(tag) if name.ends_with(&format!(":{tag}")) => name.clone(),
        SlotLabel::Tag(tag) => format!("{name}:{tag}"),
        SlotLabel::Pointer(pointer) => format!("{name} {pointer}"),
    };
    shown(label.trim())
}

fn add_rows(judge: &Judge, judged: &Judged<'_>, table: &mut Table) {
    let Ok(assessment) = &judged.explanation.assessment else {
        return;
    };
    let is_stored = judged.subject.origin == Origin::Stored;
    for slot in &assessment.slots {
        let today = slot
            .today
            .map_or_else(String::new, |today| today.to_string());
        table.push(vec![
            Cell::plain(full_label(judged, slot)),
            Cell::plain(match slot.today {
                Some(_) => "existing",
                None if is_stored => "",
                None => "new",
            }),
            Cell::plain(today),
            Cell::plain(slot.requested().to_string()),
            Cell::plain(words::author(slot.authorship)),
            outcome_cell(judge, judged, slot),
        ]);
    }
}

/// What happens to a slot, with the kind of its warning.
fn outcome_cell(judge: &Judge, judged: &Judged<'_>, slot: &AssessedSlot<'_>) -> Cell {
    let (style, mut text) = outcome(judge, judged, slot);
    if let Some(kind) = slot.outcome.warning {
        let _ = write!(text, " ({})", kind.as_str());
    }
    Cell::styled(style, text)
}

/// What the table has no column for.
fn add_remarks(judge: &Judge, judged: &Judged<'_>, text: &mut String) {
    let name = shown(&judged.subject.name);
    let single = judged.subject.origin != Origin::Stored;
    match &judged.explanation.assessment {
        Err(reason) if single => {
            let reason = words::out_of_scope(*reason);
            let _ = writeln!(text, "  {name} accepted untouched: {reason}");
        }
        Ok(assessment) if assessment.slots.is_empty() && single => {
            let _ = writeln!(text, "  {name} accepted untouched: it has no tags");
        }
        _ => {}
    }
    if takes_all_for_new(judge, judged) {
        let _ = writeln!(
            text,
            "  {name}: the stream was not read, so its tags count as new; one that keeps all platforms today may get Legacy"
        );
    }
    let response = &judged.evaluation.response;
    if single && !response.allowed {
        let message = shown_whole(response.message().unwrap_or_default());
        let label = paint(REMOVED, "rejected:");
        let _ = writeln!(text, "  {label} {name}: {message}");
    }
}

/// Whether an import was decided without its stream although a slot depends on it.
fn takes_all_for_new(judge: &Judge, judged: &Judged<'_>) -> bool {
    let Ok(assessment) = &judged.explanation.assessment else {
        return false;
    };
    let unread = match assessment.lookup {
        StreamLookup::Failed(_) => true,
        StreamLookup::None => judge.settings().cluster_context == ClusterContext::Forbidden,
        StreamLookup::Found | StreamLookup::NotFound => false,
    };
    let is_open = |slot: &AssessedSlot<'_>| matches!(slot.authorship, Authorship::Open(_));
    let is_import = judged.request.kind() == Some(ResourceKind::ImageStreamImport);
    unread && is_import && assessment.slots.iter().any(is_open)
}
