//! The command-line tool: decide, explain and pack the import mode policy.
//!
//! ```text
//!  files ──► input ──► Subject (an AdmissionRequest) ─┬─► module (policy.wasm in crates/host): decides
//!                                                     └─► core: explains, and must agree
//!  cluster ─► files, live or none, each object read once ─► both
//! ```
//!
//! One module per subcommand; everything is read and decided before the first line is printed.

mod annotate;
mod artifacthub;
mod cluster;
mod completions;
mod explain;
mod input;
mod judge;
mod layers;
mod man;
mod metadata;
mod module;
mod preflight;
mod report;
mod run;
mod settings_command;
mod settings_faults;
mod settings_schema;
mod settings_source;
mod tree;
mod yaml;

use std::error::Error;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use imagestream_import_mode_serve::ServeArgs;

/// Decides the import mode of OpenShift image stream tags, as the Kubewarden policy does in a cluster
#[derive(Parser, Debug)]
#[command(name = "imagestream-import-mode", version, max_term_width = 100)]
#[command(after_help = "Exit status: 0 decided, 1 rejected by the policy, 2 bad input.")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    Run(run::RunArgs),
    Explain(explain::ExplainArgs),
    Layers(layers::LayersArgs),
    Footprint(layers::FootprintArgs),
    Serve(ServeArgs),
    Settings(settings_command::SettingsCommandArgs),
    Preflight(preflight::PreflightArgs),
    Annotate(annotate::AnnotateArgs),
    #[command(name = "artifacthub")]
    ArtifactHub(artifacthub::ArtifactHubArgs),
    Completions(completions::CompletionsArgs),
    Man(man::ManArgs),
}

/// What a command came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    /// Everything was decided and nothing refused.
    Decided,
    /// The policy refuses something.
    Rejected,
}

/// Why a command could not be carried out.
type Failure = Box<dyn Error>;

fn main() -> ExitCode {
    let outcome = match Cli::parse().command {
        Command::Run(args) => run::run(&args),
        Command::Explain(args) => explain::explain(&args),
        Command::Layers(args) => layers::layers(&args),
        Command::Footprint(args) => layers::footprint(&args),
        Command::Serve(args) => imagestream_import_mode_serve::run(&args)
            .map(|()| Verdict::Decided)
            .map_err(Into::into),
        Command::Settings(args) => settings_command::run(&args),
        Command::Preflight(args) => preflight::preflight(&args),
        Command::Annotate(args) => annotate::annotate(&args),
        Command::ArtifactHub(args) => artifacthub::write(&args),
        Command::Completions(args) => completions::print(&args),
        Command::Man(args) => man::print(&args),
    };
    match outcome {
        Ok(Verdict::Decided) => ExitCode::SUCCESS,
        Ok(Verdict::Rejected) => ExitCode::from(1),
        Err(error) => {
            let label = report::paint(report::REMOVED, "error:");
            report::note(&format!("{label} {error}"));
            ExitCode::from(2)
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    #[test]
    fn the_arguments_are_consistent() {
        super::Cli::command().debug_assert();
    }
}
