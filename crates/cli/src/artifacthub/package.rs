//! What the package file needs, checked.

use std::collections::BTreeMap;
use std::fmt;

use crate::metadata::Metadata;

/// The package file, checked; displayed as its text.
#[derive(Debug)]
pub struct Package<'a> {
    pub(super) metadata: &'a Metadata,
    annotations: &'a BTreeMap<String, String>,
    pub(super) created_at: &'a str,
    pub(super) questions: &'a str,
    /// Names and mail addresses.
    pub(super) maintainers: Vec<(String, String)>,
}

impl<'a> Package<'a> {
    /// Checks what Artifact Hub and `kwctl` would refuse.
    ///
    /// # Errors
    ///
    /// A missing or malformed annotation, a version that is not the program's, empty questions.
    pub fn of(
        metadata: &'a Metadata,
        created_at: &'a str,
        questions: &'a str,
    ) -> Result<Self, PackageError> {
        if questions.trim().is_empty() {
            return Err(PackageError::NoQuestions);
        }
        let annotations = metadata
            .annotations
            .as_ref()
            .ok_or(PackageError::Missing("io.kubewarden.policy.version"))?;
        let package = Self {
            metadata,
            annotations,
            created_at,
            questions,
            maintainers: maintainers(annotations)?,
        };
        for key in [
            "io.kubewarden.policy.title",
            "io.artifacthub.displayName",
            "io.kubewarden.policy.description",
            "io.kubewarden.policy.ociUrl",
            "io.kubewarden.policy.license",
            "io.kubewarden.policy.url",
            "io.kubewarden.policy.source",
            "io.artifacthub.keywords",
            "io.artifacthub.resources",
        ] {
            if package.get(key).is_empty() {
                return Err(PackageError::Missing(key));
            }
        }
        for key in ["io.kubewarden.policy.url", "io.kubewarden.policy.source"] {
            let path = package.get(key).strip_prefix("https://");
            let path = path.and_then(|address| address.split_once('/'));
            if path.is_none_or(|(host, path)| host.is_empty() || path.is_empty()) {
                return Err(PackageError::Malformed(key, "an https address with a path"));
            }
        }
        if package.keywords().iter().any(String::is_empty) {
            return Err(PackageError::Malformed(
                "io.artifacthub.keywords",
                "words with commas between them",
            ));
        }
        let version = package.get("io.kubewarden.policy.version");
        if version == env!("CARGO_PKG_VERSION") {
            Ok(package)
        } else {
            Err(PackageError::Version(version.to_owned()))
        }
    }

    /// The text of an annotation, empty where there is none.
    pub(super) fn get(&self, key: &str) -> &str {
        self.annotations.get(key).map_or("", String::as_str)
    }

    /// The words to search for.
    pub(super) fn keywords(&self) -> Vec<String> {
        let keywords = self.get("io.artifacthub.keywords").split(',');
        keywords.map(|word| word.trim().to_owned()).collect()
    }

    /// Where this version of the module is published.
    pub(super) fn image(&self) -> String {
        let (address, version) = (
            self.get("io.kubewarden.policy.ociUrl"),
            self.get("io.kubewarden.policy.version"),
        );
        format!("{address}:v{version}")
    }
}

/// `Name <address>` with commas between them.
fn maintainers(
    annotations: &BTreeMap<String, String>,
) -> Result<Vec<(String, String)>, PackageError> {
    const KEY: &str = "io.kubewarden.policy.author";
    let authors = annotations.get(KEY).ok_or(PackageError::Missing(KEY))?;
    let malformed =
        || PackageError::Malformed(KEY, "`Name <mail address>`, commas between several");
    let maintainer = |author: &str| {
        let (name, rest) = author.split_once('<')?;
        let email = rest.trim().strip_suffix('>')?;
        let (user, host) = email.split_once('@')?;
        let complete = !name.trim().is_empty() && !user.is_empty() && host.contains('.');
        complete.then(|| (name.trim().to_owned(), email.to_owned()))
    };
    let maintainers = authors
        .split(',')
        .map(|author| maintainer(author).ok_or_else(malformed));
    maintainers.collect()
}

/// Why there is no package file.
#[derive(Debug, PartialEq, Eq)]
pub enum PackageError {
    /// An annotation that must be there.
    Missing(&'static str),
    /// An annotation in another form.
    Malformed(&'static str, &'static str),
    /// The metadata belong to another version than the program.
    Version(String),
    /// A file without a question.
    NoQuestions,
}

impl fmt::Display for PackageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(key) => write!(
                f,
                "the annotation `{key}` is missing; Artifact Hub needs it"
            ),
            Self::Malformed(key, form) => write!(f, "the annotation `{key}` must be {form}"),
            Self::Version(version) => write!(
                f,
                "the annotation `io.kubewarden.policy.version` is `{version}`, but Cargo.toml says `{}`; set both to the same",
                env!("CARGO_PKG_VERSION")
            ),
            Self::NoQuestions => f.write_str("the questions are empty; write one for each setting"),
        }
    }
}

impl std::error::Error for PackageError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn fails_without(annotations: &[(&str, &str)], error: PackageError) {
        let mut metadata: Metadata =
            serde_saphyr::from_str(include_str!("../../../../policy-metadata.yml")).unwrap();
        let all = metadata.annotations.as_mut().unwrap();
        for (key, value) in annotations {
            if value.is_empty() {
                all.remove(*key);
            } else {
                all.insert((*key).to_owned(), (*value).to_owned());
            }
        }
        assert_eq!(
            Package::of(&metadata, "now", "questions: []").unwrap_err(),
            error
        );
    }

    #[test]
    fn what_artifact_hub_refuses_is_an_error() {
        let missing = ["io.kubewarden.policy.ociUrl", "io.artifacthub.displayName"];
        for key in missing {
            fails_without(&[(key, "")], PackageError::Missing(key));
        }
        fails_without(
            &[("io.kubewarden.policy.version", "0.0.1")],
            PackageError::Version("0.0.1".to_owned()),
        );
        let key = "io.kubewarden.policy.url";
        let error = PackageError::Malformed(key, "an https address with a path");
        fails_without(&[(key, "github.com/x")], error);
        let key = "io.artifacthub.keywords";
        let error = PackageError::Malformed(key, "words with commas between them");
        fails_without(&[(key, "a,,b")], error);
    }

    #[test]
    fn authors_are_mail_addresses() {
        let read = |author: &str| {
            let key = "io.kubewarden.policy.author".to_owned();
            maintainers(&BTreeMap::from([(key, author.to_owned())]))
        };
        let pair = |name: &str, email: &str| (name.to_owned(), email.to_owned());
        assert_eq!(
            read("A B <a@b.org>, C <c@d.org>"),
            Ok(vec![pair("A B", "a@b.org"), pair("C", "c@d.org")])
        );
        for author in ["A B", "a@b.org", "A <a>", "A <a@b.org>,"] {
            let error = read(author).unwrap_err().to_string();
            assert_eq!(
                error,
                "the annotation `io.kubewarden.policy.author` must be `Name <mail address>`, commas between several"
            );
        }
    }
}
