//! The log.

use std::io;
use std::io::IsTerminal as _;

use tracing_subscriber::filter::LevelFilter;

use crate::args::{LogFormat, ServeArgs};

/// Sends the log to standard error; a process that already has a log keeps it.
pub(crate) fn start(args: &ServeArgs) {
    let level: LevelFilter = args.log_level.parse().unwrap_or(LevelFilter::INFO);
    let builder = tracing_subscriber::fmt()
        .with_max_level(level)
        .with_writer(io::stderr)
        .with_ansi(io::stderr().is_terminal());
    let _ = match args.log_format {
        LogFormat::Text => builder.try_init(),
        LogFormat::Json => builder.json().flatten_event(true).try_init(),
    };
}
