//! From files to admission requests.

mod document;
mod error;
mod item;
mod object;
mod old;
mod place;
mod served;
mod subject;
mod wrap;

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use imagestream_import_mode::ImportMode;

pub use document::Document;
pub use error::InputError;
pub use item::{Item, PassedOver};
pub use object::objects;
pub use place::Place;
pub use subject::{Origin, Subject};

use old::OldObjects;
use wrap::Wrapping;

/// What to decide.
#[derive(Args, Debug)]
pub struct InputArgs {
    /// AdmissionReviews, AdmissionRequests, manifests or Lists in JSON or YAML; `-` is standard input
    #[arg(value_name = "FILE", default_value = "-")]
    files: Vec<PathBuf>,

    /// Stored objects: manifests of the same kind and name become an UPDATE of these
    #[arg(long, value_name = "FILE")]
    old: Option<PathBuf>,

    /// Add to manifests what openshift-apiserver adds before a webhook sees them; MODE is the mode it fills in
    #[arg(long, value_name = "MODE", num_args = 0..=1, require_equals = true, default_missing_value = "Legacy")]
    served: Option<ServedMode>,

    /// Namespace of manifests that name none
    #[arg(short, long)]
    namespace: Option<String>,
}

/// The mode that openshift-apiserver fills in where there is none.
#[derive(Clone, Copy, Debug, ValueEnum)]
#[value(rename_all = "PascalCase")]
enum ServedMode {
    /// The default of every release
    Legacy,
    /// Where `imagePolicyConfig.imageStreamImportMode` of openshift-apiserver says so
    PreserveOriginal,
}

impl InputArgs {
    /// Reads everything before anything is decided.
    ///
    /// # Errors
    ///
    /// At the first document that cannot be used.
    pub fn read(&self) -> Result<Vec<Item>, InputError> {
        let old = match &self.old {
            Some(path) => OldObjects::read(path)?,
            None => OldObjects::default(),
        };
        let wrapping = Wrapping {
            old,
            served: self.served.map(|mode| match mode {
                ServedMode::Legacy => ImportMode::Legacy,
                ServedMode::PreserveOriginal => ImportMode::PreserveOriginal,
            }),
            namespace: self.namespace.clone(),
        };
        let mut items = Vec::new();
        for file in &self.files {
            for document in Document::read(file)? {
                items.extend(item::items(&document, &wrapping)?);
            }
        }
        wrapping.old.check_all_used()?;
        Ok(items)
    }
}
