//! The reads that were made, and what changes where one fails.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::Arc;

use imagestream_import_mode::WarningKind;
use imagestream_import_mode::assess::AssessedSlot;
use imagestream_import_mode::decide::Explanation;
use imagestream_import_mode::settings::ClusterContext;
use imagestream_import_mode_host::ClusterError;

use crate::cluster::{CoreReader, Refusing};
use crate::judge::{Judge, Judged};
use crate::report::table::{Cell, Table};
use crate::report::{TITLE, WARNING, count, paint, shown, words};

/// One object that was read.
#[derive(Default)]
struct ReadReport {
    answer: Option<ClusterError>,
    requests: usize,
    /// What a failure does, and to how many tags.
    effects: BTreeMap<String, usize>,
}

/// The table of reads, in the order in which they were first made.
pub fn render(
    judge: &Judge,
    judged: &[Judged<'_>],
    cluster_given: bool,
    width: Option<usize>,
) -> String {
    let mut order: Vec<String> = Vec::new();
    let mut reports: BTreeMap<String, ReadReport> = BTreeMap::new();
    for judged in judged {
        let keys: BTreeSet<_> = judged.reads.iter().map(|read| &read.key).collect();
        for read in &judged.reads {
            let report = reports.entry(read.key.clone()).or_insert_with(|| {
                order.push(read.key.clone());
                ReadReport::default()
            });
            report.answer.clone_from(&read.error);
        }
        for key in keys {
            if let Some(report) = reports.get_mut(key) {
                report.requests += 1;
                add_effects(judge, judged, key, &mut report.effects);
            }
        }
    }
    let mut text = String::new();
    let _ = writeln!(text, "{}", paint(TITLE, "Reads"));
    if order.is_empty() {
        text.push_str(match judge.settings().cluster_context {
            ClusterContext::Allowed => "  none: nothing here depends on the cluster\n\n",
            ClusterContext::Forbidden => "  none: the settings forbid them\n\n",
        });
        return text;
    }
    let mut table = Table::new(&["OBJECT", "ANSWER", "REQUESTS", "WHERE IT FAILS"]);
    for key in order {
        let Some(report) = reports.get(&key) else {
            continue;
        };
        let is_failure = !matches!(report.answer, None | Some(ClusterError::NotFound));
        let answer = words::answer(report.answer.as_ref());
        table.push(vec![
            Cell::plain(shown(&key)),
            if is_failure {
                Cell::styled(WARNING, answer)
            } else {
                Cell::plain(answer)
            },
            Cell::plain(report.requests.to_string()),
            Cell::plain(effect(report, is_failure)),
        ]);
    }
    text.push_str(&table.render("  ", width));
    if !cluster_given {
        text.push_str(
            "  no cluster was given: name one with --cluster, --kubeconfig or --context\n",
        );
    }
    text.push('\n');
    text
}

fn effect(report: &ReadReport, is_failure: bool) -> String {
    if is_failure {
        return "as here: it failed".to_owned();
    }
    if report.effects.is_empty() {
        return "nothing changes".to_owned();
    }
    let effects: Vec<_> = report
        .effects
        .iter()
        .map(|(effect, tags)| format!("{}: {effect}", count(*tags, "tag")))
        .collect();
    effects.join("; ")
}

/// Decides once more with one read refused, and compares slot by slot.
fn add_effects(
    judge: &Judge,
    judged: &Judged<'_>,
    key: &str,
    effects: &mut BTreeMap<String, usize>,
) {
    let refusing = Refusing {
        cluster: Arc::clone(judge.cluster()),
        refused: key.to_owned(),
    };
    let reader = CoreReader::new(&refusing);
    let refused =
        imagestream_import_mode::explain(judged.request.clone(), judge.settings(), &reader);
    for effect in compare(&judged.explanation, &refused) {
        *effects.entry(effect).or_default() += 1;
    }
}

/// What becomes different for each slot.
fn compare(normal: &Explanation<'_>, refused: &Explanation<'_>) -> Vec<String> {
    let (Ok(before), Ok(after)) = (&normal.assessment, &refused.assessment) else {
        return Vec::new();
    };
    let verdicts = (normal.decision.allowed(), refused.decision.allowed());
    before
        .slots
        .iter()
        .zip(&after.slots)
        .filter_map(|(before, after)| {
            let (result, otherwise) = (words::result(before), words::result(after));
            let (warning, new_warning) = (warning_of(normal, before), warning_of(refused, after));
            let warns = match (warning, new_warning) {
                (one, other) if one == other => String::new(),
                (_, Some(kind)) => format!(", with the warning {}", kind.as_str()),
                (Some(kind), None) => format!(", without the warning {}", kind.as_str()),
                (None, None) => String::new(),
            };
            match verdicts {
                (true, false) => Some("rejected".to_owned()),
                (false, true) => Some(format!("accepted as sent{warns}")),
                _ if result != otherwise => Some(format!("{otherwise} instead of {result}{warns}")),
                _ if warns.is_empty() => None,
                _ => Some(format!("{result} as before{warns}")),
            }
        })
        .collect()
}

/// The warning about a slot.
fn warning_of(explanation: &Explanation<'_>, slot: &AssessedSlot<'_>) -> Option<WarningKind> {
    let mut warnings = explanation.decision.warnings.iter();
    let lookup_failed = slot.outcome.set.is_some()
        && warnings.any(|warning| warning.kind == WarningKind::LookupFailed);
    let lookup_failed = lookup_failed.then_some(WarningKind::LookupFailed);
    slot.outcome.warning.or(lookup_failed)
}
