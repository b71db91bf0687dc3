//! The certificate, and the one that follows it.

use std::time::Duration;

use axum_server::tls_rustls::RustlsConfig;

use crate::config::TlsFiles;
use crate::error::ServeError;

/// How often the files are looked at: the service CA of OpenShift renews them while the service runs.
const LOOK: Duration = Duration::from_secs(60);

/// The files as they are now.
pub(crate) async fn load(files: &TlsFiles) -> Result<RustlsConfig, ServeError> {
    // All of the process uses one provider; a second call finds the first one's.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let Content { certificate, key } = read(files).await?;
    RustlsConfig::from_pem(certificate, key)
        .await
        .map_err(|error| ServeError::tls(&files.certificate, error))
}

#[derive(PartialEq, Eq)]
struct Content {
    certificate: Vec<u8>,
    key: Vec<u8>,
}

async fn read(files: &TlsFiles) -> Result<Content, ServeError> {
    let certificate = tokio::fs::read(&files.certificate)
        .await
        .map_err(|error| ServeError::tls(&files.certificate, error))?;
    let key = tokio::fs::read(&files.key)
        .await
        .map_err(|error| ServeError::tls(&files.key, error))?;
    Ok(Content { certificate, key })
}

/// Takes over changed files until it is dropped.
pub(crate) async fn follow(files: TlsFiles, config: RustlsConfig) {
    let mut known = read(&files).await.ok();
    loop {
        tokio::time::sleep(LOOK).await;
        match renew(&files, &config, &mut known).await {
            Ok(true) => tracing::info!("took over a new certificate"),
            Ok(false) => {}
            Err(error) => tracing::warn!(%error, "keeping the certificate"),
        }
    }
}

/// Takes over the files if they changed; a pair that does not fit, as between two writes, is left alone.
async fn renew(
    files: &TlsFiles,
    config: &RustlsConfig,
    known: &mut Option<Content>,
) -> Result<bool, ServeError> {
    let content = read(files).await?;
    if known.as_ref() == Some(&content) {
        return Ok(false);
    }
    config
        .reload_from_pem(content.certificate.clone(), content.key.clone())
        .await
        .map_err(|error| ServeError::tls(&files.certificate, error))?;
    *known = Some(content);
    Ok(true)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[tokio::test]
    async fn a_new_pair_is_taken_over_and_half_of_one_is_not() {
        let folder = std::env::temp_dir().join(format!("layers-renew-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let files = TlsFiles {
            certificate: folder.join("tls.crt"),
            key: folder.join("tls.key"),
        };
        let write = |certificate: &str, key: &str| {
            std::fs::write(&files.certificate, certificate).unwrap();
            std::fs::write(&files.key, key).unwrap();
        };
        let [old, new] = ["old.test", "new.test"].map(|name| {
            let made = rcgen::generate_simple_self_signed([name.to_owned()]).unwrap();
            (made.cert.pem(), made.signing_key.serialize_pem())
        });
        write(&old.0, &old.1);
        let config = load(&files).await.unwrap();
        let mut known = read(&files).await.ok();
        let first = config.get_inner();

        assert!(!renew(&files, &config, &mut known).await.unwrap());
        write(&new.0, &old.1);
        renew(&files, &config, &mut known).await.unwrap_err();
        assert!(Arc::ptr_eq(&first, &config.get_inner()));
        write(&new.0, &new.1);
        assert!(renew(&files, &config, &mut known).await.unwrap());
        assert!(!Arc::ptr_eq(&first, &config.get_inner()));
        assert!(!renew(&files, &config, &mut known).await.unwrap());
        std::fs::remove_dir_all(folder).unwrap();
    }
}
