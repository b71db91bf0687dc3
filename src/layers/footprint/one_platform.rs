//! Tags that hold one platform, and how to change them.

use serde::Serialize;

use super::TagSource;
use super::cost::Newest;
use crate::import_mode::ImportMode;

/// What to do about a tag that holds one platform on a cluster that wants all of them.
///
/// JSON: `{"remedy": "change", "command": "oc …"}`, or only the remedy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "remedy", rename_all = "camelCase")]
pub enum OnePlatform {
    /// The tag was imported as Legacy; the command imports it again with PreserveOriginal.
    ///
    /// `oc import-image` keeps the tag's source, `scheduled`, `insecure` and reference policy (oc
    /// `pkg/cli/importimage`, openshift-apiserver `registry/imagestreamimport`). What the registry has
    /// under the source may be another image by now, and deployments may roll out.
    Change {
        /// The command, for a POSIX shell.
        command: String,
    },
    /// The mode is PreserveOriginal already: the source itself has one platform.
    SingleSource,
    /// The mode is PreserveOriginal already, and the import that it asks for has not succeeded yet.
    ImportIsDue,
    /// The source is fixed to this image by its digest: give the digest of a manifest list instead.
    Pinned,
    /// The tag follows another tag: change that one.
    FollowsTag,
    /// The source is fixed to an image of a stream.
    FollowsImage,
    /// The image was pushed: push a manifest list.
    Pushed,
    /// `oc import-image` cannot take the name of the tag: import it under another name.
    UnusableTagName,
}

impl OnePlatform {
    pub(super) fn of(newest: &Newest<'_>, namespace: &str, stream: &str) -> Self {
        let Some(tag) = newest.tag else {
            return Self::Pushed;
        };
        match newest.source {
            TagSource::Pushed | TagSource::Reference => Self::Pushed,
            TagSource::ImageStreamTag => Self::FollowsTag,
            TagSource::ImageStreamImage => Self::FollowsImage,
            TagSource::DockerImage if newest.is_pinned() => Self::Pinned,
            TagSource::DockerImage if newest.imported_as_original() => Self::SingleSource,
            TagSource::DockerImage if tag.mode == Some(ImportMode::PreserveOriginal) => {
                Self::ImportIsDue
            }
            TagSource::DockerImage if !is_reference_tag(&tag.name) => Self::UnusableTagName,
            TagSource::DockerImage => Self::Change {
                command: command(namespace, stream, &tag.name),
            },
        }
    }
}

fn command(namespace: &str, stream: &str, tag: &str) -> String {
    let target = shell_word(&format!("{stream}:{tag}"));
    let mut command = format!("oc import-image {target} --import-mode=PreserveOriginal");
    if !namespace.is_empty() {
        command.push_str(" -n ");
        command.push_str(&shell_word(namespace));
    }
    command
}

/// A tag as image references have them (distribution/reference): the API stores others too.
fn is_reference_tag(tag: &str) -> bool {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    tag.len() <= 128
        && tag.starts_with(word)
        && tag.chars().all(|c| word(c) || c == '.' || c == '-')
}

/// A name as one word of a shell: the names come from a file.
fn shell_word(text: &str) -> String {
    let safe = |c: char| c.is_ascii_alphanumeric() || "._-:/".contains(c);
    if !text.is_empty() && text.chars().all(safe) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}
