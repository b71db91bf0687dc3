//! The settings of the policy: what an administrator may write, and every fault in it at once.

mod fault;

pub use fault::{SettingsError, SettingsFault};

use crate::import_mode::ImportMode;
use crate::json::Json;

/// Accounts that are always exempt: the cluster-version operator rewrites its streams on any
/// difference, the import controller repeats stored policies (openshift.md 6.1).
pub const BUILT_IN_EXEMPT_USERS: [&str; 3] = [
    "system:serviceaccount:openshift-cluster-version:default",
    "system:serviceaccount:openshift-cluster-version:cluster-version-operator",
    "system:serviceaccount:openshift-infra:image-import-controller",
];

/// The settings, checked; an absent, null or empty value is the default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// Architecture of the cluster's payload; none asks the cluster.
    pub payload_architecture: Option<PayloadArchitecture>,
    /// The mode that new tags get, whatever the cluster says.
    pub image_stream_import_mode: Option<ImportMode>,
    /// Which modes of a request count as its author's decision.
    pub overwrite: Overwrite,
    /// What happens where a mode would be set.
    pub action: Action,
    /// What happens to new tags when the cluster mode is unknown.
    pub on_unknown_payload: OnUnknownPayload,
    /// Whether the cluster may be asked.
    pub cluster_context: ClusterContext,
    /// Exempt users besides [`BUILT_IN_EXEMPT_USERS`].
    pub exempt_users: Vec<String>,
    /// Exempt namespaces.
    pub exempt_namespaces: Vec<String>,
}

/// One closed set of values, as settings spell them.
pub(crate) trait Choice: Copy + 'static {
    const ALL: &'static [(&'static str, Self)];

    fn from_setting(text: &str) -> Option<Self> {
        let (_, value) = Self::ALL.iter().find(|(name, _)| *name == text)?;
        Some(*value)
    }
}

macro_rules! choices {
    ($($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $text:literal,)+ })+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub enum $name { $($(#[$variant_doc])* $variant,)+ }

        impl Choice for $name {
            const ALL: &'static [(&'static str, Self)] = &[$(($text, Self::$variant),)+];
        }
    )+};
}

choices! {
    /// Which modes of a request count as its author's decision (setting `overwrite`).
    Overwrite {
        /// `PreserveOriginal` always counts, `Legacy` only with a proof or in a hand-written body.
        #[default]
        UnlessExplicit = "UnlessExplicit",
        /// Every mode counts.
        IfUnset = "IfUnset",
        /// No mode counts.
        Always = "Always",
    }

    /// What happens where a mode would be set (setting `action`).
    Action {
        /// The mode is set.
        #[default]
        Mutate = "Mutate",
        /// The request is rejected if the tag imports.
        Report = "Report",
    }

    /// What happens to new tags when the cluster mode is unknown (setting `onUnknownPayload`).
    OnUnknownPayload {
        /// They are left as they are, with a warning.
        #[default]
        Accept = "Accept",
        /// The request is rejected.
        Reject = "Reject",
    }

    /// Whether the cluster may be asked (setting `clusterContext`).
    ClusterContext {
        /// Host calls are made where needed.
        #[default]
        Allowed = "true",
        /// No host call is made.
        Forbidden = "false",
    }
}

/// Architecture of the cluster's payload (setting `payloadArchitecture`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PayloadArchitecture {
    /// A payload for several architectures.
    Multi,
    /// A payload for one architecture: `amd64`, `arm64`, `ppc64le` or `s390x`.
    Single,
}

impl Choice for PayloadArchitecture {
    const ALL: &'static [(&'static str, Self)] = &[
        ("Multi", Self::Multi),
        ("amd64", Self::Single),
        ("arm64", Self::Single),
        ("ppc64le", Self::Single),
        ("s390x", Self::Single),
    ];

    fn from_setting(text: &str) -> Option<Self> {
        let multi = text.eq_ignore_ascii_case("Multi").then_some(Self::Multi);
        multi.or_else(|| {
            let (_, value) = Self::ALL.iter().find(|(name, _)| *name == text)?;
            Some(*value)
        })
    }
}

impl Choice for ImportMode {
    const ALL: &'static [(&'static str, Self)] = &[
        (Self::Legacy.as_str(), Self::Legacy),
        (Self::PreserveOriginal.as_str(), Self::PreserveOriginal),
    ];
}

/// Every key, in the order of the documentation.
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

impl Settings {
    /// Reads settings from JSON text.
    ///
    /// # Errors
    ///
    /// One [`SettingsError`] that lists every fault: text that is no JSON object, unknown keys,
    /// wrong types, wrong values, and a cluster that may not be asked while no mode is set.
    pub fn parse(text: &[u8]) -> Result<Self, SettingsError> {
        Self::parse_within(text, &[])
    }

