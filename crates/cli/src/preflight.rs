//! `preflight`: which tags would fetch every platform from a mirror that may lack some.
//!
//! An import with PreserveOriginal fails as a whole when one platform of its list is missing
//! (`importer.go` of openshift-apiserver), so on a disconnected cluster the sources count.

mod repository;

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use clap::Args;
use imagestream_import_mode::ImportMode;
use imagestream_import_mode::assess::AssessedSlot;
use serde_json::Value;

use crate::cluster::ClusterArgs;
use crate::explain::full_label;
use crate::input::{InputArgs, Item};
use crate::judge::{Judge, Judged};
use crate::module::ModuleArgs;
use crate::report::table::{Cell, Table};
use crate::report::{self, WARNING, count, paint, shown};
use crate::settings_source::SettingsArgs;
use crate::{Failure, Verdict};

use repository::Mirrored;

/// List the tags whose import would need every platform in a mirror
///
/// Where the cluster pulls from mirrors, before the policy is switched on:
///
///   oc get is -A -o json | imagestream-import-mode preflight --mirrored mirrored.txt -
///
/// The list of mirrored repositories has one a line; a registry or a path stands for everything
/// below it, `#` starts a comment. Nothing is asked of a registry.
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub struct PreflightArgs {
    #[command(flatten)]
    input: InputArgs,

    /// The repositories that come from a mirror, one a line
    #[arg(long, value_name = "FILE")]
    mirrored: PathBuf,

    #[command(flatten)]
    settings: SettingsArgs,
    #[command(flatten)]
    cluster: ClusterArgs,
    #[command(flatten)]
    module: ModuleArgs,
}

/// What was counted.
#[derive(Default)]
struct Totals {
    importing: usize,
    changing: usize,
    mirrored: usize,
    unknown: usize,
}

/// Decides every tag as if it were created now, and keeps those that would keep all platforms.
pub fn preflight(args: &PreflightArgs) -> Result<Verdict, Failure> {
    let mirrored = fs::read_to_string(&args.mirrored)
        .map_err(|error| format!("cannot read `{}`: {error}", args.mirrored.display()))?;
    let mirrored = Mirrored::parse(&mirrored);
    if mirrored.is_empty() {
        let file = args.mirrored.display();
        return Err(format!("`{file}` names no repository; write one a line").into());
    }
    let items = args.input.read()?;
    let settings = args.settings.read()?;
    let source = args.cluster.open()?;
    let judge = Judge::new(args.module.load()?, settings, source.cluster)?;
    let mut table = Table::new(&["TAG", "SOURCE", "MIRRORED AS"]);
    let mut totals = Totals::default();
    for item in &items {
        if let Item::Subject(subject) = item {
            add_rows(&judge.judge(subject)?, &mirrored, &mut table, &mut totals);
        }
    }
    report::print(&render(&table, &totals))?;
    Ok(Verdict::Decided)
}

fn add_rows(judged: &Judged<'_>, mirrored: &Mirrored, table: &mut Table, totals: &mut Totals) {
    let Ok(assessment) = &judged.explanation.assessment else {
        return;
    };
    if let Some(Err(_)) = &assessment.cluster_mode {
        totals.unknown += 1;
    }
    for slot in assessment.slots.iter().filter(|slot| slot.imports()) {
        totals.importing += 1;
        let set = slot.outcome.set;
        if set.is_none_or(|set| set.mode != ImportMode::PreserveOriginal) {
            continue;
        }
        totals.changing += 1;
        let Some(source) = source(judged, slot) else {
            continue;
        };
        if let Some(entry) = mirrored.entry_of(source) {
            totals.mirrored += 1;
            table.push(vec![
                Cell::plain(full_label(judged, slot)),
                Cell::plain(shown(source)),
                Cell::plain(shown(entry)),
            ]);
        }
    }
}

/// The image that a slot imports.
fn source<'j>(judged: &'j Judged<'_>, slot: &AssessedSlot<'_>) -> Option<&'j str> {
    let object = judged.subject.request.object()?;
    let pointer = format!("{}/from/name", slot.path());
    object.pointer(&pointer).and_then(Value::as_str)
}

fn render(table: &Table, totals: &Totals) -> String {
    let mut text = String::new();
    if !table.is_empty() {
        text.push_str(&table.render("", report::width()));
        text.push('\n');
    }
    let _ = writeln!(
        text,
        "{} would import, {} of them with all platforms instead of one, {} of these from a mirror.",
        count(totals.importing, "tag"),
        totals.changing,
        totals.mirrored
    );
    if totals.mirrored > 0 {
        text.push_str(
            "Each listed image must have every platform of its list in the mirror, or its import fails.\n",
        );
    }
    if totals.unknown > 0 {
        let label = paint(WARNING, "warning:");
        let _ = writeln!(
            text,
            "{label} the cluster mode is unknown, so no tag would change; name a cluster, or --set payloadArchitecture=Multi",
        );
    }
    text
}
