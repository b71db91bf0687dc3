//! The command line of `serve`; every flag has an environment variable.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Answer `imagestreams/layers` over HTTP from a cached list and watch of a cluster
///
/// GET /apis/image.openshift.io/v1/namespaces/{namespace}/imagestreams/{name}/layers is answered as
/// openshift-apiserver does; /healthz, /readyz and /metrics are open to everyone. Runs until SIGTERM or
/// SIGINT.
#[derive(Args, Clone, Debug)]
pub struct ServeArgs {
    /// Address and port to listen on [default: 127.0.0.1:8443, with TLS and reviews `[::]:8443`]
    #[arg(long, env = "LAYERS_LISTEN", value_name = "ADDRESS:PORT")]
    pub listen: Option<SocketAddr>,

    /// Certificate chain in PEM; read again when it changes
    #[arg(long, env = "LAYERS_TLS_CERT", value_name = "FILE")]
    pub tls_cert: Option<PathBuf>,

    /// Private key of the certificate in PEM
    #[arg(long, env = "LAYERS_TLS_KEY", value_name = "FILE")]
    pub tls_key: Option<PathBuf>,

    /// Listen beyond loopback without TLS: tokens are readable on the way
    #[arg(long, env = "LAYERS_PLAIN_HTTP")]
    pub plain_http: bool,

    /// Who may ask
    #[arg(
        long,
        env = "LAYERS_AUTHORIZATION",
        value_name = "MODE",
        value_enum,
        default_value_t = AuthorizationMode::Reviews
    )]
    pub authorization: AuthorizationMode,

    /// Audience that a token must be for [default: the API server's]; may be repeated
    #[arg(
        long,
        env = "LAYERS_AUDIENCE",
        value_name = "NAME",
        value_delimiter = ','
    )]
    pub audience: Vec<String>,

    /// Seconds that the outcome of a review holds: a withdrawn right works for as long
    #[arg(
        long,
        env = "LAYERS_REVIEW_CACHE_SECONDS",
        value_name = "SECONDS",
        default_value_t = 10,
        value_parser = clap::value_parser!(u16).range(1..=300)
    )]
    pub review_cache_seconds: u16,

    /// Kubeconfig to use [default: KUBECONFIG, ~/.kube/config, then the service account of the pod]
    #[arg(long, value_name = "FILE")]
    pub kubeconfig: Option<PathBuf>,

    /// Context of the kubeconfig to use
    #[arg(long, env = "LAYERS_CONTEXT", value_name = "NAME")]
    pub context: Option<String>,

    /// Objects to ask for on one page of a list
    #[arg(
        long,
        env = "LAYERS_PAGE_SIZE",
        value_name = "OBJECTS",
        default_value_t = 500,
        value_parser = clap::value_parser!(u32).range(1..=100_000)
    )]
    pub page_size: u32,

    /// Seconds that one page of a list may take
    #[arg(
        long,
        env = "LAYERS_LIST_SECONDS",
        value_name = "SECONDS",
        default_value_t = 120,
        value_parser = clap::value_parser!(u16).range(1..=3600)
    )]
    pub list_seconds: u16,

    /// Seconds that one watch lasts before the next takes over
    #[arg(
        long,
        env = "LAYERS_WATCH_SECONDS",
        value_name = "SECONDS",
        default_value_t = 240,
        value_parser = clap::value_parser!(u16).range(5..=3600)
    )]
    pub watch_seconds: u16,

    /// Memory for finished answers in MiB; 0 builds each answer anew
    #[arg(
        long,
        env = "LAYERS_ANSWER_CACHE_MIB",
        value_name = "MIB",
        default_value_t = 64,
        value_parser = clap::value_parser!(u16)
    )]
    pub answer_cache_mib: u16,

    /// Seconds between the signal and the end of new connections, for balancers to take notice
    #[arg(
        long,
        env = "LAYERS_SHUTDOWN_DELAY_SECONDS",
        value_name = "SECONDS",
        default_value_t = 3
    )]
    pub shutdown_delay_seconds: u16,

    /// Seconds that requests in progress get to finish after that
    #[arg(
        long,
        env = "LAYERS_DRAIN_SECONDS",
        value_name = "SECONDS",
        default_value_t = 20
    )]
    pub drain_seconds: u16,

    /// The least severe messages to log
    #[arg(
        long,
        env = "LAYERS_LOG_LEVEL",
        value_name = "LEVEL",
        value_parser = ["error", "warn", "info", "debug", "trace"],
        default_value = "info"
    )]
    pub log_level: String,

    /// How to write the log, which goes to standard error
    #[arg(
        long,
        env = "LAYERS_LOG_FORMAT",
        value_name = "FORMAT",
        value_enum,
        default_value_t = LogFormat::Text
    )]
    pub log_format: LogFormat,
}

/// Who may ask for layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum AuthorizationMode {
    /// Bearer tokens that the cluster knows, with the right to `get imagestreams/layers` of the stream
    Reviews,
    /// Everyone who reaches the port; listens on loopback only
    None,
}

/// How the log is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// One line of text for each message
    Text,
    /// One JSON object for each message
    Json,
}
