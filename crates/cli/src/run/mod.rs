//! `run`: decide requests with the module and show what changes.

mod summary;

use clap::{Args, ValueEnum};

use crate::cluster::ClusterArgs;
use crate::input::{InputArgs, Item};
use crate::judge::{Judge, Judged};
use crate::module::ModuleArgs;
use crate::report::{self, diff, json};
use crate::settings_source::SettingsArgs;
use crate::tree::Tree;
use crate::{Failure, Verdict};

/// Decide requests and manifests with the policy's module, and show what changes
#[derive(Args, Debug)]
pub struct RunArgs {
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    settings: SettingsArgs,
    #[command(flatten)]
    cluster: ClusterArgs,
    #[command(flatten)]
    module: ModuleArgs,

    /// What to print; without it, `diff` on a terminal and `summary` elsewhere
    #[arg(short, long, value_enum)]
    output: Option<Output>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Output {
    /// A table of tags for each object
    Summary,
    /// The summary with a diff of each object
    Diff,
    /// The objects as they would be stored; other kinds pass unchanged, rejected ones are left out.
    /// A number beyond 64 bits loses digits, in YAML input too
    Yaml,
    /// The same in JSON; every digit of JSON input stays
    Json,
    /// A JSON Patch for each request, one a line
    Patch,
    /// The AdmissionReview that answers each request, one a line
    Review,
}

/// Decides everything, then prints.
pub fn run(args: &RunArgs) -> Result<Verdict, Failure> {
    let items = args.input.read()?;
    let settings = args.settings.read()?;
    let source = args.cluster.open()?;
    let judge = Judge::new(args.module.load()?, settings, source.cluster)?;
    let mut decided = Vec::new();
    for item in &items {
        decided.push(match item {
            Item::Subject(subject) => Decided::Judged(Box::new(judge.judge(subject)?)),
            Item::PassedOver(other) => Decided::PassedOver(other),
        });
    }
    let output = args.output.unwrap_or_else(default_output);
    let mut text = String::new();
    let mut notes = Vec::new();
    match output {
        Output::Summary | Output::Diff => {
            text = summary::render(&decided, output == Output::Diff, report::width())?;
            notes.extend(summary::closing_notes(
                &decided,
                source.given,
                &judge.module(),
            ));
            for note in notes.drain(..) {
                text.push_str(&note);
                text.push('\n');
            }
        }
        Output::Yaml | Output::Json | Output::Patch | Output::Review => {
            for decided in &decided {
                write_machine_readable(decided, output, &mut text)?;
                notes.extend(summary::machine_notes(decided));
            }
            notes.extend(summary::closing_notes(
                &decided,
                source.given,
                &judge.module(),
            ));
        }
    }
    report::print(&text)?;
    for note in notes {
        report::note(&note);
    }
    let rejected = decided.iter().any(|decided| match decided {
        Decided::Judged(judged) => !judged.evaluation.response.allowed,
        Decided::PassedOver(_) => false,
    });
    Ok(if rejected {
        Verdict::Rejected
    } else {
        Verdict::Decided
    })
}

fn default_output() -> Output {
    if std::io::IsTerminal::is_terminal(&std::io::stdout()) {
        Output::Diff
    } else {
        Output::Summary
    }
}

/// One thing from the input after the decision.
enum Decided<'s> {
    Judged(Box<Judged<'s>>),
    PassedOver(&'s crate::input::PassedOver),
}

fn write_machine_readable(
    decided: &Decided<'_>,
    output: Output,
    text: &mut String,
) -> Result<(), Failure> {
    match (output, decided) {
        (Output::Yaml | Output::Json, decided) => {
            if let Some(object) = object_after(decided) {
                if output == Output::Json {
                    text.push_str(&json::pretty(&object));
                } else {
                    if !text.is_empty() {
                        text.push_str("---\n");
                    }
                    text.push_str(&Tree::from_json(&object)?.to_yaml()?);
                }
            }
        }
        (_, Decided::PassedOver(_)) => {}
        (Output::Patch, Decided::Judged(judged)) => {
            let patch = judged.evaluation.response.json_patch()?;
            text.push_str(patch.as_deref().unwrap_or("[]"));
            text.push('\n');
        }
        (_, Decided::Judged(judged)) => {
            text.push_str(&judged.evaluation.response.to_review().to_string());
            text.push('\n');
        }
    }
    Ok(())
}

/// The text of the object as it would be stored; none if there is none or it is refused.
fn object_after(decided: &Decided<'_>) -> Option<String> {
    match decided {
        Decided::PassedOver(other) => Some(other.object.clone()),
        Decided::Judged(judged) => judged.object_after(),
    }
}

/// The diff of an object; empty where nothing changed.
fn object_diff(judged: &Judged<'_>) -> Result<String, Failure> {
    let (Some(before), Some(after)) = (&judged.subject.object, judged.object_after()) else {
        return Ok(String::new());
    };
    let before = Tree::from_json(before)?.to_yaml()?;
    let after = Tree::from_json(&after)?.to_yaml()?;
    Ok(diff::unified(
        &before,
        &after,
        &report::shown(&judged.subject.name),
    ))
}
