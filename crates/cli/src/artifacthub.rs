//! `artifacthub`: the package file of Artifact Hub, as `kwctl scaffold artifacthub` writes it.
//!
//! Fields, their order and the fixed texts follow `policy_artifacthub.rs` of
//! kubewarden/adm-controller; only the date is given instead of taken from the clock, so that the
//! file can be committed and compared.

mod package;
mod text;
mod yaml;

use std::fs;
use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;

use crate::annotate::read_metadata;
use crate::{Failure, Verdict, report};

use package::Package;

/// Write the package file of Artifact Hub from the policy's metadata
#[derive(Args, Debug)]
pub struct ArtifactHubArgs {
    /// When the version was released, in RFC 3339, as in `2026-11-30T00:00:00Z`
    #[arg(long, value_name = "TIME")]
    created_at: Timestamp,

    /// The metadata in YAML
    #[arg(
        short,
        long,
        value_name = "FILE",
        default_value = "policy-metadata.yml"
    )]
    metadata: PathBuf,

    /// Questions of Rancher's form
    #[arg(short, long, value_name = "FILE", default_value = "questions-ui.yml")]
    questions: PathBuf,

    /// Where to write; without it, standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// A point in time in RFC 3339, kept as it was written.
#[derive(Clone, Debug)]
struct Timestamp(String);

impl FromStr for Timestamp {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if is_rfc3339(text) {
            Ok(Self(text.to_owned()))
        } else {
            Err(format!(
                "`{text}` is not a time in RFC 3339; write it as in `2026-11-30T00:00:00Z`"
            ))
        }
    }
}

/// `YYYY-MM-DDTHH:MM:SS[.F](Z|±HH:MM)` with parts in their ranges; the length of months is not looked at.
fn is_rfc3339(text: &str) -> bool {
    let within = |text: &str, digits: usize, range: std::ops::RangeInclusive<u32>| {
        text.len() == digits
            && text.bytes().all(|byte| byte.is_ascii_digit())
            && text.parse().is_ok_and(|number| range.contains(&number))
    };
    let is_clock = |text: &str, seconds: bool| {
        let mut parts = text.split(':');
        let mut next = |range| parts.next().is_some_and(|part| within(part, 2, range));
        let clock = next(0..=23) && next(0..=59) && (!seconds || next(0..=59));
        clock && parts.next().is_none()
    };
    let Some((date, rest)) = text.split_once('T') else {
        return false;
    };
    let mut parts = date.split('-');
    let mut next = |digits, range| parts.next().is_some_and(|part| within(part, digits, range));
    let is_date = next(4, 0..=9999) && next(2, 1..=12) && next(2, 1..=31);
    let (time, zone) = match rest.strip_suffix('Z') {
        Some(time) => (time, true),
        None => match rest.rsplit_once(['+', '-']) {
            Some((time, zone)) => (time, is_clock(zone, false)),
            None => (rest, false),
        },
    };
    let (clock, fraction) = time.split_once('.').unwrap_or((time, "0"));
    let is_fraction = !fraction.is_empty() && fraction.bytes().all(|byte| byte.is_ascii_digit());
    is_date && parts.next().is_none() && zone && is_clock(clock, true) && is_fraction
}

/// Reads the metadata and the questions, writes the package file.
pub fn write(args: &ArtifactHubArgs) -> Result<Verdict, Failure> {
    let metadata = read_metadata(&args.metadata)?;
    let questions = fs::read_to_string(&args.questions)
        .map_err(|error| format!("cannot read `{}`: {error}", args.questions.display()))?;
    let package = Package::of(&metadata, &args.created_at.0, &questions)
        .map_err(|error| format!("`{}`: {error}", args.metadata.display()))?;
    let text = package.to_string();
    match &args.output {
        None => report::print(&text)?,
        Some(path) => {
            fs::write(path, text)
                .map_err(|error| format!("cannot write `{}`: {error}", path.display()))?;
            report::note(&format!("wrote {}", path.display()));
        }
    }
    Ok(Verdict::Decided)
}

#[cfg(test)]
mod tests {
    use super::is_rfc3339;

    #[test]
    fn times_have_every_part() {
        for time in [
            "2026-11-30T00:00:00Z",
            "2024-06-13T21:14:11.314795321Z",
            "2023-01-19T14:46:21+02:00",
            "2023-01-19T14:46:21.5-11:30",
        ] {
            assert!(is_rfc3339(time), "{time}");
        }
        for text in [
            "",
            "2026-11-30",
            "2026-11-30T00:00:00",
            "2026-11-30T00:00Z",
            "2026-13-01T00:00:00Z",
            "2026-11-30T24:00:00Z",
            "2026-11-30T00:00:00.Z",
            "2026-11-30T00:00:00+2",
            "2026-11-30 00:00:00Z",
            "2026-11-30-1T00:00:00Z",
            "+026-11-30T00:00:00Z",
        ] {
            assert!(!is_rfc3339(text), "{text}");
        }
    }
}