    /// Reads settings from a JSON document where the keys of `foreign` are no settings.
    ///
    /// # Errors
    ///
    /// As [`Settings::parse`].
    pub fn parse_within(text: &[u8], foreign: &[&str]) -> Result<Self, SettingsError> {
        match Json::parse(text) {
            Ok(json) => Self::from_json(Some(json), foreign),
            Err(_) => Err(SettingsError::from(vec![SettingsFault::not_json()])),
        }
    }

    /// Reads settings that stand in a larger document, where the keys of `foreign` belong to others.
    pub(crate) fn from_json(
        json: Option<Json<'_>>,
        foreign: &[&str],
    ) -> Result<Self, SettingsError> {
        let Some(json) = json.filter(|json| !json.is_unset()) else {
            return Ok(Self::default());
        };
        if !json.is_object() {
            return Err(vec![SettingsFault::not_an_object(json)].into());
        }
        let mut reader = Reader {
            faults: fault::unknown_keys(json, foreign),
        };
        let [
            architecture,
            mode,
            overwrite,
            action,
            unknown,
            context,
            users,
            namespaces,
        ] = json.pick(KEYS);
        let settings = Self {
            payload_architecture: reader.choice("payloadArchitecture", architecture),
            image_stream_import_mode: reader.choice("imageStreamImportMode", mode),
            overwrite: reader.choice("overwrite", overwrite).unwrap_or_default(),
            action: reader.choice("action", action).unwrap_or_default(),
            on_unknown_payload: reader
                .choice("onUnknownPayload", unknown)
                .unwrap_or_default(),
            cluster_context: reader.boolean("clusterContext", context),
            exempt_users: reader.list("exemptUsers", users),
            exempt_namespaces: reader.list("exemptNamespaces", namespaces),
        };
        let mode_given = [architecture, mode].into_iter().flatten();
        let mode_given = mode_given.filter(|value| !value.is_unset()).count() > 0;
        if settings.cluster_context == ClusterContext::Forbidden && !mode_given {
            reader.faults.push(SettingsFault::no_way_to_know());
        }
        if reader.faults.is_empty() {
            Ok(settings)
        } else {
            Err(reader.faults.into())
        }
    }

    /// The mode that the settings state for new tags.
    #[must_use]
    pub fn stated_mode(&self) -> Option<ImportMode> {
        let of_payload = self.payload_architecture.map(|payload| match payload {
            PayloadArchitecture::Multi => ImportMode::PreserveOriginal,
            PayloadArchitecture::Single => ImportMode::Legacy,
        });
        self.image_stream_import_mode.or(of_payload)
    }

    pub(crate) fn exempts_user(&self, user: &str) -> bool {
        BUILT_IN_EXEMPT_USERS.contains(&user)
            || self.exempt_users.iter().any(|exempt| exempt == user)
    }

    pub(crate) fn exempts_namespace(&self, namespace: &str) -> bool {
        self.exempt_namespaces
            .iter()
            .any(|exempt| exempt == namespace)
    }
}

/// Reads values and keeps their faults.
struct Reader {
    faults: Vec<SettingsFault>,
}

impl Reader {
    fn choice<T: Choice>(&mut self, key: &'static str, value: Option<Json<'_>>) -> Option<T> {
        self.one_of(key, value, |value| T::from_setting(&value.as_str()?))
    }

    fn boolean(&mut self, key: &'static str, value: Option<Json<'_>>) -> ClusterContext {
        self.one_of(key, value, |value| {
            ClusterContext::from_setting(value.text())
        })
        .unwrap_or_default()
    }

    fn one_of<T: Choice>(
        &mut self,
        key: &'static str,
        value: Option<Json<'_>>,
        read: impl FnOnce(Json<'_>) -> Option<T>,
    ) -> Option<T> {
        let value = value.filter(|value| !value.is_unset())?;
        let choice = read(value);
        if choice.is_none() {
            let names: Vec<_> = T::ALL.iter().map(|(name, _)| *name).collect();
            self.faults
                .push(SettingsFault::not_a_choice(key, value, &names));
        }
        choice
    }

    fn list(&mut self, key: &'static str, value: Option<Json<'_>>) -> Vec<String> {
        let Some(value) = value.filter(|value| !value.is_unset()) else {
            return Vec::new();
        };
        let names: Option<Vec<_>> = value
            .elements()
            .map(|element| element.as_str().map(String::from))
            .collect();
        match names {
            Some(names) if value.is_array() => names,
            _ => {
                self.faults.push(SettingsFault::not_a_list(key, value));
                Vec::new()
            }
        }
    }
}
