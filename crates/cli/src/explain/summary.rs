//! The end of an explanation: how many tags of each sort there are, and what that means.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use imagestream_import_mode::import_mode::StoredMode;
use imagestream_import_mode::settings::Action;
use imagestream_import_mode::{ImportMode, WarningKind};

use super::outcome::outcome;
use crate::input::{Origin, PassedOver};
use crate::judge::{Judge, Judged};
use crate::report::table::{Cell, Table};
use crate::report::words::{NO_OBJECT, OTHER_KIND};
use crate::report::{TITLE, WARNING, count, paint, shown, words};

/// Most names that a line lists.
const LISTED: usize = 5;

/// Tags of one sort.
#[derive(Default)]
struct Sort {
    tags: usize,
    importing: usize,
    requests: usize,
}

/// The summary.
pub fn render(
    judge: &Judge,
    judged: &[Judged<'_>],
    passed_over: &[&PassedOver],
    width: Option<usize>,
) -> String {
    let mut text = format!("{}\n", paint(TITLE, "Summary"));
    let sorts = sorts(judge, judged);
    let mut sorts: Vec<_> = sorts.into_iter().collect();
    sorts.sort_by_key(|(_, sort)| std::cmp::Reverse(sort.tags));
    let mut table = Table::new(&["TAGS", "IMPORTING", "OBJECTS", "ASKED", "AUTHOR", "OUTCOME"]);
    for ((asked, author, outcome), sort) in sorts {
        table.push(vec![
            Cell::plain(sort.tags.to_string()),
            Cell::plain(sort.importing.to_string()),
            Cell::plain(sort.requests.to_string()),
            Cell::plain(asked),
            Cell::plain(author),
            Cell::plain(outcome),
        ]);
    }
    if !table.is_empty() {
        text.push_str(&table.render("  ", width));
    }
    for line in lines(judge, judged, passed_over) {
        let _ = writeln!(text, "  {line}");
    }
    text
}

fn sorts(judge: &Judge, judged: &[Judged<'_>]) -> BTreeMap<(String, &'static str, String), Sort> {
    let mut sorts: BTreeMap<_, Sort> = BTreeMap::new();
    for judged in judged {
        let Ok(assessment) = &judged.explanation.assessment else {
            continue;
        };
        let mut seen = Vec::new();
        for slot in &assessment.slots {
            let (_, outcome) = outcome(judge, judged, slot);
            let asked = slot.requested().to_string();
            let key = (asked, words::author(slot.authorship), outcome);
            let sort = sorts.entry(key.clone()).or_default();
            sort.tags += 1;
            sort.importing += usize::from(slot.imports());
            if !seen.contains(&key) {
                sort.requests += 1;
                seen.push(key);
            }
        }
    }
    sorts
}

/// What the counts mean.
fn lines(judge: &Judge, judged: &[Judged<'_>], passed_over: &[&PassedOver]) -> Vec<String> {
    let mut lines = Vec::new();
    if judged.is_empty() && passed_over.is_empty() {
        lines.push(NO_OBJECT.to_owned());
    }
    lines.extend(cluster_line(judged));
    lines.extend(untouched_lines(judged));
    if !passed_over.is_empty() {
        let names: Vec<_> = passed_over.iter().map(|other| shown(&other.what)).collect();
        lines.push(format!(
            "{} passed over, {OTHER_KIND}: {}",
            count(passed_over.len(), "object"),
            listed(&names)
        ));
    }
    let is_stored = |judged: &&Judged<'_>| judged.subject.origin == Origin::Stored;
    if judged.iter().any(|judged| is_stored(&judged)) {
        let stored = judged.iter().filter(is_stored);
        lines.extend(stored_lines(judge, stored));
    }
    lines
}

fn cluster_line(judged: &[Judged<'_>]) -> Option<String> {
    let modes = judged
        .iter()
        .filter_map(|judged| judged.explanation.assessment.as_ref().ok());
    let mode = modes
        .filter_map(|assessment| assessment.cluster_mode.as_ref())
        .next()?;
    Some(match mode {
        Ok(mode) => format!("New tags get {}, {}.", mode.mode, words::says(mode.source)),
        Err(unreadable) => {
            let text = format!(
                "Nobody can say which mode new tags get, they are left as sent: {}",
                words::unreadable(unreadable)
            );
            paint(WARNING, &text)
        }
    })
}

/// Requests whose slots were not looked at, by reason.
fn untouched_lines(judged: &[Judged<'_>]) -> Vec<String> {
    let mut reasons: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for judged in judged {
        let reason = match &judged.explanation.assessment {
            Err(reason) => words::out_of_scope(*reason),
            Ok(assessment) if assessment.slots.is_empty() => "no tags",
            Ok(_) => continue,
        };
        let name = shown(&judged.subject.name);
        reasons.entry(reason).or_default().push(name);
    }
    reasons
        .into_iter()
        .map(|(reason, names)| {
            let number = count(names.len(), "object");
            format!("{number} accepted untouched, {reason}: {}", listed(&names))
        })
        .collect()
}

/// What switching the policy on means for what is stored.
fn stored_lines<'j, 's: 'j>(
    judge: &Judge,
    judged: impl Iterator<Item = &'j Judged<'s>>,
) -> Vec<String> {
    let mut one_platform = 0;
    let mut explicit = 0;
    for slot in judged.flat_map(|judged| {
        let assessment = judged.explanation.assessment.as_ref().ok();
        assessment
            .into_iter()
            .flat_map(|assessment| &assessment.slots)
    }) {
        let legacy = slot.requested() == StoredMode::Mode(ImportMode::Legacy);
        let wanted = slot
            .outcome
            .set
            .is_some_and(|set| set.mode == ImportMode::PreserveOriginal);
        one_platform += usize::from(legacy && wanted && slot.imports());
        explicit += usize::from(slot.outcome.warning == Some(WarningKind::ExplicitKept));
    }
    let mut lines = vec![
        "Stored tags keep their mode when the policy is switched on; \"would be\" is what they get when they are created anew.".to_owned(),
    ];
    if one_platform > 0 {
        lines.push(format!(
            "{} one platform where the cluster wants all; `oc tag --import-mode=PreserveOriginal SOURCE STREAM:TAG` converts one.",
            if one_platform == 1 {
                "1 tag imports".to_owned()
            } else {
                format!("{one_platform} tags import")
            }
        ));
    }
    if explicit > 0 {
        lines.push(format!(
            "{} would stay Legacy because the author said so.",
            count(explicit, "tag")
        ));
    }
    if judge.settings().action == Action::Mutate && one_platform > 0 {
        lines.push(
            "A second policy with `action: Report` lists them in the reports of Kubewarden's audit scanner."
                .to_owned(),
        );
    }
    lines
}

fn listed(names: &[String]) -> String {
    let shown: Vec<_> = names.iter().take(LISTED).map(String::as_str).collect();
    match names.len().saturating_sub(LISTED) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}
