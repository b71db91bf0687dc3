//! From the command line to the last answer.

use kube::Client;
use kube::config::{Config as ClientConfig, KubeConfigOptions, Kubeconfig};
use tokio::signal::unix::{SignalKind, signal};

use crate::args::ServeArgs;
use crate::config::Config;
use crate::error::ServeError;
use crate::logs;
use crate::server::Service;

/// Serves until SIGTERM or SIGINT; a second signal ends the process at once.
///
/// # Errors
///
/// The service cannot start, or a part of it ended by itself.
pub fn run(args: &ServeArgs) -> Result<(), ServeError> {
    logs::start(args);
    let config = Config::from_args(args)?;
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(ServeError::System)?
        .block_on(serve(args, config))
}

async fn serve(args: &ServeArgs, config: Config) -> Result<(), ServeError> {
    let mut terminate = signal(SignalKind::terminate()).map_err(ServeError::System)?;
    let mut interrupt = signal(SignalKind::interrupt()).map_err(ServeError::System)?;
    let client = connect(args).await?;
    let mut service = Service::start(config, client).await?;
    tokio::select! {
        error = service.failed() => return Err(error),
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    tokio::select! {
        _ = service.stop() => {}
        _ = terminate.recv() => tracing::warn!("a second signal, ending at once"),
        _ = interrupt.recv() => tracing::warn!("a second signal, ending at once"),
    }
    Ok(())
}

async fn connect(args: &ServeArgs) -> Result<Client, ServeError> {
    let unusable = |error: &dyn std::fmt::Display| ServeError::Kubeconfig(error.to_string());
    let options = KubeConfigOptions {
        context: args.context.clone(),
        ..KubeConfigOptions::default()
    };
    let config = match (&args.kubeconfig, &args.context) {
        (Some(file), _) => {
            let kubeconfig = Kubeconfig::read_from(file).map_err(|error| unusable(&error))?;
            ClientConfig::from_custom_kubeconfig(kubeconfig, &options)
                .await
                .map_err(|error| unusable(&error))?
        }
        (None, Some(_)) => ClientConfig::from_kubeconfig(&options)
            .await
            .map_err(|error| unusable(&error))?,
        (None, None) => ClientConfig::infer()
            .await
            .map_err(|error| unusable(&error))?,
    };
    Client::try_from(config).map_err(|error| unusable(&error))
}
