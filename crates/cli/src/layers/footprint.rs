//! `footprint`: what streams store, and what each mode costs, from dumps.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use imagestream_import_mode::cluster::resolve;
use imagestream_import_mode::layers::footprint::{Footprint, FootprintOptions};
use imagestream_import_mode::layers::{Found, ImageLayerIndex, ImageStream};
use imagestream_import_mode::{ImportMode, Settings};

use super::dump::{Dumps, LeftOut, Strictness};
use super::table;
use crate::cluster::{ClusterArgs, CoreReader};
use crate::settings_source::SettingsArgs;
use crate::{Failure, Verdict, report};

/// Most faults that are named one by one.
const NAMED_FAULTS: usize = 10;

/// Report what image streams store, what each import mode costs, and which tags hold one platform
///
/// Reads dumps of `oc get imagestreams -A -o json` and `oc get images -o json`, or a must-gather. Objects
/// that cannot be used are left out and counted. Sizes are those of compressed layers.
#[derive(Args, Debug)]
pub struct FootprintArgs {
    /// Dumps of ImageStreams and Images in JSON or YAML, in any order; folders are searched; `-` is
    /// standard input
    #[arg(value_name = "FILE|DIR", required = true)]
    dumps: Vec<PathBuf>,

    #[command(flatten)]
    settings: SettingsArgs,

    #[command(flatten)]
    cluster: ClusterArgs,

    /// The platform that Legacy keeps of a list: that of openshift-apiserver
    #[arg(long, value_name = "OS/ARCH", default_value = "linux/amd64", value_parser = platform)]
    legacy_platform: (String, String),

    /// How to print
    #[arg(short, long, value_enum, default_value_t)]
    output: Output,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Output {
    /// Columns for people
    #[default]
    Table,
    /// The whole report, documented at `Footprint` in the library
    Json,
}

fn platform(text: &str) -> Result<(String, String), String> {
    match text.split_once('/') {
        Some((os, architecture)) if !os.is_empty() && !architecture.is_empty() => {
            Ok((os.to_owned(), architecture.to_owned()))
        }
        _ => Err("write OS/ARCH, as in linux/arm64".to_owned()),
    }
}

/// # Errors
///
/// Files that cannot be opened, settings with faults, dumps without a single stream.
pub fn footprint(args: &FootprintArgs) -> Result<Verdict, Failure> {
    let cluster_mode = cluster_mode(args)?;
    let mut index = ImageLayerIndex::new();
    let mut streams: Vec<ImageStream> = Vec::new();
    let left_out = Dumps::find(&args.dumps)?.read(Strictness::Report, |found| {
        match found {
            Found::Image(image) => {
                index.apply(image);
            }
            Found::ImageStream(stream) => streams.push(stream),
            Found::Other { .. } | Found::Faulty(_) => {}
        }
        Ok(())
    })?;
    note(&left_out);
    if streams.is_empty() {
        return Err("the dumps hold no ImageStream; add `oc get imagestreams -A -o json`".into());
    }
    let (os, architecture) = args.legacy_platform.clone();
    let options = FootprintOptions {
        cluster_mode,
        os,
        architecture,
    };
    let footprint = Footprint::measure(&index, &streams, &options);
    let text = match args.output {
        Output::Table => table::render(&footprint),
        Output::Json => format!("{}\n", serde_json::to_string_pretty(&footprint)?),
    };
    report::print(&text)?;
    Ok(Verdict::Decided)
}

/// The mode that the cluster wants; none if nobody was asked, or who was asked could not say.
fn cluster_mode(args: &FootprintArgs) -> Result<Option<ImportMode>, Failure> {
    let settings = args.settings.read()?.to_string();
    let settings = Settings::parse(settings.as_bytes())?;
    let source = args.cluster.open()?;
    if settings.stated_mode().is_none() && !source.given {
        return Ok(None);
    }
    let reader = CoreReader::new(source.cluster.as_ref());
    match resolve(&settings, &reader) {
        Ok(cluster) => Ok(Some(cluster.mode)),
        Err(unreadable) => {
            let label = report::paint(report::WARNING, "warning:");
            let resource = report::shown(&unreadable.resource);
            report::note(&format!(
                "{label} cluster mode unknown: no answer for {resource}"
            ));
            Ok(None)
        }
    }
}

fn note(left_out: &LeftOut) {
    let label = report::paint(report::WARNING, "warning:");
    for fault in left_out.faults.iter().take(NAMED_FAULTS) {
        report::note(&format!("{label} left out: {}", report::shown_whole(fault)));
    }
    if !left_out.faults.is_empty() {
        let faults = report::count(left_out.faults.len(), "fault");
        report::note(&format!(
            "{label} {faults}: the sums lack what was left out"
        ));
    }
    if left_out.others > 0 {
        let others = report::count(left_out.others, "object");
        report::note(&format!("{others} of other kinds passed over"));
    }
}
