//! Why the service cannot run.

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use crate::config::ConfigError;

/// Why the service did not start, or ended by itself.
#[derive(Debug)]
pub enum ServeError {
    /// The settings contradict each other.
    Config(ConfigError),
    /// The kubeconfig or the service account of the pod cannot be used.
    Kubeconfig(String),
    /// A certificate or key cannot be used.
    Tls {
        /// The file.
        file: PathBuf,
        /// What is wrong.
        source: io::Error,
    },
    /// The address cannot be listened on.
    Listen {
        /// The address.
        address: SocketAddr,
        /// What is wrong.
        source: io::Error,
    },
    /// The process lacks what it needs: threads, signals.
    System(io::Error),
    /// A part of the service ended before it was told to.
    Ended(&'static str),
}

impl ServeError {
    pub(crate) fn tls(file: &Path, source: io::Error) -> Self {
        let file = file.to_owned();
        Self::Tls { file, source }
    }
}

impl fmt::Display for ServeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Config(error) => error.fmt(f),
            Self::Kubeconfig(reason) => write!(
                f,
                "no way to the cluster: {reason}; --kubeconfig and --context name one, `oc config get-contexts` lists what there is"
            ),
            Self::Tls { file, source } => {
                write!(f, "certificate or key `{}`: {source}", file.display())
            }
            Self::Listen { address, source } => {
                write!(f, "cannot listen on `{address}`: {source}")
            }
            Self::System(source) => write!(f, "cannot start: {source}"),
            Self::Ended(part) => write!(f, "the {part} ended unexpectedly"),
        }
    }
}

impl std::error::Error for ServeError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Config(error) => Some(error),
            Self::Tls { source, .. } | Self::Listen { source, .. } | Self::System(source) => {
                Some(source)
            }
            Self::Kubeconfig(_) | Self::Ended(_) => None,
        }
    }
}

impl From<ConfigError> for ServeError {
    fn from(error: ConfigError) -> Self {
        Self::Config(error)
    }
}
