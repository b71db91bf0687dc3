//! §7: the settings.

use serde_json::Value;

use super::Mode;

/// How to read what the author wrote (§4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names are the values")]
pub enum Overwrite {
    IfUnset,
    UnlessExplicit,
    Always,
}

/// What to do about it (§6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the values")]
pub enum Action {
    Mutate,
    Report,
}

/// What to do about an unknown cluster mode (§5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the values")]
pub enum OnUnknown {
    Accept,
    Reject,
}

/// Valid settings.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// `payloadArchitecture`, `Multi` in this spelling.
    pub payload_architecture: Option<String>,
    /// `imageStreamImportMode`.
    pub import_mode: Option<Mode>,
    /// `overwrite`.
    pub overwrite: Overwrite,
    /// `action`.
    pub action: Action,
    /// `onUnknownPayload`.
    pub on_unknown: OnUnknown,
    /// `clusterContext`.
    pub cluster_context: bool,
    /// `exemptUsers`.
    pub exempt_users: Vec<String>,
    /// `exemptNamespaces`.
    pub exempt_namespaces: Vec<String>,
}

impl Settings {
    /// The settings, if they are valid.
    pub fn read(settings: &Value) -> Option<Settings> {
        let mut read = Settings {
            payload_architecture: None,
            import_mode: None,
            overwrite: Overwrite::UnlessExplicit,
            action: Action::Mutate,
            on_unknown: OnUnknown::Accept,
            cluster_context: true,
            exempt_users: Vec::new(),
            exempt_namespaces: Vec::new(),
        };
        if is_default(settings) {
            return Some(read);
        }
        for (key, value) in settings.as_object()? {
            if is_default(value) && KEYS.contains(&key.as_str()) {
                continue;
            }
            match key.as_str() {
                "payloadArchitecture" => read.payload_architecture = Some(architecture(value)?),
                "imageStreamImportMode" => read.import_mode = Some(Mode::parse(value.as_str()?)?),
                "overwrite" => {
                    read.overwrite = match value.as_str()? {
                        "IfUnset" => Overwrite::IfUnset,
                        "UnlessExplicit" => Overwrite::UnlessExplicit,
                        "Always" => Overwrite::Always,
                        _ => return None,
                    }
                }
                "action" => {
                    read.action = match value.as_str()? {
                        "Mutate" => Action::Mutate,
                        "Report" => Action::Report,
                        _ => return None,
                    }
                }
                "onUnknownPayload" => {
                    read.on_unknown = match value.as_str()? {
                        "Accept" => OnUnknown::Accept,
                        "Reject" => OnUnknown::Reject,
                        _ => return None,
                    }
                }
                "clusterContext" => read.cluster_context = value.as_bool()?,
                "exemptUsers" => read.exempt_users = strings(value)?,
                "exemptNamespaces" => read.exempt_namespaces = strings(value)?,
                _ => return None,
            }
        }
        let has_mode = read.import_mode.is_some() || read.payload_architecture.is_some();
        (read.cluster_context || has_mode).then_some(read)
    }
}

/// The keys there are.
pub const KEYS: [&str; 8] = [
    "payloadArchitecture",
    "imageStreamImportMode",
    "overwrite",
    "action",
    "onUnknownPayload",
    "clusterContext",
    "exemptUsers",
    "exemptNamespaces",
];

/// Null and `""` mean the default.
fn is_default(value: &Value) -> bool {
    value.is_null() || value == ""
}

/// `Multi` in any case (§3), or one of the architectures.
fn architecture(value: &Value) -> Option<String> {
    let text = value.as_str()?;
    if text.eq_ignore_ascii_case("Multi") {
        return Some("Multi".to_owned());
    }
    ["amd64", "arm64", "ppc64le", "s390x"]
        .contains(&text)
        .then(|| text.to_owned())
}

fn strings(value: &Value) -> Option<Vec<String>> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    value.as_array()?.iter().map(text).collect()
}
