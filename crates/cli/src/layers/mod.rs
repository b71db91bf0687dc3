//! `layers`: the answer of the subresource, from dumps.

mod dump;
mod footprint;
mod table;

use std::path::PathBuf;

use clap::Args;
use imagestream_import_mode::layers::{Found, ImageLayerIndex, ImageStream};

use crate::{Failure, Verdict, report};

use dump::{Dumps, Strictness};

pub use footprint::{FootprintArgs, footprint};

/// Print which blobs and images a stream references, as `imagestreams/layers` answers
///
/// Reads dumps of `oc get imagestream NAME -o json` and `oc get images -o json`. The answer is exact:
/// the first object that cannot be used is an error.
#[derive(Args, Debug)]
#[command(override_usage = "imagestream-import-mode layers <STREAM> --images <FILE|DIR>...")]
pub struct LayersArgs {
    /// The ImageStream; `-` is standard input
    #[arg(value_name = "STREAM")]
    stream: PathBuf,

    /// Dumps of Images: objects and Lists in JSON or YAML, or folders of a must-gather
    #[arg(long, value_name = "FILE|DIR", required = true, num_args = 1..)]
    images: Vec<PathBuf>,
}

/// # Errors
///
/// Input that cannot be read, or not exactly one stream.
pub fn layers(args: &LayersArgs) -> Result<Verdict, Failure> {
    let mut streams: Vec<ImageStream> = Vec::new();
    Dumps::find(std::slice::from_ref(&args.stream))?.read(Strictness::Exact, |found| {
        if let Found::ImageStream(stream) = found {
            streams.push(stream);
        }
        Ok(())
    })?;
    let file = args.stream.display();
    let stream = match streams.as_slice() {
        [stream] => stream,
        [] => {
            return Err(format!(
                "`{file}` holds no ImageStream; `oc get imagestream NAME -o json` prints one"
            )
            .into());
        }
        streams => {
            let count = streams.len();
            return Err(format!(
                "`{file}` holds {count} ImageStreams, but one is asked for; `footprint` takes many"
            )
            .into());
        }
    };
    let mut index = ImageLayerIndex::new();
    Dumps::find(&args.images)?.read(Strictness::Exact, |found| {
        if let Found::Image(image) = found {
            index.apply(image);
        }
        Ok(())
    })?;
    let answer = index.image_stream_layers(stream);
    for problem in answer.problems() {
        let label = report::paint(report::WARNING, "warning:");
        report::note(&format!("{label} {}", report::shown(&problem.to_string())));
    }
    report::print(&format!("{}\n", answer.to_json()?))?;
    Ok(Verdict::Decided)
}
