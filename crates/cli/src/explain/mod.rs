//! `explain`: what holds for every slot, and why; the dry run of a cluster.

mod outcome;
mod reads;
mod slots;
mod summary;

use std::fmt;

use clap::Args;

use crate::cluster::ClusterArgs;
use crate::input::{InputArgs, Item, PassedOver};
use crate::judge::{Judge, Judged};
use crate::module::ModuleArgs;
use crate::settings_source::SettingsArgs;
use crate::{Failure, Verdict, report};

pub use slots::full_label;

/// Most differences that an error lists.
const LISTED: usize = 5;

/// Explain what the policy makes of every tag, and why
///
/// The dry run of a whole cluster, before the policy is switched on:
///
///   oc get is -A -o json | imagestream-import-mode explain --context NAME -
///
/// Stored streams are decided as if they were created now; the table shows who decided each mode and
/// what would be set, the summary counts it. They do not tell who wrote them, so exempt users count in
/// requests only.
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub struct ExplainArgs {
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    settings: SettingsArgs,
    #[command(flatten)]
    cluster: ClusterArgs,
    #[command(flatten)]
    module: ModuleArgs,
}

/// The module and the core decide differently, so the explanation would be wrong.
#[derive(Debug)]
struct Disagreement {
    module: String,
    lines: Vec<String>,
    more: usize,
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` decides otherwise than the rules of this program, so they do not explain it",
            self.module
        )?;
        for line in &self.lines {
            write!(f, "\n  {line}")?;
        }
        if self.more > 0 {
            write!(f, "\n  and {} more", self.more)?;
        }
        f.write_str(
            "\n`make policy` builds the module from the same source; --module names another one",
        )
    }
}

impl std::error::Error for Disagreement {}

/// Decides everything, compares core and module, then prints.
pub fn explain(args: &ExplainArgs) -> Result<Verdict, Failure> {
    let items = args.input.read()?;
    let settings = args.settings.read()?;
    let source = args.cluster.open()?;
    let judge = Judge::new(args.module.load()?, settings, source.cluster)?;
    let mut judged = Vec::new();
    let mut passed_over = Vec::new();
    for item in &items {
        match item {
            Item::Subject(subject) => judged.push(judge.judge(subject)?),
            Item::PassedOver(other) => passed_over.push(other),
        }
    }
    agree(&judge, &judged)?;
    report::print(&render(
        &judge,
        &judged,
        &passed_over,
        source.given,
        report::width(),
    ))?;
    let rejected = judged
        .iter()
        .any(|judged| !judged.evaluation.response.allowed);
    Ok(if rejected {
        Verdict::Rejected
    } else {
        Verdict::Decided
    })
}

fn agree(judge: &Judge, judged: &[Judged<'_>]) -> Result<(), Disagreement> {
    let mut lines: Vec<_> = judged
        .iter()
        .flat_map(|judged| {
            let place = &judged.subject.place;
            let differences = judged.differences.iter();
            differences.map(move |difference| report::shown(&format!("{place}: {difference}")))
        })
        .collect();
    if lines.is_empty() {
        return Ok(());
    }
    let more = lines.len().saturating_sub(LISTED);
    lines.truncate(LISTED);
    Err(Disagreement {
        module: report::shown(&judge.module()),
        lines,
        more,
    })
}

fn render(
    judge: &Judge,
    judged: &[Judged<'_>],
    passed_over: &[&PassedOver],
    cluster_given: bool,
    width: Option<usize>,
) -> String {
    let mut text = slots::render(judge, judged, width);
    text.push_str(&reads::render(judge, judged, cluster_given, width));
    text.push_str(&summary::render(judge, judged, passed_over, width));
    text
}
