//! What happens to a slot, in the same words everywhere.

use anstyle::Style;
use imagestream_import_mode::WarningKind;
use imagestream_import_mode::assess::AssessedSlot;
use imagestream_import_mode::cluster::ModeSource;
use imagestream_import_mode::settings::Action;

use crate::input::Origin;
use crate::judge::{Judge, Judged};
use crate::report::{ADDED, FAINT, REMOVED, WARNING};

/// The words, and how loud they are.
pub fn outcome(judge: &Judge, judged: &Judged<'_>, slot: &AssessedSlot<'_>) -> (Style, String) {
    let stays = || format!("stays {}", slot.requested());
    if judge.settings().action == Action::Report {
        return match (slot.reported(), slot.outcome.set) {
            (Some(mode), _) => (REMOVED, format!("should be {mode}")),
            (None, Some(_)) if !slot.imports() => (FAINT, format!("{}, no import", stays())),
            (None, _) => (quiet(slot), stays()),
        };
    }
    if !judged.explanation.decision.allowed() {
        return match slot.outcome.warning {
            Some(WarningKind::PayloadUnknown) => (REMOVED, "rejected".to_owned()),
            _ => (FAINT, "rejected with the request".to_owned()),
        };
    }
    match slot.outcome.set {
        None => (quiet(slot), stays()),
        Some(set) if judged.subject.origin == Origin::Stored => {
            (ADDED, format!("would be {}", set.mode))
        }
        Some(set) if set.source == ModeSource::Existing => (ADDED, format!("keep {}", set.mode)),
        Some(set) => (ADDED, format!("set {}", set.mode)),
    }
}

/// What stays deserves a look only if there is a warning.
fn quiet(slot: &AssessedSlot<'_>) -> Style {
    if slot.outcome.warning.is_some() {
        WARNING
    } else {
        FAINT
    }
}
