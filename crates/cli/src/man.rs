//! `man`: the manual page, every command on one page.

use clap::{Args, CommandFactory as _};
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
    for subcommand in command.get_subcommands() {
        let man = Man::new(subcommand.clone());
        page.extend(format!(".SH {}\n", subcommand.get_name().to_uppercase()).bytes());
        man.render_synopsis_section(&mut page)?;
        man.render_description_section(&mut page)?;
        man.render_options_section(&mut page)?;
    }
    report::print(&String::from_utf8(page)?)?;
    Ok(Verdict::Decided)
}
