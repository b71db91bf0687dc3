//! `completions`: scripts for shells.

use clap::{Args, CommandFactory as _};
use clap_complete::Shell;

use crate::{Cli, Failure, Verdict, report};

/// Print a completion script for a shell
///
/// For bash: imagestream-import-mode completions bash > /etc/bash_completion.d/imagestream-import-mode
#[derive(Args, Debug)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Prints the script.
pub fn print(args: &CompletionsArgs) -> Result<Verdict, Failure> {
    let mut command = Cli::command();
    let name = command.get_name().to_owned();
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, name, &mut script);
    report::print(&String::from_utf8(script)?)?;
    Ok(Verdict::Decided)
}
