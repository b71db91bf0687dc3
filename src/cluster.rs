//! What the policy asks the cluster, and the mode that the cluster wants for new tags.

use std::fmt;

use crate::import_mode::ImportMode;
use crate::json::Json;
use crate::settings::Settings;
use crate::text::find;

/// Reads single objects of the cluster; each runtime brings its own.
pub trait ClusterReader {
    /// The object as JSON text.
    ///
    /// # Errors
    ///
    /// [`ReadError::NotFound`] only if the cluster answered that there is no such object.
    fn get_resource(&self, resource: &ResourceRef<'_>) -> Result<String, ReadError>;
}

/// One object to read; displayed as `apiVersion/Kind[/namespace]/name`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResourceRef<'a> {
    /// Group and version, as in `config.openshift.io/v1`.
    pub api_version: &'a str,
    /// Singular kind, as in `ClusterVersion`.
    pub kind: &'a str,
    /// None for cluster-scoped objects.
    pub namespace: Option<&'a str>,
    /// Name of the object.
    pub name: &'a str,
    /// Dot paths of the only fields that are used; a reader may answer with more.
    pub field_masks: &'static [&'static str],
    /// Whether an answer from a cache would be wrong.
    pub disable_cache: bool,
}

impl fmt::Display for ResourceRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/", self.api_version, self.kind)?;
        if let Some(namespace) = self.namespace {
            write!(f, "{namespace}/")?;
        }
        f.write_str(self.name)
    }
}

/// Why an object could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadError {
    /// There is no such object.
    NotFound,
    /// The read was refused or failed; the text is for a log, never for a user.
    Failed(String),
}

impl ReadError {
    /// Reads the text of a failed Kubewarden host call.
    ///
    /// The host has no error codes; `Cannot find … named …` is its text for an object that does not
    /// exist, while `Cannot find resource …` speaks of a missing kind (`callback_handler/kubernetes`
    /// of kubewarden/adm-controller). Only the first line counts: a backtrace may follow.
    #[must_use]
    pub fn from_host_text(text: &str) -> Self {
        let line = text.lines().next().unwrap_or_default();
        let not_found = find(line, "Cannot find ")
            .and_then(|at| line.get(at..))
            .is_some_and(|rest| find(rest, " named ").is_some());
        if not_found {
            Self::NotFound
        } else {
            Self::Failed(line.to_owned())
        }
    }
}

/// The cluster-wide image settings of OpenShift.
pub const IMAGE_CONFIG: ResourceRef<'static> = ResourceRef {
    api_version: "config.openshift.io/v1",
    kind: "Image",
    namespace: None,
    name: "cluster",
    field_masks: &["spec.imageStreamImportMode", "status.imageStreamImportMode"],
    disable_cache: false,
};

/// The release that the cluster runs or moves to.
pub const CLUSTER_VERSION: ResourceRef<'static> = ResourceRef {
    api_version: "config.openshift.io/v1",
    kind: "ClusterVersion",
    namespace: None,
    name: "version",
    field_masks: &["status.desired.architecture", "status.conditions"],
    disable_cache: false,
};

/// The stream that an `ImageStreamImport` writes to.
#[must_use]
pub const fn image_stream<'a>(namespace: &'a str, name: &'a str) -> ResourceRef<'a> {
    ResourceRef {
        api_version: "image.openshift.io/v1",
        kind: "ImageStream",
        namespace: Some(namespace),
        name,
        field_masks: &["spec.tags"],
        disable_cache: true,
    }
}

/// Who says which mode new tags get.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ModeSource {
    /// The policy's settings.
    Settings,
    /// `spec.imageStreamImportMode` of the image config.
    ImageConfig,
    /// `status.desired.architecture` of the `ClusterVersion`.
    ClusterVersion,
    /// The `ReleaseAccepted` condition of the `ClusterVersion`.
    ReleaseAccepted,
    /// `status.imageStreamImportMode` of the image config.
    ImageConfigStatus,
    /// Nobody: the `ClusterVersion` exists and says nothing.
    Assumed,
    /// The tag's mode of today was kept.
    Existing,
}

impl ModeSource {
    /// Every source, in the order of audit annotations.
    pub const ALL: [Self; 7] = [
        Self::Settings,
        Self::ImageConfig,
        Self::ClusterVersion,
        Self::ReleaseAccepted,
        Self::ImageConfigStatus,
        Self::Assumed,
        Self::Existing,
    ];

    /// The name used in audit annotations.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Settings => "settings",
            Self::ImageConfig => "image-config",
            Self::ClusterVersion => "cluster-version",
            Self::ReleaseAccepted => "release-accepted",
            Self::ImageConfigStatus => "image-config-status",
            Self::Assumed => "assumed",
            Self::Existing => "existing",
        }
    }
}

