//! `settings`: check settings as the policy does, print their schema.

use std::path::PathBuf;

use crate::module::ModuleArgs;
use crate::{Failure, Verdict, report, settings_faults, settings_schema, settings_source};
use clap::{Args, Subcommand};

/// Check settings, or print their JSON Schema
#[derive(Args, Debug)]
pub struct SettingsCommandArgs {
    #[command(subcommand)]
    command: SettingsCommand,
}

#[derive(Subcommand, Debug)]
enum SettingsCommand {
    /// Ask the module whether it takes these settings; every fault is listed
    Check {
        /// Settings in YAML or JSON, or a ClusterAdmissionPolicy that holds some; `-` is standard input
        file: PathBuf,
        #[command(flatten)]
        module: ModuleArgs,
    },
    /// Print the JSON Schema of the settings
    Schema,
}

/// Carries out the subcommand.
pub fn run(args: &SettingsCommandArgs) -> Result<Verdict, Failure> {
    match &args.command {
        SettingsCommand::Schema => {
            report::print(settings_schema::SCHEMA)?;
            Ok(Verdict::Decided)
        }
        SettingsCommand::Check { file, module } => {
            let settings = settings_source::read_file(file)?.to_string();
            let validation = module.load()?.policy.validate_settings(settings.as_bytes());
            if validation.valid {
                report::print("the settings are valid\n")?;
                return Ok(Verdict::Decided);
            }
            let message = validation.message.unwrap_or_default();
            let faults = settings_faults::lines(&settings, &message);
            report::print(&format!("{faults}\n"))?;
            Ok(Verdict::Rejected)
        }
    }
}
