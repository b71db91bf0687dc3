//! `man`: the manual page, every command on one page.

use clap::{Args, Command, CommandFactory as _};
use clap_mangen::Man;

use crate::{Cli, Failure, Verdict, report};

/// Print the manual page
///
/// To read it: imagestream-import-mode man | man -l -
#[derive(Args, Debug)]
pub struct ManArgs {}

/// Prints the page in roff.
pub fn print(_args: &ManArgs) -> Result<Verdict, Failure> {
    let mut command = Cli::command();
    command.build();
    let mut page = Vec::new();
    Man::new(command.clone()).render(&mut page)?;
    sections(&command, "", &mut page)?;
    report::print(&String::from_utf8(page)?)?;
    Ok(Verdict::Decided)
}

/// One section for each command below `command`, whose own name is `name`.
fn sections(command: &Command, name: &str, page: &mut Vec<u8>) -> Result<(), Failure> {
    for subcommand in command.get_subcommands() {
        if subcommand.get_name() == "help" {
            continue;
        }
        let name = format!("{name} {}", subcommand.get_name().to_uppercase());
        let man = Man::new(subcommand.clone());
        page.extend(format!(".SH{name}\n").bytes());
        man.render_synopsis_section(page)?;
        man.render_description_section(page)?;
        man.render_options_section(page)?;
        sections(subcommand, &name, page)?;
    }
    Ok(())
}