/// The mode that new tags get, and who says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClusterMode {
    /// The mode.
    pub mode: ImportMode,
    /// Its source.
    pub source: ModeSource,
}

impl ClusterMode {
    /// Whether somebody states Legacy; an assumed Legacy is not stated.
    #[must_use]
    pub fn states_legacy(self) -> bool {
        self.mode == ImportMode::Legacy && self.source != ModeSource::Assumed
    }
}

/// A read that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// What was to be read, as [`ResourceRef`] is displayed.
    pub resource: String,
    /// Why it was not.
    pub error: ReadError,
}

/// The mode that new tags get: first answer wins of settings, image config, `ClusterVersion`, and only
/// then an assumption.
///
/// # Errors
///
/// The read that failed, or the `ClusterVersion` that does not exist: the mode is unknown then.
pub fn resolve(
    settings: &Settings,
    cluster: &dyn ClusterReader,
) -> Result<ClusterMode, Unreadable> {
    if let Some(mode) = settings.stated_mode() {
        return Ok(ClusterMode {
            mode,
            source: ModeSource::Settings,
        });
    }
    let image_config = match read_object(cluster, &IMAGE_CONFIG) {
        Ok(text) => text,
        Err(ReadError::NotFound) => "{}".to_owned(),
        Err(error) => return Err(unreadable(&IMAGE_CONFIG, error)),
    };
    if let Some(mode) = configured_mode(&image_config, "spec") {
        return Ok(ClusterMode {
            mode,
            source: ModeSource::ImageConfig,
        });
    }
    let version = read_object(cluster, &CLUSTER_VERSION)
        .map_err(|error| unreadable(&CLUSTER_VERSION, error))?;
    Ok(payload_mode(&version).unwrap_or_else(|| {
        let preserves =
            configured_mode(&image_config, "status") == Some(ImportMode::PreserveOriginal);
        if preserves {
            ClusterMode {
                mode: ImportMode::PreserveOriginal,
                source: ModeSource::ImageConfigStatus,
            }
        } else {
            ClusterMode {
                mode: ImportMode::Legacy,
                source: ModeSource::Assumed,
            }
        }
    }))
}

fn unreadable(resource: &ResourceRef<'_>, error: ReadError) -> Unreadable {
    Unreadable {
        resource: resource.to_string(),
        error,
    }
}

/// Reads an object; a reply that is none is a failure.
pub(crate) fn read_object(
    cluster: &dyn ClusterReader,
    resource: &ResourceRef<'_>,
) -> Result<String, ReadError> {
    let reply = cluster.get_resource(resource)?;
    if Json::parse(reply.as_bytes()).is_ok_and(Json::is_object) {
        Ok(reply)
    } else {
        Err(ReadError::Failed("the reply is not a JSON object".into()))
    }
}

fn configured_mode(image_config: &str, part: &str) -> Option<ImportMode> {
    let mode = Json::parse(image_config.as_bytes())
        .ok()?
        .get(part)?
        .get("imageStreamImportMode")?;
    ImportMode::of(mode)
}

/// What the `ClusterVersion` says of the payload's architecture.
///
/// The condition counts because the CRDs of 4.18 to 4.20 prune `status.desired.architecture`
/// (cluster-version-operator PR 1269).
fn payload_mode(version: &str) -> Option<ClusterMode> {
    let status = Json::parse(version.as_bytes()).ok()?.get("status")?;
    let desired = status
        .get("desired")
        .and_then(|desired| desired.get("architecture"));
    if desired.is_some_and(|architecture| architecture.is_str("Multi")) {
        return Some(ClusterMode {
            mode: ImportMode::PreserveOriginal,
            source: ModeSource::ClusterVersion,
        });
    }
    status.get("conditions")?.elements().find_map(|condition| {
        let [kind, state, message] = condition.pick(["type", "status", "message"]);
        if !kind?.is_str("ReleaseAccepted") || !state?.is_str("True") {
            return None;
        }
        let message = message?.as_str()?;
        let mode = match first_architecture(&message)? {
            "Multi" => ImportMode::PreserveOriginal,
            _ => ImportMode::Legacy,
        };
        Some(ClusterMode {
            mode,
            source: ModeSource::ReleaseAccepted,
        })
    })
}

/// X of the first `architecture="X"` that is not empty.
fn first_architecture(message: &str) -> Option<&str> {
    const KEY: &str = "architecture=\"";
    let mut rest = message;
    while let Some(value) = find(rest, KEY).and_then(|at| rest.get(at + KEY.len()..)) {
        let (architecture, behind) = value.split_once('"')?;
        if !architecture.is_empty() {
            return Some(architecture);
        }
        rest = behind;
    }
    None
}
