//! What the service is to do, checked as a whole.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use crate::args::{AuthorizationMode, ServeArgs};

const PORT: u16 = 8443;

/// A certificate and its key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TlsFiles {
    /// The certificate chain in PEM.
    pub certificate: PathBuf,
    /// The private key in PEM.
    pub key: PathBuf,
}

/// Who may ask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Authorization {
    /// Whoever the cluster knows and allows to `get imagestreams/layers`.
    Reviews {
        /// Audiences of which a token must have one; the API server's own if there are none.
        audiences: Vec<String>,
        /// How long an outcome holds.
        cache: Duration,
        /// How long one review may take.
        timeout: Duration,
    },
    /// Everyone who reaches the port, which is a loopback one.
    None,
}

/// kube-apiserver sends a bookmark every minute (`bookmarkFrequency` of its cacher).
const SILENCE: Duration = Duration::from_secs(90);

/// How the cluster is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeedOptions {
    /// Objects on one page of a list.
    pub page_size: u32,
    /// How long one page may take.
    pub list_timeout: Duration,
    /// How long one watch lasts; a whole number of seconds.
    pub watch: Duration,
    /// How long a watch may tell nothing, no bookmark either, before another takes over.
    pub silence: Duration,
    /// The shortest and longest pause between attempts.
    pub backoff: (Duration, Duration),
}

/// A configuration that [`Service::start`](crate::Service::start) can carry out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// Where to listen.
    pub listen: SocketAddr,
    /// TLS, or plain HTTP.
    pub tls: Option<TlsFiles>,
    /// Whether plain HTTP may be served beyond loopback.
    pub plain_http: bool,
    /// Who may ask.
    pub authorization: Authorization,
    /// How the cluster is read.
    pub feed: FeedOptions,
    /// Bytes for finished answers.
    pub answer_cache: u64,
    /// From the signal to the end of new connections.
    pub shutdown_delay: Duration,
    /// From there to the end of the process, at most.
    pub drain: Duration,
}

/// Settings that contradict each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConfigError {
    /// A certificate without a key, or a key without a certificate.
    HalfTls,
    /// Without authorisation, anyone on the network could ask.
    OpenWithoutAuthorization(SocketAddr),
    /// Without TLS, tokens could be read on the network.
    OpenWithoutTls(SocketAddr),
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::HalfTls => f.write_str("--tls-cert and --tls-key go together"),
            Self::OpenWithoutAuthorization(address) => write!(
                f,
                "without authorisation only loopback addresses can be served, not `{address}`"
            ),
            Self::OpenWithoutTls(address) => write!(
                f,
                "without TLS only loopback addresses can be served, not `{address}`; --plain-http lifts that"
            ),
        }
    }
}

impl std::error::Error for ConfigError {}

impl Config {
    /// The configuration that the command line asks for.
    ///
    /// # Errors
    ///
    /// The settings contradict each other.
    pub fn from_args(args: &ServeArgs) -> Result<Self, ConfigError> {
        let tls = match (args.tls_cert.clone(), args.tls_key.clone()) {
            (Some(certificate), Some(key)) => Some(TlsFiles { certificate, key }),
            (None, None) => None,
            _ => return Err(ConfigError::HalfTls),
        };
        let authorization = match args.authorization {
            AuthorizationMode::Reviews => Authorization::Reviews {
                audiences: args.audience.clone(),
                cache: seconds(args.review_cache_seconds),
                timeout: Duration::from_secs(10),
            },
            AuthorizationMode::None => Authorization::None,
        };
        let open = authorization != Authorization::None && (tls.is_some() || args.plain_http);
        let config = Self {
            listen: args.listen.unwrap_or_else(|| default_address(open)),
            tls,
            plain_http: args.plain_http,
            authorization,
            feed: FeedOptions {
                page_size: args.page_size,
                list_timeout: seconds(args.list_seconds),
                watch: seconds(args.watch_seconds),
                silence: SILENCE,
                backoff: (Duration::from_millis(200), Duration::from_secs(30)),
            },
            answer_cache: u64::from(args.answer_cache_mib) << 20,
            shutdown_delay: seconds(args.shutdown_delay_seconds),
            drain: seconds(args.drain_seconds),
        };
        config.check()?;
        Ok(config)
    }

    /// Refuses an address that more people could reach than may.
    pub(crate) fn check(&self) -> Result<(), ConfigError> {
        if self.listen.ip().to_canonical().is_loopback() {
            return Ok(());
        }
        if self.authorization == Authorization::None {
            return Err(ConfigError::OpenWithoutAuthorization(self.listen));
        }
        if self.tls.is_none() && !self.plain_http {
            return Err(ConfigError::OpenWithoutTls(self.listen));
        }
        Ok(())
    }
}

fn seconds(number: u16) -> Duration {
    Duration::from_secs(number.into())
}

fn default_address(open: bool) -> SocketAddr {
    let address = if open {
        IpAddr::V6(Ipv6Addr::UNSPECIFIED)
    } else {
        IpAddr::V4(Ipv4Addr::LOCALHOST)
    };
    SocketAddr::new(address, PORT)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        args: ServeArgs,
    }

    fn config(arguments: &[&str]) -> Result<Config, String> {
        let arguments = [&["serve"], arguments].concat();
        let args = Command::try_parse_from(arguments).unwrap().args;
        Config::from_args(&args).map_err(|error| error.to_string())
    }

    fn address(arguments: &[&str]) -> String {
        config(arguments).unwrap().listen.to_string()
    }

    const TLS: [&str; 4] = ["--tls-cert", "c", "--tls-key", "k"];
    const OPEN: [&str; 2] = ["--authorization", "none"];

    #[test]
    fn only_tls_with_reviews_opens_the_port_to_the_network_by_default() {
        assert_eq!(address(&[]), "127.0.0.1:8443");
        assert_eq!(address(&OPEN), "127.0.0.1:8443");
        assert_eq!(address(&TLS), "[::]:8443");
        assert_eq!(address(&["--plain-http"]), "[::]:8443");
        assert_eq!(address(&[&TLS[..], &OPEN].concat()), "127.0.0.1:8443");
    }

    #[test]
    fn an_address_that_too_many_reach_is_refused() {
        for listen in [
            "0.0.0.0:80",
            "[::]:80",
            "192.0.2.1:80",
            "[::ffff:192.0.2.1]:80",
        ] {
            let listen_at = ["--listen", listen];
            assert_eq!(
                config(&[&OPEN[..], &TLS, &listen_at, &["--plain-http"]].concat()),
                Err(format!(
                    "without authorisation only loopback addresses can be served, not `{listen}`"
                ))
            );
            assert_eq!(
                config(&listen_at),
                Err(format!(
                    "without TLS only loopback addresses can be served, not `{listen}`; --plain-http lifts that"
                ))
            );
            assert_eq!(address(&[&TLS[..], &listen_at].concat()), listen);
        }
        for listen in ["127.0.0.9:80", "[::1]:80", "[::ffff:127.0.0.1]:80"] {
            assert_eq!(
                address(&[&OPEN[..], &["--listen", listen]].concat()),
                listen
            );
        }
    }

    #[test]
    fn a_certificate_needs_its_key() {
        let half = Err("--tls-cert and --tls-key go together".to_owned());
        assert_eq!(config(&["--tls-cert", "c"]), half);
        assert_eq!(config(&["--tls-key", "k"]), half);
    }
}
