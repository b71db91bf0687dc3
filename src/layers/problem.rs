//! Stored data that contradicts itself.

use std::fmt;

use serde::Serialize;

/// Something in a stored Image that cannot be right, and was left out of the answer.
///
/// A deliberate difference: openshift-apiserver answers 422 for the whole stream (reference 5.5).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(tag = "problem", rename_all = "camelCase")]
pub enum Problem {
    /// An image of Docker schema 2 or OCI whose metadata has no `Id`, or an empty one: its config is
    /// null.
    EmptyConfig,
    /// `dockerImageMetadata` cannot be decoded: config and platform are unknown.
    UnreadableMetadata {
        /// What the decoder says.
        reason: String,
    },
    /// A layer without a name.
    EmptyLayer {
        /// Its place in `dockerImageLayers`, counted from 0.
        position: usize,
    },
    /// A child without a digest.
    EmptyManifest {
        /// Its place in `dockerImageManifests`, counted from 0.
        position: usize,
    },
    /// An image with children has layers or a config too: those are left out.
    MixedList,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::EmptyConfig => f.write_str("dockerImageMetadata.Id is empty"),
            Self::UnreadableMetadata { reason } => {
                write!(f, "dockerImageMetadata cannot be decoded: {reason}")
            }
            Self::EmptyLayer { position } => {
                write!(f, "dockerImageLayers[{position}].name is empty")
            }
            Self::EmptyManifest { position } => {
                write!(f, "dockerImageManifests[{position}].digest is empty")
            }
            Self::MixedList => f.write_str("a manifest list has layers or a config of its own"),
        }
    }
}

/// A [`Problem`] and the Image that has it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct ImageProblem {
    /// The name of the Image.
    pub image: String,
    /// What is wrong with it.
    #[serde(flatten)]
    pub problem: Problem,
}

impl fmt::Display for ImageProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Image `{}`: {}", self.image, self.problem)
    }
}
